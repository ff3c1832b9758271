#include "spot/lives.hpp"

#include <algorithm>
#include <cmath>

namespace gpuplan::spot {
namespace {

constexpr double kHourMicros = 3.6e9;

Duration to_time(double hours) {
  const double micros = hours * kHourMicros;
  if (!(micros < static_cast<double>(billing::kHorizon.count()))) return billing::kHorizon;
  return Duration{static_cast<std::int64_t>(micros + 0.5)};
}

}  // namespace

DrawnLives::DrawnLives(const Law& law, std::int64_t machines, std::uint64_t seed)
    : law_(law), machines_(static_cast<std::uint64_t>(machines)), seed_(seed), stream_(seed, 0) {}

void DrawnLives::begin_run(std::int64_t run) {
  stream_ = Stream(seed_, static_cast<std::uint64_t>(run));
  session_ = 0;
}

std::optional<Duration> DrawnLives::next() {
  double life = law_.draw(stream_, session_);
  if (law_.memoryless()) {
    life /= static_cast<double>(machines_);  // the least of n such lives is such a life
  } else {
    for (std::uint64_t i = 1; i < machines_; ++i)
      life = std::min(life, law_.draw(stream_, session_, i));
  }
  ++session_;
  return to_time(life);
}

Duration DrawnLives::longest() const {
  const double longest = law_.longest();
  return std::isinf(longest) ? billing::kNever : to_time(longest);
}

}  // namespace gpuplan::spot
