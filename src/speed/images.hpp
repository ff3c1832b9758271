#pragma once

#include "gpuplan/models.hpp"
#include "gpuplan/speed.hpp"
#include "speed/figures.hpp"
#include "speed/step.hpp"

namespace gpuplan::detail {

// One image through a convolutional classifier or a diffusion model.
struct ImageWork {
  double flops = 0;         // of a forward pass
  double elements = 0;      // feature maps that a forward pass leaves behind; 0: not memory bound
  double operations = 0;    // launches of a forward pass
  double passes = 1;        // forward passes that make one image: steps x with and without the text
  double launched = 1;      // of them, those that are launched one after the other
  double share = 1;         // of what large matrix products reach
  std::string_view source;  // of `flops`
  bool rough = false;       // from the size alone
};
// Nothing for models that work on images as on tokens (ViT) or on no images at all, and for video.
std::optional<ImageWork> image_work(const ModelShape& model, const ResolvedWorkload& workload);

// Seconds of one image on one card, forward (inference) or forward and backward (training). The
// part that a batch shares is spread over its images.
Step image_step(const ImageWork& image, const ModelShape& model, const ResolvedWorkload& workload,
                const Figures& figures);

}  // namespace gpuplan::detail
