#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/trim.hpp"
#include "gpuplan/result.hpp"

namespace gpuplan::detail {

// A CSV text (RFC 4180) that is read row by row. Cells are found by the name of their column, since
// the order of columns differs from file to file.
class CsvTable {
 public:
  // The first line names the columns; those in `wanted` must be there.
  static Result<CsvTable> open(std::string_view text, const std::string& source,
                               std::span<const std::string_view> wanted);

  // False at the end. A row with another number of cells than the header is `broken`.
  bool next();
  bool broken() const { return cells_.size() != columns_.size(); }
  std::size_t line() const { return line_; }  // on which the row begins
  std::size_t width() const { return cells_.size(); }
  std::size_t columns() const { return columns_.size(); }
  // Without blanks around it; empty when there is no such column.
  std::string_view cell(std::string_view column) const;

 private:
  bool read_row(std::vector<std::string>& cells);

  std::string_view text_;
  std::size_t at_ = 0, next_line_ = 1, line_ = 0;
  std::vector<std::string> columns_, cells_;
};

}  // namespace gpuplan::detail
