#include <CLI/CLI.hpp>
#include <future>
#include <memory>

#include "cli/answer.hpp"
#include "cli/commands.hpp"
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
  auto job = options.job.read(common);
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
  if (const auto wrong = lay_prices(*catalog, *tables->cards, {}, common); !wrong.empty())
    return fail(wrong, common.json);
  const auto offer = pick_offer(*catalog, options.offer);
  if (!offer) return fail(offer.errors(), common.json);
  Warnings warnings;
  auto settled = settle(std::move(*job), {.mode_stated = options.job.given("mode"), .whole = false, .catalog = &*catalog},
                        *tables, warnings);
  if (!settled) return fail(options.job.placed(settled.errors()), common.json);
  const ChecklistRequest request{.catalog = &*catalog,
                                 .offer = *offer,
                                 .plan = options.plan,
                                 .currency = options.currency,
                                 .as_of = *day};
  auto list = make_checklist(settled->work, request, *tables);
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
