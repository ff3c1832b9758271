#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "gpuplan/billing.hpp"

namespace gpuplan {

// How a spot plan is tried out. Run number i of a seed draws the same numbers on every offer, machine
// and number of threads.
struct TrialOptions {
  std::int64_t trials = 10'000;
  std::uint64_t seed = 1;
  int threads = 1;      // no result depends on it
  bool ledger = true;   // of the median run
  bool advice = true;   // on the checkpoint interval
};

// Percentiles are the values of runs: rank ceil(p n / 100).
struct MoneySpread {
  Money mean;  // rounded half up to nine decimals
  Money p5, p10, p50, p90, p95;
  double sd = 0, standard_error = 0;
};
struct TimeSpread {
  Duration mean{0};
  Duration p5{0}, p10{0}, p50{0}, p90{0}, p95{0};
  double sd_s = 0, standard_error_s = 0;
};

// Of the runs that finish: money and time of one that never does are not known.
struct Trials {
  std::int64_t n = 0, finished = 0;
  std::uint64_t seed = 0;
  MoneySpread cost;
  TimeSpread wall;
  double reclaims_mean = 0;
  Duration billed_mean{0}, lost_mean{0};  // of all machines; of one
  std::optional<double> finish_probability;  // nothing: how often machines are reclaimed is not stated
  std::optional<double> deadline_probability, budget_probability;  // where the job states such a gate
};

// The work between two checkpoints: what the job says, what would be best, and the mean cost then.
struct CheckpointAdvice {
  Duration every{0};
  std::optional<Duration> best_every;
  std::optional<Money> cost_at_best;
};

struct SpotBill {
  Bill bill;  // of the median run by cost: rank ceil(n/2), ties by the number of the run
  std::map<Item, Money> means;  // of the items; they add up to `mean`
  Money mean;
  TimeLine time_mean;
  Trials trials;
  std::optional<CheckpointAdvice> checkpoint;
};

// The plan "spot" of an offer, many times over: each run has lives drawn by the law that job or
// offer state, and is billed by all the rules of the offer. A plan without chance (lives that are
// listed, or a fixed cap) is one run. Errors: those of `why_no_bill`.
Result<SpotBill> simulate_spot(const BillRequest& request, const TrialOptions& options);

}  // namespace gpuplan
