// What `nvidia-smi -q` prints: headings with indented "Key : value" lines below them.
#include <algorithm>

#include "core/text.hpp"
#include "spec/gpu_log/parts.hpp"

namespace gpuplan::detail {
namespace {

struct ListLine {
  std::size_t indent = 0;
  std::string_view key, value;
  bool heading = false;  // has no value of its own
};

ListLine list_line(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \t");
  if (from == std::string_view::npos) return {};
  ListLine line{.indent = from, .key = {}, .value = {}};
  // Bus ids have colons too, but no blank before them.
  const std::size_t colon = text.find(" : ", from);
  line.heading = colon == std::string_view::npos;
  line.key = trimmed(text.substr(from, line.heading ? std::string_view::npos : colon - from));
  if (!line.heading) line.value = trimmed(text.substr(colon + 3));
  return line;
}

class List {
 public:
  List(const std::string& source, GpuLogBuilder& builder, Diagnostics& faults)
      : source_(source), builder_(&builder), faults_(&faults) {}

  void line(const LogLine& line) {
    const ListLine read = list_line(line.text);
    if (read.key.empty()) return;
    if (read.heading && read.key.starts_with("GPU ") &&
        read.key.find(':') != std::string_view::npos)
      return begin(read.key.substr(4));
    if (read.key == "Driver Version") builder_->driver(read.value);
    if (read.key == "CUDA Version") builder_->cuda(read.value);
    if (!open_) return;
    if (read.heading && read.indent <= section_indent_) section(read);
    if (!read.heading) value(line, read);
  }
  void finish() {
    if (!open_) return;
    LoggedGpu& gpu = builder_->gpu(minor_.empty() ? id_ : minor_, name_);
    GpuLogBuilder::sample(gpu, used_, total_);
    GpuLogBuilder::busy(gpu, busy_);
    gpu.processes = std::max(gpu.processes, processes_);
    gpu.sliced = gpu.sliced || sliced_;
    open_ = false;
  }

 private:
  void begin(std::string_view id) {
    finish();
    id_ = id;
    minor_.clear();
    name_.clear();
    section_.clear();
    section_indent_ = 4;
    used_ = total_ = {};
    busy_.reset();
    processes_ = 0;
    sliced_ = false;
    open_ = true;
  }
  void section(const ListLine& read) {
    section_ = read.key;
    section_indent_ = std::max<std::size_t>(read.indent, 4);
  }
  void value(const LogLine& line, const ListLine& read) {
    if (read.indent <= section_indent_) section_.clear();
    if (read.key == "Product Name") name_ = read.value;
    if (read.key == "Minor Number" && read.value != "N/A") minor_ = read.value;
    if (section_ == "FB Memory Usage" && read.key == "Used") used_ = size(line, read.value);
    if (section_ == "FB Memory Usage" && read.key == "Total") total_ = size(line, read.value);
    if (section_ == "Utilization" && lower(read.key) == "gpu") busy_ = percent_of(read.value);
    if (section_ == "MIG Mode" && read.key == "Current") slices(line, read.value);
    // Graphics processes (G) belong to the desktop.
    if (read.key == "Type" && (read.value == "C" || read.value == "C+G")) ++processes_;
  }
  void slices(const LogLine& line, std::string_view value) {
    sliced_ = value == "Enabled";
    if (sliced_ && !builder_->state())
      faults_->push_back({ErrorCode::invalid, source_, place_of(line, 1),
                          "MIG slices are not read",
                          "give the slice's peak itself, as --measured-peak 18GiB"});
  }
  Reading size(const LogLine& line, std::string_view value) {
    Reading reading = reading_of(value, "");
    if (reading.wrong)
      faults_->push_back({ErrorCode::invalid, source_, place_of(line, 1),
                          "expected a memory size such as \"18432 MiB\", got " + quote(value), ""});
    if (reading.wrong) return {};
    return reading;
  }

  std::string source_;
  GpuLogBuilder* builder_;
  Diagnostics* faults_;
  bool open_ = false, sliced_ = false;
  std::string id_, minor_, name_, section_;
  std::size_t section_indent_ = 4;
  Reading used_, total_;
  std::optional<int> busy_;
  int processes_ = 0;
};

}  // namespace

void read_gpu_list(const std::vector<LogLine>& lines, const std::string& source,
                   GpuLogBuilder& builder, Diagnostics& faults) {
  List list(source, builder, faults);
  for (const LogLine& line : lines) {
    list.line(line);
    if (faults.size() >= 20) return;
  }
  list.finish();
}

}  // namespace gpuplan::detail
