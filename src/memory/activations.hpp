#pragma once

#include "memory/job.hpp"

namespace gpuplan::detail {

// Bytes that the backward pass needs of one token in one layer.
double layer_bytes_per_token(const MemoryJob& job);

struct Activations {
  Term saved;          // alive at the start of the backward pass: everything, or checkpoints
  double working = 0;  // one layer at work in the backward pass (recomputed, with its gradients)
  Term logits;         // output layer and loss
  double head_gradient = 0;  // of a trained head with a chunked loss
};
Activations activations(const MemoryJob& job);

}  // namespace gpuplan::detail
