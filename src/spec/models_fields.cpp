#include <algorithm>
#include <array>
#include <charconv>
#include <variant>

#include "spec/models_read.hpp"

namespace gpuplan {
namespace {

using Member = std::variant<std::int64_t ModelShape::*, bool ModelShape::*, std::string ModelShape::*,
                            std::int64_t Experts::*, bool Experts::*>;

struct Field {
  std::string_view key;
  Member member;
  std::int64_t low = 0;
  std::int64_t high = 0;
};

// Upper limits are far above any model and low enough to catch a slip of a zero or a unit.
constexpr std::int64_t kLayers = 10'000, kHeads = 100'000, kWidth = 1'000'000, kWide = 10'000'000,
                       kVocab = 100'000'000, kTokens = 1'000'000'000, kExperts = 100'000,
                       kStateBytes = 1'000'000'000'000, kParameters = 1'000'000'000'000'000;

constexpr std::array kFields{
    Field{"attention_gate", &ModelShape::attention_gate},
    Field{"attention_sinks", &ModelShape::attention_sinks},
    Field{"class_token", &ModelShape::class_token},
    Field{"classes", &ModelShape::classes, 1, kWide},
    Field{"context_dim", &ModelShape::context_dim, 1, kWidth},
    Field{"dense_layers", &Experts::dense_layers, 0, kLayers},
    Field{"embedding_dim", &ModelShape::embedding_dim, 1, kWidth},
    Field{"embedding_norm", &ModelShape::embedding_norm},
    Field{"expert_bias", &Experts::expert_bias},
    Field{"expert_latent", &Experts::latent, 1, kWidth},
    Field{"experts", &Experts::experts, 0, kExperts},
    Field{"extra_note", &ModelShape::extra_note},
    Field{"extra_parameters", &ModelShape::extra_parameters, 0, kParameters},
    Field{"family", &ModelShape::family},
    Field{"final_norm", &ModelShape::final_norm},
    Field{"head_bias", &ModelShape::head_bias},
    Field{"head_dim", &ModelShape::head_dim, 1, kHeads},
    Field{"heads", &ModelShape::heads, 1, kHeads},
    Field{"hidden", &ModelShape::hidden, 1, kWidth},
    Field{"image_size", &ModelShape::image_size, 1, kHeads},
    Field{"intermediate", &ModelShape::intermediate, 1, kWide},
    Field{"intermediate_sum", &ModelShape::intermediate_sum, 1, kTokens},
    Field{"key_is_value", &ModelShape::key_is_value},
    Field{"kv_heads", &ModelShape::kv_heads, 1, kHeads},
    Field{"layers", &ModelShape::layers, 1, kLayers},
    Field{"max_positions", &ModelShape::max_positions, 1, kTokens},
    Field{"mlp_bias", &ModelShape::mlp_bias},
    Field{"moe_intermediate", &Experts::intermediate, 1, kWide},
    Field{"norm_bias", &ModelShape::norm_bias},
    Field{"norms_per_layer", &ModelShape::norms_per_layer, 0, 16},
    Field{"patch_bias", &ModelShape::patch_bias},
    Field{"patch_size", &ModelShape::patch_size, 1, kLayers},
    Field{"pooler", &ModelShape::pooler},
    Field{"projection", &ModelShape::projection, 1, kWidth},
    Field{"recurrent_layers", &ModelShape::recurrent_layers, 0, kLayers},
    Field{"router_bias", &Experts::router_bias},
    Field{"shared_experts", &Experts::shared, 0, kExperts},
    Field{"shared_gate", &Experts::shared_gate},
    Field{"shared_intermediate", &Experts::shared_intermediate, 0, kWide},
    Field{"sliding_layers", &ModelShape::sliding_layers, 0, kLayers},
    Field{"sliding_window", &ModelShape::sliding_window, 1, kTokens},
    Field{"source", &ModelShape::source},
    Field{"state_bytes", &ModelShape::state_bytes, 0, kStateBytes},
    Field{"tied", &ModelShape::tied},
    Field{"token_types", &ModelShape::token_types, 0, kLayers},
    Field{"v_head_dim", &ModelShape::v_head_dim, 1, kHeads},
    Field{"vocab", &ModelShape::vocab, 1, kVocab}};
static_assert(std::ranges::is_sorted(kFields, {}, &Field::key));

// A table of hundreds of models is read at every start: plain digits need no decimal arithmetic.
bool plain_digits(const JsonNode& value, const Field& field, std::int64_t& result) {
  if (!value.is(JsonNode::Kind::number)) return false;
  const char* end = value.text.data() + value.text.size();
  std::int64_t number = 0;
  const auto read = std::from_chars(value.text.data(), end, number);
  if (read.ec != std::errc{} || read.ptr != end || number < field.low || number > field.high)
    return false;
  result = number;
  return true;
}

class FieldReader {
 public:
  FieldReader(const JsonReader& model, const Field& field, const JsonNode& value, ModelDraft& draft)
      : model_(model), field_(field), value_(value), draft_(draft) {}

  void operator()(std::int64_t ModelShape::* member) const { read(draft_.shape.*member); }
  void operator()(bool ModelShape::* member) const { read(draft_.shape.*member); }
  void operator()(std::string ModelShape::* member) const { read(draft_.shape.*member); }
  void operator()(std::int64_t Experts::* member) const { read(draft_.moe.*member); }
  void operator()(bool Experts::* member) const { read(draft_.moe.*member); }

 private:
  void read(std::int64_t& target) const {
    if (!plain_digits(value_, field_, target))
      target = model_.at(field_.key).integer(field_.low, field_.high);
  }
  void read(bool& target) const {
    target = value_.is(JsonNode::Kind::boolean) ? value_.truth : model_.at(field_.key).boolean();
  }
  void read(std::string& target) const {
    target = value_.is(JsonNode::Kind::string) ? value_.text : model_.at(field_.key).text();
  }

  const JsonReader& model_;
  const Field& field_;
  const JsonNode& value_;
  ModelDraft& draft_;
};

}  // namespace

bool read_model_key(const JsonReader& model, std::string_view key, const JsonNode& value,
                    ModelDraft& draft) {
  const auto field = std::ranges::lower_bound(kFields, key, {}, &Field::key);
  if (field == kFields.end() || field->key != key) return read_model_part(model, key, draft);
  if (!value.is(JsonNode::Kind::null))
    std::visit(FieldReader(model, *field, value, draft), field->member);
  return true;
}

std::vector<std::string_view> model_keys() {
  std::vector<std::string_view> keys = model_part_keys();
  for (const Field& field : kFields) keys.push_back(field.key);
  return keys;
}

}  // namespace gpuplan
