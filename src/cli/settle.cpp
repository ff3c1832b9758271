#include "cli/settle.hpp"

#include <algorithm>

#include "cli/files.hpp"
#include "gpuplan/spot.hpp"
#include "spec/modes.hpp"
#include "spot/trial_plan.hpp"

namespace gpuplan::cli {
namespace {

// Warns that a usual model is assumed where a mode was stated without one: a language model stands for
// the others of its size. An image model stands for none: an error.
Diagnostics check_model_stated(const Job& job, bool mode_stated, Warnings& warnings) {
  const Mode mode = job.workload.mode;
  const bool one_of_its_own = mode == Mode::vision || mode == Mode::diffusion || mode == Mode::encoder;
  if (job.model_stated || !mode_stated || !runs_a_model(mode)) return {};
  if (one_of_its_own && !job.work.run_hours && !job.measured_peak)
    return {{ErrorCode::usage, "--model", "", "--mode " + std::string(name_of(mode)) + " needs a model",
             "name it with --model (gpuplan models lists them), or state --run-hours"}};
  warnings.push_back({"default_model", "no model was stated: " + job.model + " is assumed (--model names it)", "model"});
  return {};
}

// Warns that a server of requests at a rate is taken to serve one user at a time.
void warn_of_one_user(const Job& job, Warnings& warnings) {
  const Workload& work = job.workload;
  if (!work.rate || work.mode != Mode::inference || work.batch || work.concurrency_max) return;
  warnings.push_back({"one_user_assumed",
                      "requests come at a rate, and how many a machine answers at once was not stated: one user at a "
                      "time is assumed (--concurrency max: as many as fit)",
                      "--concurrency"});
}

Diagnostics unknown_cards(const Job& job, const Tables& tables, const Catalog* catalog) {
  Diagnostics faults;
  const CardTable own(catalog == nullptr ? std::vector<Card>{} : catalog->cards);
  const auto check = [&](const std::string& name, const char* option) {
    if (!own.find(name) && !tables.cards->find(name)) faults.push_back(tables.cards->unknown(name, option));
  };
  for (const std::string& card : job.cards) check(card, "--card");
  if (job.work.measured) check(job.work.measured->card, "--measured-run");
  return faults;
}

}  // namespace

Result<SettledJob> settle(Job job, const SettleOptions& how, const Tables& tables, Warnings& warnings) {
  Diagnostics faults;
  const auto add = [&](const Diagnostics& found) { faults.insert(faults.end(), found.begin(), found.end()); };
  if (how.assume_work) assume_work(job, how.mode_stated, warnings);
  add(check_model_stated(job, how.mode_stated, warnings));
  warn_of_one_user(job, warnings);
  auto model = find_model(job, *tables.models, model_file_access(), warnings);
  if (!model) add(model.errors());
  add(unknown_cards(job, tables, how.catalog));
  auto log = settle_measured_peak(job, read_file, *tables.cards, warnings);
  if (!log) add(log.errors());
  add(find_draft(job, *tables.models, model_file_access(), warnings));
  if (job.policy && (how.on_spot || !parse_policy(*job.policy)))
    if (const auto wrong = spot::policy_fault(job)) add({*wrong});
  if (how.whole && model)
    if (const auto resolved = resolve(job.workload, *model); !resolved) add(resolved.errors());
  if (!faults.empty()) return faults;
  return SettledJob{.work = {.job = std::move(job), .model = std::move(*model)}, .peak_log = std::move(*log)};
}

Result<std::vector<JobModel>> settle_all(const JobOptions& options, std::vector<Job> jobs, SettleOptions how,
                                         const Tables& tables, Warnings& warnings) {
  std::vector<JobModel> work;
  Diagnostics faults;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    how.mode_stated = options.given("mode", i);
    auto settled = settle(std::move(jobs[i]), how, tables, warnings);
    if (settled)
      work.push_back(std::move(settled->work));
    else
      for (Diagnostic& fault : options.placed(settled.errors(), i))
        if (std::ranges::find(faults, fault) == faults.end()) faults.push_back(std::move(fault));
  }
  if (!faults.empty()) return faults;
  return work;
}

}  // namespace gpuplan::cli
