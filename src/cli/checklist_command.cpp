#include <CLI/CLI.hpp>
#include <future>
#include <memory>

#include "cli/answer.hpp"
#include "cli/commands.hpp"
#include "cli/files.hpp"
#include "cli/job_options.hpp"
#include "cli/offers.hpp"
#include "cli/settle.hpp"
#include "cli/tables.hpp"
#include "gpuplan/checklist.hpp"

namespace gpuplan::cli {
namespace {

struct Options {
  JobOptions job;
  std::vector<std::string> catalogs;
  std::string offer, plan = "on_demand", currency;
};

ExitCode run(const Options& options, const Common& common) {
  const auto how = render_options(common);
  auto job = options.job.read();
  const auto day = as_of(common);
  Diagnostics faults;
  for (const Diagnostics* list : {how ? nullptr : &how.errors(), job ? nullptr : &job.errors(),
                                  day ? nullptr : &day.errors()})
    if (list != nullptr) faults.insert(faults.end(), list->begin(), list->end());
  if (!faults.empty()) return fail(faults, common.json);

  DataTables data(common);
  auto reading = std::async(std::launch::async, [&] { return data.catalog(options.catalogs); });
  const auto tables = data.both();
  auto catalog = reading.get();
  if (!tables) return fail(tables.errors(), common.json);
  if (!catalog) return fail(catalog.errors(), common.json);
  if (const auto wrong = lay_prices(*catalog, *tables->cards, {options.catalogs, {}}, common); !wrong.empty())
    return fail(wrong, common.json);
  const auto offer = pick_offer(*catalog, options.offer);
  if (!offer) return fail(offer.errors(), common.json);
  Warnings warnings;
  assume_work(*job, options.job.given("mode"), warnings);
  if (const auto missing = check_model_stated(*job, options.job.given("mode"), warnings); !missing.empty())
    return fail(missing, common.json);
  auto model = find_model(*job, *tables->models, model_file_access(), warnings);
  if (!model) return fail(model.errors(), common.json);
  const auto log = settle_measured_peak(*job, read_file, *tables->cards, warnings);
  if (!log) return fail(log.errors(), common.json);
  const ChecklistRequest request{.catalog = &*catalog,
                                 .offer = *offer,
                                 .plan = options.plan,
                                 .currency = options.currency,
                                 .as_of = *day};
  auto list = make_checklist({.job = *job, .model = std::move(*model)}, request, *tables);
  if (!list) return fail(list.errors(), common.json);
  list->warnings.insert(list->warnings.begin(), warnings.begin(), warnings.end());
  log_warnings(list->warnings, common);
  return deliver(render(*list, *how), common, ExitCode::done);
}

}  // namespace

Run declare_checklist(CLI::App& command) {
  auto options = std::make_shared<Options>();
  const auto text = [&](const char* name, std::string& target, const char* type, const char* help) {
    command.add_option(name, target, help)->group("Choice")->type_name(type);
  };
  declare_catalogs(command, options->catalogs);
  text("--offer", options->offer, "ID", "ID or PLATFORM/ID");
  text("--plan", options->plan, "PLAN", "on_demand, spot, reserved, or one term");
  text("--currency", options->currency, "VALUE", "currency of the amounts");
  options->job.declare(command);
  return [options](const Common& common) { return run(*options, common); };
}

}  // namespace gpuplan::cli
