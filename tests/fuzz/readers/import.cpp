// Lists of other tools and of the clouds. What was imported must be a good catalog.
#include "gpuplan/import.hpp"

#include "../shared.hpp"

namespace gpuplan::fuzz {
namespace {

void import(ImportFormat format, std::string_view bytes) {
  static const Catalog known = *gpuplan::read_catalog(
      R"({"schema": "gpuplan.catalog/1", "platforms": [{"id": "aws-ec2", "currency": "EUR", "stop": "released", "storage": {"data": {"per_gb_month": 1}}}]})", "known");
  const ImportFile file{"aws.csv", std::string(bytes)};
  const auto imported = import_catalog({&file, 1}, {.format = format, .platform = {}, .as_of = {}}, cards(), known);
  if (!imported) return look_at(imported.errors());
  demand(imported->report.offers == imported->catalog.offers.size(), "the report counts other offers");
  const std::string report = import_report_json(imported->report, format);
  look_at(imported->catalog);
  const OwnKey own{"x_import", report};
  demand(bool(gpuplan::read_catalog(write_catalog(imported->catalog, {&own, 1}), "written")),
         "a catalog with its report is refused");
}

}  // namespace

#define GPUPLAN_FUZZ_IMPORT(name) \
  void feed_import_##name(std::string_view bytes) { import(ImportFormat::name, bytes); }
GPUPLAN_FUZZ_IMPORT(skypilot)
GPUPLAN_FUZZ_IMPORT(gpuhunt)
GPUPLAN_FUZZ_IMPORT(vast)
GPUPLAN_FUZZ_IMPORT(runpod)
GPUPLAN_FUZZ_IMPORT(lambda)
GPUPLAN_FUZZ_IMPORT(azure)
GPUPLAN_FUZZ_IMPORT(aws)
GPUPLAN_FUZZ_IMPORT(gcp)
GPUPLAN_FUZZ_IMPORT(shadeform)

}  // namespace gpuplan::fuzz
