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
  explicit Planner(const TransferRequest& request) : request_(request) {
    plan_.request = request;
    if (request.catalog != nullptr)
      plan_.currency = request.currency.empty() ? request.catalog->currency : request.currency;
  }

  Result<TransferPlan> run() {
    add("direct", Stage::none, Decimal::of(1));
    const bool packed = request_.compression < Decimal::of(1);
    if (packed) add("compressed", Stage::none, request_.compression);
    if (!request_.home && offers_store())
      add("object_storage", Stage::object, request_.compression);
    if (!request_.home && offers_cardless()) add("cardless", Stage::cardless, request_.compression);
    if (!errors_.empty()) return std::move(errors_);
    order();
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
    way.take(bits(request_.home ? request_.line_down : request_.line_up), "line");
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
                .commands = {}};
    if (request_.offer != nullptr)
      price(route, stage, compression, slowest);
    else if (slowest.speed)
      route.time = billing::transfer_time(sent(compression), *slowest.speed);
    route.commands = commands(route.route);
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

  std::vector<std::string> commands(const std::string& route) const;
  void order();
  void warn();

  const TransferRequest& request_;
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
  const bool pack = route == "compressed" || small_files(request_);
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

// The cheapest first, then the fastest; what is not known comes last.
void Planner::order() {
  const auto less = [](const auto& a, const auto& b) { return a && (!b || *a < *b); };
  std::ranges::stable_sort(plan_.routes, [&](const Route& a, const Route& b) {
    if (a.total != b.total) return less(a.total, b.total);
    return less(a.time, b.time);
  });
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
  if (request_.offer == nullptr)
    warnings.push_back({"no_offer", "without --offer only times are known, no prices", "offer"});
}

}  // namespace

Result<TransferPlan> plan_transfer(const TransferRequest& request) {
  return Planner(request).run();
}

}  // namespace gpuplan
