#pragma once

#include "gpuplan/models.hpp"
#include "spec/files/tensor_names.hpp"

namespace gpuplan::files {

// How the numbers of a tensor are packed.
struct Packing {
  std::int64_t element_bits = 1, weight_bits = 1;
  Precision precision = Precision::bf16;
  bool known = false;  // false: the element is the number
  std::int64_t weights(std::int64_t elements) const {
    return elements * element_bits / weight_bits;
  }
};

// The tensors of a model with what their names say.
struct NamedTensors {
  Tensors tensors;
  std::vector<TensorName> names;
  std::vector<Packing> packing;
  Roles roles;
};
// `bits`: of a packed integer, from the configuration; 4 when it does not say.
NamedTensors name_tensors(Tensors tensors, std::int64_t bits = 4);

// Sums by kind and type, without the comparison with a shape.
StoredWeights sum_tensors(const NamedTensors& named, std::string format, std::int64_t files);

// What the files hold more or less than the shape counts, and why; what no rule explains is said to
// be unexplained.
void explain_differences(const NamedTensors& named, const ModelShape& shape, StoredWeights& stored);

// The precision that names best what most weights are stored in.
void name_precision(const NamedTensors& named, StoredWeights& stored);
// The same of a GGUF file, which has a number for it.
void name_gguf_precision(std::optional<std::int64_t> file_type, StoredWeights& stored);

}  // namespace gpuplan::files
