#include "rank/gates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

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
std::string text_of(int days) { return std::to_string(days); }

}  // namespace

void BestValues::see(const RankedOffer& offer) {
  keep_least(total, offer.bill.total);
  keep_least(wall, sure_wall(offer));
  if (offer.unit_cost) keep_least(unit_cost, offer.unit_cost->amount);
}

void report_gates(Ranking& ranking, const BestValues& best, const RankOptions& options) {
  const Job& job = ranking.job;
  const bool any = ranking.ranked_total > 0;
  const auto gate = [&](std::string_view name, const auto& limit, const auto& value) {
    if (limit)
      ranking.gates.push_back({.name = std::string(name),
                               .limit = text_of(*limit),
                               .value = value ? text_of(*value) : std::string{},
                               .passed = any || (value && *value <= *limit)});
  };
  gate("budget", job.budget, best.total);
  gate("deadline", job.deadline, best.wall);
  gate("max_unit_cost", job.max_unit_cost, best.unit_cost);
  gate("max_age", options.max_age_days, best.age_days);
  // Each was met by somebody, all of them by nobody.
  if (!any && std::ranges::all_of(ranking.gates, &Gate::passed))
    for (Gate& one : ranking.gates) one.passed = false;
}

}  // namespace gpuplan::detail
