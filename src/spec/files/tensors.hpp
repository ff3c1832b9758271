#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpuplan/model_files.hpp"
#include "gpuplan/result.hpp"

namespace gpuplan::files {

// One file as its readers see it.
struct ByteSource {
  std::string name;  // for messages
  std::int64_t bytes = 0;
  std::function<Result<std::string>(std::int64_t offset, std::int64_t count)> read;
};
ByteSource source_of(const std::string& path, std::int64_t bytes, const FileAccess& files);

// One tensor as a header lists it; a shape has its rows first, as in PyTorch.
struct Tensor {
  std::string name;
  std::string_view type;  // of a table: it outlives the tensor
  std::vector<std::int64_t> shape;
  std::int64_t elements = 0;
  std::int64_t bytes = 0;
};
using Tensors = std::vector<Tensor>;

// Far above any tensor; the product of two such figures still is a number.
constexpr std::int64_t kMostElements = std::int64_t{1} << 60;
// The product of the sides, or nothing when it is above kMostElements.
std::optional<std::int64_t> elements_of(const std::vector<std::int64_t>& shape);
std::string show_shape(const std::vector<std::int64_t>& shape);

// A file that is larger than this is none of a model: 35 TB.
constexpr std::int64_t kMostFileBytes = std::int64_t{1} << 45;
// Nothing when the size is possible.
std::optional<Diagnostic> impossible_size(const ByteSource& source);

// Where a tensor's bytes are, from the start of the data.
struct Extent {
  std::int64_t begin = 0, end = 0;
  std::size_t tensor = 0;
};
// Complains of tensors that share bytes.
void check_overlaps(std::vector<Extent> extents, const Tensors& tensors, const std::string& source,
                    Diagnostics& faults);

// A broken header can hold a fault in each of a million tensors: enough is told.
constexpr std::size_t kMostFaults = 20;
inline bool enough(const Diagnostics& faults) { return faults.size() >= kMostFaults; }

// `.safetensors`: the tensors of one file. Checks every length, offset and type before it is used.
Result<Tensors> read_safetensors(const ByteSource& source);

}  // namespace gpuplan::files
