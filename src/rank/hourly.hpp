#pragma once

#include "gpuplan/rank.hpp"

namespace gpuplan::detail {

// What an hour of all its machines costs while they run, before discounts and tax; of a prepaid term
// its price spread over its hours. Of several prices the dearest.
Money hourly_price(const RankedOffer& ranked, const Ranking& ranking);
// The cap on it that holds for a plan: its own, else that of all plans.
std::optional<Money> hourly_cap(const RankOptions& options, const std::string& plan);

}  // namespace gpuplan::detail
