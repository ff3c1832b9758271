#pragma once

#include "gpuplan/plan.hpp"
#include "render/json_writer.hpp"

namespace gpuplan {

// The members of `inputs`: everything that the answer was computed from, defaults resolved.
void write_workload_inputs(JsonWriter& json, const ResolvedWorkload& workload);
void write_job_inputs(JsonWriter& json, const Job& job);

}  // namespace gpuplan
