// `gpuplan catalog show`, `diff` and `merge`.
#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

#include "cli/answer.hpp"
#include "cli/catalog_actions.hpp"
#include "cli/document.hpp"
#include "cli/files.hpp"
#include "cli/tables.hpp"
#include "core/text.hpp"
#include "gpuplan/catalog_tools.hpp"
#include "gpuplan/import.hpp"

namespace gpuplan::cli {
namespace {

constexpr std::size_t kRows = 20;

void take_errors(Diagnostics& faults, const Diagnostics& more) { faults.insert(faults.end(), more.begin(), more.end()); }

Result<RenderOptions> table_options(const CatalogOptions& options, const Common& common) {
  auto how = render_options(common);
  if (!how) return how;
  how->top = kRows;
  if (options.top.empty()) return how;
  const auto top = Decimal::parse(options.top);
  const auto whole = top ? top->whole() : std::nullopt;
  if (!whole || *whole > 10'000'000)
    return Diagnostic{ErrorCode::usage, "--top", "", "expected a whole number, got " + quote(options.top), ""};
  how->top = static_cast<std::size_t>(*whole);
  how->top_stated = true;
  return how;
}

}  // namespace

// Words with an operator are filters, others are catalogs.
ExitCode show_catalog(const CatalogOptions& options, const Common& common) {
  const auto how = table_options(options, common);
  if (!how) return fail(how.errors(), common.json);
  SelectOptions select{.filters = {}, .sort = options.sort.empty() ? "price" : options.sort, .group = options.group};
  std::vector<std::string> files;
  for (std::size_t i = 1; i < options.words.size(); ++i) {
    const std::string& word = options.words[i];
    (is_filter(word) && !exists(word) ? select.filters : files).push_back(word);
  }
  DataTables data(common);
  const auto cards = data.cards();
  if (!cards) return fail(cards.errors(), common.json);
  auto catalog = data.catalog(files);
  if (!catalog) return fail(catalog.errors(), common.json);
  apply_contract(*catalog, **cards);
  const CardTable all = (*cards)->with(catalog->cards);
  const auto selection = select_offers(*catalog, all, select);
  if (!selection) return fail(selection.errors(), common.json);
  log_warnings(catalog->warnings, common);
  const CatalogView view{.catalog = &*catalog, .options = select, .selection = &*selection};
  return deliver(render(view, *how), common, selection->offers.empty() ? ExitCode::nothing_fits : ExitCode::done);
}

ExitCode diff_files(const CatalogOptions& options, const Common& common) {
  const auto how = table_options(options, common);
  Diagnostics faults;
  if (!how) take_errors(faults, how.errors());
  std::vector<DiffGate> gates;
  for (const std::string& text : options.fail_on) {
    auto gate = read_diff_gate(text);
    if (gate) gates.push_back(std::move(*gate));
    else take_errors(faults, gate.errors());
  }
  if (options.words.size() != 3)
    faults.push_back({ErrorCode::usage, "catalog diff", "", "two catalogs are needed, got " + std::to_string(options.words.size() - 1), "gpuplan catalog diff OLD NEW"});
  if (!faults.empty()) return fail(faults, common.json);
  DataTables data(common);
  const auto from = data.catalog({options.words[1]});
  const auto to = data.catalog({options.words[2]});
  if (!from) take_errors(faults, from.errors());
  if (!to) take_errors(faults, to.errors());
  if (!faults.empty()) return fail(faults, common.json);
  const CatalogDiff diff = diff_catalogs(*from, *to);
  for (DiffGate& gate : gates) judge(gate, diff);
  Warnings told = diff.warnings;
  for (Warning& warning : told) warning.message = warning.where + ": " + warning.message;
  log_warnings(told, common);
  const DiffView view{.from = options.words[1], .to = options.words[2], .fail_on = options.fail_on, .diff = &diff, .gates = gates};
  const bool passed = std::ranges::all_of(gates, &DiffGate::passed);
  return deliver(render(view, *how), common, passed ? ExitCode::done : ExitCode::gate_missed);
}

// Files that catalogs name beside themselves, and that the merged one would look for beside itself.
void warn_of_files_elsewhere(const Catalog& catalog, const std::string& output, Warnings& warnings) {
  using std::filesystem::path;
  const path here = path(output).parent_path();
  std::set<std::string> elsewhere;
  for (const Offer& offer : catalog.offers) {
    if (const auto& series = offer.price.spot_series)
      if (path(series->path).lexically_normal() != (here / series->file).lexically_normal())
        elsewhere.insert(series->path);
    // Of a trace only where it is opened is known: below the folder it may be meant so.
    if (const auto& trace = offer.rules->spot.availability_file; trace && !here.empty())
      if (const path way = path(*trace).lexically_relative(here); way.empty() || *way.begin() == "..")
        elsewhere.insert(*trace);
  }
  if (elsewhere.empty()) return;
  warnings.push_back({"files_elsewhere",
                      "the merged catalog names files beside itself that lie elsewhere: " +
                          join(std::vector(elsewhere.begin(), elsewhere.end()), ", ") +
                          "; copy them there, those of one name under names of their own",
                      "spot"});
}

ExitCode merge_catalogs(const CatalogOptions& options, const Common& common) {
  const std::vector<std::string> files(options.words.begin() + 1, options.words.end());
  if (files.size() < 2)
    return fail({{ErrorCode::usage, "catalog merge", "", "two or more catalogs are needed, got " + std::to_string(files.size()), "gpuplan catalog merge A B -o OUT"}}, common.json);
  DataTables data(common);
  auto catalog = data.catalog(files);
  if (!catalog) return fail(catalog.errors(), common.json);
  if (const auto faults = writing_faults(*catalog); !faults.empty()) return fail(faults, common.json);
  warn_of_files_elsewhere(*catalog, common.output, catalog->warnings);
  log_warnings(catalog->warnings, common);
  return deliver_document(write_catalog(*catalog), common);
}

}  // namespace gpuplan::cli
