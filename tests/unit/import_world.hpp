#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "catch.hpp"
#include "gpuplan/import.hpp"

// Lists of our own in the forms of other tools, and what becomes of them.
namespace import_world {

using namespace gpuplan;

inline const CardTable& cards() {
  static const CardTable table = *builtin_card_table();
  return table;
}

// Platforms of which some rules are known.
inline const Catalog& known() {
  static const Catalog catalog = *read_catalog(R"({
    "schema": "gpuplan.catalog/1", "as_of": "2026-11-01", "platforms": [
      {"id": "aws-ec2", "name": "AWS EC2", "as_of": "2026-10-01", "source": "its documentation",
       "stop": {"stop": "released"}, "meter": {"minimum_s": 60}, "offers": []},
      {"id": "ovhcloud", "currency": "EUR", "meter": {"quantum_s": 3600},
       "storage": {"volume": {"per_gb_month": 0.04}}, "offers": []}]})", "known.json");
  return catalog;
}

// The import, after it was written and read again: what a user pipes on is what is looked at.
struct Listing {
  Catalog catalog;
  ImportReport report;

  const Offer& offer(std::string_view id) const {
    const auto found = find_offers(catalog, id);
    INFO("offers named " << id);
    REQUIRE(found.size() == 1);
    return *found.front();
  }
  // How often something was found, and where first: "3 list.csv:2".
  std::string found(std::string_view code) const {
    for (const ImportFinding& finding : report.findings)
      if (finding.code == code)
        return std::to_string(finding.count) + (finding.rows.empty() ? "" : " " + finding.rows.front().where);
    return {};
  }
};

inline Listing listing(ImportFormat format, const std::string& name, const std::string& text, std::string platform = {}) {
  const ImportFile file{name, text};
  const auto imported = import_catalog({&file, 1}, {.format = format, .platform = std::move(platform), .as_of = {}}, cards(), known());
  REQUIRE(imported);
  const OwnKey report{"x_import", import_report_json(imported->report, format)};
  const std::string written = write_catalog(imported->catalog, {&report, 1});
  INFO(written);
  auto catalog = read_catalog(written, "written");
  if (!catalog) INFO(to_text(catalog.errors().front()));
  REQUIRE(catalog);
  REQUIRE(catalog->offers.size() == imported->catalog.offers.size());
  return {std::move(*catalog), imported->report};
}

inline std::string price(const std::optional<Decimal>& value) { return value ? value->to_string() : "none"; }

}  // namespace import_world
