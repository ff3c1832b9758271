#pragma once

#include <string_view>

namespace gpuplan {

// Without blanks, tabs and line ends around it.
inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t from = text.find_first_not_of(kBlank);
  if (from == std::string_view::npos) return text.substr(0, 0);
  return text.substr(from, text.find_last_not_of(kBlank) - from + 1);
}

}  // namespace gpuplan
