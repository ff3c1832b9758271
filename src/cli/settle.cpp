#include "cli/settle.hpp"

#include "cli/files.hpp"
#include "spec/modes.hpp"

namespace gpuplan::cli {

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

void warn_of_one_user(const Job& job, Warnings& warnings) {
  const Workload& work = job.workload;
  if (!work.rate || work.mode != Mode::inference || work.batch || work.concurrency_max) return;
  warnings.push_back({"one_user_assumed",
                      "requests come at a rate, and how many a machine answers at once was not stated: one user at a "
                      "time is assumed (--concurrency max: as many as fit)",
                      "--concurrency"});
}

Result<JobModel> settle(Job job, bool mode_stated, const Tables& tables, Warnings& warnings) {
  assume_work(job, mode_stated, warnings);
  if (auto missing = check_model_stated(job, mode_stated, warnings); !missing.empty()) return missing;
  warn_of_one_user(job, warnings);
  auto model = find_model(job, *tables.models, model_file_access(), warnings);
  if (!model) return model.errors();
  const auto log = settle_measured_peak(job, read_file, *tables.cards, warnings);
  if (!log) return log.errors();
  if (auto wrong = find_draft(job, *tables.models, model_file_access(), warnings); !wrong.empty())
    return wrong;
  return JobModel{.job = std::move(job), .model = std::move(*model)};
}

}  // namespace gpuplan::cli
