#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpuplan/cards.hpp"
#include "gpuplan/catalog.hpp"
#include "gpuplan/date.hpp"
#include "gpuplan/result.hpp"

namespace gpuplan {

// Lists that other tools and the clouds' own interfaces give out.
enum class ImportFormat { skypilot, gpuhunt, vast, runpod, lambda, azure, aws, gcp, shadeform };
std::string_view name_of(ImportFormat format);
std::optional<ImportFormat> import_format(std::string_view name);
std::vector<std::string_view> import_formats();

struct ImportFile {
  std::string name;  // for messages; SkyPilot and gpuhunt say the cloud only there
  std::string text;
};

struct ImportOptions {
  ImportFormat format = ImportFormat::skypilot;
  std::string platform;       // id in the result; empty: as the format or the file's name says
  std::optional<Date> as_of;  // day of the prices, where the list does not say it
};

// One thing that was found in the rows: what was left out and why, or what was changed or doubtful
// in rows that were kept.
struct ImportFinding {
  struct Row {
    std::string where;   // "aws.csv:17" or "azure.json#/Items/4"
    std::string what;    // the machine as the list names it
    std::string detail;  // what was found there; may be empty
  };
  std::string code;     // stable
  std::string message;  // the reason, for people
  bool skipped = false;
  std::size_t count = 0;
  std::vector<Row> rows;  // the first thousand; none where the rows are of no interest (no card)
};

struct ImportReport {
  std::size_t rows = 0, offers = 0;
  std::vector<ImportFinding> findings;  // what was left out first, then in the order of the code
};

struct Imported {
  Catalog catalog;
  ImportReport report;
};

// Reads such lists into one catalog. Rows that cannot be used are counted and listed, never dropped
// in silence; a file that is not of the format at all is an error. The rules of a platform are those
// that `known` has of it.
Result<Imported> import_catalog(std::span<const ImportFile> files, const ImportOptions& options,
                                const CardTable& cards, const Catalog& known);

// A catalog as `gpuplan.catalog/1` text that reads back as the same catalog: every id is written,
// rules stand where they were stated. `extra` are further keys of the document.
std::string write_catalog(const Catalog& catalog, std::span<const OwnKey> extra = {});
// The report as the value of the key `x_import`.
std::string import_report_json(const ImportReport& report, ImportFormat format);

}  // namespace gpuplan
