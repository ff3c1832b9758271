#pragma once

#include "spec/files/tensors.hpp"

namespace gpuplan::files {

// `model.safetensors.index.json`: which file holds which tensor.
struct WeightIndex {
  std::optional<std::int64_t> total_bytes;
  std::vector<std::string> files;  // sorted, each once: plain names beside the index
  struct Entry {
    std::string tensor;
    std::size_t file;
  };
  std::vector<Entry> entries;
};
bool looks_like_index(std::string_view text);
Result<WeightIndex> read_weight_index(std::string_view text, const std::string& source);

// The tensors of several files as one model. Complains of tensors that stand twice, and, with an
// index, of those that are not where it says.
Result<Tensors> read_shards(const std::vector<std::string>& paths, const FileAccess& files);
void check_against_index(const WeightIndex& index, const std::string& source,
                         const Tensors& tensors, Diagnostics& faults);

}  // namespace gpuplan::files
