#pragma once

#include <string>
#include <vector>

#include "gpuplan/models.hpp"
#include "spec/files/gguf.hpp"
#include "spec/files/stored.hpp"

namespace gpuplan::files {

// What the sides of the tensors say of a shape, whatever their names' scheme: widths, vocabulary,
// layers, feed-forward part, experts, biases and norms. The heads are left to the callers.
void read_roles(const Roles& roles, ModelShape& shape);
// Layers whose tensors are those of recurrence, attention and feed-forward, where a layer has not
// all of them.
void read_layer_kinds(const Roles& roles, ModelShape& shape);

// The shape that tensors alone lead to, or nothing when their names or sides are not understood;
// what is assumed is told in `filled_in`.
std::optional<ModelShape> shape_of_tensors(const NamedTensors& named);

// The shape that the metadata of a GGUF file and its tensors describe; a model of its size when
// there is no language model in it. Errors: figures that are missing, impossible or contradict.
Result<ModelShape> shape_of_gguf(const GgufFile& file, const NamedTensors& named,
                                 const std::string& source, Warnings& warnings);

}  // namespace gpuplan::files
