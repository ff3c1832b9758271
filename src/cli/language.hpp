#pragma once

#include "gpuplan/render.hpp"

namespace gpuplan::cli {

// In which language `fail` writes for people; JSON is the same in all of them.
void speak(Language language);

}  // namespace gpuplan::cli
