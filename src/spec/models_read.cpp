#include "spec/models_read.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "core/text.hpp"

namespace gpuplan {
namespace {

constexpr std::int64_t kMostParameters = 1'000'000'000'000'000;

struct NumberField {
  std::string_view key;
  std::int64_t ModelShape::* member;
  std::int64_t low, high;
};
// Upper limits are far above any model and low enough to catch a slip of a zero or a unit.
constexpr std::array kNumbers{
    NumberField{"layers", &ModelShape::layers, 1, 10'000},
    NumberField{"hidden", &ModelShape::hidden, 1, 1'000'000},
    NumberField{"heads", &ModelShape::heads, 1, 100'000},
    NumberField{"kv_heads", &ModelShape::kv_heads, 1, 100'000},
    NumberField{"head_dim", &ModelShape::head_dim, 1, 100'000},
    NumberField{"v_head_dim", &ModelShape::v_head_dim, 1, 100'000},
    NumberField{"intermediate", &ModelShape::intermediate, 1, 10'000'000},
    NumberField{"intermediate_sum", &ModelShape::intermediate_sum, 1, 1'000'000'000},
    NumberField{"vocab", &ModelShape::vocab, 1, 100'000'000},
    NumberField{"embedding_dim", &ModelShape::embedding_dim, 1, 1'000'000},
    NumberField{"token_types", &ModelShape::token_types, 0, 10'000},
    NumberField{"max_positions", &ModelShape::max_positions, 1, 1'000'000'000},
    NumberField{"norms_per_layer", &ModelShape::norms_per_layer, 0, 16},
    NumberField{"sliding_window", &ModelShape::sliding_window, 1, 1'000'000'000},
    NumberField{"sliding_layers", &ModelShape::sliding_layers, 0, 10'000},
    NumberField{"recurrent_layers", &ModelShape::recurrent_layers, 0, 10'000},
    NumberField{"state_bytes", &ModelShape::state_bytes, 0, 1'000'000'000'000},
    NumberField{"extra_parameters", &ModelShape::extra_parameters, 0, kMostParameters},
    NumberField{"image_size", &ModelShape::image_size, 1, 100'000},
    NumberField{"patch_size", &ModelShape::patch_size, 1, 10'000},
    NumberField{"context_dim", &ModelShape::context_dim, 1, 1'000'000},
    NumberField{"classes", &ModelShape::classes, 1, 10'000'000},
    NumberField{"projection", &ModelShape::projection, 1, 1'000'000}};

struct TruthField {
  std::string_view key;
  bool ModelShape::* member;
};
constexpr std::array kTruths{TruthField{"tied", &ModelShape::tied},
                             TruthField{"mlp_bias", &ModelShape::mlp_bias},
                             TruthField{"head_bias", &ModelShape::head_bias},
                             TruthField{"attention_gate", &ModelShape::attention_gate},
                             TruthField{"attention_sinks", &ModelShape::attention_sinks},
                             TruthField{"key_is_value", &ModelShape::key_is_value},
                             TruthField{"norm_bias", &ModelShape::norm_bias},
                             TruthField{"final_norm", &ModelShape::final_norm},
                             TruthField{"embedding_norm", &ModelShape::embedding_norm},
                             TruthField{"patch_bias", &ModelShape::patch_bias},
                             TruthField{"class_token", &ModelShape::class_token},
                             TruthField{"pooler", &ModelShape::pooler}};

struct TextField {
  std::string_view key;
  std::string ModelShape::* member;
};
constexpr std::array kTexts{TextField{"family", &ModelShape::family},
                            TextField{"source", &ModelShape::source},
                            TextField{"extra_note", &ModelShape::extra_note}};

// Keys that are read in their own way, here or in models_parts.cpp.
constexpr std::array<std::string_view, 32> kOtherKeys{
    "schema",          "name",           "aliases",          "kind",
    "mlp",             "norm",           "positions",        "attention_bias",
    "qk_norm",         "parameters",     "experts",          "active_experts",
    "moe_intermediate", "shared_experts", "shared_intermediate", "dense_layers",
    "expert_latent",   "shared_gate",    "router_bias",      "expert_bias",
    "mla",             "indexer",        "window",           "recurrent",
    "attention_layers", "mlp_layers",    "decoder",          "unet",
    "vision",          "note",           "license",          "released"};

std::vector<std::string_view> known_keys() {
  std::vector<std::string_view> keys(kOtherKeys.begin(), kOtherKeys.end());
  for (const NumberField& field : kNumbers) keys.push_back(field.key);
  for (const TruthField& field : kTruths) keys.push_back(field.key);
  for (const TextField& field : kTexts) keys.push_back(field.key);
  return keys;
}

constexpr std::array<std::string_view, 6> kKinds{"decoder", "encoder",   "encoder_decoder",
                                                 "vision",  "diffusion", "state_space"};
constexpr std::array<std::string_view, 2> kMlps{"gated", "plain"};
constexpr std::array<std::string_view, 2> kNorms{"rms", "layer"};
constexpr std::array<std::string_view, 3> kUnlearned{"rope", "alibi", "none"};
constexpr std::array<std::string_view, 2> kPartBiases{"qkv", "qv"};

void read_positions(const JsonReader& reader, ModelShape& shape) {
  const auto positions = reader.find("positions");
  if (!positions) return;
  if (positions->node().is(JsonNode::Kind::number)) {
    shape.positions = positions->integer(1, 100'000'000);
  } else if (!positions->node().is(JsonNode::Kind::string) ||
             std::ranges::find(kUnlearned, positions->node().text) == kUnlearned.end()) {
    positions->complain_expected("rope, alibi, none, or the rows of a learned table");
  }
}

void read_attention_bias(const JsonReader& reader, ModelShape& shape) {
  const auto bias = reader.find("attention_bias");
  if (!bias) return;
  if (bias->node().is(JsonNode::Kind::boolean)) {
    shape.qkv_bias = shape.attention_output_bias = bias->boolean();
  } else if (bias->node().is(JsonNode::Kind::string) &&
             std::ranges::find(kPartBiases, bias->node().text) != kPartBiases.end()) {
    shape.qkv_bias = true;
    shape.key_bias = bias->node().text == "qkv";
    shape.attention_output_bias = bias->node().text == "qv";
  } else {
    bias->complain_expected("true, false, \"qkv\" (no bias behind the output projection) or \"qv\" "
                            "(all but the key)");
  }
}

void read_forms(const JsonReader& reader, ModelShape& shape) {
  if (const auto kind = reader.find("kind"))
    shape.kind = static_cast<ModelKind>(kind->choice(kKinds));
  if (const auto mlp = reader.find("mlp")) shape.gated_mlp = mlp->choice(kMlps) == 0;
  if (const auto norm = reader.find("norm")) shape.layer_norm = norm->choice(kNorms) == 1;
  read_positions(reader, shape);
  read_attention_bias(reader, shape);
}

void read_names(const JsonReader& reader, ModelShape& shape) {
  shape.name = reader.at("name").text();
  if (shape.name.empty() && reader.has("name")) reader.at("name").complain("the name is empty");
  if (const auto aliases = reader.find("aliases"))
    for (const JsonReader& alias : aliases->items()) shape.aliases.push_back(alias.text());
  for (const std::string_view key : {"note", "license", "released"})
    if (const auto text = reader.find(key)) (void)text->text();
}

struct Need {
  std::string_view key;
  bool wanted;
};

// Which keys a model of this kind cannot do without, unless only its size is known.
std::vector<Need> needs_of(const JsonReader& reader, const ModelShape& shape) {
  const bool text = shape.kind != ModelKind::vision && shape.kind != ModelKind::diffusion;
  const bool state = shape.kind == ModelKind::state_space;
  const bool unet = reader.has("unet");
  const auto none = [&](std::string_view key) {
    const JsonNode* node = reader.node().find(key);
    return node != nullptr && node->text == "0";
  };
  return {{"layers", !unet},
          {"hidden", !unet},
          {"heads", !unet && !state && !none("attention_layers")},
          {"intermediate", !unet && !state && !none("mlp_layers") && !reader.has("intermediate_sum")},
          {"vocab", text},
          {"image_size", shape.kind == ModelKind::vision},
          {"patch_size", shape.kind == ModelKind::vision},
          {"recurrent", state},
          {"decoder", shape.kind == ModelKind::encoder_decoder},
          {"unet", shape.kind == ModelKind::diffusion && !reader.has("layers")}};
}

// A model of which only the size is known may say no more than its `parameters`. An incomplete shape
// is not used then: half a shape would look like a whole one.
bool settle_size_only(const JsonReader& reader, ModelShape& shape) {
  const std::vector<Need> needs = needs_of(reader, shape);
  const bool complete = std::ranges::all_of(
      needs, [&](const Need& need) { return !need.wanted || reader.has(need.key); });
  if (complete) return false;
  if (!shape.parameters_stated) {
    for (const Need& need : needs)
      if (need.wanted && !reader.has(need.key)) (void)reader.at(need.key);
    return false;
  }
  if (shape.layers > 0)
    shape.filled_in.push_back("only `parameters` is used: the shape is not complete");
  shape.layers = 0;
  shape.unet.reset();
  return true;
}

// What does not go together is looked for only among figures that are right one by one.
ModelShape read_shape(const JsonReader& reader, const Diagnostics& faults) {
  const std::size_t before = faults.size();
  ModelShape shape;
  if (!reader.is_object()) return shape;
  static const std::vector<std::string_view> kKeys = known_keys();
  reader.allow(kKeys);
  read_names(reader, shape);
  read_forms(reader, shape);
  for (const NumberField& field : kNumbers)
    if (const auto value = reader.find(field.key))
      shape.*field.member = value->integer(field.low, field.high);
  for (const TruthField& field : kTruths)
    if (const auto value = reader.find(field.key)) shape.*field.member = value->boolean();
  for (const TextField& field : kTexts)
    if (const auto value = reader.find(field.key)) shape.*field.member = value->text();
  if (const auto parameters = reader.find("parameters"))
    shape.parameters_stated = parameters->count(1, kMostParameters);
  read_model_parts(reader, shape);
  if (settle_size_only(reader, shape) || faults.size() > before) return shape;
  fill_model(reader, shape);
  check_model(reader, shape);
  return shape;
}

void check_schema(const JsonReader& reader, std::string_view wanted) {
  const JsonReader schema = reader.at("schema");
  if (!reader.has("schema")) return;
  const std::string found = schema.text();
  if (found != wanted && schema.node().is(JsonNode::Kind::string))
    schema.complain_expected("\"" + std::string(wanted) + "\"");
}

// Every name and alias leads to one model only.
void check_names(const std::vector<JsonReader>& readers, const std::vector<ModelShape>& models) {
  std::vector<std::pair<std::string, std::size_t>> names;
  for (std::size_t i = 0; i < models.size(); ++i) {
    names.emplace_back(lower(models[i].name), i);
    for (const std::string& alias : models[i].aliases) names.emplace_back(lower(alias), i);
  }
  std::ranges::sort(names);
  for (std::size_t i = 1; i < names.size(); ++i)
    if (!names[i].first.empty() && names[i].first == names[i - 1].first)
      readers[names[i].second].complain("the name " + quote(names[i].first) + " is also that of " +
                                        quote(models[names[i - 1].second].name));
}

}  // namespace

Result<ModelShape> read_model(std::string_view text, const std::string& source) {
  auto node = parse_json(text, source);
  if (!node) return node.errors();
  Diagnostics faults;
  const JsonReader reader(*node, source, faults);
  if (!reader.is_object()) return faults;
  check_schema(reader, "gpuplan.model/1");
  ModelShape shape = read_shape(reader, faults);
  if (!faults.empty()) return faults;
  if (shape.source.empty()) shape.source = source;
  return shape;
}

Result<ModelTable> read_models(std::string_view text, const std::string& source) {
  auto node = parse_json(text, source);
  if (!node) return node.errors();
  Diagnostics faults;
  const JsonReader reader(*node, source, faults);
  if (!reader.is_object()) return faults;
  check_schema(reader, "gpuplan.models/1");
  reader.allow({"schema", "as_of", "note", "models"});
  if (const auto day = reader.find("as_of")) (void)day->date();
  const std::vector<JsonReader> readers = reader.at("models").items();
  std::vector<ModelShape> models;
  models.reserve(readers.size());
  for (const JsonReader& entry : readers) models.push_back(read_shape(entry, faults));
  check_names(readers, models);
  if (!faults.empty()) return faults;
  return ModelTable(std::move(models));
}

}  // namespace gpuplan
