#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpuplan/catalog_tools.hpp"
#include "gpuplan/rank.hpp"

namespace gpuplan {

// An offer that was recommended, as an answer names it.
struct Choice {
  std::string name;  // "platform/offer, plan"
  Money total;
};

// An offer whose place among the rejected is another than before.
struct Rejection {
  std::string offer;         // "platform/offer"
  std::string before, now;   // the codes of its reasons; empty: it was, or is, not rejected
};

// A ranking against an earlier answer of `gpuplan compare`, offer by offer and plan by plan.
struct Against {
  std::string source;  // of the earlier answer
  std::optional<Choice> before, now;
  CatalogDiff rows;           // by name and plan; `key` is "total"
  std::vector<Rejection> rejected;  // newly, no longer, or for other reasons
  CatalogDiff recommended;    // at most one change: of the total that is recommended
  std::vector<DiffGate> gates;
  Warnings warnings;  // another job, another catalog, rows that were cut off
  bool passed() const;
};

// Errors: the text is no `gpuplan.compare/1`, or in another currency. Gates up, down and change are
// about what is recommended; new, gone and changed count rows.
Result<Against> compare_with(const Ranking& now, std::string_view earlier,
                             const std::string& source, std::vector<DiffGate> gates);

}  // namespace gpuplan
