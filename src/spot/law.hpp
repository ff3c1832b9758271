#pragma once

#include <cmath>
#include <optional>

#include "billing/setup.hpp"
#include "spot/numbers.hpp"

namespace gpuplan::spot {

// How long the platform leaves a machine to its renter: the chance behind each life. One machine's
// own; what takes a whole zone is told apart.
class Law {
 public:
  // `zone_hours`: mean time until all machines of the zone are taken at once; infinite: never.
  explicit Law(Lifetime life, double zone_hours = INFINITY)
      : life_(std::move(life)), zone_hours_(zone_hours) {}
  static Law exponential_law(double mean_hours);

  // One life in hours.
  double draw(const Stream& stream, std::uint64_t place, std::uint64_t lane = 0) const;
  // Of memoryless lives: the logarithms of which `draw` makes those of this and the next places.
  std::array<double, Stream::kTogether> logs(const Stream& stream, std::uint64_t place, std::uint64_t lane) const {
    return stream.logs(place, 2 * lane);
  }
  // P(life <= hours).
  double ended_by(double hours) const;
  // E[min(life, hours)].
  double mean_up_to(double hours) const;
  // A life is never longer; infinity where there is no such bound.
  double longest() const;
  double mean() const;
  // Mean time until the first of so many machines is taken, alone or with its zone. Exact where
  // lives are exponential.
  double joint_mean(std::int64_t machines) const;
  double zone_hours() const { return zone_hours_; }
  const Lifetime& life() const { return life_; }
  bool memoryless() const { return life_.kind == Lifetime::Kind::exponential; }

 private:
  Lifetime life_;
  double zone_hours_;
};

// The law that job or offer state; nothing where lives are listed, replayed or not stated.
std::optional<Law> law_of(const Job& job, const SpotRules& rules);

}  // namespace gpuplan::spot
