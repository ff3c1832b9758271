// What users paste: outputs of nvidia-smi, torch and pip.
#include "../shared.hpp"
#include "gpuplan/check.hpp"
#include "gpuplan/environment.hpp"
#include "gpuplan/gpu_log.hpp"
#include "gpuplan/render.hpp"

namespace gpuplan::fuzz {

void feed_gpu_log(std::string_view bytes) {
  const auto log = gpuplan::read_gpu_log(bytes, "fuzz.txt");
  if (log) {
    const LoggedGpu& busiest = log->busiest();
    demand(busiest.peak.has_value() && *busiest.peak >= Bytes{}, "a log without a peak");
    for (const LoggedGpu& gpu : log->gpus) (void)steady_growth(gpu);
    (void)gpu_log_warnings(*log);
  } else {
    look_at(log.errors());
  }
  const std::vector<std::string> columns{"index", "used", "total", "name"};
  if (const auto bare = gpuplan::read_gpu_log(bytes, "fuzz.txt", columns); !bare) look_at(bare.errors());
}

void feed_environment(std::string_view bytes) {
  static const CompatTable compat = *builtin_compat_table();
  const auto seen = gpuplan::read_environment(bytes, "fuzz.txt", compat.framework_names());
  if (!seen) return look_at(seen.errors());
  CheckRequest request;
  request.seen = *seen;
  request.sources = {"fuzz.txt"};
  request.as_of = parse_date("2026-11-30");
  const auto checked = check_environment(request, compat, cards());
  if (!checked) return look_at(checked.errors());
  RenderOptions how;
  const std::string text = render(*checked, how);
  for (const char c : text)
    demand(c == '\n' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f), "a control character is shown");
}

}  // namespace gpuplan::fuzz
