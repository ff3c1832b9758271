#pragma once

#include "spot/ticks.hpp"

namespace gpuplan::spot {

// What the policy would do at this tick.
Choice wanted(const TickJob& job, const Policy& policy, const TickState& state);
// The same within what the deadline allows. `last`: what was rented in the last tick.
Choice guarded(const TickJob& job, const Policy& policy, const TickState& state, Choice last,
               Choice choice);
// The machine of one tick, at the prices of the job.
double cost_of_tick(const TickJob& job, Choice choice);

}  // namespace gpuplan::spot
