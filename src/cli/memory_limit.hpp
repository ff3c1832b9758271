#pragma once

#include "gpuplan/result.hpp"

namespace gpuplan::cli {

// Inputs that are too large shall end in an error, not in a machine that swaps or kills others: the
// program takes three quarters of the machine's memory at most, or what `ulimit` leaves.
void limit_memory();
// What the user is told when that was not enough.
Diagnostic out_of_memory();

}  // namespace gpuplan::cli
