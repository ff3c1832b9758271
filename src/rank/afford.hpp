#pragma once

#include "rank/pricing.hpp"

namespace gpuplan::detail {

// A budget and no work: the question is how much work the money does.
bool asks_what_a_budget_buys(const Job& job);

// The longest run, in whole minutes, whose bill keeps within the budget, with that bill. Reasons
// when not even a minute does.
Priced afford(const Candidate& candidate, const Ranking& ranking, const RankOptions& options,
              Pricer& pricer);

}  // namespace gpuplan::detail
