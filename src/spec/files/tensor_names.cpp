#include "spec/files/tensor_names.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace gpuplan::files {
namespace {

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}
template <std::size_t size>
bool ends_with_any(std::string_view text, const std::array<std::string_view, size>& ends) {
  return std::ranges::any_of(ends, [&](std::string_view end) { return text.ends_with(end); });
}

std::vector<std::string_view> components(std::string_view name) {
  std::vector<std::string_view> parts;
  for (std::size_t from = 0; from <= name.size();) {
    const std::size_t to = std::min(name.find('.', from), name.size());
    parts.push_back(name.substr(from, to - from));
    from = to + 1;
  }
  return parts;
}

std::optional<std::int64_t> figure(std::string_view text) {
  std::int64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = read.ec == std::errc{} && read.ptr == text.data() + text.size();
  return whole && value >= 0 && value < 100'000 ? std::optional{value} : std::nullopt;
}

// Tables that follow from the configuration, kept in files by older versions of the libraries.
constexpr std::array<std::string_view, 9> kBuffers{".inv_freq",
                                                   ".masked_bias",
                                                   "position_ids",
                                                   ".num_batches_tracked",
                                                   "rope_freqs.weight",
                                                   ".cos_cached",
                                                   ".sin_cached",
                                                   ".attn_rot_embd.weight",
                                                   "rope_factors_long.weight"};

// What quantisation keeps beside the numbers themselves.
constexpr std::array<std::string_view, 20> kScales{".scales",
                                                   ".qzeros",
                                                   ".g_idx",
                                                   ".weight_scale_inv",
                                                   ".weight_scale",
                                                   ".weight_scale_2",
                                                   ".input_scale",
                                                   ".k_scale",
                                                   ".v_scale",
                                                   ".absmax",
                                                   ".quant_map",
                                                   ".nested_absmax",
                                                   ".nested_quant_map",
                                                   "bitsandbytes__nf4",
                                                   "bitsandbytes__fp4",
                                                   ".SCB",
                                                   ".weight_format",
                                                   ".weight_zero_point",
                                                   ".weight_shape",
                                                   "_scales"};
constexpr std::array<std::string_view, 4> kMoreScales{
    ".scale", "_scale_inv", ".weight_global_scale", ".input_global_scale"};

constexpr std::array<std::string_view, 14> kVisionParts{"vision_tower",
                                                        "visual",
                                                        "vision_model",
                                                        "vision_encoder",
                                                        "vision_embed_tokens",
                                                        "multi_modal_projector",
                                                        "mm_projector",
                                                        "image_newline",
                                                        "vision_language_adapter",
                                                        "embed_vision",
                                                        "vision_projection",
                                                        "connector",
                                                        "mlp1",
                                                        "patch_merger"};

constexpr std::array<std::string_view, 4> kPredictionParts{"mtp", "nextn", "mtp_block",
                                                           "nextn_predict_layers"};

struct Word {
  std::string_view word;
  TensorKind kind;
};
// A part of the name decides, the first that is there. Vectors are sorted out before.
constexpr std::array kWords{Word{"shared_expert_gate", TensorKind::router},
                            Word{"ffn_gate_inp", TensorKind::router},
                            Word{"exp_probs_b", TensorKind::router},
                            Word{"e_score_correction_bias", TensorKind::router},
                            Word{"router", TensorKind::router},
                            Word{"shared_expert", TensorKind::mlp},
                            Word{"shared_mlp", TensorKind::mlp},
                            Word{"_shexp", TensorKind::mlp},
                            Word{"_exps", TensorKind::experts},
                            Word{".experts.", TensorKind::experts},
                            Word{"mlp.gate.weight", TensorKind::router},
                            Word{"moe.gate.weight", TensorKind::router},
                            Word{"feed_forward.gate.weight", TensorKind::router},
                            Word{"ffn.gate.weight", TensorKind::router},
                            Word{"relative_attention_bias", TensorKind::embedding},
                            Word{"attn_rel_b", TensorKind::embedding},
                            Word{"lm_head", TensorKind::head},
                            Word{"embed_out", TensorKind::head},
                            Word{"classifier", TensorKind::head},
                            Word{"pooler", TensorKind::head},
                            Word{"predictions", TensorKind::head},
                            Word{"score.weight", TensorKind::head},
                            Word{"text_projection", TensorKind::head},
                            Word{"project_in", TensorKind::head},
                            Word{"project_out", TensorKind::head},
                            Word{"embed_tokens", TensorKind::embedding},
                            Word{"token_embd", TensorKind::embedding},
                            Word{"embedding", TensorKind::embedding},
                            Word{"embed_in", TensorKind::embedding},
                            Word{"embed_positions", TensorKind::embedding},
                            Word{"position_embd", TensorKind::embedding},
                            Word{"token_types", TensorKind::embedding},
                            Word{"wte.", TensorKind::embedding},
                            Word{"wpe.", TensorKind::embedding},
                            Word{"shared.weight", TensorKind::embedding},
                            Word{"attn", TensorKind::attention},
                            Word{"attention", TensorKind::attention},
                            Word{"Attention", TensorKind::attention},
                            Word{"mixer", TensorKind::attention},
                            Word{"mamba", TensorKind::attention},
                            Word{"ssm_", TensorKind::attention},
                            Word{"shortconv", TensorKind::attention},
                            Word{"mlp", TensorKind::mlp},
                            Word{"ffn", TensorKind::mlp},
                            Word{"feed_forward", TensorKind::mlp},
                            Word{"DenseReluDense", TensorKind::mlp},
                            Word{"intermediate.dense", TensorKind::mlp},
                            Word{"output.dense", TensorKind::mlp},
                            Word{".fc1.", TensorKind::mlp},
                            Word{".fc2.", TensorKind::mlp},
                            Word{"ffn_", TensorKind::mlp}};

TensorKind kind_by_words(std::string_view name) {
  const auto word =
      std::ranges::find_if(kWords, [&](const Word& w) { return contains(name, w.word); });
  return word == kWords.end() ? TensorKind::other : word->kind;
}

// GPT-2 and GPT-NeoX keep causal masks under the name of a bias.
bool is_mask(const Tensor& tensor) {
  const std::string_view name = tensor.name;
  return tensor.shape.size() == 4 &&
         (name.ends_with("attn.bias") || name.ends_with("attention.bias"));
}

bool is_vector(const Tensor& tensor) {
  const auto sides =
      std::ranges::count_if(tensor.shape, [](std::int64_t side) { return side > 1; });
  return sides <= 1;
}

TensorKind kind_of(const Tensor& tensor, const std::vector<std::string_view>& parts) {
  const std::string_view name = tensor.name;
  if (ends_with_any(name, kScales) || ends_with_any(name, kMoreScales)) return TensorKind::scales;
  const auto is_vision = [&](std::string_view part) {
    return std::ranges::find(kVisionParts, part) != kVisionParts.end();
  };
  if (std::ranges::any_of(parts, is_vision) || parts.front() == "v" || parts.front() == "mm")
    return TensorKind::vision;
  if (name == "output.weight" || name == "head.weight") return TensorKind::head;
  if (name == "embed.weight") return TensorKind::embedding;
  const TensorKind kind = kind_by_words(name);
  if (kind == TensorKind::router || kind == TensorKind::experts || kind == TensorKind::head)
    return kind;
  if (is_vector(tensor) || contains(name, "norm")) return TensorKind::norms;
  // Mamba's own matrix of decay rates and its convolution are vectors in every count.
  const bool state = name.ends_with("A_log") || contains(name, "conv1d") ||
                     contains(name, "ssm_a") || contains(name, "shortconv.conv");
  return state ? TensorKind::norms : kind;
}

struct Synonym {
  std::string_view name, role;
};
// The usual names of Hugging Face's libraries behind the layer, in GGUF's words.
constexpr std::array kSynonyms{Synonym{"self_attn.q_proj", "attn_q"},
                               Synonym{"self_attn.k_proj", "attn_k"},
                               Synonym{"self_attn.v_proj", "attn_v"},
                               Synonym{"self_attn.o_proj", "attn_output"},
                               Synonym{"self_attn.qkv_proj", "attn_qkv"},
                               Synonym{"self_attn.q_norm", "attn_q_norm"},
                               Synonym{"self_attn.k_norm", "attn_k_norm"},
                               Synonym{"self_attn.q_a_proj", "attn_q_a"},
                               Synonym{"self_attn.q_b_proj", "attn_q_b"},
                               Synonym{"self_attn.q_a_layernorm", "attn_q_a_norm"},
                               Synonym{"self_attn.kv_a_proj_with_mqa", "attn_kv_a_mqa"},
                               Synonym{"self_attn.kv_a_layernorm", "attn_kv_a_norm"},
                               Synonym{"self_attn.kv_b_proj", "attn_kv_b"},
                               Synonym{"self_attn.sinks", "attn_sinks"},
                               Synonym{"input_layernorm", "attn_norm"},
                               Synonym{"post_attention_layernorm", "ffn_norm"},
                               Synonym{"pre_feedforward_layernorm", "pre_ffw_norm"},
                               Synonym{"post_feedforward_layernorm", "post_ffw_norm"},
                               Synonym{"mlp.gate_proj", "ffn_gate"},
                               Synonym{"mlp.up_proj", "ffn_up"},
                               Synonym{"mlp.down_proj", "ffn_down"},
                               Synonym{"mlp.gate_up_proj", "ffn_gate_up"},
                               Synonym{"mlp.gate", "ffn_gate_inp"},
                               Synonym{"block_sparse_moe.gate", "ffn_gate_inp"},
                               Synonym{"mlp.experts.gate_proj", "ffn_gate_exps"},
                               Synonym{"mlp.experts.up_proj", "ffn_up_exps"},
                               Synonym{"mlp.experts.down_proj", "ffn_down_exps"},
                               Synonym{"block_sparse_moe.experts.w1", "ffn_gate_exps"},
                               Synonym{"block_sparse_moe.experts.w3", "ffn_up_exps"},
                               Synonym{"block_sparse_moe.experts.w2", "ffn_down_exps"},
                               Synonym{"mlp.shared_expert.gate_proj", "ffn_gate_shexp"},
                               Synonym{"mlp.shared_expert.up_proj", "ffn_up_shexp"},
                               Synonym{"mlp.shared_expert.down_proj", "ffn_down_shexp"},
                               Synonym{"mlp.shared_experts.gate_proj", "ffn_gate_shexp"},
                               Synonym{"mlp.shared_experts.up_proj", "ffn_up_shexp"},
                               Synonym{"mlp.shared_experts.down_proj", "ffn_down_shexp"},
                               Synonym{"mlp.shared_expert_gate", "ffn_gate_inp_shexp"},
                               Synonym{"attn.c_attn", "attn_qkv"},
                               Synonym{"attn.c_proj", "attn_output"},
                               Synonym{"mlp.c_fc", "ffn_up"},
                               Synonym{"mlp.c_proj", "ffn_down"},
                               Synonym{"ln_1", "attn_norm"},
                               Synonym{"ln_2", "ffn_norm"}};
// The same of what stands outside the layers, without "model." or "transformer.".
constexpr std::array kOutside{Synonym{"embed_tokens", "token_embd"}, Synonym{"wte", "token_embd"},
                              Synonym{"wpe", "position_embd"},       Synonym{"norm", "output_norm"},
                              Synonym{"ln_f", "output_norm"},        Synonym{"lm_head", "output"}};

template <std::size_t size>
std::string_view synonym(const std::array<Synonym, size>& table, std::string_view name) {
  const auto row = std::ranges::find(table, name, &Synonym::name);
  return row == table.end() ? std::string_view{} : row->role;
}

std::string joined(const std::vector<std::string_view>& parts, std::size_t from, std::size_t to) {
  std::string text;
  for (std::size_t i = from; i < to; ++i) {
    // Experts are numbered: all of a layer have one role.
    if (i > from && parts[i - 1] == "experts" && figure(parts[i])) continue;
    if (!text.empty()) text += '.';
    text += parts[i];
  }
  return text;
}

constexpr std::array<std::string_view, 6> kLayerWords{"layers", "h",     "blk",
                                                      "blocks", "layer", "block"};

// "layers.7.": the place behind the number, or 0.
std::size_t behind_layer(const std::vector<std::string_view>& parts, TensorName& name) {
  for (std::size_t i = 0; i + 2 < parts.size(); ++i) {
    const auto number = figure(parts[i + 1]);
    if (!number || std::ranges::find(kLayerWords, parts[i]) == kLayerWords.end()) continue;
    name.layer = number;
    return i + 2;
  }
  return 0;
}

std::string role_of(const std::vector<std::string_view>& parts, std::size_t from) {
  const std::size_t last = parts.size() - 1;
  std::string_view ending = parts.back();
  if (ending == "qweight" || ending == "weight_packed") ending = "weight";
  if (ending != "weight" && ending != "bias")
    return from > 0 && last == from ? std::string(ending) : "";
  const bool gguf = from > 0 && parts[from - 2] == "blk";
  std::size_t begin = from;
  if (from == 0)
    while (begin < last && (parts[begin] == "model" || parts[begin] == "transformer" ||
                            parts[begin] == "language_model"))
      ++begin;
  const std::string body = joined(parts, begin, last);
  std::string_view role = body;
  if (from > 0 && !gguf) role = synonym(kSynonyms, body);
  if (from == 0)
    if (const auto other = synonym(kOutside, body); !other.empty()) role = other;
  return role.empty() ? std::string{} : std::string(role) + "." + std::string(ending);
}

}  // namespace

TensorName name_tensor(const Tensor& tensor) {
  TensorName name;
  const auto parts = components(tensor.name);
  name.buffer = ends_with_any(std::string_view(tensor.name), kBuffers) || is_mask(tensor) ||
                tensor.name == "rope_factors_short.weight";
  name.kind = name.buffer ? TensorKind::other : kind_of(tensor, parts);
  name.prediction = std::ranges::any_of(parts, [](std::string_view part) {
    return std::ranges::find(kPredictionParts, part) != kPredictionParts.end();
  });
  if (name.kind == TensorKind::vision || name.prediction) return name;
  const std::size_t from = behind_layer(parts, name);
  // The first files of Mixtral number their experts: blk.0.ffn_up.7.weight.
  if (from > 0 && parts.size() == from + 3 && parts[from].starts_with("ffn_") &&
      figure(parts[from + 1])) {
    name.kind = TensorKind::experts;
    name.role = std::string(parts[from]) + "_exps.weight";
    return name;
  }
  // Encoder and decoder of one model have layers of their own each.
  if (parts.front() == "dec" || parts.front() == "decoder") name.role = "dec.";
  if (!name.buffer) name.role += role_of(parts, from);
  if (name.role == "dec.") name.role.clear();
  return name;
}

void Roles::add(const Tensor& tensor, const TensorName& name, bool dense) {
  if (name.role.empty()) return;
  Role& role = roles_[name.role];
  if (++role.tensors == 1) {
    const std::vector<std::int64_t>& shape = tensor.shape;
    role.columns = shape.empty() ? 1 : shape.back();
    role.rows = shape.size() < 2 ? 1 : shape[shape.size() - 2];
    for (std::size_t i = 0; i + 2 < shape.size(); ++i) role.depth *= shape[i];
    // GPT-2's matrices lead from rows to columns.
    if (contains(tensor.name, ".c_")) std::swap(role.rows, role.columns);
    role.elements = tensor.elements;
    role.dense = dense;
  }
  if (!name.layer) return;
  role.layers.insert(*name.layer);
  if (!name.role.starts_with("dec.")) layers_ = std::max(layers_, *name.layer + 1);
}

const Role* Roles::find(std::string_view role) const {
  const auto entry = roles_.find(role);
  return entry == roles_.end() || !entry->second.dense ? nullptr : &entry->second;
}

std::vector<std::string_view> Roles::like(std::string_view begin, std::string_view end) const {
  std::vector<std::string_view> found;
  for (const auto& [name, role] : roles_)
    if (name.starts_with(begin) && name.ends_with(end)) found.push_back(name);
  return found;
}

std::set<std::int64_t> Roles::layers_with(std::initializer_list<std::string_view> names) const {
  std::set<std::int64_t> layers;
  for (const std::string_view name : names)
    if (const auto entry = roles_.find(name); entry != roles_.end())
      layers.insert(entry->second.layers.begin(), entry->second.layers.end());
  return layers;
}

std::set<std::int64_t> Roles::layers_with_prefix(std::string_view prefix) const {
  std::set<std::int64_t> layers;
  for (const auto& [name, role] : roles_)
    if (name.starts_with(prefix)) layers.insert(role.layers.begin(), role.layers.end());
  return layers;
}

}  // namespace gpuplan::files
