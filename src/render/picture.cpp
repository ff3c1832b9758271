#include "render/picture.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/text.hpp"

namespace gpuplan {

Scale scale_of(double low, double high, int count) {
  if (!(high > low)) high = low + 1;
  const double raw = (high - low) / count;
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  double step = 10 * power;
  for (const double nice : {1.0, 2.0, 5.0})
    if (nice * power >= raw * 0.999999) {
      step = nice * power;
      break;
    }
  return {.low = std::floor(low / step + 1e-9) * step,
          .high = std::ceil(high / step - 1e-9) * step,
          .step = step};
}

std::vector<double> Scale::ticks() const {
  std::vector<double> at;
  for (int i = 0; low + i * step <= high + step / 2; ++i) at.push_back(low + i * step);
  return at;
}

std::string tick_text(double value) {
  return fmt::format("{:.6g}", std::abs(value) < 1e-12 ? 0.0 : value);
}

std::string shortened(std::string_view text, std::size_t cells) {
  if (display_width(text) <= cells) return std::string(text);
  std::string out(text);
  while (!out.empty() && display_width(out) + 1 > cells) {
    while (!out.empty() && (static_cast<unsigned char>(out.back()) & 0xc0U) == 0x80U)
      out.pop_back();
    if (!out.empty()) out.pop_back();
  }
  return out + "…";
}

}  // namespace gpuplan
