#include <algorithm>
#include <array>

#include "spec/hf_config.hpp"
#include "spec/hf_config_finish.hpp"

namespace gpuplan {
namespace {

constexpr std::array kGemma2{HfDefault{"vocab_size", 256000}, HfDefault{"head_dim", 256},
                             HfDefault{"sliding_window", 4096},
                             HfDefault{"max_position_embeddings", 8192}};
constexpr std::array kGemma3{HfDefault{"vocab_size", 262208},       HfDefault{"head_dim", 256},
                             HfDefault{"num_attention_heads", 8},   HfDefault{"num_key_value_heads", 4},
                             HfDefault{"sliding_window", 4096},
                             HfDefault{"max_position_embeddings", 131072}};
constexpr std::array kGemma{HfDefault{"head_dim", 256}};
constexpr std::array kLlama{HfDefault{"vocab_size", 32000}, HfDefault{"hidden_size", 4096},
                            HfDefault{"intermediate_size", 11008},
                            HfDefault{"num_hidden_layers", 32},
                            HfDefault{"num_attention_heads", 32}};
constexpr std::array kMistral{HfDefault{"vocab_size", 32000}, HfDefault{"hidden_size", 4096},
                              HfDefault{"intermediate_size", 14336},
                              HfDefault{"num_hidden_layers", 32},
                              HfDefault{"num_attention_heads", 32},
                              HfDefault{"num_key_value_heads", 8}};
constexpr std::array kClipText{HfDefault{"vocab_size", 49408}, HfDefault{"hidden_size", 512},
                               HfDefault{"num_hidden_layers", 12}, HfDefault{"num_attention_heads", 8},
                               HfDefault{"intermediate_size", 2048},
                               HfDefault{"max_position_embeddings", 77}};
constexpr std::array kVit{HfDefault{"hidden_size", 768},       HfDefault{"num_hidden_layers", 12},
                          HfDefault{"num_attention_heads", 12}, HfDefault{"image_size", 224},
                          HfDefault{"patch_size", 16}};
constexpr std::array kT5{HfDefault{"d_kv", 64}, HfDefault{"relative_attention_num_buckets", 32}};
constexpr std::array kMamba{HfDefault{"state_size", 16}, HfDefault{"conv_kernel", 4},
                            HfDefault{"expand", 2}};

constexpr ModelKind kEncoder = ModelKind::encoder, kBoth = ModelKind::encoder_decoder;

// Sorted by type. Where only the defaults differ from Llama's form, a type needs no line of its own
// to be read right, but then its answer says that it is not known.
const std::array kFamilies{
    HfFamily{.type = "apertus", .gated = false, .qk_norm = HfQkNorm::head},
    HfFamily{.type = "baichuan"},
    HfFamily{.type = "bart", .kind = kBoth, .gated = false, .layer_norm = true, .final_norm = false,
             .embedding_norm = true, .bias = HfBias::all, .mlp_bias = true, .tied = true,
             .learned_positions = 2, .finish = finish_bart},
    HfFamily{.type = "bert", .kind = kEncoder, .gated = false, .layer_norm = true,
             .final_norm = false, .embedding_norm = true, .bias = HfBias::all, .mlp_bias = true,
             .learned_positions = 0, .finish = finish_bert},
    HfFamily{.type = "bloom", .gated = false, .layer_norm = true, .embedding_norm = true,
             .bias = HfBias::all, .mlp_bias = true, .tied = true},
    HfFamily{.type = "chatglm", .bias = HfBias::stated_qkv},
    HfFamily{.type = "clip_text_model", .kind = kEncoder, .gated = false, .layer_norm = true,
             .bias = HfBias::all, .mlp_bias = true, .learned_positions = 0, .defaults = kClipText,
             .finish = finish_clip_text},
    HfFamily{.type = "cohere", .layer_norm = true, .norm_bias = false, .norms = 1, .tied = true,
             .finish = finish_cohere},
    HfFamily{.type = "cohere2", .layer_norm = true, .norm_bias = false, .norms = 1, .tied = true},
    HfFamily{.type = "dbrx", .layer_norm = true, .norm_bias = false, .finish = finish_dbrx},
    HfFamily{.type = "deepseek"},
    HfFamily{.type = "deepseek_native"},
    HfFamily{.type = "deepseek_v2"},
    HfFamily{.type = "deepseek_v3"},
    HfFamily{.type = "deepseek_v32"},
    HfFamily{.type = "deepseek_v4", .finish = finish_deepseek_v4},
    HfFamily{.type = "deepseekv2"},
    HfFamily{.type = "distilbert", .kind = kEncoder, .gated = false, .layer_norm = true,
             .final_norm = false, .embedding_norm = true, .bias = HfBias::all, .mlp_bias = true,
             .learned_positions = 0, .finish = finish_distilbert},
    HfFamily{.type = "exaone4", .qk_norm = HfQkNorm::head},
    HfFamily{.type = "falcon", .gated = false, .layer_norm = true, .norms = 1,
             .finish = finish_falcon},
    HfFamily{.type = "gemma", .tied = true, .defaults = kGemma},
    HfFamily{.type = "gemma2", .norms = 4, .tied = true, .defaults = kGemma2},
    HfFamily{.type = "gemma3_text", .norms = 4, .qk_norm = HfQkNorm::head, .tied = true,
             .defaults = kGemma3},
    HfFamily{.type = "gemma4_text", .norms = 4, .qk_norm = HfQkNorm::head, .tied = true,
             .finish = finish_gemma4},
    HfFamily{.type = "glm", .bias = HfBias::stated_qkv},
    HfFamily{.type = "glm4", .norms = 4, .bias = HfBias::stated_qkv},
    HfFamily{.type = "glm4_moe", .bias = HfBias::stated_qkv, .qk_norm = HfQkNorm::stated,
             .finish = finish_corrected_router},
    HfFamily{.type = "glm4_moe_lite", .finish = finish_corrected_router},
    HfFamily{.type = "glm_moe_dsa", .finish = finish_corrected_router},
    HfFamily{.type = "gpt2", .gated = false, .layer_norm = true, .bias = HfBias::all,
             .mlp_bias = true, .tied = true, .learned_positions = 0},
    HfFamily{.type = "gpt_bigcode", .gated = false, .layer_norm = true, .bias = HfBias::all,
             .mlp_bias = true, .tied = true, .learned_positions = 0, .finish = finish_bigcode},
    HfFamily{.type = "gpt_neo", .gated = false, .layer_norm = true, .bias = HfBias::out,
             .mlp_bias = true, .tied = true, .learned_positions = 0, .finish = finish_gpt_neo},
    HfFamily{.type = "gpt_neox", .gated = false, .layer_norm = true, .bias = HfBias::all,
             .mlp_bias = true},
    HfFamily{.type = "gpt_oss", .finish = finish_gpt_oss},
    HfFamily{.type = "gptj", .gated = false, .layer_norm = true, .norms = 1, .head_bias = true,
             .bias = HfBias::none, .mlp_bias = true},
    HfFamily{.type = "granite"},
    HfFamily{.type = "internlm2", .finish = finish_internlm2},
    HfFamily{.type = "jamba", .finish = finish_jamba},
    HfFamily{.type = "kimi_k2"},
    HfFamily{.type = "kimi_linear", .finish = finish_corrected_router},
    HfFamily{.type = "llama", .defaults = kLlama},
    HfFamily{.type = "llama4", .finish = finish_llama4},
    HfFamily{.type = "llama4_text", .finish = finish_llama4},
    HfFamily{.type = "mamba", .kind = ModelKind::state_space, .norms = 1, .tied = true,
             .defaults = kMamba, .finish = finish_mamba},
    HfFamily{.type = "mimo", .bias = HfBias::qkv},
    HfFamily{.type = "mimo_v2_flash", .finish = finish_mimo_v2},
    HfFamily{.type = "minimax_m2", .qk_norm = HfQkNorm::stated},
    HfFamily{.type = "minimax_m3", .qk_norm = HfQkNorm::stated},
    HfFamily{.type = "ministral3"},
    HfFamily{.type = "mistral", .defaults = kMistral},
    HfFamily{.type = "mixtral", .defaults = kMistral},
    HfFamily{.type = "mllama_text_model", .finish = finish_mllama},
    HfFamily{.type = "mpt", .gated = false, .layer_norm = true, .norm_bias = false, .tied = true,
             .finish = finish_mpt},
    HfFamily{.type = "mt5", .kind = kBoth, .bias = HfBias::none, .defaults = kT5,
             .finish = finish_t5},
    HfFamily{.type = "nemotron", .gated = false, .layer_norm = true},
    HfFamily{.type = "nemotron-nas", .finish = finish_nemotron_nas},
    HfFamily{.type = "nemotron_h", .gated = false, .norms = 1, .finish = finish_nemotron_h},
    HfFamily{.type = "olmo", .layer_norm = true, .norms = 0, .final_norm = false},
    HfFamily{.type = "olmo2", .qk_norm = HfQkNorm::full},
    HfFamily{.type = "olmo3", .qk_norm = HfQkNorm::full},
    HfFamily{.type = "olmoe", .qk_norm = HfQkNorm::full},
    HfFamily{.type = "opt", .gated = false, .layer_norm = true, .bias = HfBias::all,
             .mlp_bias = true, .tied = true, .learned_positions = 2, .finish = finish_opt},
    HfFamily{.type = "phi", .gated = false, .layer_norm = true, .norms = 1, .head_bias = true,
             .bias = HfBias::all, .mlp_bias = true},
    HfFamily{.type = "phi3"},
    HfFamily{.type = "phimoe", .layer_norm = true, .head_bias = true, .bias = HfBias::all},
    HfFamily{.type = "qwen", .bias = HfBias::qkv, .finish = finish_qwen},
    HfFamily{.type = "qwen2", .bias = HfBias::qkv},
    HfFamily{.type = "qwen2_5_vl", .bias = HfBias::qkv},
    HfFamily{.type = "qwen2_5_vl_text", .bias = HfBias::qkv},
    HfFamily{.type = "qwen2_moe", .bias = HfBias::qkv, .finish = finish_shared_gate},
    HfFamily{.type = "qwen3", .qk_norm = HfQkNorm::head},
    HfFamily{.type = "qwen3_5_moe_text", .qk_norm = HfQkNorm::head, .finish = finish_qwen3_next},
    HfFamily{.type = "qwen3_5_text", .qk_norm = HfQkNorm::head, .finish = finish_qwen3_next},
    HfFamily{.type = "qwen3_moe", .qk_norm = HfQkNorm::head},
    HfFamily{.type = "qwen3_next", .qk_norm = HfQkNorm::head, .finish = finish_qwen3_next},
    HfFamily{.type = "qwen3_vl_moe_text", .qk_norm = HfQkNorm::head},
    HfFamily{.type = "qwen3_vl_text", .qk_norm = HfQkNorm::head},
    HfFamily{.type = "roberta", .kind = kEncoder, .gated = false, .layer_norm = true,
             .final_norm = false, .embedding_norm = true, .bias = HfBias::all, .mlp_bias = true,
             .learned_positions = 0, .finish = finish_bert},
    HfFamily{.type = "smollm3", .tied = true},
    HfFamily{.type = "stablelm", .layer_norm = true},
    HfFamily{.type = "starcoder2", .gated = false, .layer_norm = true, .bias = HfBias::all,
             .mlp_bias = true, .tied = true},
    HfFamily{.type = "t5", .kind = kBoth, .gated = false, .bias = HfBias::none, .tied = true,
             .defaults = kT5, .finish = finish_t5},
    HfFamily{.type = "vit", .kind = ModelKind::vision, .gated = false, .layer_norm = true,
             .bias = HfBias::all, .mlp_bias = true, .defaults = kVit, .finish = finish_vit},
    HfFamily{.type = "whisper", .kind = kBoth, .gated = false, .layer_norm = true,
             .bias = HfBias::qvo, .mlp_bias = true, .tied = true, .finish = finish_whisper},
    HfFamily{.type = "xlm-roberta", .kind = kEncoder, .gated = false, .layer_norm = true,
             .final_norm = false, .embedding_norm = true, .bias = HfBias::all, .mlp_bias = true,
             .learned_positions = 0, .finish = finish_bert}};

}  // namespace

const HfFamily& hf_plain_family() {
  static const HfFamily kPlain{};
  return kPlain;
}

const HfFamily* hf_family(std::string_view type) {
  const auto family = std::ranges::find(kFamilies, type, &HfFamily::type);
  return family == kFamilies.end() ? nullptr : &*family;
}

}  // namespace gpuplan
