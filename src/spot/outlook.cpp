// What closed forms say before any run is tried.
#include <algorithm>
#include <cmath>

#include "billing/plan_cost.hpp"
#include "gpuplan/spot_forms.hpp"
#include "spot/numbers.hpp"
#include "spot/tasks.hpp"
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
  for (int i = 0; i < 200 && low < high * (1 - 1e-15); ++i) {
    const double middle = std::sqrt(low * high);
    (dearer(middle) ? low : high) = middle;
  }
  return high;
}

// The forms know sessions of start, read-back and work: no windows, transfers or other ends.
bool plain(const Setup& setup, const Plan& plan) {
  const Job& job = *setup.job;
  const SpotTerms& terms = setup.spot_terms;
  const bool timed = job.schedule || setup.wall_limit || setup.down.count() > 0;
  const bool moved = job.data.upload.count() > 0 || job.data.download.count() > 0;
  const bool start_is_billed = setup.billed_from == BilledFrom::provisioning ||
                               (setup.start.count() == 0 && setup.queue.count() == 0);
  return plan.policy.kind == PolicyKind::spot && !plan.by_ticks() && !timed && !moved &&
         setup.work.count() > 0 && start_is_billed && terms.protect.count() == 0 &&
         setup.idle.count() == 0;
}

// Any law of lives, from zero: what two kinds of session come to, the first without its read-back.
std::optional<Means> means_from_zero(const Setup& setup, const Law& law) {
  const SpotTerms& terms = setup.spot_terms;
  const Sessions s = sessions_of(setup, 1);
  const bool one_piece = s.every <= 0 || s.every >= s.work;
  if (s.keeps_everything || !one_piece || !terms.strikes_restore || setup.machines > 1 ||
      !std::isinf(law.zone_hours()))
    return std::nullopt;
  const double work = s.work + (s.checkpoint_after_last && s.every > 0 ? s.write : 0);
  const double again = s.start + s.restore + work;
  const double first = s.first_start_restores ? again : s.start + work;
  const double cap = terms.max_run ? hours(*terms.max_run) : INFINITY;
  if (again > cap || law.ended_by(again) >= 1) return std::nullopt;  // it may never be done
  Means means;
  const double stays = 1 - law.ended_by(again);
  means.reclaims = law.ended_by(first) / stays;
  means.billed = law.mean_up_to(first) + means.reclaims * law.mean_up_to(again);
  means.makespan = means.billed + (s.wait > 0 ? s.wait * means.reclaims : 0);
  return means;
}

// P(no reclaim at all) where every task begins from zero.
double never_struck(const Setup& setup, const Plan& plan, const Law& law) {
  const Sessions s = sessions_of(setup, 1);
  const double once = s.start + s.work + (s.first_start_restores ? s.restore : 0);
  double all = 1;
  for (std::int64_t task = 0; task < plan.tasks; ++task) all *= 1 - law.ended_by(once);
  return all;
}

std::optional<Means> means_for(const Setup& setup, const Law& law) {
  if (law.memoryless() && !setup.spot_terms.max_run)
    return means_of(sessions_of(setup, law.joint_mean(setup.machines)));
  return means_from_zero(setup, law);
}

// Mean of the square of a wait; nothing where no form is at hand.
std::optional<double> square_of(const Plan& plan, double fixed) {
  if (!plan.chances.wait) return fixed * fixed;
  const Lifetime& law = plan.chances.wait->life();
  switch (law.kind) {
    case Lifetime::Kind::exponential:
      return 2 * law.hours * law.hours;
    case Lifetime::Kind::uniform:
      return law.hours * law.hours / 3;
    default:
      return std::nullopt;
  }
}

std::optional<Duration> deadline_of(const Job& job) {
  std::optional<Duration> deadline = job.deadline;
  if (job.deadline_at && job.start) {
    const Duration until =
        std::chrono::duration_cast<Duration>(job.deadline_at->utc - job.start->utc);
    deadline = deadline ? std::min(*deadline, until) : until;
  }
  return deadline;
}

// What is known of the spread: lives without memory, nothing to start or to read back.
void spread_of(const Setup& setup, const Plan& plan, double life, ClosedForm& form) {
  const Sessions s = sessions_of(setup, life);
  if (s.start > 0 || s.restore > 0) return;
  const auto deadline = deadline_of(*setup.job);
  const double queue = hours(setup.queue);
  if (s.keeps_everything) {
    if (const auto square = square_of(plan, s.wait))
      form.wall_sd = std::sqrt(variance_kept(s.work, life, *square));
    if (deadline && !plan.chances.wait)
      form.deadline = done_by(s.work, life, s.wait, hours(*deadline) - queue);
  } else if (s.every <= 0 && s.wait == 0) {
    form.wall_sd = std::sqrt(variance_from_zero(s.work, life));
  }
}

ClosedForm closed_form(const Setup& setup, const Plan& plan) {
  ClosedForm form;
  const std::optional<Law>& law = plan.chances.life;
  if (!law || !plain(setup, plan)) return form;
  const auto tasks = static_cast<double>(plan.tasks);
  if (const auto means = means_for(setup, *law)) {
    form.billed = tasks * means->billed * static_cast<double>(setup.machines);
    form.reclaims = tasks * means->reclaims;
    if (plan.at_once == 1) form.wall = tasks * (hours(setup.queue) + means->makespan);
  }
  if (!law->memoryless() || setup.spot_terms.max_run) {
    if (means_from_zero(setup, *law)) form.run_through = never_struck(setup, plan, *law);
    return form;
  }
  const double life = law->joint_mean(setup.machines);
  const Sessions s = sessions_of(setup, life);
  const double once = s.start + s.work + (s.first_start_restores ? s.restore : 0);
  const double last_write = s.checkpoint_after_last && s.every > 0 ? s.write : 0;
  const double writes =
      s.every > 0 && !s.keeps_everything ? std::ceil(s.work / s.every * (1 - 1e-15)) - 1 : 0;
  form.run_through = run_through(tasks * (once + writes * s.write + last_write), life);
  if (!s.keeps_everything && s.every <= 0) form.lost_if_reclaimed = lost_when_reclaimed(s.work, life);
  if (s.keeps_everything || s.every > 0) form.useful_share = goodput(s);
  if (plan.tasks == 1) spread_of(setup, plan, life, form);
  return form;
}

// Into how many tasks the work is best cut: the sum of their card times falls, then rises.
void best_tasks(const Setup& setup, const Plan& plan, SpotOutlook& outlook) {
  const SpotTerms& terms = setup.spot_terms;
  const Law& law = *plan.chances.life;
  const double start = hours(setup.start) + (terms.first_restores ? hours(setup.restore) : 0);
  if (terms.survives != Survives::nothing || start <= 0 || terms.max_run ||
      (setup.restore.count() > 0 && !terms.first_restores))
    return;
  const double work = hours(setup.work) * static_cast<double>(setup.machines * plan.tasks);
  outlook.best_tasks = best_splits(work, law.joint_mean(1), start);
  outlook.split_hours = split_hours(work, law.joint_mean(1), start, *outlook.best_tasks);
}

}  // namespace

namespace {

// More than anybody would see: counts as never.
constexpr double kMostReclaims = 100'000;

// Without anything that survives, all ticks of the work must follow each other.
bool hopeless_by_ticks(const Setup& setup, const Plan& plan) {
  if (!plan.share || plan.policy.kind != PolicyKind::spot || setup.spot_terms.survives != Survives::nothing)
    return false;
  const Duration whole = setup.work + setup.start;
  const auto ticks = static_cast<double>((whole.count() + plan.share_gap.count() - 1) / plan.share_gap.count());
  return *plan.share <= 0 || (ticks - 1) * natural_log(*plan.share) < -natural_log(kMostReclaims);
}

// Windows and protection change the chances; the forms then say nothing.
std::optional<Means> means_where_known(const Setup& setup, const Plan& plan) {
  const std::optional<Law>& law = plan.chances.life;
  if (!law || plan.by_ticks() || plan.policy.kind == PolicyKind::retries || setup.job->schedule ||
      setup.wall_limit || setup.spot_terms.protect.count() > 0 || setup.work.count() == 0)
    return std::nullopt;
  return means_for(setup, *law);
}

}  // namespace

bool hopeless(const BillRequest& request, const Plan& plan) {
  Ways ways(request, plan);
  const Setup& setup = ways.whole().prepared.setup;
  if (plan.share) return hopeless_by_ticks(setup, plan);
  const auto means = means_where_known(setup, plan);
  return means && means->reclaims > kMostReclaims;
}

SpotOutlook outlook_of(const Setup& setup, const Plan& plan) {
  SpotOutlook outlook;
  outlook.expected = closed_form(setup, plan);
  const std::optional<Law>& law = plan.chances.life;
  if (!law || !law->memoryless() || setup.work.count() == 0) return outlook;
  if (const auto ratio = price_ratio(setup))
    if (const auto life = break_even_life(setup, *ratio))
      outlook.break_even_life =
          Duration{std::llround(*life * static_cast<double>(setup.machines) * 3.6e9)};
  best_tasks(setup, plan, outlook);
  return outlook;
}

}  // namespace gpuplan::spot

namespace gpuplan {

std::optional<SpotBreakEven> spot_break_even(const BillRequest& request) {
  if (why_no_bill(request) || billing::price_running(*request.offer, false).refusal)
    return std::nullopt;
  spot::Plan plan;
  plan.tasks = std::max<std::int64_t>(request.job->splits, 1);
  spot::Ways ways(request, plan);
  const billing::Setup& setup = ways.whole().prepared.setup;
  const auto ratio = spot::price_ratio(setup);
  if (!ratio) return std::nullopt;
  SpotBreakEven even{.price_ratio = *ratio, .load = {}, .mean_life_hours = {}};
  if (*ratio > 1) even.load = spot::break_even_load(*ratio);
  if (setup.work.count() > 0)
    if (const auto life = spot::break_even_life(setup, *ratio))
      even.mean_life_hours = *life * static_cast<double>(setup.machines);
  return even;
}

std::optional<double> life_at_ratio(const BillRequest& request, double ratio) {
  spot::Plan plan;
  plan.tasks = std::max<std::int64_t>(request.job->splits, 1);
  spot::Ways ways(request, plan);
  const billing::Setup& setup = ways.whole().prepared.setup;
  if (setup.work.count() == 0) return std::nullopt;
  const auto life = spot::break_even_life(setup, ratio);
  if (!life || *life <= 0) return std::nullopt;
  return *life * static_cast<double>(setup.machines);
}

std::optional<SpotMeans> spot_means(const BillRequest& request) {
  const auto plan = spot::plan_of(request, {});
  if (!plan || plan->policy.kind != PolicyKind::spot || plan->tasks > 1) return std::nullopt;
  spot::Ways ways(request, *plan);
  const billing::Setup& setup = ways.whole().prepared.setup;
  const auto means = spot::means_where_known(setup, *plan);
  if (!means) return std::nullopt;
  const billing::Rhythm rhythm{.every = setup.checkpoint_every,
                               .write = setup.checkpoint_write,
                               .after_last = request.job->checkpoint && setup.spot_terms.checkpoint_after_last};
  return SpotMeans{.card_time = means->billed / spot::hours(rhythm.whole(setup.work) + setup.start),
                   .reclaims = means->reclaims};
}

}  // namespace gpuplan
