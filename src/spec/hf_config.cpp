#include "spec/hf_config.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/text.hpp"
#include "gpuplan/model_files.hpp"
#include "spec/models_read.hpp"

namespace gpuplan {

namespace {

// Where a model for several kinds of input keeps its language part.
constexpr std::array<std::string_view, 5> kTextKeys{"text_config", "llm_config", "language_config",
                                                    "thinker_config", "text_model_config"};

JsonReader text_part(const JsonReader& whole) {
  for (const std::string_view key : kTextKeys)
    if (const auto part = whole.find(key); part && part->node().is(JsonNode::Kind::object))
      return text_part(*part);
  return whole;
}

std::string text_of(const JsonReader& reader, std::string_view key) {
  const JsonNode* node = reader.node().find(key);
  return node != nullptr && node->is(JsonNode::Kind::string) ? std::string(node->text)
                                                             : std::string{};
}

// Older files and those that are made by constructor calls have no model_type.
std::string type_of(const JsonReader& reader) {
  std::string type = text_of(reader, "model_type");
  if (!type.empty()) return type;
  if (reader.has("d_kv")) return "t5";
  if (reader.has("n_embd")) return "gpt2";
  if (reader.has("type_vocab_size")) {
    const JsonNode* types = reader.node().find("type_vocab_size");
    return types->text == "1" ? "roberta" : "bert";
  }
  if (reader.has("n_routed_experts") && reader.has("dim")) return "deepseek_native";
  std::string constructor = text_of(reader, "_constructor");
  if (constructor.ends_with("Config")) constructor.resize(constructor.size() - 6);
  return lower(constructor);
}

// Models are kept in folders of their name; files are named after them else.
std::string name_of(const JsonReader& whole, const std::string& source) {
  const std::string stated = text_of(whole, "_name_or_path");
  if (stated.find('/') != std::string::npos && !stated.starts_with('/') && !stated.starts_with('.'))
    return stated;
  std::string_view path = source;
  if (path.ends_with("/config.json")) path.remove_suffix(12);
  else if (path.ends_with(".json")) path.remove_suffix(5);
  return std::string(path.substr(path.rfind('/') + 1));
}

// Python writes Infinity and NaN, which are not JSON. No figure that counts here can be either.
std::string without_infinities(std::string_view text) {
  std::string result(text);
  bool quoted = false;
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (quoted && result[i] == '\\') {
      ++i;
      continue;
    }
    if (result[i] == '"') quoted = !quoted;
    if (quoted) continue;
    for (const std::string_view word : {"-Infinity", "Infinity", "NaN"})
      if (result.compare(i, word.size(), word) == 0) {
        std::string blank = "null";
        blank.resize(std::max(word.size(), blank.size()), ' ');
        result.replace(i, word.size(), blank);
        break;
      }
  }
  return result;
}

void read_bias(const HfConfig& config, ModelShape& shape) {
  HfBias bias = config.family().bias;
  if (bias == HfBias::stated || bias == HfBias::stated_qkv) {
    const bool stated = config.flag("attention_bias", config.flag("qkv_bias", false)) ||
                        config.flag("use_qkv_bias", false) || config.flag("add_qkv_bias", false);
    const bool only_qkv = bias == HfBias::stated_qkv || !config.has("attention_bias");
    bias = !stated ? HfBias::none : only_qkv ? HfBias::qkv : HfBias::all;
  }
  shape.qkv_bias = bias == HfBias::all || bias == HfBias::qkv || bias == HfBias::qvo;
  shape.key_bias = bias != HfBias::qvo;
  shape.attention_output_bias = bias == HfBias::all || bias == HfBias::out || bias == HfBias::qvo;
}

void read_qk_norm(const HfConfig& config, ModelShape& shape) {
  HfQkNorm norm = config.family().qk_norm;
  if (norm == HfQkNorm::stated)
    norm = !config.flag("use_qk_norm", false)             ? HfQkNorm::none
           : config.text("qk_norm_type") == "per_layer"   ? HfQkNorm::full
                                                          : HfQkNorm::head;
  if (norm == HfQkNorm::head) shape.qk_norm = 2 * shape.head_dim;
  if (norm == HfQkNorm::full) shape.qk_norm = (shape.heads + shape.kv_heads) * shape.head_dim;
}

void read_positions(const HfConfig& config, ModelShape& shape) {
  constexpr std::int64_t kNone = 0;
  shape.max_positions =
      config.number({"max_position_embeddings", "n_positions", "n_ctx", "max_seq_len", "seq_length",
                     "max_target_positions", "max_sequence_length"})
          .value_or(kNone);
  const int beyond = config.family().learned_positions;
  if (beyond < 0) return;
  shape.positions = shape.max_positions + beyond;
  // RoBERTa counts its two spare rows into the context length.
  if (shape.family.ends_with("roberta") && shape.max_positions > 2) shape.max_positions -= 2;
}

void read_heads(const HfConfig& config, ModelShape& shape) {
  shape.heads = config.needed({"num_attention_heads", "n_head", "n_heads", "num_heads",
                               "encoder_attention_heads"});
  shape.kv_heads = config.number({"num_key_value_heads", "num_kv_heads", "n_kv_heads",
                                  "multi_query_group_num", "n_head_kv"})
                       .value_or(shape.heads);
  shape.v_head_dim = config.number_or({"v_head_dim"}, 0);
  const auto stated =
      config.number({"head_dim", "attention_head_dim", "kv_channels", "d_kv", "head_size"});
  shape.head_dim = stated.value_or(shape.hidden / std::max<std::int64_t>(shape.heads, 1));
  if (shape.head_dim == shape.v_head_dim) shape.v_head_dim = 0;
}

void read_widths(const HfConfig& config, ModelShape& shape) {
  const HfConfig::Keys layers = {"num_hidden_layers", "n_layer", "n_layers", "num_layers",
                                 "encoder_layers"};
  // A list of blocks says it as well.
  shape.layers =
      config.has("layers_block_type") ? config.number_or(layers, 0) : config.needed(layers);
  shape.hidden = config.needed({"hidden_size", "n_embd", "d_model", "dim"});
  const auto wide = config.number({"intermediate_size_mlp", "dense_intermediate_size",
                                   "intermediate_size", "ffn_hidden_size", "n_inner", "d_ff",
                                   "encoder_ffn_dim", "ffn_dim", "inter_dim", "hidden_dim"});
  // GPT-2's line takes four times the width when nothing is said.
  const bool four = !config.family().gated || config.family().kind != ModelKind::decoder;
  if (wide && *wide > 0) shape.intermediate = *wide;
  else if (four) shape.intermediate = 4 * shape.hidden;
  else if (config.family().finish == nullptr && !config.has("moe_intermediate_size"))
    shape.intermediate = config.needed({"intermediate_size"});
  if (config.family().kind != ModelKind::vision)
    shape.vocab = config.needed({"vocab_size", "padded_vocab_size"});
}

ModelShape read_transformer(const HfConfig& config, std::string_view type) {
  const HfFamily& family = config.family();
  ModelShape shape;
  shape.family = type;
  shape.kind = family.kind;
  shape.gated_mlp = family.gated;
  shape.layer_norm = family.layer_norm;
  shape.norm_bias = family.norm_bias;
  shape.norms_per_layer = family.norms;
  shape.final_norm = family.final_norm;
  shape.embedding_norm = family.embedding_norm;
  shape.head_bias = family.head_bias;
  shape.mlp_bias = config.flag("mlp_bias", family.mlp_bias);
  shape.tied = config.flag("tie_word_embeddings", family.tied);
  read_widths(config, shape);
  if (family.kind != ModelKind::state_space) read_heads(config, shape);
  read_bias(config, shape);
  read_positions(config, shape);
  read_hf_latent(config, shape);
  read_qk_norm(config, shape);
  read_hf_experts(config, shape);
  read_hf_windows(config, shape);
  read_hf_recurrence(config, shape);
  if (config.has("sparse_attention_config"))
    config.note("what picks tokens for sparse attention is not counted");
  if (family.finish != nullptr) family.finish(config, shape);
  return shape;
}

// Files of the same name that do not describe something to plan for.
bool refuse(const JsonReader& whole) {
  const std::string made_by = text_of(whole, "_class_name");
  if (made_by == "UNet2DConditionModel") return false;
  if (!made_by.empty()) {
    whole.complain("expected a UNet, got " + quote(made_by),
                   "take the unet/config.json of the model, or give its size with --params");
    return true;
  }
  if (whole.has("peft_type")) {
    whole.complain("this is an adapter", "take the config.json of its base model");
    return true;
  }
  return false;
}

ModelShape read_any(const JsonReader& whole, std::vector<std::string>& notes) {
  if (text_of(whole, "_class_name") == "UNet2DConditionModel")
    return read_hf_unet(HfConfig(whole, hf_plain_family(), notes));
  const JsonReader text = text_part(whole);
  std::string type = type_of(text);
  if (type.empty()) type = type_of(whole);
  const HfFamily* family = hf_family(type);
  if (family == nullptr)
    notes.push_back(type.empty() ? std::string("no model_type: read as a gated decoder like Llama")
                                 : "model_type " + quote(type) +
                                       " is not known: read as a gated decoder like Llama");
  const HfConfig config(text, family != nullptr ? *family : hf_plain_family(), notes);
  ModelShape shape = read_transformer(config, type);
  if (!text.has("tie_word_embeddings") && whole.has("tie_word_embeddings"))
    shape.tied = HfConfig(whole, config.family(), notes).flag("tie_word_embeddings", shape.tied);
  read_hf_vision(config, whole, shape);
  return shape;
}

// Each figure was possible; do they make a model together?
void check_whole(const JsonReader& whole, const ModelShape& shape) {
  for (const std::string_view part : missing_parts(shape))
    whole.complain("the configuration does not lead to " + quote(part) + " of the model",
                   "is it the configuration of a whole model?");
  for (const Contradiction& contradiction : contradictions_of(shape))
    whole.complain(contradiction.message);
}

}  // namespace

Result<ModelShape> read_hf_config(std::string_view text, const std::string& source) {
  const auto document = parse_json(without_infinities(text), source);
  if (!document) return document.errors();
  Diagnostics faults;
  const JsonContext context{.source = source, .faults = &faults};
  const JsonReader whole(document->root(), context);
  if (!whole.is_object() || refuse(whole)) return faults;
  std::vector<std::string> notes;
  ModelShape shape = read_any(whole, notes);
  derive_state(shape);
  if (faults.empty()) check_whole(whole, shape);
  if (!faults.empty()) return faults;
  shape.name = name_of(whole, source);
  shape.source = source;
  shape.filled_in.insert(shape.filled_in.begin(), notes.begin(), notes.end());
  return shape;
}

}  // namespace gpuplan
