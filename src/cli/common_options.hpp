#pragma once

#include <string>
#include <vector>

#include "cli/outcome.hpp"

namespace CLI {
class App;
}

namespace gpuplan::cli {

// Declares what all commands share. `common` must live as long as `app` parses.
void declare_common(CLI::App& app, Common& common);
// How many words stand before the command: "gpuplan --json compare" has the command's options first.
std::size_t before_command(const std::vector<std::string>& words);
// Messages go to standard error from the first on.
void start_log();
// What goes to standard error, in which colours and in which language; every bad value is reported.
Diagnostics settle_messages(Common& common);

}  // namespace gpuplan::cli
