// What closed forms say before any run is tried.
#include <algorithm>
#include <cmath>

#include "billing/plan_cost.hpp"
#include "core/text.hpp"
#include "gpuplan/spot_forms.hpp"
#include "spot/warnings.hpp"

namespace gpuplan::spot {
namespace {

using namespace billing;

double hours(Duration time) { return static_cast<double>(time.count()) / 3.6e9; }

Sessions sessions_of(const Setup& setup, double mean_life) {
  const SpotTerms& terms = setup.spot_terms;
  Sessions s;
  s.work = hours(setup.work);
  s.mean_life = mean_life;
  s.start = hours(setup.start);
  s.restore = hours(setup.restore);
  s.wait = hours(terms.restart_delay);
  if (terms.survives != Survives::nothing) s.every = hours(setup.checkpoint_every);
  s.write = hours(setup.checkpoint_write);
  s.strikes_restore = terms.strikes_restore;
  s.first_start_restores = terms.first_restores;
  s.checkpoint_after_last = terms.checkpoint_after_last;
  s.keeps_everything = terms.survives == Survives::everything;
  return s;
}

// Price on demand over price on spot, of an hour; nothing where one is not sold.
std::optional<double> price_ratio(const Setup& setup) {
  Warnings unheard;
  const auto plans = plan_costs(*setup.request->catalog, *setup.offer, *setup.job,
                                setup.request->currency, unheard);
  const auto on_demand = std::ranges::find(plans, "on_demand", &PlanCost::plan);
  const auto spot = std::ranges::find(plans, "spot", &PlanCost::plan);
  if (on_demand == plans.end() || spot == plans.end() || spot->rate.is_zero()) return std::nullopt;
  return approximate(on_demand->rate) / approximate(spot->rate);
}

// Card time falls with the mean life: bisection.
std::optional<double> break_even_life(const Setup& setup, double ratio) {
  const double allowed = ratio * (hours(setup.work) + hours(setup.start));
  const auto dearer = [&](double life) { return means_of(sessions_of(setup, life)).billed > allowed; };
  double low = 1e-3, high = 1e7;
  if (ratio <= 1 || dearer(high)) return std::nullopt;  // never: spot is dearer by the hour
  if (!dearer(low)) return 0.0;
  for (int i = 0; i < 100; ++i) {
    const double middle = std::sqrt(low * high);
    (dearer(middle) ? low : high) = middle;
  }
  return high;
}

}  // namespace

SpotOutlook outlook_of(const Setup& setup, const std::optional<Law>& law, Notes& notes) {
  SpotOutlook outlook;
  if (!law || !law->memoryless() || setup.work.count() == 0) return outlook;
  const auto machines = static_cast<double>(setup.machines);
  if (const auto ratio = price_ratio(setup))
    if (const auto life = break_even_life(setup, *ratio))
      outlook.break_even_life = Duration{std::llround(*life * machines * 3600) * 1'000'000};
  if (setup.spot_terms.survives != Survives::nothing || setup.start.count() == 0) return outlook;
  const double work = hours(setup.work) * machines, start = hours(setup.start);
  outlook.best_tasks = best_splits(work, law->mean(), start);
  outlook.split_hours = split_hours(work, law->mean(), start, *outlook.best_tasks);
  if (setup.job->splits > 1) {
    const double asked = split_hours(work, law->mean(), start, setup.job->splits);
    notes.warn("splits_in_closed_form",
               "the runs are those of the work in one piece; cut into " +
                   std::to_string(setup.job->splits) + " tasks it takes " +
                   show_duration(Duration{std::llround(asked * 3600) * 1'000'000}) +
                   " of machine time on average, at best " +
                   show_duration(Duration{std::llround(*outlook.split_hours * 3600) * 1'000'000}) +
                   " in " + std::to_string(*outlook.best_tasks),
               "splits");
  }
  return outlook;
}

}  // namespace gpuplan::spot
