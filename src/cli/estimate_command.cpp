#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cli/answer.hpp"
#include "cli/commands.hpp"
#include "cli/job_options.hpp"
#include "cli/settle.hpp"
#include "cli/tables.hpp"

namespace gpuplan::cli {
namespace {

ExitCode run(const JobOptions& options, const Common& common) {
  auto how = render_options(common);
  if (!how) return fail(how.errors(), common.json);
  auto read = options.read(common);
  if (!read) return fail(read.errors(), common.json);
  DataTables data(common);
  const auto tables = data.for_job(*read);
  if (!tables) return fail(tables.errors(), common.json);
  Warnings warnings;
  auto settled = settle(std::move(*read), {.mode_stated = options.given("mode"), .assume_work = false}, *tables, warnings);
  if (!settled) return fail(options.placed(settled.errors()), common.json);
  const Job& job = settled->work.job;
  auto estimate = make_estimate(job, settled->work.model, *tables);
  if (!estimate) return fail(options.placed(estimate.errors()), common.json);
  estimate->peak_log = std::move(settled->peak_log);
  estimate->warnings.insert(estimate->warnings.begin(), warnings.begin(), warnings.end());

  Warnings shown = estimate->warnings;
  if (!job.cards.empty())
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
