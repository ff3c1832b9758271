#include <algorithm>
#include <array>
#include <cctype>
#include <map>

#include "core/text.hpp"
#include "spec/gpu_log/parts.hpp"

namespace gpuplan::detail {
namespace {

enum class Column {
  used, total, index, name, host, utilisation, driver, capability, slices, time, other
};

struct ColumnName {
  std::string_view name;
  Column column;
};
// As `nvidia-smi --help-query-gpu` spells them, and short forms for --columns. The first of a
// card's names that stands in the header tells cards apart.
constexpr std::array<ColumnName, 19> kColumns{{{"memory.used", Column::used},
                                               {"host", Column::host},
                                               {"hostname", Column::host},
                                               {"utilization.gpu", Column::utilisation},
                                               {"utilization", Column::utilisation},
                                               {"driver_version", Column::driver},
                                               {"compute_cap", Column::capability},
                                               {"mig.mode.current", Column::slices},
                                               {"mig", Column::slices},
                                               {"timestamp", Column::time},
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

// "node1: 0, NVIDIA L4, ..." as parallel shells write it: the machine, and the rest of the line.
std::pair<std::string_view, std::string_view> split_host(std::string_view line) {
  const std::size_t colon = line.find(": ");
  if (colon == std::string_view::npos || colon == 0 || line.find(',') < colon) return {{}, line};
  const std::string_view host = trimmed(line.substr(0, colon));
  const bool word = std::ranges::all_of(host, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.' || c == '_';
  });
  return word ? std::pair{host, line.substr(colon + 2)} : std::pair{std::string_view{}, line};
}

std::vector<Heading> headings_of(std::string_view line) {
  std::vector<Heading> headings;
  for (const std::string_view cell : cells_of(line)) headings.push_back(heading_of(cell));
  return headings;
}

// `sed` put the name of the machine before the header too: its first cell is that of its rows.
void take_host(std::vector<Heading>& headings, std::string_view header, std::string_view row) {
  if (headings.empty() || headings.front().column != Column::other) return;
  const auto first = cells_of(header).front();
  if (!first.empty() && first == cells_of(row).front()) headings.front().column = Column::host;
}

class Csv {
 public:
  Csv(const std::string& source, GpuLogBuilder& builder, Diagnostics& faults)
      : source_(source), builder_(&builder), faults_(&faults) {}

  std::vector<Heading> headings;

  bool has(Column wanted) const {
    return std::ranges::find(headings, wanted, &Heading::column) != headings.end();
  }

  void row(const LogLine& line, std::string_view text, std::string_view host) {
    const auto cells = cells_of(text);
    if (cells.size() != headings.size())
      return fault(line, 1,
                   "this line has " + std::to_string(cells.size()) + " columns, the header " +
                       std::to_string(headings.size()),
                   "was the log cut off here?");
    Reading used, total;
    std::string_view index, name, capability, slices, time;
    std::optional<int> utilisation;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      switch (headings[i].column) {
        case Column::used: used = size(line, cells[i], headings[i].unit); break;
        case Column::total: total = size(line, cells[i], headings[i].unit); break;
        case Column::index: index = index.empty() ? cells[i] : index; break;
        case Column::name: name = cells[i]; break;
        case Column::host: host = cells[i]; break;
        case Column::utilisation: utilisation = percent_of(cells[i]); break;
        case Column::driver: builder_->driver(cells[i]); break;
        case Column::capability: capability = cells[i]; break;
        case Column::slices: slices = cells[i]; break;
        case Column::time: time = cells[i]; break;
        case Column::other: break;
      }
    }
    if (used.wrong || total.wrong) return;
    const std::string position = place_in_sample(host, time);
    LoggedGpu& gpu = builder_->gpu(index.empty() && builder_->state() ? position : index, name, host);
    GpuLogBuilder::sample(gpu, used, total);
    GpuLogBuilder::busy(gpu, utilisation);
    if (!capability.empty()) gpu.capability = capability;
    gpu.sliced = gpu.sliced || slices == "Enabled";
  }

  void new_block() { seen_.clear(); }

 private:
  // Where no column tells cards apart, each line of a machine's sample is one more card: its number.
  std::string place_in_sample(std::string_view host, std::string_view time) {
    Sample& sample = seen_[std::string(host)];
    if (sample.time != time) sample = {.time = std::string(time)};
    return std::to_string(sample.cards++);
  }
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

  struct Sample {
    std::string time;
    int cards = 0;
  };

  std::string source_;
  GpuLogBuilder* builder_;
  Diagnostics* faults_;
  std::map<std::string, Sample> seen_;  // by machine
};

}  // namespace

std::string_view host_heading(std::string_view line) {
  line = trimmed(line);
  constexpr std::string_view kBegin = "==> ", kEnd = " <==";
  if (!line.starts_with(kBegin) || !line.ends_with(kEnd) || line.size() <= kBegin.size() + kEnd.size()) return {};
  return trimmed(line.substr(kBegin.size(), line.size() - kBegin.size() - kEnd.size()));
}

bool is_csv_header(std::string_view line, bool state) {
  if (lower(line).find("memory.used") != std::string::npos) return true;
  if (!state) return false;
  const auto headings = headings_of(line);
  const auto known = std::ranges::count_if(
      headings, [](const Heading& heading) { return heading.column != Column::other; });
  return known >= 2;
}

void read_gpu_csv(const std::vector<LogLine>& lines, std::span<const std::string> columns,
                  const std::string& source, GpuLogBuilder& builder, Diagnostics& faults) {
  Csv csv(source, builder, faults);
  std::string_view header;  // until its first row is seen
  std::string_view block_host;
  for (const std::string& column : columns) {
    Heading heading = heading_of(column);
    // `nounits` leaves them out of the cells, and nvidia-smi counts memory in MiB.
    if (heading.unit.empty()) heading.unit = "MiB";
    csv.headings.push_back(std::move(heading));
  }
  if (!columns.empty() && !builder.state() && !csv.has(Column::used)) {
    faults.push_back({ErrorCode::usage, "--columns", "", "no column is the memory in use",
                      "name it `used`, as in --columns used,total,utilization"});
    return;
  }
  for (const LogLine& line : lines) {
    if (trimmed(line.text).empty()) continue;
    if (const std::string_view named = host_heading(line.text); !named.empty()) {
      block_host = named;
      continue;
    }
    auto [host, text] = split_host(line.text);
    if (host.empty()) host = block_host;
    if (is_csv_header(text, builder.state())) {
      csv.headings = headings_of(text);
      csv.new_block();
      header = text;
      continue;
    }
    if (csv.headings.empty()) {
      faults.push_back({ErrorCode::invalid, source, place_of(line, 1),
                        "this log has no header, so nobody knows which figure is the memory in use",
                        "say so with --columns, such as --columns used,total,utilization; or log "
                        "with nvidia-smi --query-gpu=index,name,memory.used,memory.total --format=csv"});
      return;
    }
    if (!header.empty()) take_host(csv.headings, header, text);
    header = {};
    csv.row(line, text, host);
    if (faults.size() >= 20) return;
  }
}

}  // namespace gpuplan::detail
