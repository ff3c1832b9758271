#pragma once

#include <string>

#include "gpuplan/catalog.hpp"
#include "gpuplan/result.hpp"

namespace gpuplan::cli {

// The one offer that --offer names; it may be left out where the catalog has only one.
Result<const Offer*> pick_offer(const Catalog& catalog, const std::string& id);

}  // namespace gpuplan::cli
