#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/text.hpp"
#include "spec/hf_config.hpp"

namespace gpuplan {
namespace {

struct Limits {
  std::int64_t low, high;
};

// What a figure may be: figures that divide others, or say that something is there, are never 0.
// The upper ends are those of a model document: far above any model, and low enough for every sum
// of products to stay a number.
constexpr Limits kTokens{0, 1'000'000'000}, kLayers{1, 10'000}, kHeads{1, 100'000},
    kHidden{1, 1'000'000}, kInner{0, 10'000'000}, kVocab{1, 100'000'000}, kExperts{0, 100'000},
    kActive{1, 100'000}, kFactor{1, 1'000}, kShare{0, 1'000'000};

struct KeyLimits {
  std::string_view key;
  Limits limits;
};
constexpr std::array kKeyLimits{KeyLimits{"attention_head_dim", kHeads},
                                KeyLimits{"conv_kernel", kFactor},
                                KeyLimits{"cross_attention_dim", kShare},
                                KeyLimits{"d_ff", kInner},
                                KeyLimits{"d_inner", kInner},
                                KeyLimits{"d_kv", kHeads},
                                KeyLimits{"d_model", kHidden},
                                KeyLimits{"decoder_layers", kLayers},
                                KeyLimits{"dense_intermediate_size", kInner},
                                KeyLimits{"depth", kLayers},
                                KeyLimits{"dim", kHidden},
                                KeyLimits{"encoder_attention_heads", kHeads},
                                KeyLimits{"encoder_ffn_dim", kInner},
                                KeyLimits{"encoder_layers", kLayers},
                                KeyLimits{"expand", kFactor},
                                KeyLimits{"expansion_ratio", kFactor},
                                KeyLimits{"experts_per_token", kActive},
                                KeyLimits{"ffn_dim", kInner},
                                KeyLimits{"ffn_hidden_size", kInner},
                                KeyLimits{"global_head_dim", kHeads},
                                KeyLimits{"head_dim", kHeads},
                                KeyLimits{"head_size", kHeads},
                                KeyLimits{"hidden_dim", kInner},
                                KeyLimits{"hidden_size", kHidden},
                                KeyLimits{"image_size", kHeads},
                                KeyLimits{"in_channels", kHidden},
                                KeyLimits{"index_head_dim", kHeads},
                                KeyLimits{"index_n_heads", kHeads},
                                KeyLimits{"inter_dim", kInner},
                                KeyLimits{"intermediate_size", kInner},
                                KeyLimits{"intermediate_size_mlp", kInner},
                                KeyLimits{"kv_channels", kHeads},
                                KeyLimits{"kv_lora_rank", kHidden},
                                KeyLimits{"linear_conv_kernel_dim", kFactor},
                                KeyLimits{"linear_key_head_dim", kHeads},
                                KeyLimits{"linear_num_key_heads", kHeads},
                                KeyLimits{"linear_num_value_heads", kHeads},
                                KeyLimits{"linear_value_head_dim", kHeads},
                                KeyLimits{"mamba_d_conv", kFactor},
                                KeyLimits{"mamba_d_state", kHeads},
                                KeyLimits{"mamba_dt_rank", kHidden},
                                KeyLimits{"mamba_expand", kFactor},
                                KeyLimits{"mamba_head_dim", kHeads},
                                KeyLimits{"mamba_num_heads", kHeads},
                                KeyLimits{"max_num_tiles", kFactor},
                                KeyLimits{"moe_inter_dim", kInner},
                                KeyLimits{"moe_intermediate_size", kInner},
                                KeyLimits{"moe_latent_size", kShare},
                                KeyLimits{"moe_num_experts", kExperts},
                                KeyLimits{"moe_shared_expert_intermediate_size", kInner},
                                KeyLimits{"moe_top_k", kActive},
                                KeyLimits{"moe_topk", kActive},
                                KeyLimits{"multi_query_group_num", kHeads},
                                KeyLimits{"n_activated_experts", kActive},
                                KeyLimits{"n_dense_layers", {0, kLayers.high}},
                                KeyLimits{"n_embd", kHidden},
                                KeyLimits{"n_groups", kHeads},
                                KeyLimits{"n_head", kHeads},
                                KeyLimits{"n_head_kv", kHeads},
                                KeyLimits{"n_heads", kHeads},
                                KeyLimits{"n_inner", kInner},
                                KeyLimits{"n_kv_heads", kHeads},
                                KeyLimits{"n_layer", kLayers},
                                KeyLimits{"n_layers", kLayers},
                                KeyLimits{"n_routed_experts", kExperts},
                                KeyLimits{"n_shared_experts", kExperts},
                                KeyLimits{"num_attention_heads", kHeads},
                                KeyLimits{"num_decoder_layers", kLayers},
                                KeyLimits{"num_experts", kExperts},
                                KeyLimits{"num_experts_per_tok", kActive},
                                KeyLimits{"num_experts_per_token", kActive},
                                KeyLimits{"num_global_key_value_heads", kHeads},
                                KeyLimits{"num_global_layers", {0, kLayers.high}},
                                KeyLimits{"num_heads", kHeads},
                                KeyLimits{"num_hidden_layers", kLayers},
                                KeyLimits{"num_key_value_heads", kHeads},
                                KeyLimits{"num_kv_heads", kHeads},
                                KeyLimits{"num_labels", kInner},
                                KeyLimits{"num_labels_removed", kInner},
                                KeyLimits{"num_layers", kLayers},
                                KeyLimits{"num_local_experts", kExperts},
                                KeyLimits{"num_mel_bins", {1, kHidden.high}},
                                KeyLimits{"num_routed_experts", kExperts},
                                KeyLimits{"num_shared_experts", kExperts},
                                KeyLimits{"out_channels", kHidden},
                                KeyLimits{"padded_vocab_size", kVocab},
                                KeyLimits{"patch_size", {1, 10'000}},
                                KeyLimits{"projection_class_embeddings_input_dim", kShare},
                                KeyLimits{"projection_dim", kShare},
                                KeyLimits{"projector_input_dim", kHidden},
                                KeyLimits{"projector_output_dim", kHidden},
                                KeyLimits{"q_lora_rank", kShare},
                                KeyLimits{"qk_nope_head_dim", kHeads},
                                KeyLimits{"qk_rope_head_dim", kHeads},
                                KeyLimits{"relative_attention_num_buckets", kShare},
                                KeyLimits{"routed_expert_hidden_size", kShare},
                                KeyLimits{"sample_size", {0, 10'000}},
                                KeyLimits{"shared_expert_intermediate_size", kInner},
                                KeyLimits{"shared_intermediate_size", kInner},
                                KeyLimits{"ssm_state_size", kHeads},
                                KeyLimits{"state_size", kHeads},
                                KeyLimits{"swa_head_dim", kHeads},
                                KeyLimits{"swa_num_attention_heads", kHeads},
                                KeyLimits{"swa_num_key_value_heads", kHeads},
                                KeyLimits{"swa_v_head_dim", kHeads},
                                KeyLimits{"time_step_rank", kHidden},
                                KeyLimits{"top_k_experts", kActive},
                                KeyLimits{"type_vocab_size", {0, 10'000}},
                                KeyLimits{"v_head_dim", kHeads},
                                KeyLimits{"vision_output_dim", kHidden},
                                KeyLimits{"vocab_size", kVocab},
                                KeyLimits{"vt_hidden_size", kHidden},
                                KeyLimits{"vt_intermediate_size", kInner},
                                KeyLimits{"vt_num_hidden_layers", kLayers},
                                KeyLimits{"word_embed_proj_dim", kHidden}};
static_assert(std::ranges::is_sorted(kKeyLimits, {}, &KeyLimits::key));

std::int64_t read_number(const JsonReader& value, std::string_view key, std::int64_t least) {
  const auto row = std::ranges::lower_bound(kKeyLimits, key, {}, &KeyLimits::key);
  const bool known = row != kKeyLimits.end() && row->key == key;
  const Limits limits = known ? row->limits : kTokens;
  return value.integer(std::max(least, limits.low), limits.high);
}

}  // namespace

std::optional<std::int64_t> HfConfig::number(Keys keys) const {
  for (const std::string_view key : keys)
    if (const auto value = reader_->find(key)) return read_number(*value, key, 0);
  for (const std::string_view key : keys) {
    const auto known = std::ranges::find(family_->defaults, key, &HfDefault::key);
    if (known == family_->defaults.end()) continue;
    note(fmt::format("{} = {} (left out: the default of {})", key, known->value, family_->type));
    return known->value;
  }
  return std::nullopt;
}

std::int64_t HfConfig::needed(Keys keys) const {
  for (const std::string_view key : keys)
    if (const auto value = reader_->find(key)) return read_number(*value, key, 1);
  const auto known = number(keys);
  if (!known) reader_->complain("the key " + quote(*keys.begin()) + " is missing");
  return known.value_or(1);
}

bool HfConfig::flag(std::string_view key, bool other) const {
  const auto value = reader_->find(key);
  if (!value) return other;
  const JsonNode& node = value->node();
  // Some programs write truth values as numbers.
  if (node.is(JsonNode::Kind::number) && (node.text == "0" || node.text == "1"))
    return node.text == "1";
  return value->boolean();
}

std::string_view HfConfig::text(std::string_view key) const {
  const JsonNode* node = reader_->node().find(key);
  return node != nullptr && node->is(JsonNode::Kind::string) ? node->text
                                                             : std::string_view{};
}

const JsonNode* HfConfig::list(std::string_view key) const {
  const JsonNode* node = reader_->node().find(key);
  return node != nullptr && node->is(JsonNode::Kind::array) ? node : nullptr;
}

std::int64_t HfConfig::count_in_list(std::string_view key, std::string_view value) const {
  const JsonNode* node = list(key);
  return node == nullptr ? 0 : std::ranges::count(node->children, value, &JsonNode::text);
}

std::optional<JsonReader> HfConfig::object(std::string_view key) const {
  const auto value = reader_->find(key);
  if (value && value->node().is(JsonNode::Kind::object)) return value;
  return std::nullopt;
}

}  // namespace gpuplan
