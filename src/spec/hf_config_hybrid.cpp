#include <algorithm>
#include <cmath>

#include "spec/hf_config_finish.hpp"

namespace gpuplan {
namespace {

Recurrent mamba_of(const HfConfig& config, const ModelShape& shape) {
  const std::int64_t expand = config.number_or({"mamba_expand", "expand"}, 2);
  const std::int64_t ceiling = (shape.hidden + 15) / 16;
  return {.kind = Recurrence::mamba,
          .inner = config.number({"intermediate_size", "d_inner"}).value_or(expand * shape.hidden),
          .state = config.number_or({"mamba_d_state", "state_size"}, 16),
          .convolution = config.number_or({"mamba_d_conv", "conv_kernel"}, 4),
          .dt_rank = config.text("time_step_rank") == "auto"
                         ? ceiling
                         : config.number_or({"mamba_dt_rank", "time_step_rank"}, ceiling)};
}

Recurrent mamba2_of(const HfConfig& config) {
  const std::int64_t heads = config.needed({"mamba_num_heads"});
  return {.kind = Recurrence::mamba2,
          .inner = heads * config.needed({"mamba_head_dim"}),
          .state = config.number_or({"ssm_state_size"}, 128),
          .convolution = config.number_or({"conv_kernel"}, 4),
          .heads = heads,
          .groups = config.number_or({"n_groups"}, 8)};
}

struct Pattern {
  std::int64_t states = 0, attentions = 0, dense = 0, experts = 0;
  std::int64_t layers() const { return states + attentions + dense + experts; }
};

// "M-M*": state, feed-forward, attention, one a layer; E stands for experts.
Pattern pattern_of(const HfConfig& config) {
  const std::string_view letters = config.text("hybrid_override_pattern");
  if (!letters.empty())
    return {.states = std::ranges::count(letters, 'M'),
            .attentions = std::ranges::count(letters, '*'),
            .dense = std::ranges::count(letters, '-'),
            .experts = std::ranges::count(letters, 'E')};
  return {.states = config.count_in_list("layers_block_type", "mamba"),
          .attentions = config.count_in_list("layers_block_type", "attention"),
          .dense = config.count_in_list("layers_block_type", "mlp"),
          .experts = config.count_in_list("layers_block_type", "moe")};
}

// Rounds the width as the model's own code does: two thirds of a multiple, up to a multiple of 256.
std::int64_t width_of(double multiple, std::int64_t hidden) {
  const auto width = static_cast<std::int64_t>(2 * multiple * static_cast<double>(hidden) / 3);
  return (width + 255) / 256 * 256;
}

}  // namespace

void finish_mamba(const HfConfig& config, ModelShape& shape) {
  shape.recurrent = mamba_of(config, shape);
  shape.recurrent_layers = shape.layers;
  shape.mlp_layers = 0;
  shape.intermediate = 0;
}

void finish_jamba(const HfConfig& config, ModelShape& shape) {
  const std::int64_t period = std::max<std::int64_t>(config.number_or({"attn_layer_period"}, 8), 1);
  const std::int64_t expand = config.number_or({"mamba_expand"}, 2);
  shape.recurrent = mamba_of(config, shape);
  shape.recurrent->inner = expand * shape.hidden;  // intermediate_size is that of the experts
  shape.recurrent_layers = shape.layers - shape.layers / period;
  const Recurrent& r = *shape.recurrent;
  shape.extra_parameters = shape.recurrent_layers * (r.dt_rank + 2 * r.state);
  shape.extra_note = "norms of dt, B and C in each Mamba layer";
}

void finish_nemotron_h(const HfConfig& config, ModelShape& shape) {
  const Pattern pattern = pattern_of(config);
  if (pattern.layers() == 0) {
    config.reader().complain("neither hybrid_override_pattern nor layers_block_type is there");
    return;
  }
  shape.layers = pattern.layers();
  shape.recurrent_layers = pattern.states;
  shape.attention_layers = pattern.attentions;
  shape.mlp_layers = pattern.dense + pattern.experts;
  shape.sliding_window = shape.sliding_layers = 0;
  if (pattern.states > 0) shape.recurrent = mamba2_of(config);
  if (!shape.moe) return;
  if (pattern.experts == 0) {
    shape.moe.reset();
    return;
  }
  shape.moe->dense_layers = pattern.dense;
  shape.moe->router_bias = true;
}

// Layers of a searched architecture: some without attention, all with a feed-forward width of their
// own.
void finish_nemotron_nas(const HfConfig& config, ModelShape& shape) {
  const auto blocks = config.reader().at("block_configs");
  std::int64_t attentions = 0;
  for (const JsonReader& block : blocks.items()) {
    const JsonReader attention = block.at("attention");
    const JsonNode* none = attention.node().find("no_op");
    if (none == nullptr || !none->truth) {
      ++attentions;
      shape.kv_heads = shape.heads / attention.at("n_heads_in_group").integer(1, 100'000);
    }
    const JsonReader ffn = block.at("ffn");
    if (ffn.has("ffn_mult"))
      shape.intermediate_sum += width_of(ffn.at("ffn_mult").number(0.001, 1000), shape.hidden);
  }
  shape.attention_layers = attentions;
  shape.norms_per_layer = 1;
  shape.extra_parameters = attentions * shape.hidden;
  shape.extra_note = "input norms of the layers that have attention";
}

}  // namespace gpuplan
