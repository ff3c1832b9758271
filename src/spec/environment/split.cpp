// Which lines of a paste belong to which output.
#include <algorithm>

#include "spec/environment/parts.hpp"
#include "spec/gpu_log/parts.hpp"

namespace gpuplan::detail {
namespace {

enum class Part { rest, table, list, xml, csv };

bool list_line(std::string_view line) {
  const std::string_view text = trimmed(line);
  return text.empty() || line.starts_with(' ') || line.starts_with('\t') ||
         line.find(" : ") != std::string_view::npos || text.starts_with("GPU 0");
}

class Splitter {
 public:
  explicit Splitter(std::span<const std::string> columns) : columns_(columns.size()) {}

  Part part_of(std::string_view line) {
    const std::string_view text = trimmed(line);
    if (inside_ == Part::xml) {
      if (text.find("</nvidia_smi_log>") != std::string_view::npos) inside_ = Part::rest;
      return Part::xml;
    }
    if (text.starts_with("<?xml") || text.starts_with("<nvidia_smi_log")) return open(Part::xml);
    if (text.find("NVSMI LOG") != std::string_view::npos) return open(Part::list);
    if (inside_ == Part::list && list_line(line)) return Part::list;
    if (!host_heading(text).empty()) return open(Part::csv);
    if (text.starts_with('|') || text.starts_with("+-")) return open(Part::table);
    if (text.find(',') != std::string_view::npos && is_csv_header(text, true)) {
      commas_ = count_commas(text);
      return open(Part::csv);
    }
    const bool row = inside_ == Part::csv && count_commas(text) == commas_;
    const bool named = columns_ > 1 && count_commas(text) + 1 == columns_;
    if (row || named) return Part::csv;
    inside_ = Part::rest;
    return Part::rest;
  }

 private:
  Part open(Part part) { return inside_ = part; }
  static std::size_t count_commas(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count(text, ','));
  }
  Part inside_ = Part::rest;
  std::size_t commas_ = 0, columns_;
};

}  // namespace

PasteParts split_paste(std::string_view text, std::span<const std::string> columns) {
  PasteParts parts;
  Splitter splitter(columns);
  for (const LogLine& line : lines_of(text)) {
    const Part part = splitter.part_of(line.text);
    const std::string whole = std::string(line.text) + "\n";
    parts.table += part == Part::table ? whole : "\n";
    parts.list += part == Part::list ? whole : "\n";
    parts.xml += part == Part::xml ? whole : "\n";
    parts.csv += part == Part::csv ? whole : "\n";
    if (part == Part::rest) parts.rest.emplace_back(trimmed(line.text));
  }
  // Names of machines alone are no output.
  if (parts.csv.find(',') == std::string::npos) parts.csv.clear();
  return parts;
}

}  // namespace gpuplan::detail
