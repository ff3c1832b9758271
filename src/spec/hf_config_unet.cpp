#include <algorithm>

#include "spec/hf_config.hpp"

namespace gpuplan {
namespace {

// A list with a number for each block, or one number for all.
std::int64_t at_block(const HfConfig& config, std::string_view key, std::size_t block,
                      std::int64_t other) {
  const auto value = config.reader().find(key);
  if (!value) return other;
  if (!value->node().is(JsonNode::Kind::array)) return value->integer(0, 1'000'000);
  const auto items = value->items();
  if (items.empty()) return other;
  return items[std::min(block, items.size() - 1)].integer(0, 1'000'000);
}

}  // namespace

ModelShape read_hf_unet(const HfConfig& config) {
  ModelShape shape;
  shape.kind = ModelKind::diffusion;
  shape.family = "unet";
  UNet unet;
  unet.in_channels = config.number_or({"in_channels"}, 4);
  unet.out_channels = config.number_or({"out_channels"}, 4);
  unet.layers_per_block = at_block(config, "layers_per_block", 0, 2);
  unet.added_embedding = config.number_or({"projection_class_embeddings_input_dim"}, 0);
  const auto channels = config.reader().at("block_out_channels").items();
  const auto blocks = config.reader().at("down_block_types").items();
  for (std::size_t i = 0; i < channels.size() && i < blocks.size(); ++i) {
    unet.channels.push_back(channels[i].integer(1, 1'000'000));
    const bool attends = blocks[i].text().find("Attn") != std::string::npos;
    unet.transformers.push_back(attends ? at_block(config, "transformer_layers_per_block", i, 1) : 0);
  }
  if (channels.size() != blocks.size())
    config.reader().at("down_block_types").complain("expected one for each of block_out_channels");
  if (channels.empty() || channels.size() > 16 || unet.layers_per_block > 100)
    config.reader().complain("expected 1 to 16 blocks of at most 100 layers");
  unet.middle_transformers =
      at_block(config, "transformer_layers_per_block", channels.empty() ? 0 : channels.size() - 1, 1);
  shape.context_dim = at_block(config, "cross_attention_dim", 0, 0);
  // The image is eight times as wide as what the UNet works on, with the usual autoencoder.
  shape.image_size = 8 * config.number_or({"sample_size"}, 0);
  shape.unet = unet;
  return shape;
}

}  // namespace gpuplan
