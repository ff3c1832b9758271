#include "spec/files/stored.hpp"

#include <algorithm>
#include <array>
#include <unordered_set>

namespace gpuplan {

std::string_view name_of(TensorKind kind) {
  constexpr std::array<std::string_view, 10> kNames{"embedding", "head",   "attention", "mlp",
                                                    "experts",   "router", "norms",     "vision",
                                                    "scales",    "other"};
  return kNames[static_cast<std::size_t>(kind)];
}

namespace files {
namespace {

constexpr std::size_t kKinds = static_cast<std::size_t>(TensorKind::other) + 1;

using Names = std::unordered_set<std::string_view>;

bool has_beside(const Names& names, std::string_view tensor, std::string_view ending) {
  return names.contains(std::string(tensor) + std::string(ending));
}
std::string_view without(std::string_view text, std::string_view ending) {
  if (text.ends_with(ending)) text.remove_suffix(ending.size());
  return text;
}

Precision integer_precision(std::int64_t bits) {
  return bits > 4 ? Precision::int8 : Precision::int4;
}

// Formats below 8 bits put several weights into one element; what lies beside the tensor tells
// which.
Packing packing_of(const Tensor& tensor, const Names& names, std::int64_t bits) {
  const std::string_view name = tensor.name, type = tensor.type;
  const std::string_view stem = without(name, ".weight");
  const bool byte = type == "U8" || type == "I8";
  if (name.ends_with(".qweight") || (name.ends_with(".weight_packed") && type == "I32"))
    return {32, bits, integer_precision(bits), true};
  if (name.ends_with(".weight_packed") && byte) return {8, 4, Precision::fp4, true};
  if (!byte) return {};
  if (has_beside(names, name, ".absmax"))
    return {8, 4, has_beside(names, name, ".nested_absmax") ? Precision::nf4dq : Precision::nf4,
            true};
  if (has_beside(names, stem, ".weight_scale_2")) return {8, 4, Precision::fp4, true};
  if (name.ends_with("_blocks") && has_beside(names, without(name, "_blocks"), "_scales"))
    return {8, 4, Precision::mxfp4, true};
  if (type == "I8" && has_beside(names, stem, ".scale")) return {8, 4, Precision::mxfp4, true};
  return {};
}

}  // namespace

NamedTensors name_tensors(Tensors tensors, std::int64_t bits) {
  NamedTensors named;
  named.tensors = std::move(tensors);
  Names names;
  for (const Tensor& tensor : named.tensors) names.insert(tensor.name);
  for (const Tensor& tensor : named.tensors) {
    TensorName name = name_tensor(tensor);
    const Packing packing =
        name.kind == TensorKind::scales ? Packing{} : packing_of(tensor, names, bits);
    named.roles.add(tensor, name, !packing.known);
    named.names.push_back(std::move(name));
    named.packing.push_back(packing);
  }
  return named;
}

StoredWeights sum_tensors(const NamedTensors& named, std::string format, std::int64_t files) {
  StoredWeights stored;
  stored.format = std::move(format);
  stored.files = files;
  std::array<StoredKind, kKinds> kinds;
  std::map<std::string_view, StoredType> types;
  for (std::size_t i = 0; i < named.tensors.size(); ++i) {
    const Tensor& tensor = named.tensors[i];
    StoredKind& kind = kinds[static_cast<std::size_t>(named.names[i].kind)];
    StoredType& type = types[tensor.type];
    ++stored.tensors, ++kind.tensors, ++type.tensors;
    stored.elements += tensor.elements;
    kind.elements += tensor.elements;
    type.elements += tensor.elements;
    stored.bytes += Bytes::of(tensor.bytes);
    kind.bytes += Bytes::of(tensor.bytes);
    type.bytes += Bytes::of(tensor.bytes);
  }
  for (std::size_t i = 0; i < kKinds; ++i) {
    kinds[i].kind = static_cast<TensorKind>(i);
    if (kinds[i].tensors > 0) stored.by_kind.push_back(kinds[i]);
  }
  for (auto& [name, type] : types) {
    type.type = name;
    stored.by_type.push_back(type);
  }
  stored.parameters = stored.elements;
  return stored;
}

}  // namespace files
}  // namespace gpuplan
