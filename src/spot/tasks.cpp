// Work that is cut into tasks: what each of them is, and their bills as one.
#include "spot/tasks.hpp"

#include <array>

namespace gpuplan::spot {
namespace {

using namespace billing;

enum class Place : std::size_t { middle, before_idle, last };
constexpr std::array kPlaces{Place::middle, Place::before_idle, Place::last};

// Upload, work and download are shared evenly, as by machines; a disk is each task's own.
Job task_job(const BillRequest& request, const Plan& plan, Place place) {
  Job job = *request.job;
  job.machines = job.splits = 1;
  const auto part = [&](Bytes bytes) {
    return Bytes::of((bytes.count() + plan.tasks - 1) / plan.tasks);
  };
  if (!job.data.shared) job.data.upload = part(job.data.upload);
  job.data.download = part(job.data.download);
  if (place == Place::middle) job.idle = Duration{0};
  if (place != Place::last) job.keep = Keep{};
  return job;
}

BillRequest request_for(const BillRequest& asked, const Job& job) {
  BillRequest request = asked;
  request.job = &job;
  request.account = nullptr;
  return request;
}

}  // namespace

Way::Way(const BillRequest& asked, const Plan& plan, Job own)
    : job(std::move(own)), prepared(request_for(asked, job)) {
  if (prepared.setup.spot) hold(prepared.setup, plan);
  if (!plan.by_ticks() && asked.account == nullptr) quick = Quick::of(prepared);
}

Ways::Ways(const BillRequest& request, const Plan& plan) : plan_(plan) {
  if (plan.tasks == 1) {
    ways_.push_back(std::make_unique<Way>(request, plan, *request.job));
    return;
  }
  BillRequest task = request;
  task.run = Duration{(request.run.count() + plan.tasks / 2) / plan.tasks};
  const bool mixed = plan.policy.kind == PolicyKind::mixed;
  for (const char* sold : {"spot", "on_demand"}) {
    task.plan = sold;
    for (const Place place : kPlaces)
      ways_.push_back(std::make_unique<Way>(task, plan, task_job(request, plan, place)));
    if (!mixed) break;
  }
}

Way& Ways::of(std::int64_t task, bool on_demand) {
  if (plan_.tasks == 1) return whole();
  const Place place = task == plan_.tasks - 1               ? Place::last
                      : task >= plan_.tasks - plan_.at_once ? Place::before_idle
                                                            : Place::middle;
  return *ways_[static_cast<std::size_t>(place) + (on_demand ? kPlaces.size() : 0)];
}

Bill joined(std::vector<Bill> bills, std::int64_t at_once) {
  Bill all = std::move(bills.front());
  for (std::size_t i = 1; i < bills.size(); ++i) {
    Bill& bill = bills[i];
    for (LedgerLine& line : bill.ledger) {
      line.instance += static_cast<std::int64_t>(i);
      all.ledger.push_back(std::move(line));
    }
    for (const auto& [item, amount] : bill.totals) all.totals[item] += amount;
    all.total += bill.total;
    all.complete = all.complete && bill.complete;
    std::ranges::move(bill.unpriced, std::back_inserter(all.unpriced));
    all.time.wall = std::max(all.time.wall, bill.time.wall);
    all.time.queue += bill.time.queue;
    all.time.startup += bill.time.startup;
    all.time.transfer += bill.time.transfer;
    all.time.run += bill.time.run;
    all.billed += bill.billed;
    all.reclaims += bill.reclaims;
    all.lost += bill.lost;
    all.finished = all.finished && bill.finished;
    for (Warning& warning : bill.warnings)
      if (std::ranges::find(all.warnings, warning) == all.warnings.end())
        all.warnings.push_back(std::move(warning));
  }
  // Times are those of one machine.
  for (Duration* time : {&all.time.queue, &all.time.startup, &all.time.transfer, &all.time.run, &all.lost})
    *time /= at_once;
  return all;
}

}  // namespace gpuplan::spot
