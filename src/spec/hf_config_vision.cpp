#include <algorithm>
#include <array>

#include "core/text.hpp"
#include "spec/hf_config.hpp"
#include "spec/models_count.hpp"

namespace gpuplan {
namespace {

// The figures that the image parts of language models share.
struct Tower {
  Count hidden, layers, intermediate, patch;
  Count out;   // width of the language model
  Count side;  // patches along one side of the largest picture
};

Count norm(Count width) { return width * 2; }
Count linear(Count from, Count to) { return from * to + to; }

// Attention and a plain feed-forward block, all with biases, and two LayerNorms.
Count plain_layer(const Tower& t) {
  return linear(t.hidden, t.hidden) * 4 + linear(t.hidden, t.intermediate) +
         linear(t.intermediate, t.hidden) + norm(t.hidden) * 2;
}
Count square(Count x) { return x * x; }

// Two frames a patch; patches are merged by four before each projection (also of earlier layers).
Count qwen3_vl(const HfConfig& v, const Tower& t) {
  const Count merged = t.hidden * 4;
  const Count merger = linear(merged, merged) + linear(merged, t.out);
  const JsonNode* deep = v.list("deepstack_visual_indexes");
  const auto taps = deep == nullptr ? 0 : static_cast<std::int64_t>(deep->children.size());
  return square(t.patch) * 3 * 2 * t.hidden + t.hidden +
         Count{v.number_or({"num_position_embeddings"}, 2304)} * t.hidden +
         t.layers * plain_layer(t) + norm(t.hidden) + merger + Count{taps} * (norm(merged) + merger);
}

Count qwen2_5_vl(const HfConfig&, const Tower& t) {
  const Count layer = t.hidden * 2 + linear(t.hidden, t.hidden) * 4 +
                      linear(t.hidden, t.intermediate) * 2 + linear(t.intermediate, t.hidden);
  const Count merged = t.hidden * 4;
  return square(t.patch) * 3 * 2 * t.hidden + t.layers * layer + t.hidden + linear(merged, merged) +
         linear(merged, t.out);
}

// SigLIP as Gemma 3 uses it: no class token, no pooling head; a norm and one matrix behind it.
Count siglip(const HfConfig&, const Tower& t) {
  return square(t.patch) * 3 * t.hidden + t.hidden + square(t.side) * t.hidden +
         t.layers * plain_layer(t) + norm(t.hidden) + t.hidden * t.out + t.hidden;
}

// CLIP as LLaVA uses it, with two matrices behind it.
Count clip(const HfConfig&, const Tower& t) {
  return square(t.patch) * 3 * t.hidden + (square(t.side) + 2) * t.hidden +
         t.layers * plain_layer(t) + norm(t.hidden) * 2 + linear(t.hidden, t.out) +
         linear(t.out, t.out);
}

Count pixtral(const HfConfig&, const Tower& t) {
  const Count layer = square(t.hidden) * 4 + t.hidden * t.intermediate * 3 + t.hidden * 2;
  return square(t.patch) * 3 * t.hidden + t.hidden + t.layers * layer + t.hidden +
         t.hidden * 4 * t.hidden + t.hidden * t.out + square(t.out);
}

Count gemma4(const HfConfig& v, const Tower& t) {
  const Count head = v.number_or({"head_dim"}, 72);
  const Count layer =
      square(t.hidden) * 4 + t.hidden * t.intermediate * 3 + t.hidden * 4 + head * 2;
  return square(t.patch) * 3 * t.hidden +
         Count{2} * v.number_or({"position_embedding_size"}, 10240) * t.hidden + t.layers * layer +
         t.hidden * t.out;
}

// Llama 4: patches without bias, shuffled together before two matrices, then one to the text.
Count llama4(const HfConfig& v, const Tower& t) {
  const Count in = v.number_or({"projector_input_dim"}, 4096);
  const Count out = v.number_or({"projector_output_dim"}, 4096);
  return square(t.patch) * 3 * t.hidden + (square(t.side) + 2) * t.hidden + norm(t.hidden) * 2 +
         t.layers * plain_layer(t) + t.intermediate * in + in * out +
         Count{v.number_or({"vision_output_dim"}, 4096)} * t.out;
}

// Llama 3.2: a table of positions for each arrangement of up to four tiles, gates in the last layers.
Count mllama(const HfConfig& v, const Tower& t) {
  const Count layer = square(t.hidden) * 4 + linear(t.hidden, t.intermediate) +
                      linear(t.intermediate, t.hidden) + norm(t.hidden) * 2;
  const Count last = v.number_or({"num_global_layers"}, 8);
  const Count tokens = square(t.side) + 1;
  const JsonNode* ratios = v.list("supported_aspect_ratios");
  const auto listed = ratios == nullptr ? 8 : static_cast<std::int64_t>(ratios->children.size());
  const Count arrangements = Count{listed} + 1;
  const Count tiles = v.number_or({"max_num_tiles"}, 4);
  return square(t.patch) * 3 * t.hidden + t.hidden + tokens * t.hidden + 1 +
         arrangements * tiles * tokens * t.hidden + (arrangements * tiles * t.hidden + 1) * 2 +
         norm(t.hidden) * 2 + (t.layers + last) * layer + last * 2 +
         linear(v.number_or({"vision_output_dim"}, 7680), t.out);
}

struct TowerForm {
  std::string_view type;
  Count (*count)(const HfConfig& vision, const Tower& tower);
};
constexpr std::array kTowers{
    TowerForm{"clip_vision_model", clip},   TowerForm{"gemma4_vision", gemma4},
    TowerForm{"llama4_vision_model", llama4}, TowerForm{"mllama_vision_model", mllama},
    TowerForm{"pixtral", pixtral},          TowerForm{"qwen2_5_vl", qwen2_5_vl},
    TowerForm{"qwen3_5", qwen3_vl},         TowerForm{"qwen3_5_moe", qwen3_vl},
    TowerForm{"qwen3_vl", qwen3_vl},        TowerForm{"qwen3_vl_moe", qwen3_vl},
    TowerForm{"qwen3_vl_moe_vision", qwen3_vl}, TowerForm{"qwen3_vl_vision", qwen3_vl},
    TowerForm{"siglip_vision_model", siglip}};

struct TowerDefaults {
  std::string_view type;
  std::array<HfDefault, 6> values;
};
// Libraries leave out of a file what equals their own defaults.
constexpr std::array kTowerDefaults{
    TowerDefaults{"clip_vision_model",
                  {{{"hidden_size", 768}, {"num_hidden_layers", 12}, {"intermediate_size", 3072},
                    {"patch_size", 32}, {"image_size", 224}, {"", 0}}}},
    TowerDefaults{"llama4_vision_model",
                  {{{"hidden_size", 768}, {"num_hidden_layers", 34}, {"intermediate_size", 5632},
                    {"patch_size", 14}, {"image_size", 448}, {"", 0}}}},
    TowerDefaults{"qwen2_5_vl",
                  {{{"hidden_size", 1280}, {"depth", 32}, {"intermediate_size", 3420},
                    {"patch_size", 14}, {"image_size", 0}, {"", 0}}}}};

std::span<const HfDefault> tower_defaults(std::string_view type) {
  const auto entry = std::ranges::find(kTowerDefaults, type, &TowerDefaults::type);
  return entry == kTowerDefaults.end() ? std::span<const HfDefault>{}
                                       : std::span<const HfDefault>{entry->values};
}

std::string type_of_tower(const JsonReader& vision, const JsonReader& whole) {
  for (const JsonReader* reader : {&vision, &whole})
    if (const JsonNode* node = reader->node().find("model_type"); node != nullptr)
      return std::string(node->text);
  return {};
}

Tower tower_of(const HfConfig& v, const ModelShape& text) {
  const std::int64_t patch = v.number_or({"patch_size"}, 0);
  const std::int64_t image = v.number_or({"image_size"}, 0);
  return {.hidden = v.number_or({"hidden_size", "vt_hidden_size"}, 0),
          .layers = v.number_or({"depth", "num_hidden_layers", "vt_num_hidden_layers"}, 0),
          .intermediate = v.number_or({"intermediate_size", "vt_intermediate_size"}, 0),
          .patch = patch,
          .out = text.hidden,
          .side = patch > 0 ? image / patch : 0};
}

}  // namespace

void read_hf_vision(const HfConfig& text, const JsonReader& whole, ModelShape& shape) {
  if (whole.has("audio_config")) text.note("the audio part is not counted");
  const auto vision = whole.find("vision_config");
  if (!vision || !vision->node().is(JsonNode::Kind::object)) return;
  const std::string type = type_of_tower(*vision, whole);
  HfFamily family = hf_plain_family();
  family.type = type;
  family.defaults = tower_defaults(type);
  std::vector<std::string> notes;
  const HfConfig config(*vision, family, notes);
  const Tower tower = tower_of(config, shape);
  const auto form = std::ranges::find(kTowers, type, &TowerForm::type);
  if (tower.hidden.value() == 0 || tower.layers.value() == 0) {
    text.note("the image part is not counted: its form is not known");
  } else if (form != kTowers.end()) {
    shape.vision_parameters = form->count(config, tower).value();
  } else {
    text.note("image part " + quote(type) + " is counted as a plain vision transformer");
    shape.vision_parameters = siglip(config, tower).value();
  }
  for (std::string& note : notes) text.note("vision: " + std::move(note));
}

}  // namespace gpuplan
