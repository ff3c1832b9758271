#pragma once

#include <string>

#include "cli/commands.hpp"

namespace gpuplan::cli {

// Manual pages (roff, man macros), made from the options that the parser knows.
std::string manual_of_program();                   // gpuplan(1)
std::string manual_of_command(const Command& command);  // gpuplan-COMMAND(1)
std::string manual_of_method(Language language = Language::english);                    // gpuplan(7): the chapters of `explain`
// All options of all commands as Markdown: examples/OPTIONS.md.
std::string options_reference();

// Completion scripts, made from the same.
std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

}  // namespace gpuplan::cli
