#include <algorithm>
#include <array>

#include "spec/hf_config.hpp"

namespace gpuplan {
namespace {

// Layers that are plain in a model with experts, from whichever of the many keys says so.
std::int64_t dense_layers(const HfConfig& config, const ModelShape& shape) {
  if (const JsonNode* frequencies = config.list("moe_layer_freq"))
    return std::ranges::count(frequencies->children, std::string_view{"0"}, &JsonNode::text);
  if (const auto first = config.number({"first_k_dense_replace", "n_dense_layers"})) return *first;
  if (const JsonNode* types = config.list("mlp_layer_types"))
    return std::ranges::count(types->children, std::string_view{"dense"}, &JsonNode::text);
  const std::int64_t step =
      config.number_or({"interleave_moe_layer_step", "decoder_sparse_step", "expert_layer_period",
                        "moe_every_n_layers"}, 1);
  const JsonNode* plain = config.list("mlp_only_layers");
  const auto listed = plain == nullptr ? 0 : static_cast<std::int64_t>(plain->children.size());
  return listed + (step > 1 ? shape.layers - shape.layers / step : 0);
}

bool corrects_load(const HfConfig& config) {
  return config.text("topk_method") == "noaux_tc" || config.flag("use_routing_bias", false) ||
         config.text("scoring_func") == "sigmoid" || config.text("score_func") == "sigmoid" ||
         config.text("moe_router_activation_func") == "sigmoid";
}

constexpr std::string_view kWindowed = "sliding_attention";
constexpr std::string_view kChunked = "chunked_attention";

std::int64_t listed_windows(const HfConfig& config) {
  return config.count_in_list("layer_types", kWindowed) +
         config.count_in_list("layer_types", kChunked) +
         config.count_in_list("hybrid_layer_pattern", "1");
}

// Every how manieth layer sees the whole context, where only the family or a number says so.
std::int64_t full_every(const HfConfig& config) {
  if (const auto stated = config.number({"sliding_window_pattern"})) return *stated;
  if (config.has("no_rope_layer_interval")) return config.number_or({"no_rope_layer_interval"}, 0);
  struct Rule {
    std::string_view type;
    std::int64_t every;
  };
  // gemma 2 and gpt-oss: every second; Gemma 3: sixth; Llama 4, Olmo 3, Cohere 2: fourth.
  constexpr std::array kRules{Rule{"gemma2", 2},      Rule{"gpt_oss", 2}, Rule{"gemma3_text", 6},
                              Rule{"gemma3", 6},      Rule{"olmo3", 4},   Rule{"cohere2", 4},
                              Rule{"llama4_text", 4}, Rule{"exaone4", 4}};
  const auto rule = std::ranges::find(kRules, config.family().type, &Rule::type);
  return rule == kRules.end() ? 0 : rule->every;
}

void read_window_form(const HfConfig& config, ModelShape& shape) {
  const auto heads = config.number({"swa_num_attention_heads"});
  const auto kv_heads = config.number({"swa_num_key_value_heads"});
  if (!heads || !kv_heads) return;
  shape.window = WindowAttention{.heads = *heads,
                                 .kv_heads = *kv_heads,
                                 .head_dim = config.number_or({"swa_head_dim"}, shape.head_dim),
                                 .v_head_dim = config.number_or({"swa_v_head_dim"}, shape.v_head_dim),
                                 .qk_norm = 0,
                                 .sinks = config.flag("add_swa_attention_sink_bias", false)};
}

Recurrent gated_delta(const HfConfig& config) {
  return {.kind = Recurrence::gated_delta,
          .convolution = config.number_or({"linear_conv_kernel_dim"}, 4),
          .heads = config.needed({"linear_num_value_heads"}),
          .key_heads = config.needed({"linear_num_key_heads"}),
          .key_head_dim = config.needed({"linear_key_head_dim"}),
          .value_head_dim = config.needed({"linear_value_head_dim"})};
}

// Kimi's delta attention: as many heads for keys as for values.
void read_delta_attention(const HfConfig& config, const JsonReader& linear, ModelShape& shape) {
  const JsonNode* layers = linear.node().find("kda_layers");
  if (layers == nullptr) return;
  const std::int64_t heads = linear.at("num_heads").integer(1, 100'000);
  const std::int64_t width = linear.at("head_dim").integer(1, 100'000);
  const auto kernel = linear.find("short_conv_kernel_size");
  shape.recurrent_layers = static_cast<std::int64_t>(layers->children.size());
  shape.recurrent = Recurrent{.kind = Recurrence::gated_delta,
                              .convolution = kernel ? kernel->integer(1, 1'000) : 4,
                              .heads = heads,
                              .key_heads = heads,
                              .key_head_dim = width,
                              .value_head_dim = width};
  config.note("linear attention is counted as a gated delta rule");
}

}  // namespace

void read_hf_latent(const HfConfig& config, ModelShape& shape) {
  if (!config.number({"kv_lora_rank"})) return;
  LatentAttention latent;
  latent.kv_lora_rank = config.needed({"kv_lora_rank"});
  latent.q_lora_rank = config.number_or({"q_lora_rank"}, 0);
  latent.qk_rope_head_dim = config.needed({"qk_rope_head_dim"});
  latent.qk_nope_head_dim = config.needed({"qk_nope_head_dim"});
  latent.v_head_dim = config.needed({"v_head_dim"});
  shape.head_dim = latent.qk_nope_head_dim + latent.qk_rope_head_dim;
  shape.v_head_dim = 0;
  shape.latent = latent;
  const auto heads = config.number({"index_n_heads"});
  if (heads) shape.indexer = Indexer{.heads = *heads, .head_dim = config.needed({"index_head_dim"})};
}

void read_hf_experts(const HfConfig& config, ModelShape& shape) {
  const auto experts = config.number({"num_local_experts", "num_experts", "n_routed_experts",
                                      "moe_num_experts", "num_routed_experts"});
  if (!experts || *experts < 2) return;
  Experts moe;
  moe.experts = *experts;
  moe.active = config.needed({"num_experts_per_tok", "num_experts_per_token", "experts_per_token",
                              "moe_top_k", "top_k_experts", "n_activated_experts", "moe_topk"});
  // Llama 4 calls the width of an expert intermediate_size and that of a plain layer otherwise.
  const std::int64_t plain = config.has("intermediate_size_mlp")
                                 ? config.number_or({"intermediate_size"}, shape.intermediate)
                                 : shape.intermediate;
  moe.intermediate = config.number_or({"moe_intermediate_size", "moe_inter_dim"}, plain);
  moe.shared = config.number_or({"n_shared_experts", "num_shared_experts"}, 0);
  moe.shared_intermediate =
      config.number_or({"shared_expert_intermediate_size", "moe_shared_expert_intermediate_size",
                        "shared_intermediate_size"}, 0);
  moe.latent = config.number_or({"moe_latent_size", "routed_expert_hidden_size"}, 0);
  moe.dense_layers = dense_layers(config, shape);
  moe.router_bias = corrects_load(config);
  if (shape.intermediate == 0) shape.intermediate = moe.intermediate;
  shape.moe = moe;
}

void read_hf_windows(const HfConfig& config, ModelShape& shape) {
  const auto width = config.number({"sliding_window", "sliding_window_size", "attention_chunk_size"});
  if (!width || *width == 0) return;
  // Qwen's configurations name a window that they do not use.
  const bool used = config.flag("use_sliding_window", !config.has("max_window_layers"));
  if (!used || (shape.max_positions > 0 && *width >= shape.max_positions)) return;
  const std::int64_t listed = listed_windows(config);
  const std::int64_t every = full_every(config);
  const bool any_list = config.list("layer_types") != nullptr ||
                        config.list("hybrid_layer_pattern") != nullptr;
  shape.sliding_layers = any_list    ? listed
                         : every > 0 ? shape.layers - shape.layers / every
                                     : shape.layers;
  if (shape.sliding_layers == 0) return;
  shape.sliding_window = *width;
  read_window_form(config, shape);
}

void read_hf_recurrence(const HfConfig& config, ModelShape& shape) {
  if (const auto linear = config.object("linear_attn_config"))
    read_delta_attention(config, *linear, shape);
  if (!config.has("linear_num_value_heads")) return;
  const std::int64_t every = config.number_or({"full_attention_interval"}, 4);
  shape.recurrent_layers = config.list("layer_types") != nullptr
                               ? config.count_in_list("layer_types", "linear_attention")
                               : shape.layers - shape.layers / std::max<std::int64_t>(every, 1);
  if (shape.recurrent_layers > 0) shape.recurrent = gated_delta(config);
}

}  // namespace gpuplan
