#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpuplan/billing.hpp"

namespace gpuplan {

// Whether a spot machine is there, tick by tick.
struct Availability {
  Duration gap{0};
  std::vector<char> up;  // 1: there
};
// Reads {"metadata": {"gap_seconds": 600}, "data": [0, 1, n, ...]}. Every fault is reported.
Result<Availability> read_availability(std::string_view text, const std::string& source);
using AvailabilityFiles = std::map<std::string, Availability>;  // by the path in the offer's rules

// When to rent on demand instead of waiting for a spot machine. At every tick one of: nothing, spot,
// on demand.
enum class PolicyKind {
  spot,                 // wait for spot, whatever the deadline
  spot_else_on_demand,  // never wait
  greedy,               // wait until the slack is gone, then on demand to the end
  progress_line,        // on demand only while behind work x time / deadline
  last_minute,          // wait until the slack is gone, then spot where it is, else on demand
  reserve,              // wait with what slack is not held back for starts and for bad hours
  retries,              // so many spot machines, then on demand
  mixed                 // of the machines that share the tasks so many are rented on demand
};
struct Policy {
  PolicyKind kind = PolicyKind::spot;
  std::int64_t count = 0;  // of retries, or of machines on demand
  // With the guard of the published simulator, which may miss a deadline by a tick; else with our
  // own, which never misses one that on demand would meet.
  bool published = false;
};
// "greedy", "greedy:published", "retries:3", "mixed:2". Nothing for other text.
std::optional<Policy> parse_policy(std::string_view text);
std::vector<std::string_view> policy_names();

// How a spot plan is tried out. Run number i of a seed draws the same numbers on every offer, machine
// and number of threads.
struct TrialOptions {
  std::int64_t trials = 10'000;
  std::uint64_t seed = 1;
  int threads = 1;      // no result depends on it
  bool ledger = true;   // of the median run
  bool advice = true;   // on the checkpoint interval
  const AvailabilityFiles* availability = nullptr;  // of offers whose rules name such a file
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
  double reclaims_mean = 0, reclaims_error = 0;  // standard errors of the means stand beside them
  double zone_reclaims_mean = 0;  // of these, those that took every machine of the zone
  double undisturbed = 0;  // share of all runs that no reclaim strikes
  Duration billed_mean{0}, lost_mean{0};  // of all machines; of one
  double billed_error_s = 0, lost_error_s = 0;
  std::optional<double> finish_probability;  // nothing: how often machines are reclaimed is not stated
  std::optional<double> deadline_probability, budget_probability;  // where the job states such a gate
};

// The work between two checkpoints: what the job says, what would be best, and the mean cost then.
struct CheckpointAdvice {
  Duration every{0};
  std::optional<Duration> best_every;  // in equal pieces of whole seconds
  std::optional<Money> cost_at_best;
  // Hours by the forms of spot_forms.hpp: exact for exponential lives, Young's, Daly's, and the
  // period, with its write, that keeps machines available most. Nothing where writes take no time.
  std::optional<double> exact, young, daly, available_period;
};

// What closed forms say; nothing where none holds. Times in hours, of the mean unless said otherwise.
struct ClosedForm {
  std::optional<double> wall, billed, reclaims;  // `billed`: of all machines
  std::optional<double> wall_sd;
  std::optional<double> run_through;        // P(no reclaim at all)
  std::optional<double> deadline;           // P(done by the job's deadline)
  std::optional<double> lost_if_reclaimed;  // work lost by a reclaim of work that begins from zero
  std::optional<double> useful_share;       // of the card time of a job that is much longer than a life
};

// What closed forms say of a job before any run is tried; nothing where they do not hold.
struct SpotOutlook {
  ClosedForm expected;
  std::optional<Duration> break_even_life;  // mean life from which card time costs less than on demand
  std::optional<std::int64_t> best_tasks;   // into so many should work without checkpoints be cut
  std::optional<double> split_hours;        // machine hours then
};

struct SpotBill {
  Bill bill;  // of the median run by cost: rank ceil(n/2), ties by the number of the run
  std::map<Item, Money> means;  // of the items; they add up to `mean`
  Money mean;
  TimeLine time_mean;
  Trials trials;
  std::optional<CheckpointAdvice> checkpoint;
  SpotOutlook outlook;
};

// From which mean life on spot takes less card time than on demand, in money, by closed forms of
// exponential lives. Nothing where the offer is not sold both ways.
struct SpotBreakEven {
  double price_ratio = 0;                 // an hour on demand over one on spot
  std::optional<double> load;             // work from zero over mean life; nothing: spot is dearer
  std::optional<double> mean_life_hours;  // of one machine; 0: however short; nothing: never, or no
                                          // work is stated
};
std::optional<SpotBreakEven> spot_break_even(const BillRequest& request);
// The mean life of one machine, in hours, at which the request's work takes `ratio` times the card
// time that it takes undisturbed, by the same forms. Nothing where no life does.
std::optional<double> life_at_ratio(const BillRequest& request, double ratio);
// What one run comes to on average, by the same forms.
struct SpotMeans {
  double card_time = 1;  // a multiple of what the work takes undisturbed
  double reclaims = 0;
};
// Nothing where no closed form holds: policies, traces, windows, tasks.
std::optional<SpotMeans> spot_means(const BillRequest& request);

// The plan "spot" of an offer, many times over: each run has lives drawn by the law that job or
// offer state, and is billed by all the rules of the offer. A plan without chance (lives that are
// listed, or a fixed cap) is one run. Errors: those of `why_no_bill`.
Result<SpotBill> simulate_spot(const BillRequest& request, const TrialOptions& options);

}  // namespace gpuplan
