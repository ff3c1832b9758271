#include "spot/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gpuplan::spot {
namespace {

// The value of rank ceil(percent n / 100), counted from 1.
template <class Value>
class Ranks {
 public:
  explicit Ranks(std::vector<Value> values) : values_(std::move(values)) {
    std::ranges::sort(values_);
  }
  Value at(std::size_t percent) const {
    const std::size_t rank = (percent * values_.size() + 99) / 100;
    return values_[std::max<std::size_t>(rank, 1) - 1];
  }

 private:
  std::vector<Value> values_;
};

// Deviations from the mean, added up in the order of the runs.
double deviation(const std::vector<double>& offsets) {
  double sum = 0;
  for (const double offset : offsets) sum += offset * offset;
  return offsets.size() < 2 ? 0 : std::sqrt(sum / static_cast<double>(offsets.size() - 1));
}

}  // namespace

Wide mean_of(Wide sum, std::int64_t n) {
  const Wide twice = 2 * sum + n, both = 2 * Wide{n};
  return twice / both - (twice % both < 0 ? 1 : 0);
}

void spread(const std::vector<Outcome>& runs, Trials& trials) {
  std::vector<Wide> totals;
  std::vector<std::int64_t> walls;
  Wide total_sum = 0, wall_sum = 0;
  for (const Outcome& run : runs) {
    if (!run.finished) continue;
    totals.push_back(run.total.nanos());
    walls.push_back(run.wall.count());
    total_sum += totals.back();
    wall_sum += walls.back();
  }
  if (totals.empty()) return;
  const auto n = static_cast<std::int64_t>(totals.size());
  trials.cost.mean = Money::nanos(mean_of(total_sum, n));
  trials.wall.mean = Duration{static_cast<std::int64_t>(mean_of(wall_sum, n))};
  std::vector<double> offsets(totals.size());
  for (std::size_t i = 0; i < totals.size(); ++i)
    offsets[i] = 1e-9 * static_cast<double>(totals[i] - trials.cost.mean.nanos());
  const double root = std::sqrt(static_cast<double>(n));
  trials.cost.sd = deviation(offsets);
  trials.cost.standard_error = trials.cost.sd / root;
  for (std::size_t i = 0; i < walls.size(); ++i)
    offsets[i] = 1e-6 * static_cast<double>(walls[i] - trials.wall.mean.count());
  trials.wall.sd_s = deviation(offsets);
  trials.wall.standard_error_s = trials.wall.sd_s / root;
  const Ranks costs(std::move(totals));
  const auto money = [&](std::size_t percent) { return Money::nanos(costs.at(percent)); };
  trials.cost.p5 = money(5);
  trials.cost.p10 = money(10);
  trials.cost.p50 = money(50);
  trials.cost.p90 = money(90);
  trials.cost.p95 = money(95);
  const Ranks times(std::move(walls));
  const auto time = [&](std::size_t percent) { return Duration{times.at(percent)}; };
  trials.wall.p5 = time(5);
  trials.wall.p10 = time(10);
  trials.wall.p50 = time(50);
  trials.wall.p90 = time(90);
  trials.wall.p95 = time(95);
}

std::int64_t median_run(const std::vector<Outcome>& runs) {
  std::vector<std::int64_t> order;
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (runs[i].finished) order.push_back(static_cast<std::int64_t>(i));
  if (order.empty()) return -1;
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>((order.size() + 1) / 2 - 1);
  std::ranges::nth_element(order, middle, [&](std::int64_t a, std::int64_t b) {
    const Money left = runs[static_cast<std::size_t>(a)].total;
    const Money right = runs[static_cast<std::size_t>(b)].total;
    return left != right ? left < right : a < b;
  });
  return *middle;
}

}  // namespace gpuplan::spot
