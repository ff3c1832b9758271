// Several machines, several tasks, and slots of time.
#include <algorithm>
#include <cmath>
#include <vector>

#include "gpuplan/spot_forms.hpp"
#include "spot/numbers.hpp"

namespace gpuplan::spot {
namespace {

// ln n!, added up: the numbers here are slots and machines, thousands at most.
std::vector<double> log_factorials(std::int64_t most) {
  std::vector<double> sums(static_cast<std::size_t>(most) + 1, 0.0);
  for (std::size_t n = 2; n < sums.size(); ++n)
    sums[n] = sums[n - 1] + natural_log(static_cast<double>(n));
  return sums;
}

double at(const std::vector<double>& list, std::int64_t index) {
  return list[static_cast<std::size_t>(index)];
}

}  // namespace

double joint_life(std::int64_t machines, double mean_life, double zone_mean) {
  const double rate = static_cast<double>(machines) / mean_life;
  return 1 / (rate + (zone_mean > 0 ? 1 / zone_mean : 0));
}

double zone_share(std::int64_t machines, double mean_life, double zone_mean) {
  return joint_life(machines, mean_life, zone_mean) / zone_mean;
}

double life_with_spares(std::int64_t machines, std::int64_t spares, double mean_life) {
  double sum = 0;
  for (std::int64_t j = 0; j <= spares; ++j)
    sum += mean_life / static_cast<double>(machines + spares - j);
  return sum;
}

double enough_up(std::int64_t needed, std::int64_t machines, double up) {
  if (needed <= 0) return 1;
  if (needed > machines || up <= 0) return 0;
  if (up >= 1) return 1;
  const auto logs = log_factorials(machines);
  double sum = 0;
  for (std::int64_t k = needed; k <= machines; ++k)
    sum += exponential(at(logs, machines) - at(logs, k) - at(logs, machines - k) +
                       static_cast<double>(k) * natural_log(up) +
                       static_cast<double>(machines - k) * natural_log(1 - up));
  return std::min(sum, 1.0);
}

double split_hours(double hours, double mean_life, double start, std::int64_t tasks) {
  const auto k = static_cast<double>(tasks);
  return k * mean_life * exponential_minus_1((start + hours / k) / mean_life);
}

std::int64_t best_splits(double hours, double mean_life, double start) {
  constexpr std::int64_t kMost = 1'000'000;
  if (start <= 0) return kMost;  // cutting costs nothing: the finer the better
  const double piece = best_interval(start, mean_life);
  const auto low = std::clamp<std::int64_t>(static_cast<std::int64_t>(hours / piece), 1, kMost);
  const std::int64_t high = std::min(low + 1, kMost);
  return split_hours(hours, mean_life, start, high) < split_hours(hours, mean_life, start, low)
             ? high
             : low;
}

double bill_with_retries(double hours, double mean_life, std::int64_t tries, double spot_price,
                         double price) {
  const double fails = 1 - run_through(hours, mean_life);
  const double all_fail = exponential(static_cast<double>(tries) * natural_log(fails));
  const double session = mean_life * fails;
  return spot_price * session * (1 - all_fail) / (1 - fails) + price * hours * all_fail;
}

double bill_hot_standby(double hours, double mean_life, double spot_price, double price) {
  return spot_price * session_capped(mean_life, hours) + price * hours;
}

double break_even_load(double ratio) {
  if (ratio <= 1) return 0;
  // (e^x - 1) / x = ratio; the left side grows: bisection, then Newton for the last digits.
  double low = 0, high = 1;
  while (exponential_minus_1(high) < ratio * high) high *= 2;
  for (int i = 0; i < 40; ++i) {
    const double middle = (low + high) / 2;
    (exponential_minus_1(middle) < ratio * middle ? low : high) = middle;
  }
  double x = high;
  for (int i = 0; i < 4; ++i)
    x -= (exponential_minus_1(x) - ratio * x) / (exponential(x) - ratio);
  return x;
}

// Slots with spot until the slack of `deadline - work` slots without it is used up:
// E[min(work, N)], N of the negative binomial law.
double spot_slots(const Slots& slots) {
  const std::int64_t slack = slots.deadline - slots.work;
  if (slack <= 0 || slots.up <= 0) return 0;
  if (slots.up >= 1) return static_cast<double>(slots.work);
  const auto logs = log_factorials(slots.deadline);
  const double log_up = natural_log(slots.up), log_down = natural_log(1 - slots.up);
  double mean = 0, sum = 0;
  for (std::int64_t n = 0; n < slots.work; ++n) {
    const double p = exponential(at(logs, n + slack - 1) - at(logs, n) - at(logs, slack - 1) +
                                 static_cast<double>(n) * log_up +
                                 static_cast<double>(slack) * log_down);
    sum += p;
    mean += static_cast<double>(n) * p;
  }
  return mean + static_cast<double>(slots.work) * (1 - sum);
}

double spot_slots_always(const Slots& slots) {
  const double before = spot_slots(slots);
  return before + slots.up * (static_cast<double>(slots.work) - before);
}

double missed_on_spot_alone(const Slots& slots) {
  return 1 - enough_up(slots.work, slots.deadline, slots.up);
}

}  // namespace gpuplan::spot
