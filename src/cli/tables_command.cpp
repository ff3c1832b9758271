// `gpuplan cards` and `gpuplan models`: the built-in tables.
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/answer.hpp"
#include "cli/commands.hpp"
#include "cli/tables.hpp"
#include "core/text.hpp"
#include "spec/table_filter.hpp"

namespace gpuplan::cli {
namespace {

using Words = std::vector<std::string>;

ExitCode run_cards(const Words& words, const Common& common) {
  const auto how = render_options(common);
  if (!how) return fail(how.errors(), common.json);
  DataTables data(common);
  const auto table = data.cards(DataTables::CardDetail::everything);
  if (!table) return fail(table.errors(), common.json);
  Warnings warnings;
  const auto cards = select_cards(**table, words, &warnings);
  if (!cards) return fail(cards.errors(), common.json);
  log_warnings(warnings, common);
  return deliver(render_cards(*cards, *how), common,
                 cards->empty() ? ExitCode::nothing_fits : ExitCode::done);
}

ExitCode run_models(const Words& words, const Common& common) {
  const auto how = render_options(common);
  if (!how) return fail(how.errors(), common.json);
  DataTables data(common);
  const auto table = data.models();
  if (!table) return fail(table.errors(), common.json);
  const auto models = select_models(**table, words);
  if (!models) return fail(models.errors(), common.json);
  return deliver(render_models(*models, *how), common,
                 models->empty() ? ExitCode::nothing_fits : ExitCode::done);
}

}  // namespace

Run declare_cards(CLI::App& command) {
  auto words = std::make_shared<Words>();
  command
      .add_option("name", *words, "names, or filters such as memory>=80GB class=consumer interconnect=nvlink card~rtx")
      ->type_name("NAME|FILTER");
  return [words](const Common& common) { return run_cards(*words, common); };
}

Run declare_models(CLI::App& command) {
  auto words = std::make_shared<Words>();
  command
      .add_option("name", *words,
                  "names, or filters such as parameters<=8B kind=decoder model~llama")
      ->type_name("NAME|FILTER");
  return [words](const Common& common) { return run_models(*words, common); };
}

}  // namespace gpuplan::cli
