#pragma once

#include <string>

#include "gpuplan/plan.hpp"

namespace gpuplan {

// What the table of an estimate and its page have in common.
std::string estimate_heading(const Estimate& estimate);
std::string settings_line(const ResolvedWorkload& workload);
std::string speed_line(const SpeedEstimate& speed);

}  // namespace gpuplan
