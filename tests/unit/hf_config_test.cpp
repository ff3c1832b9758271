#include "gpuplan/model_files.hpp"

#include "catch.hpp"

using namespace gpuplan;

namespace {

ModelShape shape_of(const std::string& config) {
  const auto shape = read_hf_config(config, "models/mine/config.json");
  if (!shape) FAIL(to_text(shape.errors().front()));
  return *shape;
}

std::int64_t total(const std::string& config) { return count_parameters(shape_of(config)).total(); }

std::string errors(const std::string& config) {
  const auto shape = read_hf_config(config, "c.json");
  std::string text;
  if (!shape)
    for (const Diagnostic& error : shape.errors()) text += to_text(error) + "\n";
  return text;
}

// Width 8, two heads of 4, MLP 16, 10 tokens: 80 + 80 + 256 + 384 + 24 = 824 parameters.
const std::string kTiny =
    R"("hidden_size": 8, "num_attention_heads": 2, "num_hidden_layers": 1,
       "intermediate_size": 16, "vocab_size": 10)";

std::string tiny(const std::string& keys) { return "{" + kTiny + ", " + keys + "}"; }

}  // namespace

TEST_CASE("a decoder like Llama is read with its defaults", "[hf]") {
  const ModelShape shape = shape_of(tiny(R"("model_type": "llama", "rope_theta": 1e6)"));
  CHECK(shape.name == "mine");
  CHECK(shape.kv_heads == 2);
  CHECK(shape.head_dim == 4);
  CHECK(count_parameters(shape).total() == 824);
  CHECK(shape.filled_in.empty());
}

TEST_CASE("each family adds what its configuration does not spell out", "[hf]") {
  struct Row {
    std::string keys;
    std::int64_t more;  // than the 824 of the plain decoder
  };
  const auto row = GENERATE(values<Row>({
      {R"("model_type": "llama", "tie_word_embeddings": true)", -80},
      {R"("model_type": "llama", "num_key_value_heads": 1)", -2 * 8 * 4},
      {R"("model_type": "llama", "head_dim": 8)", 4 * 8 * 8},
      {R"("model_type": "llama", "attention_bias": true)", 4 * 8},
      {R"("model_type": "qwen2")", 3 * 8},                  // biases of q, k, v
      {R"("model_type": "qwen3")", 2 * 4},                  // a norm over a head for q and k
      {R"("model_type": "olmo2")", 2 * 8},                  // over all heads
      {R"("model_type": "glm4", "attention_bias": true)", 3 * 8 + 2 * 8},
      {R"("model_type": "gemma2", "head_dim": 4)", -80 + 2 * 8},
      {R"("model_type": "stablelm")", 3 * 8},               // LayerNorms have two vectors
      // one MLP matrix less; biases 4 x 8 + 16 + 8; LayerNorms; tied; 6 learned positions
      {R"("model_type": "gpt2", "max_position_embeddings": 6)", -128 + 56 + 24 - 80 + 48},
      // parallel blocks share one of two LayerNorms; biases everywhere, also of the head
      {R"("model_type": "phi")", -128 + 56 + 8 + 10},
  }));
  CAPTURE(row.keys);
  CHECK(total(tiny(row.keys)) == 824 + row.more);
}

TEST_CASE("the older names of the same figures are understood", "[hf]") {
  CHECK(total(R"({"model_type": "gpt2", "n_embd": 8, "n_head": 2, "n_layer": 1, "n_inner": null,
                  "n_positions": 6, "vocab_size": 10})") ==
        80 + 6 * 8 + 256 + 2 * 8 * 32 + (4 * 8 + 32 + 8) + 6 * 8);
  CHECK(total(R"({"dim": 8, "n_heads": 2, "n_layers": 1, "inter_dim": 16, "vocab_size": 10,
                  "n_routed_experts": 0, "kv_lora_rank": null})") == 824);
}

TEST_CASE("experts, the shared one, plain layers and the load correction are read", "[hf]") {
  const ModelShape shape = shape_of(
      R"({"model_type": "deepseek_v3", "hidden_size": 8, "num_attention_heads": 2,
          "num_hidden_layers": 3, "intermediate_size": 16, "vocab_size": 10, "n_routed_experts": 4,
          "num_experts_per_tok": 2, "moe_intermediate_size": 6, "n_shared_experts": 1,
          "first_k_dense_replace": 1, "topk_method": "noaux_tc", "kv_lora_rank": 4,
          "q_lora_rank": null, "qk_rope_head_dim": 2, "qk_nope_head_dim": 4, "v_head_dim": 4})");
  const ParameterCount count = count_parameters(shape);
  CHECK(count.experts == 2 * 4 * 3 * 8 * 6);
  CHECK(count.active_experts == 2 * 2 * 3 * 8 * 6);
  CHECK(count.mlp == 3 * 8 * 16 + 2 * 3 * 8 * 6);
  CHECK(count.router == 2 * (8 * 4 + 4));
  // q 8 x 2 x 6, down 8 x 6, up 4 x 2 x 8, out 8 x 8
  CHECK(count.attention == 3 * (96 + 48 + 64 + 64));
}

TEST_CASE("windows count only where the model uses them", "[hf]") {
  const auto sliding = [](const std::string& keys) { return shape_of(tiny(keys)).sliding_layers; };
  CHECK(sliding(R"("model_type": "starcoder2", "sliding_window": 4096)") == 1);
  CHECK(sliding(R"("model_type": "starcoder2", "sliding_window": null)") == 0);
  CHECK(sliding(R"("model_type": "qwen2", "sliding_window": 4096, "use_sliding_window": false)") == 0);
  CHECK(sliding(R"("model_type": "qwen2", "sliding_window": 4096, "max_window_layers": 1)") == 0);
  CHECK(sliding(R"("model_type": "phi3", "sliding_window": 8192, "max_position_embeddings": 4096)") ==
        0);
  CHECK(sliding(R"("model_type": "gpt_oss", "sliding_window": 128, "layer_types":
                   ["full_attention"])") == 0);
}

TEST_CASE("linear layers keep a state, the others a cache", "[hf]") {
  const ModelShape shape = shape_of(
      R"({"model_type": "qwen3_next", "hidden_size": 8, "num_attention_heads": 2, "head_dim": 4,
          "num_hidden_layers": 4, "intermediate_size": 16, "vocab_size": 10,
          "full_attention_interval": 4, "linear_num_value_heads": 4, "linear_num_key_heads": 2,
          "linear_key_head_dim": 4, "linear_value_head_dim": 4, "linear_conv_kernel_dim": 4})");
  CHECK(shape.recurrent_layers == 3);
  CHECK(shape.attention_blocks() == 1);
  // three layers of 4 x 4 x 4 numbers and three columns of 2 x 8 + 16
  CHECK(shape.state_bytes == 3 * (64 + 3 * 32) * 4);
}

TEST_CASE("a pattern of single-purpose layers is counted by its letters", "[hf]") {
  const ModelShape shape =
      shape_of(R"({"model_type": "nemotron_h", "hidden_size": 8, "num_attention_heads": 2,
                   "num_hidden_layers": 5, "intermediate_size": 16, "vocab_size": 10,
                   "hybrid_override_pattern": "M-M*-", "mamba_num_heads": 4, "mamba_head_dim": 4,
                   "n_groups": 1, "ssm_state_size": 2, "conv_kernel": 4,
                   "time_step_limit": [0.0, Infinity]})");
  CHECK(shape.recurrent_layers == 2);
  CHECK(shape.attention_blocks() == 1);
  CHECK(shape.mlp_blocks() == 2);
  CHECK(count_parameters(shape).mlp == 2 * 2 * 8 * 16);
}

TEST_CASE("the language part of a model for pictures is found, its eyes are counted apart", "[hf]") {
  const ModelShape shape = shape_of(
      R"({"model_type": "gemma3", "text_config": {"model_type": "gemma3_text", "hidden_size": 16,
          "intermediate_size": 16, "num_hidden_layers": 6, "sliding_window": 4},
          "vision_config": {"model_type": "siglip_vision_model", "hidden_size": 8, "patch_size": 2,
          "image_size": 4, "num_hidden_layers": 1, "intermediate_size": 16}})");
  // patches 3 x 4 x 8 + 8, positions 4 x 8, one layer 4 x 72 + 144 + 136 + 32, norm 16, out 8 x 16 + 8
  CHECK(shape.vision_parameters == 104 + 32 + 600 + 16 + 136);
  CHECK(shape.vocab == 262208);
  CHECK(shape.sliding_layers == 5);
  CHECK(shape.filled_in.front() == "vocab_size = 262208 (left out: the default of gemma3_text)");
}

TEST_CASE("encoders, translators and image models have forms of their own", "[hf]") {
  CHECK(shape_of(tiny(R"("model_type": "bert", "type_vocab_size": 2, "max_position_embeddings": 4)"))
            .kind == ModelKind::encoder);
  const ModelShape t5 = shape_of(
      R"({"model_type": "t5", "d_model": 8, "d_kv": 4, "d_ff": 16, "num_heads": 2, "num_layers": 1,
          "vocab_size": 10, "relative_attention_num_buckets": 3})");
  // tokens; three attentions; two MLPs; 2 + 3 + 2 norms; two tables of 3 x 2
  CHECK(count_parameters(t5).total() == 80 + 3 * 256 + 2 * 256 + 7 * 8 + 12);
  const ModelShape vit = shape_of(
      R"({"model_type": "vit", "hidden_size": 8, "num_attention_heads": 2, "num_hidden_layers": 1,
          "intermediate_size": 16, "image_size": 4, "patch_size": 2})");
  // patches 96 + 8, token and 5 positions 48, layer 256 + 256 + 32 + 24 + 32, final norm 16
  CHECK(count_parameters(vit).total() == 104 + 48 + 600 + 16);
}

TEST_CASE("a UNet of diffusers is the one of the table", "[hf]") {
  const std::int64_t count =
      total(R"({"_class_name": "UNet2DConditionModel", "block_out_channels": [320, 640, 1280, 1280],
                "down_block_types": ["CrossAttnDownBlock2D", "CrossAttnDownBlock2D",
                                     "CrossAttnDownBlock2D", "DownBlock2D"],
                "layers_per_block": 2, "cross_attention_dim": 768, "sample_size": 64,
                "in_channels": 4, "out_channels": 4})");
  CHECK(count == 859'520'964);
}

TEST_CASE("a form that is not known is read as a plain decoder and says so", "[hf]") {
  const ModelShape shape = shape_of(tiny(R"("model_type": "brandnew")"));
  CHECK(shape.filled_in == std::vector<std::string>{
                               "model_type \"brandnew\" is not known: read as a gated decoder like Llama"});
}

TEST_CASE("a configuration that is no model is refused with what to take", "[hf]") {
  CHECK(errors(R"({"_class_name": "AutoencoderKL"})") ==
        "c.json: expected a UNet, got \"AutoencoderKL\"; take the unet/config.json of the model, or "
        "give its size with --params\n");
  CHECK(errors(R"({"peft_type": "LORA"})") ==
        "c.json: this is an adapter; take the config.json of its base model\n");
  CHECK(errors("[1]") == "c.json: expected an object, got a list\n");
}

TEST_CASE("missing and impossible figures of a configuration are all told", "[hf]") {
  CHECK(errors(R"({"model_type": "qwen3", "hidden_size": 8, "num_attention_heads": "two"})") ==
        "c.json: the key \"num_hidden_layers\" is missing\n"
        "c.json: the key \"intermediate_size\" is missing\n"
        "c.json: the key \"vocab_size\" is missing\n"
        "c.json#/num_attention_heads: expected a whole number from 1 to 100000, got \"two\"; "
        "write a whole number such as 8\n");
  CHECK(errors(tiny(R"("num_key_value_heads": 3)")) ==
        "c.json: heads 2 is no multiple of kv_heads 3\n");
}
