#include <algorithm>
#include <array>

#include "spec/models_count.hpp"
#include "spec/models_read.hpp"

namespace gpuplan {
namespace {

constexpr std::int64_t kWidest = 10'000'000;

// One member of an inner object: its key, where it goes, and what it may be.
template <class Object>
struct PartField {
  std::string_view key;
  std::int64_t Object::* member;
  std::int64_t low;
  bool required;
};

template <class Object, std::size_t size>
void read_fields(const JsonReader& reader, const std::array<PartField<Object>, size>& fields, Object& part) {
  for (const PartField<Object>& field : fields) {
    if (field.required) part.*field.member = reader.at(field.key).integer(field.low, kWidest);
    else if (const auto value = reader.find(field.key))
      part.*field.member = value->integer(field.low, kWidest);
  }
}

template <class Object, std::size_t size>
void allow_fields(const JsonReader& reader, const std::array<PartField<Object>, size>& fields,
                  std::initializer_list<std::string_view> others = {}) {
  std::vector<std::string_view> keys(others);
  for (const PartField<Object>& field : fields) keys.push_back(field.key);
  reader.allow(keys);
}

constexpr std::array<PartField<LatentAttention>, 5> kLatent{
    {{"kv_lora_rank", &LatentAttention::kv_lora_rank, 1, true},
     {"q_lora_rank", &LatentAttention::q_lora_rank, 0, false},
     {"qk_rope_head_dim", &LatentAttention::qk_rope_head_dim, 0, true},
     {"qk_nope_head_dim", &LatentAttention::qk_nope_head_dim, 1, true},
     {"v_head_dim", &LatentAttention::v_head_dim, 1, true}}};
constexpr std::array<PartField<Indexer>, 2> kIndexer{
    {{"heads", &Indexer::heads, 1, true}, {"head_dim", &Indexer::head_dim, 1, true}}};
constexpr std::array<PartField<WindowAttention>, 5> kWindow{
    {{"heads", &WindowAttention::heads, 1, true},
     {"kv_heads", &WindowAttention::kv_heads, 1, true},
     {"head_dim", &WindowAttention::head_dim, 1, true},
     {"v_head_dim", &WindowAttention::v_head_dim, 1, false},
     {"qk_norm", &WindowAttention::qk_norm, 0, false}}};
constexpr std::array<PartField<Decoder>, 3> kDecoder{
    {{"layers", &Decoder::layers, 1, true},
     {"positions", &Decoder::positions, 0, false},
     {"relative_buckets", &Decoder::relative_buckets, 0, false}}};
constexpr std::array<PartField<UNet>, 5> kUNet{
    {{"in_channels", &UNet::in_channels, 1, false},
     {"out_channels", &UNet::out_channels, 1, false},
     {"layers_per_block", &UNet::layers_per_block, 1, false},
     {"middle_transformers", &UNet::middle_transformers, 0, false},
     {"added_embedding", &UNet::added_embedding, 0, false}}};
constexpr std::array<PartField<Recurrent>, 9> kRecurrent{
    {{"inner", &Recurrent::inner, 1, false},
     {"state", &Recurrent::state, 1, false},
     {"convolution", &Recurrent::convolution, 1, false},
     {"dt_rank", &Recurrent::dt_rank, 1, false},
     {"heads", &Recurrent::heads, 1, false},
     {"groups", &Recurrent::groups, 1, false},
     {"key_heads", &Recurrent::key_heads, 1, false},
     {"key_head_dim", &Recurrent::key_head_dim, 1, false},
     {"value_head_dim", &Recurrent::value_head_dim, 1, false}}};

constexpr std::array<std::string_view, 5> kRecurrences{"mamba", "mamba2", "gated_delta", "lightning",
                                                       "short_convolution"};
// What each kind of recurrence needs, in the order of the enumeration.
using Needs = std::array<std::string_view, 5>;
constexpr std::array<Needs, 5> kRecurrentNeeds{
    {{"inner", "state", "convolution", "dt_rank", ""},
     {"inner", "state", "convolution", "heads", "groups"},
     {"heads", "key_heads", "key_head_dim", "value_head_dim", "convolution"},
     {"inner", "heads", "", "", ""},
     {"inner", "convolution", "", "", ""}}};

template <class Object, std::size_t size>
void read_part(const JsonReader& value, const std::array<PartField<Object>, size>& fields,
               std::optional<Object>& part, std::initializer_list<std::string_view> others = {}) {
  if (!value.is_object()) return;
  allow_fields(value, fields, others);
  part.emplace();
  read_fields(value, fields, *part);
}

std::vector<std::int64_t> whole_numbers(const JsonReader& reader, std::int64_t low) {
  std::vector<std::int64_t> numbers;
  for (const JsonReader& item : reader.items()) numbers.push_back(item.integer(low, kWidest));
  return numbers;
}

void read_unet(const JsonReader& value, ModelDraft& draft) {
  read_part(value, kUNet, draft.shape.unet, {"channels", "transformers"});
  if (!draft.shape.unet) return;
  UNet& unet = *draft.shape.unet;
  unet.channels = whole_numbers(value.at("channels"), 1);
  unet.transformers = whole_numbers(value.at("transformers"), 0);
  if (unet.channels.size() != unet.transformers.size())
    value.at("transformers").complain("expected one number for each of the channels");
  if (unet.channels.empty() || unet.channels.size() > 16)
    value.at("channels").complain("expected 1 to 16 blocks");
  if (unet.layers_per_block > 100)
    value.at("layers_per_block").complain("expected at most 100 layers in a block");
}

void read_recurrent(const JsonReader& value, ModelDraft& draft) {
  read_part(value, kRecurrent, draft.shape.recurrent, {"kind"});
  if (!draft.shape.recurrent) return;
  const std::size_t kind = value.at("kind").choice(kRecurrences);
  draft.shape.recurrent->kind = static_cast<Recurrence>(kind);
  for (const std::string_view key : kRecurrentNeeds[kind])
    if (!key.empty() && !value.has(key)) (void)value.at(key);
}

void read_window(const JsonReader& value, ModelDraft& draft) {
  read_part(value, kWindow, draft.shape.window, {"sinks"});
  if (!draft.shape.window) return;
  if (const auto sinks = value.find("sinks")) draft.shape.window->sinks = sinks->boolean();
}

void read_active(const JsonReader& value, ModelDraft& draft) {
  draft.moe.active = value.integer(1, kWidest);
}

void read_vision(const JsonReader& vision, ModelDraft& draft) {
  if (!vision.is_object()) return;
  vision.allow({"parameters"});
  draft.shape.vision_parameters = vision.at("parameters").count(0, 1'000'000'000'000);
}

constexpr std::array<std::string_view, 6> kKinds{"decoder", "encoder",   "encoder_decoder",
                                                 "vision",  "diffusion", "state_space"};
constexpr std::array<std::string_view, 2> kMlps{"gated", "plain"};
constexpr std::array<std::string_view, 2> kNorms{"rms", "layer"};
constexpr std::array<std::string_view, 3> kUnlearned{"rope", "alibi", "none"};
constexpr std::array<std::string_view, 3> kPartBiases{"qkv", "qvo", "o"};

template <std::size_t size>
bool is_one_of(const JsonReader& value, const std::array<std::string_view, size>& words) {
  return value.node().is(JsonNode::Kind::string) &&
         std::ranges::find(words, value.node().text) != words.end();
}

void read_positions(const JsonReader& positions, ModelDraft& draft) {
  if (positions.node().is(JsonNode::Kind::number))
    draft.shape.positions = positions.integer(1, 100'000'000);
  else if (!is_one_of(positions, kUnlearned))
    positions.complain_expected("rope, alibi, none, or the rows of a learned table");
}

void read_attention_bias(const JsonReader& bias, ModelDraft& draft) {
  ModelShape& shape = draft.shape;
  if (bias.node().is(JsonNode::Kind::boolean)) {
    shape.qkv_bias = shape.attention_output_bias = bias.node().truth;
  } else if (is_one_of(bias, kPartBiases)) {
    const std::string_view parts = bias.node().text;
    shape.qkv_bias = parts != "o";
    shape.key_bias = parts == "qkv";
    shape.attention_output_bias = parts != "qkv";
  } else {
    bias.complain_expected("true, false, or which projections have one: qkv, qvo, o");
  }
}

// Kept as it was written until the heads are known (fill_model): true is one vector for the query
// and one for the key, as wide as a head.
void check_qk_norm(const JsonReader& norm, ModelDraft& draft) {
  const JsonNode& node = norm.node();
  if (node.is(JsonNode::Kind::number)) draft.shape.qk_norm = norm.integer(0, kWidest);
  else if (!node.is(JsonNode::Kind::boolean) && node.text != "full")
    norm.complain_expected(
        "true (one head wide), \"full\" (all heads wide), false, or the elements of both norms");
}

void read_name(const JsonReader& name, ModelDraft& draft) {
  draft.shape.name = name.text();
  if (name.node().is(JsonNode::Kind::string) && draft.shape.name.empty())
    name.complain("the name is empty");
}

void read_aliases(const JsonReader& aliases, ModelDraft& draft) {
  for (const JsonReader& alias : aliases.items()) draft.shape.aliases.push_back(alias.text());
}

void skip(const JsonReader&, ModelDraft&) {}
void read_text(const JsonReader& text, ModelDraft&) { (void)text.text(); }

struct Part {
  std::string_view key;
  void (*read)(const JsonReader& value, ModelDraft& draft);
};
constexpr std::array kParts{
    Part{"active_experts", read_active},
    Part{"aliases", read_aliases},
    Part{"attention_bias", read_attention_bias},
    Part{"attention_layers",
         [](const JsonReader& value, ModelDraft& draft) {
           draft.shape.attention_layers = value.integer(0, 10'000);
         }},
    Part{"decoder",
         [](const JsonReader& value, ModelDraft& draft) {
           read_part(value, kDecoder, draft.shape.decoder);
         }},
    Part{"indexer",
         [](const JsonReader& value, ModelDraft& draft) {
           read_part(value, kIndexer, draft.shape.indexer);
         }},
    Part{"kind",
         [](const JsonReader& value, ModelDraft& draft) {
           draft.shape.kind = static_cast<ModelKind>(value.choice(kKinds));
         }},
    Part{"mla",
         [](const JsonReader& value, ModelDraft& draft) {
           read_part(value, kLatent, draft.shape.latent);
         }},
    Part{"mlp",
         [](const JsonReader& value, ModelDraft& draft) {
           draft.shape.gated_mlp = is_one_of(value, kMlps) ? value.node().text == kMlps[0]
                                                           : value.choice(kMlps) == 0;
         }},
    Part{"mlp_layers",
         [](const JsonReader& value, ModelDraft& draft) {
           draft.shape.mlp_layers = value.integer(0, 10'000);
         }},
    Part{"name", read_name},
    Part{"norm",
         [](const JsonReader& value, ModelDraft& draft) {
           draft.shape.layer_norm = value.choice(kNorms) == 1;
         }},
    Part{"note", read_text},
    Part{"parameters",
         [](const JsonReader& value, ModelDraft& draft) {
           draft.shape.parameters_stated = value.count(1, 1'000'000'000'000'000);
         }},
    Part{"positions", read_positions},
    Part{"qk_norm", check_qk_norm},
    Part{"recurrent", read_recurrent},
    Part{"schema", skip},
    Part{"unet", read_unet},
    Part{"vision", read_vision},
    Part{"window", read_window}};
static_assert(std::ranges::is_sorted(kParts, {}, &Part::key));

}  // namespace

bool read_model_part(const JsonReader& model, std::string_view key, ModelDraft& draft) {
  const auto part = std::ranges::lower_bound(kParts, key, {}, &Part::key);
  if (part == kParts.end() || part->key != key) return false;
  if (const auto value = model.find(key)) part->read(*value, draft);
  return true;
}

std::vector<std::string_view> model_part_keys() {
  std::vector<std::string_view> keys;
  for (const Part& part : kParts) keys.push_back(part.key);
  return keys;
}

}  // namespace gpuplan
