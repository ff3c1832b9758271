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

// "18432 MiB" or, where a header gives the unit, "18432". Nothing inside for "[N/A]" and its kin;
// an error text for all else.
struct Reading {
  std::optional<Bytes> value = {};
  bool wrong = false;
};
Reading reading_of(std::string_view cell, std::string_view unit);

// Collects the samples of each GPU in the order in which the GPUs first appear.
class GpuLogBuilder {
 public:
  LoggedGpu& gpu(std::string_view index, std::string_view name);
  static void sample(LoggedGpu& gpu, const Reading& used, const Reading& total);
  std::vector<LoggedGpu> take() { return std::move(gpus_); }

 private:
  std::vector<LoggedGpu> gpus_;
};

void read_gpu_csv(const std::vector<LogLine>& lines, std::span<const std::string> columns,
                  const std::string& source, GpuLogBuilder& builder, Diagnostics& faults);
void read_gpu_xml(std::string_view text, const std::string& source, GpuLogBuilder& builder,
                  Diagnostics& faults);
void read_gpu_table(const std::vector<LogLine>& lines, const std::string& source,
                    GpuLogBuilder& builder, Diagnostics& faults);

inline std::string place_of(const LogLine& line, std::size_t column) {
  return std::to_string(line.number) + ":" + std::to_string(column);
}

}  // namespace gpuplan::detail
