#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "spec/files/tensors.hpp"

namespace gpuplan::files {

// What a tensor's name says, in the scheme of Hugging Face's libraries or of GGUF.
struct TensorName {
  TensorKind kind = TensorKind::other;
  bool buffer = false;                // computed anew by every engine: rotary tables, masks
  bool prediction = false;            // of an extra layer that predicts further tokens, by its name
  std::optional<std::int64_t> layer;  // of the language model
  // The part in GGUF's words, without layer and expert: "attn_q.weight". Empty when neither scheme
  // names it.
  std::string role;
};
TensorName name_tensor(const Tensor& tensor);

// All tensors with one role: the sides of the first, and where they stand.
struct Role {
  std::int64_t rows = 0, columns = 0, depth = 1;  // of one layer; a vector has one row
  std::int64_t elements = 0;                      // of one tensor
  std::int64_t tensors = 0;
  bool dense = true;  // stored number by number: its sides are those of the matrix
  std::set<std::int64_t> layers;
};
class Roles {
 public:
  void add(const Tensor& tensor, const TensorName& name, bool dense);
  // Null when no tensor has it, or when its sides say nothing because it is packed.
  const Role* find(std::string_view role) const;
  bool has(std::string_view role) const { return roles_.contains(role); }
  // Roles that begin and end so.
  std::vector<std::string_view> like(std::string_view begin, std::string_view end) const;
  // Layers that hold at least one of these roles.
  std::set<std::int64_t> layers_with(std::initializer_list<std::string_view> roles) const;
  std::set<std::int64_t> layers_with_prefix(std::string_view prefix) const;
  std::int64_t layers() const { return layers_; }

 private:
  std::map<std::string, Role, std::less<>> roles_;
  std::int64_t layers_ = 0;
};

}  // namespace gpuplan::files
