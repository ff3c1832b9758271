#pragma once

#include <map>
#include <string>

#include "gpuplan/lint.hpp"

namespace gpuplan::detail {

// Collects warnings; of each code only so many, and a count of the rest.
class Findings {
 public:
  explicit Findings(std::size_t most_each) : most_each_(most_each) {}
  void add(std::string_view code, std::string message, std::string where) {
    if (++told_[std::string(code)] > most_each_) return;
    warnings_.push_back({std::string(code), std::move(message), std::move(where)});
  }
  Warnings take() {
    for (const auto& [code, count] : told_)
      if (count > most_each_)
        warnings_.push_back({code, std::to_string(count - most_each_) + " more of this kind", {}});
    return std::move(warnings_);
  }

 private:
  std::size_t most_each_;
  std::map<std::string, std::size_t> told_;
  Warnings warnings_;
};

std::string place(const Catalog& catalog, const Offer& offer);  // "acme/L40S-x1" with its platform
// Checks of the prices of all offers against each other.
void lint_prices(const Catalog& catalog, const LintOptions& options, Findings& findings);
// Checks of what an offer says of its card.
void lint_cards(const Catalog& catalog, const CardTable& cards, Findings& findings);
// Checks of platforms: rules, dates, currencies.
void lint_platforms(const Catalog& catalog, const LintOptions& options, Findings& findings);

}  // namespace gpuplan::detail
