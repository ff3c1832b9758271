#include "speed/engines.hpp"

#include <algorithm>
#include <array>

namespace gpuplan::detail {
namespace {

// What is not set is the default of the structure: 0.92 of the bandwidth and 5.6 weights a clock
// and SM are what gpt-fast reaches on A100 and SGLang on H20, 0.77 and 0.91 what TensorRT-LLM does
// in serving. The first row also serves every framework that has none of its own (training
// frameworks used for inference: eager PyTorch).
constexpr std::array kEngines{
    Engine{.framework = Framework::hf,
           .name = "eager PyTorch",
           .stream_share = 0.65,
           .rate_8 = 5.4,
           .rate_4 = 6.0,
           .host_ms = 0.82,
           .host_unpack_ms = 0.76,
           .host_unpack_8_ms = 0.15,
           .kv_share = 0.52,
           .cache_use = CacheUse::copied,
           .dequant_bytes = 24.5,
           .source = "QwenLM/Qwen, Qwen2.5 tables: 1.8B, 7B and 14B all take about 0.8 ms a layer"},
    Engine{.framework = Framework::litgpt,
           .name = "LitGPT",
           .stream_share = 0.65,
           .host_ms = 1.0,
           .host_unpack_ms = 0.55,
           .dequant_bytes = 24.5,
           .source = "litgpt resource tables on A100: 1.0 ms a layer, 1.5 ms with nf4"},
    Engine{.framework = Framework::vllm,
           .name = "vLLM",
           .rate_16 = 6.4,
           .rate_8 = 13,
           .rate_4 = 24,
           .gap_us = 40,
           .unpack_gap_us = 25,
           .step_ms = 2,
           .user_us = 5,
           .prefill_share = 0.70,
           .fp8_share = 0.60,
           .attention_kernels = true,
           .source = "Qwen2.5 speed benchmark on A100 (vLLM 0.6.3), gpustack lab (vLLM 0.11)"},
    Engine{.framework = Framework::sglang,
           .name = "SGLang",
           .rate_16 = 5.3,
           .rate_8 = 11,
           .rate_4 = 11,
           .gap_us = 40,
           .step_ms = 1,
           .user_us = 5,
           .prefill_share = 0.70,
           .fp8_share = 0.60,
           .attention_kernels = true,
           .source = "Qwen3 speed benchmark on H20 (SGLang 0.4.6), gpustack lab (0.5.5)"},
    Engine{.framework = Framework::trtllm,
           .name = "TensorRT-LLM",
           .rate_8 = 11,
           .rate_4 = 16,
           .gap_us = 25,
           .step_ms = 0.5,
           .prefill_share = 0.82,
           .fp8_share = 1,
           .attention_kernels = true,
           .most_users = 2048,
           .source = "NVIDIA/TensorRT-LLM performance overview"},
    Engine{.framework = Framework::llamacpp,
           .name = "llama.cpp",
           .rate_16 = 3.4,
           .gap_us = 75,
           .kv_share = 0.37,
           .prefill_share = 0.51,
           .pass_tokens = 512,
           .hidden_bytes = 45,
           .dequant_bytes = 3.0,
           .quantises_head = true,
           .source = "XiongjieDai/GPU-Benchmarks-on-LLM-Inference (llama-bench, 2024)"},
    Engine{.framework = Framework::exllama,
           .name = "ExLlamaV2",
           .gap_us = 53,
           .pass_tokens = 2048,
           .dequant_bytes = 3.4,
           .quantises_head = true,
           .source = "mlc-ai/llm-perf-bench"},
    Engine{.framework = Framework::autoawq,
           .name = "AutoAWQ",
           .gap_us = 50,
           .cache_use = CacheUse::repeated,
           .pass_tokens = 2048,
           .dequant_bytes = 3.4,
           .source = "casper-hansen/AutoAWQ table on RTX 4090, fused modules"},
    Engine{.framework = Framework::mlc,
           .name = "MLC",
           .gap_us = 10,
           .pass_tokens = 2048,
           .dequant_bytes = 3.4,
           .quantises_head = true,
           .source = "mlc-ai/llm-perf-bench"},
    Engine{.framework = Framework::gptfast,
           .name = "gpt-fast",
           .gap_us = 38,
           .dequant_bytes = 3.4,
           .quantises_head = true,
           .source = "pytorch-labs/gpt-fast table on A100"},
};

constexpr std::array kTrainers{
    Trainer{
        .framework = Framework::hf,
        .name = "Transformers Trainer",
        .host_ms = 4.3,
        .casts_adapters = true,
        .source = "QwenLM/Qwen fine-tuning table: steps of 512 tokens last as long as launches"},
    Trainer{.framework = Framework::axolotl,
            .name = "Axolotl",
            .host_ms = 4.3,
            .casts_adapters = true,
            .source = "runs the Transformers Trainer"},
    Trainer{.framework = Framework::unsloth,
            .name = "Unsloth",
            .source = "fused kernels; no row that tests it"},
    Trainer{.framework = Framework::litgpt, .name = "LitGPT", .source = "litgpt resource tables"},
    Trainer{.framework = Framework::torchtune, .name = "torchtune", .source = "torchtune README"},
    Trainer{.framework = Framework::torchtitan,
            .name = "torchtitan",
            .source = "torchtitan benchmarks"},
    Trainer{.framework = Framework::foundry,
            .name = "llm-foundry",
            .attention_share = 0.78,
            .source = "llm-foundry benchmarking README: first version of FlashAttention"},
    Trainer{.framework = Framework::megatron,
            .name = "Megatron",
            .attention_kernels = true,
            .pipeline_chunks = 2,
            .source = "Megatron-Bridge performance summary: own attention, interleaved stages"},
};

template <class Row, std::size_t n>
const Row& row_of(const std::array<Row, n>& rows, Framework framework) {
  const auto row = std::ranges::find(rows, framework, &Row::framework);
  return row == rows.end() ? rows.front() : *row;
}

}  // namespace

const Engine& engine_of(Framework framework) {
  return row_of(kEngines, framework == Framework::automatic ? Framework::vllm : framework);
}

const Trainer& trainer_of(Framework framework) { return row_of(kTrainers, framework); }

}  // namespace gpuplan::detail
