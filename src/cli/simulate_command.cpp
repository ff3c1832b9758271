#include <CLI/CLI.hpp>
#include <algorithm>
#include <future>
#include <memory>

#include "cli/answer.hpp"
#include "cli/commands.hpp"
#include "cli/files.hpp"
#include "cli/job_options.hpp"
#include "cli/offers.hpp"
#include "cli/tables.hpp"
#include "cli/trials.hpp"
#include "core/text.hpp"

namespace gpuplan::cli {
namespace {

struct Options {
  JobOptions job;
  std::vector<std::string> catalogs;
  std::string offer, plan = "on_demand", currency, trials;
  std::vector<std::string> member_budgets, project_budgets, member_quotas;
};

// "ann=100": a name and what it may have.
template <class Value, class Parse>
void read_limits(const std::vector<std::string>& texts, const std::string& option,
                 const std::string& example, Parse parse, std::map<std::string, Value>& limits,
                 Diagnostics& faults) {
  for (const std::string& text : texts) {
    const auto equals = text.rfind('=');
    const auto value = equals == std::string::npos || equals == 0
                           ? std::optional<Value>{}
                           : parse(std::string_view(text).substr(equals + 1));
    if (!value)
      faults.push_back({ErrorCode::usage, option, "",
                        "expected NAME=VALUE such as " + example + ", got " + quote(text), ""});
    else if (!limits.try_emplace(text.substr(0, equals), *value).second)
      faults.push_back({ErrorCode::usage, option, "",
                        quote(text.substr(0, equals)) + " is given a limit twice", ""});
  }
}

Result<SimulateOptions> read_options(const Options& options, const Common& common) {
  SimulateOptions simulate{.plan = options.plan, .currency = options.currency};
  Diagnostics faults;
  read_trials(common, options.trials, simulate.trials, faults);
  const auto money = [](std::string_view text) { return Money::parse(text); };
  // Bare numbers are hours; 2d and 90m are fine as well.
  const auto hours = [](std::string_view text) {
    return Decimal::parse(text) ? parse_duration(std::string(text) + "h") : parse_duration(text);
  };
  read_limits(options.member_budgets, "--member-budget", "ann=100", money, simulate.member_budgets,
              faults);
  read_limits(options.project_budgets, "--project-budget", "vision=500", money,
              simulate.project_budgets, faults);
  read_limits(options.member_quotas, "--member-quota", "ann=40", hours, simulate.member_quotas,
              faults);
  if (!faults.empty()) return faults;
  return simulate;
}

ExitCode run(const Options& options, const Common& common) {
  const auto how = render_options(common);
  auto jobs = options.job.read_all();
  auto simulate = read_options(options, common);
  Diagnostics faults;
  for (const Diagnostics* list : {how ? nullptr : &how.errors(), jobs ? nullptr : &jobs.errors(),
                                  simulate ? nullptr : &simulate.errors()})
    if (list != nullptr) faults.insert(faults.end(), list->begin(), list->end());
  if (!faults.empty()) return fail(faults, common.json);

  DataTables data(common);
  auto reading = std::async(std::launch::async, [&] { return data.catalog(options.catalogs); });
  const auto tables = data.both();
  const auto catalog = reading.get();
  if (!tables) return fail(tables.errors(), common.json);
  if (!catalog) return fail(catalog.errors(), common.json);
  const auto offer = pick_offer(*catalog, options.offer);
  if (!offer) return fail(offer.errors(), common.json);
  Warnings warnings;
  std::vector<JobModel> work;
  for (std::size_t i = 0; i < jobs->size(); ++i) {
    Job& job = (*jobs)[i];
    assume_work(job, options.job.given("mode", i), warnings);
    auto model = find_model(job, *tables->models, model_file_access(), warnings);
    if (!model) return fail(model.errors(), common.json);
    const auto log = settle_measured_peak(job, read_file, *tables->cards, warnings);
    if (!log) return fail(log.errors(), common.json);
    if (const auto wrong = find_draft(job, *tables->models, model_file_access(), warnings);
        !wrong.empty())
      return fail(wrong, common.json);
    work.push_back({.job = std::move(job), .model = std::move(*model)});
  }
  const auto traces = options.plan == "spot"
                          ? spot_traces(*catalog, work.front().job, options.catalogs, *offer)
                          : Result<AvailabilityFiles>(AvailabilityFiles{});
  if (!traces) return fail(traces.errors(), common.json);
  simulate->trials.availability = &*traces;
  auto result = simulate_offer(work, *catalog, **offer, *simulate, *tables);
  if (!result) return fail(result.errors(), common.json);
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
  const auto list = [&](const char* name, std::vector<std::string>& target, const char* help) {
    command.add_option(name, target, help)
        ->delimiter(',')
        ->group("Limits")
        ->type_name("NAME=VALUE")
        ->expected(1)
        ->take_all();
  };
  command
      .add_option("catalog", options->catalogs,
                  "catalog files, - for standard input; the later win")
      ->type_name("CATALOG");
  text("--offer", options->offer, "ID", "ID or PLATFORM/ID");
  text("--plan", options->plan, "PLAN",
       "on_demand, spot, reserved, or one term: day, week, month, year, a name");
  text("--trials", options->trials, "N", "runs of a spot plan (10000)");
  text("--currency", options->currency, "VALUE", "currency of the bill");
  list("--member-budget", options->member_budgets, "most that a member may spend (repeatable)");
  list("--project-budget", options->project_budgets, "most that a project may spend (repeatable)");
  list("--member-quota", options->member_quotas, "card hours that a member has (repeatable)");
  options->job.declare(command, true);
  return [options](const Common& common) { return run(*options, common); };
}

}  // namespace gpuplan::cli
