// Sessions with exponential lives, and what they become when bills round them.
#include <algorithm>
#include <cmath>

#include "gpuplan/spot_forms.hpp"
#include "spot/numbers.hpp"

namespace gpuplan::spot {
namespace {

double growth(double x) { return exponential_minus_1(x); }  // e^x - 1

// Sum over the pieces between checkpoints of e^(piece / mean) - 1; the last is not written.
double sum_of_pieces(const Sessions& w) {
  const double last_write = w.checkpoint_after_last && w.every > 0 ? w.write : 0;
  if (w.every <= 0 || w.every >= w.work) return growth((w.work + last_write) / w.mean_life);
  const double whole = std::ceil(w.work / w.every * (1 - 1e-15)) - 1;
  const double rest = w.work - whole * w.every;
  return whole * growth((w.every + w.write) / w.mean_life) +
         growth((rest + last_write) / w.mean_life);
}

}  // namespace

// With A = what a reclaim can strike before work begins, B = what it cannot, D = the wait, every
// piece s costs (e^(s/m) - 1) (e^(A/m) (D + m) + B), whether or not it is the first try.
Means means_of(const Sessions& w) {
  const double m = w.mean_life;
  const double struck = w.start + (w.strikes_restore ? w.restore : 0);
  const double immune = w.strikes_restore ? 0 : w.restore;
  const double first_restore = w.first_start_restores ? w.restore : 0;
  const double first_struck = w.start + (w.strikes_restore ? first_restore : 0);
  const double first_immune = w.strikes_restore ? 0 : first_restore;
  const double pieces = w.keeps_everything ? w.work / m : sum_of_pieces(w);
  const double tries = exponential(struck / m);
  const double first_fails = -growth(-first_struck / m);
  Means means;
  means.reclaims = tries * (pieces + first_fails);
  means.billed = first_immune * exponential(-first_struck / m) +
                 (tries * m + immune) * (pieces + first_fails);
  means.makespan = means.billed + (w.wait > 0 ? w.wait * means.reclaims : 0);
  return means;
}

double goodput(const Sessions& w) {
  const double m = w.mean_life;
  const double struck = w.start + (w.strikes_restore ? w.restore : 0);
  const double immune = w.strikes_restore ? 0 : w.restore;
  const double cost = exponential(struck / m) * m + immune;
  if (w.keeps_everything) return m / cost;
  return w.every / (growth((w.every + w.write) / m) * cost);
}

double run_through(double hours, double mean_life) { return exponential(-hours / mean_life); }

double lost_when_reclaimed(double hours, double mean_life) {
  return mean_life - hours / growth(hours / mean_life);
}

double variance_from_zero(double hours, double mean_life) {
  const double m = mean_life, p = run_through(hours, m);
  const double mean = lost_when_reclaimed(hours, m);
  const double square = 2 * m * m - hours * (hours + 2 * m) / growth(hours / m);
  return (1 - p) / p * (square - mean * mean) + (1 - p) / (p * p) * mean * mean;
}

double variance_kept(double hours, double mean_life, double wait_squared) {
  return hours / mean_life * wait_squared;
}

double done_by(double hours, double mean_life, double wait, double deadline) {
  if (deadline < hours) return 0;
  if (wait <= 0) return 1;
  // Landing on the deadline is in time: a slip of the last digit must not miss it.
  const double most = std::floor((deadline - hours) / wait * (1 + 1e-14) + 1e-14);
  const double mean = hours / mean_life;
  if (most > mean + 60 * std::sqrt(mean) + 200) return 1;
  double term = exponential(-mean), sum = term;
  for (double n = 1; n <= most; ++n) sum += term *= mean / n;
  return std::min(sum, 1.0);
}

double best_interval(double write, double mean_life) {
  return mean_life * best_piece(write / mean_life);
}

double young_interval(double write, double mean_life) { return std::sqrt(2 * write * mean_life); }

double daly_interval(double write, double mean_life) {
  if (write >= 2 * mean_life) return mean_life;
  const double ratio = write / (2 * mean_life);
  return young_interval(write, mean_life) * (1 + std::sqrt(ratio) / 3 + ratio / 9) - write;
}

double available_period(double write, double mean_life, double recover) {
  return write + std::sqrt(2 * (mean_life + recover) * write + write * write);
}

std::optional<double> makespan_of(const FixedLife& plan) {
  double left = plan.work, time = 0;
  // A slip of the last digit must not cost a whole session.
  const double slip = 1e-12 * (plan.life + plan.work);
  for (bool first = true;; first = false) {
    const double begin = first && !plan.first_start_restores ? 0 : plan.restore;
    const double room = plan.life - begin;
    const bool pieces = plan.every > 0 && !plan.keeps_everything;
    const double writes = pieces ? std::ceil((left - slip) / plan.every) - 1 : 0;
    if (left + std::max(writes, 0.0) * plan.write <= room + slip)
      return time + begin + left + std::max(writes, 0.0) * plan.write;
    const double saved = plan.keeps_everything ? room
                         : pieces ? std::floor((room + slip) / (plan.every + plan.write)) * plan.every
                                  : 0;
    if (saved <= slip && !first) return std::nullopt;
    left -= std::max(saved, 0.0);
    time += plan.life;
  }
}

double session_by_quantum(double mean_life, double quantum) {
  return quantum / -growth(-quantum / mean_life);
}

double session_with_minimum(double mean_life, double minimum) {
  return minimum + run_through(minimum, mean_life) * mean_life;
}

double session_free_first(double mean_life, double free_within) {
  return (free_within + mean_life) * run_through(free_within, mean_life);
}

double session_capped(double mean_life, double cap) { return -mean_life * growth(-cap / mean_life); }

double billed_by_quantum(double hours, double mean_life, double quantum) {
  const double n = std::round(hours / quantum), q = run_through(quantum, mean_life);
  const double failed = (1 - exponential(-hours / mean_life)) / (1 - q) - n * exponential(-hours / mean_life);
  return hours + exponential(hours / mean_life) * failed * quantum;
}

double billed_free_first(double hours, double mean_life, double free_within) {
  const double h = std::min(free_within, hours);
  const double paid = (h + mean_life) * run_through(h, mean_life) -
                      (hours + mean_life) * run_through(hours, mean_life);
  return hours + exponential(hours / mean_life) * paid;
}

double mean_life_of(double share, double period_hours) {
  return -period_hours / natural_log(1 - share);
}

double reclaimed_within(double hours, double mean_life) { return -growth(-hours / mean_life); }

}  // namespace gpuplan::spot
