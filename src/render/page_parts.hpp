#pragma once

#include <string>
#include <string_view>

#include "gpuplan/catalog.hpp"
#include "gpuplan/render.hpp"

namespace gpuplan {

// Parts that pages have in common; each is empty when there is nothing to say.
std::string html_warnings(const Warnings& warnings);
std::string html_catalog(const Catalog& catalog);
// The `inputs` of a JSON document, with all defaults, as a list.
std::string html_inputs(std::string_view document);
// The same options for a part that stands on a page as plain text.
RenderOptions plain_options(const RenderOptions& options);

}  // namespace gpuplan
