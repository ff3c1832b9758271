// `gpuplan catalog`: what one does with catalogs themselves.
#include <CLI/CLI.hpp>
#include <array>
#include <memory>

#include "cli/answer.hpp"
#include "cli/catalog_actions.hpp"
#include "cli/commands.hpp"
#include "cli/tables.hpp"
#include "core/text.hpp"
#include "gpuplan/lint.hpp"

namespace gpuplan::cli {
namespace {

CheckedCatalog check(const std::string& file, const CardTable& cards, DataTables& data,
                     const LintOptions& lint) {
  CheckedCatalog checked{.file = file.empty() ? "built-in catalog.json" : file};
  const auto catalog =
      data.catalog(file.empty() ? std::vector<std::string>{} : std::vector{file});
  if (!catalog) {
    checked.errors = catalog.errors();
    return checked;
  }
  checked.as_of = catalog->as_of;
  checked.platforms = catalog->platforms.size();
  checked.offers = catalog->offers.size();
  checked.lint = lint_catalog(*catalog, cards.with(catalog->cards), lint);
  return checked;
}

// Every file by itself, so that one with errors does not hide those of the next.
}  // namespace

ExitCode validate_catalogs(const CatalogOptions& options, const Common& common) {
  const auto how = render_options(common);
  if (!how) return fail(how.errors(), common.json);
  const auto date = as_of(common);
  if (!date) return fail(date.errors(), common.json);
  DataTables data(common);
  const auto cards = data.cards();
  if (!cards) return fail(cards.errors(), common.json);
  std::vector<std::string> files(options.words.begin() + 1, options.words.end());
  if (files.empty()) files.emplace_back();
  const auto known = data.catalog({});
  std::vector<CheckedCatalog> checked;
  Diagnostics faults;
  bool findings = false;
  for (const std::string& file : files) {
    checked.push_back(check(file, **cards, data, {.as_of = *date, .known = known ? &*known : nullptr}));
    const CheckedCatalog& last = checked.back();
    faults.insert(faults.end(), last.errors.begin(), last.errors.end());
    findings = findings || !last.lint.empty();
  }
  const bool refused = !faults.empty() || (options.strict && findings);
  if (!faults.empty()) (void)fail(faults, common.json);
  return deliver(render(checked, *how), common,
                 refused ? ExitCode::invalid_input : ExitCode::done);
}

namespace {

struct Action {
  std::string_view name;
  ExitCode (*run)(const CatalogOptions&, const Common&);
};
constexpr std::array kActions{Action{"validate", validate_catalogs}, Action{"import", import_lists},
                              Action{"show", show_catalog}, Action{"diff", diff_files},
                              Action{"merge", merge_catalogs}};

ExitCode run(const CatalogOptions& options, const Common& common) {
  const std::string name = options.words.empty() ? "" : options.words.front();
  std::vector<std::string> names;
  std::vector<std::string_view> views;
  for (const Action& action : kActions) {
    if (action.name == name) return action.run(options, common);
    names.emplace_back(action.name);
    views.push_back(action.name);
  }
  const std::string guess = did_you_mean(name, views);
  return fail({{ErrorCode::usage, "catalog", "",
                name.empty() ? "an action is missing" : "unknown action " + quote(name),
                guess.empty() ? "actions: " + join(names, ", ") : guess}},
              common.json);
}

}  // namespace

Run declare_catalog(CLI::App& command) {
  auto options = std::make_shared<CatalogOptions>();
  const auto text = [&](const char* name, std::string& target, const char* group, const char* help) {
    command.add_option(name, target, help)->group(group)->type_name("VALUE");
  };
  command
      .add_option("action", options->words,
                  "validate, import, show, diff or merge, then files (- for standard input); show takes filters "
                  "too: card=H100 gpus>=8 price<30 memory>=80GB spot<1 interconnect=nvlink region~us platform=acme tier~secure")
      ->type_name("ACTION [FILE]");
  command.add_flag("--strict", options->strict, "findings too end with exit code 3")
      ->group("validate");
  text("--from", options->from, "import", "skypilot, gpuhunt, vast, runpod, lambda, azure, aws, gcp or shadeform");
  text("--platform", options->platform, "import", "cloud of the list, where neither it nor its file name says so");
  text("--sort", options->sort, "show", "price, per_card, spot, memory, gpus, card, platform, region or file");
  text("--group", options->group, "show", "card, platform or region, with the range of prices of one card");
  text("--top", options->top, "show", "rows to show");
  command.add_option("--fail-on", options->fail_on, "exit code 5 for up:10%, down:10%, change:10%, new, gone or changed")
      ->group("diff")->type_name("LIST")->delimiter(',')->expected(1)->take_all();
  return [options](const Common& common) { return run(*options, common); };
}

}  // namespace gpuplan::cli
