#include "speed/images.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "speed/constants.hpp"

namespace gpuplan::detail {
namespace {

double real(std::int64_t n) { return static_cast<double>(n); }

// ---- convolutional classifiers ----

struct Classifier {
  std::string_view name;   // last part of the model's name
  double multiplications;  // of an image at `side`, in 10^9
  double side;
  double layers;  // with weights
};
constexpr std::string_view kTorchvision = "torchvision.models tables: multiply-adds of an image";
constexpr std::array kClassifiers{
    Classifier{"resnet-18", 1.814, 224, 18},       Classifier{"resnet-34", 3.664, 224, 34},
    Classifier{"resnet-50", 4.089, 224, 50},       Classifier{"resnet-101", 7.801, 224, 101},
    Classifier{"resnet-152", 11.514, 224, 152},    Classifier{"vgg16", 15.470, 224, 16},
    Classifier{"alexnet", 0.714, 224, 8},          Classifier{"densenet121", 2.834, 224, 121},
    Classifier{"inception_v3", 5.713, 299, 94},    Classifier{"mobilenet_v3_large", 0.217, 224, 63},
    Classifier{"efficientnet_b0", 0.386, 224, 82}, Classifier{"efficientnet_b7", 37.746, 600, 271},
    Classifier{"convnext_tiny", 4.456, 224, 59},   Classifier{"convnext_base", 15.355, 224, 113},
    Classifier{"swin_t", 4.491, 224, 53},          Classifier{"swin_b", 15.431, 224, 101},
    Classifier{"regnet_y_16gf", 15.912, 224, 55}};

std::string_view last_part(std::string_view name) {
  const auto slash = name.rfind('/');
  return slash == std::string_view::npos ? name : name.substr(slash + 1);
}

double side_of(const ModelShape& model, const ResolvedWorkload& work, double usual) {
  if (work.image_size > 0) return real(work.image_size);
  return model.image_size > 0 ? real(model.image_size) : usual;
}

ImageWork classifier_work(const ModelShape& model, const ResolvedWorkload& work) {
  const auto row = std::ranges::find(kClassifiers, last_part(model.name), &Classifier::name);
  const bool known = row != kClassifiers.end();
  const double weights = real(count_parameters(model).total());
  const double side = side_of(model, work, 224);
  ImageWork image;
  image.rough = !known;
  image.source = known ? kTorchvision : kUnknownClassifier.source;
  const double at = known ? row->side : 224;
  const double products = known ? row->multiplications * 1e9 : kUnknownClassifier.value * weights;
  image.flops = 2 * products * side * side / (at * at);
  // ResNet-50 leaves 22.2 million numbers behind at 224 x 224, others about as the root of their
  // size.
  image.elements = kResNetElements.value * side * side / (224.0 * 224) *
                   std::sqrt(weights / kResNetWeights.value);
  image.operations = kOperationsOfLayer.value * (known ? row->layers : 50);
  return image;
}

// ---- diffusion ----

// How many steps the pipelines of huggingface/diffusers take by default, and whether each is done with
// and without the text.
struct Sampler {
  std::string_view family;
  double steps, passes;
  double text_tokens;  // that a diffusion transformer reads beside the image
};
constexpr std::array kSamplers{Sampler{"unet", 50, 2, 0},    Sampler{"flux", 28, 1, 512},
                               Sampler{"flux2", 50, 1, 512}, Sampler{"sd3", 28, 2, 333},
                               Sampler{"dit", 50, 2, 0},     Sampler{"pixart", 20, 2, 0}};

double transformers_at(const UNet& net, std::size_t level) {
  return level < net.transformers.size() ? real(net.transformers[level]) : 0;
}

// Multiplications of a residual layer, two 3 x 3 convolutions, for one position.
double residual(double in, double out) { return 9 * (in * out + out * out); }

// Of a transformer layer of width c over `positions`: attention over the image (4 c^2) and to the
// text (2 c^2, whose keys are few), a gated feed-forward block of four times the width (12 c^2),
// and the products of all pairs.
double transformer(double c, double positions) { return 18 * c * c + 2 * positions * c; }

double unet_products(const UNet& net, double side) {
  double sum = 0;
  for (std::size_t level = 0; level < net.channels.size(); ++level) {
    const double positions = side * side;
    const double c = real(net.channels[level]);
    const double below = level > 0 ? real(net.channels[level - 1]) : c;
    const double layers = real(net.layers_per_block);
    const double blocks = transformers_at(net, level);
    double each = residual(below, c) + (layers - 1) * residual(c, c);  // down
    each += (layers + 1) * residual(2 * c, c);                         // up, joined to the way down
    each += (2 * layers + 1) * blocks * transformer(c, positions);
    if (level + 1 == net.channels.size())
      each += 2 * residual(c, c) + real(net.middle_transformers) * transformer(c, positions);
    sum += each * positions;
    side = std::max(1.0, side / 2);
  }
  return sum;
}

std::optional<ImageWork> diffusion_work(const ModelShape& model, const ResolvedWorkload& work) {
  const std::string_view family = model.unet ? std::string_view{"unet"} : model.family;
  const auto sampler = std::ranges::find(kSamplers, family, &Sampler::family);
  if (sampler == kSamplers.end()) return std::nullopt;
  ImageWork image;
  const double latent = side_of(model, work, 1024) / 8;
  if (model.unet) {
    image.flops = 2 * unet_products(*model.unet, latent);
    image.source = "counted layer by layer: convolutions, attention, feed-forward blocks";
  } else {
    // Patches of 2 x 2 of the latent image.
    const double tokens = latent * latent / 4 + sampler->text_tokens;
    image.flops = 2 * real(count_parameters(model).total()) * tokens;
    image.source = "2 x parameters x patches";
    image.rough = true;
  }
  image.share = kDiffusionShare.value;
  image.operations = kDiffusionOperations.value;
  // With and without the text are one batch of two: twice the arithmetic, the same launches.
  image.passes = work.training() ? 1 : sampler->steps * sampler->passes;
  image.launched = work.training() ? 1 : sampler->steps;
  return image;
}

double compute_bytes(const Figures& f) {
  return f.arithmetic == Arithmetic::fp32 || f.arithmetic == Arithmetic::tf32 ? 4 : 2;
}

}  // namespace

std::optional<ImageWork> image_work(const ModelShape& model, const ResolvedWorkload& work) {
  if (model.kind == ModelKind::diffusion || model.unet) return diffusion_work(model, work);
  if (model.kind == ModelKind::vision && model.patch_size <= 0) return classifier_work(model, work);
  return std::nullopt;
}

Step image_step(const ImageWork& image, const ModelShape&, const ResolvedWorkload& work,
                const Figures& f) {
  const bool training = work.training();
  const double batch = std::max(1.0, real(work.batch));
  const double times = image.passes * (training ? 3 : 1);
  Step step;
  const double rate = image.share * f.gemm_share * f.linear;
  step.add({"products", times * image.flops / rate, Bound::compute,
            "passes x FLOPs of an image / (share x peak)",
            fmt::format("{} x {} / {}", times, show_amount(image.flops, "FLOP"),
                        show_amount(rate, "FLOP/s")),
            image.source});
  const double bytes = times * kElementMoves.value * image.elements * compute_bytes(f);
  step.add({"feature_maps", bytes / f.bandwidth, Bound::memory,
            "passes x moves x elements x bytes / bandwidth",
            fmt::format("{} / {}", show_amount(bytes, "B"), show_amount(f.bandwidth, "B/s")),
            kElementMoves.source});
  const double launched = image.launched * (training ? 3 : 1);
  step.add_beside({"launches", launched * image.operations * kImageLaunch.value / batch,
                   Bound::host, "passes x operations x launch / images of a batch, a soft maximum",
                   fmt::format("{} x {} x {} / {}", launched, image.operations,
                               show_time(kImageLaunch.value), batch),
                   kImageLaunch.source});
  // Without a stated loader: what the CPUs of a usual machine hand to one card.
  if (image.elements > 0 && !work.feed.loader_samples_per_s)
    step.add_beside({"loader", 1 / kImageLoader.value, Bound::host,
                     "1 / images a second that the loader hands to a card, a soft maximum",
                     fmt::format("1 / {}", kImageLoader.value), kImageLoader.source});
  return step;
}

}  // namespace gpuplan::detail
