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
std::string_view builtin_messages_zh();
std::string_view builtin_explain_zh();  // the same in Chinese
std::string_view builtin_explain();  // chapters, each behind a line "## name: title"
std::string_view builtin_starter_job();
std::string_view builtin_starter_catalog();
std::string_view builtin_starter_model();
// What every page of HTML carries: src/render/page_style.css, page_script.js.
std::string_view builtin_page_style();
std::string_view builtin_page_script();

}  // namespace gpuplan
