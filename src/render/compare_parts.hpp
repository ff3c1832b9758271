#pragma once

#include <string>
#include <vector>

#include "gpuplan/rank.hpp"
#include "render/text_table.hpp"

namespace gpuplan {

// What the table of a ranking and its page have in common.
// `with_choice`: the recommended row too, when it stands further down. `exact` has the columns that
// people see, with all digits.
enum class RowsFor { people, exact, csv };
TextTable ranking_rows(const Ranking& ranking, std::size_t top, RowsFor whom, bool with_choice = false);
// What the rows leave open, a line each: how many there are more, the unit, who is rejected.
std::vector<std::string> below_ranking(const Ranking& ranking, const RenderOptions& options);
std::string ranking_heading(const Ranking& ranking);
// `listed`: they stand with their reasons beside it.
std::string rejected_line(const Ranking& ranking, bool listed);

struct NamedLine {
  std::string name, text;
};
// What to take, what to fall back on, why, what to watch, and the gates.
std::vector<NamedLine> decision_lines(const Ranking& ranking);

}  // namespace gpuplan
