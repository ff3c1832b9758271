#pragma once

#include <string>
#include <string_view>

namespace gpuplan {

// Text for a page: marks of HTML are escaped, characters that hide or reorder text made visible.
std::string html(std::string_view text);
// The same for what stands between the double quotes of an attribute.
std::string html_attribute(std::string_view text);
std::string html_paragraph(std::string_view text);
std::string html_preformatted(std::string_view text);
std::string html_section(std::string_view title);

}  // namespace gpuplan
