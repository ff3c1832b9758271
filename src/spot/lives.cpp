#include "spot/lives.hpp"

#include <algorithm>
#include <cmath>

namespace gpuplan::spot {
namespace {

constexpr double kHourMicros = 3.6e9;
// Numbers of one place of a run: two for each machine, and those of zone and waits far behind.
constexpr std::uint64_t kZoneLane = std::uint64_t{1} << 48, kWaitLane = std::uint64_t{1} << 49;

Duration to_time(double hours) {
  const double micros = hours * kHourMicros;
  if (!(micros < static_cast<double>(billing::kHorizon.count()))) return billing::kHorizon;
  return Duration{static_cast<std::int64_t>(micros + 0.5)};
}

}  // namespace

DrawnLives::DrawnLives(const Chances& chances, std::int64_t machines, std::uint64_t seed)
    : law_(*chances.life),
      wait_(chances.wait),
      machines_(static_cast<std::uint64_t>(machines)),
      seed_(seed),
      stream_(seed, 0) {}

void DrawnLives::begin_run(std::int64_t run) {
  stream_ = Stream(seed_, static_cast<std::uint64_t>(run));
  zone_events_.clear();
  begin_task(0);
}

void DrawnLives::begin_task(std::int64_t task) {
  task_ = static_cast<std::uint64_t>(task);
  session_ = waits_ = logs_end_ = 0;
}

std::optional<Duration> DrawnLives::next(Duration begin) {
  double life = own_life();
  ++session_;
  if (!std::isinf(law_.zone_hours())) {
    const double zone = zone_left(static_cast<double>(begin.count()) / kHourMicros);
    by_zone_ = zone < life;
    life = std::min(life, zone);
  }
  return to_time(life);
}

// The life of the machines of this session, which the first reclaim ends.
double DrawnLives::own_life() {
  constexpr std::uint64_t kFew = 2;  // sessions: most runs have no more
  const std::uint64_t lane = task_ * machines_;
  if (law_.memoryless()) {
    double life = 0;
    if (session_ < kFew) {
      life = law_.draw(stream_, session_, lane);
    } else {
      if (session_ >= logs_end_) {
        logs_ = law_.logs(stream_, session_, lane);
        logs_end_ = session_ + Stream::kTogether;
      }
      life = -law_.life().hours * logs_[session_ + Stream::kTogether - logs_end_];
    }
    return machines_ == 1 ? life : life / static_cast<double>(machines_);  // the least of n such lives is such a life
  }
  double life = law_.draw(stream_, session_, lane);
  for (std::uint64_t i = 1; i < machines_; ++i)
    life = std::min(life, law_.draw(stream_, session_, lane + i));
  return life;
}

// Until the zone is taken the next time: moments that all machines of a run share.
double DrawnLives::zone_left(double from) {
  while (zone_events_.empty() || zone_events_.back() <= from) {
    double before = zone_events_.empty() ? 0 : zone_events_.back();
    // What nobody has seen needs no list: chance has no memory.
    if (from - before > 1e4 * law_.zone_hours()) before = from;
    const double u = stream_.uniform(zone_events_.size(), kZoneLane);
    zone_events_.push_back(std::fmax(before - law_.zone_hours() * natural_log(u),
                                     std::nextafter(before, INFINITY)));
  }
  return *std::ranges::upper_bound(zone_events_, from) - from;
}

Duration DrawnLives::longest() const {
  const double longest = law_.longest();
  return std::isinf(longest) ? billing::kNever : to_time(longest);
}

std::optional<Duration> DrawnLives::wait() {
  if (!wait_) return std::nullopt;
  return to_time(wait_->draw(stream_, waits_++, kWaitLane + task_));
}

}  // namespace gpuplan::spot
