#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "cli/outcome.hpp"

namespace CLI {
class App;
}

namespace gpuplan::cli {

// A command: its name, one line of help, an example, and how it declares its options. What
// `declare` returns is run after parsing.
using Run = std::function<ExitCode(const Common&)>;
struct Command {
  std::string_view name;
  std::string_view summary;
  std::string_view examples;
  Run (*declare)(CLI::App& command);
};

// In the order in which help lists them.
std::span<const Command> all_commands();

Run declare_estimate(CLI::App& command);
Run declare_compare(CLI::App& command);
Run declare_simulate(CLI::App& command);
Run declare_breakeven(CLI::App& command);
Run declare_transfer(CLI::App& command);
Run declare_check(CLI::App& command);
Run declare_checklist(CLI::App& command);
Run declare_edge(CLI::App& command);
Run declare_catalog(CLI::App& command);
Run declare_cards(CLI::App& command);
Run declare_models(CLI::App& command);
Run declare_schema(CLI::App& command);
Run declare_explain(CLI::App& command);
Run declare_init(CLI::App& command);
Run declare_completion(CLI::App& command);
Run declare_man(CLI::App& command);

}  // namespace gpuplan::cli
