#include "gpuplan/environment.hpp"

#include <algorithm>

#include "spec/environment/parts.hpp"
#include "spec/gpu_log/parts.hpp"

namespace gpuplan {
namespace {

// A second output of the same machine fills in what the first one lacks.
void merge(GpuLog&& more, std::optional<GpuLog>& into) {
  if (!into) {
    into = std::move(more);
    return;
  }
  if (into->driver.empty()) into->driver = more.driver;
  if (into->cuda.empty()) into->cuda = more.cuda;
  for (LoggedGpu& gpu : more.gpus) {
    const auto known = std::ranges::find_if(into->gpus, [&](const LoggedGpu& other) {
      return other.index == gpu.index && other.host == gpu.host;
    });
    if (known == into->gpus.end()) {
      into->gpus.push_back(std::move(gpu));
      continue;
    }
    if (known->name.empty()) known->name = gpu.name;
    if (!known->total) known->total = gpu.total;
    if (!known->peak) known->peak = gpu.peak;
    if (!known->utilisation) known->utilisation = gpu.utilisation;
    if (known->capability.empty()) known->capability = gpu.capability;
    known->processes = std::max(known->processes, gpu.processes);
    known->sliced = known->sliced || gpu.sliced;
  }
}

bool blank(const std::string& text) { return trimmed(text).empty(); }

}  // namespace

Result<SeenEnvironment> read_environment(std::string_view text, const std::string& source,
                                         std::span<const std::string_view> frameworks,
                                         std::span<const std::string> columns) {
  const std::string plain = detail::plain_text(text);
  const detail::PasteParts parts = detail::split_paste(plain, columns);
  SeenEnvironment seen;
  Diagnostics faults;
  for (const std::string* part : {&parts.xml, &parts.list, &parts.table, &parts.csv}) {
    if (blank(*part)) continue;
    auto log = read_gpu_state(*part, source,
                              part == &parts.csv ? columns : std::span<const std::string>{});
    if (log)
      merge(std::move(*log), seen.gpus);
    else
      faults.insert(faults.end(), log.errors().begin(), log.errors().end());
  }
  bool any = seen.gpus.has_value();
  for (const std::string& line : parts.rest)
    if (detail::read_framework_line(line, frameworks, seen)) any = true;
  if (!faults.empty()) return faults;
  if (!any)
    return Diagnostic{
        ErrorCode::invalid, source, "1:1", "nothing here that nvidia-smi or torch prints",
        "paste the output of nvidia-smi, and of python -c \"import torch; print(torch.__version__, "
        "torch.version.cuda, torch.cuda.is_available(), torch.cuda.get_arch_list())\""};
  return seen;
}

}  // namespace gpuplan
