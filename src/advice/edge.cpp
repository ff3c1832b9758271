// Data of every day: sent raw, worked on where they arise, or both.
#include "gpuplan/edge.hpp"

#include <algorithm>
#include <array>

#include "billing/exact.hpp"
#include "core/text.hpp"
#include "gpuplan/billing.hpp"

namespace gpuplan {
namespace {

using billing::product;

constexpr std::int64_t kMonthDays = 30;
constexpr std::int64_t kDaySeconds = 86'400;

Bytes part(Bytes whole, const Decimal& share) {
  return Bytes::of(share.times(whole.count()).value_or(INT64_MAX));
}

Money item_of(const Bill& bill, Item item) {
  const auto found = bill.totals.find(item);
  return found == bill.totals.end() ? Money{} : found->second;
}

// So long that a price a month is paid once: the month of the platform's own meter.
Duration month_of(const Rules& rules) {
  const std::int64_t hours = rules.meter.month_hours.value_or(730);
  return (hours == 0 ? kMonthDays * 24 : hours) * billing::kHour;
}

std::string percent(const Decimal& share) {
  const auto value = product(share, Decimal::of(100));
  return (value ? *value : Decimal{}).to_string() + " %";
}

class Planner {
 public:
  explicit Planner(const EdgeRequest& request) : request_(request) {
    plan_.request = request;
    plan_.currency = request.currency.empty() ? request.catalog->currency : request.currency;
    plan_.line_needed = request.per_day.as_double() * 8 / kDaySeconds;
  }

  Result<EdgePlan> run() {
    choose_offer();
    const Bytes kept = part(request_.per_day, request_.keep_share);
    plan_.cloud_only = way(request_.per_day, Decimal::of(1), true, false);
    plan_.two_stage = way(kept, request_.keep_share, true, true);
    plan_.edge_first = way(kept, request_.keep_share, false, true);
    if (!errors_.empty()) return std::move(errors_);
    close_ways();
    break_even();
    decide();
    warn();
    return std::move(plan_);
  }

 private:
  void choose_offer();
  EdgeBill way(Bytes per_day, const Decimal& share, bool computes, bool at_the_edge);
  std::optional<Bill> bill(const Offer& offer, const Job& job, Duration run,
                           const std::string& plan);
  std::optional<Money> network(Bytes per_day);
  std::optional<Money> storage(Bytes stored);
  std::optional<Money> compute(const Decimal& share);
  std::optional<Money> edge(bool computes) const;
  void close_ways();
  void break_even();
  void decide();
  void warn();
  std::string money(Money amount) const {
    return to_string(amount, minor_digits(plan_.currency)) + " " + plan_.currency;
  }

  const EdgeRequest& request_;
  EdgePlan plan_;
  Offer offer_;   // with the user's own prices
  Offer moving_;  // the same without a price of the card: only traffic and storage count
  Diagnostics errors_;
};

// The rules of the offer, with what the user states over them.
std::shared_ptr<const Rules> with_prices(const EdgeRequest& request, const Rules& from) {
  auto rules = std::make_shared<Rules>(from);
  if (request.storage_price) {
    StorageRule rule;
    rule.price = *request.storage_price;
    rules->storage[StorageKind::object] = rule;
  }
  if (request.ingress_price) rules->network.ingress_per_gb = *request.ingress_price;
  if (request.egress_price) {
    rules->network.egress_per_gb = *request.egress_price;
    rules->network.egress_tiers.clear();
  }
  return rules;
}

bool sells_objects(const Offer& offer) {
  const auto rule = offer.rules->storage.find(StorageKind::object);
  return rule != offer.rules->storage.end() && (rule->second.price || !rule->second.tiers.empty());
}

// Only what is moved and stored counts: no price of the card, and no address.
Offer without_card(Offer offer) {
  auto rules = std::make_shared<Rules>(*offer.rules);
  rules->network.ip_per_hour.reset();
  rules->network.ip_per_month.reset();
  offer.rules = std::move(rules);
  offer.price = Prices{};
  offer.price.on_demand = Decimal{};
  offer.components.clear();
  offer.free = true;
  return offer;
}

void Planner::choose_offer() {
  static const Rules kNone;
  const auto take = [&](const Offer* offer) {
    plan_.offer = offer;
    if (offer != nullptr) offer_ = *offer;
    offer_.rules = with_prices(request_, offer_.rules ? *offer_.rules : kNone);
    if (request_.compute_price) {
      offer_.components.clear();
      offer_.price.on_demand = *request_.compute_price;
    }
    moving_ = without_card(offer_);
  };
  if (request_.offer != nullptr || request_.storage_price) return take(request_.offer);
  // Nobody named a cloud: the one that stores this much for the least.
  const Offer* best = nullptr;
  std::optional<Money> least;
  for (const Offer& offer : request_.catalog->offers) {
    if (!offer.rules || !sells_objects(offer)) continue;
    take(&offer);
    const auto cost = storage(Bytes::of(request_.per_day.count()));
    errors_.clear();
    if (!cost || (least && *least <= *cost)) continue;
    least = cost;
    best = &offer;
  }
  take(best);
  if (best != nullptr)
    plan_.warnings.push_back(
        {"cloud_assumed",
         "no --offer: the prices of " + request_.catalog->platforms[best->platform].id +
             " are taken, the cheapest object storage of the catalog",
         best->id});
}

std::optional<Bill> Planner::bill(const Offer& offer, const Job& job, Duration run,
                                  const std::string& plan) {
  auto bill = simulate_bill({.catalog = request_.catalog,
                             .offer = &offer,
                             .job = &job,
                             .run = run,
                             .plan = plan,
                             .currency = plan_.currency,
                             .ledger = false});
  if (bill) return std::move(*bill);
  for (Diagnostic error : bill.errors()) {
    error.hint.clear();
    if (std::ranges::find(errors_, error) == errors_.end()) errors_.push_back(std::move(error));
  }
  return std::nullopt;
}

std::optional<Money> Planner::network(Bytes per_day) {
  Job job;
  job.data.upload = Bytes::of(per_day.count() * kMonthDays);
  job.data.download = Bytes::of(request_.back_per_day.count() * kMonthDays);
  const auto made = bill(moving_, job, Duration{0}, "on_demand");
  const auto priced = [](const Unpriced& missing) { return missing.item != "network"; };
  if (!made || !std::ranges::all_of(made->unpriced, priced)) return std::nullopt;
  return item_of(*made, Item::network);
}

std::optional<Money> Planner::storage(Bytes stored) {
  if (stored.count() == 0) return Money{};
  Job job;
  job.keep.days = month_of(*moving_.rules);
  job.keep.disk = false;
  if (sells_objects(moving_)) {
    job.keep.object = stored;
  } else {
    job.data.disk = stored;
    job.keep.disk = true;
  }
  const auto made = bill(moving_, job, Duration{0}, "on_demand");
  if (!made || !made->unpriced.empty()) return std::nullopt;
  return item_of(*made, Item::storage);
}

// The hours of a day, thirty times; a term is bought for the month.
std::optional<Money> Planner::compute(const Decimal& share) {
  if (!request_.compute_hours) return Money{};
  const Duration day = billing::duration_of(*request_.compute_hours, billing::kHour);
  const auto shared = Duration{share.times(day.count()).value_or(INT64_MAX)};
  if (shared == Duration{0}) return Money{};
  const bool term = request_.plan != "on_demand" && request_.plan != "spot";
  Job job;
  job.machines = (shared.count() - 1) / billing::kDay.count() + 1;
  const auto made = bill(offer_, job, term ? shared * kMonthDays : shared, request_.plan);
  if (!made || !made->complete) return std::nullopt;
  const Money once = item_of(*made, Item::compute) + item_of(*made, Item::startup);
  return term ? once : Money::nanos(once.nanos() * kMonthDays);
}

std::optional<Money> Planner::edge(bool computes) const {
  if (!request_.edge_cost) return std::nullopt;
  // All the computing at the edge takes hardware for it, when there is any to do.
  if (computes || !request_.compute_hours) return *request_.edge_cost;
  if (!request_.edge_compute_cost) return std::nullopt;
  return *request_.edge_cost + *request_.edge_compute_cost;
}

EdgeBill Planner::way(Bytes per_day, const Decimal& share, bool computes, bool at_the_edge) {
  EdgeBill bill;
  bill.upload = Bytes::of(per_day.count() * kMonthDays);
  bill.stored = part(per_day, request_.retention_days);
  bill.network = network(per_day);
  bill.storage = storage(bill.stored);
  bill.compute = computes ? compute(share) : Money{};
  bill.edge = at_the_edge ? edge(computes) : Money{};
  if (bill.network && bill.storage && bill.compute && bill.edge)
    bill.total = *bill.network + *bill.storage + *bill.compute + *bill.edge;
  return bill;
}

std::string mbps(double bits) {
  return Decimal::of(static_cast<std::int64_t>(bits / 1e5 + 0.5), 1).to_string() + " Mbps";
}

// What closes a way, whatever it costs.
void Planner::close_ways() {
  const auto close = [&](const std::string& reason, bool two_stage) {
    if (plan_.cloud_only.excluded.empty()) plan_.cloud_only.excluded = reason;
    if (two_stage && plan_.two_stage.excluded.empty()) plan_.two_stage.excluded = reason;
  };
  if (request_.private_data) {
    close("privacy", false);
    plan_.why.push_back("privacy: raw data may not leave the site, what pre-processing leaves may");
  }
  if (request_.latency_ms && *request_.latency_ms < request_.round_trip_ms) {
    close("latency", false);
    plan_.why.push_back("latency: an answer is wanted within " + request_.latency_ms->to_string() +
                        " ms, and the way to the cloud and back alone takes " +
                        request_.round_trip_ms.to_string() + " ms: it has to be given at the edge");
  }
  if (!request_.line) return;
  const auto line = static_cast<double>(bits_per_second(*request_.line));
  const double kept = plan_.line_needed * request_.keep_share.approximate();
  const std::string need = "volume: " + show_bytes(request_.per_day) + " a day need " +
                           mbps(plan_.line_needed) + " day and night, the line has " + mbps(line);
  if (plan_.line_needed > line) close("volume", kept > line);
  if (kept > line && plan_.edge_first.excluded.empty()) plan_.edge_first.excluded = "volume";
  plan_.why.push_back(need + (plan_.line_needed <= line ? ": enough"
                              : kept > line             ? ": not enough for the kept share either"
                                                        : ": enough for the kept share only"));
}

// How dear the edge may be before sending all of it is cheaper.
void Planner::break_even() {
  const EdgeBill& raw = plan_.cloud_only;
  const EdgeBill& kept = plan_.two_stage;
  if (!raw.total || !kept.network || !kept.storage || !kept.compute) return;
  const Money rest = *kept.network + *kept.storage + *kept.compute;
  plan_.edge_cost_break_even = *raw.total > rest ? *raw.total - rest : Money{};
}

void Planner::decide() {
  struct Way {
    std::string_view name;
    const EdgeBill* bill;
  };
  // Of equal ones the simplest: without computing in the cloud both ways with an edge are the same.
  const std::array ways{Way{"cloud", &plan_.cloud_only}, Way{"edge", &plan_.edge_first},
                        Way{"two-stage", &plan_.two_stage}};
  std::vector<Way> open;
  for (const Way& one : ways)
    if (one.bill->excluded.empty()) open.push_back(one);
  if (open.empty()) {
    plan_.why.push_back("no way is open: keep less, or get a faster line");
    return;
  }
  const Way* best = nullptr;
  for (const Way& one : open)
    if (one.bill->total && (best == nullptr || *one.bill->total < *best->bill->total)) best = &one;
  // Without figures only what is closed decides.
  if (best == nullptr && !plan_.cloud_only.excluded.empty())
    best = open.size() > 1 && request_.compute_hours ? &open.back() : &open.front();
  if (best == nullptr) {
    plan_.why.push_back("no way has all its prices: nothing can be compared");
    return;
  }
  if (best->name == "cloud" && !request_.edge_cost && open.size() > 1) {
    if (plan_.edge_cost_break_even)
      plan_.why.push_back("cost: hardware at the edge pays below " +
                          money(*plan_.edge_cost_break_even) +
                          " a month; what it costs is not said");
    return;
  }
  plan_.verdict = best->name;
  for (const Way& one : open) {
    if (!one.bill->total || !best->bill->total || *one.bill->total == *best->bill->total) continue;
    plan_.why.push_back("cost: " + std::string(best->name) + " takes " +
                        money(*best->bill->total) + " a month, " + std::string(one.name) + " " +
                        money(*one.bill->total));
  }
  if (best->name == "cloud" && plan_.edge_cost_break_even && request_.edge_cost)
    plan_.why.push_back("cost: hardware at the edge pays below " +
                        money(*plan_.edge_cost_break_even) + " a month");
  if (best->name != "cloud")
    plan_.why.push_back("volume: pre-processing leaves " + percent(request_.keep_share) + ", " +
                        show_bytes(best->bill->upload) + " a month instead of " +
                        show_bytes(plan_.cloud_only.upload));
}

void Planner::warn() {
  Warnings& warnings = plan_.warnings;
  if (!request_.edge_cost)
    warnings.push_back({"edge_cost_unknown",
                        "what the hardware at the edge costs a month is not said (--edge-cost): the "
                        "ways with an edge have no total",
                        "edge_cost"});
  else if (request_.compute_hours && !request_.edge_compute_cost)
    warnings.push_back({"edge_compute_cost_unknown",
                        "what hardware that does all the computing at the edge costs a month is "
                        "not said (--edge-compute-cost): edge-first has no total",
                        "edge_compute_cost"});
  if (!plan_.cloud_only.storage)
    warnings.push_back({"storage_price_unknown",
                        "no price of storage is stated: --storage-price says it", "storage"});
  if (!plan_.cloud_only.network)
    warnings.push_back({"traffic_price_unknown",
                        "no price of traffic is stated: --ingress-price and --egress-price say it",
                        "network"});
  if (plan_.offer != nullptr) {
    const Platform& platform = request_.catalog->platforms[plan_.offer->platform];
    if (platform.tax_percent && !platform.tax_percent->is_zero())
      warnings.push_back({"tax_left_out",
                          "taxes of " + platform.tax_percent->to_string() +
                              " % are not in these amounts",
                          platform.id});
  }
}

}  // namespace

Result<EdgePlan> plan_edge(const EdgeRequest& request) { return Planner(request).run(); }

}  // namespace gpuplan
