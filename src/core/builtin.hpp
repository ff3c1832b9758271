#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace gpuplan {

// The files of data/, as they were when the program was built. Nothing is parsed here.
std::string_view builtin_cards();
std::string_view builtin_models();
std::string_view builtin_catalog();
std::string_view builtin_compat();

// JSON Schema (draft 7) of a document or answer: "catalog", "compare"; nothing for another name.
std::optional<std::string_view> builtin_schema(std::string_view name);
std::span<const std::string_view> builtin_schema_names();

}  // namespace gpuplan
