#pragma once

#include "gpuplan/rank.hpp"
#include "rank/usual.hpp"

namespace gpuplan::detail {

// What the reader should know about a row of the ranking before the offer is taken, each with its
// number: added to the warnings that memory, speed and bill gave.
void watch(RankedOffer& offer, const Ranking& ranking, const RankOptions& options, const UsualPrices& usual);

}  // namespace gpuplan::detail
