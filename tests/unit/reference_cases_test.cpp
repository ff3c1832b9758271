// Figures that others have published or that follow from a configuration by hand, one row each: the
// estimate gives them to the last digit. Parameter counts are in models_count_test.cpp.
#include <cmath>
#include <functional>

#include "catch.hpp"
#include "memory_help.hpp"

using namespace gpuplan;
using namespace gpuplan::memory_help;

namespace {

Workload plain_cache(std::int64_t tokens, std::int64_t users = 1) {
  return llama_cpp(Precision::bf16, tokens, users);
}

constexpr std::int64_t kLlama2 = 6'738'415'616;  // parameters of Llama-2-7B
constexpr double kGiB = 1024.0 * 1024 * 1024, kMiB = 1024.0 * 1024;

}  // namespace

TEST_CASE("a token in the KV cache: 2 x layers x KV heads x head size x bytes", "[reference][kv]") {
  struct Row {
    std::string model;
    std::int64_t bytes;
  };
  // layers, KV heads and head size as the public configuration files state them
  const auto row = GENERATE(values<Row>({
      {"meta-llama/Llama-2-7b-hf", 524'288},         // 2 x 32 x 32 x 128 x 2
      {"meta-llama/Llama-2-13b-hf", 819'200},        // 2 x 40 x 40 x 128 x 2
      {"meta-llama/Llama-2-70b-hf", 327'680},        // 2 x 80 x 8 x 128 x 2
      {"meta-llama/Llama-3.1-8B", 131'072},          // 2 x 32 x 8 x 128 x 2
      {"meta-llama/Llama-3.1-70B", 327'680},
      {"Qwen/Qwen2.5-7B", 57'344},                   // 2 x 28 x 4 x 128 x 2
      {"Qwen/Qwen2.5-32B", 262'144},
      {"Qwen/Qwen3-0.6B", 114'688},                  // head size 128, not hidden / heads = 64
      {"Qwen/Qwen3-4B", 147'456},                    // head size 128, not 80
      {"Qwen/Qwen3-30B-A3B", 98'304},                // experts do not touch the cache
      {"mistralai/Mixtral-8x7B-v0.1", 131'072},
      {"microsoft/Phi-3-mini-4k-instruct", 393'216}, // 2 x 32 x 32 x 96 x 2
      {"microsoft/phi-4", 204'800},
      {"tiiuae/falcon-7b", 8'192},                   // one KV head for 71 query heads
      {"tiiuae/falcon-40b", 122'880},
      {"mistralai/Mistral-Small-24B-Base-2501", 163'840},  // as printed by llm-d's vLLM runs
      {"THUDM/chatglm3-6b", 28'672},                 // 2 KV heads ("multi_query_group_num")
      {"zai-org/glm-4-9b-chat", 40'960},
      {"openai-community/gpt2", 36'864},
      {"google/gemma-2-27b", 376'832},               // all layers, head size 128 and not 144
      {"01-ai/Yi-34B", 245'760},
      {"Qwen/Qwen3-Coder-480B-A35B-Instruct", 253'952},
      {"deepseek-ai/DeepSeek-V2-Lite", 31'104},      // latent: 27 x (512 + 64) x 2, no factor 2
      {"moonshotai/Kimi-K2-Instruct", 70'272},       // 61 x (512 + 64) x 2
      {"deepseek-ai/DeepSeek-V2", 69'120},
  }));
  CAPTURE(row.model);
  CHECK(estimate(shape(row.model), plain_cache(1024)).kv_bytes_per_token == row.bytes);
}

TEST_CASE("an 8-bit cache is half of a 16-bit one, and 16 GPUs keep a copy of 8 KV heads",
          "[reference][kv]") {
  Workload narrow = plain_cache(1024);
  narrow.kv_precision = KvPrecision::fp8;
  CHECK(estimate(shape("meta-llama/Llama-3.1-8B"), narrow).kv_bytes_per_token == 65'536);
  Workload wide = plain_cache(1024);
  wide.gpus = wide.tp.emplace(16);
  // 2 x 80 layers x 1 head x 128 x 2
  CHECK(estimate(shape("meta-llama/Llama-3.1-70B"), wide).kv_bytes_per_token == 40'960);
}

TEST_CASE("the KV cache of whole contexts", "[reference][kv]") {
  struct Row {
    std::string model;
    std::int64_t tokens, users;
    double gib;
  };
  const auto row = GENERATE(values<Row>({
      {"deepseek-ai/DeepSeek-V2-Lite", 32'768, 1, 32'768 * 31'104 / kGiB},  // 0.95 in vLLM 15871
      {"deepseek-ai/DeepSeek-R1", 32'768, 1, 2196 / 1024.0},  // llama.cpp 11446: 2196.00 MiB
      {"meta-llama/Llama-2-7b-hf", 4096, 1, 2},
      {"meta-llama/Llama-3.1-8B", 8192, 1, 1},
      {"meta-llama/Llama-3.1-70B", 131'072, 1, 40},
      {"meta-llama/Llama-2-70b-hf", 4096, 32, 40},
      {"Qwen/Qwen2.5-7B", 32'768, 1, 1.75},
      // sliding layers keep their window only
      {"google/gemma-3-27b", 128'000, 1, 10.171875},
      {"google/gemma-3-27b", 8192, 1, 1.03125},
      {"openai/gpt-oss-20b", 131'072, 1, 3.0029296875},
      {"openai/gpt-oss-120b", 131'072, 1, 4.50439453125},
      {"allenai/Olmo-3.1-32B-Instruct", 65'536, 1, 4.75},
      {"mistralai/Mistral-7B-v0.1", 32'768, 1, 0.5},  // every layer slides over 4096 tokens
      {"openai/gpt-oss-20b", 8192, 32, 6.09375},
  }));
  CAPTURE(row.model, row.tokens);
  const auto e = estimate(shape(row.model), plain_cache(row.tokens, row.users));
  CHECK(e.per_gpu.kv_cache.as_double() / kGiB == Approx(row.gib).epsilon(1e-12));
}

TEST_CASE("recurrent layers keep a state of one size, whatever the context", "[reference][kv]") {
  // 16 of 64 layers keep KV: 2 x 16 x 4 x 256 x 2 bytes a token, 16,384 MiB at 262,144 tokens;
  // 598.5 MiB of states for four sequences (llama.cpp log in LM Studio's tracker)
  const auto one = estimate(shape("Qwen/Qwen3.6-27B"), plain_cache(262'144));
  CHECK(static_cast<double>(one.kv_bytes_per_token) * 262'144 / kMiB == 16'384);
  const auto four = estimate(shape("Qwen/Qwen3.6-27B"), plain_cache(262'144, 4));
  CHECK(four.per_gpu.kv_cache.as_double() / kMiB - 4 * 16'384 == Approx(598.5).epsilon(1e-12));
  // Mamba: layers x inner width x (states + convolution) x 4 bytes
  const auto mamba = estimate(shape("state-spaces/mamba-130m-hf"), plain_cache(1024));
  CHECK(mamba.per_gpu.kv_cache == Bytes::of(24 * 1536 * (16 + 4) * 4));
}

TEST_CASE("paged engines hand out whole blocks of tokens", "[reference][kv]") {
  Workload w = plain_cache(15'049);
  w.framework = Framework::vllm;
  // 941 blocks of 16 tokens
  CHECK(estimate(shape("meta-llama/Llama-3.1-8B"), w).per_gpu.kv_cache ==
        Bytes::of(941 * 16 * 131'072));
}

TEST_CASE("weights are parameters times bytes", "[reference][weights]") {
  struct Row {
    std::string model;
    Precision precision;
    Mode mode;
    double parameters, bytes;
  };
  const auto row = GENERATE(values<Row>({
      {"meta-llama/Llama-2-7b-hf", Precision::fp16, Mode::inference, kLlama2, 2},
      {"meta-llama/Llama-2-7b-hf", Precision::fp32, Mode::inference, kLlama2, 4},
      {"meta-llama/Llama-3.1-8B", Precision::bf16, Mode::inference, 8'030'261'248, 2},
      {"Qwen/Qwen3-0.6B", Precision::bf16, Mode::inference, 596'049'920, 2},
      {"Qwen/Qwen3-32B", Precision::bf16, Mode::inference, 32'762'123'264, 2},
      {"meta-llama/Llama-3.1-70B", Precision::bf16, Mode::inference, 70'553'706'496, 2},
      {"mistralai/Mixtral-8x7B-v0.1", Precision::bf16, Mode::inference, 46'702'792'704, 2},
      {"meta-llama/Llama-3.1-405B", Precision::bf16, Mode::inference, 405'853'388'800, 2},
      {"sdxl", Precision::fp16, Mode::diffusion, 2'567'463'684, 2},
      {"sd-1.5", Precision::fp16, Mode::diffusion, 859'520'964, 2},
  }));
  CAPTURE(row.model);
  Workload w;
  w.mode = row.mode;
  w.precision = row.precision;
  CHECK(estimate(shape(row.model), w).per_gpu.weights.as_double() == row.parameters * row.bytes);
}

TEST_CASE("stored bits of a weight follow from the block", "[reference][weights]") {
  struct Row {
    Precision precision;
    double weights, bytes;
  };
  const auto row = GENERATE(values<Row>({
      {Precision::q4_0, 32, 18},  {Precision::q4_1, 32, 20}, {Precision::q5_0, 32, 22},
      {Precision::q5_1, 32, 24},  {Precision::q8_0, 32, 34}, {Precision::q6_k, 256, 210},
      {Precision::mxfp4, 32, 17},
      // two scales: a byte for 64 weights, 4 bytes for 256 of those
      {Precision::nf4dq, 64 * 256, 64 * 256 / 2.0 + 256 + 4},
  }));
  CHECK(precision_info(row.precision).bits_per_weight == 8 * row.bytes / row.weights);
}

TEST_CASE("states of a training run: bytes a parameter by set-up", "[reference][states]") {
  struct Row {
    std::string what;
    std::function<void(Workload&)> set;
    double bytes;
  };
  const auto set_up = GENERATE(values<Row>({
      {"32-bit: 4 + 4 + 8",
       [](Workload& w) {
         w.precision = Precision::fp32;
         w.framework = Framework::hf;
       },
       16},
      {"mixed: 2 + 2 + 4 + 8", [](Workload&) {}, 16},
      {"mixed with 32-bit gradients", [](Workload& w) { w.framework = Framework::megatron; }, 18},
      {"DeepSpeed on one GPU, both kinds of gradients",
       [](Workload& w) {
         w.framework = Framework::hf;
         w.sharding = Sharding::deepspeed;
         w.zero = 2;
       },
       20},
      {"pure 16-bit: 2 + 2 + 4", [](Workload& w) { w.framework = Framework::torchtune; }, 8},
      {"8-bit Adam", [](Workload& w) { w.optimizer = Optimizer::adamw8bit; }, 10},
      {"SGD with momentum", [](Workload& w) { w.optimizer = Optimizer::sgd; }, 12},
  }));
  CAPTURE(set_up.what);
  Workload w = training(Mode::full);
  set_up.set(w);
  CHECK(states(estimate(shape("meta-llama/Llama-2-7b-hf"), w)) == kLlama2 * set_up.bytes);
}

TEST_CASE("trained parameters of LoRA: rank x (in + out)", "[reference][states]") {
  struct Row {
    std::string model;
    std::int64_t rank;
    LoraTargets targets;
    double parameters;
  };
  constexpr LoraTargets kQv{.q = true, .k = false, .v = true, .o = false}, kAttention{},
      kAll{.mlp = true};
  const auto row = GENERATE_COPY(values<Row>({
      {"meta-llama/Llama-2-7b-hf", 8, kQv, 4'194'304},  // what PEFT prints
      {"meta-llama/Llama-2-7b-hf", 16, kAll, 39'976'960},
      {"meta-llama/Meta-Llama-3-8B", 16, kAll, 41'943'040},
      {"meta-llama/Meta-Llama-3-8B", 64, kAttention, 54'525'952},
  }));
  Workload w = training(Mode::lora, Framework::hf);
  w.lora_rank = row.rank;
  w.lora_targets = row.targets;
  const auto e = estimate(shape(row.model), w);
  CHECK(e.per_gpu.adapter.as_double() == row.parameters * 4);  // PEFT keeps them in 32 bits
  // base in 16 bits; adapter, its gradient and two moments in 32
  CHECK(states(e) ==
        static_cast<double>(e.parameters.total()) * 2 + row.parameters * 16);
}

TEST_CASE("QLoRA: only the linear layers of the blocks are in 4 bits", "[reference][states]") {
  Workload w = training(Mode::qlora, Framework::hf);
  w.precision = Precision::nf4dq;
  w.lora_rank = 16;
  w.lora_targets = LoraTargets{.mlp = true};
  // 6,476,005,376 x 0.515869140625 + 262,410,240 x 2 + 39,976,960 x 16
  CHECK(states(estimate(shape("meta-llama/Llama-2-7b-hf"), w)) == 4'505'223'168.0);
}

TEST_CASE("states that ranks share", "[reference][states]") {
  Workload w = training(Mode::full, Framework::hf);
  w.gpus = 8;
  w.sharding = Sharding::deepspeed;
  w.zero = 2;  // 2P + 18P/N (DeepSpeed, stage_1_and_2.py)
  CHECK(states(estimate(shape("meta-llama/Llama-2-7b-hf"), w)) == 28'638'266'368.0);
  w.zero = 3;  // 18P/N; the layers in flight come on top (15,685,723,136 with 4 x 131,072,000)
  CHECK(states(estimate(shape("meta-llama/Llama-2-7b-hf"), w)) == 15'685'723'136.0 - 4 * 131'072'000.0);
  Workload megatron = training(Mode::full, Framework::megatron);
  megatron.gpus = 8;  // 6 + 12/8 bytes a parameter with the distributed optimizer
  CHECK(states(estimate(shape("meta-llama/Llama-2-7b-hf"), megatron)) == kLlama2 * 7.5);
}

TEST_CASE("tensor and pipeline parts of GPT models hold 18 bytes of their parameters",
          "[reference][states]") {
  struct Row {
    std::int64_t hidden, layers, heads, pp;
  };
  // arXiv 2205.05198: 22B on 8 GPUs and 175B on 64 hold 45.5625 GiB of block matrices each,
  // 12 x layers x hidden^2 x 18 / (tp x pp)
  const auto row = GENERATE(values<Row>({{6144, 48, 64, 1}, {12288, 96, 96, 8}}));
  const auto states_of = [&row](std::int64_t layers) {
    ModelShape model;
    model.layers = layers;
    model.hidden = row.hidden;
    model.heads = model.kv_heads = row.heads;
    model.head_dim = row.hidden / row.heads;
    model.intermediate = 4 * row.hidden;
    model.vocab = 51'200;
    model.gated_mlp = false;
    model.tied = true;
    Workload w;
    w.mode = Mode::pretrain;
    w.framework = Framework::megatron;
    w.gpus = 8 * row.pp;
    w.tp = 8;
    w.pp = row.pp;
    return states(estimate(model, w));
  };
  // Half of the layers less: what is left is theirs, matrices and two norms each (not divided).
  const double half = states_of(row.layers) - states_of(row.layers / 2);
  const auto norms = static_cast<double>(2 * row.hidden * row.layers / 2 / row.pp) * 18;
  CHECK(2 * (half - norms) / kGiB == Approx(45.5625).epsilon(1e-9));
}
