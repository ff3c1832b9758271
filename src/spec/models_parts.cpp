#include <algorithm>
#include <array>

#include "spec/models_count.hpp"
#include "spec/models_read.hpp"

namespace gpuplan {
namespace {

constexpr std::int64_t kWidest = 10'000'000;

// One member of a part: its key, where it goes, and what it may be.
template <class Part>
struct PartField {
  std::string_view key;
  std::int64_t Part::* member;
  std::int64_t low;
  bool required;
};

template <class Part, std::size_t size>
void read_fields(const JsonReader& reader, const std::array<PartField<Part>, size>& fields, Part& part) {
  for (const PartField<Part>& field : fields) {
    if (field.required) part.*field.member = reader.at(field.key).integer(field.low, kWidest);
    else if (const auto value = reader.find(field.key))
      part.*field.member = value->integer(field.low, kWidest);
  }
}

template <class Part, std::size_t size>
void allow_fields(const JsonReader& reader, const std::array<PartField<Part>, size>& fields,
                  std::initializer_list<std::string_view> others = {}) {
  std::vector<std::string_view> keys(others);
  for (const PartField<Part>& field : fields) keys.push_back(field.key);
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
constexpr std::array<PartField<WindowAttention>, 4> kWindow{
    {{"heads", &WindowAttention::heads, 1, true},
     {"kv_heads", &WindowAttention::kv_heads, 1, true},
     {"head_dim", &WindowAttention::head_dim, 1, true},
     {"v_head_dim", &WindowAttention::v_head_dim, 1, false}}};
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

template <class Part, std::size_t size>
void read_part(const JsonReader& reader, std::string_view key,
               const std::array<PartField<Part>, size>& fields, std::optional<Part>& part,
               std::initializer_list<std::string_view> others = {}) {
  const auto found = reader.find(key);
  if (!found || !found->is_object()) return;
  allow_fields(*found, fields, others);
  part.emplace();
  read_fields(*found, fields, *part);
}

std::vector<std::int64_t> whole_numbers(const JsonReader& reader, std::int64_t low) {
  std::vector<std::int64_t> numbers;
  for (const JsonReader& item : reader.items()) numbers.push_back(item.integer(low, kWidest));
  return numbers;
}

void read_unet(const JsonReader& reader, ModelShape& shape) {
  read_part(reader, "unet", kUNet, shape.unet, {"channels", "transformers"});
  if (!shape.unet) return;
  const JsonReader unet = reader.at("unet");
  shape.unet->channels = whole_numbers(unet.at("channels"), 1);
  shape.unet->transformers = whole_numbers(unet.at("transformers"), 0);
  if (shape.unet->channels.size() != shape.unet->transformers.size())
    unet.at("transformers").complain("expected one number for each of the channels");
  if (shape.unet->channels.empty() || shape.unet->channels.size() > 16)
    unet.at("channels").complain("expected 1 to 16 blocks");
}

void read_recurrent(const JsonReader& reader, ModelShape& shape) {
  read_part(reader, "recurrent", kRecurrent, shape.recurrent, {"kind"});
  if (!shape.recurrent) return;
  const JsonReader recurrent = reader.at("recurrent");
  const std::size_t kind = recurrent.at("kind").choice(kRecurrences);
  shape.recurrent->kind = static_cast<Recurrence>(kind);
  for (const std::string_view key : kRecurrentNeeds[kind])
    if (!key.empty() && !recurrent.has(key)) (void)recurrent.at(key);
}

void read_window(const JsonReader& reader, ModelShape& shape) {
  read_part(reader, "window", kWindow, shape.window, {"sinks"});
  if (!shape.window) return;
  if (const auto sinks = reader.at("window").find("sinks")) shape.window->sinks = sinks->boolean();
}

constexpr std::array<PartField<Experts>, 6> kExperts{
    {{"experts", &Experts::experts, 1, true},
     {"moe_intermediate", &Experts::intermediate, 1, false},
     {"shared_experts", &Experts::shared, 0, false},
     {"shared_intermediate", &Experts::shared_intermediate, 0, false},
     {"dense_layers", &Experts::dense_layers, 0, false},
     {"expert_latent", &Experts::latent, 1, false}}};

struct ExpertTruth {
  std::string_view key;
  bool Experts::* member;
};
constexpr std::array kExpertTruths{ExpertTruth{"shared_gate", &Experts::shared_gate},
                                   ExpertTruth{"router_bias", &Experts::router_bias},
                                   ExpertTruth{"expert_bias", &Experts::expert_bias}};

void read_experts(const JsonReader& reader, ModelShape& shape) {
  const auto experts = reader.find("experts");
  // A dense model may say so: 0 experts.
  if (!experts || experts->node().text == "0") return;
  Experts moe;
  read_fields(reader, kExperts, moe);
  for (const ExpertTruth& field : kExpertTruths)
    if (const auto value = reader.find(field.key)) moe.*field.member = value->boolean();
  const auto active = reader.find("active_experts");
  moe.active_stated = active.has_value();
  moe.active = active ? active->integer(1, kWidest) : moe.experts;
  shape.moe = moe;
}

void read_vision(const JsonReader& reader, ModelShape& shape) {
  const auto vision = reader.find("vision");
  if (!vision || !vision->is_object()) return;
  vision->allow({"parameters"});
  shape.vision_parameters = vision->at("parameters").count(0, 1'000'000'000'000);
}

void read_layer_counts(const JsonReader& reader, ModelShape& shape) {
  if (const auto value = reader.find("attention_layers"))
    shape.attention_layers = value->integer(0, 10'000);
  if (const auto value = reader.find("mlp_layers")) shape.mlp_layers = value->integer(0, 10'000);
}

}  // namespace

void read_model_parts(const JsonReader& reader, ModelShape& shape) {
  read_layer_counts(reader, shape);
  read_experts(reader, shape);
  read_part(reader, "mla", kLatent, shape.latent);
  read_part(reader, "indexer", kIndexer, shape.indexer);
  read_part(reader, "decoder", kDecoder, shape.decoder);
  read_window(reader, shape);
  read_recurrent(reader, shape);
  read_unet(reader, shape);
  read_vision(reader, shape);
}

}  // namespace gpuplan
