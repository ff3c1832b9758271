#include "memory/frameworks.hpp"

#include <algorithm>
#include <array>

namespace gpuplan::detail {
namespace {

using enum Serving;
using enum MasterStyle;
constexpr auto kPlain = Loss::plain;
constexpr auto kChunked = Loss::chunked;
constexpr auto kCut = Loss::cut;
constexpr auto kNone = Checkpointing::none;
constexpr auto kFull = Checkpointing::full;

// clang-format off
constexpr std::array kTable{
    FrameworkTraits{
        .framework = Framework::automatic, .serving = eager, .reserve = 1.05, .context_gib = 0.5,
        .loss = kPlain, .plain_loss = 11, .chunked_loss = 2,
        .master = true, .master_when_sharded = true, .master_style = copy, .adapter_bytes = 4,
        .fused_update = true, .accumulates = false,
        .checkpointing = kNone, .compile = false, .norm_bytes = 8, .adapter_input_bytes = 2,
        .adapter_inputs_shared = true, .fused_qkv_bytes = 0,
        .units_apart = false, .saves_whole = false, .shards_quantised = true,
        .untied_head = false, .quantises_head = false, .quantises_experts = false,
        .cache = KvCache::dynamic,
        .source = "plain mixed precision: 2 + 2 + 4 + 8 bytes a parameter (ml-engineering, "
                  "training/performance); loss 11 bytes: torchtune step table, litgpt pairs"},
    FrameworkTraits{
        .framework = Framework::hf, .serving = eager, .reserve = 1.06, .context_gib = 0.5,
        .loss = kPlain, .plain_loss = 11, .chunked_loss = 2,
        .master = false, .master_when_sharded = true, .master_style = fp32, .adapter_bytes = 4,
        .fused_update = false, .accumulates = false,
        .checkpointing = kNone, .compile = false, .norm_bytes = 8, .adapter_input_bytes = 4,
        .adapter_inputs_shared = false, .fused_qkv_bytes = 0,
        .units_apart = false, .saves_whole = false, .shards_quantised = true,
        .untied_head = false, .quantises_head = false, .quantises_experts = true,
        .cache = KvCache::dynamic,
        .source = "fms-acceleration benchmark (A100): full fine-tuning 10 bytes a parameter on one "
                  "GPU, 20 over the ranks with FSDP; adapters 32-bit: PEFT model files"},
    FrameworkTraits{
        .framework = Framework::axolotl, .serving = eager, .reserve = 1.06, .context_gib = 0.5,
        .loss = kPlain, .plain_loss = 11, .chunked_loss = 2,
        .master = false, .master_when_sharded = true, .master_style = fp32, .adapter_bytes = 4,
        .fused_update = false, .accumulates = false,
        .checkpointing = kFull, .compile = false, .norm_bytes = 8, .adapter_input_bytes = 4,
        .adapter_inputs_shared = false, .fused_qkv_bytes = 0,
        .units_apart = false, .saves_whole = false, .shards_quantised = true,
        .untied_head = false, .quantises_head = false, .quantises_experts = false,
        .cache = KvCache::dynamic,
        .source = "axolotl examples; fused experts stay 16-bit: axolotl docs, expert quantisation"},
    FrameworkTraits{
        .framework = Framework::unsloth, .serving = eager, .reserve = 1.06, .context_gib = 0.5,
        .loss = kCut, .plain_loss = 11, .chunked_loss = 2,
        .master = false, .master_when_sharded = true, .master_style = fp32, .adapter_bytes = 4,
        .fused_update = false, .accumulates = false,
        .checkpointing = kFull, .compile = false, .norm_bytes = 4, .adapter_input_bytes = 2,
        .adapter_inputs_shared = true, .fused_qkv_bytes = 0,
        .units_apart = false, .saves_whole = false, .shards_quantised = false,
        .untied_head = false, .quantises_head = false, .quantises_experts = false,
        .cache = KvCache::dynamic,
        .source = "unsloth VRAM_ESTIMATION.md: fused cross entropy and recomputation by default"},
    FrameworkTraits{
        .framework = Framework::litgpt, .serving = eager, .reserve = 1.05, .context_gib = 0.5,
        .loss = kPlain, .plain_loss = 11, .chunked_loss = 2,
        .master = false, .master_when_sharded = false, .master_style = fp32, .adapter_bytes = 2,
        .fused_update = true, .accumulates = true,
        .checkpointing = kNone, .compile = false, .norm_bytes = 8, .adapter_input_bytes = 3,
        .adapter_inputs_shared = true, .fused_qkv_bytes = 3,
        .units_apart = false, .saves_whole = true, .shards_quantised = true,
        .untied_head = true, .quantises_head = true, .quantises_experts = true,
        .cache = KvCache::static_,
        .source = "Lightning-AI/litgpt fine-tuning scripts and model code; config_hub tables"},
    FrameworkTraits{
        .framework = Framework::torchtune, .serving = eager, .reserve = 1.05, .context_gib = 0.5,
        .loss = kChunked, .plain_loss = 11, .chunked_loss = 2,
        .master = false, .master_when_sharded = false, .master_style = fp32, .adapter_bytes = 2,
        .fused_update = true, .accumulates = false,
        .checkpointing = kNone, .compile = false, .norm_bytes = 10, .adapter_input_bytes = 2,
        .adapter_inputs_shared = true, .fused_qkv_bytes = 0,
        .units_apart = true, .saves_whole = false, .shards_quantised = true,
        .untied_head = false, .quantises_head = false, .quantises_experts = true,
        .cache = KvCache::static_,
        .source = "torchtune README: step-by-step memory table of Llama-3.2-3B"},
    FrameworkTraits{
        .framework = Framework::torchtitan, .serving = eager, .reserve = 1.10, .context_gib = 0.5,
        .loss = kPlain, .plain_loss = 14, .chunked_loss = 2,
        .master = true, .master_when_sharded = true, .master_style = fp32, .adapter_bytes = 4,
        .fused_update = true, .accumulates = false,
        .checkpointing = kFull, .compile = true, .norm_bytes = 8, .adapter_input_bytes = 2,
        .adapter_inputs_shared = true, .fused_qkv_bytes = 0,
        .units_apart = false, .saves_whole = false, .shards_quantised = true,
        .untied_head = false, .quantises_head = false, .quantises_experts = true,
        .cache = KvCache::static_,
        .source = "torchtitan docs/performance.md (2024-12): Llama 3.1 on H100, memory column"},
    FrameworkTraits{
        .framework = Framework::foundry, .serving = eager, .reserve = 1.05, .context_gib = 0.5,
        .loss = kPlain, .plain_loss = 4, .chunked_loss = 2,
        .master = false, .master_when_sharded = false, .master_style = fp32, .adapter_bytes = 4,
        .fused_update = true, .accumulates = false,
        .checkpointing = kNone, .compile = false, .norm_bytes = 4, .adapter_input_bytes = 4,
        .adapter_inputs_shared = false, .fused_qkv_bytes = 0,
        .units_apart = false, .saves_whole = false, .shards_quantised = true,
        .untied_head = false, .quantises_head = false, .quantises_experts = true,
        .cache = KvCache::dynamic,
        .source = "llm-foundry scripts/train/benchmarking: configurations that ran; fused loss"},
    FrameworkTraits{
        .framework = Framework::megatron, .serving = eager, .reserve = 1.05, .context_gib = 0.5,
        .loss = kPlain, .plain_loss = 4, .chunked_loss = 2,
        .master = true, .master_when_sharded = true, .master_style = copy_fp32g, .adapter_bytes = 4,
        .fused_update = true, .accumulates = true,
        .checkpointing = kNone, .compile = false, .norm_bytes = 4, .adapter_input_bytes = 2,
        .adapter_inputs_shared = true, .fused_qkv_bytes = 0,
        .units_apart = false, .saves_whole = false, .shards_quantised = true,
        .untied_head = false, .quantises_head = false, .quantises_experts = true,
        .cache = KvCache::static_,
        .source = "Megatron-LM theoretical_memory_usage.py: 18 bytes, 6 + 12/N with the "
                  "distributed optimizer, output layer 4 (h + V) a token"},
    FrameworkTraits{
        .framework = Framework::vllm, .serving = engine, .reserve = 1.0, .context_gib = 0.51,
        .loss = kPlain, .plain_loss = 11, .chunked_loss = 2,
        .master = false, .master_when_sharded = false, .master_style = copy, .adapter_bytes = 2,
        .fused_update = true, .accumulates = false,
        .checkpointing = kNone, .compile = true, .norm_bytes = 4, .adapter_input_bytes = 2,
        .adapter_inputs_shared = true, .fused_qkv_bytes = 0,
        .units_apart = false, .saves_whole = false, .shards_quantised = true,
        .untied_head = false, .quantises_head = false, .quantises_experts = true,
        .cache = KvCache::paged,
        .source = "llm-d planner start-up logs of vLLM 0.11 and 0.19 on H100"},
    FrameworkTraits{
        .framework = Framework::sglang, .serving = engine, .reserve = 1.0, .context_gib = 0.51,
        .loss = kPlain, .plain_loss = 11, .chunked_loss = 2,
        .master = false, .master_when_sharded = false, .master_style = copy, .adapter_bytes = 2,
        .fused_update = true, .accumulates = false,
        .checkpointing = kNone, .compile = true, .norm_bytes = 4, .adapter_input_bytes = 2,
        .adapter_inputs_shared = true, .fused_qkv_bytes = 0,
        .units_apart = false, .saves_whole = false, .shards_quantised = true,
        .untied_head = false, .quantises_head = false, .quantises_experts = true,
        .cache = KvCache::paged,
        .source = "as vLLM; pool sizes agree with an SGLang issue log of Qwen3-235B"},
    FrameworkTraits{
        .framework = Framework::trtllm, .serving = engine, .reserve = 1.0, .context_gib = 0.51,
        .loss = kPlain, .plain_loss = 11, .chunked_loss = 2,
        .master = false, .master_when_sharded = false, .master_style = copy, .adapter_bytes = 2,
        .fused_update = true, .accumulates = false,
        .checkpointing = kNone, .compile = true, .norm_bytes = 4, .adapter_input_bytes = 2,
        .adapter_inputs_shared = true, .fused_qkv_bytes = 0,
        .units_apart = false, .saves_whole = false, .shards_quantised = true,
        .untied_head = false, .quantises_head = false, .quantises_experts = true,
        .cache = KvCache::paged,
        .source = "as vLLM; not checked against measurements"},
    FrameworkTraits{
        .framework = Framework::llamacpp, .serving = graph, .reserve = 1.03, .context_gib = 0.45,
        .loss = kPlain, .plain_loss = 11, .chunked_loss = 2,
        .master = false, .master_when_sharded = false, .master_style = copy, .adapter_bytes = 2,
        .fused_update = true, .accumulates = false,
        .checkpointing = kNone, .compile = true, .norm_bytes = 4, .adapter_input_bytes = 2,
        .adapter_inputs_shared = true, .fused_qkv_bytes = 0,
        .units_apart = false, .saves_whole = false, .shards_quantised = true,
        .untied_head = false, .quantises_head = false, .quantises_experts = true,
        .cache = KvCache::static_,
        .source = "llama.cpp: micro-batch of 512 tokens; not checked against totals"},
    FrameworkTraits{
        .framework = Framework::exllama, .serving = fused, .reserve = 1.03, .context_gib = 0.45,
        .loss = kPlain, .plain_loss = 11, .chunked_loss = 2,
        .master = false, .master_when_sharded = false, .master_style = copy, .adapter_bytes = 2,
        .fused_update = true, .accumulates = false,
        .checkpointing = kNone, .compile = true, .norm_bytes = 4, .adapter_input_bytes = 2,
        .adapter_inputs_shared = true, .fused_qkv_bytes = 0,
        .units_apart = false, .saves_whole = false, .shards_quantised = true,
        .untied_head = false, .quantises_head = false, .quantises_experts = true,
        .cache = KvCache::static_,
        .source = "a fixed cache and one prompt pass; not checked against measurements"},
    FrameworkTraits{
        .framework = Framework::autoawq, .serving = fused, .reserve = 1.03, .context_gib = 0.5,
        .loss = kPlain, .plain_loss = 11, .chunked_loss = 2,
        .master = false, .master_when_sharded = false, .master_style = copy, .adapter_bytes = 2,
        .fused_update = true, .accumulates = false,
        .checkpointing = kNone, .compile = false, .norm_bytes = 4, .adapter_input_bytes = 2,
        .adapter_inputs_shared = true, .fused_qkv_bytes = 0,
        .units_apart = false, .saves_whole = false, .shards_quantised = true,
        .untied_head = false, .quantises_head = false, .quantises_experts = true,
        .cache = KvCache::static_,
        .source = "AutoAWQ README speed tables (fused modules, 0.1.6)"},
    FrameworkTraits{
        .framework = Framework::mlc, .serving = fused, .reserve = 1.03, .context_gib = 0.45,
        .loss = kPlain, .plain_loss = 11, .chunked_loss = 2,
        .master = false, .master_when_sharded = false, .master_style = copy, .adapter_bytes = 2,
        .fused_update = true, .accumulates = false,
        .checkpointing = kNone, .compile = true, .norm_bytes = 4, .adapter_input_bytes = 2,
        .adapter_inputs_shared = true, .fused_qkv_bytes = 0,
        .units_apart = false, .saves_whole = false, .shards_quantised = true,
        .untied_head = false, .quantises_head = false, .quantises_experts = true,
        .cache = KvCache::static_,
        .source = "a fixed cache and one prompt pass; not checked against measurements"},
    FrameworkTraits{
        .framework = Framework::gptfast, .serving = fused, .reserve = 1.03, .context_gib = 0.5,
        .loss = kPlain, .plain_loss = 11, .chunked_loss = 2,
        .master = false, .master_when_sharded = false, .master_style = copy, .adapter_bytes = 2,
        .fused_update = true, .accumulates = false,
        .checkpointing = kNone, .compile = true, .norm_bytes = 4, .adapter_input_bytes = 2,
        .adapter_inputs_shared = true, .fused_qkv_bytes = 0,
        .units_apart = false, .saves_whole = false, .shards_quantised = true,
        .untied_head = false, .quantises_head = false, .quantises_experts = true,
        .cache = KvCache::static_,
        .source = "a fixed cache and one prompt pass; not checked against measurements"},
};
// clang-format on

}  // namespace

const FrameworkTraits& traits_of(Framework framework) {
  const auto row = std::ranges::find(kTable, framework, &FrameworkTraits::framework);
  return row == kTable.end() ? kTable[0] : *row;  // the table names every framework
}

}  // namespace gpuplan::detail
