#pragma once

#include "memory/job.hpp"

namespace gpuplan::detail {

// Feature maps that the backward pass of a UNet or a convolutional image model needs.
Term image_activations(const MemoryJob& job);

// The feature maps that are alive at once in a forward pass.
Term image_forward(const MemoryJob& job);

// LoRA parameters of a UNet's transformers for each unit of rank: in + out of the projections.
double unet_adapter_widths(const ModelShape& model);

}  // namespace gpuplan::detail
