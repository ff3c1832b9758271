#pragma once

#include <string>
#include <vector>

#include "cli/outcome.hpp"
#include "gpuplan/spot.hpp"

namespace gpuplan::cli {

// --trials, --seed and --threads; what is wrong with them goes into the list.
void read_trials(const Common& common, const std::string& trials, TrialOptions& options,
                 Diagnostics& faults);

// The traces of availability that offers of the catalog name, unless the job says itself how long
// machines live. Paths are relative to the catalog that names them. `only`: of this offer alone.
Result<AvailabilityFiles> spot_traces(const Catalog& catalog, const Job& job,
                                      const std::vector<std::string>& catalogs, const Offer* only);

}  // namespace gpuplan::cli
