#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "spec/files/shapes.hpp"
#include "spec/models_read.hpp"

namespace gpuplan::files {
namespace {

std::int64_t rows(const Roles& roles, std::string_view role) {
  const Role* found = roles.find(role);
  return found == nullptr ? 0 : found->rows;
}
std::int64_t columns(const Roles& roles, std::string_view role) {
  const Role* found = roles.find(role);
  return found == nullptr ? 0 : found->columns;
}
std::int64_t elements(const Roles& roles, std::string_view role) {
  const Role* found = roles.find(role);
  return found == nullptr ? 0 : found->elements;
}
// How many of these layers are layers of the model, and not extra ones behind them.
std::int64_t proper(const std::set<std::int64_t>& layers, const ModelShape& shape) {
  return std::distance(layers.begin(), layers.lower_bound(shape.layers));
}

void read_tables(const Roles& roles, ModelShape& shape) {
  if (shape.hidden == 0) shape.hidden = columns(roles, "token_embd.weight");
  if (const std::int64_t vocab = rows(roles, "token_embd.weight"); vocab > 0) shape.vocab = vocab;
  shape.positions = rows(roles, "position_embd.weight");
  shape.token_types = roles.has("token_types.weight") ? rows(roles, "token_types.weight") : 0;
  shape.tied = !roles.has("output.weight");
  shape.head_bias = roles.has("output.bias");
  shape.final_norm = roles.has("output_norm.weight");
  shape.embedding_norm = roles.has("token_embd_norm.weight");
}

// Norms of the whole width; those of queries, keys and compressed vectors are narrower.
void read_norms(const Roles& roles, ModelShape& shape) {
  shape.layer_norm = roles.has("attn_norm.bias") || roles.has("attn_output_norm.bias") ||
                     roles.has("output_norm.bias");
  std::int64_t norms = 0, layers = std::max<std::int64_t>(shape.layers, 1);
  std::set<std::string_view> narrow{"attn_q_norm.weight", "attn_k_norm.weight",
                                    "attn_q_a_norm.weight", "attn_kv_a_norm.weight",
                                    "ssm_norm.weight"};
  for (const std::string_view role : roles.like("", "norm.weight")) {
    const Role* found = roles.find(role);
    if (found == nullptr || found->layers.empty() || narrow.contains(role)) continue;
    if (role.starts_with("dec.") || found->elements != shape.hidden) continue;
    norms += proper(found->layers, shape);
  }
  shape.norms_per_layer = norms / layers;
  const std::int64_t rest = norms % layers;
  if (rest > 0) {
    shape.extra_parameters += rest * shape.hidden * (shape.layer_norm ? 2 : 1);
    shape.extra_note = "norms that only some of the layers have";
  }
}

void read_feed_forward(const Roles& roles, ModelShape& shape) {
  const bool fused = roles.has("ffn_gate_up.weight");
  shape.gated_mlp = fused || roles.has("ffn_gate.weight") || roles.has("ffn_gate_exps.weight") ||
                    roles.has("ffn_gate_up_exps.weight");
  shape.mlp_bias = roles.has("ffn_up.bias");
  if (shape.intermediate > 0) return;
  shape.intermediate = columns(roles, "ffn_down.weight");
  if (shape.intermediate == 0) shape.intermediate = rows(roles, "ffn_up.weight");
  if (shape.intermediate == 0 && fused) shape.intermediate = rows(roles, "ffn_gate_up.weight") / 2;
}

// In Hugging Face's names each expert has tensors of its own, in GGUF's a layer has one for all.
std::int64_t experts_of(const Roles& roles) {
  const Role* down = roles.find("ffn_down_exps.weight");
  if (down == nullptr) return rows(roles, "ffn_gate_inp.weight");
  if (down->depth > 1) return down->depth;
  return down->layers.empty() ? 0 : down->tensors / std::ssize(down->layers);
}

void read_experts(const Roles& roles, ModelShape& shape) {
  const bool any = roles.has("ffn_down_exps.weight");
  if (!any) {
    shape.moe.reset();
    return;
  }
  Experts moe = shape.moe.value_or(Experts{});
  if (moe.experts == 0) moe.experts = experts_of(roles);
  moe.active_stated = moe.active > 0;
  if (!moe.active_stated) moe.active = moe.experts;
  if (const std::int64_t width = columns(roles, "ffn_down_exps.weight"); width > 0)
    moe.intermediate = width;
  moe.shared_intermediate = columns(roles, "ffn_down_shexp.weight");
  moe.shared = moe.shared_intermediate > 0 ? 1 : 0;
  moe.shared_gate = roles.has("ffn_gate_inp_shexp.weight");
  moe.router_bias = roles.has("exp_probs_b.bias") || roles.has("ffn_gate_inp.bias");
  moe.expert_bias = roles.has("ffn_down_exps.bias");
  moe.dense_layers = std::max<std::int64_t>(
      0, shape.mlp_blocks() - proper(roles.layers_with({"ffn_down_exps.weight"}), shape));
  if (shape.intermediate == 0) shape.intermediate = moe.intermediate;
  if (moe.intermediate == 0) moe.intermediate = shape.intermediate;
  shape.moe = moe;
}

void read_biases(const Roles& roles, ModelShape& shape) {
  const bool fused = roles.has("attn_qkv.bias");
  shape.qkv_bias = fused || roles.has("attn_q.bias");
  shape.key_bias = fused || roles.has("attn_k.bias");
  shape.attention_output_bias = roles.has("attn_output.bias");
  shape.attention_sinks = roles.has("attn_sinks.weight");
  shape.qk_norm = elements(roles, "attn_q_norm.weight") + elements(roles, "attn_k_norm.weight");
}

struct Widths {
  std::int64_t query = 0, key = 0;  // heads x head size
};
Widths attention_widths(const Roles& roles) {
  Widths widths{rows(roles, "attn_q.weight"), rows(roles, "attn_k.weight")};
  const std::int64_t out = columns(roles, "attn_output.weight");
  if (widths.query == 0 && out > 0) {
    widths.query = out;
    widths.key = (rows(roles, "attn_qkv.weight") - out) / 2;
  }
  return widths;
}

// The width of a head does not follow from its matrices. A norm over one head says it; else 128
// is usual in wide models, 64 in narrow ones. The cache depends on the product only, which is
// known.
std::int64_t head_width(const Roles& roles, const ModelShape& shape, const Widths& widths,
                        bool& guess) {
  const std::int64_t norm = elements(roles, "attn_q_norm.weight");
  if (norm > 0 && norm < widths.query) return norm;
  guess = true;
  constexpr std::array<std::int64_t, 6> kUsual{128, 64, 96, 80, 256, 32};
  for (const std::int64_t width : kUsual) {
    if (width == 128 && shape.hidden < 2048) continue;
    if (widths.query % width == 0 && widths.key % width == 0) return width;
  }
  return widths.key;
}

bool read_heads(const Roles& roles, ModelShape& shape) {
  const Widths widths = attention_widths(roles);
  if (widths.query <= 0 || widths.key <= 0) return false;
  bool guess = false;
  shape.head_dim = head_width(roles, shape, widths, guess);
  if (shape.head_dim <= 0) return false;
  shape.heads = widths.query / shape.head_dim;
  shape.kv_heads = widths.key / shape.head_dim;
  if (guess)
    shape.filled_in.push_back(fmt::format(
        "head_dim = {} (usual for this width; the tensors say heads x head_dim = {} and "
        "kv_heads x head_dim = {})",
        shape.head_dim, widths.query, widths.key));
  return true;
}

// The counts of the shape and of the tensors may differ by a few vectors, not by matrices.
bool agrees(const ModelShape& shape, const NamedTensors& named) {
  StoredWeights stored = sum_tensors(named, "", 1);
  explain_differences(named, shape, stored);
  const std::int64_t counted = count_parameters(shape).total();
  const std::int64_t apart = std::abs(counted - stored.parameters);
  return apart <= stored.parameters / 50;
}

}  // namespace

void read_roles(const Roles& roles, ModelShape& shape) {
  if (shape.layers == 0) shape.layers = roles.layers();
  read_tables(roles, shape);
  read_norms(roles, shape);
  read_feed_forward(roles, shape);
  read_experts(roles, shape);
  read_biases(roles, shape);
}

void read_layer_kinds(const Roles& roles, ModelShape& shape) {
  std::set<std::int64_t> recurrent = roles.layers_with_prefix("ssm_");
  recurrent.merge(roles.layers_with_prefix("shortconv."));
  if (recurrent.empty()) return;
  std::set<std::int64_t> attention =
      roles.layers_with({"attn_k.weight", "attn_kv_a_mqa.weight", "attn_qkv.weight"});
  std::erase_if(attention, [&](std::int64_t layer) { return recurrent.contains(layer); });
  const std::int64_t mlp =
      proper(roles.layers_with({"ffn_down.weight", "ffn_down_exps.weight"}), shape);
  shape.recurrent_layers = proper(recurrent, shape);
  const std::int64_t attends = proper(attention, shape);
  if (attends != shape.layers - shape.recurrent_layers) shape.attention_layers = attends;
  if (mlp != shape.layers) shape.mlp_layers = mlp;
}

std::optional<ModelShape> shape_of_tensors(const NamedTensors& named) {
  const Roles& roles = named.roles;
  if (roles.layers() == 0 || roles.find("token_embd.weight") == nullptr) return std::nullopt;
  ModelShape shape;
  read_roles(roles, shape);
  if (!read_heads(roles, shape) || !missing_parts(shape).empty()) return std::nullopt;
  if (!contradictions_of(shape).empty() || !agrees(shape, named)) return std::nullopt;
  if (shape.moe && !shape.moe->active_stated)
    shape.filled_in.push_back("active_experts = all of them: tensors do not say how many work");
  shape.filled_in.push_back("the shape is inferred from the tensors: there is no config.json");
  return shape;
}

}  // namespace gpuplan::files
