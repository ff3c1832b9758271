// Many runs of one spot plan.
#include <algorithm>
#include <array>
#include <thread>

#include "billing/spot.hpp"
#include "gpuplan/spot.hpp"
#include "spot/lives.hpp"
#include "spot/quick.hpp"
#include "spot/statistics.hpp"
#include "spot/tick_line.hpp"
#include "spot/warnings.hpp"

namespace gpuplan::spot {
namespace {

using namespace billing;

// Sums over runs; whole numbers, so that no order of the runs changes them.
struct Sums {
  std::array<Wide, kItems.size()> items{};
  std::array<bool, kItems.size()> seen{};
  Wide queue = 0, startup = 0, transfer = 0, run = 0, billed = 0, lost = 0;
  std::int64_t reclaims = 0, sessions = 0;

  void add(const Sums& other) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      items[i] += other.items[i];
      seen[i] = seen[i] || other.seen[i];
    }
    queue += other.queue;
    startup += other.startup;
    transfer += other.transfer;
    run += other.run;
    billed += other.billed;
    lost += other.lost;
    reclaims += other.reclaims;
    sessions += other.sessions;
  }
};

// What all runs share.
struct Plan {
  std::optional<Law> law;
  Policy policy;
  const Availability* trace = nullptr;
  std::uint64_t seed = 1;

  bool by_ticks() const {
    return trace != nullptr ||
           (policy.kind != PolicyKind::spot && policy.kind != PolicyKind::retries);
  }
};

// Where lives are drawn, a decision is made every minute.
constexpr Duration kTick = 60 * kSecond;
constexpr std::int64_t kMostTicks = 1'000'000;

void hold(Prepared& prepared, const Plan& plan) {
  if (plan.policy.kind == PolicyKind::retries && !plan.by_ticks())
    prepared.setup.spot_terms.tries = plan.policy.retries;
}

// The time line of one run.
Line line_of(const Setup& setup, const Plan& plan, Lives& lives, Notes& notes) {
  if (!plan.by_ticks()) return build_line(setup, &lives, notes);
  TickJob job = tick_job(setup, plan.trace != nullptr ? plan.trace->gap : kTick);
  if (plan.trace == nullptr) {
    job.first_restores = setup.spot_terms.first_restores;
    return tick_line(setup, job, replay(job, plan.policy, drawn(setup, lives, job.gap), kMostTicks),
                     notes);
  }
  const std::int64_t start = setup.rules->spot.availability_start;
  const auto recorded_ticks = static_cast<std::int64_t>(plan.trace->up.size()) - start;
  // Behind the end of the trace spot is not there: what is left is done on demand or never.
  const Duration alone = job.rhythm.whole(job.work) + job.restore;
  const std::int64_t most =
      std::max<std::int64_t>(recorded_ticks, 0) + ceil_div(alone.count(), job.gap.count()) + 1;
  const TickRun run = replay(job, plan.policy, recorded(*plan.trace, start), most);
  if (run.wall > recorded_ticks * job.gap || !run.finished)
    notes.warn("availability_ended",
               "the trace of availability ends before the work is done; behind its end no spot "
               "machine is counted on",
               "spot.availability");
  return tick_line(setup, job, run, notes);
}

// One thread's runs.
class Worker {
 public:
  Worker(const BillRequest& request, const Plan& plan)
      : prepared_(without_ledger(request)), plan_(plan) {
    hold(prepared_, plan);
    if (!plan.by_ticks()) quick_ = Quick::of(prepared_);
    if (!plan.law) return;
    drawn_.emplace(*plan.law, prepared_.setup.machines, plan.seed);
  }

  Outcome run(std::int64_t number) {
    std::unique_ptr<Lives> listed;
    Notes unheard;
    if (drawn_)
      drawn_->begin_run(number);
    else
      listed = stated_lives(prepared_.setup, unheard);
    Lives& lives = drawn_ ? static_cast<Lives&>(*drawn_) : *listed;
    return quick_ ? run_quick(lives) : run_full(lives);
  }

  const Sums& sums();
  std::int64_t sessions() const { return sums_.sessions; }

 private:
  static BillRequest without_ledger(BillRequest request) {
    request.ledger = false;
    return request;
  }
  Outcome run_quick(Lives& lives);
  Outcome run_full(Lives& lives);

  Prepared prepared_;
  const Plan& plan_;
  std::optional<Quick> quick_;
  std::optional<DrawnLives> drawn_;
  Sums sums_;
};

Outcome Worker::run_quick(Lives& lives) {
  const RunSums run = quick_->run(lives);
  sums_.sessions += run.reclaims + 1;
  if (!run.finished) return {.finished = false};
  sums_.queue += run.queue.count();
  sums_.startup += run.startup.count();
  sums_.run += run.run.count();
  sums_.billed += run.billed.count();
  sums_.lost += run.lost.count();
  sums_.reclaims += run.reclaims;
  return {.total = run.total, .wall = run.wall, .finished = true, .reclaimed = run.reclaims > 0};
}

Outcome Worker::run_full(Lives& lives) {
  Notes notes;
  const Line line = line_of(prepared_.setup, plan_, lives, notes);
  sums_.sessions += line.reclaims + 1;
  if (!line.finished) return {.finished = false};
  // What earlier bills of the account have left is there for each run anew.
  AccountUse* const shared = prepared_.request.account;
  AccountUse account = shared != nullptr ? *shared : AccountUse{};
  if (shared != nullptr) prepared_.request.account = &account;
  const Result<Bill> bill = bill_line(prepared_, line, std::move(notes));
  prepared_.request.account = shared;
  if (!bill) return {.finished = false};
  for (const auto& [item, amount] : bill->totals) {
    sums_.items[static_cast<std::size_t>(item)] += amount.nanos();
    sums_.seen[static_cast<std::size_t>(item)] = true;
  }
  sums_.queue += bill->time.queue.count();
  sums_.startup += bill->time.startup.count();
  sums_.transfer += bill->time.transfer.count();
  sums_.run += bill->time.run.count();
  sums_.billed += bill->billed.count();
  sums_.lost += bill->lost.count();
  sums_.reclaims += bill->reclaims;
  return {.total = bill->total,
          .wall = bill->time.wall,
          .finished = true,
          .reclaimed = bill->reclaims > 0};
}

// Card time of quick runs becomes money once: all of it at the price of an hour.
const Sums& Worker::sums() {
  if (!quick_) return sums_;
  for (const Quick::Share& share : quick_->shares()) {
    const auto at = static_cast<std::size_t>(share.item);
    sums_.items[at] = quick_->price_of(share.time).nanos() * prepared_.setup.machines;
    sums_.seen[at] = share.time != 0;
  }
  return sums_;
}

class Trier {
 public:
  Trier(const BillRequest& request, const TrialOptions& options, const Plan& plan)
      : request_(request),
        options_(options),
        plan_(plan),
        count_(plan.law ? std::max<std::int64_t>(options.trials, 1) : 1) {}

  Result<SpotBill> run();

 private:
  void try_all();
  void block(std::int64_t from, std::int64_t to, std::vector<std::unique_ptr<Worker>>& workers);
  void state(SpotBill& result) const;
  void means(SpotBill& result) const;
  Result<Bill> median_bill(SpotOutlook& outlook) const;

  const BillRequest& request_;
  const TrialOptions& options_;
  const Plan& plan_;
  std::int64_t count_;
  std::vector<Outcome> runs_;
  Sums sums_;
};

// Runs in blocks that grow: where runs need so many sessions that all of them would take minutes,
// fewer have to do. The count depends on the runs alone.
void Trier::try_all() {
  constexpr std::int64_t kMostSessions = 20'000'000, kLargestBlock = 65'536;
  const auto threads = static_cast<std::size_t>(std::clamp(options_.threads, 1, 256));
  std::vector<std::unique_ptr<Worker>> workers;
  workers.push_back(std::make_unique<Worker>(request_, plan_));
  std::int64_t done = 0, size = 1;
  std::int64_t sessions = 0;
  while (done < count_ && sessions < kMostSessions) {
    const std::int64_t to = std::min(done + size, count_);
    const std::size_t useful = std::min<std::size_t>(
        threads, static_cast<std::size_t>((to - done + 255) / 256));
    while (workers.size() < useful) workers.push_back(std::make_unique<Worker>(request_, plan_));
    runs_.resize(static_cast<std::size_t>(to));
    block(done, to, workers);
    done = to;
    size = std::min(2 * size, kLargestBlock);
    sessions = 0;
    for (const auto& worker : workers) sessions += worker->sessions();
  }
  for (const auto& worker : workers) sums_.add(worker->sums());
}

void Trier::block(std::int64_t from, std::int64_t to,
                  std::vector<std::unique_ptr<Worker>>& workers) {
  const auto part = [&](std::size_t index) {
    const auto n = static_cast<std::int64_t>(workers.size());
    const auto i = static_cast<std::int64_t>(index);
    for (std::int64_t run = from + (to - from) * i / n; run < from + (to - from) * (i + 1) / n; ++run)
      runs_[static_cast<std::size_t>(run)] = workers[index]->run(run);
  };
  std::vector<std::thread> others;
  for (std::size_t i = 1; i < workers.size(); ++i) others.emplace_back(part, i);
  part(0);
  for (std::thread& other : others) other.join();
}

// The bill with its ledger of the run that stands for all.
Result<Bill> Trier::median_bill(SpotOutlook& outlook) const {
  BillRequest request = request_;
  request.ledger = options_.ledger;
  Prepared prepared(request);
  hold(prepared, plan_);
  Notes notes = std::move(prepared.notes);
  std::unique_ptr<Lives> listed;
  std::optional<DrawnLives> drawn;
  Notes unheard;
  if (plan_.law) {
    drawn.emplace(*plan_.law, prepared.setup.machines, options_.seed);
    drawn->begin_run(std::max<std::int64_t>(median_run(runs_), 0));
  } else {
    const bool known = plan_.trace != nullptr || never_reclaimed(prepared.setup.rules->spot);
    listed = stated_lives(prepared.setup, known ? unheard : notes);
  }
  warn_spot(prepared.setup, plan_.law, notes);
  if (options_.advice) outlook = outlook_of(prepared.setup, plan_.law, notes);
  Lives& lives = drawn ? static_cast<Lives&>(*drawn) : *listed;
  const Line line = line_of(prepared.setup, plan_, lives, notes);
  return bill_line(prepared, line, std::move(notes));
}

void Trier::means(SpotBill& result) const {
  const std::int64_t n = result.trials.finished;
  if (n == 0) return;
  for (const Item item : kItems) {
    const auto at = static_cast<std::size_t>(item);
    if (sums_.seen[at]) result.means[item] = Money::nanos(mean_of(sums_.items[at], n));
  }
  // Items are rounded one by one; what that leaves goes to the largest, so that they add up.
  result.mean = result.trials.cost.mean;
  Money left = result.mean;
  auto largest = result.means.end();
  for (auto item = result.means.begin(); item != result.means.end(); ++item) {
    left -= item->second;
    if (largest == result.means.end() || item->second > largest->second) largest = item;
  }
  if (largest != result.means.end()) largest->second += left;
  const auto mean = [n](Wide sum) { return Duration{static_cast<std::int64_t>(mean_of(sum, n))}; };
  result.time_mean = {.wall = result.trials.wall.mean,
                      .queue = mean(sums_.queue),
                      .startup = mean(sums_.startup),
                      .transfer = mean(sums_.transfer),
                      .run = mean(sums_.run)};
  result.trials.billed_mean = mean(sums_.billed);
  result.trials.lost_mean = mean(sums_.lost);
  result.trials.reclaims_mean = static_cast<double>(sums_.reclaims) / static_cast<double>(n);
}

void Trier::state(SpotBill& result) const {
  Trials& trials = result.trials;
  trials.n = static_cast<std::int64_t>(runs_.size());
  trials.seed = options_.seed;
  trials.finished = std::ranges::count_if(runs_, &Outcome::finished);
  const auto share = [&](auto test) {
    return static_cast<double>(std::ranges::count_if(runs_, test)) / static_cast<double>(trials.n);
  };
  trials.undisturbed = share([](const Outcome& run) { return run.finished && !run.reclaimed; });
  if (!reclaims_unknown(*request_.job, request_.offer->rules->spot))
    trials.finish_probability = share([](const Outcome& run) { return run.finished; });
  const Job& job = *request_.job;
  std::optional<Duration> deadline = job.deadline;
  if (job.deadline_at && job.start) {
    const Duration until =
        std::chrono::duration_cast<Duration>(job.deadline_at->utc - job.start->utc);
    deadline = deadline ? std::min(*deadline, until) : until;
  }
  if (!trials.finish_probability) deadline.reset();
  if (deadline)
    trials.deadline_probability =
        share([&](const Outcome& run) { return run.finished && run.wall <= *deadline; });
  if (job.budget && trials.finish_probability)
    trials.budget_probability =
        share([&](const Outcome& run) { return run.finished && run.total <= *job.budget; });
  spread(runs_, trials);
}

Result<SpotBill> Trier::run() {
  try_all();
  SpotBill result;
  auto bill = median_bill(result.outlook);
  if (!bill) return bill.errors();
  result.bill = std::move(*bill);
  state(result);
  means(result);
  const Trials& trials = result.trials;
  if (trials.finished == 0) {
    result.bill.finished = false;
  } else if (trials.finished < trials.n) {
    result.bill.warnings.push_back(
        {"some_runs_never_finish",
         std::to_string(trials.n - trials.finished) + " of " + std::to_string(trials.n) +
             " runs never finish; means and percentiles are those of the others",
         "spot"});
  }
  if (trials.n < count_)
    result.bill.warnings.push_back(
        {"fewer_trials",
         "a run takes so many sessions that only " + std::to_string(trials.n) + " were made",
         "trials"});
  return result;
}

Diagnostic wrong_policy(const BillRequest& request, std::string message, std::string hint) {
  return {.code = ErrorCode::usage,
          .source = "--policy",
          .pointer = "",
          .message = *request.job->policy + ": " + std::move(message),
          .hint = std::move(hint)};
}

// The policy of the job, and what it needs.
Result<Plan> plan_of(const BillRequest& request, const TrialOptions& options) {
  const Job& job = *request.job;
  const SpotRules& rules = request.offer->rules->spot;
  Plan plan{.law = law_of(job, rules), .policy = {}, .trace = nullptr, .seed = options.seed};
  if (job.policy) {
    const auto policy = parse_policy(*job.policy);
    if (!policy)
      return wrong_policy(request, "no such policy",
                          "policies: spot, spot_else_on_demand, greedy, progress_line, reserve, "
                          "retries:3; all but spot, reserve and retries also as NAME:published");
    plan.policy = *policy;
  }
  if (!plan.law && rules.availability_file && !rules.reclaim_after_s) {
    const auto found = options.availability == nullptr
                           ? AvailabilityFiles::const_iterator{}
                           : options.availability->find(*rules.availability_file);
    if (options.availability != nullptr && found != options.availability->end())
      plan.trace = &found->second;
  }
  const PolicyKind kind = plan.policy.kind;
  if (kind == PolicyKind::spot) return plan;
  if (price_running(*request.offer, false).refusal)
    return wrong_policy(request, "the offer has no price on demand, which this policy needs", "");
  const bool by_deadline = kind == PolicyKind::greedy || kind == PolicyKind::progress_line ||
                           kind == PolicyKind::reserve || plan.policy.published;
  if (by_deadline && !job.deadline && !(job.deadline_at && job.start))
    return wrong_policy(request, "this policy works towards a deadline", "--deadline 52h states one");
  return plan;
}

}  // namespace
}  // namespace gpuplan::spot

namespace gpuplan {

Result<SpotBill> simulate_spot(const BillRequest& request, const TrialOptions& options) {
  if (const auto refusal = why_no_bill(request))
    return Diagnostic{.code = ErrorCode::usage,
                      .source = request.offer->id,
                      .pointer = refusal->where,
                      .message = refusal->message,
                      .hint = refusal->code};
  const auto plan = spot::plan_of(request, options);
  if (!plan) return plan.errors();
  auto result = spot::Trier(request, options, *plan).run();
  if (result && options.advice) spot::advise_checkpoint(request, options, *result);
  return result;
}

}  // namespace gpuplan
