#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpuplan/catalog.hpp"
#include "gpuplan/render.hpp"

namespace gpuplan {

// Parts that pages have in common; each is empty when there is nothing to say.
// The title, and below it what was asked.
std::string html_head(std::string_view title, std::string_view asked);
std::string html_decision(std::string_view text);
std::string html_gates(std::span<const Gate> gates, std::string_view currency);
std::string html_list(std::string_view title, const std::vector<std::string>& lines);
std::string html_warnings(const Warnings& warnings);
std::string html_catalog(const Catalog& catalog);
// The `inputs` of a JSON document, with all defaults, as a list.
std::string html_inputs(std::string_view document);
// The same options for a part that stands on a page as plain text.
RenderOptions plain_options(const RenderOptions& options);

}  // namespace gpuplan
