#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gpuplan/model_files.hpp"
#include "spec/files/gguf.hpp"
#include "spec/files/stored.hpp"
#include "spec/files/weight_index.hpp"

namespace gpuplan::files {

// What was found of a model's weights: its tensors, or only how many bytes they take.
struct FoundWeights {
  std::optional<Tensors> tensors;
  std::int64_t total_bytes = 0;
  std::int64_t files = 0;
  std::int64_t packed_bits = 4;
};

// "model-00002-of-00004.safetensors" stands for all four.
std::vector<std::string> shards_of(const std::string& path);
bool first_of_its_parts(std::string_view name);

Result<FoundWeights> weights_of_files(const std::vector<std::string>& paths,
                                      const FileAccess& files);
// With the files beside the index, their tensors; without, the total that it states.
Result<FoundWeights> weights_of_index(const std::string& path, const std::string& text,
                                      const FileAccess& files, Warnings& warnings);

// The shape with what its files hold. Without a shape it is inferred from the tensors; where that
// cannot be, a model of their size is taken, with a warning.
Result<ModelShape> join_weights(std::optional<ModelShape> shape, FoundWeights weights,
                                const std::string& source, Warnings& warnings);

Result<ModelShape> read_gguf_model(const std::string& path, const FileAccess& files,
                                   Warnings& warnings);

}  // namespace gpuplan::files
