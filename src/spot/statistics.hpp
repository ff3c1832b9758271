#pragma once

#include <vector>

#include "gpuplan/spot.hpp"

namespace gpuplan::spot {

// What is kept of each run.
struct Outcome {
  Money total = {};
  Duration wall{0};
  bool finished = true;
  bool reclaimed = false;
};

// Spread of cost and time over the runs that finished; no run: all zero.
void spread(const std::vector<Outcome>& runs, Trials& trials);
// The finished run of rank ceil(n/2) by cost, ties by number; -1 when none finished.
std::int64_t median_run(const std::vector<Outcome>& runs);
// Sum over n, to the nearest, half up.
Wide mean_of(Wide sum, std::int64_t n);

}  // namespace gpuplan::spot
