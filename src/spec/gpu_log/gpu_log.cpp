#include "gpuplan/gpu_log.hpp"

#include <algorithm>
#include <array>

#include "core/text.hpp"
#include "gpuplan/money.hpp"
#include "spec/gpu_log/parts.hpp"

namespace gpuplan {
namespace detail {

std::vector<LogLine> lines_of(std::string_view text) {
  std::vector<LogLine> lines;
  for (std::size_t from = 0, number = 1; from < text.size(); ++number) {
    const std::size_t to = std::min(text.find('\n', from), text.size());
    lines.push_back({text.substr(from, to - from), number});
    from = to + 1;
  }
  return lines;
}

Reading reading_of(std::string_view cell, std::string_view unit) {
  cell = trimmed(cell);
  // "[N/A]", "[Not Supported]", "[Unknown Error]": no figure, and never 0.
  if (cell.starts_with('[') || cell == "N/A" || cell == "Not Supported") return {};
  std::string text(cell);
  if (!text.empty() && text.back() >= '0' && text.back() <= '9') text += unit;
  const bool with_unit = !text.empty() && (text.back() < '0' || text.back() > '9');
  const auto size = with_unit ? parse_bytes(text) : std::nullopt;
  if (!size || size->count() < 0) return {.wrong = true};
  return {.value = *size};
}

std::optional<int> percent_of(std::string_view cell) {
  cell = trimmed(cell);
  if (cell.ends_with('%')) cell = trimmed(cell.substr(0, cell.size() - 1));
  if (cell.empty() || cell.size() > 3) return std::nullopt;
  int percent = 0;
  for (const char c : cell) {
    if (c < '0' || c > '9') return std::nullopt;
    percent = percent * 10 + (c - '0');
  }
  return percent <= 100 ? std::optional{percent} : std::nullopt;
}

void GpuLogBuilder::busy(LoggedGpu& gpu, const std::optional<int>& utilisation) {
  if (utilisation) gpu.utilisation = std::max(gpu.utilisation.value_or(0), *utilisation);
}

LoggedGpu& GpuLogBuilder::gpu(std::string_view index, std::string_view name,
                              std::string_view host) {
  const auto found = std::ranges::find_if(gpus_, [&](const LoggedGpu& known) {
    return known.index == index && known.host == host;
  });
  LoggedGpu& gpu = found != gpus_.end() ? *found : gpus_.emplace_back();
  gpu.index = index;
  gpu.host = host;
  if (gpu.name.empty()) gpu.name = name;
  return gpu;
}

void GpuLogBuilder::sample(LoggedGpu& gpu, const Reading& used, const Reading& total) {
  if (total.value) gpu.total = total.value;
  if (!used.value) return;
  gpu.used.push_back(*used.value);
  gpu.peak = gpu.peak ? std::max(*gpu.peak, *used.value) : *used.value;
}

// PowerShell's `>` writes UTF-16; a log has ASCII only, so every other byte goes.
std::string plain_text(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const bool little = text.starts_with("\xff\xfe");
  if (!little && !text.starts_with("\xfe\xff")) return std::string(text);
  std::string plain;
  for (std::size_t i = little ? 2 : 3; i < text.size(); i += 2) plain += text[i];
  return plain;
}

namespace {

std::string_view format_of(std::string_view text) {
  if (text.find("<nvidia_smi_log") != std::string_view::npos || trimmed(text).starts_with('<'))
    return "xml";
  if (text.find("NVSMI LOG") != std::string_view::npos) return "list";
  if (text.find("NVIDIA-SMI") != std::string_view::npos ||
      text.find("+---") != std::string_view::npos)
    return "table";
  return "csv";
}

}  // namespace
}  // namespace detail

const LoggedGpu& GpuLog::busiest() const {
  return *std::ranges::max_element(gpus, {}, [](const LoggedGpu& gpu) {
    return gpu.peak ? gpu.peak->count() : std::int64_t{-1};
  });
}

namespace {

Result<GpuLog> read_log(std::string_view text, const std::string& source,
                        std::span<const std::string> columns, bool state) {
  const std::string plain = detail::plain_text(text);
  Diagnostics faults;
  detail::GpuLogBuilder builder(state);
  GpuLog log;
  log.format = columns.empty() ? detail::format_of(plain) : "csv";
  if (log.format == "xml")
    detail::read_gpu_xml(plain, source, builder, faults);
  else if (log.format == "list")
    detail::read_gpu_list(detail::lines_of(plain), source, builder, faults);
  else if (log.format == "table")
    detail::read_gpu_table(detail::lines_of(plain), source, builder, faults);
  else
    detail::read_gpu_csv(detail::lines_of(plain), columns, source, builder, faults);
  if (!faults.empty()) return faults;
  builder.into(log);
  if (log.gpus.empty())
    return Diagnostic{ErrorCode::invalid, source, "1:1", "this log shows no GPU",
                      "log a trial run with nvidia-smi "
                      "--query-gpu=index,name,memory.used,memory.total --format=csv -l 5"};
  if (!state && !log.busiest().peak)
    return Diagnostic{ErrorCode::invalid, source, "",
                      "the driver gave no figure for the memory in use: [N/A] stands in every line",
                      "on cards that share the host's memory measure it in the program itself and "
                      "give the size, as --measured-peak 18GiB"};
  return log;
}

}  // namespace

Result<GpuLog> read_gpu_log(std::string_view text, const std::string& source,
                            std::span<const std::string> columns) {
  return read_log(text, source, columns, false);
}

Result<GpuLog> read_gpu_state(std::string_view text, const std::string& source,
                              std::span<const std::string> columns) {
  return read_log(text, source, columns, true);
}

std::optional<Bytes> steady_growth(const LoggedGpu& gpu) {
  if (!gpu.peak) return std::nullopt;
  // Loading a model rises too: only what comes after half of the peak counts.
  const std::int64_t peak = gpu.peak->count();
  const auto first = std::ranges::find_if(
      gpu.used, [&](Bytes used) { return used.count() * 2 >= peak; });
  const auto samples = static_cast<std::size_t>(gpu.used.end() - first);
  constexpr std::size_t kWindows = 4;
  if (samples < kWindows) return std::nullopt;
  std::array<std::int64_t, kWindows> highest{};
  for (std::size_t i = 0; i < samples; ++i) {
    std::int64_t& window = highest[i * kWindows / samples];
    window = std::max(window, first[static_cast<std::ptrdiff_t>(i)].count());
  }
  // Every quarter of the log is higher than the one before by more than the allocator's noise.
  for (std::size_t i = 1; i < kWindows; ++i)
    if (highest[i] - highest[i - 1] <= peak / 200) return std::nullopt;
  const std::int64_t rise = gpu.used.back().count() - first->count();
  return Bytes::of(rise / static_cast<std::int64_t>(samples - 1));
}

Warnings gpu_log_warnings(const GpuLog& log) {
  Warnings warnings;
  for (const LoggedGpu& gpu : log.gpus) {
    const std::string which = "GPU " + (gpu.index.empty() ? std::string("0") : gpu.index);
    if (const auto growth = steady_growth(gpu))
      warnings.push_back({"peak_growing",
                          which + ": memory rises all through the log, by " + show_gib(*growth) +
                              " from sample to sample: a leak or a cache that has not filled up, "
                              "so the true peak is higher",
                          which});
    if (gpu.processes > 1)
      warnings.push_back({"peak_shared",
                          which + ": " + std::to_string(gpu.processes) +
                              " compute processes use it, and the peak is that of all together",
                          which});
  }
  const LoggedGpu& busiest = log.busiest();
  if (busiest.used.size() < 3)
    warnings.push_back({"peak_short_log",
                        "the log holds " + std::to_string(busiest.used.size()) +
                            " sample(s) of the busiest GPU: the peak may lie between; log with -l 1 "
                            "through a whole step or evaluation",
                        "--measured-peak"});
  return warnings;
}

}  // namespace gpuplan
