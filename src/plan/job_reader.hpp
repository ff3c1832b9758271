#pragma once

#include "gpuplan/plan.hpp"

namespace gpuplan::detail {

// A job as far as its document and the options over it could be read. With faults, what they stand at
// has a neutral value; the rest can still be judged, so that all mistakes are told in one run.
struct PartialJob {
  Job job = {};
  bool readable = false;  // the document is JSON; else there is no job at all
  Diagnostics faults = {};
};
PartialJob read_partial_job(std::string_view text, const std::string& source,
                            std::span<const OptionValue> options);

}  // namespace gpuplan::detail
