#pragma once

#include <array>
#include <optional>
#include <vector>

#include "billing/run.hpp"
#include "billing/sessions.hpp"

namespace gpuplan::spot {

// One run, reduced to what statistics need. Times in microseconds.
struct RunSums {
  Money total;
  Duration wall{0}, queue{0}, startup{0}, run{0}, billed{0}, lost{0};
  std::int64_t reclaims = 0, zone_reclaims = 0;
  bool finished = true;
};

// Runs of a plain job without building their time lines: no schedule, no data to move, nothing that
// costs money but card time, one currency and no account rules. Its totals are those of the full
// bill to the last digit; tests/unit/spot_trials_test.cpp compares the two.
class Quick {
 public:
  // Nothing when this job needs the full bill.
  static std::optional<Quick> of(const billing::Prepared& prepared);
  // `from`: when the machine is asked for; `wall` of the sums is on the same clock.
  RunSums run(billing::Lives& lives, Duration from = Duration{0});
  // Card time by what it was for, of all runs so far, and what rounding added to it.
  using Shares = std::array<Wide, 3>;
  static constexpr std::array kItemsOfShares{Item::startup, Item::compute, Item::lost_work};
  Shares shares() const { return {startup_, work_, lost_}; }
  Money price_of(Wide micros) const;  // so much card time, rounded once

 private:
  explicit Quick(const billing::Prepared& prepared);
  Money price(Duration billed) const;
  void bill(Duration length, Duration startup, Duration lost, bool reclaimed, bool free,
            RunSums& sums);

  // Nanos of money for each microsecond, as a fraction without common factors.
  struct Price {
    std::int64_t above = 0, below = 1;
    billing::Charge charge;
    Duration period{0};
  };
  const billing::Setup* setup_;
  billing::Rhythm rhythm_;
  std::vector<Price> prices_;
  Wide startup_ = 0, work_ = 0, lost_ = 0;
};

}  // namespace gpuplan::spot
