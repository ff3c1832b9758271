#pragma once

#include "gpuplan/result.hpp"
#include "gpuplan/speed.hpp"

namespace gpuplan::detail {

// Double precision, rendering, transcoding: what a card gives of the unit that decides. An error
// says what the card has not got.
bool is_plain_task(Mode mode);
Result<SpeedEstimate> task_speed(const ResolvedWorkload& workload, const Card& card);

// "4.85 TFLOP/s (double-precision)" of 4.85e12 "double-precision FLOP/s", "2 encoder engines": what
// tasks are counted in, for people.
std::string show_task(double amount, std::string_view unit);

}  // namespace gpuplan::detail
