#pragma once

#include <string>
#include <vector>

#include "cli/outcome.hpp"

namespace gpuplan::cli {

struct CatalogOptions {
  std::vector<std::string> words;  // the action, then what it is about
  bool strict = false;
  std::string from, platform, sort, group, top;
  std::vector<std::string> fail_on;
};

ExitCode validate_catalogs(const CatalogOptions& options, const Common& common);
// Reads lists of other tools and clouds; the answer is a catalog, what was left out goes to
// standard error and into its key x_import.
ExitCode import_lists(const CatalogOptions& options, const Common& common);
ExitCode show_catalog(const CatalogOptions& options, const Common& common);
ExitCode diff_files(const CatalogOptions& options, const Common& common);
ExitCode merge_catalogs(const CatalogOptions& options, const Common& common);

}  // namespace gpuplan::cli
