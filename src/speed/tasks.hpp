#pragma once

#include "gpuplan/result.hpp"
#include "gpuplan/speed.hpp"

namespace gpuplan::detail {

// Double precision, rendering, transcoding: what a card gives of the unit that decides. An error
// says what the card has not got.
bool is_plain_task(Mode mode);
Result<SpeedEstimate> task_speed(const ResolvedWorkload& workload, const Card& card);

}  // namespace gpuplan::detail
