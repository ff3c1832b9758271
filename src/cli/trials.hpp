#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/outcome.hpp"
#include "gpuplan/rank.hpp"

namespace gpuplan::cli {

// --trials, --seed and --threads; what is wrong with them goes into the list.
void read_trials(const Common& common, const std::string& trials, TrialOptions& options,
                 Diagnostics& faults);

// The traces of availability that offers of the catalog name, unless every job says itself how long
// machines live. `only`: of this offer alone.
Result<AvailabilityFiles> spot_traces(const Catalog& catalog, std::span<const JobModel> jobs,
                                      const Offer* only);

}  // namespace gpuplan::cli
