#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cli/answer.hpp"
#include "cli/commands.hpp"
#include "cli/files.hpp"
#include "cli/job_options.hpp"
#include "cli/settle.hpp"
#include "cli/tables.hpp"

namespace gpuplan::cli {
namespace {

ExitCode run(const JobOptions& options, const Common& common) {
  auto how = render_options(common);
  if (!how) return fail(how.errors(), common.json);
  auto job = options.read();
  if (!job) return fail(job.errors(), common.json);
  DataTables data(common);
  const auto tables = data.for_job(*job);
  if (!tables) return fail(tables.errors(), common.json);
  Warnings warnings;
  if (const auto missing = check_model_stated(*job, options.given("mode"), warnings); !missing.empty())
    return fail(missing, common.json);
  warn_of_one_user(*job, warnings);
  const auto model = find_model(*job, *tables->models, model_file_access(), warnings);
  if (!model) return fail(model.errors(), common.json);
  auto log = settle_measured_peak(*job, read_file, *tables->cards, warnings);
  if (!log) return fail(log.errors(), common.json);
  if (const auto faults = find_draft(*job, *tables->models, model_file_access(), warnings);
      !faults.empty())
    return fail(faults, common.json);
  auto estimate = make_estimate(*job, *model, *tables);
  if (!estimate) return fail(estimate.errors(), common.json);
  estimate->peak_log = std::move(*log);
  estimate->warnings.insert(estimate->warnings.begin(), warnings.begin(), warnings.end());

  Warnings shown = estimate->warnings;
  if (!job->cards.empty())
    for (const CardFit& fit : estimate->cards)
      shown.insert(shown.end(), fit.warnings.begin(), fit.warnings.end());
  log_warnings(shown, common);
  const bool any = std::ranges::any_of(estimate->cards, &CardFit::fits);
  const std::string typed = options.typed();
  how->typed_job = typed;
  return deliver(render(*estimate, *how), common, any ? ExitCode::done : ExitCode::nothing_fits);
}

}  // namespace

Run declare_estimate(CLI::App& command) {
  auto options = std::make_shared<JobOptions>();
  options->declare(command);
  return [options](const Common& common) { return run(*options, common); };
}

}  // namespace gpuplan::cli
