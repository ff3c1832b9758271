#pragma once

#include <string>
#include <vector>

#include "cli/commands.hpp"

namespace gpuplan::cli {

std::string short_help();  // of `gpuplan` alone
std::string general_help();
// In so many columns.
std::string command_help(const CLI::App& app, const Command& entry, int width);
// "commands: estimate, compare, ...".
std::string command_list();

// Long names of all options, with their dashes.
std::vector<std::string> option_names(const CLI::App& app);
// Whether the word is an option, long or short, with or without its value.
bool is_option(const CLI::App& app, std::string_view word);
// Words that the parser had no use for, each with what was probably meant.
Diagnostics unknown_words(const std::vector<std::string>& words, const CLI::App& app,
                          bool has_command);

}  // namespace gpuplan::cli
