#include "spec/models_count.hpp"

namespace gpuplan {
namespace {

class UNetCounter {
 public:
  UNetCounter(const ModelShape& shape, const UNet& unet, CountedParts& parts)
      : unet_(unet),
        condition_(shape.context_dim),
        time_width_(unet.channels.empty() ? Count{0} : Count{4} * unet.channels.front()),
        parts_(parts) {}

  void run() {
    if (unet_.channels.empty()) return;
    const Count first = unet_.channels.front();
    convolution(3, unet_.in_channels, first);
    time_embedding(first);
    down();
    middle();
    up();
    parts_.norms += Count{2} * first;
    convolution(3, first, unet_.out_channels);
  }

 private:
  void convolution(Count kernel, Count from, Count to) {
    parts_.convolution += kernel * kernel * from * to;
    parts_.norms += to;
  }
  void linear(Count from, Count to, Count& matrices) {
    matrices += from * to;
    parts_.norms += to;
  }
  void time_embedding(Count first) {
    linear(first, time_width_, parts_.other);
    linear(time_width_, time_width_, parts_.other);
    if (unet_.added_embedding == 0) return;
    linear(unet_.added_embedding, time_width_, parts_.other);
    linear(time_width_, time_width_, parts_.other);
  }
  // Two convolutions with group norms, the time in between, and a shortcut where widths differ.
  void residual(Count from, Count to) {
    parts_.norms += Count{2} * from + Count{2} * to;
    convolution(3, from, to);
    linear(time_width_, to, parts_.other);
    convolution(3, to, to);
    if (from.value() != to.value()) convolution(1, from, to);
  }
  // Group norm and projections around `depth` blocks of self-attention, cross-attention and GEGLU.
  void transformer(Count width, std::int64_t depth) {
    if (depth == 0) return;
    parts_.norms += Count{2} * width;
    linear(width, width, parts_.attention);
    linear(width, width, parts_.attention);
    parts_.attention += Count{depth} * (width * width * 6 + Count{2} * condition_ * width);
    parts_.mlp += Count{depth} * width * width * 12;
    // Two output biases, three layer norms, 8 + 1 biases of the feed-forward block.
    parts_.norms += Count{depth} * width * (2 + 6 + 9);
  }
  std::int64_t depth_at(std::size_t block) const {
    return block < unet_.transformers.size() ? unet_.transformers[block] : 0;
  }

  void down() {
    Count from = unet_.channels.front();
    for (std::size_t block = 0; block < unet_.channels.size(); ++block) {
      const Count to = unet_.channels[block];
      for (std::int64_t layer = 0; layer < unet_.layers_per_block; ++layer) {
        residual(layer == 0 ? from : to, to);
        transformer(to, depth_at(block));
      }
      if (block + 1 < unet_.channels.size()) convolution(3, to, to);
      from = to;
    }
  }
  void middle() {
    const Count width = unet_.channels.back();
    residual(width, width);
    transformer(width, unet_.middle_transformers);
    residual(width, width);
  }
  // Each layer on the way up also gets what the same place on the way down had left, and there is
  // one more of them: it takes what came into that block.
  void up() {
    Count below = unet_.channels.back();
    for (std::size_t block = unet_.channels.size(); block-- > 0;) {
      const Count to = unet_.channels[block];
      const Count entered = unet_.channels[block == 0 ? 0 : block - 1];
      for (std::int64_t layer = 0; layer <= unet_.layers_per_block; ++layer) {
        const Count skipped = layer == unet_.layers_per_block ? entered : to;
        residual((layer == 0 ? below : to) + skipped, to);
        transformer(to, depth_at(block));
      }
      if (block > 0) convolution(3, to, to);
      below = to;
    }
  }

  const UNet& unet_;
  Count condition_;
  Count time_width_;
  CountedParts& parts_;
};

}  // namespace

void count_unet(const ModelShape& shape, const UNet& unet, CountedParts& parts) {
  UNetCounter(shape, unet, parts).run();
}

}  // namespace gpuplan
