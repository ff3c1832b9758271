#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "gpuplan/result.hpp"

namespace gpuplan::detail {

// A thing that an offer can be required to have, and what its value may be.
struct RequirementKey {
  std::string_view name;
  std::string_view wanted;  // how messages describe a value
  bool (*well_formed)(std::string_view value);
};
std::span<const RequirementKey> requirement_keys();

// What is wrong with KEY=VALUE: a key that no offer can state, a value of the wrong kind. Code, message
// and hint; where it stands is for the caller to say.
std::optional<Diagnostic> wrong_requirement(std::string_view key, std::string_view value);

}  // namespace gpuplan::detail
