// Quantities for people's eyes; nothing reads them back.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "gpuplan/units.hpp"

namespace gpuplan {

std::string show_gib(Bytes bytes, int decimals) {
  return fmt::format("{:.{}f} GiB", bytes.as_double() / (1 << 30), decimals);
}

std::string show_bytes(Bytes bytes) {
  struct Step {
    double size;
    std::string_view unit;
  };
  constexpr std::array kSteps{Step{1e12, "TB"}, Step{1e9, "GB"}, Step{1e6, "MB"}, Step{1e3, "kB"}};
  for (const Step& step : kSteps)
    if (bytes.as_double() >= step.size) return fmt::format("{:.4g} {}", bytes.as_double() / step.size, step.unit);
  return fmt::format("{} B", bytes.count());
}

std::string show_duration(Duration duration) {
  const std::int64_t seconds = (duration.count() + 500'000) / 1'000'000;
  if (seconds < 60) return fmt::format("{:.3g} s", static_cast<double>(duration.count()) * 1e-6);
  const std::int64_t minutes = (seconds + 30) / 60;
  if (minutes < 60) return fmt::format("{} min", minutes);
  const std::int64_t hours = minutes / 60;
  if (hours < 48)
    return minutes % 60 == 0 ? fmt::format("{} h", hours)
                             : fmt::format("{} h {:02} min", hours, minutes % 60);
  return hours % 24 == 0 ? fmt::format("{} d", hours / 24)
                         : fmt::format("{} d {} h", hours / 24, hours % 24);
}

std::string show_count(double count) {
  struct Step {
    double size;
    std::string_view unit;
  };
  constexpr std::array kSteps{Step{1e12, " T"}, Step{1e9, " B"}, Step{1e6, " M"}};
  for (const Step& step : kSteps)
    if (count >= step.size) return fmt::format("{:.4g}{}", count / step.size, step.unit);
  return count >= 1000 ? fmt::format("{:.0f}", count) : fmt::format("{:.4g}", count);
}

}  // namespace gpuplan
