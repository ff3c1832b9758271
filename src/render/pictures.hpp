#pragma once

#include "gpuplan/advice.hpp"
#include "gpuplan/plan.hpp"
#include "gpuplan/rank.hpp"
#include "render/picture.hpp"

namespace gpuplan {

// The pictures of each answer; none where there is nothing to draw.
Pictures pictures_of(const Estimate& estimate);
Pictures pictures_of(const Ranking& ranking);
Pictures pictures_of(const SimulateResult& result);
Pictures pictures_of(const BreakEven& answer);

}  // namespace gpuplan
