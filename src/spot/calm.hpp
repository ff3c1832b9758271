#pragma once

#include "spot/ticks.hpp"

namespace gpuplan::spot {

// At how many of the next `most` ticks `choice`, made now without a change of machine, is surely made
// again, if spot stays there, or away, all that time. A bound: it may be more.
std::int64_t calm_ticks(const TickJob& job, const Policy& policy, const TickState& state, Choice choice,
                        std::int64_t most);

}  // namespace gpuplan::spot
