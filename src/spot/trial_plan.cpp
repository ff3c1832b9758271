// From job and offer to what is left to chance and what is decided how.
#include "spot/trial_plan.hpp"

#include <algorithm>

#include "spot/tick_line.hpp"

namespace gpuplan::spot {
namespace {

using namespace billing;

// Where lives are drawn, a decision is made every minute.
constexpr Duration kTick = 60 * kSecond;
constexpr std::int64_t kMostTicks = 1'000'000;
constexpr std::int64_t kTicksOfHopeless = 1'000;  // show what all of them would be
constexpr std::int64_t kMostTasks = 100'000;

Diagnostic wrong_policy(const Job& job, std::string message, std::string hint) {
  return {.code = ErrorCode::usage,
          .source = "--policy",
          .pointer = "",
          .message = *job.policy + ": " + std::move(message),
          .hint = std::move(hint)};
}

void take_availability(const SpotRules& rules, const TrialOptions& options, Plan& plan) {
  if (plan.chances.life || rules.reclaim_after_s) return;
  if (rules.availability_share) {
    plan.share = rules.availability_share->approximate();
    plan.share_gap = seconds_of(*rules.availability_gap_s);
  }
  if (!rules.availability_file || options.availability == nullptr) return;
  const auto found = options.availability->find(*rules.availability_file);
  if (found != options.availability->end()) plan.trace = &found->second;
}

bool sold_on_demand_too(const BillRequest& request, const Policy& policy) {
  return policy.kind == PolicyKind::spot || !price_running(*request.offer, false).refusal;
}

}  // namespace

std::optional<Diagnostic> policy_fault(const Job& job) {
  if (!job.policy) return std::nullopt;
  const auto policy = parse_policy(*job.policy);
  if (!policy)
    return wrong_policy(job, "no such policy",
                        "policies: spot, spot_else_on_demand, greedy, progress_line, last_minute, "
                        "reserve, retries:3, mixed:2; the second to the fourth also as NAME:published");
  const PolicyKind kind = policy->kind;
  if (kind == PolicyKind::mixed) {
    const std::int64_t at_once = std::clamp<std::int64_t>(job.machines, 1, std::max<std::int64_t>(job.splits, 1));
    if (job.splits < 2)
      return wrong_policy(job, "machines of two kinds share tasks, and the work is in one piece",
                          "--splits 10 cuts it into tasks, --machines 4 works on four of them at once");
    if (policy->count > at_once)
      return wrong_policy(job, "more machines on demand than the " + std::to_string(at_once) + " that work at once",
                          "--machines and --splits say how many there are");
    return std::nullopt;
  }
  const bool by_deadline = kind == PolicyKind::greedy || kind == PolicyKind::progress_line ||
                           kind == PolicyKind::last_minute || kind == PolicyKind::reserve || policy->published;
  if (by_deadline && !job.deadline && !(job.deadline_at && job.start))
    return wrong_policy(job, "this policy works towards a deadline", "--deadline 52h states one");
  return std::nullopt;
}

Result<Plan> plan_of(const BillRequest& request, const TrialOptions& options) {
  const Job& job = *request.job;
  const SpotRules& rules = request.offer->rules->spot;
  Plan plan;
  plan.chances.life = law_of(job, rules);
  plan.seed = options.seed;
  if (rules.restart_delay_law) plan.chances.wait = Law(*rules.restart_delay_law);
  if (auto wrong = policy_fault(job)) return *wrong;
  if (job.policy) plan.policy = *parse_policy(*job.policy);
  if (!sold_on_demand_too(request, plan.policy))
    return wrong_policy(job, "the offer has no price on demand, which this policy needs", "");
  take_availability(rules, options, plan);
  if (plan.policy.kind == PolicyKind::mixed && plan.by_ticks())
    return wrong_policy(job, "the offer's machines come and go by a trace, which the work passes in one piece", "");
  if (!plan.by_ticks()) {
    plan.tasks = std::clamp<std::int64_t>(job.splits, 1, kMostTasks);
    if (plan.tasks > 1) plan.at_once = std::clamp<std::int64_t>(job.machines, 1, plan.tasks);
  }
  return plan;
}

void hold(Setup& setup, const Plan& plan) {
  if (plan.policy.kind == PolicyKind::retries && !plan.by_ticks())
    setup.spot_terms.tries = plan.policy.count;
  // A few sessions show what all of them would be.
  if (plan.hopeless) setup.spot_terms.max_run = Duration{1};
  // What closed forms and lists of lives take for it.
  if (plan.chances.wait)
    setup.spot_terms.restart_delay = Duration{static_cast<std::int64_t>(
        std::fmin(plan.chances.wait->mean() * 3.6e9 + 0.5, static_cast<double>(kHorizon.count())))};
}

Line line_of(const Setup& setup, const Plan& plan, Lives& lives, std::int64_t run, Duration from,
             Notes& notes) {
  if (!plan.by_ticks()) return build_line(setup, &lives, notes, from);
  if (plan.share || plan.trace == nullptr) {
    TickJob job = tick_job(setup, plan.share ? plan.share_gap : kTick);
    if (!plan.share) job.first_restores = setup.spot_terms.first_restores;
    const auto there =
        plan.share ? by_chance(*plan.share, Stream(plan.seed, static_cast<std::uint64_t>(run)))
                   : drawn(setup, lives, job.gap);
    const std::int64_t most = plan.hopeless ? kTicksOfHopeless : kMostTicks;
    return tick_line(setup, job, replay(job, plan.policy, there, most), notes);
  }
  const TickJob job = tick_job(setup, plan.trace->gap);
  const std::int64_t start = setup.rules->spot.availability_start;
  const auto recorded_ticks = static_cast<std::int64_t>(plan.trace->up.size()) - start;
  // Behind the end of the trace spot is not there: what is left is done on demand or never.
  const Duration alone = job.rhythm.whole(job.work) + job.restore;
  const std::int64_t most =
      std::max<std::int64_t>(recorded_ticks, 0) + ceil_div(alone.count(), job.gap.count()) + 1;
  const TickRun done = replay(job, plan.policy, recorded(*plan.trace, start), most);
  if (done.wall > recorded_ticks * job.gap || !done.finished)
    notes.warn("availability_ended",
               "the trace of availability ends before the work is done; behind its end no spot "
               "machine is counted on",
               "spot.availability");
  return tick_line(setup, job, done, notes);
}

}  // namespace gpuplan::spot
