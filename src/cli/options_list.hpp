#pragma once

#include <string>
#include <vector>

#include "cli/commands.hpp"

namespace gpuplan::cli {

// An option or a word of a command, as the parser knows it: help, manual pages and completions are
// all made from this.
struct OptionInfo {
  std::string long_name, short_name;  // "--output", "-o"; both empty: a word without a dash
  std::string type;                   // "FILE", "DATE"; empty: it takes no value
  std::string group, help;
  std::vector<std::string> values;    // that it may have, when these are few and known
  bool word() const { return long_name.empty() && short_name.empty(); }
  bool takes_file() const { return type == "FILE" || type == "CATALOG" || type == "FILE|-"; }
};
std::vector<OptionInfo> options_of(const Command& command);

}  // namespace gpuplan::cli
