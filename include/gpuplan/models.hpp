#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpuplan/result.hpp"
#include "gpuplan/units.hpp"
#include "gpuplan/workload.hpp"

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

// Layers with a mixture of experts; `dense_layers` layers (the first ones, or every other) are plain.
struct Experts {
  std::int64_t experts = 0;
  std::int64_t active = 0;               // routed experts that work on one token
  bool active_stated = true;             // false: the document did not say; all are taken then
  std::int64_t intermediate = 0;
  std::int64_t shared = 0;               // shared experts of width `intermediate`
  std::int64_t shared_intermediate = 0;  // width of all shared experts together, if stated so
  std::int64_t dense_layers = 0;
  std::int64_t latent = 0;               // width in which routed experts work; 0 = hidden
  bool shared_gate = false;              // a learned gate before the shared experts
  bool router_bias = false;              // one number an expert: a bias or a load correction
  bool expert_bias = false;
};

// Attention of the layers with a sliding window, where it differs from that of the others.
struct WindowAttention {
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t head_dim = 0;
  std::int64_t v_head_dim = 0;
  std::int64_t qk_norm = 0;
  bool sinks = false;  // one learned number a head
};

// Picks the tokens that sparse attention looks at (DeepSeek-V3.2, GLM-5): adds its own small keys.
struct Indexer {
  std::int64_t heads = 0;
  std::int64_t head_dim = 0;
};

enum class Recurrence { mamba, mamba2, gated_delta, lightning, short_convolution };

// Layers with a constant state instead of a KV cache.
struct Recurrent {
  Recurrence kind = Recurrence::mamba;
  std::int64_t inner = 0;           // width of the mixing
  std::int64_t state = 0;           // mamba: state size of a channel
  std::int64_t convolution = 0;     // kernel of the short convolution
  std::int64_t dt_rank = 0;         // mamba
  std::int64_t heads = 0;           // mamba2; value heads of gated_delta
  std::int64_t groups = 0;          // mamba2
  std::int64_t key_heads = 0;       // gated_delta
  std::int64_t key_head_dim = 0;    // gated_delta
  std::int64_t value_head_dim = 0;  // gated_delta
};

// The encoder's partner in an encoder-decoder; `layers` counts the encoder then.
struct Decoder {
  std::int64_t layers = 0;
  std::int64_t positions = 0;         // learned position table of the decoder
  std::int64_t relative_buckets = 0;  // T5: one table each for encoder and decoder
};

// Blocks of a diffusion UNet from the outside in; the way up mirrors the way down.
struct UNet {
  std::int64_t in_channels = 4;
  std::int64_t out_channels = 4;
  std::int64_t layers_per_block = 2;
  std::vector<std::int64_t> channels;
  std::vector<std::int64_t> transformers;  // transformer layers behind each residual layer
  std::int64_t middle_transformers = 1;
  std::int64_t added_embedding = 0;  // SDXL: width of the size and pooled-text condition
};

// What a tensor of a model file is for.
enum class TensorKind {
  embedding, head, attention, mlp, experts, router, norms, vision, scales, other
};
std::string_view name_of(TensorKind kind);

struct StoredKind {
  TensorKind kind = TensorKind::other;
  std::int64_t tensors = 0;
  std::int64_t elements = 0;
  Bytes bytes;
  Bytes idle;  // of them, what an engine does not keep: a tied head's second copy, buffers
};
struct StoredType {
  std::string type;  // "BF16", "Q4_K"
  std::int64_t tensors = 0;
  std::int64_t elements = 0;
  Bytes bytes;
};
// One reason why a file holds another count of numbers than the shape has parameters.
struct StoredDifference {
  std::string code;  // tied_head_stored, buffers, packed_values, scales, prediction_layers, ...
  std::string message;
  std::int64_t parameters = 0;  // more in the file; below 0: fewer
  Bytes bytes;                  // of the tensors that it speaks of
};

// What the files of a model hold, to the byte, from their headers.
struct StoredWeights {
  std::string format;  // "safetensors" or "gguf"
  std::int64_t files = 0;
  std::int64_t tensors = 0;   // 0: only the total is known (an index without its files)
  std::int64_t elements = 0;  // numbers as the headers list them
  std::int64_t parameters = 0;  // weights of the model proper: unpacked, each once, without scales
  Bytes bytes;
  Bytes idle;
  std::vector<StoredKind> by_kind;  // in the order of the enumeration; only what is there
  std::vector<StoredType> by_type;  // by name
  // They add up: elements = count of the shape + all `parameters` here.
  std::vector<StoredDifference> differences;
  Precision precision = Precision::bf16;  // the nearest name for what is stored
  std::string precision_from;             // how that is known

  // What an engine keeps of it.
  Bytes loaded() const { return bytes - idle; }
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
  std::int64_t v_head_dim = 0;  // where values are narrower than keys; 0 = head_dim
  std::int64_t intermediate = 0;
  std::int64_t intermediate_sum = 0;  // of all layers, where they differ; 0 = all are alike
  std::int64_t vocab = 0;
  std::int64_t embedding_dim = 0;     // narrower token table with projections; 0 = hidden
  bool gated_mlp = true;
  bool tied = false;                 // input embedding and head are one matrix
  std::int64_t positions = 0;        // learned position table; 0 = rotary or none
  std::int64_t token_types = 0;      // BERT's segment table
  std::int64_t max_positions = 0;    // longest context the model was made for; 0 = not stated
  bool qkv_bias = false;
  bool key_bias = true;              // with qkv_bias; false: only query and value have one (Whisper)
  bool attention_output_bias = false;
  bool attention_gate = false;       // the query projection is twice as wide: half of it is a gate
  bool attention_sinks = false;      // one learned number a head
  bool key_is_value = false;         // no value projection (Gemma 4, layers without window)
  bool mlp_bias = false;
  bool head_bias = false;
  std::int64_t qk_norm = 0;          // elements of the query and key norms of one layer
  bool layer_norm = false;           // LayerNorm (two vectors) instead of RMSNorm (one)
  bool norm_bias = true;             // false: LayerNorm without its second vector
  std::int64_t norms_per_layer = 2;
  bool final_norm = true;
  bool embedding_norm = false;

  std::int64_t sliding_window = 0;
  std::int64_t sliding_layers = 0;    // layers with the window; the others keep the whole context
  std::optional<WindowAttention> window;
  std::int64_t recurrent_layers = 0;  // layers with a constant state instead of a KV cache
  std::int64_t state_bytes = 0;       // of all recurrent layers, one sequence, 32-bit
  std::optional<Recurrent> recurrent;
  // Where a layer has only one of attention, feed-forward and state (Nemotron-H): how many there are.
  std::optional<std::int64_t> attention_layers;
  std::optional<std::int64_t> mlp_layers;
  std::optional<LatentAttention> latent;
  std::optional<Indexer> indexer;
  std::optional<Experts> moe;
  std::optional<Decoder> decoder;
  std::optional<UNet> unet;

  std::int64_t vision_parameters = 0;
  std::int64_t extra_parameters = 0;  // what the regular form does not count; the note says what
  std::string extra_note;
  std::int64_t image_size = 0;  // vision, diffusion
  std::int64_t patch_size = 0;
  bool patch_bias = true;
  bool class_token = true;       // of a vision transformer
  std::int64_t context_dim = 0;  // width of the text condition of a UNet
  std::int64_t classes = 0;      // classifier of a vision model
  std::int64_t projection = 0;   // width of CLIP's output projection
  bool pooler = false;           // BERT's dense layer over the first token

  // Of a model of which only the size is known (layers == 0 then), or an override by the user.
  std::optional<std::int64_t> parameters_stated;
  std::optional<StoredWeights> stored;  // when it came from files that hold weights
  std::string source;
  std::vector<std::string> filled_in;  // fields that the document left out and how they were filled

  bool size_only() const { return layers == 0 && !unet; }
  // Layers that hold a KV cache: all but the recurrent ones, unless the shape says otherwise.
  std::int64_t attention_blocks() const {
    return attention_layers.value_or(layers - recurrent_layers);
  }
  // Layers with a feed-forward block, dense or of experts.
  std::int64_t mlp_blocks() const { return mlp_layers.value_or(layers); }
};

// Weights by kind of tensor, since quantisation, sharding and recomputation treat them apart.
struct ParameterCount {
  std::int64_t embedding = 0;   // token (and position, type) tables
  std::int64_t head = 0;        // output projection; 0 when tied; pooler, classifier
  std::int64_t attention = 0;   // matrices of attention and recurrent blocks, all layers
  std::int64_t mlp = 0;         // matrices of dense feed-forward blocks and shared experts
  std::int64_t experts = 0;     // routed experts (with their biases)
  std::int64_t active_experts = 0;  // of them, those that work on one token
  std::int64_t router = 0;
  std::int64_t norms = 0;       // norms, biases and other vectors
  std::int64_t convolution = 0;  // of UNets and patch embeddings
  std::int64_t vision = 0;
  std::int64_t other = 0;       // extra_parameters; the whole of a model known by size only

  std::int64_t total() const;
  std::int64_t active() const;  // total less the routed experts that rest
  std::int64_t block_linear() const { return attention + mlp; }
};
// Exact for every shape of the built-in table; checked against published counts in the tests. A
// stated count wins: the matrices of the blocks are scaled to it. Sums stop at the largest int64.
ParameterCount count_parameters(const ModelShape& shape);

// The model table: the built-in one, or one read from a file of the same format.
class ModelTable {
 public:
  explicit ModelTable(std::vector<ModelShape> models);
  const std::vector<ModelShape>& all() const { return models_; }
  // By public name ("meta-llama/Llama-2-7b-hf"), its last part, an alias or a size ("7b"), with or
  // without a variant behind it ("-Instruct", "-AWQ"). Case does not count, nor do blanks, hyphens,
  // underscores and dots, except that they keep two figures apart: "1.5b" is not "15b".
  const ModelShape* find(std::string_view name) const;
  // Names that look like it, nearest first, at most `most`.
  std::vector<std::string> similar(std::string_view name, std::size_t most = 3) const;

 private:
  struct Key {
    std::string key;
    std::size_t model;
  };
  const ModelShape* exact(std::string_view key) const;
  std::vector<ModelShape> models_;
  std::vector<Key> index_;  // sorted by key
};

// `gpuplan.models/1`. Errors: broken JSON, unknown keys, impossible figures, a name used twice; all
// in one go.
Result<ModelTable> read_models(std::string_view text, const std::string& source);
// One `gpuplan.model/1` document.
Result<ModelShape> read_model(std::string_view text, const std::string& source);
// A model of which only the number of parameters is known: estimated with a warning.
ModelShape shape_of_size(std::string name, std::int64_t parameters);
std::string_view kind_name(ModelKind kind);

}  // namespace gpuplan
