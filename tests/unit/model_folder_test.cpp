#include <algorithm>

#include "catch.hpp"
#include "gpuplan/memory.hpp"
#include "model_writer.hpp"

using namespace gpuplan;
using namespace gpuplan::testing;
using Catch::Contains;

namespace {

std::string found(Disk& disk, const std::string& path) {
  const auto shape = disk.read(path);
  return shape ? "accepted" : messages(shape.errors());
}

ModelShape read(Disk& disk, const std::string& path) {
  auto shape = disk.read(path);
  if (!shape) FAIL(messages(shape.errors()));
  return *shape;
}

std::int64_t bytes_of(const StoredWeights& stored, TensorKind kind) {
  const auto row = std::ranges::find(stored.by_kind, kind, &StoredKind::kind);
  return row == stored.by_kind.end() ? 0 : row->bytes.count();
}

const StoredDifference* difference(const StoredWeights& stored, std::string_view code) {
  const auto row = std::ranges::find(stored.differences, code, &StoredDifference::code);
  return row == stored.differences.end() ? nullptr : &*row;
}

// Whatever the reasons are, they add up.
void check_adds_up(const ModelShape& shape) {
  std::int64_t explained = count_parameters(shape).total();
  for (const StoredDifference& d : shape.stored->differences) explained += d.parameters;
  CHECK(explained == shape.stored->elements);
  Bytes kinds, types;
  for (const StoredKind& kind : shape.stored->by_kind) kinds += kind.bytes;
  for (const StoredType& type : shape.stored->by_type) types += type.bytes;
  CHECK(kinds == shape.stored->bytes);
  CHECK(types == shape.stored->bytes);
}

Bytes weights(const ModelShape& shape, std::optional<Precision> precision = {},
              Mode mode = Mode::inference) {
  Workload workload;
  workload.mode = mode;
  workload.precision = precision;
  const auto resolved = resolve(workload, shape);
  REQUIRE(resolved);
  return estimate_memory(shape, *resolved).per_gpu.weights;
}

}  // namespace

TEST_CASE("a folder with a configuration and its weights is one model", "[files]") {
  Disk disk;
  disk.files["m/config.json"] = kSmallConfig;
  small_safetensors().put(disk, "m/model.safetensors");
  for (const std::string path : {"m", "m/", "m/config.json", "m/model.safetensors"}) {
    CAPTURE(path);
    const ModelShape shape = read(disk, path);
    CHECK(shape.kv_heads == 2);
    REQUIRE(shape.stored);
    CHECK(shape.stored->bytes == Bytes::of(2 * kSmallCount));
    CHECK(shape.stored->parameters == kSmallCount);
    CHECK(shape.stored->precision == Precision::bf16);
    CHECK(shape.stored->differences.empty());
    CHECK(bytes_of(*shape.stored, TensorKind::embedding) == 2 * 6'400);
    CHECK(bytes_of(*shape.stored, TensorKind::head) == 2 * 6'400);
    CHECK(bytes_of(*shape.stored, TensorKind::attention) == 2 * 2 * (2 * 4'096 + 2 * 2'048));
    CHECK(bytes_of(*shape.stored, TensorKind::mlp) == 2 * 2 * 3 * 8'192);
    CHECK(bytes_of(*shape.stored, TensorKind::norms) == 2 * 5 * 64);
    CHECK(weights(shape) == Bytes::of(2 * kSmallCount));
    CHECK(disk.warnings.empty());
    check_adds_up(shape);
  }
}

TEST_CASE("weights are served as they are stored, and in another precision when it is stated",
          "[files][memory]") {
  Disk disk;
  disk.files["m/config.json"] = kSmallConfig;
  small_safetensors("F32").put(disk, "m/model.safetensors");
  const ModelShape shape = read(disk, "m");
  CHECK(weights(shape) == Bytes::of(4 * kSmallCount));
  CHECK(weights(shape, Precision::fp32) == Bytes::of(4 * kSmallCount));
  CHECK(weights(shape, Precision::bf16) == Bytes::of(2 * kSmallCount));
  // Training turns them into 16-bit numbers first.
  CHECK(weights(shape, {}, Mode::lora) == Bytes::of(2 * kSmallCount));
}

TEST_CASE("a tied head that is stored twice is kept once", "[files]") {
  Disk disk;
  std::string config = kSmallConfig;
  config.insert(1, R"("tie_word_embeddings": true, )");
  disk.files["m/config.json"] = config;
  small_safetensors().put(disk, "m/model.safetensors");
  const ModelShape shape = read(disk, "m");
  CHECK(count_parameters(shape).total() == kSmallCount - 6'400);
  REQUIRE(difference(*shape.stored, "tied_head_stored") != nullptr);
  CHECK(difference(*shape.stored, "tied_head_stored")->parameters == 6'400);
  CHECK(shape.stored->bytes == Bytes::of(2 * kSmallCount));
  CHECK(shape.stored->loaded() == Bytes::of(2 * (kSmallCount - 6'400)));
  CHECK(weights(shape) == Bytes::of(2 * (kSmallCount - 6'400)));
  check_adds_up(shape);
}

TEST_CASE("buffers in a file are no parameters", "[files]") {
  Disk disk;
  disk.files["m/config.json"] = kSmallConfig;
  SafetensorsWriter writer = small_safetensors();
  writer.add("model.layers.0.self_attn.rotary_emb.inv_freq", "F32", {8})
      .add("model.layers.1.self_attn.rotary_emb.inv_freq", "F32", {8})
      .add("h.0.attn.bias", "U8", {1, 1, 16, 16})
      .add("embeddings.position_ids", "I64", {1, 16});
  writer.put(disk, "m/model.safetensors");
  const ModelShape shape = read(disk, "m");
  REQUIRE(difference(*shape.stored, "buffers") != nullptr);
  CHECK(difference(*shape.stored, "buffers")->parameters == 8 + 8 + 256 + 16);
  CHECK(shape.stored->parameters == kSmallCount);
  CHECK(weights(shape) == Bytes::of(2 * kSmallCount));
  check_adds_up(shape);
}

TEST_CASE("layers that predict further tokens are told apart", "[files]") {
  Disk disk;
  disk.files["m/config.json"] = kSmallConfig;
  SafetensorsWriter writer = small_safetensors();
  writer.add("model.layers.2.mlp.up_proj.weight", "BF16", {128, 64})
      .add("model.mtp.head.weight", "BF16", {10, 64});
  writer.put(disk, "m/model.safetensors");
  const ModelShape shape = read(disk, "m");
  REQUIRE(difference(*shape.stored, "prediction_layers") != nullptr);
  CHECK(difference(*shape.stored, "prediction_layers")->parameters == 8'192 + 640);
  CHECK(weights(shape) == Bytes::of(2 * kSmallCount));
  check_adds_up(shape);
}

namespace {

// The small model with its matrices packed by `pack` and the rest in 16 bits.
template <class Pack>
SafetensorsWriter packed_safetensors(Pack pack) {
  SafetensorsWriter writer;
  writer.add("model.embed_tokens.weight", "F16", {100, 64});
  struct Matrix {
    std::string name;
    std::int64_t rows, columns;
  };
  for (const std::string layer : {"model.layers.0.", "model.layers.1."}) {
    for (const Matrix& m : {Matrix{"self_attn.q_proj", 64, 64},
                            {"self_attn.k_proj", 32, 64},
                            {"self_attn.v_proj", 32, 64},
                            {"self_attn.o_proj", 64, 64},
                            {"mlp.gate_proj", 128, 64},
                            {"mlp.up_proj", 128, 64},
                            {"mlp.down_proj", 64, 128}})
      pack(writer, layer + m.name, m.rows, m.columns);
    writer.add(layer + "input_layernorm.weight", "F16", {64})
        .add(layer + "post_attention_layernorm.weight", "F16", {64});
  }
  writer.add("model.norm.weight", "F16", {64}).add("lm_head.weight", "F16", {100, 64});
  return writer;
}

constexpr std::int64_t kSmallMatrices = 2 * (2 * 4'096 + 2 * 2'048 + 3 * 8'192);

}  // namespace

TEST_CASE("packed values are unpacked for the count, and kept packed for the memory", "[files]") {
  struct Row {
    std::string name;
    void (*pack)(SafetensorsWriter& writer, const std::string& name, std::int64_t rows,
                 std::int64_t columns);
    Precision precision;
    std::int64_t matrix_bytes;  // of all matrices, scales included
  };
  const auto row = GENERATE(values<Row>({
      {"GPTQ and AWQ: eight weights of 4 bits in 32, a scale for 64",
       [](SafetensorsWriter& w, const std::string& n, std::int64_t r, std::int64_t c) {
         w.add(n + ".qweight", "I32", {c / 8, r}).add(n + ".scales", "F16", {c / 64, r});
         w.add(n + ".qzeros", "I32", {c / 64, r / 8});
       },
       Precision::int4, kSmallMatrices / 2 + kSmallMatrices / 64 * 2 + kSmallMatrices / 64 / 2},
      {"bitsandbytes: two in a byte, a 32-bit scale for 64",
       [](SafetensorsWriter& w, const std::string& n, std::int64_t r, std::int64_t c) {
         w.add(n + ".weight", "U8", {r * c / 2, 1}).add(n + ".weight.absmax", "F32", {r * c / 64});
       },
       Precision::nf4, kSmallMatrices / 2 + kSmallMatrices / 64 * 4},
      {"NVFP4: two in a byte, an 8-bit scale for 16",
       [](SafetensorsWriter& w, const std::string& n, std::int64_t r, std::int64_t c) {
         w.add(n + ".weight", "U8", {r, c / 2}).add(n + ".weight_scale", "F8_E4M3", {r, c / 16});
         w.add(n + ".weight_scale_2", "F32", {});
       },
       Precision::fp4, kSmallMatrices / 2 + kSmallMatrices / 16 + 14 * 4},
      {"FP8: one in a byte, a scale for the matrix",
       [](SafetensorsWriter& w, const std::string& n, std::int64_t r, std::int64_t c) {
         w.add(n + ".weight", "F8_E4M3", {r, c}).add(n + ".weight_scale", "F32", {1});
       },
       Precision::fp8, kSmallMatrices + 14 * 4},
  }));
  CAPTURE(row.name);
  Disk disk;
  disk.files["m/config.json"] = kSmallConfig;
  packed_safetensors(row.pack).put(disk, "m/model.safetensors");
  const ModelShape shape = read(disk, "m");
  CHECK(shape.stored->parameters == kSmallCount);
  CHECK(shape.stored->precision == row.precision);
  CHECK(difference(*shape.stored, "unexplained") == nullptr);
  const std::int64_t rest = 2 * (kSmallCount - kSmallMatrices);
  CHECK(shape.stored->bytes == Bytes::of(row.matrix_bytes + rest));
  CHECK(weights(shape) == shape.stored->bytes);
  check_adds_up(shape);
}

TEST_CASE("what no rule explains is said to be unexplained, with where it lies", "[files]") {
  Disk disk;
  disk.files["m/config.json"] = kSmallConfig;
  SafetensorsWriter writer = small_safetensors();
  writer.add("model.layers.0.mlp.extra_proj.weight", "BF16", {5, 64});
  writer.put(disk, "m/model.safetensors");
  const ModelShape shape = read(disk, "m");
  REQUIRE(difference(*shape.stored, "unexplained") != nullptr);
  CHECK(difference(*shape.stored, "unexplained")->parameters == 320);
  CHECK_THAT(difference(*shape.stored, "unexplained")->message,
             Contains("320 parameters more") && Contains("mlp +320"));
  // Its bytes count all the same.
  CHECK(weights(shape) == Bytes::of(2 * (kSmallCount + 320)));
  check_adds_up(shape);
}

TEST_CASE("weights without a configuration lead to a shape by their names", "[files]") {
  Disk disk;
  small_safetensors().put(disk, "small.safetensors");
  const ModelShape shape = read(disk, "small.safetensors");
  CHECK(shape.layers == 2);
  CHECK(shape.hidden == 64);
  CHECK(shape.vocab == 100);
  CHECK(shape.intermediate == 128);
  CHECK(shape.kv_heads * shape.head_dim == 32);
  CHECK(count_parameters(shape).total() == kSmallCount);
  CHECK(shape.stored->differences.empty());
  CHECK_THAT(shape.filled_in.front(), Contains("kv_heads x head_dim = 32"));
  CHECK(weights(shape) == Bytes::of(2 * kSmallCount));
}

TEST_CASE("experts and biases are seen in the tensors alone", "[files]") {
  SafetensorsWriter writer;
  writer.add("model.embed_tokens.weight", "BF16", {100, 64});
  const std::string layer = "model.layers.0.";
  for (const std::string name : {"q_proj", "k_proj", "v_proj", "o_proj"})
    writer.add(layer + "self_attn." + name + ".weight", "BF16", {64, 64});
  for (const std::string name : {"q_proj", "k_proj", "v_proj"})
    writer.add(layer + "self_attn." + name + ".bias", "BF16", {64});
  for (const std::string expert : {"0", "1", "2"})
    writer.add(layer + "mlp.experts." + expert + ".gate_proj.weight", "BF16", {16, 64})
        .add(layer + "mlp.experts." + expert + ".up_proj.weight", "BF16", {16, 64})
        .add(layer + "mlp.experts." + expert + ".down_proj.weight", "BF16", {64, 16});
  writer.add(layer + "mlp.gate.weight", "BF16", {3, 64})
      .add(layer + "input_layernorm.weight", "BF16", {64})
      .add(layer + "post_attention_layernorm.weight", "BF16", {64})
      .add("model.norm.weight", "BF16", {64});
  Disk disk;
  writer.put(disk, "moe.safetensors");
  const ModelShape shape = read(disk, "moe.safetensors");
  REQUIRE(shape.moe);
  CHECK(shape.moe->experts == 3);
  CHECK(shape.moe->intermediate == 16);
  CHECK_FALSE(shape.moe->active_stated);
  CHECK(shape.qkv_bias);
  CHECK(shape.tied);
  CHECK(shape.stored->differences.empty());
}

TEST_CASE("tensors with names of no known scheme give a model of their size, and say so",
          "[files]") {
  SafetensorsWriter writer;
  writer.add("first", "F16", {1'000, 1'000}).add("second", "F32", {1'000, 500});
  Disk disk;
  writer.put(disk, "odd.safetensors");
  const ModelShape shape = read(disk, "odd.safetensors");
  CHECK(shape.size_only());
  CHECK(count_parameters(shape).total() == 1'500'000);
  CHECK(weights(shape) == Bytes::of(4'000'000));
  REQUIRE(disk.warnings.size() == 1);
  CHECK(disk.warnings.front().code == "model_by_size");
}

TEST_CASE("an index finds its files, or stands for them by its total", "[files]") {
  Disk disk;
  disk.files["m/config.json"] = kSmallConfig;
  SafetensorsWriter one, two;
  one.add("model.embed_tokens.weight", "BF16", {100, 64});
  two.add("lm_head.weight", "BF16", {100, 64});
  one.put(disk, "m/model-00001-of-00002.safetensors");
  two.put(disk, "m/model-00002-of-00002.safetensors");
  const auto index = [](const std::string& metadata, const std::string& second) {
    return R"({"metadata": )" + metadata + R"(, "weight_map": {
      "model.embed_tokens.weight": "model-00001-of-00002.safetensors",
      "lm_head.weight": ")" +
           second + "\"}}";
  };
  const std::string path = "m/model.safetensors.index.json";
  const std::string last = "model-00002-of-00002.safetensors";
  disk.files[path] = index(R"({"total_size": 25600})", last);

  SECTION("the files are there") {
    for (const std::string& name : {path, std::string("m"), "m/" + last}) {
      const ModelShape shape = read(disk, name);
      CHECK(shape.stored->files == 2);
      CHECK(shape.stored->bytes == Bytes::of(25'600));
      CHECK(disk.warnings.empty());
    }
  }
  SECTION("they hold other bytes than the total says") {
    disk.files[path] = index(R"({"total_size": 30000})", last);
    CHECK(read(disk, path).stored->bytes == Bytes::of(25'600));
    CHECK(disk.warnings.front().code == "index_total_differs");
  }
  SECTION("they are not there") {
    disk.files.erase("m/" + last);
    const ModelShape shape = read(disk, path);
    CHECK(shape.stored->bytes == Bytes::of(25'600));
    CHECK(shape.stored->tensors == 0);
    CHECK(disk.warnings.front().code == "weights_not_there");
    disk.files[path] = index("{}", last);
    CHECK_THAT(found(disk, path), Contains("the index states no total_size"));
  }
  SECTION("a tensor is not where the index says") {
    SafetensorsWriter other;
    other.add("other", "BF16", {4});
    other.put(disk, "m/" + last);
    CHECK_THAT(found(disk, path),
               Contains("#/weight_map/lm_head.weight: the files beside the index") &&
                   Contains("the tensor \"other\" of the files is not listed"));
  }
  SECTION("a way out of the folder is refused") {
    for (const std::string name : {"../../etc/passwd", "/etc/passwd", "a/b", "..", ""}) {
      disk.files[path] = index("{}", name);
      CHECK_THAT(found(disk, path), Contains("expected the name of a file beside the index"));
    }
  }
  SECTION("impossible totals are refused") {
    for (const std::string total : {"0", "-1", "1e30", "\"x\"", "[]"}) {
      disk.files[path] = index("{\"total_size\": " + total + "}", last);
      CHECK_THAT(found(disk, path), Contains("#/metadata/total_size: expected a whole number"));
    }
  }
  SECTION("a broken index is refused") {
    for (const std::string text : {R"({"weight_map": [])", R"({"weight_map": {}})",
                                   R"({"weight_map": 1})", R"({"weight_map": {"a": 1}})"}) {
      disk.files[path] = text;
      CHECK_THAT(found(disk, path), !Contains("accepted"));
    }
  }
}

TEST_CASE("a part of a model in several files needs the others", "[files]") {
  Disk disk;
  small_safetensors().put(disk, "m/model-00001-of-00002.safetensors");
  CHECK_THAT(found(disk, "m/model-00001-of-00002.safetensors"),
             Contains("m/model-00002-of-00002.safetensors: this file of a model in several parts"));
}

TEST_CASE("a GGUF file gives shape and bytes", "[files][gguf]") {
  Disk disk;
  small_gguf().put(disk, "small.gguf");
  const ModelShape shape = read(disk, "small.gguf");
  CHECK(shape.name == "Small");
  CHECK(shape.layers == 2);
  CHECK(shape.kv_heads == 2);
  CHECK(shape.head_dim == 16);
  CHECK(shape.max_positions == 4096);
  CHECK(count_parameters(shape).total() == kSmallCount);
  CHECK(shape.stored->differences.empty());
  CHECK(shape.stored->precision == Precision::fp16);
  // Five norms of 64 numbers are kept in 32 bits.
  CHECK(shape.stored->bytes == Bytes::of(2 * kSmallCount + 2 * 5 * 64));
  CHECK(weights(shape) == shape.stored->bytes);
  check_adds_up(shape);
}

TEST_CASE("a folder with one model in it needs no name", "[files]") {
  Disk disk;
  small_gguf().put(disk, "m/small.gguf");
  disk.files["m/README.md"] = "text";
  CHECK(read(disk, "m").name == "Small");
  small_gguf().put(disk, "m/other.gguf");
  CHECK_THAT(found(disk, "m"), Contains("the folder holds 2 models: other.gguf, small.gguf"));
  disk.files.clear();
  disk.files["m/README.md"] = "text";
  CHECK_THAT(found(disk, "m"), Contains("holds neither a config.json nor .safetensors nor .gguf"));
}

TEST_CASE("the metadata of a GGUF file is checked like a configuration", "[files][gguf][hostile]") {
  struct Row {
    std::string says;
    void (*change)(GgufWriter& writer);
  };
  const auto row = GENERATE(values<Row>({
      {"llama.block_count: is 0; allowed is a whole number from 1 to 10000",
       [](GgufWriter& w) { w.number("llama.block_count", 0); }},
      {"llama.block_count: is 4000000000;",
       [](GgufWriter& w) { w.number("llama.block_count", 4'000'000'000); }},
      {"llama.block_count: is not a whole number",
       [](GgufWriter& w) { w.string("llama.block_count", "two"); }},
      {"llama.embedding_length: the metadata does not have this key",
       [](GgufWriter& w) { w.number("llama.block_count", 2); }},
  }));
  GgufWriter writer;
  writer.string("general.architecture", "llama");
  row.change(writer);
  writer.number("llama.attention.head_count", 4);
  if (row.says.find("embedding_length") == std::string::npos)
    writer.number("llama.embedding_length", 64);
  writer.f16("token_embd.weight", {64, 100});
  add_small_layers(writer);
  Disk disk;
  writer.put(disk, "m.gguf");
  CHECK_THAT(found(disk, "m.gguf"), Contains("m.gguf:" + row.says));
}

TEST_CASE("lists by layer, windows, experts and compressed keys of GGUF are read",
          "[files][gguf]") {
  Disk disk;
  GgufWriter writer = small_gguf_metadata();
  SECTION("key heads by layer, none where a layer has no attention") {
    GgufWriter lists;
    lists.string("general.architecture", "llama").number("llama.block_count", 2);
    lists.number("llama.embedding_length", 64).number("llama.feed_forward_length", 128);
    lists.numbers("llama.attention.head_count", {4, 4})
        .numbers("llama.attention.head_count_kv", {2, 2});
    lists.f16("token_embd.weight", {64, 100});
    add_small_layers(lists).put(disk, "m.gguf");
    const ModelShape shape = read(disk, "m.gguf");
    CHECK(shape.kv_heads == 2);
    CHECK(shape.tied);
    CHECK(shape.vocab == 100);
  }
  SECTION("a window in one of two layers") {
    writer.number("llama.attention.sliding_window", 128);
    writer.truths("llama.attention.sliding_window_pattern", {true, false});
    writer.f16("token_embd.weight", {64, 100});
    add_small_layers(writer).put(disk, "m.gguf");
    const ModelShape shape = read(disk, "m.gguf");
    CHECK(shape.sliding_window == 128);
    CHECK(shape.sliding_layers == 1);
  }
  SECTION("a window of which it is not said where it holds") {
    writer.number("llama.attention.sliding_window", 128);
    writer.f16("token_embd.weight", {64, 100});
    add_small_layers(writer).put(disk, "m.gguf");
    const ModelShape shape = read(disk, "m.gguf");
    CHECK(shape.sliding_layers == 0);
    CHECK_THAT(shape.filled_in.back(), Contains("not for which layers"));
  }
  SECTION("experts in one tensor a layer") {
    writer.number("llama.expert_count", 4).number("llama.expert_used_count", 2);
    writer.number("llama.expert_feed_forward_length", 16);
    writer.f16("token_embd.weight", {64, 100});
    for (const std::string layer : {"blk.0.", "blk.1."})
      writer.f16(layer + "attn_q.weight", {64, 64})
          .f16(layer + "attn_k.weight", {64, 32})
          .f16(layer + "attn_v.weight", {64, 32})
          .f16(layer + "attn_output.weight", {64, 64})
          .f32(layer + "ffn_gate_inp.weight", {64, 4})
          .f16(layer + "ffn_gate_exps.weight", {64, 16, 4})
          .f16(layer + "ffn_up_exps.weight", {64, 16, 4})
          .f16(layer + "ffn_down_exps.weight", {16, 64, 4})
          .f32(layer + "attn_norm.weight", {64})
          .f32(layer + "ffn_norm.weight", {64});
    writer.f32("output_norm.weight", {64});
    writer.put(disk, "m.gguf");
    const ModelShape shape = read(disk, "m.gguf");
    REQUIRE(shape.moe);
    CHECK(shape.moe->experts == 4);
    CHECK(shape.moe->active == 2);
    CHECK(shape.stored->differences.empty());
    CHECK(bytes_of(*shape.stored, TensorKind::experts) == 2 * 2 * 4 * 3 * 64 * 16);
    CHECK(bytes_of(*shape.stored, TensorKind::router) == 2 * 4 * 64 * 4);
  }
  SECTION("one compressed vector a token and layer") {
    GgufWriter mla;
    mla.string("general.architecture", "deepseek2").number("deepseek2.block_count", 1);
    mla.number("deepseek2.embedding_length", 64).number("deepseek2.feed_forward_length", 128);
    mla.number("deepseek2.attention.head_count", 4).number("deepseek2.attention.head_count_kv", 1);
    mla.number("deepseek2.attention.kv_lora_rank", 32).number("deepseek2.rope.dimension_count", 8);
    mla.number("deepseek2.attention.key_length", 40).number("deepseek2.attention.value_length", 32);
    mla.number("deepseek2.attention.key_length_mla", 24)
        .number("deepseek2.attention.value_length_mla", 16);
    mla.f16("token_embd.weight", {64, 100}).f16("blk.0.attn_q.weight", {64, 4 * 24});
    mla.f16("blk.0.attn_kv_a_mqa.weight", {64, 40}).f32("blk.0.attn_kv_a_norm.weight", {32});
    mla.f16("blk.0.attn_k_b.weight", {16, 32, 4}).f16("blk.0.attn_v_b.weight", {32, 16, 4});
    mla.f16("blk.0.attn_output.weight", {64, 64}).f16("blk.0.ffn_gate.weight", {64, 128});
    mla.f16("blk.0.ffn_up.weight", {64, 128}).f16("blk.0.ffn_down.weight", {128, 64});
    mla.f32("blk.0.attn_norm.weight", {64})
        .f32("blk.0.ffn_norm.weight", {64})
        .f32("output_norm.weight", {64});
    mla.put(disk, "m.gguf");
    const ModelShape shape = read(disk, "m.gguf");
    REQUIRE(shape.latent);
    CHECK(shape.latent->qk_nope_head_dim == 16);
    CHECK(shape.latent->v_head_dim == 16);
    CHECK(shape.stored->differences.empty());
  }
}

TEST_CASE("a file is known by its content where its name says something else", "[files]") {
  Disk disk;
  small_safetensors().put(disk, "d/blob");
  CHECK(read(disk, "d/blob").stored->bytes == Bytes::of(2 * kSmallCount));
  small_gguf().put(disk, "d/sha256-1234");
  CHECK(read(disk, "d/sha256-1234").name == "Small");
  disk.files["d/pytorch_model.bin"] = std::string("PK\3\4\0\0", 6);
  CHECK_THAT(found(disk, "d/pytorch_model.bin"),
             Contains("a PyTorch file") && Contains("take the .safetensors"));
  disk.files["d/other"] = std::string("\1\0\2\0", 4);
  CHECK_THAT(found(disk, "d/other"), Contains("no model file that is known here"));
  disk.files["d/model.json"] = kSmallConfig;
  CHECK(read(disk, "d/model.json").layers == 2);
  disk.sizes["d/model.json"] = 40'000'000'000;
  CHECK_THAT(found(disk, "d/model.json"),
             Contains("at most 256 MiB, this file has 40000000000 bytes"));
}

TEST_CASE("standard input is read as a description", "[files]") {
  Disk disk;
  disk.files["-"] = kSmallConfig;
  CHECK(read(disk, "-").layers == 2);
  disk.files["-"] = "GGUF";
  CHECK_THAT(found(disk, "-"), Contains("weights cannot be read from a pipe"));
}
