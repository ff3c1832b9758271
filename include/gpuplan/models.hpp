#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpuplan/result.hpp"

namespace gpuplan {

enum class ModelKind {
  decoder,          // causal language model, dense or mixture of experts
  encoder,          // BERT, RoBERTa, CLIP's text tower
  encoder_decoder,  // T5
  vision,           // ViT and convolutional image models
  diffusion,        // UNets and diffusion transformers
  state_space,      // Mamba
};

// Multi-head latent attention (DeepSeek): one compressed KV vector a token and layer.
struct LatentAttention {
  std::int64_t kv_lora_rank = 0;
  std::int64_t q_lora_rank = 0;  // 0: the query is not compressed
  std::int64_t qk_rope_head_dim = 0;
  std::int64_t qk_nope_head_dim = 0;
  std::int64_t v_head_dim = 0;
};

// Layers with a mixture of experts. The first `dense_layers` layers are plain.
struct Experts {
  std::int64_t experts = 0;
  std::int64_t active = 0;
  std::int64_t intermediate = 0;
  std::int64_t shared = 0;               // shared experts of width `intermediate`
  std::int64_t shared_intermediate = 0;  // width of all shared experts together, if stated so
  std::int64_t dense_layers = 0;
  bool shared_gate = false;
  bool router_bias = false;
  bool expert_bias = false;
};

// The shape of a model: every number that memory and speed follow from. Fields that do not apply
// are 0 or absent. See data/README.md for the JSON form.
struct ModelShape {
  std::string name;
  std::vector<std::string> aliases;
  ModelKind kind = ModelKind::decoder;
  std::string family;  // "llama", "qwen3", ...: for people and for rules that a source ties to it

  std::int64_t layers = 0;
  std::int64_t hidden = 0;
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t head_dim = 0;
  std::int64_t intermediate = 0;
  std::int64_t vocab = 0;
  bool gated_mlp = true;
  bool tied = false;                 // input embedding and head are one matrix
  std::int64_t positions = 0;        // learned position table; 0 = rotary or none
  std::int64_t max_positions = 0;    // longest context the model was made for; 0 = not stated
  bool qkv_bias = false;
  bool attention_output_bias = false;
  bool mlp_bias = false;
  std::int64_t qk_norm = 0;          // elements of the query and key norms of one layer
  bool layer_norm = false;           // LayerNorm (two vectors) instead of RMSNorm (one)
  std::int64_t norms_per_layer = 2;

  std::int64_t sliding_window = 0;
  std::int64_t sliding_layers = 0;    // layers with the window; the others keep the whole context
  std::int64_t recurrent_layers = 0;  // layers with a constant state instead of a KV cache
  std::int64_t state_bytes = 0;       // of all recurrent layers, one sequence
  std::optional<LatentAttention> latent;
  std::optional<Experts> moe;

  std::int64_t vision_parameters = 0;
  std::int64_t extra_parameters = 0;  // what the regular form does not count; the note says what
  std::string extra_note;
  std::int64_t image_size = 0;  // vision, diffusion
  std::int64_t patch_size = 0;
  std::int64_t context_dim = 0;

  // Of a model of which only the size is known (layers == 0 then), or an override by the user.
  std::optional<std::int64_t> parameters_stated;
  std::string source;
  std::vector<std::string> filled_in;  // fields that the document left out and how they were filled
};

// Weights by kind of tensor, since quantisation, sharding and recomputation treat them apart.
struct ParameterCount {
  std::int64_t embedding = 0;   // token (and position, type) tables
  std::int64_t head = 0;        // output projection; 0 when tied
  std::int64_t attention = 0;   // matrices of the attention blocks, all layers
  std::int64_t mlp = 0;         // matrices of dense feed-forward blocks and shared experts
  std::int64_t experts = 0;     // matrices of routed experts
  std::int64_t active_experts = 0;  // of them, those that work on one token
  std::int64_t router = 0;
  std::int64_t norms = 0;       // norms and biases
  std::int64_t vision = 0;
  std::int64_t other = 0;       // extra_parameters; the whole of a model known by size only

  std::int64_t total() const;
  std::int64_t active() const;  // total less the routed experts that rest
  std::int64_t block_linear() const { return attention + mlp; }
};
// Exact for every shape of the built-in table; checked against published counts in the tests.
ParameterCount count_parameters(const ModelShape& shape);

// The model table: the built-in one, or one read from a file of the same format.
class ModelTable {
 public:
  explicit ModelTable(std::vector<ModelShape> models);
  const std::vector<ModelShape>& all() const { return models_; }
  // By public name ("meta-llama/Llama-2-7b-hf"), its last part, an alias or a size ("7b"); case,
  // blanks, hyphens and underscores do not count.
  const ModelShape* find(std::string_view name) const;
  std::vector<std::string> similar(std::string_view name) const;

 private:
  struct Key {
    std::string key;
    std::size_t model;
  };
  std::vector<ModelShape> models_;
  std::vector<Key> index_;  // sorted by key
};

Result<ModelTable> read_models(std::string_view text, const std::string& source);
// One `gpuplan.model/1` document.
Result<ModelShape> read_model(std::string_view text, const std::string& source);
// A model of which only the number of parameters is known: estimated with a warning.
ModelShape shape_of_size(std::string name, std::int64_t parameters);

}  // namespace gpuplan
