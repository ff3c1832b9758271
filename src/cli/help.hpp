#pragma once

#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "gpuplan/render.hpp"

namespace gpuplan::cli {

std::string short_help(Language language);  // of `gpuplan` alone
std::string general_help(Language language);
// In so many columns. What is typed stays as it is.
std::string command_help(CLI::App& app, const Command& entry, int width, Language language);
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
