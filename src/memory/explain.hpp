#pragma once

#include <vector>

#include "memory/peak.hpp"

namespace gpuplan::detail {

// One line a part that is not zero, in the order of the JSON fields.
std::vector<Explained> explain_parts(const MemoryJob& job, const Totals& totals);

// The line of the range.
Explained explain_range(const MemoryRange& range);

// What the reader should know about this estimate.
// What nvidia-smi shows of an engine that fills its share of a card, named as people name it.
Warning engine_share_warning(Bytes need, Bytes card_memory, std::string_view card);
Warnings memory_warnings(const ModelShape& model, const MemoryJob& job, const Totals& totals);

}  // namespace gpuplan::detail
