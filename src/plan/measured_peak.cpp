#include <algorithm>

#include "core/text.hpp"
#include "gpuplan/plan.hpp"

namespace gpuplan {
namespace {

// The card that the log was made on, when its memory is not what the table knows: a modified or
// another board.
void check_cards(const GpuLog& log, const CardTable& cards, Warnings& warnings) {
  for (const LoggedGpu& gpu : log.gpus) {
    if (gpu.name.empty() || !gpu.total) continue;
    const auto found = cards.find(gpu.name);
    if (!found) continue;
    const std::int64_t known = found->card->memory.count();
    const std::int64_t off = std::abs(gpu.total->count() - known);
    const bool another = std::ranges::any_of(found->others, [&](const Card* card) {
      return std::abs(gpu.total->count() - card->memory.count()) <= known / 20;
    });
    if (off > known / 20 && !another)
      warnings.push_back({"log_card_memory",
                          "GPU " + gpu.index + " of the log calls itself " + quote(gpu.name) + " with " +
                              show_gib(*gpu.total) + "; that card has " + show_gib(found->card->memory),
                          gpu.name});
  }
}

}  // namespace

Result<std::optional<GpuLog>> settle_measured_peak(Job& job, const FileReader& read_file,
                                                   const CardTable& cards, Warnings& warnings) {
  if (!job.measured_peak) return std::optional<GpuLog>{};
  if (const auto size = parse_bytes(*job.measured_peak)) {
    job.measured = *size;
    return std::optional<GpuLog>{};
  }
  const std::string& path = *job.measured_peak;
  const char first = path.empty() ? '0' : path.front();
  if ((first >= '0' && first <= '9') || path.empty())
    return Diagnostic{ErrorCode::usage, "--measured-peak", "",
                      "expected the peak of a trial run such as 18GB, or an nvidia-smi log, got " +
                          quote(path),
                      unit_hint(path, UnitKind::bytes)};
  const auto text = read_file(path);
  if (!text) {
    Diagnostics faults = text.errors();
    for (Diagnostic& fault : faults)
      fault.hint = "--measured-peak takes a size such as 18GB, or the file of an nvidia-smi log";
    return faults;
  }
  auto log = read_gpu_log(*text, path == "-" ? "<stdin>" : path, job.measured_columns);
  if (!log) return log.errors();
  job.measured = *log->busiest().peak;
  const Warnings about = gpu_log_warnings(*log);
  warnings.insert(warnings.end(), about.begin(), about.end());
  check_cards(*log, cards, warnings);
  return std::optional{std::move(*log)};
}

}  // namespace gpuplan
