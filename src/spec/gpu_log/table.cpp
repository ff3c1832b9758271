#include <algorithm>
#include <cctype>

#include "core/text.hpp"
#include "spec/gpu_log/parts.hpp"

namespace gpuplan::detail {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// "|   0  NVIDIA GeForce RTX 4090        Off |  ..." begins a card: its number and name.
struct CardLine {
  std::string_view index, name;
};
std::optional<CardLine> card_line(std::string_view line) {
  if (!line.starts_with('|')) return std::nullopt;
  const std::size_t from = line.find_first_not_of(' ', 1);
  if (from == std::string_view::npos || !is_digit(line[from])) return std::nullopt;
  std::size_t end = from;
  while (end < line.size() && is_digit(line[end])) ++end;
  const std::string_view index = line.substr(from, end - from);
  const std::size_t name_from = line.find_first_not_of(' ', end);
  const std::size_t cell_end = line.find('|', from);
  if (name_from == std::string_view::npos || cell_end == std::string_view::npos ||
      name_from >= cell_end || name_from < end + 2 || is_digit(line[name_from]))
    return std::nullopt;
  std::string_view name = line.substr(name_from, cell_end - name_from);
  // Two blanks end the name; what follows is the persistence mode.
  name = trimmed(name.substr(0, name.find("  ")));
  for (const std::string_view mode : {" On", " Off", " N/A"})
    if (name.ends_with(mode)) name = trimmed(name.substr(0, name.size() - mode.size()));
  return CardLine{index, name};
}

// "| ... |   18432MiB /  24564MiB |  ...": the cell with a slash between two sizes.
std::optional<std::string_view> memory_cell(std::string_view line) {
  for (std::size_t from = 0; from < line.size();) {
    const std::size_t to = std::min(line.find('|', from), line.size());
    const std::string_view cell = trimmed(line.substr(from, to - from));
    if (cell.find("iB") != std::string_view::npos && cell.find('/') != std::string_view::npos)
      return cell;
    if (cell == "Not Supported" || cell == "N/A / N/A") return cell;
    from = to + 1;
  }
  return std::nullopt;
}

// "|     99%      Default |": the first percentage behind the memory.
std::optional<int> busy_cell(std::string_view line) {
  const std::size_t memory = line.find("MiB /");
  const std::size_t bar = line.find('|', memory == std::string_view::npos ? 0 : memory);
  if (memory == std::string_view::npos || bar == std::string_view::npos) return std::nullopt;
  const std::size_t sign = line.find('%', bar);
  if (sign == std::string_view::npos) return std::nullopt;
  return percent_of(line.substr(bar + 1, sign - bar));
}

enum class Section { cards, mig, processes };

class Table {
 public:
  Table(const std::string& source, GpuLogBuilder& builder, Diagnostics& faults)
      : source_(source), builder_(&builder), faults_(&faults) {}

  void line(const LogLine& line) {
    const std::string_view text = trimmed(line.text);
    if (text.find("NVIDIA-SMI") != std::string_view::npos) begin_table(text);
    if (text.find("MIG devices:") != std::string_view::npos) section_ = Section::mig;
    if (text.find("Processes:") != std::string_view::npos) begin_processes();
    if (section_ == Section::mig) return mig(line);
    if (section_ == Section::processes) return process(text);
    if (const auto card = card_line(text)) card_ = card;
    const auto cell = memory_cell(text);
    if (!cell || !card_) return;
    sample(line, *cell);
    if (const auto busy = busy_cell(text); busy && !faulty_)
      GpuLogBuilder::busy(builder_->gpu(card_->index, card_->name), busy);
    card_.reset();
  }

 private:
  // "| NVIDIA-SMI 570.124.04   Driver Version: 570.124.04   CUDA Version: 12.8 |"
  void begin_table(std::string_view text) {
    section_ = Section::cards;
    const auto after = [&](std::string_view label) {
      const std::size_t at = text.find(label);
      if (at == std::string_view::npos) return std::string_view{};
      const std::string_view rest = trimmed(text.substr(at + label.size()));
      return rest.substr(0, rest.find_first_of(" |"));
    };
    if (const auto driver = after("Driver Version:"); !driver.empty()) builder_->driver(driver);
    if (const auto cuda = after("CUDA Version:"); !cuda.empty()) builder_->cuda(cuda);
  }
  void begin_processes() {
    section_ = Section::processes;
    counts_.clear();
  }
  // "|  0    1   0   0  |      3MiB / 19968MiB  | ..." is a slice of card 0.
  void mig(const LogLine& line) {
    if (line.text.find("iB") == std::string_view::npos) return;
    if (builder_->state()) {
      const auto words = words_of(line.text);
      if (words.size() > 4 && is_digit(words[1].front()) && is_digit(words[2].front()))
        builder_->gpu(words[1], "").sliced = true;
      return;
    }
    fault(line, "MIG slices are not read", "give the slice's peak itself, as --measured-peak 18GiB");
    section_ = Section::cards;
  }
  void process(std::string_view text) {
    const auto words = words_of(text);
    // | GPU GI CI PID Type Name Memory |, without GI and CI on old drivers
    const bool compute = std::ranges::find(words, "C") != words.end() ||
                         std::ranges::find(words, "C+G") != words.end();
    if (words.size() < 4 || !compute || !is_digit(words[1].front())) return;
    const std::string index(words[1]);
    auto entry = std::ranges::find(counts_, index, &Count::index);
    if (entry == counts_.end()) entry = counts_.insert(counts_.end(), {index, 0});
    ++entry->processes;
    LoggedGpu& gpu = builder_->gpu(index, "");
    gpu.processes = std::max(gpu.processes, entry->processes);
  }
  static std::vector<std::string_view> words_of(std::string_view text) {
    std::vector<std::string_view> words;
    for (std::size_t from = text.find_first_not_of(' '); from != std::string_view::npos;
         from = text.find_first_not_of(' ', from)) {
      const std::size_t to = std::min(text.find(' ', from), text.size());
      words.push_back(text.substr(from, to - from));
      from = to;
    }
    return words;
  }
  void sample(const LogLine& line, std::string_view cell) {
    const std::size_t slash = cell.find('/');
    const Reading used = reading_of(slash == std::string_view::npos ? cell : trimmed(cell.substr(0, slash)), "");
    const Reading total =
        slash == std::string_view::npos ? Reading{} : reading_of(trimmed(cell.substr(slash + 1)), "");
    faulty_ = used.wrong || total.wrong;
    if (faulty_)
      return fault(line, "expected a memory use such as \"18432MiB / 24564MiB\", got " + quote(cell), "");
    GpuLogBuilder::sample(builder_->gpu(card_->index, card_->name), used, total);
  }
  void fault(const LogLine& line, std::string message, std::string hint) {
    faults_->push_back({ErrorCode::invalid, source_, place_of(line, 1), std::move(message),
                        std::move(hint)});
  }

  struct Count {
    std::string index;
    int processes;
  };
  std::string source_;
  GpuLogBuilder* builder_;
  Diagnostics* faults_;
  Section section_ = Section::cards;
  std::optional<CardLine> card_;
  bool faulty_ = false;
  std::vector<Count> counts_;
};

}  // namespace

void read_gpu_table(const std::vector<LogLine>& lines, const std::string& source,
                    GpuLogBuilder& builder, Diagnostics& faults) {
  Table table(source, builder, faults);
  for (const LogLine& line : lines) {
    table.line(line);
    if (faults.size() >= 20) return;
  }
}

}  // namespace gpuplan::detail
