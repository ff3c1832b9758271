#include <fmt/format.h>

#include <string>
#include <vector>

#include "spec/models_count.hpp"
#include "spec/models_read.hpp"

namespace gpuplan {
namespace {

constexpr std::int64_t kMostParameters = 1'000'000'000'000'000;
constexpr std::int64_t kMostStateBytes = 1'000'000'000'000;

void note(ModelShape& shape, std::string_view key, std::int64_t value, std::string_view why) {
  shape.filled_in.push_back(fmt::format("{} = {} ({})", key, value, why));
}

void fill_heads(const JsonReader& reader, ModelShape& shape) {
  if (shape.heads == 0) return;
  if (shape.kv_heads == 0) {
    shape.kv_heads = shape.heads;
    if (!shape.latent) note(shape, "kv_heads", shape.kv_heads, "as heads");
  }
  if (shape.head_dim > 0) return;
  if (shape.latent) {
    shape.head_dim = shape.latent->qk_nope_head_dim + shape.latent->qk_rope_head_dim;
    return;
  }
  shape.head_dim = shape.hidden / shape.heads;
  if (shape.head_dim * shape.heads != shape.hidden)
    reader.complain(fmt::format("hidden {} is no multiple of heads {}", shape.hidden, shape.heads),
                    "state head_dim if the two are independent");
  else
    note(shape, "head_dim", shape.head_dim, "hidden / heads");
}

void fill_experts(ModelShape& shape) {
  if (!shape.moe) return;
  if (shape.moe->intermediate == 0) {
    shape.moe->intermediate = shape.intermediate;
    note(shape, "moe_intermediate", shape.intermediate, "as intermediate");
  }
  if (!shape.moe->active_stated)
    note(shape, "active_experts", shape.moe->active, "all of them: the document does not say");
}

void fill_forms(const JsonReader& reader, ModelShape& shape) {
  if (shape.mlp_blocks() > 0 && !reader.has("mlp")) shape.filled_in.push_back("mlp = gated");
  if (!shape.tied && shape.vocab > 0 && shape.kind != ModelKind::encoder && !reader.has("tied"))
    shape.filled_in.push_back("tied = false");
}

void fill_qk_norm(const JsonReader& reader, ModelShape& shape) {
  const JsonNode* norm = reader.node().find("qk_norm");
  if (norm == nullptr || norm->is(JsonNode::Kind::number)) return;
  if (norm->truth) shape.qk_norm = 2 * shape.head_dim;
  if (norm->text == "full") shape.qk_norm = (shape.heads + shape.kv_heads) * shape.head_dim;
}

void fill_layers(const JsonReader& reader, ModelShape& shape) {
  if (shape.kind == ModelKind::state_space) {
    if (!reader.has("recurrent_layers")) shape.recurrent_layers = shape.layers;
    if (!reader.has("norms_per_layer")) shape.norms_per_layer = 1;
    if (!shape.mlp_layers) shape.mlp_layers = 0;
  }
  if (shape.sliding_window > 0 && shape.sliding_layers == 0 && !reader.has("sliding_layers")) {
    shape.sliding_layers = shape.attention_blocks();
    note(shape, "sliding_layers", shape.sliding_layers, "all: the document does not say");
  }
}

void fill_state(const JsonReader& reader, ModelShape& shape) {
  derive_state(shape);
  if (shape.recurrent_layers == 0 || shape.recurrent) return;
  shape.filled_in.push_back("recurrent layers are counted as large as attention layers");
  if (!reader.has("state_bytes"))
    shape.filled_in.push_back("state_bytes is not known and left out of the memory");
}

using Contradictions = std::vector<Contradiction>;

void check_head_counts(std::string_view key, std::string_view where, const WindowAttention& form,
                       Contradictions& found) {
  if (form.kv_heads < 1 || form.head_dim < 1)
    found.push_back({key, fmt::format("heads {}, kv_heads {}, head_dim {}{}: none of them can be 0",
                                      form.heads, form.kv_heads, form.head_dim, where)});
  else if (form.heads % form.kv_heads != 0)
    found.push_back({key, fmt::format("heads {} is no multiple of kv_heads {}{}", form.heads,
                                      form.kv_heads, where)});
}

void check_heads(const ModelShape& shape, Contradictions& found) {
  if (shape.latent) return;
  if (shape.heads > 0)
    check_head_counts("kv_heads", "",
                      {.heads = shape.heads, .kv_heads = shape.kv_heads, .head_dim = shape.head_dim},
                      found);
  if (shape.window)
    check_head_counts("window", " in the layers with a window", *shape.window, found);
}

void check_experts(const ModelShape& shape, Contradictions& found) {
  if (!shape.moe) return;
  if (shape.moe->active > shape.moe->experts)
    found.push_back({"active_experts", fmt::format("{} active experts of {}: more than there are",
                                                   shape.moe->active, shape.moe->experts)});
  if (shape.moe->dense_layers > shape.mlp_blocks())
    found.push_back({"dense_layers", fmt::format("{} of {} layers: more than there are",
                                                 shape.moe->dense_layers, shape.mlp_blocks())});
}

void check_layers(const ModelShape& shape, Contradictions& found) {
  struct Part {
    std::string_view key;
    std::int64_t value;
  };
  for (const Part& part : {Part{"recurrent_layers", shape.recurrent_layers},
                           Part{"sliding_layers", shape.sliding_layers},
                           Part{"attention_layers", shape.attention_layers.value_or(0)},
                           Part{"mlp_layers", shape.mlp_layers.value_or(0)}})
    if (part.value > shape.layers)
      found.push_back({part.key, fmt::format("{} of {} layers: more than there are", part.value,
                                             shape.layers)});
  if (shape.sliding_layers > 0 && shape.sliding_window == 0)
    found.push_back({"sliding_layers", "this needs `sliding_window`"});
  if (shape.attention_blocks() < 0 || shape.mlp_blocks() < 0)
    found.push_back({"layers", "fewer than 0 layers are left for attention or feed-forward"});
  if (shape.state_bytes > kMostStateBytes)
    found.push_back({"state_bytes", fmt::format("the state of one sequence is {} bytes: at most {}",
                                                shape.state_bytes, kMostStateBytes)});
  if (shape.recurrent && shape.recurrent_layers == 0)
    found.push_back({"recurrent", "this needs `recurrent_layers`"});
  if (shape.window && shape.sliding_layers == 0)
    found.push_back({"window", "this needs `sliding_window` and `sliding_layers`"});
}

void check_images(const ModelShape& shape, Contradictions& found) {
  if (shape.patch_size > 0 && shape.image_size % shape.patch_size != 0)
    found.push_back({"patch_size", fmt::format("image_size {} is no multiple of patch_size {}",
                                               shape.image_size, shape.patch_size)});
}

void check_experts_present(const JsonReader& reader, const ModelShape& shape) {
  if (shape.moe) return;
  for (const std::string_view key : {"active_experts", "moe_intermediate", "shared_experts"}) {
    const JsonNode* node = reader.node().find(key);
    if (node != nullptr && !node->is(JsonNode::Kind::null) && node->text != "0")
      reader.at(key).complain("this needs `experts`, which is missing or 0");
  }
}

}  // namespace

void fill_model(const JsonReader& reader, ModelShape& shape) {
  fill_layers(reader, shape);
  fill_heads(reader, shape);
  fill_qk_norm(reader, shape);
  fill_experts(shape);
  fill_state(reader, shape);
  if (!shape.unet) fill_forms(reader, shape);
}

void derive_state(ModelShape& shape) {
  if (shape.recurrent && shape.state_bytes == 0)
    shape.state_bytes = recurrent_state_bytes(shape, *shape.recurrent).value();
}

std::vector<Contradiction> contradictions_of(const ModelShape& shape) {
  Contradictions found;
  check_heads(shape, found);
  check_experts(shape, found);
  check_layers(shape, found);
  check_images(shape, found);
  if (count_parameters(shape).total() > kMostParameters)
    found.push_back({"", "the shape has more than 10^15 parameters: is one of its figures too large?"});
  return found;
}

void check_model(const JsonReader& reader, const ModelShape& shape) {
  check_experts_present(reader, shape);
  for (const Contradiction& contradiction : contradictions_of(shape)) {
    if (reader.has(contradiction.key)) reader.at(contradiction.key).complain(contradiction.message);
    else reader.complain(contradiction.message);
  }
}

}  // namespace gpuplan
