#pragma once

#include "gpuplan/workload.hpp"

namespace gpuplan {

// Rendering, video and FP64 work runs no model: nothing of one may be counted, shown or advised.
inline bool runs_a_model(Mode mode) {
  return mode != Mode::render && mode != Mode::video && mode != Mode::fp64;
}

}  // namespace gpuplan
