// `gpuplan catalog import`: lists of other tools and clouds become a catalog.
#include <spdlog/spdlog.h>

#include <set>

#include "cli/answer.hpp"
#include "cli/catalog_actions.hpp"
#include "cli/document.hpp"
#include "cli/files.hpp"
#include "cli/tables.hpp"
#include "core/text.hpp"
#include "gpuplan/import.hpp"

namespace gpuplan::cli {
namespace {

constexpr std::size_t kExamples = 3;

Result<ImportOptions> read_options(const CatalogOptions& options, const Common& common) {
  ImportOptions read{.format = {}, .platform = options.platform, .as_of = {}};
  Diagnostics faults;
  const auto formats = import_formats();
  if (const auto format = import_format(options.from)) {
    read.format = *format;
  } else {
    const std::vector<std::string> names(formats.begin(), formats.end());
    faults.push_back({ErrorCode::usage, "--from", "",
                      options.from.empty() ? "the kind of list is missing" : "no reader is named " + quote(options.from),
                      "one of " + join(names, ", ")});
  }
  if (const auto date = as_of(common)) read.as_of = *date;
  else faults.insert(faults.end(), date.errors().begin(), date.errors().end());
  if (options.words.size() < 2)
    faults.push_back({ErrorCode::usage, "catalog import", "", "a file is missing", "- reads standard input"});
  std::set<std::string> seen;
  for (std::size_t i = 1; i < options.words.size(); ++i)
    if (!seen.insert(options.words[i]).second)
      faults.push_back({ErrorCode::usage, options.words[i], "", "the file is named twice", ""});
  if (!faults.empty()) return faults;
  return read;
}

Result<std::vector<ImportFile>> read_files(const CatalogOptions& options) {
  std::vector<ImportFile> files;
  Diagnostics faults;
  for (std::size_t i = 1; i < options.words.size(); ++i) {
    const std::string& name = options.words[i];
    auto text = read_file(name);
    if (text) files.push_back({name == "-" ? "<stdin>" : name, std::move(*text)});
    else faults.insert(faults.end(), text.errors().begin(), text.errors().end());
  }
  if (!faults.empty()) return faults;
  return files;
}

std::string told(const ImportFinding& finding) {
  std::string text = std::to_string(finding.count) + (finding.skipped ? " left out: " : " kept: ") + finding.message;
  std::vector<std::string> examples;
  for (const ImportFinding::Row& row : finding.rows) {
    if (examples.size() == kExamples) break;
    examples.push_back(row.where + (row.what.empty() ? "" : " " + quote(row.what)) +
                       (row.detail.empty() ? "" : " (" + quote(row.detail) + ")"));
  }
  if (examples.empty()) return text;
  text += "; " + join(examples, ", ");
  if (finding.count > examples.size()) text += ", ...";
  return text;
}

void tell(const ImportReport& report, const Common& common) {
  Warnings warnings{{"imported",
                     std::to_string(report.rows) + " rows were read, " + std::to_string(report.offers) +
                         " offers made of them; x_import in the catalog lists the rest",
                     {}}};
  for (const ImportFinding& finding : report.findings)
    warnings.push_back({finding.code, told(finding), {}});
  log_warnings(warnings, common);
}

}  // namespace

ExitCode import_lists(const CatalogOptions& options, const Common& common) {
  const auto read = read_options(options, common);
  if (!read) return fail(read.errors(), common.json);
  const auto files = read_files(options);
  if (!files) return fail(files.errors(), common.json);
  DataTables data(common);
  const auto cards = data.cards();
  if (!cards) return fail(cards.errors(), common.json);
  const auto known = data.catalog({});
  if (!known) return fail(known.errors(), common.json);
  const auto imported = import_catalog(*files, *read, **cards, *known);
  if (!imported) return fail(imported.errors(), common.json);
  tell(imported->report, common);
  const OwnKey report{"x_import", import_report_json(imported->report, read->format)};
  return deliver_document(write_catalog(imported->catalog, {&report, 1}), common);
}

}  // namespace gpuplan::cli
