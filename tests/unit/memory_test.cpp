#include <algorithm>

#include "catch.hpp"
#include "core/builtin.hpp"
#include "gpuplan/memory.hpp"
#include "gpuplan/models.hpp"
#include "gpuplan/money.hpp"

using namespace gpuplan;

namespace {

const ModelShape& model(std::string_view name) {
  static const ModelTable table = *read_models(builtin_models(), "models.json");
  const ModelShape* found = table.find(name);
  REQUIRE(found != nullptr);
  return *found;
}

MemoryEstimate estimate(std::string_view name, const Workload& workload) {
  const auto resolved = resolve(workload, model(name));
  REQUIRE(resolved);
  return estimate_memory(model(name), *resolved);
}

Workload inference(Precision precision) {
  Workload w;
  w.precision = precision;
  return w;
}

Workload training(Mode mode) {
  Workload w;
  w.mode = mode;
  return w;
}

// The rule of thumb that the fit is judged by: 1.3 times what the job needs.
Bytes asked_for(const MemoryEstimate& e) {
  return with_headroom(e.per_gpu.total, Decimal::of(13, 1));
}

// Memory as the driver reports it.
constexpr Bytes kRtx4090 = Bytes::mib(24564);
constexpr Bytes kA100_40 = Bytes::mib(40536);
constexpr Bytes kT4 = Bytes::mib(15360);

double gib(Bytes bytes) { return bytes.as_double() / Bytes::gib(1).as_double(); }

}  // namespace

TEST_CASE("full fine-tuning of a 7B with Adam takes 16 to 20 bytes a parameter: over 110 GB",
          "[memory][A1]") {
  const auto e = estimate("7b", training(Mode::full));
  const auto& per = e.per_gpu;
  const double states = (per.weights + per.gradients + per.optimizer).as_double();
  CHECK(states / 6'738'415'616.0 == Approx(16));
  CHECK(per.total > Bytes::gb(110));
  CHECK(per.total > kA100_40);  // "never one 24 GB card, and not one 40 GB card"
}

TEST_CASE("32-bit gradients make it 18 bytes a parameter", "[memory][A1]") {
  Workload w = training(Mode::full);
  w.framework = Framework::megatron;
  const auto& per = estimate("7b", w).per_gpu;
  CHECK((per.weights + per.gradients + per.optimizer).as_double() / 6'738'415'616.0 == Approx(18));
}

TEST_CASE("several cards share the states of a full fine-tuning when one is too small",
          "[memory][A1]") {
  Workload w = training(Mode::full);
  const Bytes alone = estimate("7b", w).per_gpu.total;
  w.gpus = 8;
  const auto e = estimate("7b", w);
  CHECK(e.workload.dp == 8);
  CHECK(e.workload.zero == 3);
  CHECK(e.per_gpu.optimizer.count() * 8 == Approx(6'738'415'616.0 * 12));
  CHECK(e.per_gpu.total < Bytes::rounded(alone.as_double() / 3));
}

TEST_CASE("DeepSpeed: 2P + 18P/N in ZeRO-2, 18P/N and what is gathered in ZeRO-3", "[memory][A1]") {
  Workload w = training(Mode::full);
  w.framework = Framework::hf;
  w.sharding = Sharding::deepspeed;
  w.gpus = 8;
  w.zero = 2;
  const auto states = [&] {
    const auto& per = estimate("7b", w).per_gpu;
    return (per.weights + per.gradients + per.optimizer).as_double();
  };
  CHECK(states() == Approx(28'638'266'368.0));
  w.zero = 3;
  CHECK(states() == Approx(6'738'415'616.0 * 18 / 8));
}

TEST_CASE("layers in host memory leave the card, with their cache in llama.cpp", "[memory][A7]") {
  Workload w = inference(Precision::q4_k_m);
  w.framework = Framework::llamacpp;
  const auto whole = estimate("7b", w).per_gpu;
  w.offload = OffloadKind::layers;
  w.offload_layers = 16;  // half of them
  const auto half = estimate("7b", w).per_gpu;
  CHECK(half.kv_cache.count() * 2 == whole.kv_cache.count());
  CHECK(half.weights.as_double() < 0.55 * whole.weights.as_double());
  w.offload_layers = 33;
  CHECK_FALSE(resolve(w, model("7b")));
}

TEST_CASE("a context that nobody states is the usual one, and never more than the model was made for", "[memory]") {
  CHECK(resolve(training(Mode::lora), model("7b"))->sequence == 2048);
  CHECK(resolve(Workload{}, model("7b"))->sequence == 4096);
  CHECK(resolve(training(Mode::lora), model("gpt2"))->sequence == 1024);
  const auto served = *resolve(Workload{}, model("gpt2"));
  CHECK(served.sequence == 1024);
  CHECK(served.input_tokens + served.output_tokens == 1024);  // 1,024 and 256 would not fit
  Workload asked = training(Mode::lora);
  asked.sequence = 2048;  // what is asked for is counted, with a warning
  CHECK(resolve(asked, model("gpt2"))->sequence == 2048);
  const auto warned = [](const MemoryEstimate& e) {
    return std::ranges::any_of(e.warnings, [](const Warning& w) { return w.code == "sequence_above_model_limit"; });
  };
  CHECK(warned(estimate("gpt2", asked)));
  CHECK_FALSE(warned(estimate("gpt2", training(Mode::lora))));
  for (const char* name : {"gpt2", "bert-base"}) CHECK_FALSE(warned(estimate(name, Workload{})));
}

TEST_CASE("weights for inference are parameters times bytes", "[memory][A2]") {
  CHECK(estimate("7b", inference(Precision::fp16)).per_gpu.weights ==
        Bytes::of(6'738'415'616 * 2));
  // Embedding, head and norms stay 16-bit in an INT8 or INT4 model.
  CHECK(estimate("13b", inference(Precision::int8)).per_gpu.weights > Bytes::gb(13));
  CHECK(estimate("13b", inference(Precision::int8)).per_gpu.weights < Bytes::of(13'600'000'000));
  CHECK(estimate("13b", inference(Precision::int4)).per_gpu.weights > Bytes::gb(7));
  CHECK(estimate("13b", inference(Precision::int4)).per_gpu.weights < Bytes::gb(8));
}

TEST_CASE("7B FP16 for one user is comfortable on 24 GB, 13B is not and wants 40 GB",
          "[memory][A3]") {
  CHECK(asked_for(estimate("7b", inference(Precision::fp16))) <= kRtx4090);
  const auto larger = estimate("13b", inference(Precision::fp16));
  CHECK(larger.per_gpu.total > kRtx4090);
  CHECK(asked_for(larger) <= kA100_40);
}

TEST_CASE("training needs 2 to 4 times the memory of inference, and more with full Adam",
          "[memory][A4]") {
  const double serving = estimate("7b", inference(Precision::bf16)).per_gpu.total.as_double();
  Workload light = training(Mode::full);
  light.framework = Framework::torchtune;  // pure 16-bit: 8 bytes a parameter
  light.checkpointing = Checkpointing::full;
  const double ratio = estimate("7b", light).per_gpu.total.as_double() / serving;
  CHECK(ratio > 2);
  CHECK(ratio < 4);
  CHECK(estimate("7b", training(Mode::full)).per_gpu.total.as_double() / serving > 4);
}

TEST_CASE("a 7B LoRA asks for about 32 GB with the headroom", "[memory][A5]") {
  const Bytes asked = asked_for(estimate("7b", training(Mode::lora)));
  CHECK(asked > Bytes::gb(28));
  CHECK(asked < Bytes::gb(34));
  CHECK(asked_for(estimate("7b", training(Mode::qlora))) <= kRtx4090);
}

TEST_CASE("a measured peak of 18 GB asks for a 23.4 GB card", "[memory][A6]") {
  CHECK(with_headroom(Bytes::gb(18), *Decimal::parse("1.3")) == Bytes::of(23'400'000'000));
  CHECK(with_headroom(Bytes::gb(18), *Decimal::parse("1")) == Bytes::gb(18));
}

TEST_CASE("a 7B in INT8 fits a 16 GB card with the headroom", "[memory][A7]") {
  CHECK(asked_for(estimate("7b", inference(Precision::int8))) <= kT4);
}

TEST_CASE("KV cache of a token is exact", "[memory][kv]") {
  const auto token = [](std::string_view name) {
    return estimate(name, inference(Precision::bf16)).kv_bytes_per_token;
  };
  CHECK(token("meta-llama/Llama-2-7b-hf") == 524'288);   // 2 x 32 layers x 32 heads x 128 x 2
  CHECK(token("meta-llama/Llama-2-70b-hf") == 327'680);  // 8 KV heads, 80 layers
  Workload eight_bit = inference(Precision::bf16);
  eight_bit.kv_precision = KvPrecision::fp8;
  CHECK(estimate("meta-llama/Llama-3.1-8B", eight_bit).kv_bytes_per_token == 65'536);
}

TEST_CASE("more cards than KV heads keep a copy of a head each", "[memory][kv]") {
  Workload w = inference(Precision::bf16);
  w.gpus = w.tp.emplace(16);
  CHECK(estimate("meta-llama/Llama-3.1-70B", w).kv_bytes_per_token == 40'960);  // not 20,480
}

TEST_CASE("input and output must fit the context", "[memory][resolve]") {
  Workload w;
  w.sequence = 1000;
  w.input_tokens = 900;
  w.output_tokens = 200;
  const auto refused = resolve(w, model("7b"));
  REQUIRE_FALSE(refused);
  REQUIRE(refused.errors().size() == 1);
  const std::string text = to_text(refused.errors()[0]);
  CHECK(text.find("--seq 1000") != std::string::npos);
  CHECK(text.find("--input-tokens 900") != std::string::npos);
  CHECK(text.find("--output-tokens 200") != std::string::npos);
  w.sequence = 1100;  // equality will do
  CHECK(resolve(w, model("7b")));
}

TEST_CASE("what nobody states takes the documented default", "[memory][resolve]") {
  const auto serving = *resolve(Workload{}, model("7b"));
  CHECK(serving.framework == Framework::vllm);
  CHECK(serving.sequence == 4096);
  CHECK(serving.input_tokens == 1024);
  CHECK(serving.output_tokens == 256);
  CHECK(serving.batch == 1);
  const auto lora = *resolve(training(Mode::lora), model("7b"));
  CHECK(lora.sequence == 2048);
  CHECK(lora.lora_rank == 8);
  CHECK(lora.checkpointing == Checkpointing::none);
  CHECK(resolve(training(Mode::qlora), model("7b"))->precision == Precision::nf4);
  CHECK(resolve(training(Mode::full), model("7b"))->master_weights);
  Workload hf = training(Mode::full);
  hf.framework = Framework::hf;
  CHECK_FALSE(resolve(hf, model("7b"))->master_weights);
}

TEST_CASE("the factors of the layout must multiply to the GPUs", "[memory][resolve]") {
  Workload w;
  w.gpus = 8;
  w.tp = 4;
  w.dp = 4;
  const auto refused = resolve(w, model("7b"));
  REQUIRE_FALSE(refused);
  CHECK(refused.errors()[0].source == "--gpus");
  CHECK(refused.errors()[0].hint.find("--gpus 16") != std::string::npos);
}

TEST_CASE("all mistakes are told in one run", "[memory][resolve]") {
  Workload w;
  w.batch = 0;
  w.zero = 7;
  w.engine_version = "new";
  const auto refused = resolve(w, model("7b"));
  REQUIRE_FALSE(refused);
  CHECK(refused.errors().size() == 3);
}

TEST_CASE("every part that is not zero is explained, in the order of the fields", "[memory]") {
  const auto e = estimate("7b", training(Mode::full));
  std::vector<std::string> parts;
  for (const auto& line : e.explain) {
    parts.push_back(line.part);
    CHECK_FALSE(line.formula.empty());
    CHECK_FALSE(line.source.empty());
  }
  CHECK(parts == std::vector<std::string>{"weights", "gradients", "optimizer", "activations",
                                          "logits", "framework", "allocated", "reserved", "total",
                                          "range"});
}

TEST_CASE("the peak is a maximum over moments, not the sum of the parts", "[memory]") {
  const auto& per = estimate("7b", training(Mode::full)).per_gpu;
  const Bytes sum = per.weights + per.gradients + per.optimizer + per.activations + per.logits;
  CHECK(per.allocated < sum);  // gradients and saved activations never meet in full
  CHECK(per.allocated < per.reserved);
  CHECK(per.total == per.reserved + per.framework);
}

TEST_CASE("full fine-tuning with Transformers peaks in the optimizer step: 10 bytes a parameter",
          "[memory]") {
  // fms-acceleration, Mistral-7B on one A100: 67.46 GiB allocated at any batch that fits.
  Workload w = training(Mode::full);
  w.framework = Framework::hf;
  w.checkpointing = Checkpointing::full;
  w.sequence = 4096;
  w.batch = 4;
  const auto e = estimate("mistralai/Mistral-7B-v0.1", w);
  CHECK(e.moment == PeakMoment::update);
  CHECK(gib(e.per_gpu.allocated) == Approx(67.46).epsilon(0.005));
}

TEST_CASE("torchtune's step-by-step table of a 3B is met within 4 %", "[memory]") {
  Workload w = training(Mode::full);
  w.framework = Framework::torchtune;
  w.sequence = 4096;
  w.batch = 2;
  w.compile = true;
  w.loss = Loss::plain;
  CHECK(gib(estimate("llama-3.2-3b", w).per_gpu.allocated) == Approx(51.0).epsilon(0.04));
  w.loss = Loss::chunked;
  CHECK(gib(estimate("llama-3.2-3b", w).per_gpu.allocated) == Approx(42.9).epsilon(0.04));
  w.checkpointing = Checkpointing::full;
  CHECK(gib(estimate("llama-3.2-3b", w).per_gpu.allocated) == Approx(24.9).epsilon(0.04));
  w.optimizer_in_backward = true;
  CHECK(gib(estimate("llama-3.2-3b", w).per_gpu.allocated) == Approx(23.1).epsilon(0.04));
}

TEST_CASE("vLLM's own peak before the pool is met within 2 %", "[memory]") {
  // Start-up log of vLLM 0.19 on an H100: 17.63 GiB, 0.51 of context included.
  Workload w = inference(Precision::bf16);
  w.engine_version = "0.19";
  w.sequence = 8192;
  const auto& per = estimate("meta-llama/Llama-3.1-8B", w).per_gpu;
  CHECK(gib(per.weights + per.activations + per.logits + per.workspace + per.framework) ==
        Approx(17.63).epsilon(0.02));
}

TEST_CASE("an old tuple cache is held twice", "[memory][kv]") {
  Workload w = inference(Precision::bf16);
  w.framework = Framework::hf;
  w.engine_version = "4.30";
  CHECK(estimate("7b", w).per_gpu.kv_cache == Bytes::gib(4));  // 2 x 2 GiB
  w.kv_cache = KvCache::static_;
  CHECK(estimate("7b", w).per_gpu.kv_cache == Bytes::gib(2));
}

TEST_CASE("latent attention keeps one vector a token and does not divide it", "[memory][kv]") {
  Workload w = inference(Precision::bf16);
  CHECK(estimate("deepseek-ai/DeepSeek-V2-Lite", w).kv_bytes_per_token == 31'104);
  w.gpus = 2;
  w.tp = 2;
  CHECK(estimate("deepseek-ai/DeepSeek-V2-Lite", w).kv_bytes_per_token == 31'104);
}

TEST_CASE("a paged optimizer keeps no states on the card", "[memory]") {
  Workload w = training(Mode::full);
  w.framework = Framework::torchtune;
  w.optimizer = Optimizer::paged_adamw8bit;
  CHECK(estimate("7b", w).per_gpu.optimizer == Bytes{});
  w.optimizer = Optimizer::adamw8bit;
  CHECK(estimate("7b", w).per_gpu.optimizer == Bytes::of(6'738'415'616 * 2));
}

TEST_CASE("LoRA parameters are rank x (in + out) of each target", "[memory]") {
  // Rank 16 on all seven matrices of Llama-2-7B: 39,976,960 parameters of 4 bytes.
  Workload w = training(Mode::lora);
  w.lora_rank = 16;
  w.lora_targets = LoraTargets{.mlp = true};
  CHECK(estimate("7b", w).per_gpu.adapter == Bytes::of(39'976'960LL * 4));
}

TEST_CASE("GGUF files: block types by their blocks, mixtures by published files", "[memory]") {
  CHECK(precision_info(Precision::q4_0).bits_per_weight == 4.5);
  CHECK(precision_info(Precision::q8_0).bits_per_weight == 8.5);
  CHECK(precision_info(Precision::q6_k).bits_per_weight == 6.5625);
  CHECK(precision_info(Precision::mxfp4).bits_per_weight == 4.25);
  // Llama-3.1-8B as Q4_K_M is a file of 4.58 GiB.
  Workload w = inference(Precision::q4_k_m);
  w.framework = Framework::llamacpp;
  CHECK(gib(estimate("meta-llama/Llama-3.1-8B", w).per_gpu.weights) == Approx(4.58).epsilon(0.002));
}

TEST_CASE("image fine-tuning of a medium vision model fits 24 GB", "[memory][A9]") {
  Workload w = training(Mode::vision);
  w.task = Task::train;
  w.batch = 32;
  const auto e = estimate("vit-base", w);
  CHECK(asked_for(e) <= kRtx4090);
  CHECK(e.per_gpu.activations > Bytes::gib(1));  // 197 patches x 12 layers x 32 images
  CHECK(e.kv_bytes_per_token == 0);
}

TEST_CASE("a model known by its size only is estimated with a warning", "[memory]") {
  const ModelShape shape = shape_of_size("9b", 9'000'000'000);
  const auto e = estimate_memory(shape, *resolve(Workload{}, shape));
  CHECK(e.per_gpu.weights == Bytes::gb(18));
  CHECK(e.kv_bytes_per_token > 0);
  const auto named = [&](std::string_view code) {
    return std::any_of(e.warnings.begin(), e.warnings.end(),
                       [&](const Warning& w) { return w.code == code; });
  };
  CHECK(named("model_size_only"));
  CHECK(named("engine_takes_share"));
}

TEST_CASE("a context above the model's own limit is a warning, not an error", "[memory]") {
  Workload w = inference(Precision::bf16);
  w.sequence = 8192;
  const auto e = estimate("7b", w);  // made for 4096
  CHECK(std::any_of(e.warnings.begin(), e.warnings.end(), [](const Warning& warning) {
    return warning.code == "sequence_above_model_limit";
  }));
}

TEST_CASE("the range holds the estimate and says how many measurements it rests on", "[memory]") {
  const auto e = estimate("7b", training(Mode::lora));
  CHECK(e.range.low < e.per_gpu.total);
  CHECK(e.range.high > e.per_gpu.total);
  CHECK(e.range.coverage == 0.8);
  CHECK(e.range.rows > 100);
}

TEST_CASE("formats that cannot be trained are refused with what can", "[memory][resolve]") {
  Workload w = training(Mode::lora);
  w.precision = Precision::q4_k_m;
  CHECK_FALSE(resolve(w, model("7b")));
  w = training(Mode::full);
  w.precision = Precision::nf4;
  CHECK_FALSE(resolve(w, model("7b")));
  w = training(Mode::qlora);
  w.precision = Precision::bf16;
  const auto refused = resolve(w, model("7b"));
  REQUIRE_FALSE(refused);
  CHECK(refused.errors()[0].hint.find("--mode lora") != std::string::npos);
}

TEST_CASE("recomputation trades saved activations for checkpoints", "[memory]") {
  Workload w = training(Mode::lora);
  const double kept = gib(estimate("7b", w).per_gpu.allocated);
  w.checkpointing = Checkpointing::full;
  CHECK(gib(estimate("7b", w).per_gpu.allocated) < kept - 5);
}

TEST_CASE("as many users as fit in 0.92 of the card", "[memory]") {
  const auto w = *resolve(inference(Precision::fp16), model("7b"));
  const std::int64_t most = max_concurrency(model("7b"), w, Bytes::gib(80));
  ResolvedWorkload full = w;
  full.batch = most;
  CHECK(estimate_memory(model("7b"), full).per_gpu.total <=
        Bytes::rounded(Bytes::gib(80).as_double() * 0.92));
  full.batch = most + 1;
  CHECK(estimate_memory(model("7b"), full).per_gpu.total >
        Bytes::rounded(Bytes::gib(80).as_double() * 0.92));
  CHECK(max_concurrency(model("7b"), w, Bytes::gib(4)) == 1);
}
