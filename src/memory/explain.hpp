#pragma once

#include <vector>

#include "memory/peak.hpp"

namespace gpuplan::detail {

// One line a part that is not zero, in the order of the JSON fields.
std::vector<Explained> explain_parts(const MemoryJob& job, const Totals& totals);

// What the reader should know about this estimate.
Warnings memory_warnings(const ModelShape& model, const MemoryJob& job, const Totals& totals);

}  // namespace gpuplan::detail
