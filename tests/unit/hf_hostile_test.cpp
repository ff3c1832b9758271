#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "catch.hpp"
#include "gpuplan/memory.hpp"
#include "gpuplan/model_files.hpp"

using namespace gpuplan;

namespace {

// One configuration a family: the form of the real files with small figures.
struct Base {
  std::string_view family;
  std::string_view text;
};
constexpr std::array kBases{
    Base{"llama", R"("hidden_size": 64, "num_attention_heads": 4, "num_key_value_heads": 2,
      "head_dim": 16, "num_hidden_layers": 4, "intermediate_size": 128, "vocab_size": 100,
      "max_position_embeddings": 4096, "attention_bias": false, "tie_word_embeddings": false)"},
    Base{"mistral", R"("hidden_size": 64, "num_attention_heads": 4, "num_key_value_heads": 2,
      "num_hidden_layers": 4, "intermediate_size": 128, "vocab_size": 100, "sliding_window": 32)"},
    Base{"gemma3_text", R"("hidden_size": 64, "num_attention_heads": 4, "num_key_value_heads": 2,
      "head_dim": 16, "num_hidden_layers": 6, "intermediate_size": 128, "vocab_size": 100,
      "sliding_window": 32, "sliding_window_pattern": 6)"},
    Base{"gemma4_text", R"("hidden_size": 64, "num_attention_heads": 4, "num_key_value_heads": 2,
      "head_dim": 16, "global_head_dim": 32, "num_global_key_value_heads": 1,
      "attention_k_eq_v": true, "num_hidden_layers": 6, "intermediate_size": 128,
      "vocab_size": 100, "sliding_window": 32, "num_experts": 8, "top_k_experts": 2,
      "moe_intermediate_size": 16, "hidden_size_per_layer_input": 0, "layer_types":
      ["sliding_attention", "sliding_attention", "full_attention", "sliding_attention",
      "sliding_attention", "full_attention"])"},
    Base{"qwen3_moe", R"("hidden_size": 64, "num_attention_heads": 4, "num_key_value_heads": 2,
      "head_dim": 16, "num_hidden_layers": 4, "intermediate_size": 128, "vocab_size": 100,
      "num_experts": 8, "num_experts_per_tok": 2, "moe_intermediate_size": 16,
      "decoder_sparse_step": 1, "shared_expert_intermediate_size": 0)"},
    Base{"qwen3_next", R"("hidden_size": 64, "num_attention_heads": 4, "num_key_value_heads": 2,
      "head_dim": 16, "num_hidden_layers": 4, "intermediate_size": 128, "vocab_size": 100,
      "full_attention_interval": 4, "linear_num_value_heads": 4, "linear_num_key_heads": 2,
      "linear_key_head_dim": 4, "linear_value_head_dim": 4, "linear_conv_kernel_dim": 4,
      "num_experts": 8, "num_experts_per_tok": 2, "moe_intermediate_size": 16)"},
    Base{"deepseek_v32", R"("hidden_size": 64, "num_attention_heads": 4, "num_key_value_heads": 4,
      "num_hidden_layers": 4, "intermediate_size": 128, "vocab_size": 100, "n_routed_experts": 8,
      "num_experts_per_tok": 2, "moe_intermediate_size": 16, "n_shared_experts": 1,
      "first_k_dense_replace": 1, "kv_lora_rank": 16, "q_lora_rank": 24, "qk_rope_head_dim": 8,
      "qk_nope_head_dim": 16, "v_head_dim": 16, "index_n_heads": 2, "index_head_dim": 8)"},
    Base{"mimo_v2_flash", R"("hidden_size": 64, "num_attention_heads": 4, "num_key_value_heads": 2,
      "head_dim": 16, "v_head_dim": 12, "num_hidden_layers": 4, "intermediate_size": 128,
      "vocab_size": 100, "n_routed_experts": 8, "num_experts_per_tok": 2,
      "moe_intermediate_size": 16, "sliding_window_size": 32, "swa_num_attention_heads": 4,
      "swa_num_key_value_heads": 4, "swa_head_dim": 16, "swa_v_head_dim": 12,
      "hybrid_layer_pattern": [0, 1, 1, 0])"},
    Base{"llama4_text", R"("hidden_size": 64, "num_attention_heads": 4, "num_key_value_heads": 2,
      "head_dim": 16, "num_hidden_layers": 4, "intermediate_size": 16,
      "intermediate_size_mlp": 128, "vocab_size": 100, "num_local_experts": 8,
      "num_experts_per_tok": 1, "interleave_moe_layer_step": 2, "attention_chunk_size": 32,
      "no_rope_layer_interval": 4)"},
    Base{"kimi_linear", R"("hidden_size": 64, "num_attention_heads": 4, "num_key_value_heads": 4,
      "head_dim": 16, "num_hidden_layers": 4, "intermediate_size": 128, "vocab_size": 100,
      "linear_attn_config": {"kda_layers": [1, 2, 3], "num_heads": 4, "head_dim": 16,
      "short_conv_kernel_size": 4})"},
    Base{"nemotron_h", R"("hidden_size": 64, "num_attention_heads": 4, "num_key_value_heads": 2,
      "head_dim": 16, "num_hidden_layers": 5, "intermediate_size": 128, "vocab_size": 100,
      "hybrid_override_pattern": "M-M*E", "mamba_num_heads": 4, "mamba_head_dim": 4,
      "ssm_state_size": 8, "n_groups": 2, "conv_kernel": 4, "n_routed_experts": 4,
      "num_experts_per_tok": 2, "moe_intermediate_size": 16, "moe_latent_size": 32,
      "moe_shared_expert_intermediate_size": 16)"},
    Base{"nemotron-nas", R"("hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 2,
      "vocab_size": 100, "intermediate_size": null, "block_configs": [
      {"attention": {"n_heads_in_group": 2}, "ffn": {"ffn_mult": 2.5}},
      {"attention": {"no_op": true}, "ffn": {"ffn_mult": 1.5}}])"},
    Base{"jamba", R"("hidden_size": 64, "num_attention_heads": 4, "num_key_value_heads": 2,
      "num_hidden_layers": 8, "intermediate_size": 128, "vocab_size": 100, "num_experts": 4,
      "num_experts_per_tok": 2, "expert_layer_period": 2, "attn_layer_period": 8,
      "mamba_d_state": 16, "mamba_d_conv": 4, "mamba_expand": 2, "mamba_dt_rank": 4)"},
    Base{"mamba", R"("hidden_size": 64, "num_hidden_layers": 4, "vocab_size": 100,
      "state_size": 16, "conv_kernel": 4, "expand": 2, "intermediate_size": 128,
      "time_step_rank": 4)"},
    Base{"falcon", R"("hidden_size": 64, "num_attention_heads": 4, "num_kv_heads": 2,
      "num_hidden_layers": 4, "vocab_size": 100, "new_decoder_architecture": true, "bias": true)"},
    Base{"dbrx", R"("d_model": 64, "n_heads": 4, "n_layers": 4, "vocab_size": 100,
      "max_seq_len": 128, "attn_config": {"kv_n_heads": 2}, "ffn_config": {"moe_num_experts": 4,
      "moe_top_k": 2, "ffn_hidden_size": 32})"},
    Base{"mpt", R"("d_model": 64, "n_heads": 4, "n_layers": 4, "vocab_size": 100,
      "expansion_ratio": 4, "max_seq_len": 128, "no_bias": true, "attn_config": {"alibi": true})"},
    Base{"opt", R"("hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 4,
      "ffn_dim": 128, "vocab_size": 100, "word_embed_proj_dim": 32,
      "max_position_embeddings": 128)"},
    Base{"gpt2", R"("n_embd": 64, "n_head": 4, "n_layer": 4, "n_positions": 128, "n_inner": 256,
      "vocab_size": 100)"},
    Base{"chatglm", R"("hidden_size": 64, "num_attention_heads": 4, "num_layers": 4,
      "ffn_hidden_size": 128, "padded_vocab_size": 100, "kv_channels": 16,
      "multi_query_group_num": 2, "seq_length": 128)"},
    Base{"bert", R"("hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 4,
      "intermediate_size": 128, "vocab_size": 100, "type_vocab_size": 2,
      "max_position_embeddings": 128)"},
    Base{"clip_text_model", R"("hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 4,
      "intermediate_size": 128, "vocab_size": 100, "max_position_embeddings": 77,
      "projection_dim": 32, "architectures": ["CLIPTextModelWithProjection"])"},
    Base{"t5", R"("d_model": 64, "num_heads": 4, "d_kv": 16, "num_layers": 4, "d_ff": 128,
      "num_decoder_layers": 4, "relative_attention_num_buckets": 32, "vocab_size": 100)"},
    Base{"whisper", R"("d_model": 64, "encoder_attention_heads": 4, "encoder_layers": 4,
      "encoder_ffn_dim": 128, "decoder_layers": 4, "num_mel_bins": 80,
      "max_source_positions": 1500, "max_target_positions": 448, "vocab_size": 100)"},
    Base{"vit", R"("hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 4,
      "intermediate_size": 128, "image_size": 224, "patch_size": 16, "num_labels": 10,
      "architectures": ["ViTForImageClassification"])"},
    Base{"mllama_text_model", R"("hidden_size": 64, "num_attention_heads": 4,
      "num_key_value_heads": 2, "num_hidden_layers": 4, "intermediate_size": 128,
      "vocab_size": 100, "cross_attention_layers": [1, 3], "vision_config": {"model_type":
      "mllama_vision_model", "hidden_size": 32, "num_hidden_layers": 2, "intermediate_size": 64,
      "image_size": 28, "patch_size": 14, "num_global_layers": 2, "max_num_tiles": 4,
      "vision_output_dim": 64})"},
    Base{"qwen3_vl_text", R"("hidden_size": 64, "num_attention_heads": 4, "num_key_value_heads": 2,
      "head_dim": 16, "num_hidden_layers": 4, "intermediate_size": 128, "vocab_size": 100,
      "vision_config": {"model_type": "qwen3_vl", "hidden_size": 32, "depth": 2,
      "intermediate_size": 64, "patch_size": 16, "num_position_embeddings": 16})"},
    Base{"", R"("_class_name": "UNet2DConditionModel", "in_channels": 4, "out_channels": 4,
      "block_out_channels": [32, 64], "layers_per_block": 2, "cross_attention_dim": 48,
      "down_block_types": ["CrossAttnDownBlock2D", "DownBlock2D"], "sample_size": 64,
      "transformer_layers_per_block": 1)"}};

std::string document(const Base& base, std::string_view text) {
  std::string result = "{";
  if (!base.family.empty()) result += "\"model_type\": \"" + std::string(base.family) + "\", ";
  return result + std::string(text) + "}";
}

// A figure of the text: `"key": 64` or a number inside a list.
struct Place {
  std::size_t begin, end;
};
std::vector<Place> figures(std::string_view text) {
  std::vector<Place> places;
  for (std::size_t i = 1; i < text.size(); ++i) {
    const bool starts =
        (text[i - 1] == ' ' || text[i - 1] == '[') && text[i] >= '0' && text[i] <= '9';
    if (!starts) continue;
    std::size_t end = i;
    while (end < text.size() && ((text[end] >= '0' && text[end] <= '9') || text[end] == '.')) ++end;
    places.push_back({i, end});
  }
  return places;
}

constexpr std::array<std::string_view, 12> kHostile{
    "0",    "-1",       "1",    "7",  "1e18", "1e30", "9223372036854775807",
    "1e-3", "\"text\"", "null", "[]", "{}"};

// What every later formula divides by or multiplies with.
void check_sound(const ModelShape& shape) {
  const ParameterCount count = count_parameters(shape);
  CHECK(count.total() > 0);
  CHECK(count.total() <= 1'000'000'000'000'000);
  CHECK(count.active() > 0);
  CHECK(count.active() <= count.total());
  CHECK(shape.state_bytes >= 0);
  if (shape.heads > 0 && !shape.latent) {
    CHECK(shape.kv_heads > 0);
    CHECK(shape.head_dim > 0);
  }
  Workload workload;
  for (const Mode mode : {Mode::inference, Mode::lora, Mode::full}) {
    workload.mode = mode;
    const auto resolved = resolve(workload, shape);
    if (!resolved) continue;
    const MemoryEstimate memory = estimate_memory(shape, *resolved);
    CHECK(memory.per_gpu.total > Bytes{});
    CHECK(memory.per_gpu.total >= memory.per_gpu.weights);
    CHECK(memory.kv_bytes_per_token >= 0);
  }
}

void check_sound_or_refused(const std::string& text) {
  CAPTURE(text);
  const auto shape = read_hf_config(text, "config.json");
  if (shape) {
    check_sound(*shape);
    return;
  }
  REQUIRE_FALSE(shape.errors().empty());
  for (const Diagnostic& error : shape.errors()) {
    CHECK(error.source == "config.json");
    CHECK_FALSE(error.message.empty());
  }
}

}  // namespace

TEST_CASE("a configuration of each family is read as it stands", "[hf][hostile]") {
  for (const Base& base : kBases) {
    const std::string text = document(base, base.text);
    CAPTURE(text);
    const auto shape = read_hf_config(text, "config.json");
    if (!shape)
      FAIL_CHECK(to_text(shape.errors().front()));
    else
      check_sound(*shape);
  }
}

TEST_CASE("a figure that is 0, below it, huge or no number is an error or a sound model",
          "[hf][hostile]") {
  for (const Base& base : kBases)
    for (const Place place : figures(base.text))
      for (const std::string_view value : kHostile) {
        std::string text(base.text);
        text.replace(place.begin, place.end - place.begin, value);
        check_sound_or_refused(document(base, text));
      }
}

TEST_CASE("a figure that is left out is an error or follows from the others", "[hf][hostile]") {
  for (const Base& base : kBases) {
    std::size_t at = 0;
    while ((at = base.text.find('"', at)) != std::string_view::npos) {
      const std::size_t end = base.text.find('"', at + 1);
      if (base.text.substr(end + 1, 1) == ":") {
        std::string text(base.text);
        text.insert(at + 1, "x_");
        check_sound_or_refused(document(base, text));
      }
      at = end + 1;
    }
  }
}

TEST_CASE("the refusal of a figure names its key, what stands there and what may",
          "[hf][hostile]") {
  struct Row {
    std::string_view family, key, value, says;
  };
  const auto row = GENERATE(values<Row>({
      {"gemma4_text", "num_key_value_heads", "0",
       "config.json#/num_key_value_heads: expected a whole number from 1 to 100000, got 0"},
      {"gemma4_text", "num_global_key_value_heads", "-1",
       "config.json#/num_global_key_value_heads: expected a whole number from 1 to 100000, got -1"},
      {"llama", "num_key_value_heads", "3", "config.json: heads 4 is no multiple of kv_heads 3"},
      {"llama", "num_hidden_layers", "1e18",
       "config.json#/num_hidden_layers: expected a whole number from 1 to 10000, got 1e18"},
      {"llama", "hidden_size", "[]",
       "config.json#/hidden_size: expected a whole number from 1 to 1000000, got a list"},
      {"llama", "tie_word_embeddings", "\"yes\"",
       "config.json#/tie_word_embeddings: expected true or false, got \"yes\""},
      {"vit", "patch_size", "0",
       "config.json#/patch_size: expected a whole number from 1 to 10000, got 0"},
  }));
  const Base& base = *std::ranges::find(kBases, row.family, &Base::family);
  std::string text(base.text);
  const std::size_t key = text.find("\"" + std::string(row.key) + "\"");
  const std::size_t colon = text.find(':', key);
  const std::size_t end = text.find_first_of(",\n", colon);
  text.replace(colon + 1, (end == std::string::npos ? text.size() : end) - colon - 1,
               " " + std::string(row.value));
  CAPTURE(text);
  const auto shape = read_hf_config(document(base, text), "config.json");
  REQUIRE_FALSE(shape);
  CHECK_THAT(to_text(shape.errors().front()), Catch::Contains(std::string(row.says)));
}

TEST_CASE("layers that only a list could name are not taken as none", "[hf][hostile]") {
  const auto shape = read_hf_config(
      R"({"model_type": "llama", "layers_block_type": [], "hidden_size": 64,
          "num_attention_heads": 4, "intermediate_size": 128, "vocab_size": 100})",
      "config.json");
  // Llama's own default of 32 layers serves.
  REQUIRE(shape);
  CHECK(shape->layers == 32);
  const auto nothing = read_hf_config(
      R"({"model_type": "granite", "layers_block_type": [], "hidden_size": 64,
          "num_attention_heads": 4, "intermediate_size": 128, "vocab_size": 100})",
      "config.json");
  REQUIRE_FALSE(nothing);
  CHECK_THAT(nothing.errors().front().message, Catch::Contains("layers"));
}

TEST_CASE("a model document with hostile figures is refused or sound too", "[models][hostile]") {
  const std::string_view text =
      R"({"schema": "gpuplan.model/1", "name": "mine", "layers": 4, "hidden": 64, "heads": 4,
          "kv_heads": 2, "head_dim": 16, "v_head_dim": 16, "intermediate": 128, "vocab": 100,
          "experts": 8, "active_experts": 2, "moe_intermediate": 16, "shared_experts": 1,
          "dense_layers": 1, "sliding_window": 32, "sliding_layers": 2, "recurrent_layers": 1,
          "max_positions": 4096, "extra_parameters": 5, "qk_norm": 32, "norms_per_layer": 2,
          "window": {"heads": 4, "kv_heads": 4, "head_dim": 16, "v_head_dim": 16},
          "recurrent": {"kind": "gated_delta", "heads": 4, "key_heads": 2, "key_head_dim": 4,
          "value_head_dim": 4, "convolution": 4}, "vision": {"parameters": 1000}})";
  REQUIRE(read_model(text, "model.json"));
  for (const Place place : figures(text))
    for (const std::string_view value : kHostile) {
      std::string changed(text);
      changed.replace(place.begin, place.end - place.begin, value);
      CAPTURE(changed);
      const auto shape = read_model(changed, "model.json");
      if (shape)
        check_sound(*shape);
      else
        CHECK_FALSE(shape.errors().empty());
    }
}
