#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpuplan/environment.hpp"

namespace gpuplan::detail {

// The parts of a paste. Each has as many lines as the whole, so that faults have the right number.
struct PasteParts {
  std::string table, list, xml, csv;
  std::vector<std::string> rest;  // all other lines
};
PasteParts split_paste(std::string_view text, std::span<const std::string> columns);

// Takes one line of a framework or of an error message; false when it says nothing known.
bool read_framework_line(std::string_view line, std::span<const std::string_view> frameworks,
                         SeenEnvironment& seen);

}  // namespace gpuplan::detail
