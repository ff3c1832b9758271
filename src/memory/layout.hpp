#pragma once

#include <string>

#include "gpuplan/memory.hpp"

namespace gpuplan::detail {

// One wrong option, with what is allowed.
void complain(Diagnostics& errors, std::string option, std::string message, std::string hint);

// How the GPUs share the work: fills in dp, tp, pp, cp, ep and the ZeRO stage of `r`.
void resolve_layout(const Workload& w, const ModelShape& model, ResolvedWorkload& r,
                    Diagnostics& errors);

}  // namespace gpuplan::detail
