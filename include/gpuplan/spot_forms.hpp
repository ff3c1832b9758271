#pragma once

#include <cstdint>
#include <optional>
#include <span>

// Closed forms for work on machines that can be taken back. Times are hours, rates per hour; every
// form states what it assumes. What cannot be is infinite, never an error. examples/SPOT.md derives
// them; tests/unit/spot_forms_test.cpp holds them to published and to hand-worked values.
namespace gpuplan::spot {

// Work in sessions whose lives are exponential with the mean `mean_life`.
struct Sessions {
  double work = 0, mean_life = 0;
  double start = 0;    // of every session, billed; a reclaim can strike it
  double restore = 0;  // read-back at the begin of every session but the first, billed
  double wait = 0;     // for the next machine, not billed
  double every = 0;    // work between two checkpoints; 0: none is written
  double write = 0;    // of one checkpoint
  // The conventions about which simulators differ.
  bool strikes_restore = true;        // a reclaim can strike the read-back
  bool first_start_restores = false;  // the first session reads back as well
  bool checkpoint_after_last = false;
  bool keeps_everything = false;  // a notice long enough to save: nothing is done again
};
struct Means {
  double makespan = 0, billed = 0, reclaims = 0;
};
Means means_of(const Sessions& work);
// Share of billed time that is useful, for a job much longer than `mean_life`.
double goodput(const Sessions& work);

double run_through(double hours, double mean_life);  // P(no reclaim)
// Mean work lost by a reclaim that falls into a window of `hours`.
double lost_when_reclaimed(double hours, double mean_life);
// Variance of the makespan from zero, without start, restore and wait.
double variance_from_zero(double hours, double mean_life);
// The same with progress kept, waits of the mean square `wait_squared` and nothing to restore.
double variance_kept(double hours, double mean_life, double wait_squared);
// P(done by `deadline`): progress kept, nothing to restore, every reclaim costs the fixed `wait`.
double done_by(double hours, double mean_life, double wait, double deadline);

// Work between two checkpoints that makes the time shortest. `write` > 0.
double best_interval(double write, double mean_life);   // exact for exponential lives
double young_interval(double write, double mean_life);  // sqrt(2 write mean), Young 1974
double daly_interval(double write, double mean_life);   // of higher order, Daly 2006
// Period including the write that keeps machines available most, arXiv 2410.18124.
double available_period(double write, double mean_life, double recover);

// Sessions of a fixed length `life`: when the work is done, or nothing when it never is.
struct FixedLife {
  double work = 0, life = 0, restore = 0, every = 0, write = 0;
  bool keeps_everything = false, first_start_restores = false;
};
std::optional<double> makespan_of(const FixedLife& plan);

// Billed hours of one session that is reclaimed.
double session_by_quantum(double mean_life, double quantum);      // each quantum begun in full
double session_with_minimum(double mean_life, double minimum);
double session_free_first(double mean_life, double free_within);  // reclaimed earlier: no charge
double session_capped(double mean_life, double cap);              // a life of `cap` at most
// Billed hours of the whole work from zero with these rules; `hours` whole quanta.
double billed_by_quantum(double hours, double mean_life, double quantum);
double billed_free_first(double hours, double mean_life, double free_within);

// Several machines: mean time to the first reclaim that stops all of them. `zone_mean` 0: none.
double joint_life(std::int64_t machines, double mean_life, double zone_mean = 0);
// Share of those in which every machine goes at once.
double zone_share(std::int64_t machines, double mean_life, double zone_mean);
// Until fewer than `machines` of machines + spares are left.
double life_with_spares(std::int64_t machines, std::int64_t spares, double mean_life);
// P(at least `needed` of `machines` are up), each with the share `up` of the time.
double enough_up(std::int64_t needed, std::int64_t machines, double up);

// The work cut into `tasks` equal ones, each from zero, each attempt with `start`: machine hours.
double split_hours(double hours, double mean_life, double start, std::int64_t tasks);
std::int64_t best_splits(double hours, double mean_life, double start);

// Bills at a price an hour: `tries` on the spot market from zero, then on demand.
double bill_with_retries(double hours, double mean_life, std::int64_t tries, double spot_price,
                         double price);
double bill_hot_standby(double hours, double mean_life, double spot_price, double price);
// Work over mean life at which spot from zero costs the same as on demand. `ratio` of the prices,
// on demand over spot, above 1.
double break_even_load(double ratio);

// Slots in which a spot machine is there with the chance `up`, each for itself; `slots` of work to
// be done within `deadline` slots: wait for spot while there is slack, then on demand.
struct Slots {
  std::int64_t work = 0, deadline = 0;
  double up = 0;
};
double spot_slots(const Slots& slots);  // until the slack is gone; then on demand to the end
double spot_slots_always(const Slots& slots);  // spot also after that, whenever it is there
double missed_on_spot_alone(const Slots& slots);

// A share that is reclaimed within a period, as clouds publish it, and the mean life it stands for.
double mean_life_of(double share, double period_hours);
double reclaimed_within(double hours, double mean_life);  // the other way round

}  // namespace gpuplan::spot
