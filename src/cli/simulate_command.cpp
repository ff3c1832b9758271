#include <CLI/CLI.hpp>
#include <algorithm>
#include <future>
#include <memory>

#include "cli/answer.hpp"
#include "cli/commands.hpp"
#include "cli/job_options.hpp"
#include "cli/limits.hpp"
#include "cli/offers.hpp"
#include "cli/settle.hpp"
#include "cli/tables.hpp"
#include "cli/trials.hpp"
#include "core/text.hpp"

namespace gpuplan::cli {
namespace {

struct Options {
  JobOptions job;
  std::vector<std::string> catalogs, prices;
  std::string offer, plan = "on_demand", currency, trials;
  LimitOptions limits;
};

Result<SimulateOptions> read_options(const Options& options, const Common& common) {
  const auto limits = options.limits.read();
  Diagnostics faults = limits ? Diagnostics{} : limits.errors();
  TrialOptions trials;
  read_trials(common, options.trials, trials, faults);
  if (!faults.empty()) return faults;
  return SimulateOptions{.plan = options.plan,
                         .currency = options.currency,
                         .trials = trials,
                         .member_budgets = limits->member_budgets,
                         .project_budgets = limits->project_budgets,
                         .member_quotas = limits->member_quotas};
}

ExitCode run(const Options& options, const Common& common) {
  const auto how = render_options(common);
  auto jobs = options.job.read_all(common);
  auto simulate = read_options(options, common);
  Diagnostics faults;
  for (const Diagnostics* list : {how ? nullptr : &how.errors(), jobs ? nullptr : &jobs.errors(),
                                  simulate ? nullptr : &simulate.errors()})
    if (list != nullptr) faults.insert(faults.end(), list->begin(), list->end());
  if (!faults.empty()) return fail(faults, common.json);

  DataTables data(common);
  auto reading = std::async(std::launch::async, [&] { return data.catalog(options.catalogs); });
  const auto tables = data.both();
  auto catalog = reading.get();
  if (!tables) return fail(tables.errors(), common.json);
  if (!catalog) return fail(catalog.errors(), common.json);
  if (const auto wrong = lay_prices(*catalog, *tables->cards, options.prices, common); !wrong.empty())
    return fail(wrong, common.json);
  const auto offer = pick_offer(*catalog, options.offer);
  if (!offer) return fail(offer.errors(), common.json);
  Warnings warnings;
  const bool on_spot = options.plan == "spot";
  auto settled = settle_all(options.job, std::move(*jobs), {.whole = false, .on_spot = on_spot, .catalog = &*catalog},
                            *tables, warnings);
  if (!settled) return fail(settled.errors(), common.json);
  const std::vector<JobModel> work = std::move(*settled);
  const auto traces = on_spot
                          ? spot_traces(*catalog, work, *offer)
                          : Result<AvailabilityFiles>(AvailabilityFiles{});
  if (!traces) return fail(traces.errors(), common.json);
  simulate->trials.availability = &*traces;
  auto result = simulate_offer(work, *catalog, **offer, *simulate, *tables);
  if (!result) return fail(work.size() == 1 ? options.job.placed(result.errors()) : result.errors(), common.json);
  result->warnings.insert(result->warnings.begin(), warnings.begin(), warnings.end());
  Warnings told = result->warnings;
  for (const SimulatedJob& done : result->jobs)
    for (const Warning& warning : done.bill.warnings)
      if (std::ranges::find(told, warning) == told.end()) told.push_back(warning);
  log_warnings(told, common);
  const bool met = std::ranges::all_of(result->gates, &Gate::passed);
  return deliver(render(*result, *how), common, met ? ExitCode::done : ExitCode::gate_missed);
}

}  // namespace

Run declare_simulate(CLI::App& command) {
  auto options = std::make_shared<Options>();
  const auto text = [&](const char* name, std::string& target, const char* type, const char* help) {
    command.add_option(name, target, help)->group("Choice")->type_name(type);
  };
  declare_catalogs(command, options->catalogs);
  declare_own_prices(command, options->prices);
  text("--offer", options->offer, "ID", "ID or PLATFORM/ID");
  text("--plan", options->plan, "PLAN",
       "on_demand, spot, reserved, or one term: day, week, month, year, a name");
  text("--trials", options->trials, "N", "runs of a spot plan (10000)");
  text("--currency", options->currency, "VALUE", "currency of the bill");
  options->limits.declare(command);
  options->job.declare(command, true);
  return [options](const Common& common) { return run(*options, common); };
}

}  // namespace gpuplan::cli
