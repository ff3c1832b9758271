#include "gpuplan/models.hpp"

#include "catch.hpp"
#include "core/builtin.hpp"

using namespace gpuplan;

namespace {

const ModelTable& table() {
  static const ModelTable models = *read_models(builtin_models(), "models.json");
  return models;
}

std::string found(std::string_view name) {
  const ModelShape* shape = table().find(name);
  return shape == nullptr ? "nothing" : shape->name;
}

std::string errors(const std::string& document) {
  const auto shape = read_model(document, "m.json");
  std::string text;
  if (!shape)
    for (const Diagnostic& error : shape.errors()) text += to_text(error) + "\n";
  return text;
}

// Mistral-7B as a user would write it down.
const std::string kDocument =
    R"("schema": "gpuplan.model/1", "name": "mine", "layers": 32, "hidden": 4096, "heads": 32,
       "intermediate": 14336, "vocab": 32000)";

}  // namespace

TEST_CASE("a model is found by any name that people write", "[models]") {
  struct Row {
    std::string asked, model;
  };
  const auto row = GENERATE(values<Row>({
      {"7b", "meta-llama/Llama-2-7b-hf"},
      {"7B", "meta-llama/Llama-2-7b-hf"},
      {"Llama 2 7B", "meta-llama/Llama-2-7b-hf"},
      {"meta-llama/Llama-2-7b-chat-hf", "meta-llama/Llama-2-7b-hf"},
      {"70b", "meta-llama/Llama-2-70b-hf"},
      {"1.5b", "Qwen/Qwen2.5-1.5B"},
      {"qwen2_5 7b instruct", "Qwen/Qwen2.5-7B"},
      {"RedHatAI/Llama-3.3-70B-Instruct-FP8-dynamic", "meta-llama/Llama-3.1-70B"},
      {"Qwen/Qwen2.5-7B (4-bit)", "Qwen/Qwen2.5-7B"},
      {"unsloth/Meta-Llama-3.1-8B-bnb-4bit", "meta-llama/Llama-3.1-8B"},
      {"Mixtral-8x7B-Instruct-v0.1", "mistralai/Mixtral-8x7B-v0.1"},
      {"Qwen/Qwen3-Next-80B-A3B", "Qwen/Qwen3-Next-80B-A3B-Instruct"},
      {"sdxl", "stabilityai/stable-diffusion-xl-base-1.0"},
  }));
  CAPTURE(row.asked);
  CHECK(found(row.asked) == row.model);
}

TEST_CASE("two figures are not drawn together into another model's name", "[models]") {
  CHECK(found("15b") != found("1.5b"));
  CHECK(found("llama-27b") == "nothing");
  CHECK(found("bart-base") == "nothing");  // not "bart", which is the large one
  CHECK(found("") == "nothing");
  CHECK(table().similar("lama-2-7b").front() == "llama-2-7b");
}

TEST_CASE("a document may leave out what has a rule, and says what was filled in", "[models]") {
  const auto shape = read_model("{" + kDocument + "}", "m.json");
  REQUIRE(shape);
  CHECK(shape->kv_heads == 32);
  CHECK(shape->head_dim == 128);
  CHECK(shape->gated_mlp);
  CHECK_FALSE(shape->tied);
  CHECK(shape->filled_in == std::vector<std::string>{"kv_heads = 32 (as heads)",
                                                     "head_dim = 128 (hidden / heads)", "mlp = gated",
                                                     "tied = false"});
  // 2 x 32,000 x 4,096 + 32 x (4 x 4,096^2 + 3 x 4,096 x 14,336 + 2 x 4,096) + 4,096
  CHECK(count_parameters(*shape).total() == 8'047'038'464);
}

TEST_CASE("whole numbers may be written as 4096.0 and null is the same as left out", "[models]") {
  const auto shape = read_model(
      R"({"schema": "gpuplan.model/1", "name": "m", "layers": 32.0, "hidden": 4096.0, "heads": 32,
          "kv_heads": 8, "intermediate": 14336, "vocab": 32000, "sliding_window": null})",
      "m.json");
  REQUIRE(shape);
  CHECK(count_parameters(*shape).total() == 7'241'732'096);
}

TEST_CASE("a model of which only the size is known needs nothing else", "[models]") {
  const auto shape =
      read_model(R"({"schema": "gpuplan.model/1", "name": "secret", "parameters": "7B"})", "m.json");
  REQUIRE(shape);
  CHECK(shape->size_only());
  CHECK(count_parameters(*shape).total() == 7'000'000'000);
}

TEST_CASE("every mistake of a model document is told in one run", "[models]") {
  CHECK(errors(R"({"schema": "gpuplan.model/2", "name": "m", "layres": 32, "hidden": "wide",
                   "heads": 0, "intermediate": 1.5, "vocab": 32000})") ==
        "m.json#/schema: expected \"gpuplan.model/1\", got \"gpuplan.model/2\"\n"
        "m.json#/hidden: expected a whole number from 1 to 1000000, got \"wide\"; "
        "write a whole number such as 8\n"
        "m.json#/heads: expected a whole number from 1 to 100000, got 0\n"
        "m.json#/intermediate: expected a whole number from 1 to 10000000, got 1.5; "
        "write a whole number such as 8\n"
        "m.json#/layres: unknown key \"layres\"; did you mean \"layers\"?\n"
        "m.json: the key \"layers\" is missing; "
        "or give `parameters` if only the size is known\n");
}

TEST_CASE("figures that do not go together are told", "[models]") {
  struct Row {
    std::string keys, error;
  };
  const auto row = GENERATE(values<Row>({
      {R"("kv_heads": 6)", "m.json#/kv_heads: heads 32 is no multiple of kv_heads 6\n"},
      {R"("experts": 8, "active_experts": 9)",
       "m.json#/active_experts: 9 active experts of 8: more than there are\n"},
      {R"("active_experts": 2)",
       "m.json#/active_experts: this needs `experts`, which is missing or 0\n"},
      {R"("sliding_window": 4096, "sliding_layers": 33)",
       "m.json#/sliding_layers: 33 of 32 layers: more than there are\n"},
      {R"("sliding_layers": 3)", "m.json#/sliding_layers: this needs `sliding_window`\n"},
      {R"("qk_norm": "half")",
       "m.json#/qk_norm: expected true (one head wide), \"full\" (all heads wide), false, or the "
       "elements of both norms, got \"half\"\n"},
      {R"("mla": {"kv_lora_rank": 512})",
       "m.json#/mla: the key \"qk_rope_head_dim\" is missing\n"
       "m.json#/mla: the key \"qk_nope_head_dim\" is missing\n"
       "m.json#/mla: the key \"v_head_dim\" is missing\n"},
  }));
  CAPTURE(row.keys);
  CHECK(errors("{" + kDocument + ", " + row.keys + "}") == row.error);
}

TEST_CASE("a width that the heads do not divide needs the width of a head", "[models]") {
  const std::string keys = R"("schema": "gpuplan.model/1", "name": "m", "layers": 2, "hidden": 100,
                              "heads": 3, "intermediate": 8, "vocab": 8)";
  CHECK(errors("{" + keys + "}") ==
        "m.json: hidden 100 is no multiple of heads 3; state head_dim if the two are independent\n");
  CHECK(errors("{" + keys + R"(, "head_dim": 64})").empty());
}

TEST_CASE("a size that no model can have is refused, not wrapped", "[models]") {
  CHECK(errors(R"({"schema": "gpuplan.model/1", "name": "m", "layers": 10000, "hidden": 1000000,
                   "heads": 100000, "head_dim": 100000, "intermediate": 10000000, "vocab": 8,
                   "experts": 100000})") ==
        "m.json: the shape has more than 10^15 parameters: is one of its figures too large?\n");
}

TEST_CASE("an incomplete shape beside a stated size is not used, and that is said", "[models]") {
  const auto shape = read_model(
      R"({"schema": "gpuplan.model/1", "name": "m", "parameters": 7e9, "layers": 32})", "m.json");
  REQUIRE(shape);
  CHECK(shape->size_only());
  CHECK(shape->filled_in ==
        std::vector<std::string>{"only `parameters` is used: the shape is not complete"});
}

TEST_CASE("a table in which a name stands for two models is refused", "[models]") {
  const std::string model = R"("layers": 1, "hidden": 8, "heads": 1, "intermediate": 8, "vocab": 8})";
  const auto result = read_models(R"({"schema": "gpuplan.models/1", "models": [{"name": "one", )" +
                                      model + R"(, {"name": "two", "aliases": ["One"], )" + model +
                                      "]}",
                                  "t.json");
  REQUIRE_FALSE(result);
  CHECK(to_text(result.errors().front()) ==
        "t.json#/models/1: the name \"one\" is also that of \"one\"");
}
