#include "catch.hpp"
#include "core/builtin.hpp"
#include "gpuplan/models.hpp"

using namespace gpuplan;

namespace {

const ModelTable& table() {
  static const ModelTable models = *read_models(builtin_models(), "models.json");
  return models;
}

ModelShape described(const std::string& keys) {
  return *read_model(R"({"schema": "gpuplan.model/1", "name": "m", )" + keys + "}", "m.json");
}

enum Origin {
  published,  // the total that Hugging Face shows for the model's safetensors files
  by_hand,    // worked out from the shape; no such total could be read
  differs,    // by hand; the files also hold buffers, block scales or a second copy of the head
};

struct Known {
  std::string model;
  std::int64_t parameters;
  std::int64_t active;  // of a mixture of experts, else 0
  Origin origin;
};

const std::vector<Known> kKnown{
    {"meta-llama/Llama-2-7b-hf", 6'738'415'616, 0, differs},
    {"meta-llama/Llama-2-13b-hf", 13'015'864'320, 0, by_hand},
    {"meta-llama/Llama-2-70b-hf", 68'976'648'192, 0, by_hand},
    {"meta-llama/Meta-Llama-3-8B", 8'030'261'248, 0, published},
    {"meta-llama/Meta-Llama-3.1-70B", 70'553'706'496, 0, published},
    {"meta-llama/Llama-3.2-3B-Instruct", 3'212'749'824, 0, published},
    {"mistralai/Mistral-7B-Instruct-v0.2", 7'241'732'096, 0, published},
    {"mistralai/Mistral-7B-Instruct-v0.3", 7'248'023'552, 0, published},
    {"Qwen/Qwen2-72B-Instruct", 72'706'203'648, 0, published},
    {"Qwen/Qwen2.5-7B-Instruct", 7'615'616'512, 0, published},
    {"Qwen/Qwen2.5-32B-Instruct", 32'763'876'352, 0, published},
    {"Qwen/Qwen2.5-1.5B", 1'543'714'304, 0, published},
    {"Qwen/Qwen3-0.6B", 596'049'920, 0, differs},
    {"Qwen/Qwen3-1.7B", 1'720'574'976, 0, differs},
    {"Qwen/Qwen3-4B", 4'022'468'096, 0, published},
    {"Qwen/Qwen3-8B", 8'190'735'360, 0, published},
    {"Qwen/Qwen3-14B", 14'768'307'200, 0, published},
    {"microsoft/Phi-3-mini-4k-instruct", 3'821'079'552, 0, published},
    {"microsoft/phi-4", 14'659'507'200, 0, by_hand},
    {"allenai/Olmo-3.1-32B-Instruct", 32'233'522'176, 0, published},
    {"google/gemma-2-2b", 2'614'341'888, 0, published},
    {"google/gemma-2-9b", 9'241'705'984, 0, published},
    {"google/gemma-2-27b", 27'227'128'320, 0, published},
    {"01-ai/Yi-34B", 34'388'917'248, 0, published},
    {"01-ai/Yi-6B", 6'061'035'520, 0, published},
    {"01-ai/Yi-1.5-9B", 8'829'407'232, 0, published},
    {"internlm/internlm2_5-7b-chat", 7'737'708'544, 0, published},
    {"TinyLlama/TinyLlama-1.1B-Chat-v1.0", 1'100'048'384, 0, published},
    {"HuggingFaceTB/SmolLM2-135M", 134'515'008, 0, published},
    {"HuggingFaceTB/SmolLM2-1.7B", 1'711'376'384, 0, published},
    {"microsoft/Phi-3-medium-4k-instruct", 13'960'238'080, 0, published},
    {"Qwen/Qwen2.5-0.5B", 494'032'768, 0, published},
    {"Qwen/Qwen2.5-3B", 3'085'938'688, 0, published},
    {"allenai/OLMo-2-1124-7B-Instruct", 7'298'617'344, 0, published},
    {"deepseek-ai/DeepSeek-R1-Distill-Qwen-1.5B", 1'777'088'000, 0, published},
    {"huggyllama/llama-30b", 32'528'943'616, 0, differs},
    {"codellama/CodeLlama-7b-hf", 6'738'546'688, 0, published},
    {"ibm-granite/granite-4.1-8b", 8'791'592'960, 0, published},
    {"openai-community/gpt2", 124'439'808, 0, differs},
    {"openai-community/gpt2-xl", 1'557'611'200, 0, differs},
    {"bigscience/bloom-560m", 559'214'592, 0, published},
    {"bigscience/bloom", 176'247'271'424, 0, published},
    {"facebook/opt-125m", 125'239'296, 0, published},
    {"EleutherAI/pythia-1.4b", 1'414'647'808, 0, published},
    {"EleutherAI/pythia-6.9b", 6'857'302'016, 0, differs},
    {"tiiuae/falcon-7b", 7'217'189'760, 0, published},
    {"tiiuae/falcon-40b", 41'835'970'560, 0, published},
    {"microsoft/phi-1_5", 1'418'270'720, 0, published},
    {"stabilityai/stablelm-3b-4e1t", 2'795'443'200, 0, published},
    {"stabilityai/stablelm-2-1_6b", 1'644'515'328, 0, published},
    {"THUDM/chatglm3-6b", 6'243'584'000, 0, differs},
    {"zai-org/glm-4-9b-chat", 9'399'951'360, 0, published},
    {"zai-org/GLM-4-9B-0414", 9'400'279'040, 0, published},
    {"baichuan-inc/Baichuan2-7B", 7'505'973'248, 0, differs},
    {"mistralai/Mixtral-8x7B-v0.1", 46'702'792'704, 12'879'925'248, published},
    {"Qwen/Qwen3-30B-A3B", 30'532'122'624, 3'353'032'704, published},
    {"Qwen/Qwen3-235B-A22B", 235'093'634'560, 22'190'763'520, published},
    {"Qwen/Qwen3-Coder-480B-A35B-Instruct", 480'154'875'392, 35'474'765'312, published},
    {"Qwen/Qwen2-57B-A14B", 57'408'658'944, 14'249'270'784, published},
    {"allenai/OLMoE-1B-7B-0125", 6'919'161'856, 1'282'017'280, published},
    {"deepseek-ai/deepseek-moe-16b-base", 16'375'728'128, 2'828'650'496, published},
    {"deepseek-ai/DeepSeek-V2-Lite", 15'706'484'224, 2'661'150'208, published},
    {"deepseek-ai/DeepSeek-V2", 235'741'434'880, 21'375'800'320, published},
    {"moonshotai/Kimi-K2-Instruct", 1'026'408'232'448, 32'861'500'928, differs},
    {"openai/gpt-oss-120b", 116'829'156'672, 0, by_hand},
    {"google-bert/bert-base-uncased", 109'482'240, 0, differs},
    {"FacebookAI/roberta-base", 124'645'632, 0, by_hand},
    {"google-t5/t5-small", 60'506'624, 0, by_hand},
    {"google-t5/t5-base", 222'903'552, 0, published},
    {"google-t5/t5-11b", 11'307'321'344, 0, by_hand},
    {"google/vit-base-patch16-224", 86'567'656, 0, by_hand},
    {"openai/clip-vit-large-patch14 text tower", 123'060'480, 0, by_hand},
    {"state-spaces/mamba-130m-hf", 129'135'360, 0, published},
    {"state-spaces/mamba-370m-hf", 371'516'416, 0, published},
    {"runwayml/stable-diffusion-v1-5 UNet", 859'520'964, 0, by_hand},
    {"stabilityai/stable-diffusion-xl-base-1.0 UNet", 2'567'463'684, 0, by_hand},
    {"stabilityai/stable-diffusion-xl-base-1.0 text_encoder_2", 694'659'840, 0, by_hand},
};

}  // namespace

TEST_CASE("each model has exactly the parameters that are known of it", "[models][count]") {
  for (const Known& known : kKnown) {
    CAPTURE(known.model);
    const ModelShape* shape = table().find(known.model);
    REQUIRE(shape != nullptr);
    const ParameterCount count = count_parameters(*shape);
    CHECK(count.total() == known.parameters);
    if (known.active > 0) CHECK(count.active() == known.active);
  }
}

TEST_CASE("no model of the table hides its count in a stated number where a shape is given",
          "[models][count]") {
  for (const ModelShape& shape : table().all()) {
    CAPTURE(shape.name);
    CHECK(count_parameters(shape).total() > 0);
    CHECK_FALSE(shape.source.empty());
    CHECK_FALSE(shape.family.empty());
    CHECK(shape.filled_in.empty());
    CHECK(shape.parameters_stated.has_value() == shape.size_only());
  }
}

TEST_CASE("weights are split by what quantisation does with them", "[models][count]") {
  // Two layers of width 8, two heads of 4, MLP 16, 10 tokens.
  const ParameterCount count = count_parameters(described(
      R"("layers": 2, "hidden": 8, "heads": 2, "kv_heads": 1, "intermediate": 16, "vocab": 10)"));
  CHECK(count.embedding == 80);                        // 10 x 8
  CHECK(count.head == 80);                             // not tied
  CHECK(count.attention == 2 * (64 + 32 + 32 + 64));   // q, k, v, o
  CHECK(count.mlp == 2 * 3 * 8 * 16);
  CHECK(count.norms == 2 * 2 * 8 + 8);
  CHECK(count.total() == 80 + 80 + 384 + 768 + 40);
}

TEST_CASE("a tied head is counted once, biases and head norms with the vectors", "[models][count]") {
  const ParameterCount count = count_parameters(
      described(R"("layers": 1, "hidden": 8, "heads": 2, "kv_heads": 1, "intermediate": 16,
                   "vocab": 10, "tied": true, "attention_bias": "qkv", "qk_norm": true)"));
  CHECK(count.head == 0);
  // biases of q, k, v: 8 + 4 + 4; one norm of 4 each for q and k; three norms of 8
  CHECK(count.norms == 16 + 8 + 24);
}

TEST_CASE("of a mixture of experts only the chosen ones and the shared one work on a token",
          "[models][count]") {
  const ParameterCount count = count_parameters(
      described(R"("layers": 3, "hidden": 8, "heads": 2, "intermediate": 32, "vocab": 10,
                   "experts": 4, "active_experts": 1, "moe_intermediate": 16,
                   "shared_experts": 1, "dense_layers": 1)"));
  const std::int64_t expert = 3 * 8 * 16;
  CHECK(count.experts == 2 * 4 * expert);
  CHECK(count.active_experts == 2 * expert);
  CHECK(count.mlp == 3 * 8 * 32 + 2 * expert);  // one dense layer, two shared experts
  CHECK(count.router == 2 * 8 * 4);
  CHECK(count.total() - count.active() == 2 * 3 * expert);
}

TEST_CASE("latent attention has a compressed key and value", "[models][count]") {
  const ParameterCount count = count_parameters(
      described(R"("layers": 1, "hidden": 16, "heads": 2, "intermediate": 4, "vocab": 1,
                   "mla": {"kv_lora_rank": 8, "qk_rope_head_dim": 2, "qk_nope_head_dim": 4,
                           "v_head_dim": 4})"));
  // q 16 x 2 x 6, down 16 x (8 + 2), up 8 x 2 x (4 + 4), out 2 x 4 x 16
  CHECK(count.attention == 192 + 160 + 128 + 128);
  CHECK(count.norms == 8 + 2 * 16 + 16);
}

TEST_CASE("a draft of DeepSeek-V3.2's published files: the indexer adds 13,959,424 a layer",
          "[models][count]") {
  const std::int64_t plain = count_parameters(*table().find("deepseek-v3")).total();
  const std::int64_t sparse = count_parameters(*table().find("deepseek-v3.2")).total();
  CHECK(sparse - plain == 61 * 13'959'424);
}

TEST_CASE("the state of recurrent layers does not grow with the context", "[models][count]") {
  CHECK(table().find("state-spaces/mamba-130m-hf")->state_bytes == 2'949'120);
  // 598.5 MiB for four sequences in llama.cpp's log of a model of this shape.
  CHECK(table().find("Qwen/Qwen3.5-27B")->state_bytes * 4 == 598 * 1'048'576 + 524'288);
}

TEST_CASE("layers that hold a KV cache are counted apart from those that do not", "[models][count]") {
  CHECK(table().find("llama-3-8b")->attention_blocks() == 32);
  CHECK(table().find("Qwen/Qwen3.5-27B")->attention_blocks() == 16);
  CHECK(table().find("nemotron-h-56b")->attention_blocks() == 10);
  CHECK(table().find("nemotron-super-49b")->attention_blocks() == 49);
  CHECK(table().find("mamba-130m")->attention_blocks() == 0);
}

TEST_CASE("a count that the user states wins and the matrices make up the difference",
          "[models][count]") {
  const ModelShape shape = described(
      R"("layers": 2, "hidden": 8, "heads": 2, "intermediate": 16, "vocab": 10, "parameters": 2000)");
  const ParameterCount count = count_parameters(shape);
  CHECK(count.total() == 2000);
  CHECK(count.embedding == 80);
  CHECK(count.norms == 40);
  CHECK(count.attention + count.mlp + count.other == 1800);
  CHECK(count.other < 4);
}

TEST_CASE("a UNet is counted block by block", "[models][count]") {
  const ParameterCount count = count_parameters(*table().find("sd-1.5"));
  CHECK(count.total() == 859'520'964);
  CHECK(count.embedding == 0);
  CHECK(count.convolution > count.attention);
  CHECK(count.mlp > 0);
}
