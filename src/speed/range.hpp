#pragma once

#include "gpuplan/speed.hpp"
#include "speed/images.hpp"
#include "speed/inference.hpp"
#include "speed/training.hpp"

namespace gpuplan::detail {

// The range in which 8 of 10 like measurements lay, as factors of the estimated rate; `explain`
// gets the line that says which measurements they are.
SpeedRange range_of(const Server& server, std::vector<Explained>& explain);
SpeedRange range_of(const Training& training, std::vector<Explained>& explain);
SpeedRange range_of_images(const ImageWork& image, std::vector<Explained>& explain);

}  // namespace gpuplan::detail
