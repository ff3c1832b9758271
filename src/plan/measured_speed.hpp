#pragma once

#include "gpuplan/plan.hpp"

namespace gpuplan::detail {

// Where a run was measured and the amount of its work is stated too, that run tells how fast the card
// is: every figure of the estimate is moved by the same factor, and a line of --explain says so.
void follow_measured_run(const Job& job, const ResolvedWorkload& workload, std::optional<Duration> work,
                         SpeedEstimate& speed);

}  // namespace gpuplan::detail
