#include "catalog/import/csv.hpp"

#include <algorithm>

#include "core/text.hpp"

namespace gpuplan::detail {

// Blank lines are no rows. A quote inside a bare cell is part of it.
bool CsvTable::read_row(std::vector<std::string>& cells) {
  cells.clear();
  while (at_ < text_.size() && (text_[at_] == '\n' || text_[at_] == '\r'))
    if (text_[at_++] == '\n') ++next_line_;
  if (at_ >= text_.size()) return false;
  line_ = next_line_;
  bool quoted = false, fresh = true;
  std::string cell;
  for (; at_ < text_.size(); ++at_) {
    const char c = text_[at_];
    if (c == '\n') ++next_line_;
    if (quoted) {
      if (c != '"') {
        cell += c;
      } else if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
        cell += text_[++at_];
      } else {
        quoted = false;
      }
    } else if (c == '"' && fresh) {
      quoted = true;
    } else if (c == ',') {
      cells.push_back(std::move(cell));
      cell.clear();
      fresh = true;
      continue;
    } else if (c == '\n') {
      ++at_;
      break;
    } else {
      cell += c;
    }
    fresh = false;
  }
  cells.push_back(std::move(cell));
  return true;
}

Result<CsvTable> CsvTable::open(std::string_view text, const std::string& source,
                                std::span<const std::string_view> wanted) {
  CsvTable table;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  table.text_ = text;
  if (!table.read_row(table.columns_))
    return Diagnostic{ErrorCode::syntax, source, "1", "the file is empty",
                      "expected a CSV file with a line of column names"};
  for (std::string& column : table.columns_) column = trimmed(column);
  std::vector<std::string> missing;
  for (const std::string_view column : wanted)
    if (std::ranges::find(table.columns_, column) == table.columns_.end())
      missing.emplace_back(column);
  if (!missing.empty())
    return Diagnostic{ErrorCode::syntax, source, "1", "the columns " + join(missing, ", ") + " are missing",
                      "the first line must name the columns, separated by commas"};
  return table;
}

bool CsvTable::next() { return read_row(cells_); }

std::string_view CsvTable::cell(std::string_view column) const {
  for (std::size_t i = 0; i < columns_.size() && i < cells_.size(); ++i)
    if (columns_[i] == column) return trimmed(cells_[i]);
  return {};
}

}  // namespace gpuplan::detail
