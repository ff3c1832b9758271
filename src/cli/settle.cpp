#include "cli/settle.hpp"

#include "cli/files.hpp"

namespace gpuplan::cli {

Result<JobModel> settle(Job job, bool mode_stated, const Tables& tables, Warnings& warnings) {
  assume_work(job, mode_stated, warnings);
  auto model = find_model(job, *tables.models, model_file_access(), warnings);
  if (!model) return model.errors();
  const auto log = settle_measured_peak(job, read_file, *tables.cards, warnings);
  if (!log) return log.errors();
  if (auto wrong = find_draft(job, *tables.models, model_file_access(), warnings); !wrong.empty())
    return wrong;
  return JobModel{.job = std::move(job), .model = std::move(*model)};
}

}  // namespace gpuplan::cli
