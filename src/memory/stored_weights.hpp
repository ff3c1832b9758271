#pragma once

#include "memory/job.hpp"

namespace gpuplan::detail {

// Bits that a parameter of each class takes. `linear`: matrices of attention and feed-forward
// blocks; `rest`: router, norms, scales, vision and what has no class.
struct ClassBits {
  double linear = 16, experts = 16, embedding = 16, head = 16, rest = 16;
};

// Whether the weights are loaded just as the model's files hold them.
bool uses_stored(const MemoryJob& job);
// The bits with which the classes add up to the bytes that an engine keeps of the files.
ClassBits stored_bits(const MemoryJob& job);
// "0.98 GiB of attention, ..." for --explain.
std::string stored_text(const StoredWeights& stored);

}  // namespace gpuplan::detail
