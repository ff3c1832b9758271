#include "rank/gates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "rank/hourly.hpp"
#include "rank/steps.hpp"

namespace gpuplan::detail {
namespace {

template <class Value>
void keep_least(std::optional<Value>& best, const Value& value) {
  if (!best || value < *best) best = value;
}

std::string text_of(Money money) { return to_string(money); }
std::string text_of(Duration time) {
  return fmt::format("{:.9g}", 1e-6 * static_cast<double>(time.count()));
}
constexpr const char* kDoubtful =
    "what is within it cannot be recommended: how often spot machines are taken back, or which card it "
    "is, is not stated";
constexpr const char* kNotTogether = "no offer that can be recommended is within all limits at once";

std::string text_of(int days) { return std::to_string(days); }

}  // namespace

void BestValues::see(const RankedOffer& offer, const Ranking& ranking, const RankOptions& options) {
  keep_least(total, offer.bill.total);
  keep_least(wall, sure_wall(offer));
  if (offer.unit_cost) keep_least(unit_cost, offer.unit_cost->amount);
  if (hourly_cap(options, offer.plan)) {
    const std::string key = options.max_hourly.contains(offer.plan) ? offer.plan : std::string{};
    const Money price = hourly_price(offer, ranking);
    const auto [known, fresh] = hourly.try_emplace(key, price);
    known->second = std::min(known->second, price);
  }
  if (!options.max_age_days) return;
  if (const auto date = price_date(*offer.offer, *offer.platform, *ranking.catalog))
    keep_least(age_days, days_between(*date, *options.as_of));
}

void SeenValues::see(const RankedOffer& offer, const Ranking& ranking, const RankOptions& options) {
  any.see(offer, ranking, options);
  if (may_be_primary(offer)) sound.see(offer, ranking, options);
}

void report_gates(Ranking& ranking, const SeenValues& seen, const RankOptions& options) {
  const Job& job = ranking.job;
  const bool chosen = ranking.primary.has_value();
  const auto gate = [&](std::string_view name, const auto& limit, const auto& sound, const auto& any) {
    if (!limit) return;
    const auto& value = sound ? sound : any;
    const bool within = value && *value <= *limit;
    Gate& one = ranking.gates.emplace_back();
    one.name = name;
    one.limit = text_of(*limit);
    one.value = value ? text_of(*value) : std::string{};
    one.passed = chosen || (sound && within);
    if (!one.passed && within) one.why = kDoubtful;
  };
  gate("budget", job.budget, seen.sound.total, seen.any.total);
  gate("deadline", job.deadline, seen.sound.wall, seen.any.wall);
  gate("max_unit_cost", job.max_unit_cost, seen.sound.unit_cost, seen.any.unit_cost);
  gate("max_age", options.max_age_days, seen.sound.age_days, seen.any.age_days);
  for (const auto& [plan, cap] : options.max_hourly) {
    const auto of = [&](const BestValues& best) {
      const auto found = best.hourly.find(plan);
      return found == best.hourly.end() ? std::nullopt : std::optional(found->second);
    };
    gate("max_hourly", std::optional(cap), of(seen.sound), of(seen.any));
    if (!plan.empty()) ranking.gates.back().of = plan;
  }
  // Each was met by somebody, all of them by nobody.
  if (chosen || !std::ranges::all_of(ranking.gates, &Gate::passed)) return;
  for (Gate& one : ranking.gates) {
    one.passed = false;
    one.why = ranking.gates.size() > 1 ? kNotTogether : kDoubtful;
  }
}

}  // namespace gpuplan::detail
