#include <algorithm>
#include <array>

#include "core/text.hpp"
#include "spec/gpu_log/parts.hpp"

namespace gpuplan::detail {
namespace {

enum class Column { used, total, index, name, other };

struct ColumnName {
  std::string_view name;
  Column column;
};
// As `nvidia-smi --help-query-gpu` spells them, and short forms for --columns. The first of a
// card's names that stands in the header tells cards apart.
constexpr std::array<ColumnName, 10> kColumns{{{"memory.used", Column::used},
                                               {"used", Column::used},
                                               {"memory.total", Column::total},
                                               {"total", Column::total},
                                               {"index", Column::index},
                                               {"uuid", Column::index},
                                               {"gpu_uuid", Column::index},
                                               {"pci.bus_id", Column::index},
                                               {"name", Column::name},
                                               {"gpu_name", Column::name}}};

struct Heading {
  Column column = Column::other;
  std::string unit = {};  // "MiB"
};

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  for (std::size_t from = 0; from <= line.size();) {
    const std::size_t to = std::min(line.find(',', from), line.size());
    cells.push_back(trimmed(line.substr(from, to - from)));
    from = to + 1;
  }
  return cells;
}

Heading heading_of(std::string_view cell) {
  const std::size_t bracket = cell.find('[');
  const std::string name = lower(trimmed(cell.substr(0, bracket)));
  Heading heading;
  const auto known = std::ranges::find(kColumns, name, &ColumnName::name);
  if (known != kColumns.end()) heading.column = known->column;
  if (bracket != std::string_view::npos) {
    const std::size_t end = cell.find(']', bracket);
    if (end != std::string_view::npos) heading.unit = cell.substr(bracket + 1, end - bracket - 1);
  }
  return heading;
}

bool is_header(std::string_view line) { return lower(line).find("memory.used") != std::string::npos; }

std::vector<Heading> headings_of(std::string_view line) {
  std::vector<Heading> headings;
  for (const std::string_view cell : cells_of(line)) headings.push_back(heading_of(cell));
  return headings;
}

class Csv {
 public:
  Csv(const std::string& source, GpuLogBuilder& builder, Diagnostics& faults)
      : source_(source), builder_(&builder), faults_(&faults) {}

  std::vector<Heading> headings;

  bool has(Column wanted) const {
    return std::ranges::find(headings, wanted, &Heading::column) != headings.end();
  }

  void row(const LogLine& line) {
    const auto cells = cells_of(line.text);
    if (cells.size() != headings.size())
      return fault(line, 1,
                   "this line has " + std::to_string(cells.size()) + " columns, the header " +
                       std::to_string(headings.size()),
                   "was the log cut off here?");
    Reading used, total;
    std::string_view index, name;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      switch (headings[i].column) {
        case Column::used: used = size(line, cells[i], headings[i].unit); break;
        case Column::total: total = size(line, cells[i], headings[i].unit); break;
        case Column::index: index = index.empty() ? cells[i] : index; break;
        case Column::name: name = cells[i]; break;
        case Column::other: break;
      }
    }
    if (used.wrong || total.wrong) return;
    GpuLogBuilder::sample(builder_->gpu(index, name), used, total);
  }

 private:
  Reading size(const LogLine& line, std::string_view cell, std::string_view unit) {
    const Reading reading = reading_of(cell, unit);
    if (reading.wrong)
      fault(line, static_cast<std::size_t>(cell.data() - line.text.data()) + 1,
            "expected a memory size such as \"18432 MiB\", got " + quote(cell),
            "run nvidia-smi with --format=csv, without other formats in between");
    return reading;
  }
  void fault(const LogLine& line, std::size_t column, std::string message, std::string hint) {
    faults_->push_back({ErrorCode::invalid, source_, place_of(line, column), std::move(message),
                        std::move(hint)});
  }

  std::string source_;
  GpuLogBuilder* builder_;
  Diagnostics* faults_;
};

}  // namespace

void read_gpu_csv(const std::vector<LogLine>& lines, std::span<const std::string> columns,
                  const std::string& source, GpuLogBuilder& builder, Diagnostics& faults) {
  Csv csv(source, builder, faults);
  for (const std::string& column : columns) {
    Heading heading = heading_of(column);
    // `nounits` leaves them out of the cells, and nvidia-smi counts memory in MiB.
    if (heading.unit.empty()) heading.unit = "MiB";
    csv.headings.push_back(std::move(heading));
  }
  if (!columns.empty() && !csv.has(Column::used)) {
    faults.push_back({ErrorCode::usage, "--columns", "", "no column is the memory in use",
                      "name it `used`, as in --columns used,total,utilization"});
    return;
  }
  for (const LogLine& line : lines) {
    if (trimmed(line.text).empty()) continue;
    if (is_header(line.text)) {
      csv.headings = headings_of(line.text);
      continue;
    }
    if (csv.headings.empty()) {
      faults.push_back({ErrorCode::invalid, source, place_of(line, 1),
                        "this log has no header, so nobody knows which figure is the memory in use",
                        "say so with --columns, such as --columns used,total,utilization; or log "
                        "with nvidia-smi --query-gpu=index,name,memory.used,memory.total --format=csv"});
      return;
    }
    csv.row(line);
    if (faults.size() >= 20) return;
  }
}

}  // namespace gpuplan::detail
