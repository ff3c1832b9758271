#include "spec/models_read.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/text.hpp"

namespace gpuplan {
namespace {

struct Need {
  std::string_view key;
  bool met;
};

// What a model of this kind cannot do without, unless only its size is known.
std::vector<Need> needs_of(const ModelShape& shape) {
  const bool unet = shape.unet.has_value();
  const bool image = shape.kind == ModelKind::vision;
  const bool state = shape.kind == ModelKind::state_space;
  const bool text = !image && shape.kind != ModelKind::diffusion;
  const bool heads = !state && shape.attention_layers != 0;
  const bool mlp = !state && shape.mlp_layers != 0 && shape.intermediate_sum == 0;
  return {{"layers", unet || shape.layers > 0},
          {"hidden", unet || shape.hidden > 0},
          {"heads", unet || !heads || shape.heads > 0},
          {"intermediate", unet || !mlp || shape.intermediate > 0},
          {"vocab", !text || shape.vocab > 0},
          {"image_size", !image || shape.image_size > 0},
          {"patch_size", !image || shape.patch_size > 0},
          {"recurrent", !state || shape.recurrent.has_value()},
          {"decoder", shape.kind != ModelKind::encoder_decoder || shape.decoder.has_value()}};
}

// A model of which only the size is known may say no more than its `parameters`. An incomplete shape
// is not used then: half a shape would look like a whole one.
bool settle_size_only(const JsonReader& reader, ModelShape& shape) {
  const std::vector<Need> needs = needs_of(shape);
  if (std::ranges::all_of(needs, &Need::met)) return false;
  if (!shape.parameters_stated) {
    for (const Need& need : needs)
      if (!need.met && !reader.has(need.key))
        reader.complain("the key " + quote(need.key) + " is missing",
                        need.key == "layers" ? "or give `parameters` if only the size is known" : "");
    return false;
  }
  if (shape.layers > 0)
    shape.filled_in.push_back("only `parameters` is used: the shape is not complete");
  shape.layers = 0;
  shape.unet.reset();
  return true;
}

void read_keys(const JsonReader& reader, ModelDraft& draft) {
  const JsonNode& node = reader.node();
  bool known = true;
  for (const JsonNode& child : node.children)
    if (!read_model_key(reader, child.key, child, draft)) known = false;
  if (!known) reader.allow(model_keys());
  if (draft.moe.experts == 0) return;
  draft.moe.active_stated = draft.moe.active > 0;
  if (!draft.moe.active_stated) draft.moe.active = draft.moe.experts;
  draft.shape.moe = draft.moe;
}

// What does not go together is looked for only among figures that are right one by one.
ModelShape read_shape(const JsonReader& reader, const Diagnostics& faults) {
  const std::size_t before = faults.size();
  ModelDraft draft;
  ModelShape& shape = draft.shape;
  if (!reader.is_object()) return shape;
  read_keys(reader, draft);
  if (shape.name.empty() && !reader.has("name")) (void)reader.at("name");
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
    schema.complain_expected(quote(wanted));
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

std::vector<std::string_view> missing_parts(const ModelShape& shape) {
  std::vector<std::string_view> missing;
  for (const Need& need : needs_of(shape))
    if (!need.met) missing.push_back(need.key);
  return missing;
}

Result<ModelShape> read_model(std::string_view text, const std::string& source) {
  const auto document = parse_json(text, source);
  if (!document) return document.errors();
  Diagnostics faults;
  const JsonContext context{.source = source, .faults = &faults};
  const JsonReader reader(document->root(), context);
  if (!reader.is_object()) return faults;
  check_schema(reader, "gpuplan.model/1");
  ModelShape shape = read_shape(reader, faults);
  if (!faults.empty()) return faults;
  if (shape.source.empty()) shape.source = source;
  return shape;
}

Result<ModelTable> read_models(std::string_view text, const std::string& source) {
  const auto document = parse_json(text, source);
  if (!document) return document.errors();
  Diagnostics faults;
  const JsonContext context{.source = source, .faults = &faults};
  const JsonReader reader(document->root(), context);
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
