#pragma once

#include <string>

#include "cli/outcome.hpp"

namespace gpuplan::cli {

// Columns of the terminal; 80 when the answer does not go to one.
int output_width(const Common& common);
// Whether the answer goes to a terminal.
bool answers_terminal(const Common& common);
// Whether this stream (1 or 2) may have colours: as --color says; by itself only on a terminal that
// is not "dumb", without NO_COLOR, and on standard output only when the answer goes there.
bool colored(const Common& common, int stream);
// A terminal on which a line can be drawn again and again.
bool is_live_terminal(int stream);
// "zh" when the answer goes to a terminal whose language is Chinese, else "en".
std::string language_of_terminal(const Common& common);

}  // namespace gpuplan::cli
