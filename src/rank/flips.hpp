#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rank/pricing.hpp"

namespace gpuplan::detail {

// One that may come first when an input changes, with what its bill is at least as things are.
struct Contender {
  const Candidate* candidate = nullptr;
  Money total;
  Money undisturbed;  // without work done again, which shrinks faster than the work; else the total
};

// Who is first with the setting of `pricer`, of those that may be recommended. `leave_out` says of one
// whose bill is known to be above the best so far; plans by chance are held against their floors, the
// lowest first, since a bill of many runs takes long.
std::optional<RankedOffer> first_of(Pricer& pricer, const std::vector<Contender>& contenders,
                                    const std::function<bool(const Contender&, Money best)>& leave_out);

// "acme L40S x1, spot wins with 5.10 USD".
std::string wins_with(const RankedOffer& winner, const Ranking& ranking);
// The same for rankings that are not by cost: of prices only. All that passed must be in the ranking.
void find_score_flips(Ranking& ranking, const RankOptions& options);
// How often spot machines are taken back, and what that would change: puts such flips behind those
// that are there. `contenders` as below.
void find_reclaim_flips(Ranking& ranking, const std::vector<Contender>& contenders,
                        const RankOptions& options);

// The nearest changes of work, upload and prices with which another offer is first, put into
// `ranking.flips`. For rankings with a primary. `contenders` must hold whoever can be first:
// of offers that differ only in price, the cheapest.
void find_flips(Ranking& ranking, std::vector<Contender> contenders, const RankOptions& options);

}  // namespace gpuplan::detail
