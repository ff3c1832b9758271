#include "spot/warnings.hpp"

#include <algorithm>
#include <cmath>

#include "billing/plan_cost.hpp"
#include "billing/run.hpp"
#include "gpuplan/spot_forms.hpp"
#include "spot/tasks.hpp"

namespace gpuplan::spot {
namespace {

using namespace billing;

constexpr double kHourMicros = 3.6e9;

double hours(Duration time) { return static_cast<double>(time.count()) / kHourMicros; }

// Card time of an hour on demand and on the spot market, where both are sold.
void warn_dear(const Setup& setup, Notes& notes) {
  if (price_running(*setup.offer, false).refusal) return;
  Warnings unheard;
  const auto plans = plan_costs(*setup.request->catalog, *setup.offer, *setup.job,
                                setup.request->currency, unheard);
  const auto on_demand = std::ranges::find(plans, "on_demand", &PlanCost::plan);
  const auto spot = std::ranges::find(plans, "spot", &PlanCost::plan);
  if (on_demand == plans.end() || spot == plans.end() || spot->rate < on_demand->rate) return;
  notes.warn("spot_dearer_than_on_demand",
             "an hour on the spot market costs " + to_string(cost_of(*spot, kHour)) +
                 ", on demand " + to_string(cost_of(*on_demand, kHour)),
             "price.spot");
}

bool reclaimed_at_all(const Setup& setup, const std::optional<Law>& law) {
  const SpotRules& rules = setup.rules->spot;
  return law || rules.max_run_s || rules.availability_file || rules.availability_share ||
         (rules.reclaim_after_s && !rules.reclaim_after_s->empty());
}

// What a plan that decides by ticks, or rents together, leaves of the tasks.
void warn_tasks(const Setup& setup, const Plan& plan, Notes& notes) {
  const Job& job = *setup.request->job;
  if (plan.tasks == 1 && job.splits > 1)
    notes.warn("splits_left_out",
               "decisions by ticks are made for the work in one piece: it is not cut into " +
                   std::to_string(job.splits) + " tasks",
               "splits");
}

}  // namespace

bool reclaims_unknown(const Job& job, const SpotRules& rules) {
  return !job.reclaim_mean && !rules.reclaim_after_s && !rules.availability_file &&
         !rules.availability_share && !rules.lifetime && !rules.mean_hours_between_reclaims &&
         !rules.interruption_percent_hour && !rules.interruption_percent_month &&
         !rules.zone_mean_hours_between_reclaims && !rules.max_run_s;
}

bool never_reclaimed(const SpotRules& rules) {
  const auto zero = [](const std::optional<Decimal>& percent) { return percent && percent->is_zero(); };
  return !rules.lifetime && !rules.mean_hours_between_reclaims &&
         (zero(rules.interruption_percent_hour) || zero(rules.interruption_percent_month));
}

void warn_spot(const Setup& setup, const Plan& plan, Notes& notes) {
  const std::optional<Law>& law = plan.chances.life;
  warn_dear(setup, notes);
  warn_tasks(setup, plan, notes);
  if (!reclaimed_at_all(setup, law)) return;
  const Survives survives = setup.spot_terms.survives;
  if (survives != Survives::everything && setup.rules->spot.notice_s.value_or(0) == 0)
    notes.warn("spot_no_notice",
               "a notice of 0 s before a reclaim: what was done since the last checkpoint is done "
               "again",
               "spot.notice_s");
  const auto& checkpoint = setup.job->checkpoint;
  if (checkpoint && checkpoint->to == CheckpointTo::local && survives == Survives::nothing &&
      checkpoint->resume)
    notes.warn("spot_checkpoint_local",
               "checkpoints lie on a disk that goes with the machine: 0 of them survive a reclaim; "
               "--checkpoint-to object, or a data disk, keeps them",
               "checkpoint.to");
  if (law && survives == Survives::nothing) {
    const double life = law->joint_mean(setup.machines);
    if (hours(setup.work) > life)
      notes.warn("no_checkpoint_long_run",
                 "the work takes " + show_duration(setup.work) + ", a machine lives " +
                     show_duration(Duration{static_cast<std::int64_t>(life * kHourMicros)}) +
                     " on average, and nothing survives a reclaim: most runs begin again and again",
                 "checkpoint");
  }
}

void advise_checkpoint(const BillRequest& request, const TrialOptions& options, const Plan& plan,
                       SpotBill& result) {
  if (!request.job->checkpoint) return;
  Ways ways(request, plan);
  const Setup& setup = ways.whole().prepared.setup;
  CheckpointAdvice& advice = result.checkpoint.emplace();
  advice.every = setup.checkpoint_every;
  const std::optional<Law>& law = plan.chances.life;
  if (!law) return;
  const double mean = law->joint_mean(setup.machines), write = hours(setup.checkpoint_write);
  if (write > 0) {
    advice.exact = best_interval(write, mean);
    advice.young = young_interval(write, mean);
    advice.daly = daly_interval(write, mean);
    advice.available_period = available_period(write, mean, hours(setup.restore));
  }
  if (plan.policy.kind != PolicyKind::spot && plan.policy.kind != PolicyKind::mixed) return;
  if (setup.spot_terms.survives != Survives::checkpoint) return;
  const double best = advice.exact.value_or(0);
  Job job = *request.job;
  // Equal pieces, in whole seconds: a short last one would cost a checkpoint for nothing.
  const double work = hours(setup.work);
  const auto cost = [&](double pieces) {
    return pieces * exponential_minus_1((work / pieces + hours(setup.checkpoint_write)) / mean);
  };
  double pieces = best > 0 ? std::fmax(std::floor(work / best), 1) : 0;
  if (pieces > 0 && cost(pieces + 1) < cost(pieces)) ++pieces;
  job.checkpoint->every = pieces > 0 ? Duration{std::llround(std::ceil(work / pieces * 3600)) *
                                                1'000'000}
                                     : Duration{0};
  if (job.checkpoint->every > setup.work) job.checkpoint->every = setup.work;
  advice.best_every = job.checkpoint->every;
  BillRequest at_best = request;
  at_best.job = &job;
  TrialOptions quiet = options;
  quiet.ledger = quiet.advice = false;
  if (auto tried = simulate_spot(at_best, quiet); tried && tried->trials.finished > 0)
    advice.cost_at_best = tried->mean;
}

}  // namespace gpuplan::spot
