#include "speed/engines.hpp"

#include <algorithm>
#include <array>

namespace gpuplan::detail {
namespace {

constexpr std::string_view kEagerSource =
    "QwenLM/Qwen and litgpt tables: 1.8B, 7B and 14B all take about 0.77 ms a layer";

// The first row also serves every framework that has none of its own (training frameworks used for
// inference: eager PyTorch).
constexpr std::array kEngines{
    Engine{Framework::hf, "eager PyTorch", 0.65, 5.6, 10, 11.5, 0, 0.80, 0.78, 0.50, CacheUse::copied, 0, 3.9,
           0.77, 8192, 8, 24.5, 0, 0.91, 256, false, kEagerSource},
    Engine{Framework::litgpt, "LitGPT", 0.65, 5.6, 10, 11.5, 0, 1.0, 0.55, 0.90, CacheUse::shared, 0,
           3.9, 0.77, 8192, 8, 24.5, 0, 0.91, 256, false,
           "litgpt resource tables on A100: 1.0 ms a layer, 1.5 ms with nf4"},
    Engine{Framework::vllm, "vLLM", 0.92, 5.6, 11, 16, 40, 0, 0, 0.90, CacheUse::shared, 2, 3.9, 0.77, 8192, 8, 0,
           1, 0.75, 256, false,
           "lmdeploy and vLLM tables; streaming and rate by SM: Qwen3 on H20, gpt-fast on A100"},
    Engine{Framework::sglang, "SGLang", 0.92, 5.6, 11, 11, 40, 0, 0, 0.90, CacheUse::shared, 1, 3.9, 0.77, 8192, 8,
           0, 1, 0.75, 256, false, "Qwen3 speed benchmark on H20 (SGLang 0.4.6)"},
    Engine{Framework::trtllm, "TensorRT-LLM", 0.92, 5.6, 11, 16, 25, 0, 0, 0.90, CacheUse::shared, 0.5, 3.9, 0.77,
           8192, 8, 0, 1, 0.91, 2048, false, "NVIDIA/TensorRT-LLM performance overview"},
    Engine{Framework::llamacpp, "llama.cpp", 0.92, 3.4, 10, 11.5, 75, 0, 0, 0.37, CacheUse::shared, 0, 3.9, 0.51, 512,
           45, 3.4, 0, 0.91, 256, true,
           "XiongjieDai/GPU-Benchmarks-on-LLM-Inference (llama-bench, 2024)"},
    Engine{Framework::exllama, "ExLlamaV2", 0.92, 5.6, 10, 11.5, 53, 0, 0, 0.90, CacheUse::shared, 0, 3.9, 0.77,
           2048, 8, 3.4, 0, 0.91, 256, true, "mlc-ai/llm-perf-bench"},
    Engine{Framework::autoawq, "AutoAWQ", 0.92, 5.6, 10, 11.5, 50, 0, 0, 0.90, CacheUse::repeated, 0, 3.9, 0.77, 2048,
           8, 3.4, 0, 0.91, 256, false, "casper-hansen/AutoAWQ table on RTX 4090"},
    Engine{Framework::mlc, "MLC", 0.92, 5.6, 10, 11.5, 10, 0, 0, 0.90, CacheUse::shared, 0, 3.9, 0.77, 2048, 8, 3.4,
           0, 0.91, 256, true, "mlc-ai/llm-perf-bench"},
    Engine{Framework::gptfast, "gpt-fast", 0.92, 5.6, 10, 11.5, 38, 0, 0, 0.90, CacheUse::shared, 0, 3.9, 0.77, 8192,
           8, 3.4, 0, 0.91, 256, true, "pytorch-labs/gpt-fast table on A100"},
};

constexpr std::array kTrainers{
    Trainer{Framework::hf, "Transformers Trainer", 4.3, 1, false, true, 1,
            "QwenLM/Qwen fine-tuning table: 512 tokens take as long on 1.8B as their launches"},
    Trainer{Framework::axolotl, "Axolotl", 4.3, 1, false, true, 1, "runs the Transformers Trainer"},
    Trainer{Framework::unsloth, "Unsloth", 0, 1, false, false, 1,
            "fused kernels; no row that tests it"},
    Trainer{Framework::litgpt, "LitGPT", 0, 1, false, false, 1, "litgpt resource tables"},
    Trainer{Framework::torchtune, "torchtune", 0, 1, false, false, 1, "torchtune README"},
    Trainer{Framework::torchtitan, "torchtitan", 0, 1, false, false, 1, "torchtitan benchmarks"},
    Trainer{Framework::foundry, "llm-foundry", 0, 0.78, false, false, 1,
            "llm-foundry benchmarking README: first version of FlashAttention"},
    Trainer{Framework::megatron, "Megatron", 0, 1, true, false, 2,
            "Megatron-Bridge performance summary: own attention kernels, interleaved stages"},
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
