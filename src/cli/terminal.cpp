#include "cli/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace gpuplan::cli {
namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view{} : std::string_view{value};
}

bool to_standard_output(const Common& common) {
  return common.output.empty() || common.output == "-";
}

}  // namespace

bool answers_terminal(const Common& common) {
  return to_standard_output(common) && ::isatty(1) != 0;
}

int output_width(const Common& common) {
  winsize size{};
  if (!answers_terminal(common) || ::ioctl(1, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
    return 80;
  return std::clamp<int>(size.ws_col, 40, 250);
}

bool colored(const Common& common, int stream) {
  if (stream == 1 && !to_standard_output(common)) return false;
  if (common.color != "auto") return common.color == "always";
  return ::isatty(stream) != 0 && environment("NO_COLOR").empty() && environment("TERM") != "dumb";
}

bool is_live_terminal(int stream) {
  return ::isatty(stream) != 0 && environment("TERM") != "dumb" && !environment("TERM").empty();
}

std::string language_of_terminal(const Common& common) {
  if (!answers_terminal(common)) return "en";
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"})
    if (const std::string_view value = environment(name); !value.empty())
      return value.starts_with("zh") ? "zh" : "en";
  return "en";
}

}  // namespace gpuplan::cli
