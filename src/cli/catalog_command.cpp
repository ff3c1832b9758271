// `gpuplan catalog`: what one does with catalogs themselves.
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/answer.hpp"
#include "cli/commands.hpp"
#include "cli/tables.hpp"
#include "core/text.hpp"
#include "gpuplan/lint.hpp"

namespace gpuplan::cli {
namespace {

struct Options {
  std::vector<std::string> words;  // the action, then its files
  bool strict = false;
};

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
ExitCode validate(const Options& options, const Common& common) {
  const auto how = render_options(common);
  if (!how) return fail(how.errors(), common.json);
  const auto date = as_of(common);
  if (!date) return fail(date.errors(), common.json);
  DataTables data(common);
  const auto cards = data.cards();
  if (!cards) return fail(cards.errors(), common.json);
  std::vector<std::string> files(options.words.begin() + 1, options.words.end());
  if (files.empty()) files.emplace_back();
  std::vector<CheckedCatalog> checked;
  Diagnostics faults;
  bool findings = false;
  for (const std::string& file : files) {
    checked.push_back(check(file, **cards, data, {.as_of = *date}));
    const CheckedCatalog& last = checked.back();
    faults.insert(faults.end(), last.errors.begin(), last.errors.end());
    findings = findings || !last.lint.empty();
  }
  const bool refused = !faults.empty() || (options.strict && findings);
  if (!faults.empty()) (void)fail(faults, common.json);
  return deliver(render(checked, *how), common,
                 refused ? ExitCode::invalid_input : ExitCode::done);
}

ExitCode run(const Options& options, const Common& common) {
  const std::string action = options.words.empty() ? "" : options.words.front();
  if (action == "validate") return validate(options, common);
  return fail({{ErrorCode::usage, "catalog", "",
                action.empty() ? "an action is missing" : "unknown action " + quote(action),
                "write `gpuplan catalog validate FILE`"}},
              common.json);
}

}  // namespace

Run declare_catalog(CLI::App& command) {
  auto options = std::make_shared<Options>();
  command
      .add_option("action", options->words,
                  "validate, then catalog files (- for standard input); none: the built-in one")
      ->type_name("ACTION [FILE]");
  command.add_flag("--strict", options->strict, "findings too end with exit code 3")
      ->group("Check");
  return [options](const Common& common) { return run(*options, common); };
}

}  // namespace gpuplan::cli
