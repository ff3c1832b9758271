#pragma once

#include "cli/job_options.hpp"
#include "gpuplan/plan.hpp"
#include "gpuplan/rank.hpp"

namespace gpuplan::cli {

// What a command asks of a job beside its document.
struct SettleOptions {
  bool mode_stated = false;
  bool assume_work = true;           // an amount of work where none was stated
  bool whole = true;                 // its numbers must go together with the model
  bool on_spot = false;              // its policy must have what it needs
  const Catalog* catalog = nullptr;  // whose cards have names too
};
struct SettledJob {
  JobModel work;
  std::optional<GpuLog> peak_log = {};  // of a trial run
};

// A job as it was read, with its model found, its amount of work assumed where none was stated, its
// log of a trial run read, and its draft model looked up. Errors: all mistakes that only tables and
// files can show; they name the options.
Result<SettledJob> settle(Job job, const SettleOptions& how, const Tables& tables, Warnings& warnings);
// All of them, with the mistakes where they stand.
Result<std::vector<JobModel>> settle_all(const JobOptions& options, std::vector<Job> jobs, SettleOptions how,
                                         const Tables& tables, Warnings& warnings);

}  // namespace gpuplan::cli
