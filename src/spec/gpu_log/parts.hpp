#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/trim.hpp"
#include "gpuplan/gpu_log.hpp"

namespace gpuplan::detail {

// A line of the log, without its end.
struct LogLine {
  std::string_view text;
  std::size_t number;  // from 1
};
std::vector<LogLine> lines_of(std::string_view text);
// The text of a file as people make it: without a byte order mark, and UTF-16 made plain.
std::string plain_text(std::string_view text);

// "18432 MiB" or, where a header gives the unit, "18432". Nothing inside for "[N/A]" and its kin;
// an error text for all else.
struct Reading {
  std::optional<Bytes> value = {};
  bool wrong = false;
};
Reading reading_of(std::string_view cell, std::string_view unit);

// "97 %" or "97" as a whole percentage; nothing for anything else.
std::optional<int> percent_of(std::string_view cell);

// Collects the samples of each GPU in the order in which the GPUs first appear.
class GpuLogBuilder {
 public:
  // `state`: slices and cards without figures are no faults.
  explicit GpuLogBuilder(bool state) : state_(state) {}
  bool state() const { return state_; }
  LoggedGpu& gpu(std::string_view index, std::string_view name, std::string_view host = {});
  static void sample(LoggedGpu& gpu, const Reading& used, const Reading& total);
  static void busy(LoggedGpu& gpu, const std::optional<int>& utilisation);
  void driver(std::string_view version) { driver_ = version; }
  void cuda(std::string_view version) { cuda_ = version; }
  void into(GpuLog& log) {
    log.gpus = std::move(gpus_);
    log.driver = std::move(driver_);
    log.cuda = std::move(cuda_);
  }

 private:
  std::vector<LoggedGpu> gpus_;
  std::string driver_, cuda_;
  bool state_;
};

void read_gpu_csv(const std::vector<LogLine>& lines, std::span<const std::string> columns,
                  const std::string& source, GpuLogBuilder& builder, Diagnostics& faults);
void read_gpu_xml(std::string_view text, const std::string& source, GpuLogBuilder& builder,
                  Diagnostics& faults);
void read_gpu_list(const std::vector<LogLine>& lines, const std::string& source,
                   GpuLogBuilder& builder, Diagnostics& faults);
void read_gpu_table(const std::vector<LogLine>& lines, const std::string& source,
                    GpuLogBuilder& builder, Diagnostics& faults);

// Whether this line names columns of `--query-gpu`, and with `state` also without `memory.used`.
bool is_csv_header(std::string_view line, bool state);

// "==> node1 <==" as `tail` and `head` write it between files: what follows is of that machine. Empty
// for any other line.
std::string_view host_heading(std::string_view line);

inline std::string place_of(const LogLine& line, std::size_t column) {
  return std::to_string(line.number) + ":" + std::to_string(column);
}

}  // namespace gpuplan::detail
