#pragma once

#include "gpuplan/plan.hpp"

namespace gpuplan::detail {

// Seconds that a stated amount of work takes at this speed; nothing where none is stated, or the speed
// is one to rank cards by.
std::optional<double> seconds_at(const Work& work, const ResolvedWorkload& workload, const SpeedEstimate& speed);

}  // namespace gpuplan::detail
