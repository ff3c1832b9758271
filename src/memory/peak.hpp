#pragma once

#include <vector>

#include "memory/activations.hpp"
#include "memory/job.hpp"
#include "memory/serving.hpp"
#include "memory/states.hpp"

namespace gpuplan::detail {

// Every part of one GPU, before they are put together.
struct Parts {
  Term weights, gathered, gradients, optimizer, update, unpacked, kv, framework;
  AdapterStates adapter;
  Activations activations;
  ServingNeeds serving;
  double saving = 0;
};
Parts parts_of(const MemoryJob& job);

// What is alive at one moment. A peak is the largest of them, never the sum of all parts.
struct Moment {
  PeakMoment moment;
  double bytes;
};
std::vector<Moment> moments_of(const MemoryJob& job, const Parts& parts);

// The breakdown of one GPU, and the moment that decides it.
struct Totals {
  Parts parts;
  std::vector<Moment> moments;
  Moment worst{PeakMoment::decode, 0};
  Term reserved;
  MemoryBreakdown per_gpu;
};
Totals totals_of(const MemoryJob& job);

// What the allocator holds when `allocated` is alive at the worst moment.
Term reserved_memory(const MemoryJob& job, const Parts& parts, double allocated);

}  // namespace gpuplan::detail
