#pragma once

#include "memory/job.hpp"

namespace gpuplan::detail {

// LoRA parameters of one GPU: rank x (in + out) for each adapted matrix.
double adapter_parameters(const MemoryJob& job);

// Adapter weights, their gradients and their optimizer states.
struct AdapterStates {
  Term weights;
  double gradients = 0;
  double states = 0;
};
AdapterStates adapter_states(const MemoryJob& job);

// Gradients of a trained model as they stand at the end of the backward pass.
Term gradients(const MemoryJob& job);
// Optimizer states and the 32-bit copy, where the optimizer owns one.
Term optimizer_states(const MemoryJob& job);
// Temporary copies during the optimizer step.
Term update_buffers(const MemoryJob& job);
// The full 16-bit weights that some programs gather to save or evaluate.
double saving_buffers(const MemoryJob& job);

}  // namespace gpuplan::detail
