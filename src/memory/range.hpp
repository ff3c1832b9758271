#pragma once

#include "memory/job.hpp"

namespace gpuplan::detail {

// The interval that 80 % of measurements of like jobs fall into, around the estimate.
MemoryRange range_of(const MemoryJob& job, Bytes total);

}  // namespace gpuplan::detail
