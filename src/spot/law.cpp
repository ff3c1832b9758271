#include "spot/law.hpp"

#include <algorithm>

namespace gpuplan::spot {
namespace {

using Kind = Lifetime::Kind;

double total_weight(const Lifetime& life) {
  double sum = 0;
  for (const Lifetime::Part& part : life.parts) sum += part.weight;
  return sum;
}

double power(double base, double exponent) {
  return base <= 0 ? 0 : exponential(exponent * natural_log(base));
}

double left_at(const Lifetime& life, double hours) {
  double left = 1;
  for (const Lifetime::Step& step : life.steps) {
    if (step.hours > hours) break;
    left = step.left;
  }
  return left;
}

// Simpson's rule in panels that halve towards 0, where densities of shapes below 1 are steep.
template <class Function>
double integral(Function f, double to) {
  double sum = 0, high = to;
  for (int panel = 0; panel < 60; ++panel) {
    const double low = panel == 59 ? 0 : high / 2;
    constexpr int kSteps = 64;
    const double step = (high - low) / kSteps;
    double part = f(low) + f(high);
    for (int i = 1; i < kSteps; ++i) part += (i % 2 == 1 ? 4 : 2) * f(low + i * step);
    sum += part * step / 3;
    high = low;
  }
  return sum;
}

}  // namespace

Law Law::exponential_law(double mean_hours) {
  return Law({.kind = Kind::exponential, .shape = 1, .hours = mean_hours});
}

double Law::draw(const Stream& stream, std::uint64_t place, std::uint64_t lane) const {
  const double u = stream.uniform(place, 2 * lane);
  switch (life_.kind) {
    case Kind::exponential:
      return -life_.hours * natural_log(u);
    case Kind::weibull:
      return life_.hours * power(-natural_log(u), 1 / life_.shape);
    case Kind::uniform:
      return life_.hours * u;
    case Kind::observed:
      return std::ranges::find_if(life_.steps, [u](const auto& step) { return step.left < u; })->hours;
    case Kind::mixture:
      break;
  }
  double at = stream.uniform(place, 2 * lane + 1) * total_weight(life_);
  for (const Lifetime::Part& part : life_.parts) {
    at -= part.weight;
    if (at < 0) return -part.mean_hours * natural_log(u);
  }
  return -life_.parts.back().mean_hours * natural_log(u);
}

double Law::ended_by(double hours) const {
  if (hours <= 0) return 0;
  switch (life_.kind) {
    case Kind::exponential:
      return -exponential_minus_1(-hours / life_.hours);
    case Kind::weibull:
      return -exponential_minus_1(-power(hours / life_.hours, life_.shape));
    case Kind::uniform:
      return std::min(hours / life_.hours, 1.0);
    case Kind::observed:
      return 1 - left_at(life_, hours);
    case Kind::mixture:
      break;
  }
  double sum = 0;
  for (const Lifetime::Part& part : life_.parts)
    sum -= part.weight * exponential_minus_1(-hours / part.mean_hours);
  return sum / total_weight(life_);
}

double Law::mean_up_to(double hours) const {
  switch (life_.kind) {
    case Kind::exponential:
      return -life_.hours * exponential_minus_1(-hours / life_.hours);
    case Kind::weibull:
      return integral([this](double t) { return 1 - ended_by(t); }, hours);
    case Kind::uniform:
      return hours >= life_.hours ? life_.hours / 2 : hours - hours * hours / (2 * life_.hours);
    case Kind::observed: {
      double sum = 0, from = 0, left = 1;
      for (const Lifetime::Step& step : life_.steps) {
        if (step.hours >= hours) break;
        sum += left * (step.hours - from);
        from = step.hours;
        left = step.left;
      }
      return sum + left * (hours - from);
    }
    case Kind::mixture:
      break;
  }
  double sum = 0;
  for (const Lifetime::Part& part : life_.parts)
    sum -= part.weight * part.mean_hours * exponential_minus_1(-hours / part.mean_hours);
  return sum / total_weight(life_);
}

double Law::longest() const {
  if (life_.kind == Kind::observed) return life_.steps.back().hours;
  return life_.kind == Kind::uniform ? life_.hours : INFINITY;
}

double Law::mean() const {
  switch (life_.kind) {
    case Kind::exponential:
      return life_.hours;
    case Kind::uniform:
      return life_.hours / 2;
    case Kind::weibull: {
      // Behind 750 of the exponent nothing is left that a sum could hold.
      const double end = life_.hours * power(750, 1 / life_.shape);
      return mean_up_to(end);
    }
    case Kind::observed:
      return mean_up_to(longest());
    case Kind::mixture:
      break;
  }
  double sum = 0;
  for (const Lifetime::Part& part : life_.parts) sum += part.weight * part.mean_hours;
  return sum / total_weight(life_);
}

double Law::joint_mean(std::int64_t machines) const {
  return 1 / (static_cast<double>(machines) / mean() + 1 / zone_hours_);
}

std::optional<Law> law_of(const Job& job, const SpotRules& rules) {
  constexpr double kMonthHours = 730;
  const double zone = rules.zone_mean_hours_between_reclaims
                          ? rules.zone_mean_hours_between_reclaims->approximate()
                          : INFINITY;
  const auto exponential_with_zone = [zone](double mean) {
    return Law({.kind = Kind::exponential, .shape = 1, .hours = mean}, zone);
  };
  const auto published = [&](const Decimal& percent, double period) -> std::optional<Law> {
    if (percent.is_zero() && std::isinf(zone)) return std::nullopt;
    if (percent.is_zero()) return exponential_with_zone(INFINITY);
    return exponential_with_zone(-period / natural_log(1 - percent.approximate() / 100));
  };
  if (job.reclaim_mean)
    return Law::exponential_law(static_cast<double>(job.reclaim_mean->count()) / 3.6e9);
  if (rules.reclaim_after_s || rules.availability_file || rules.availability_share)
    return std::nullopt;
  if (rules.lifetime) return Law(*rules.lifetime, zone);
  if (rules.mean_hours_between_reclaims)
    return exponential_with_zone(rules.mean_hours_between_reclaims->approximate());
  if (rules.interruption_percent_hour) return published(*rules.interruption_percent_hour, 1);
  if (rules.interruption_percent_month)
    return published(*rules.interruption_percent_month, kMonthHours);
  if (!std::isinf(zone)) return exponential_with_zone(INFINITY);
  return std::nullopt;
}

}  // namespace gpuplan::spot
