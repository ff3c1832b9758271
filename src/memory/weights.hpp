#pragma once

#include "memory/job.hpp"

namespace gpuplan::detail {

// Parameters and bytes of one GPU's slice of the model (its tensor and pipeline part), before any
// sharding over data-parallel ranks.
struct WeightSlice {
  double parameters = 0;
  double stored = 0;        // bytes in the format that they are kept in
  double blocks = 0;        // of them, transformer layers
  double root_parameters = 0;  // embedding and head
  double layer = 0;         // bytes of one layer as stored
  double layer_parameters = 0;
};
WeightSlice weight_slice(const MemoryJob& job);

// Bits of a weight of a linear layer inside a block.
double linear_bits(const MemoryJob& job);

// What a GPU keeps all the time: its slice, or its share of it when weights are sharded.
Term own_weights(const MemoryJob& job);

// Parts of other ranks' weights that are gathered for a while (FSDP, ZeRO-3).
Term gathered_weights(const MemoryJob& job);

}  // namespace gpuplan::detail
