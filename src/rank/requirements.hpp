#pragma once

#include <vector>

#include "gpuplan/rank.hpp"

namespace gpuplan::detail {

// Faults of what `require` asks for: keys that no offer can have, values of the wrong kind.
Diagnostics check_requirements(const Job& job);

// What is asked for and not stated by the offer; what nobody says is no yes. `card` may be null.
void add_missing(const Offer& offer, const Card* card, const Job& job, const CompatTable* compat,
                 std::vector<Reason>& reasons);

}  // namespace gpuplan::detail
