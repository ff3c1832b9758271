#pragma once

#include <atomic>
#include <cstdint>

namespace gpuplan {

// How far long work has come; written by who works, read by who shows it. `total` 0: not known.
struct Progress {
  std::atomic<std::int64_t> done{0}, total{0};
};

}  // namespace gpuplan
