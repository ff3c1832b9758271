#pragma once

#include <map>
#include <string>
#include <string_view>

#include "gpuplan/import.hpp"

namespace gpuplan::detail {

// What can be found in the rows of a list. The reasons stand in a table in findings.cpp.
enum class Find {
  // Rows that are left out.
  no_accelerator, malformed_row, duplicate_row, accelerator_missing, host_missing, part_missing,
  not_linux, not_on_demand, unit_unknown, machine_unknown, nothing_to_rent, unmatched_region,
  // Rows that are kept.
  price_zero, price_missing, price_not_a_number, price_rounded, spot_zero, not_available,
  memory_in_gib, memory_of_all_cards, memory_differs, card_unknown, count_taken_from_table,
  prices_differ, rules_unknown, rules_left_out, platform_not_stated, interruption_open_ended,
};

class ImportFindings {
 public:
  void add(Find what, std::string where, std::string machine, std::string detail = {});
  // Rows of no interest one by one.
  void count(Find what) { ++found_[what].count; }
  std::vector<ImportFinding> take() const;

 private:
  struct Found {
    std::size_t count = 0;
    std::vector<ImportFinding::Row> rows;
  };
  std::map<Find, Found> found_;
};

}  // namespace gpuplan::detail
