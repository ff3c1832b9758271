#include "speed/step.hpp"

#include <fmt/format.h>

#include <array>
#include <numeric>
#include <utility>

namespace gpuplan {

std::string_view name_of(Bound bound) {
  struct Row {
    Bound bound;
    std::string_view name;
  };
  constexpr std::array kNames{Row{Bound::compute, "compute"}, Row{Bound::memory, "memory"},
                              Row{Bound::interconnect, "interconnect"},
                              Row{Bound::storage, "storage"}, Row{Bound::host, "host"}};
  for (const Row& row : kNames)
    if (row.bound == bound) return row.name;
  return {};
}

namespace detail {

double Step::seconds() const {
  return std::accumulate(parts_.begin(), parts_.end(), 0.0,
                         [](double sum, const Part& part) { return sum + part.seconds; });
}

double Step::seconds(Bound bound) const {
  return std::accumulate(
      parts_.begin(), parts_.end(), 0.0,
      [&](double sum, const Part& part) { return part.bound == bound ? sum + part.seconds : sum; });
}

Step Step::times(double factor) const {
  Step scaled = *this;
  for (Part& part : scaled.parts_) part.seconds *= factor;
  return scaled;
}

void Step::append(const Step& other) {
  parts_.insert(parts_.end(), other.parts_.begin(), other.parts_.end());
}

Bound dominant(const Step& step) {
  Bound worst = Bound::compute;
  for (const Bound bound : {Bound::memory, Bound::interconnect, Bound::storage, Bound::host})
    if (step.seconds(bound) > step.seconds(worst)) worst = bound;
  return worst;
}

void explain_step(const Step& step, std::string_view prefix, std::vector<Explained>& lines) {
  for (const Part& part : step.parts())
    lines.push_back({fmt::format("{}{}", prefix, part.name), part.formula,
                     fmt::format("{} = {}", part.inputs, show_time(part.seconds)),
                     std::string(part.source)});
}

std::string show_time(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.3g} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.3g} ms", seconds * 1e3);
  return fmt::format("{:.4g} s", seconds);
}

std::string show_amount(double amount, std::string_view unit) {
  struct Prefix {
    double factor;
    std::string_view name;
  };
  constexpr std::array kPrefixes{Prefix{1e21, "Z"}, Prefix{1e18, "E"}, Prefix{1e15, "P"}, Prefix{1e12, "T"}, Prefix{1e9, "G"},
                                 Prefix{1e6, "M"}, Prefix{1e3, "k"}};
  for (const Prefix& prefix : kPrefixes)
    if (amount >= prefix.factor)
      return fmt::format("{:.4g} {}{}", amount / prefix.factor, prefix.name, unit);
  return fmt::format("{:.4g} {}", amount, unit);
}

}  // namespace detail
}  // namespace gpuplan
