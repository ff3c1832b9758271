#pragma once

#include <map>
#include <optional>
#include <string>

#include "gpuplan/rank.hpp"

namespace gpuplan::detail {

// The best that any bill reaches, whether or not it passes the gates.
struct BestValues {
  std::optional<Money> total, unit_cost;
  std::optional<Duration> wall;
  std::optional<int> age_days;
  std::map<std::string, Money> hourly;  // by the key of the cap
  void see(const RankedOffer& offer, const Ranking& ranking, const RankOptions& options);
};

// Of all offers, and of those that may be recommended.
struct SeenValues {
  BestValues any, sound;
  void see(const RankedOffer& offer, const Ranking& ranking, const RankOptions& options);
};

// All gates pass when an offer is recommended; else each for which one that may be is within its limit.
void report_gates(Ranking& ranking, const SeenValues& seen, const RankOptions& options);

}  // namespace gpuplan::detail
