#pragma once

#include <string>
#include <string_view>

#include "gpuplan/render.hpp"

namespace gpuplan {

// Parts of a Markdown answer, each with an empty line behind it. Titles are English and said in the
// reader's language; so is what was asked, part by part.
std::string markdown_head(std::string_view title, std::string_view asked, const RenderOptions& options);
// The answer in one sentence.
std::string markdown_decision(std::string_view sentence, const RenderOptions& options);
std::string markdown_warnings(const Warnings& warnings, const RenderOptions& options);
// Lines as they are; of any text, also one with fences of its own.
std::string markdown_fence(std::string_view text);
// Folded up until somebody wants it.
std::string markdown_details(std::string_view summary, std::string_view content);
// The whole answer: its last line says what made it.
std::string markdown_page(const Page& page, std::string_view body);

}  // namespace gpuplan
