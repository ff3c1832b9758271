// The smallest run that goes through everything, for a platform that one does not know yet.
#include <algorithm>

#include "advice/checklist.hpp"

namespace gpuplan::detail {
namespace {

// Long enough to be past the start-up and to show on a bill, short enough to be cheap.
constexpr std::chrono::minutes kRun{30};
constexpr Bytes kUpload = Bytes::gb(1), kDownload = Bytes::of(100'000'000), kDisk = Bytes::gb(20);

Bytes least(Bytes wanted, Bytes job) {
  return job.count() > 0 ? std::min(wanted, job) : wanted;
}

std::vector<std::string> steps(const ChecklistFacts& facts, const TrialPlan& trial) {
  const auto& verbs = facts.rules().stop;
  const bool can_stop = verbs.stop.value_or(State::not_offered) != State::not_offered;
  std::vector<std::string> list{
      "open the account and top up no more than this run costs" +
          std::string(facts.platform().account.minimum_topup
                          ? " (least: " + facts.platform().account.minimum_topup->to_string() +
                                " " + facts.platform().currency + ")"
                          : ""),
      "start one " + facts.offer().card + " machine, " + trial.plan +
          ", and note when it was asked for and when it was ready",
      "upload " + show_bytes(trial.upload) + " and note how long it takes: that is your line",
      "check it: nvidia-smi | gpuplan check --card " + shell_word(facts.offer().card) +
          " --from -",
      "run the job on a small part of the data for " + show_duration(trial.run) +
          " and log nvidia-smi",
      "save a state, and start again from it"};
  if (can_stop)
    list.push_back("stop the machine, start it again: are data and card still there?");
  list.push_back("download " + show_bytes(trial.download) + ", compare, terminate the machine");
  list.push_back("the next day compare the bill with " + facts.money(trial.total) +
                 (trial.complete ? "" : " (at least: a price is not stated)"));
  return list;
}

}  // namespace

std::optional<TrialPlan> trial_plan(const ChecklistFacts& facts) {
  TrialPlan trial{.run = std::min<Duration>(kRun, facts.list().run),
                  .upload = least(kUpload, facts.job().data.upload),
                  .download = least(kDownload, facts.job().data.download),
                  .total = {}};
  // A term is bought for the work, not for a trial.
  for (const std::string& plan : {std::string("on_demand"), facts.list().request.plan}) {
    const auto bill = facts.bill([&](ChecklistFacts::Variant& v) {
      v.plan = plan;
      v.run = trial.run;
      v.job.machines = v.job.splits = 1;
      v.job.schedule.reset();
      v.job.checkpoint.reset();
      v.job.keep = Keep{};
      v.job.idle = Duration{0};
      v.job.end.reset();
      v.job.data.upload = trial.upload;
      v.job.data.download = trial.download;
      v.job.data.disk = v.job.data.disk ? std::min(*v.job.data.disk, kDisk) : kDisk;
    });
    if (!bill) continue;
    trial.plan = plan;
    trial.total = bill->total;
    trial.complete = bill->complete;
    trial.wall = bill->time.wall;
    trial.steps = steps(facts, trial);
    return trial;
  }
  return std::nullopt;
}

}  // namespace gpuplan::detail
