#pragma once

#include "gpuplan/cards.hpp"
#include "gpuplan/models.hpp"
#include "gpuplan/result.hpp"

namespace gpuplan::cli {

// The built-in tables from their flat bytes (src/CMakeLists.txt makes them); cards have figures only.
Result<CardTable> packed_cards();
Result<ModelTable> packed_models();

}  // namespace gpuplan::cli
