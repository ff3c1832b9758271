// One offer billed for one or several jobs of an account.
#include <algorithm>

#include "core/exact_time.hpp"
#include "core/text.hpp"
#include "gpuplan/rank.hpp"
#include "rank/shares.hpp"
#include "rank/steps.hpp"

namespace gpuplan {

namespace detail {

Sizing Sizer::size_anyway(const Offer& offer) {
  Sizing sizing = *size(offer);
  if (sizing.run || sizing.card == nullptr) return sizing;
  if (job_->work.run_hours) {
    sizing.run = job_->work.run_hours;
    return sizing;
  }
  const auto layout = find_layout(*job_, *model_, Bytes::of(INT64_MAX), offer.gpus, offer.gpus);
  if (!layout) return sizing;
  auto speed = estimate_speed(*model_, layout->workload, *sizing.card);
  if (!speed) return sizing;
  if (const auto run =
          work_time(*job_, *model_, layout->workload, *sizing.card, *speed, *tables_.cards);
      run && *run)
    sizing.run = *run;
  return sizing;
}

}  // namespace detail

namespace {

// The name of a job in messages and gates; empty when there is only one.
std::string name_of(std::size_t index, std::span<const JobModel> jobs) {
  if (jobs.size() == 1) return {};
  const std::string& name = jobs[index].job.name;
  return "job " + (name.empty() ? std::to_string(index + 1) : name);
}

std::string plans_of(const Offer& offer) {
  std::vector<std::string> plans;
  const auto spot_part = [](const Component& part) { return part.spot.has_value(); };
  if (offer.price.on_demand || !offer.components.empty() || offer.free) plans.push_back("on_demand");
  if (offer.price.spot || std::ranges::any_of(offer.components, spot_part)) plans.push_back("spot");
  for (const Commitment& sold : offer.price.commitments) plans.push_back(sold.name);
  return plans.empty() ? "it states no price at all" : "it is sold as " + join(plans, ", ");
}

class Simulation {
 public:
  Simulation(std::span<const JobModel> jobs, const Catalog& catalog, const Offer& offer,
             const SimulateOptions& options, const Tables& tables)
      : jobs_(jobs), options_(options), tables_(tables) {
    result_.catalog = &catalog;
    result_.offer = &offer;
    result_.plan = options.plan;
    result_.currency = options.currency.empty() ? catalog.currency : options.currency;
  }

  Result<SimulateResult> run() {
    errors_ = detail::strangers_in(options_, jobs_);
    for (std::size_t i = 0; i < jobs_.size(); ++i) bill(i);
    if (!errors_.empty()) return std::move(errors_);
    for (const SimulatedJob& job : result_.jobs) {
      add(job.bill.totals, result_.totals);
      result_.total += job.bill.total;
      result_.complete = result_.complete && job.bill.complete;
    }
    share_out();
    for (std::size_t i = 0; i < result_.jobs.size(); ++i) job_gates(i);
    for (const BillShare& share : result_.by_project)
      detail::share_gates(share, "project", result_.gates);
    for (const BillShare& share : result_.by_member)
      detail::share_gates(share, "member", result_.gates);
    return std::move(result_);
  }

 private:
  void bill(std::size_t index);
  Diagnostics bill_into(const BillRequest& request, SimulatedJob& done) const;
  void share_out();
  void job_gates(std::size_t index);
  void gate(std::string name, std::string limit, std::string value, bool passed, std::string of) {
    result_.gates.push_back(
        {std::move(name), std::move(limit), std::move(value), passed, std::move(of)});
  }
  static void add(const std::map<Item, Money>& from, std::map<Item, Money>& to) {
    for (const auto& [item, amount] : from) to[item] += amount;
  }

  std::span<const JobModel> jobs_;
  const SimulateOptions& options_;
  const Tables& tables_;
  SimulateResult result_;
  AccountUse account_;
  Diagnostics errors_;
};

// The bill of any plan; of a spot plan with what its runs came to.
Diagnostics Simulation::bill_into(const BillRequest& request, SimulatedJob& done) const {
  if (options_.plan != "spot") {
    auto bill = simulate_bill(request);
    if (!bill) return bill.errors();
    done.bill = std::move(*bill);
    return {};
  }
  auto tried = simulate_spot(request, options_.trials);
  if (!tried) return tried.errors();
  done.bill = std::move(tried->bill);
  done.trials = std::move(tried->trials);
  done.checkpoint = std::move(tried->checkpoint);
  done.outlook = tried->outlook;
  return {};
}

void Simulation::bill(std::size_t index) {
  Job job = jobs_[index].job;
  if (job.workload.rate && !job.workload.batch) job.workload.concurrency_max = true;  // as in a ranking
  const std::string name = name_of(index, jobs_);
  const Offer& offer = *result_.offer;
  detail::Sizer sizer(job, jobs_[index].model, *result_.catalog, tables_);
  const Sizing sizing = sizer.size_anyway(offer);
  const std::string where = name.empty() ? offer.card.str() : name;
  for (const Reason& reason : sizing.reasons) {
    const bool memory = reason.code == "memory" || reason.code == "gpus";
    result_.warnings.push_back({memory ? "does_not_fit" : reason.code, reason.message, where});
  }
  result_.warnings.insert(result_.warnings.end(), sizing.warnings.begin(), sizing.warnings.end());
  // As in a ranking: shards, replicas, and machines that train as one.
  const bool several = job.machines == 1 && sizing.machines > 1 && sizing.run;
  const auto run = job.work.run_hours && !several ? job.work.run_hours : sizing.run;
  if (several) job.machines = sizing.machines;
  if (!run) {
    errors_.push_back({ErrorCode::usage, "--run-hours", "",
                       (name.empty() ? "" : name + ": ") + "the time of the work on " +
                           quote(offer.card) + " cannot be estimated",
                       "say how long it runs: --run-hours 10"});
    return;
  }
  const BillRequest request{.catalog = result_.catalog,
                            .offer = &offer,
                            .job = &job,
                            .run = *run,
                            .plan = options_.plan,
                            .currency = result_.currency,
                            .account = jobs_.size() > 1 ? &account_ : nullptr};
  SimulatedJob done{.job = job};
  if (const Diagnostics wrong = bill_into(request, done); !wrong.empty()) {
    for (Diagnostic error : wrong) {
      // What stands there is a code for the ranking, no hint for people.
      if (error.source != "--policy")
        error.hint = error.hint == "plan_not_sold" ? plans_of(offer) : "";
      if (std::ranges::find(errors_, error) == errors_.end()) errors_.push_back(std::move(error));
    }
    return;
  }
  done.unit_cost = detail::unit_cost(job, sizing, done.bill.total);
  result_.jobs.push_back(std::move(done));
}

// Who pays: by project and by member, in the order in which the jobs name them.
void Simulation::share_out() {
  for (const SimulatedJob& job : result_.jobs) {
    for (BillShare* share : {&detail::share_of(result_.by_project, job.job.project),
                             &detail::share_of(result_.by_member, job.job.member)})
      detail::add_bill(job.bill, job.bill.billed * result_.offer->gpus, *share);
  }
  const auto limit = [](const auto& limits, const std::string& name, auto& to) {
    if (const auto found = limits.find(name); found != limits.end()) to = found->second;
  };
  for (BillShare& share : result_.by_project)
    limit(options_.project_budgets, share.name, share.budget);
  for (BillShare& share : result_.by_member) {
    limit(options_.member_budgets, share.name, share.budget);
    limit(options_.member_quotas, share.name, share.quota);
  }
}

void Simulation::job_gates(std::size_t index) {
  const SimulatedJob& done = result_.jobs[index];
  const Job& job = done.job;
  const std::string of = name_of(index, jobs_);
  const bool tried = done.trials && done.trials->finished > 0;
  const Money total = tried ? done.trials->cost.mean : done.bill.total;
  const Duration wall =
      done.trials ? detail::sure_wall(*done.trials, done.bill.time.wall) : done.bill.time.wall;
  if (job.budget)
    gate("budget", to_string(*job.budget), to_string(total), total <= *job.budget, of);
  if (job.deadline)
    gate("deadline", exact_seconds(*job.deadline), exact_seconds(wall), wall <= *job.deadline, of);
  if (job.max_unit_cost)
    gate("max_unit_cost", to_string(*job.max_unit_cost),
         done.unit_cost ? to_string(done.unit_cost->amount) : "",
         done.unit_cost && done.unit_cost->amount <= *job.max_unit_cost, of);
}

}  // namespace

Result<SimulateResult> simulate_offer(std::span<const JobModel> jobs, const Catalog& catalog,
                                      const Offer& offer, const SimulateOptions& options,
                                      const Tables& tables) {
  return Simulation(jobs, catalog, offer, options, tables).run();
}

}  // namespace gpuplan
