#pragma once

#include <optional>

#include "billing/setup.hpp"
#include "spot/numbers.hpp"

namespace gpuplan::spot {

// How long the platform leaves a machine to its renter: the chance behind each life.
class Law {
 public:
  explicit Law(Lifetime life) : life_(std::move(life)) {}
  static Law exponential_law(double mean_hours);

  // One life in hours.
  double draw(const Stream& stream, std::uint64_t place, std::uint64_t lane = 0) const;
  // P(life <= hours).
  double ended_by(double hours) const;
  // E[min(life, hours)].
  double mean_up_to(double hours) const;
  // A life is never longer; infinity where there is no such bound.
  double longest() const;
  double mean() const;
  const Lifetime& life() const { return life_; }
  bool memoryless() const { return life_.kind == Lifetime::Kind::exponential; }

 private:
  Lifetime life_;
};

// The law that job or offer state; nothing where lives are listed, replayed or not stated.
std::optional<Law> law_of(const Job& job, const SpotRules& rules);

}  // namespace gpuplan::spot
