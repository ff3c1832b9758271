#pragma once

#include <vector>

#include "gpuplan/plan.hpp"

namespace gpuplan::detail {

// What would make the job smaller: bytes saved and cost in speed of each, the cheapest first.
std::vector<Advice> give_advice(const Estimate& estimate, const Tables& tables);

}  // namespace gpuplan::detail
