// Mistakes that other memory calculators made, each reported in public, and the right answer here.
#include <algorithm>

#include "catch.hpp"
#include "gpuplan/model_files.hpp"
#include "gpuplan/money.hpp"
#include "gpuplan/plan.hpp"
#include "memory_help.hpp"

using namespace gpuplan;
using namespace gpuplan::memory_help;

namespace {

constexpr Bytes kRtx4090 = Bytes::mib(24564);

const Warning* warning(const MemoryEstimate& e, std::string_view code) {
  const auto found = std::ranges::find(e.warnings, code, &Warning::code);
  return found == e.warnings.end() ? nullptr : &*found;
}

Estimate on_card(const std::string& name, const std::string& card, const Workload& workload,
                 std::optional<Bytes> used = std::nullopt) {
  static const ModelTable models = *read_models(builtin_models(), "models.json");
  static const CardTable cards = *read_cards(builtin_cards(), "cards.json");
  Job job;
  job.model = name;
  job.workload = workload;
  job.cards = {card};
  job.memory_used = used;
  auto result = make_estimate(job, shape(name), Tables{.cards = &cards, .models = &models});
  REQUIRE(result);
  return *result;
}

}  // namespace

TEST_CASE("a mixture of experts needs room for all of them, not only for those at work",
          "[mistakes][weights]") {
  // llmfit 230: 122B with 10B active in Q4_K_M is 70 to 75 GB, never 48
  const auto qwen = estimate("Qwen/Qwen3.5-122B-A10B", llama_cpp(Precision::q4_k_m, 4096));
  CHECK(qwen.per_gpu.weights > Bytes::gb(70));
  CHECK(qwen.per_gpu.weights < Bytes::gb(77));
  CHECK(qwen.per_gpu.total > Bytes::gb(48));
  // llmfit 497: DeepSeek-V3 about 390 GB, not the 22 GB of its 37B active ones
  const auto deepseek = estimate("deepseek-ai/DeepSeek-V3", llama_cpp(Precision::q4_k_m, 4096));
  CHECK(deepseek.per_gpu.weights > Bytes::gb(380));
  // selfhostllm: a preset with the active part only
  CHECK(estimate("mistralai/Mixtral-8x7B-v0.1", Workload{}).per_gpu.weights > Bytes::gb(93));
}

TEST_CASE("without a stated context the window of the advertisement is not paid for",
          "[mistakes][kv]") {
  // llmfit 302: a 9B in Q4_K_M (5.29 GB) runs on 8 GB; 26.3 GB were asked for its 262,144 tokens
  Workload w = llama_cpp(Precision::q4_k_m, 4096);
  w.sequence.reset();
  const auto e = estimate("Qwen/Qwen3.5-9B", w);
  CHECK(e.workload.sequence == 4096);
  CHECK(e.per_gpu.total < Bytes::gib(8));
}

TEST_CASE("only the layers with attention keep a KV cache", "[mistakes][kv]") {
  // llmfit 203: 8 of the 32 layers of Qwen3.5-9B: 2 x 8 x 4 x 256 x 2 bytes a token
  const auto e = estimate("Qwen/Qwen3.5-9B", llama_cpp(Precision::q8_0, 8192));
  CHECK(e.kv_bytes_per_token == 32'768);
  CHECK(on_card("Qwen/Qwen3.5-9B", "RTX 4080", llama_cpp(Precision::q8_0, 8192)).cards[0].fits);
  // hf-mem and llm-d-planner: Nemotron-3-Nano at 262,144 tokens is 1.5 GiB and 47 MiB of states
  const auto nemotron = estimate("nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B",
                                 llama_cpp(Precision::bf16, 262'144));
  CHECK(nemotron.kv_bytes_per_token * 262'144 == Bytes::gib(3).count() / 2);
  CHECK(gib(nemotron.per_gpu.kv_cache) - 1.5 == Approx(47 / 1024.0).epsilon(0.02));
}

TEST_CASE("the memory of two cards is not one pool", "[mistakes][layout]") {
  // llmfit 46: replicas need the same on each card as one alone
  Workload two;
  two.gpus = two.dp.emplace(2);
  CHECK(estimate("13b", two).per_gpu.weights == estimate("13b", Workload{}).per_gpu.weights);
}

TEST_CASE("what others use on a card is not free", "[mistakes][room]") {
  // llmfit 835: 20 of 24 GB in use
  Workload w = llama_cpp(Precision::q4_0, 4096);
  CHECK(on_card("7b", "RTX 4090", w).cards[0].fits);
  CHECK_FALSE(on_card("7b", "RTX 4090", w, Bytes::gb(20)).cards[0].fits);
}

TEST_CASE("the KV cache follows the architecture, not the number of parameters",
          "[mistakes][kv]") {
  // llmfit 411, llm-d 454, vllm-fit 2, LLM-Viewer 12, gpu_poor: grouped queries
  CHECK(estimate("meta-llama/Llama-2-70b-hf", Workload{}).kv_bytes_per_token == 327'680);
  CHECK(estimate("7b", Workload{}).kv_bytes_per_token == 524'288);
  // GenZ: falcon-7b has one KV head, not 71
  CHECK(estimate("tiiuae/falcon-7b", Workload{}).kv_bytes_per_token == 8'192);
  // LMCache 688, 2248: the stated head size, not hidden / heads
  CHECK(estimate("Qwen/Qwen3-4B", Workload{}).kv_bytes_per_token == 2 * 36 * 8 * 128 * 2);
  CHECK(estimate("zai-org/GLM-4.5", Workload{}).kv_bytes_per_token == 2 * 92 * 8 * 128 * 2);
  // EleutherAI's calculator: keys and values, 2.00 GiB for 4096 tokens of Llama-2-7B
  CHECK(estimate("7b", llama_cpp(Precision::bf16, 4096)).per_gpu.kv_cache == Bytes::gib(2));
  // llm-d 420: an 8-bit cache under 16-bit weights
  Workload narrow;
  narrow.kv_precision = KvPrecision::fp8;
  CHECK(estimate("7b", narrow).kv_bytes_per_token == 262'144);
}

TEST_CASE("latent attention keeps one vector a token, under whatever name the model comes",
          "[mistakes][kv]") {
  // LMCache 2132; ollama 17201
  CHECK(estimate("deepseek-ai/DeepSeek-V3", Workload{}).kv_bytes_per_token == 70'272);
  CHECK(estimate("deepseek-ai/DeepSeek-V2-Lite", llama_cpp(Precision::bf16, 32'768))
            .per_gpu.kv_cache == Bytes::of(32'768LL * 31'104));
  // hf-mem: 163,840 tokens of DeepSeek-V3 are 10.72 GiB, not 266.9
  CHECK(gib(estimate("deepseek-ai/DeepSeek-V3", llama_cpp(Precision::fp8, 163'840))
                .per_gpu.kv_cache) == Approx(10.72).margin(0.005));
  // llm-d-planner: Kimi-K2.5 hides its shape in a nested configuration: 17.16 GiB, not 427
  const auto kimi = read_hf_config(R"({
      "architectures": ["KimiK25ForConditionalGeneration"], "model_type": "kimi_k25",
      "text_config": {"architectures": ["DeepseekV3ForCausalLM"], "model_type": "kimi_k2",
        "hidden_size": 7168, "num_hidden_layers": 61, "num_attention_heads": 64,
        "num_key_value_heads": 64, "intermediate_size": 18432, "vocab_size": 163840,
        "kv_lora_rank": 512, "q_lora_rank": 1536, "qk_nope_head_dim": 128,
        "qk_rope_head_dim": 64, "v_head_dim": 128, "n_routed_experts": 384,
        "num_experts_per_tok": 8, "n_shared_experts": 1, "moe_intermediate_size": 2048,
        "first_k_dense_replace": 1, "hidden_act": "silu", "tie_word_embeddings": false}})",
                                   "config.json");
  REQUIRE(kimi);
  CHECK(gib(estimate(*kimi, llama_cpp(Precision::bf16, 262'144)).per_gpu.kv_cache) ==
        Approx(17.16).margin(0.005));
}

TEST_CASE("parameters: three matrices in a gated MLP, a tied head once, norms whole on each GPU",
          "[mistakes][weights]") {
  CHECK(count_parameters(shape("baichuan-inc/Baichuan2-7B-Base")).total() == 7'505'973'248);
  CHECK(gib(estimate("Qwen/Qwen3-0.6B", Workload{}).per_gpu.weights) ==
        Approx(1.11).margin(0.005));  // vLLM logs 1.12
  // LLM-Viewer: embedding and head belong to the weights: 12.55 GiB, not 12.06
  CHECK(gib(estimate("7b", Workload{}).per_gpu.weights) == Approx(12.55).margin(0.005));
  // llm-analysis 19: two norms a layer and a final one, not divided by tensor parallelism
  Workload halves;
  halves.gpus = halves.tp.emplace(2);
  const std::int64_t norms = (2 * 32 + 1) * 4096;
  CHECK(estimate("7b", halves).per_gpu.weights ==
        Bytes::of((6'738'415'616 - norms) / 2 * 2 + norms * 2));
}

TEST_CASE("GB and GiB are not the same", "[mistakes]") {
  CHECK(Bytes::gb(22) < Bytes::gib(22));  // ollama 6160
}

TEST_CASE("two 24 GB cards have room for a 32B in 8 bits and 12K tokens", "[mistakes][layout]") {
  // ollama 10911 planned 47 GB: 34.8 of weights, 3.2 of cache
  Workload w = llama_cpp(Precision::q8_0, 12'288);
  w.gpus = w.pp.emplace(2);
  const auto e = estimate("Qwen/Qwen3-32B", w);
  CHECK(e.per_gpu.total < Bytes::gib(22));
  CHECK(e.per_gpu.total > Bytes::gb(18));
}

TEST_CASE("layers with a window do not keep the whole context, and both readings are told",
          "[mistakes][kv]") {
  // ollama 9730, 9678: gemma3:12b at 32,768 tokens, 8 of 48 layers keep everything
  const auto gemma = estimate("google/gemma-3-12b", llama_cpp(Precision::q4_0, 32'768));
  const std::int64_t layer = 2 * 8 * 256 * 2;
  CHECK(gemma.per_gpu.kv_cache == Bytes::of(8 * layer * 32'768 + 40 * layer * 1024));
  // hf-mem 70: gpt-oss-20b, 32 x 8192: 6.09 GiB by the window, 12.00 when pages are of one size
  Workload w = llama_cpp(Precision::bf16, 8192, 32);
  const Warning* bounds = warning(estimate("openai/gpt-oss-20b", w), "window_bounds");
  REQUIRE(bounds != nullptr);
  CHECK(bounds->message.find("6.09 GiB") != std::string::npos);
  CHECK(bounds->message.find("12.00 GiB") != std::string::npos);
}

TEST_CASE("a longer prompt and a larger model never need less", "[mistakes]") {
  // ollama 16310: at 262,144 tokens larger models were given less, and crashed
  const auto total = [](const std::string& name, std::int64_t tokens) {
    return estimate(name, llama_cpp(Precision::bf16, tokens)).per_gpu;
  };
  const auto small = total("Qwen/Qwen3.5-9B", 262'144), large = total("Qwen/Qwen3.6-27B", 262'144);
  CHECK(small.total < large.total);
  CHECK(total("Qwen/Qwen3.6-27B", 75'000).total < large.total);
  CHECK(large.total > large.weights + large.kv_cache);  // the prompt pass needs room as well
}

TEST_CASE("an encoder has no KV cache and no vocabulary of logits", "[mistakes][encoder]") {
  // gpustack 2412, gguf-parser 2: bge-reranker-v2-m3 at 8192 tokens is 0.9 to 1.7 GB, not 13.8
  const auto reranker = read_model(R"({"schema": "gpuplan.model/1", "name": "bge-reranker-v2-m3",
      "kind": "encoder", "layers": 24, "hidden": 1024, "heads": 16, "intermediate": 4096,
      "vocab": 250002, "mlp": "plain", "norm": "layer"})", "m.json");
  REQUIRE(reranker);
  Workload w;
  w.mode = Mode::encoder;
  w.precision = Precision::fp16;
  w.sequence = 8192;
  const auto e = estimate(*reranker, w);
  CHECK(e.per_gpu.kv_cache == Bytes{});
  CHECK(e.per_gpu.logits == Bytes{});
  CHECK(e.per_gpu.reserved < Bytes::mib(1700));
  // gpustack 1047: a server of embeddings sets no share of the card aside
  CHECK(warning(e, "engine_takes_share") == nullptr);
}

TEST_CASE("llama.cpp: the output layer is the first on the card, logits of a prompt are not there",
          "[mistakes][llamacpp]") {
  // gguf-parser 42: OLMoE with one layer on the GPU has its output matrix there, 80.60 MiB in Q6_K
  Workload w = llama_cpp(Precision::q4_0, 4096);
  w.offload = OffloadKind::layers;
  w.offload_layers = 16;
  const auto olmoe = estimate("allenai/OLMoE-1B-7B-0125", w);
  CHECK(olmoe.per_gpu.weights == Bytes::of(50'304LL * 2048 * 210 / 256));
  // lilbee 761: 512 x vocabulary x 4 bytes booked on the card were 66 % of a small model
  const auto qwen = estimate("Qwen/Qwen3-0.6B", llama_cpp(Precision::q8_0, 4096));
  CHECK(qwen.per_gpu.logits < Bytes::mib(2));
}

TEST_CASE("the peak of a diffusion model grows with the image", "[mistakes][images]") {
  // gpustack 1601
  Workload w;
  w.mode = Mode::diffusion;
  w.precision = Precision::bf16;
  w.image_size = 512;
  const auto small = estimate("sdxl", w);
  w.image_size = 1024;
  CHECK(small.per_gpu.total < estimate("sdxl", w).per_gpu.total);
}

TEST_CASE("671B in two bits do not fit eight cards of 24 GB", "[mistakes][layout]") {
  // gpustack 1126: 49 layers were planned, the run went out of memory
  Workload w = llama_cpp(Precision::iq2_xxs, 4096);
  w.gpus = w.pp.emplace(8);
  CHECK(estimate("deepseek-ai/DeepSeek-R1", w).per_gpu.total > kRtx4090);
}

TEST_CASE("what a serving engine sets aside is not what the job needs", "[mistakes][engine]") {
  // gpustack 2462: 1.8 GB planned, 21.85 shown on a 24 GB card
  Workload w;
  w.card_memory = kRtx4090;
  const auto e = estimate("Qwen/Qwen3-0.6B", w);
  CHECK(e.per_gpu.total < Bytes::gb(8));
  CHECK(warning(e, "engine_takes_share") != nullptr);
}

TEST_CASE("ZeRO divides by the data-parallel ranks, after tensor and pipeline parts",
          "[mistakes][states]") {
  // EleutherAI's calculator divided by all 16 GPUs once more
  Workload w = training(Mode::pretrain, Framework::megatron);
  w.tp = 4;
  w.pp = 2;
  w.gpus = 8;
  const auto alone = estimate("7b", w);
  w.gpus = 16;
  const auto pair = estimate("7b", w);
  CHECK(pair.per_gpu.optimizer.as_double() == Approx(alone.per_gpu.optimizer.as_double() / 2));
  CHECK(pair.per_gpu.weights == alone.per_gpu.weights);
}

TEST_CASE("LoRA on a 7B is near 16 GB, not near full fine-tuning", "[mistakes][lora]") {
  // gpu_poor 1: 177 GB for LoRA, 180 for QLoRA at 2048 tokens
  Workload w = training(Mode::lora, Framework::litgpt);
  w.checkpointing = Checkpointing::full;
  const auto lora = estimate("codellama/CodeLlama-7b-hf", w);
  CHECK(lora.per_gpu.allocated > Bytes::gb(14));
  CHECK(lora.per_gpu.allocated < Bytes::gb(18));
  w.mode = Mode::qlora;
  const auto qlora = estimate("codellama/CodeLlama-7b-hf", w);
  CHECK(qlora.per_gpu.allocated < lora.per_gpu.allocated);
}

TEST_CASE("a flash kernel keeps no map of all pairs of tokens", "[mistakes][activations]") {
  // xinference: 17 GB of activations for one prompt of 16,384 tokens
  Workload w;
  w.framework = Framework::hf;
  w.precision = Precision::int4;
  w.sequence = 16'384;
  w.input_tokens = 16'000;
  w.output_tokens = 256;
  const auto e = estimate("Qwen/Qwen1.5-7B", w);
  CHECK(e.per_gpu.activations < Bytes::gb(2));
  w.attention = Attention::eager;
  CHECK(estimate("Qwen/Qwen1.5-7B", w).per_gpu.activations > Bytes::gb(17));
  // Megatron-LM 525: without it GPT-2 large went past 30 GiB where 23.3 GB were planned
  Workload gpt2 = training(Mode::pretrain);
  gpt2.batch = 4;
  gpt2.sequence = 1024;
  const auto fused = estimate("openai-community/gpt2-large", gpt2);
  gpt2.attention = Attention::eager;
  const auto unfused = estimate("openai-community/gpt2-large", gpt2);
  // 36 layers x 20 heads x 4 x 1024 x 1024 x 5 bytes
  CHECK((unfused.per_gpu.activations - fused.per_gpu.activations).as_double() ==
        Approx(36.0 * 20 * 4 * 1024 * 1024 * 5));
}

TEST_CASE("full offload to the host leaves more on the card than the states that moved",
          "[mistakes][offload]") {
  // DeepSpeed 4527, 4093: 0.49 and 0.77 GB planned; activations and layers in flight were left out
  Workload w = training(Mode::full, Framework::hf);
  w.gpus = 4;
  w.zero = 3;
  w.sharding = Sharding::deepspeed;
  w.offload = OffloadKind::all;
  const auto llama = estimate("7b", w);
  CHECK(states(llama) == 0);
  CHECK(llama.per_gpu.total > Bytes::gib(3));
  w.gpus = 2;
  CHECK(estimate("EleutherAI/gpt-j-6b", w).per_gpu.total > Bytes::gib(3));
}

TEST_CASE("activations of a mixture of experts follow the experts at work",
          "[mistakes][activations]") {
  // Megatron-LM 6782 priced each layer as one dense MLP
  ModelShape model = shape("mistralai/Mixtral-8x7B-v0.1");
  const auto two = estimate(model, training(Mode::pretrain));
  model.moe->active = 4;
  const auto four = estimate(model, training(Mode::pretrain));
  CHECK(four.per_gpu.activations > two.per_gpu.activations);
}

TEST_CASE("a context has to fit beside the weights", "[mistakes][kv]") {
  // Dynamo 10104: a server was given 131,072 tokens of a 70B that its cards had no room for
  Workload w;
  w.precision = Precision::fp8;
  w.gpus = w.tp.emplace(4);
  w.sequence = 131'072;
  const auto e = estimate("meta-llama/Llama-3.1-70B", w);
  CHECK(gib(e.per_gpu.kv_cache) == Approx(10));
  CHECK(e.per_gpu.total > e.per_gpu.weights + e.per_gpu.kv_cache);
}

TEST_CASE("training is a sum over what is alive, and keeps no KV cache", "[mistakes][states]") {
  // accelerate took the largest part: 50.2 GiB instead of 100; LLM-Tools added a cache
  const auto e = estimate("7b", training(Mode::full));
  CHECK(states(e) / (1024.0 * 1024 * 1024) == Approx(100.41).margin(0.005));
  CHECK(e.per_gpu.kv_cache == Bytes{});
}
