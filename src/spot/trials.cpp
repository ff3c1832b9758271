// Many runs of one spot plan.
#include <algorithm>
#include <thread>
#include <utility>

#include "billing/spot.hpp"
#include "spot/warnings.hpp"
#include "spot/worker.hpp"

namespace gpuplan::spot {
namespace {

using namespace billing;

class Trier {
 public:
  Trier(const BillRequest& request, const TrialOptions& options, const Plan& plan)
      : request_(request),
        options_(options),
        plan_(plan),
        count_(plan.random() && !plan.hopeless ? std::max<std::int64_t>(options.trials, 1) : 1) {}

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
  constexpr std::int64_t kSessionsForEach = 500, kAllSessions = 20'000'000, kLargestBlock = 65'536;
  const std::int64_t most_sessions = std::min(kSessionsForEach * count_, kAllSessions);
  const auto threads = static_cast<std::size_t>(std::clamp(options_.threads, 1, 256));
  std::vector<std::unique_ptr<Worker>> workers;
  workers.push_back(std::make_unique<Worker>(request_, plan_));
  std::int64_t done = 0, size = 1;
  std::int64_t sessions = 0;
  while (done < count_ && sessions < most_sessions) {
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
  workers.front()->price(sums_);
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
  Ways ways(request, plan_);
  AccountUse own;
  AccountUse* const account =
      request_.account != nullptr ? request_.account : plan_.tasks > 1 ? &own : nullptr;
  const std::int64_t number = std::max<std::int64_t>(median_run(runs_), 0);
  std::optional<DrawnLives> drawn;
  if (plan_.chances.life) {
    drawn.emplace(plan_.chances, ways.whole().prepared.setup.machines, options_.seed);
    drawn->begin_run(number);
  }
  std::vector<Bill> bills;
  Diagnostics faults;
  const auto do_task = [&](std::int64_t task, std::int64_t machine,
                           Duration from) -> std::optional<Duration> {
    const bool on_demand = plan_.policy.kind == PolicyKind::mixed && machine < plan_.policy.count;
    Way& way = ways.of(task, on_demand);
    const Setup& setup = way.prepared.setup;
    Notes notes = std::exchange(way.prepared.notes, {});
    Notes unheard;
    std::unique_ptr<Lives> listed;
    if (drawn) drawn->begin_task(task);
    if (!drawn || on_demand) {
      const bool known = plan_.by_ticks() || on_demand || never_reclaimed(setup.rules->spot);
      listed = stated_lives(setup, known ? unheard : notes);
    }
    if (task == 0) {
      warn_spot(setup, plan_, notes);
      if (options_.advice) outlook = outlook_of(setup, plan_);
    }
    Lives& lives = listed ? *listed : static_cast<Lives&>(*drawn);
    const Line line = setup.spot ? line_of(setup, plan_, lives, number, from, notes)
                                 : build_line(setup, nullptr, notes, from);
    way.prepared.request.account = account;
    auto bill = bill_line(way.prepared, line, std::move(notes));
    if (!bill) {
      faults = bill.errors();
      return std::nullopt;
    }
    bills.push_back(std::move(*bill));
    return line.finished ? std::optional(bills.back().time.wall) : std::nullopt;
  };
  work_off(plan_.tasks, plan_.at_once, do_task);
  if (!faults.empty()) return faults;
  return plan_.tasks == 1 ? std::move(bills.front()) : joined(std::move(bills), plan_.at_once);
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
  const std::int64_t machines = n * plan_.at_once;  // times are those of one machine
  const auto mean = [machines](Wide sum) {
    return Duration{static_cast<std::int64_t>(mean_of(sum, machines))};
  };
  result.time_mean = {.wall = result.trials.wall.mean,
                      .queue = mean(sums_.queue),
                      .startup = mean(sums_.startup),
                      .transfer = mean(sums_.transfer),
                      .run = mean(sums_.run)};
  Trials& trials = result.trials;
  const auto whole = [n](const Sums::Moments& moments) {
    return Duration{static_cast<std::int64_t>(mean_of(moments.sum, n))};
  };
  constexpr Wide kMillisecond = 1000;
  trials.billed_mean = whole(sums_.billed);
  trials.billed_error_s = sums_.billed.standard_error(n, kMillisecond) / 1000;
  trials.lost_mean = whole(sums_.lost);
  trials.lost_error_s = sums_.lost.standard_error(n, kMillisecond) / 1000;
  trials.reclaims_mean = static_cast<double>(sums_.reclaims.sum) / static_cast<double>(n);
  trials.reclaims_error = sums_.reclaims.standard_error(n, 1);
  trials.zone_reclaims_mean = static_cast<double>(sums_.zone_reclaims) / static_cast<double>(n);
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
  if (plan_.hopeless) {
    // Sessions are long enough; it is the odds that are not.
    std::erase_if(result.bill.warnings, [](const Warning& w) { return w.code == "never_finishes"; });
    result.bill.warnings.push_back(
        {"hopeless_odds",
         "it would be taken back more than 100000 times on average before the work is done: that "
         "counts as never",
         "spot"});
  }
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
  auto plan = spot::plan_of(request, options);
  if (!plan) return plan.errors();
  plan->hopeless = spot::hopeless(request, *plan);
  auto result = spot::Trier(request, options, *plan).run();
  if (result && options.advice) spot::advise_checkpoint(request, options, *plan, *result);
  return result;
}

}  // namespace gpuplan
