#include "memory/images.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gpuplan::detail {
namespace {

// Pixels of the latent image: the autoencoder of the Stable Diffusion family shrinks each side by 8.
constexpr double kLatentScale = 8;

double latent_side(const MemoryJob& job) {
  return std::max(1.0, static_cast<double>(job.work.image_size) / kLatentScale);
}

std::int64_t transformers_at(const UNet& net, std::size_t level) {
  return level < net.transformers.size() ? net.transformers[level] : 0;
}

// Elements kept for one pixel and channel. A residual layer keeps what goes into its two norms,
// activations and convolutions; on the way up its input is twice as wide, since the way down is
// joined to it. A transformer layer keeps three norms, two attentions and a gated feed-forward
// block of four times the width.
constexpr double kResidualDown = 6, kResidualUp = 9, kTransformer = 28;

double unet_elements(const MemoryJob& job, const UNet& net) {
  double elements = 0;
  double side = latent_side(job);
  for (std::size_t level = 0; level < net.channels.size(); ++level) {
    const double map = side * side * static_cast<double>(net.channels[level]);
    const auto down = static_cast<double>(net.layers_per_block);
    const double up = down + 1;
    elements += map * (down * kResidualDown + up * kResidualUp);
    elements += map * kTransformer * static_cast<double>(transformers_at(net, level)) * (down + up);
    if (level + 1 == net.channels.size())
      elements += map * (2 * kResidualDown +
                         kTransformer * static_cast<double>(net.middle_transformers));
    else
      side = std::max(1.0, side / 2);
  }
  return elements;
}

// Convolutional classifiers of which only the size is known: ResNet-50 keeps about 22 million
// numbers of an image of 224 x 224 (each convolution's output before and after its norm); deeper
// and shallower ones about as the root of their size.
double classifier_elements(const MemoryJob& job) {
  constexpr double kResNet50 = 22.2e6, kPixels = 224.0 * 224.0, kParameters = 25'557'032;
  const auto side = static_cast<double>(job.work.image_size);
  return kResNet50 * side * side / kPixels *
         std::sqrt(static_cast<double>(job.count.total()) / kParameters);
}

double elements_of(const MemoryJob& job) {
  return job.model.unet ? unet_elements(job, *job.model.unet) : classifier_elements(job);
}

}  // namespace

Term image_activations(const MemoryJob& job) {
  Term term;
  const double bytes = compute_bytes(job.work.precision);
  const double elements = elements_of(job);
  const auto images = static_cast<double>(job.work.batch);
  term.bytes = elements * bytes * images;
  // Recomputation keeps the inputs of the blocks: about one map in six.
  if (job.work.checkpointing != Checkpointing::none) term.bytes /= kResidualDown;
  term.formula = "feature maps kept of one image x bytes x images";
  term.inputs = fmt::format("{} x {} x {}", number(elements), number(bytes), number(images));
  term.source = "counted layer by layer (convolutions, norms, transformers); not checked against "
                "measurements";
  return term;
}

Term image_forward(const MemoryJob& job) {
  Term term;
  const double bytes = compute_bytes(job.work.precision);
  const auto images = static_cast<double>(job.work.batch);
  double largest = elements_of(job) / 10;
  double copies = 1;
  if (job.model.unet) {
    const double side = latent_side(job);
    const auto channels = job.model.unet->channels.empty()
                              ? 1.0
                              : static_cast<double>(job.model.unet->channels.front());
    // The widest maps: the joined input of the last residual layers, and a few of its size. With
    // guidance an image is computed twice, with and without the text.
    largest = side * side * channels * kResidualUp;
    copies = 2;
  }
  term.bytes = largest * copies * bytes * images;
  term.formula = "widest feature maps x passes x bytes x images";
  term.inputs = fmt::format("{} x {} x {} x {}", number(largest), number(copies), number(bytes),
                            number(images));
  term.source = "counted from the shape; not checked against measurements";
  return term;
}

double unet_adapter_widths(const ModelShape& model) {
  if (!model.unet) return 0;
  const UNet& net = *model.unet;
  const auto context = static_cast<double>(model.context_dim);
  double widths = 0;
  for (std::size_t level = 0; level < net.channels.size(); ++level) {
    const auto c = static_cast<double>(net.channels[level]);
    const double both_ways = 2 * static_cast<double>(net.layers_per_block) + 1;
    double count = static_cast<double>(transformers_at(net, level)) * both_ways;
    if (level + 1 == net.channels.size()) count += static_cast<double>(net.middle_transformers);
    // q, k, v, o over the image, then over the text (whose width k and v read).
    widths += count * (8 * c + 4 * c + 2 * (c + context));
  }
  return widths;
}

}  // namespace gpuplan::detail
