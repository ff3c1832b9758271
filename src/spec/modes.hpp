#pragma once

#include "gpuplan/workload.hpp"

namespace gpuplan {

// Rendering, video and FP64 work runs no model: nothing of one may be counted, shown or advised.
inline bool runs_a_model(Mode mode) {
  return mode != Mode::render && mode != Mode::video && mode != Mode::fp64;
}

// Images and frames are no texts: none of their work is measured in tokens.
inline bool counts_tokens(Mode mode) {
  return runs_a_model(mode) && mode != Mode::vision && mode != Mode::diffusion;
}

}  // namespace gpuplan
