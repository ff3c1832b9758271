#pragma once

#include "gpuplan/speed.hpp"
#include "speed/inference.hpp"
#include "speed/training.hpp"

namespace gpuplan::detail {

// The range in which 8 of 10 like measurements lay, as factors of the estimated rate.
SpeedRange range_of(const Server& server);
SpeedRange range_of(const Training& training);

}  // namespace gpuplan::detail
