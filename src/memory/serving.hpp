#pragma once

#include "memory/job.hpp"

namespace gpuplan::detail {

// What inference needs beside weights and cache.
struct ServingNeeds {
  Term activations;  // the forward pass of the longest prompt or the engine's profile run
  Term logits;       // output layer and sampler
  Term workspace;    // unpacked matrices, compute graphs
  double graphs = 0; // CUDA graph pool: reserved, not counted by the engine
  bool together = false;  // activations and logits are alive at the same time
  PeakMoment moment = PeakMoment::decode;
};
ServingNeeds serving_needs(const MemoryJob& job);

// A 16-bit copy of the largest packed matrix, made where kernels cannot multiply packed weights.
Term unpacked_matrix(const MemoryJob& job);

// Memory outside the allocator: context, kernels, communication buffers.
Term framework_memory(const MemoryJob& job);

}  // namespace gpuplan::detail
