#pragma once

#include "memory/job.hpp"

namespace gpuplan::detail {

// Exact bytes that one more token of one sequence takes on one GPU, while no window is full.
std::int64_t kv_bytes_per_token(const MemoryJob& job);

// Cache of one sequence with that many tokens, on one GPU; recurrent states included.
double kv_of_sequence(const MemoryJob& job, double tokens);

// The cache when layers with a window keep every token all the same: the upper bound.
double kv_without_windows(const MemoryJob& job);

// The whole cache of the job.
Term kv_cache(const MemoryJob& job);

}  // namespace gpuplan::detail
