#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/text.hpp"
#include "spec/files/shapes.hpp"
#include "spec/models_read.hpp"

namespace gpuplan::files {
namespace {

struct Limits {
  std::int64_t low, high;
};
// As in a model document.
constexpr Limits kLayers{1, 10'000}, kHeads{0, 100'000}, kWidth{1, 1'000'000},
    kInner{0, 10'000'000}, kExperts{0, 100'000}, kTokens{0, 1'000'000'000};

// The metadata of one architecture, "llama.block_count" and the like.
class Metadata {
 public:
  Metadata(const GgufFile& file, std::string source)
      : file_(file), arch_(file.text("general.architecture")), source_(std::move(source)) {}

  const std::string& arch() const { return arch_; }
  Diagnostics& faults() { return faults_; }

  std::optional<std::int64_t> number(std::string_view key, Limits limits) {
    const GgufValue* value = find(key);
    if (value == nullptr) return std::nullopt;
    if (value->kind != GgufValue::Kind::number) {
      complain(key, "is not a whole number", limits);
      return std::nullopt;
    }
    if (value->number >= limits.low && value->number <= limits.high) return value->number;
    complain(key, "is " + std::to_string(value->number), limits);
    return std::nullopt;
  }
  std::int64_t number_or(std::string_view key, Limits limits, std::int64_t other) {
    return number(key, limits).value_or(other);
  }
  std::int64_t needed(std::string_view key, Limits limits) {
    if (find(key) == nullptr)
      faults_.push_back({ErrorCode::invalid, source_, full(key),
                         "the metadata does not have this key",
                         "the file does not describe a whole model"});
    return number(key, limits).value_or(limits.low);
  }
  // One number, or one for each layer.
  std::vector<std::int64_t> by_layer(std::string_view key, Limits limits) {
    const GgufValue* value = find(key);
    if (value == nullptr) return {};
    if (value->kind != GgufValue::Kind::list) {
      const auto one = number(key, limits);
      return one ? std::vector<std::int64_t>{*one} : std::vector<std::int64_t>{};
    }
    for (const std::int64_t entry : value->numbers)
      if (entry < limits.low || entry > limits.high) {
        complain(key, "has the entry " + std::to_string(entry), limits);
        return {};
      }
    return value->numbers;
  }
  const GgufValue* find(std::string_view key) const { return file_.find(full(key)); }
  std::string full(std::string_view key) const { return arch_ + "." + std::string(key); }

 private:
  void complain(std::string_view key, std::string what, Limits limits) {
    faults_.push_back({ErrorCode::invalid, source_, full(key),
                       std::move(what) + fmt::format("; allowed is a whole number from {} to {}",
                                                     limits.low, limits.high),
                       ""});
  }

  const GgufFile& file_;
  std::string arch_, source_;
  Diagnostics faults_;
};

std::int64_t most_frequent(const std::vector<std::int64_t>& values) {
  std::map<std::int64_t, std::int64_t> counts;
  for (const std::int64_t value : values)
    if (value > 0) ++counts[value];
  const auto most = std::ranges::max_element(counts, {}, [](const auto& c) { return c.second; });
  return most == counts.end() ? 0 : most->first;
}

// A list whose entries are alike (or none, in layers without attention) is one number.
bool alike(const std::vector<std::int64_t>& values) {
  const std::int64_t usual = most_frequent(values);
  return std::ranges::all_of(values, [&](std::int64_t v) { return v == 0 || v == usual; });
}

void read_widths(Metadata& meta, const GgufFile& file, ModelShape& shape) {
  const std::int64_t blocks = meta.needed("block_count", kLayers);
  // The layers that predict further tokens are counted in, behind the others.
  const std::int64_t further = meta.number_or("nextn_predict_layers", {0, kLayers.high}, 0);
  shape.layers = std::max<std::int64_t>(1, blocks - further);
  shape.hidden = meta.needed("embedding_length", kWidth);
  shape.max_positions = meta.number_or("context_length", kTokens, 0);
  shape.vocab = meta.number_or("vocab_size", {0, 100'000'000}, 0);
  const GgufValue* tokens = file.find("tokenizer.ggml.tokens");
  if (shape.vocab == 0 && tokens != nullptr)
    shape.vocab = std::min<std::int64_t>(tokens->length, 100'000'000);
  const auto inner = meta.by_layer("feed_forward_length", kInner);
  shape.intermediate = most_frequent(inner);
  if (!alike(inner)) {
    for (const std::int64_t width : inner) shape.intermediate_sum += width;
    shape.filled_in.push_back("the feed-forward width differs by layer: their sum counts");
  }
}

void read_heads(Metadata& meta, ModelShape& shape) {
  const auto heads = meta.by_layer("attention.head_count", kHeads);
  auto kv_heads = meta.by_layer("attention.head_count_kv", kHeads);
  shape.heads = most_frequent(heads);
  shape.kv_heads = kv_heads.empty() ? shape.heads : most_frequent(kv_heads);
  if (!alike(kv_heads))
    shape.filled_in.push_back(
        fmt::format("kv_heads = {} (the most frequent; it differs by layer)", shape.kv_heads));
  if (shape.heads == 0) return;
  shape.head_dim = meta.number_or("attention.key_length", {1, 100'000}, shape.hidden / shape.heads);
  const std::int64_t value = meta.number_or("attention.value_length", {1, 100'000}, shape.head_dim);
  shape.v_head_dim = value == shape.head_dim ? 0 : value;
}

void read_latent(Metadata& meta, ModelShape& shape) {
  const std::int64_t rank = meta.number_or("attention.kv_lora_rank", {0, kWidth.high}, 0);
  if (rank == 0) return;
  LatentAttention latent;
  latent.kv_lora_rank = rank;
  latent.q_lora_rank = meta.number_or("attention.q_lora_rank", {0, kWidth.high}, 0);
  latent.qk_rope_head_dim = meta.needed("rope.dimension_count", {1, 100'000});
  // Newer files state the compressed widths as key_length, and those of a head apart.
  const auto key = meta.number("attention.key_length_mla", {1, 100'000});
  const auto value = meta.number("attention.value_length_mla", {1, 100'000});
  latent.qk_nope_head_dim = key.value_or(shape.head_dim) - latent.qk_rope_head_dim;
  latent.v_head_dim = value.value_or(shape.v_head_dim > 0 ? shape.v_head_dim : shape.head_dim);
  if (latent.qk_nope_head_dim < 1) {
    meta.faults().push_back({ErrorCode::invalid, shape.source, meta.full("rope.dimension_count"),
                             "is as wide as the whole key of a head", ""});
    return;
  }
  shape.kv_heads = shape.heads;
  shape.head_dim = latent.qk_nope_head_dim + latent.qk_rope_head_dim;
  shape.v_head_dim = 0;
  shape.latent = latent;
}

void read_experts(Metadata& meta, ModelShape& shape) {
  const std::int64_t experts = meta.number_or("expert_count", kExperts, 0);
  if (experts == 0) return;
  Experts moe;
  moe.experts = experts;
  moe.active = meta.number_or("expert_used_count", kExperts, 0);
  moe.intermediate = meta.number_or("expert_feed_forward_length", kInner, shape.intermediate);
  shape.moe = moe;
}

// Every how manieth layer sees the whole context, where the file does not say (llama.cpp,
// `llama_hparams::set_swa_pattern` of each architecture).
struct Rule {
  std::string_view arch;
  std::int64_t every;
};
constexpr std::array kWindowRules{Rule{"cohere2", 4}, Rule{"exaone4", 4}, Rule{"gemma2", 2},
                                  Rule{"gemma3", 6},  Rule{"gpt-oss", 2}, Rule{"olmo2", 4}};

std::optional<std::int64_t> windowed_layers(Metadata& meta, const ModelShape& shape) {
  const GgufValue* pattern = meta.find("attention.sliding_window_pattern");
  std::int64_t every = 0;
  if (pattern != nullptr && pattern->kind == GgufValue::Kind::list) {
    if (pattern->truths.empty()) return std::nullopt;
    std::int64_t windowed = 0;
    for (std::int64_t i = 0; i < shape.layers; ++i)
      windowed += pattern->truths[static_cast<std::size_t>(i) % pattern->truths.size()] ? 1 : 0;
    return windowed;
  }
  if (pattern != nullptr)
    every = meta.number_or("attention.sliding_window_pattern", {0, kLayers.high}, 0);
  const auto rule = std::ranges::find(kWindowRules, meta.arch(), &Rule::arch);
  if (every == 0 && rule != kWindowRules.end()) every = rule->every;
  if (every == 0) return std::nullopt;
  return shape.layers - shape.layers / every;
}

void read_window(Metadata& meta, ModelShape& shape) {
  const std::int64_t window = meta.number_or("attention.sliding_window", kTokens, 0);
  if (window == 0 || (shape.max_positions > 0 && window >= shape.max_positions)) return;
  const auto layers = windowed_layers(meta, shape);
  if (!layers) {
    shape.filled_in.push_back(
        fmt::format("a sliding window of {} is stated, but not for which layers: all are taken to "
                    "keep the whole context",
                    window));
    return;
  }
  if (*layers == 0) return;
  shape.sliding_window = window;
  shape.sliding_layers = std::min(*layers, shape.layers);
  const auto key = meta.number("attention.key_length_swa", {1, 100'000});
  if (!key) return;
  shape.window = WindowAttention{.heads = shape.heads,
                                 .kv_heads = shape.kv_heads,
                                 .head_dim = *key,
                                 .v_head_dim = 0,
                                 .qk_norm = 2 * *key,
                                 .sinks = false};
}

// Keys and values of the layers with a window, and of the others, have their own numbers of heads.
void read_window_heads(Metadata& meta, ModelShape& shape) {
  const GgufValue* pattern = meta.find("attention.sliding_window_pattern");
  const auto kv_heads = meta.by_layer("attention.head_count_kv", kHeads);
  if (!shape.window || pattern == nullptr || pattern->truths.empty() || alike(kv_heads)) return;
  std::vector<std::int64_t> whole, windowed;
  for (std::size_t i = 0; i < kv_heads.size(); ++i)
    (pattern->truths[i % pattern->truths.size()] ? windowed : whole).push_back(kv_heads[i]);
  if (const std::int64_t heads = most_frequent(whole); heads > 0) shape.kv_heads = heads;
  if (const std::int64_t heads = most_frequent(windowed); heads > 0) shape.window->kv_heads = heads;
}

void read_recurrence(Metadata& meta, const Roles& roles, ModelShape& shape) {
  read_layer_kinds(roles, shape);
  if (shape.recurrent_layers == 0) return;
  Recurrent r;
  r.inner = meta.number_or("ssm.inner_size", kInner, 0);
  r.state = meta.number_or("ssm.state_size", {0, 100'000}, 0);
  r.convolution = meta.number_or("ssm.conv_kernel", {0, 1'000}, 0);
  const std::int64_t steps = meta.number_or("ssm.time_step_rank", {0, kWidth.high}, 0);
  const std::int64_t groups = meta.number_or("ssm.group_count", {0, 100'000}, 0);
  if (roles.has("shortconv.conv.weight")) {
    r.kind = Recurrence::short_convolution;
    r.convolution = meta.number_or("shortconv.l_cache", {0, 1'000}, 3);
    r.inner = shape.hidden;
  } else if (roles.has("ssm_x.weight")) {
    r.kind = Recurrence::mamba;
    r.dt_rank = steps;
  } else if (meta.arch().starts_with("qwen3") || meta.arch() == "kimi-linear") {
    r.kind = Recurrence::gated_delta;
    r.heads = steps;
    r.key_heads = groups;
    r.key_head_dim = r.state;
    r.value_head_dim = steps > 0 ? r.inner / steps : 0;
  } else {
    r.kind = Recurrence::mamba2;
    r.heads = steps;
    r.groups = groups;
  }
  if (r.inner == 0) {
    shape.filled_in.push_back("the recurrent layers' state is not stated: it is left out");
    return;
  }
  shape.recurrent = r;
}

struct ArchKind {
  std::string_view arch;
  ModelKind kind;
};
constexpr std::array kArchKinds{
    ArchKind{"bert", ModelKind::encoder},           ArchKind{"nomic-bert", ModelKind::encoder},
    ArchKind{"nomic-bert-moe", ModelKind::encoder}, ArchKind{"jina-bert-v2", ModelKind::encoder},
    ArchKind{"jina-bert-v3", ModelKind::encoder},   ArchKind{"modern-bert", ModelKind::encoder},
    ArchKind{"neo-bert", ModelKind::encoder},       ArchKind{"t5encoder", ModelKind::encoder},
    ArchKind{"t5", ModelKind::encoder_decoder},     ArchKind{"mamba", ModelKind::state_space},
    ArchKind{"mamba2", ModelKind::state_space}};

ModelShape read_language_model(Metadata& meta, const GgufFile& file, const Roles& roles,
                               const std::string& source) {
  ModelShape shape;
  shape.source = source;
  shape.family = meta.arch();
  const auto kind = std::ranges::find(kArchKinds, meta.arch(), &ArchKind::arch);
  if (kind != kArchKinds.end()) shape.kind = kind->kind;
  read_widths(meta, file, shape);
  read_heads(meta, shape);
  read_latent(meta, shape);
  read_experts(meta, shape);
  read_window(meta, shape);
  read_window_heads(meta, shape);
  read_recurrence(meta, roles, shape);
  read_roles(roles, shape);
  if (shape.kind == ModelKind::encoder_decoder)
    shape.decoder = Decoder{.layers = meta.number_or("decoder_block_count", kLayers, shape.layers)};
  return shape;
}

std::string name_of_file(const GgufFile& file, const std::string& source) {
  const std::string stated = file.text("general.name");
  if (!stated.empty()) return stated;
  const std::string base = source.substr(source.rfind('/') + 1);
  return base.ends_with(".gguf") ? base.substr(0, base.size() - 5) : base;
}

}  // namespace

Result<ModelShape> shape_of_gguf(const GgufFile& file, const NamedTensors& named,
                                 const std::string& source, Warnings& warnings) {
  Metadata meta(file, source);
  const std::string name = name_of_file(file, source);
  if (meta.arch().empty() || meta.find("block_count") == nullptr) {
    warnings.push_back({"model_by_size",
                        "the metadata of " + quote(name) +
                            " describes no language model (architecture " + quote(meta.arch()) +
                            "): only its size and its bytes are known, the range is wide",
                        "model"});
    ModelShape shape =
        shape_of_size(name, std::max<std::int64_t>(1, sum_tensors(named, "gguf", 1).elements));
    shape.source = source;
    return shape;
  }
  ModelShape shape = read_language_model(meta, file, named.roles, source);
  shape.name = name;
  if (meta.faults().empty()) {
    derive_state(shape);
    for (const std::string_view part : missing_parts(shape))
      meta.faults().push_back(
          {ErrorCode::invalid, source, "",
           "neither metadata nor tensors lead to " + quote(part) + " of the model",
           "is it a whole model?"});
    for (const Contradiction& contradiction : contradictions_of(shape))
      meta.faults().push_back({ErrorCode::invalid, source, "", contradiction.message, ""});
  }
  if (!meta.faults().empty()) return meta.faults();
  return shape;
}

}  // namespace gpuplan::files
