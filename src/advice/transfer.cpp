// Which way data goes: each route is billed as a run without work.
#include <algorithm>

#include "billing/exact.hpp"
#include "core/text.hpp"
#include "gpuplan/advice.hpp"

namespace gpuplan {
namespace {

using billing::kMicro;

// Many small files are slowed down by their number: below this mean size they are packed.
constexpr std::int64_t kSmallFile = 1'000'000;
// Without prices: what is sent within a minute may as well be sent again after a break.
constexpr Duration kSentAgain = std::chrono::minutes{1};
// Sizes between which a rule is looked for.
constexpr std::int64_t kLeastSize = 1'000'000, kMostSize = 100'000'000'000'000;

bool small_files(const TransferRequest& request) {
  return request.files && *request.files > 1 && request.size.count() / *request.files < kSmallFile;
}

const Rules& rules_of(const Offer& offer) {
  static const Rules kNone;
  return offer.rules ? *offer.rules : kNone;
}

// What the disk writes, in bits a second: of the first kind that a job's data would lie on.
std::optional<Decimal> disk_speed(const Offer* offer) {
  if (offer == nullptr) return std::nullopt;
  for (const StorageKind kind : {StorageKind::data, StorageKind::volume, StorageKind::system}) {
    const auto rule = rules_of(*offer).storage.find(kind);
    if (rule == rules_of(*offer).storage.end()) continue;
    const bool priced = rule->second.price || !rule->second.tiers.empty();
    if (!priced && kind != StorageKind::system) continue;
    if (!rule->second.mb_per_s || rule->second.mb_per_s->is_zero()) return std::nullopt;
    return billing::product(*rule->second.mb_per_s, Decimal::of(8 * kMicro));
  }
  return std::nullopt;
}

std::optional<Decimal> bits(const std::optional<Decimal>& mbps) {
  if (!mbps || mbps->is_zero()) return std::nullopt;
  return billing::product(*mbps, Decimal::of(kMicro));
}

std::optional<Decimal> bits(const std::optional<Bandwidth>& line) {
  if (!line || bits_per_second(*line) <= 0) return std::nullopt;
  return Decimal::of(bits_per_second(*line));
}

// The slowest of what is stated on the way, and what it is.
struct Slowest {
  std::optional<Decimal> speed;
  std::string bound = "unknown";
  void take(const std::optional<Decimal>& other, std::string name) {
    if (!other || (speed && *speed <= *other)) return;
    speed = other;
    bound = std::move(name);
  }
};

class Planner {
 public:
  explicit Planner(const TransferRequest& request, bool rules = true)
      : request_(request), wants_rules_(rules) {
    plan_.request = request;
    if (request.catalog != nullptr)
      plan_.currency = request.currency.empty() ? request.catalog->currency : request.currency;
  }

  Result<TransferPlan> run() {
    if (!request_.public_name.empty() && !request_.home) add_mirror();
    add("direct", Stage::none, Decimal::of(1));
    add_web_page();
    const bool packed = request_.compression < Decimal::of(1);
    if (packed) add("compressed", Stage::none, request_.compression);
    if (!request_.home && offers_store())
      add("object_storage", Stage::object, request_.compression);
    if (!request_.home && offers_cardless()) add("cardless", Stage::cardless, request_.compression);
    if (!errors_.empty()) return std::move(errors_);
    order();
    if (wants_rules_) find_rules();
    warn();
    return std::move(plan_);
  }

 private:
  bool offers_store() const {
    if (request_.offer == nullptr) return false;
    const Rules& rules = rules_of(*request_.offer);
    return rules.storage.contains(StorageKind::object) ||
           rules.service.object_storage.value_or(false);
  }
  bool offers_cardless() const {
    return request_.offer != nullptr && rules_of(*request_.offer).stop.cardless == State::cardless;
  }

  Slowest way(Stage stage, const Decimal& compression) const {
    Slowest way;
    if (!mirror_) way.take(bits(request_.home ? request_.line_down : request_.line_up), "line");
    if (request_.offer != nullptr) {
      const NetworkRules& network = rules_of(*request_.offer).network;
      way.take(bits(request_.home ? network.down_mbps : network.up_mbps), "platform");
    }
    // The disk takes what has been unpacked.
    if (const auto disk = disk_speed(request_.offer); disk && stage != Stage::object)
      way.take(billing::product(*disk, compression), "disk");
    return way;
  }

  void add(std::string name, Stage stage, const Decimal& compression) {
    const Slowest slowest = way(stage, compression);
    Route route{.route = std::move(name),
                .time = {},
                .cost = {},
                .gpu_idle = {},
                .total = {},
                .bound = slowest.bound,
                .resumable = true,
                .commands = {}};
    if (request_.offer != nullptr)
      price(route, stage, compression, slowest);
    else if (slowest.speed)
      route.time = billing::transfer_time(sent(compression), *slowest.speed);
    route.commands = commands(route.route);
    // What is packed on its way home is one stream.
    route.resumable = !(request_.home && packs(route.route));
    plan_.routes.push_back(std::move(route));
  }

  Bytes sent(const Decimal& compression) const {
    return Bytes::of(compression.times(request_.size.count()).value_or(INT64_MAX));
  }

  // The bill of a run that only moves data.
  void price(Route& route, Stage stage, const Decimal& compression, const Slowest& slowest) {
    Offer offer = *request_.offer;
    auto rules = std::make_shared<Rules>(rules_of(offer));
    if (const auto disk = disk_speed(&offer); disk && stage == Stage::object) {
      const auto mbps = Decimal::parse(std::to_string(disk->times(1).value_or(0) / kMicro));
      if (!rules->network.internal_mbps || (mbps && *mbps < *rules->network.internal_mbps))
        rules->network.internal_mbps = mbps;
    }
    const bool unknown =
        !slowest.speed || (stage == Stage::object && !rules->network.internal_mbps);
    offer.rules = std::move(rules);
    Job job;
    (request_.home ? job.data.download : job.data.upload) = request_.size;
    job.data.compression = compression;
    job.data.stage = stage;
    if (slowest.speed) {
      const double bytes_per_s = slowest.speed->approximate() / 8;
      (request_.home ? job.data.line_down : job.data.line_up) = Bandwidth::per_second(bytes_per_s);
    }
    const auto bill = simulate_bill({.catalog = request_.catalog,
                                     .offer = &offer,
                                     .job = &job,
                                     .run = Duration{0},
                                     .plan = request_.plan,
                                     .currency = plan_.currency});
    if (!bill) {
      for (Diagnostic error : bill.errors()) {
        error.hint.clear();
        if (std::ranges::find(errors_, error) == errors_.end()) errors_.push_back(error);
      }
      return;
    }
    const auto part = [&](Item item) {
      const auto found = bill->totals.find(item);
      return found == bill->totals.end() ? Money{} : found->second;
    };
    note(*bill);
    if (bill->complete) route.cost = part(Item::network) + part(Item::storage);
    if (unknown) return;
    route.time = bill->time.transfer;
    route.gpu_idle = part(Item::transfer);
    if (route.cost) route.total = *route.cost + *route.gpu_idle;
  }

  void note(const Bill& bill) {
    for (const Warning& warning : bill.warnings) {
      const bool here = warning.code != "metering_assumed" && warning.code != "line_speed_unknown";
      if (here && std::ranges::find(plan_.warnings, warning) == plan_.warnings.end())
        plan_.warnings.push_back(warning);
    }
  }

  // The machine fetches it itself: the line of the user is not on the way.
  void add_mirror() {
    mirror_ = true;
    add("mirror", Stage::none, Decimal::of(1));
    mirror_ = false;
  }
  void add_web_page();
  bool packs(const std::string& route) const {
    return route == "compressed" || (route != "mirror" && small_files(request_));
  }
  bool cheap_to_repeat(const Route& route) const;
  Money minor_unit() const;

  std::vector<std::string> commands(const std::string& route) const;
  void order();
  void find_rules();
  bool object_storage_pays(Bytes size) const;
  void rule_of_object_storage();
  void rule_of_packing();
  void warn();

  const TransferRequest& request_;
  bool wants_rules_, mirror_ = false;
  TransferPlan plan_;
  Diagnostics errors_;
};

std::vector<std::string> Planner::commands(const std::string& route) const {
  const std::string check =
      "ssh -p PORT USER@HOST 'cd /DATA && find . -type f | wc -l && du -sb .'";
  if (route == "object_storage")
    return {"rclone copy ./DATA REMOTE:BUCKET/DATA --transfers 16 --checkers 16",
            "rclone copy REMOTE:BUCKET/DATA /DATA --transfers 16   # on the machine",
            "rclone check REMOTE:BUCKET/DATA /DATA                 # on the machine"};
  if (route == "mirror")
    return {"hf download " + request_.public_name + " --local-dir /DATA   # on the machine",
            "HF_ENDPOINT=https://MIRROR hf download " + request_.public_name +
                " --local-dir /DATA   # where the hub itself is slow"};
  if (route == "web_page")
    return {"# the upload button of the platform's page or notebook, then compare the sizes"};
  const bool pack = packs(route);
  if (request_.home) {
    if (!pack)
      return {"rsync -a --partial --info=progress2 -e 'ssh -p PORT' USER@HOST:/DATA/ ./DATA/"};
    return {"ssh -p PORT USER@HOST 'tar -C /DATA -cf - . | zstd -T0' > data.tar.zst",
            "mkdir -p DATA && zstd -dc data.tar.zst | tar -C DATA -xf -"};
  }
  std::vector<std::string> commands;
  if (route == "cardless") commands.push_back("# boot the machine without its card first");
  if (pack) {
    commands.push_back("tar -C DATA -cf - . | zstd -T0 -o data.tar.zst");
    commands.push_back(
        "rsync --partial --info=progress2 -e 'ssh -p PORT' data.tar.zst USER@HOST:/DATA/");
    commands.push_back(
        "ssh -p PORT USER@HOST 'cd /DATA && zstd -dc data.tar.zst | tar -xf - && rm data.tar.zst'");
  } else {
    commands.push_back(
        "rsync -a --partial --info=progress2 -e 'ssh -p PORT' ./DATA/ USER@HOST:/DATA/");
  }
  commands.push_back(check);
  return commands;
}

// The least that a bill shows.
Money Planner::minor_unit() const {
  Money unit = Money::units(1);
  for (int i = 0; i < minor_digits(plan_.currency); ++i) unit = Money::nanos(unit.nanos() / 10);
  return unit;
}

// A page cannot go on where it was cut off: all is sent again.
bool Planner::cheap_to_repeat(const Route& route) const {
  if (request_.offer != nullptr) return route.gpu_idle && *route.gpu_idle <= minor_unit();
  return route.time && *route.time <= kSentAgain;
}

// For what is small: the same way as direct, without any command.
void Planner::add_web_page() {
  if (plan_.routes.empty() || request_.home || small_files(request_)) return;
  const Route direct = plan_.routes.back();
  if (!cheap_to_repeat(direct)) return;
  Route page = direct;
  page.route = "web_page";
  page.resumable = false;
  page.commands = commands(page.route);
  plan_.routes.insert(plan_.routes.end() - 1, std::move(page));
}

bool Planner::object_storage_pays(Bytes size) const {
  TransferRequest other = request_;
  other.size = size;
  other.files.reset();
  const auto plan = Planner(other, false).run();
  if (!plan) return false;
  const auto total = [&](const std::string& name) -> std::optional<Money> {
    const auto route = std::ranges::find(plan->routes, name, &Route::route);
    return route == plan->routes.end() ? std::nullopt : route->total;
  };
  auto best = total("direct");
  if (const auto packed = total("compressed"); packed && best) best = std::min(*best, *packed);
  const auto object = total("object_storage");
  return best && object && *object + minor_unit() <= *best;
}

// From which size on the way round pays: the least at which a bill shows it.
void Planner::rule_of_object_storage() {
  const bool offered = std::ranges::any_of(
      plan_.routes, [](const Route& route) { return route.route == "object_storage"; });
  if (!offered || request_.home) return;
  std::int64_t low = kLeastSize, high = kLeastSize;
  while (high < kMostSize && !object_storage_pays(Bytes::of(high))) {
    low = high;
    high *= 4;
  }
  if (!object_storage_pays(Bytes::of(high))) return;
  while (high - low > kLeastSize) {
    const std::int64_t middle = low + (high - low) / 2;
    (object_storage_pays(Bytes::of(middle)) ? high : low) = middle;
  }
  plan_.rules.push_back({.code = "object_storage_from",
                         .message = "from " + show_bytes(Bytes::of(high)) +
                                    " on, object storage is the cheaper way at this line and "
                                    "price: the card waits for the inner line only",
                         .size = Bytes::of(high),
                         .speed = {}});
}

// Packing and sending one after the other: it pays when the packer is faster than what it saves.
void Planner::rule_of_packing() {
  if (request_.compression >= Decimal::of(1)) return;
  const Slowest slowest = way(Stage::none, Decimal::of(1));
  if (!slowest.speed) return;
  const double saved = 1 - request_.compression.approximate();
  const Bandwidth needed =
      Bandwidth::per_second(slowest.speed->approximate() / 8 / saved);
  const auto tenths = static_cast<std::int64_t>(needed.per_second() / 1e5 + 0.5);
  plan_.rules.push_back({.code = "pack_from_speed",
                         .message = "compress first when your machine packs more than " +
                                    Decimal::of(tenths, 1).to_string() +
                                    " MB of the original data a second: then packing takes less "
                                    "time than it saves",
                         .size = {},
                         .speed = needed});
}

void Planner::find_rules() {
  rule_of_object_storage();
  rule_of_packing();
  if (!request_.public_name.empty() && !request_.home)
    plan_.rules.push_back({.code = "mirror",
                           .message = "what a public hub has need not go over your own line: the "
                                      "machine fetches it",
                           .size = {},
                           .speed = {}});
}

// The cheapest first, then the fastest; what is not known comes last.
void Planner::order() {
  const auto less = [](const auto& a, const auto& b) { return a && (!b || *a < *b); };
  std::ranges::stable_sort(plan_.routes, [&](const Route& a, const Route& b) {
    if (a.total != b.total) return less(a.total, b.total);
    return less(a.time, b.time);
  });
  // The page needs no command: what does not save a cent does not make up for that.
  const auto page = std::ranges::find(plan_.routes, std::string("web_page"), &Route::route);
  if (page == plan_.routes.end() || !page->total) return;
  if (*page->total < *plan_.routes.front().total + minor_unit())
    std::rotate(plan_.routes.begin(), page, page + 1);
}

void Planner::warn() {
  Warnings& warnings = plan_.warnings;
  const bool no_time = std::ranges::any_of(plan_.routes, [](const Route& r) { return !r.time; });
  if (no_time)
    warnings.push_back({"line_speed_unknown",
                        "nobody states how fast a line on the way is: --line 100Mbps says how fast "
                        "yours is; the time of such a route is not known",
                        "line"});
  if (small_files(request_))
    warnings.push_back({"many_small_files",
                        "files of less than 1 MB on average are held up by their number: packed "
                        "into one archive they go at the speed of the line",
                        "files"});
  if (request_.home && !request_.public_name.empty())
    warnings.push_back({"public_at_home",
                        "--public is about the way to the platform: on the way home it says nothing",
                        "public"});
  if (request_.offer == nullptr)
    warnings.push_back({"no_offer", "without --offer only times are known, no prices", "offer"});
}

}  // namespace

Result<TransferPlan> plan_transfer(const TransferRequest& request) {
  return Planner(request).run();
}

}  // namespace gpuplan
