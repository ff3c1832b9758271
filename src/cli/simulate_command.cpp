#include <CLI/CLI.hpp>
#include <future>
#include <memory>

#include "cli/answer.hpp"
#include "cli/commands.hpp"
#include "cli/files.hpp"
#include "cli/job_options.hpp"
#include "cli/tables.hpp"
#include "core/text.hpp"

namespace gpuplan::cli {
namespace {

struct SimulateOptions {
  JobOptions job;
  std::vector<std::string> catalogs;
  std::string offer, plan = "on_demand", currency;
};

Result<const Offer*> pick_offer(const Catalog& catalog, const std::string& id) {
  if (id.empty() && catalog.offers.size() == 1) return &catalog.offers.front();
  if (id.empty())
    return Diagnostic{
        ErrorCode::usage, "--offer", "",
        "say which of the " + std::to_string(catalog.offers.size()) + " offers is meant",
        "ids stand in the JSON of `gpuplan compare`"};
  const auto found = find_offers(catalog, id);
  if (found.size() == 1) return found.front();
  std::vector<std::string> names;
  std::vector<std::string_view> ids;
  for (const Offer* offer : found)
    names.push_back(catalog.platforms[offer->platform].id + "/" + offer->id);
  for (const Offer& offer : catalog.offers) ids.push_back(offer.id);
  if (found.empty())
    return Diagnostic{ErrorCode::unknown_name, "--offer", "",
                      "the catalog has no offer " + quote(id), did_you_mean(id, ids)};
  return Diagnostic{ErrorCode::unknown_name, "--offer", "", quote(id) + " fits several offers",
                    "write one of " + join(names, ", ")};
}

ExitCode run(const SimulateOptions& options, const Common& common) {
  const auto how = render_options(common);
  if (!how) return fail(how.errors(), common.json);
  auto job = options.job.read();
  if (!job) return fail(job.errors(), common.json);
  DataTables data(common);
  auto reading = std::async(std::launch::async, [&] { return data.catalog(options.catalogs); });
  const auto tables = data.both();
  const auto catalog = reading.get();
  if (!tables) return fail(tables.errors(), common.json);
  if (!catalog) return fail(catalog.errors(), common.json);
  const auto offer = pick_offer(*catalog, options.offer);
  if (!offer) return fail(offer.errors(), common.json);
  Warnings warnings;
  assume_work(*job, options.job.given("mode"), warnings);
  const auto model = find_model(*job, *tables->models, read_model_file, warnings);
  if (!model) return fail(model.errors(), common.json);
  auto result =
      simulate_offer(*job, *model, *catalog, **offer, options.plan, options.currency, *tables);
  if (!result) return fail(result.errors(), common.json);
  result->warnings.insert(result->warnings.begin(), warnings.begin(), warnings.end());
  log_warnings(result->warnings, common);
  log_warnings(result->bill.warnings, common);
  return deliver(render(*result, *how), common, ExitCode::done);
}

}  // namespace

Run declare_simulate(CLI::App& command) {
  auto options = std::make_shared<SimulateOptions>();
  command
      .add_option("catalog", options->catalogs,
                  "catalog files, - for standard input; the later win")
      ->type_name("CATALOG");
  command.add_option("--offer", options->offer, "ID or PLATFORM/ID")
      ->group("Choice")
      ->type_name("ID");
  command
      .add_option("--plan", options->plan,
                  "on_demand, spot, reserved, or one term: day, week, month, year, a name")
      ->group("Choice")
      ->type_name("PLAN");
  command.add_option("--currency", options->currency, "currency of the bill")
      ->group("Choice")
      ->type_name("VALUE");
  options->job.declare(command);
  return [options](const Common& common) { return run(*options, common); };
}

}  // namespace gpuplan::cli
