#pragma once

#include <optional>

#include "gpuplan/rank.hpp"

namespace gpuplan::detail {

// The best that any bill reaches, whether or not it passes the gates.
struct BestValues {
  std::optional<Money> total, unit_cost;
  std::optional<Duration> wall;
  std::optional<int> age_days;
  void see(const RankedOffer& offer);
};

// All gates pass when at least one offer is left; else each for which somebody is within its limit.
void report_gates(Ranking& ranking, const BestValues& best, const RankOptions& options);

}  // namespace gpuplan::detail
