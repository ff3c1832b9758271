#pragma once

#include <string>
#include <vector>

#include "gpuplan/rank.hpp"
#include "render/text_table.hpp"

namespace gpuplan {

// What the table of a ranking and its page have in common.
// `with_choice`: the recommended row too, when it stands further down.
TextTable ranking_rows(const Ranking& ranking, std::size_t top, bool people, bool with_choice = false);
std::string ranking_heading(const Ranking& ranking);
std::string rejected_line(const Ranking& ranking);

struct NamedLine {
  std::string name, text;
};
// What to take, what to fall back on, why, what to watch, and the gates.
std::vector<NamedLine> decision_lines(const Ranking& ranking);

}  // namespace gpuplan
