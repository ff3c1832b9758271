#pragma once

#include "spot/numbers.hpp"
#include "spot/ticks.hpp"

namespace gpuplan::spot {

// The replay of a job by ticks, as far as the job and the rules of its offer say it.
TickJob tick_job(const billing::Setup& setup, Duration gap);
// What it becomes on the time line that is billed: whole ticks of each machine.
billing::Line tick_line(const billing::Setup& setup, const TickJob& job, const TickRun& run,
                        billing::Notes& notes);

// Ticks at which spot is there: from a trace, or from lives with waits between them.
Presence recorded(const Availability& trace, std::int64_t start);
Presence drawn(const billing::Setup& setup, billing::Lives& lives, Duration gap);
// There in this share of the ticks, each for itself.
Presence by_chance(double share, const Stream& stream);

}  // namespace gpuplan::spot
