#include "spec/hf_config_finish.hpp"

#include <algorithm>

namespace gpuplan {

// --- decoders

void finish_bigcode(const HfConfig& config, ModelShape& shape) {
  if (config.flag("multi_query", true)) shape.kv_heads = 1;
}

void finish_cohere(const HfConfig& config, ModelShape& shape) {
  // Norms over each head apart, so as wide as all heads together.
  if (config.flag("use_qk_norm", false))
    shape.qk_norm = (shape.heads + shape.kv_heads) * shape.head_dim;
}

// The load correction of the router is not spelt out in these configurations.
void finish_corrected_router(const HfConfig&, ModelShape& shape) {
  if (shape.moe) shape.moe->router_bias = true;
}

void finish_dbrx(const HfConfig& config, ModelShape& shape) {
  if (const auto attention = config.object("attn_config"))
    if (const auto heads = attention->find("kv_n_heads"))
      shape.kv_heads = heads->integer(1, 100'000);
  const auto ffn = config.object("ffn_config");
  if (!ffn) return;
  Experts moe;
  moe.experts = ffn->at("moe_num_experts").integer(1, 100'000);
  moe.active = ffn->at("moe_top_k").integer(1, 100'000);
  moe.intermediate = ffn->at("ffn_hidden_size").integer(1, 10'000'000);
  shape.intermediate = moe.intermediate;
  shape.moe = moe;
}

void finish_deepseek_v4(const HfConfig& config, ModelShape& shape) {
  shape.key_is_value = true;
  finish_corrected_router(config, shape);
  config.note("about: low-rank queries and outputs are counted in full, compressors not at all");
}

void finish_falcon(const HfConfig& config, ModelShape& shape) {
  const bool grouped = config.flag("new_decoder_architecture", false);
  if (grouped) {
    shape.norms_per_layer = 2;
  } else {
    shape.kv_heads = config.flag("multi_query", true) ? 1 : shape.heads;
    if (!config.flag("parallel_attn", true)) shape.norms_per_layer = 2;
  }
  if (config.flag("bias", false))
    shape.qkv_bias = shape.attention_output_bias = shape.mlp_bias = true;
}

// Layers without window have wider heads, fewer of them for keys, and may share keys and values.
void finish_gemma4(const HfConfig& config, ModelShape& shape) {
  if (shape.sliding_layers > 0)
    shape.window = WindowAttention{.heads = shape.heads,
                                   .kv_heads = shape.kv_heads,
                                   .head_dim = shape.head_dim,
                                   .v_head_dim = 0,
                                   .qk_norm = shape.qk_norm,
                                   .sinks = false};
  shape.head_dim = config.number_or({"global_head_dim"}, shape.head_dim);
  shape.kv_heads = config.number_or({"num_global_key_value_heads"}, shape.kv_heads);
  shape.key_is_value = config.flag("attention_k_eq_v", false);
  shape.qk_norm = 2 * shape.head_dim;
  if (config.number_or({"hidden_size_per_layer_input"}, 0) > 0)
    config.note("the tables of inputs to each layer are not counted");
  if (!shape.moe) return;
  // A dense block and experts side by side, each with norms of its own; the router scales its input.
  shape.moe->shared_intermediate = shape.intermediate;
  shape.moe->router_bias = true;
  shape.norms_per_layer = 7;
  shape.extra_parameters = shape.layers * shape.hidden;
  shape.extra_note = "input scale of the routers";
}

void finish_gpt_neo(const HfConfig& config, ModelShape& shape) {
  shape.sliding_window = config.number_or({"window_size"}, 256);
  shape.sliding_layers = shape.layers / 2;
}

void finish_gpt_oss(const HfConfig&, ModelShape& shape) {
  shape.attention_sinks = true;
  if (!shape.moe) return;
  shape.moe->router_bias = true;
  shape.moe->expert_bias = true;
}

void finish_internlm2(const HfConfig& config, ModelShape& shape) {
  if (config.flag("bias", false)) shape.qkv_bias = shape.attention_output_bias = true;
}

void finish_llama4(const HfConfig& config, ModelShape& shape) {
  // Three of four layers attend in chunks; each layer with experts has one more that always works.
  if (shape.moe && shape.moe->shared == 0) shape.moe->shared = 1;
  if (config.has("attention_chunk_size") && config.list("layer_types") == nullptr) {
    shape.sliding_window = config.number_or({"attention_chunk_size"}, 8192);
    shape.sliding_layers = shape.layers - shape.layers / 4;
  }
}

void finish_mimo_v2(const HfConfig& config, ModelShape& shape) {
  shape.attention_sinks = config.flag("add_full_attention_sink_bias", false);
}

void finish_mllama(const HfConfig& config, ModelShape& shape) {
  const JsonNode* cross = config.list("cross_attention_layers");
  const auto layers = cross == nullptr ? 0 : static_cast<std::int64_t>(cross->children.size());
  // Query and key norms, two gates; eight more rows of the input table.
  shape.extra_parameters = layers * (2 * shape.head_dim + 2) + 8 * shape.hidden;
  shape.extra_note = "norms and gates of the cross-attention layers, 8 more input tokens";
}

void finish_mpt(const HfConfig& config, ModelShape& shape) {
  shape.intermediate = config.number_or({"expansion_ratio"}, 4) * shape.hidden;
  const auto attention = config.object("attn_config");
  const auto flag = [&](std::string_view key) {
    const JsonNode* node = attention ? attention->node().find(key) : nullptr;
    return node != nullptr && node->truth;
  };
  if (!flag("alibi")) shape.positions = shape.max_positions;
  if (!config.flag("no_bias", true)) {
    shape.qkv_bias = shape.attention_output_bias = shape.mlp_bias = true;
    shape.norm_bias = true;
  }
}

void finish_opt(const HfConfig& config, ModelShape& shape) {
  const std::int64_t width = config.number_or({"word_embed_proj_dim"}, shape.hidden);
  if (width != shape.hidden) shape.embedding_dim = width;
  if (!config.flag("do_layer_norm_before", true)) shape.final_norm = false;
}

// The first Qwen states the width of gate and value together.
void finish_qwen(const HfConfig&, ModelShape& shape) { shape.intermediate /= 2; }

void finish_shared_gate(const HfConfig&, ModelShape& shape) {
  if (shape.moe) shape.moe->shared_gate = true;
}

void finish_qwen3_next(const HfConfig& config, ModelShape& shape) {
  shape.attention_gate = config.flag("attn_output_gate", true);
  finish_shared_gate(config, shape);
}

// --- encoders, encoder-decoders, images

void finish_bert(const HfConfig& config, ModelShape& shape) {
  shape.token_types = config.number_or({"type_vocab_size"}, shape.family == "bert" ? 2 : 1);
  shape.pooler = true;
}

void finish_distilbert(const HfConfig& config, ModelShape& shape) {
  shape.intermediate = config.number_or({"hidden_dim"}, 4 * shape.hidden);
}

void finish_clip_text(const HfConfig& config, ModelShape& shape) {
  const JsonNode* classes = config.list("architectures");
  const bool projects = classes != nullptr && std::ranges::any_of(classes->children, [](const auto& c) {
    return c.text.find("Projection") != std::string::npos;
  });
  if (projects) shape.projection = config.number_or({"projection_dim"}, shape.hidden);
}

void finish_bart(const HfConfig& config, ModelShape& shape) {
  shape.decoder = Decoder{.layers = config.needed({"decoder_layers"}),
                          .positions = shape.positions,
                          .relative_buckets = 0};
}

void finish_t5(const HfConfig& config, ModelShape& shape) {
  shape.decoder = Decoder{.layers = config.number_or({"num_decoder_layers"}, shape.layers),
                          .positions = 0,
                          .relative_buckets = config.number_or({"relative_attention_num_buckets"}, 32)};
  shape.gated_mlp = config.text("feed_forward_proj").starts_with("gated");
}

void finish_whisper(const HfConfig& config, ModelShape& shape) {
  const std::int64_t mel = config.number_or({"num_mel_bins"}, 80);
  shape.positions = config.number_or({"max_source_positions"}, 1500);
  shape.decoder = Decoder{.layers = config.needed({"decoder_layers"}),
                          .positions = config.number_or({"max_target_positions"}, 448),
                          .relative_buckets = 0};
  shape.extra_parameters =
      3 * mel * shape.hidden + 3 * shape.hidden * shape.hidden + 2 * shape.hidden;
  shape.extra_note = "two convolutions over the spectrogram";
}

void finish_vit(const HfConfig& config, ModelShape& shape) {
  shape.image_size = config.needed({"image_size"});
  shape.patch_size = config.needed({"patch_size"});
  const auto labels = config.object("id2label");
  const auto named = labels ? static_cast<std::int64_t>(labels->node().children.size()) : 0;
  const std::int64_t classes = config.number_or({"num_labels", "num_labels_removed"}, named);
  const JsonNode* made_for = config.list("architectures");
  const bool classifies =
      made_for != nullptr && std::ranges::any_of(made_for->children, [](const JsonNode& c) {
        return c.text.find("ImageClassification") != std::string::npos;
      });
  if (classifies) shape.classes = classes;
}

}  // namespace gpuplan
