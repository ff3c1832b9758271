#pragma once

#include <vector>

#include "gpuplan/plan.hpp"

namespace gpuplan::detail {

// What would make the job smaller: bytes saved and cost in speed of each, the cheapest first.
std::vector<Advice> give_advice(const Estimate& estimate, const Tables& tables);

// The largest micro-batch and the longest context that fit the first named card.
void add_limits(const Estimate& estimate, std::vector<Advice>& list);

}  // namespace gpuplan::detail
