#pragma once

#include "catalog/import/builder.hpp"

// One reader for each kind of list. Each adds the rows of one file to the builder; what it returns
// are the faults of a file that is not such a list at all.
namespace gpuplan::detail {

Diagnostics import_skypilot(const ImportFile& file, const ImportOptions& options, ImportBuilder& builder);
Diagnostics import_gpuhunt(const ImportFile& file, const ImportOptions& options, ImportBuilder& builder);
Diagnostics import_vast(const ImportFile& file, const ImportOptions& options, ImportBuilder& builder);
Diagnostics import_runpod(const ImportFile& file, const ImportOptions& options, ImportBuilder& builder);
Diagnostics import_lambda(const ImportFile& file, const ImportOptions& options, ImportBuilder& builder);
Diagnostics import_azure(const ImportFile& file, const ImportOptions& options, ImportBuilder& builder);
Diagnostics import_aws(const ImportFile& file, const ImportOptions& options, ImportBuilder& builder);
Diagnostics import_gcp(const ImportFile& file, const ImportOptions& options, ImportBuilder& builder);
Diagnostics import_shadeform(const ImportFile& file, const ImportOptions& options, ImportBuilder& builder);

// The cloud that the name of a file says: "catalogs/v7/aws/vms.csv", "aws.csv"; empty: none.
std::string cloud_of_file(std::string_view name);
// What was found is written into a platform's source.
std::string source_of(ImportFormat format, const ImportFile& file);

}  // namespace gpuplan::detail
