#pragma once

#include <string>
#include <vector>

#include "rank/pricing.hpp"

namespace gpuplan::detail {

// One that may come first when an input changes, with its bill as things are.
struct Contender {
  const Candidate* candidate = nullptr;
  Money total;
};

// "acme L40S x1, spot wins with 5.10 USD".
std::string wins_with(const RankedOffer& winner, const Ranking& ranking);
// How often spot machines are taken back, and what that would change: puts such flips behind those
// that are there. `contenders` as below.
void find_reclaim_flips(Ranking& ranking, const std::vector<Contender>& contenders,
                        const RankOptions& options);

// The nearest changes of work, upload and prices with which another offer is first, put into
// `ranking.flips`. For rankings by cost with a primary. `contenders` must hold whoever can be first:
// of offers that differ only in price, the cheapest.
void find_flips(Ranking& ranking, std::vector<Contender> contenders, const RankOptions& options);

}  // namespace gpuplan::detail
