#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpuplan/result.hpp"
#include "gpuplan/units.hpp"

namespace gpuplan {

// One GPU of an `nvidia-smi` log, over all samples.
struct LoggedGpu {
  std::string index = {};  // as printed: "0", or the bus id when nothing else tells cards apart
  std::string name = {};   // empty when the log does not say
  std::optional<Bytes> peak = {};   // largest memory in use; absent: the driver gave no figure
  std::optional<Bytes> total = {};  // memory of the card
  std::vector<Bytes> used = {};     // every reading, in order
  int processes = 0;                // most compute processes that one sample lists; 0: not listed
  std::string host = {};            // of a log of several machines
  std::optional<int> utilisation = {};  // highest reading, percent; absent: not in the log
  std::string capability = {};      // "8.9", where the log has it
  bool sliced = false;              // MIG is on: programs see parts of the card
};

struct GpuLog {
  std::string format = {};  // "csv", "xml", "table" or "list" (of -q)
  std::vector<LoggedGpu> gpus = {};
  std::string driver = {};  // "570.124.04"; empty: the log does not say
  std::string cuda = {};    // the newest CUDA that this driver knows, not the one in use
  // The largest peak of a GPU, and that GPU; a log without any is an error when it is read.
  const LoggedGpu& busiest() const;
};

// Reads what `nvidia-smi` prints: `--query-gpu=... --format=csv` (with or without units; without a
// header when `columns` names them: host, index, name, used, total, utilization, ...; lines that
// begin with `HOST: `, or follow a line `==> HOST <==`, come from that machine), `-q`, `-q -x`, and the plain table, each once or many
// times in a row. A text in UTF-16, as PowerShell writes it, is read too.
// Errors name line and column: a line that is none of these, a size with no known unit, MIG rows.
Result<GpuLog> read_gpu_log(std::string_view text, const std::string& source,
                            std::span<const std::string> columns = {});

// The same for those who ask what stands there and not how much a run needs: cards without figures
// and cards that are cut into MIG slices (`sliced`) are taken, and no reading is wanted.
Result<GpuLog> read_gpu_state(std::string_view text, const std::string& source,
                              std::span<const std::string> columns = {});

// Bytes by which a GPU's memory grows from sample to sample, when it rises all through the log
// (a leak, or a cache without a bound); nothing when it has settled or the samples are too few.
std::optional<Bytes> steady_growth(const LoggedGpu& gpu);

// What the user should know before trusting the peak: `peak_growing`, `peak_shared`,
// `peak_short_log`.
Warnings gpu_log_warnings(const GpuLog& log);

}  // namespace gpuplan
