#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gpuplan {

// Edits (insert, delete, replace, swap) between two words; stops counting above `limit`.
int edit_distance(std::string_view a, std::string_view b, int limit);
// Candidates that look like `word`, the nearest first, ties by name.
std::vector<std::string> similar_words(std::string_view word,
                                       std::span<const std::string_view> candidates,
                                       std::size_t most = 3);
// `did you mean "x"?`, or nothing.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);
std::string lower(std::string_view text);
std::string join(std::span<const std::string> parts, std::string_view separator);
// Control characters and broken UTF-8 made visible, shortened: safe for a terminal.
std::string quote(std::string_view text, std::size_t most = 60);
// Columns that the text takes on a terminal (CJK characters take two).
std::size_t display_width(std::string_view text);

}  // namespace gpuplan
