#include "memory/frameworks.hpp"

#include <algorithm>
#include <array>

namespace gpuplan::detail {
namespace {

constexpr std::string_view kFms =
    "fms-acceleration benchmark of Transformers + TRL + PEFT on A100 (allocated and nvidia-smi)";

// Plain mixed precision: what nobody's special case is.
constexpr FrameworkTraits plain_training() {
  FrameworkTraits t;
  t.states = {.master = true, .master_when_sharded = true, .style = MasterStyle::copy,
              .source = "16-bit weights and gradients, 32-bit copy and two moments: 16 bytes a "
                        "parameter (ml-engineering, training/performance)"};
  return t;
}

constexpr FrameworkTraits transformers() {
  FrameworkTraits t;
  t.framework = Framework::hf;
  t.measured = true;
  t.allocator = {.reserve = 1.06, .sharded = 1.15, .sharded_full = 1.20, .source = kFms};
  t.loss = {.plain = 10, .shifted = 4, .early_adapters = 16, .early_full = 8, .cached = 8,
            .source = "16-bit logits 2, 32-bit log-softmax 4, its gradient 4; fms-acceleration "
                      "shows 8 (fused kernels) to 14 (before 4.46), for GPT-BigCode 14 to 18 with "
                      "adapters and 6 to 8 in full; PEFT's rows 10"};
  t.states = {.master_when_sharded = true, .fused_update = false, .source = kFms};
  t.activations = {.adapter_input = 4, .adapter_inputs_shared = false, .adapters_widen = true,
                   .source = kFms};
  return t;
}

constexpr FrameworkTraits axolotl() {
  FrameworkTraits t = transformers();
  t.framework = Framework::axolotl;
  t.loss.cached = 0;
  t.allocator.source = "axolotl examples; it turns on expandable segments, which keep no odd blocks";
  t.activations.checkpointing = Checkpointing::full;
  t.weights = {.quantises_experts = false,
               .source = "axolotl docs, expert quantisation: fused experts stay 16-bit"};
  return t;
}

constexpr FrameworkTraits unsloth() {
  FrameworkTraits t = transformers();
  t.framework = Framework::unsloth;
  t.measured = false;
  t.loss.usual = Loss::cut;
  t.activations = {.checkpointing = Checkpointing::full, .norm = 4,
                   .source = "unsloth VRAM_ESTIMATION.md: recomputation and fused loss by default"};
  t.weights = {.shards_quantised = false, .quantises_experts = false, .source = "as axolotl"};
  return t;
}

constexpr FrameworkTraits litgpt() {
  FrameworkTraits t;
  t.framework = Framework::litgpt;
  t.cache = KvCache::static_;
  t.measured = true;
  t.states = {.adapter_bytes = 2, .accumulates = true,
              .source = "litgpt fine-tuning scripts: pure 16-bit, gradient accumulation"};
  t.activations = {.adapter_input = 3, .fused_qkv = 3, .keeps_quantised_inputs = true,
                   .source = "litgpt model code: one qkv matrix, dropout before the adapters (16-bit "
                             "copy and mask); its config_hub tables"};
  t.weights = {.saves_whole = true, .untied_head = true, .quantises_head = true,
               .source = "litgpt model and FSDP code: own head, full state dict when saving"};
  return t;
}

constexpr FrameworkTraits torchtune() {
  FrameworkTraits t;
  t.framework = Framework::torchtune;
  t.cache = KvCache::static_;
  t.measured = true;
  t.loss.usual = Loss::chunked;
  t.states = {.adapter_bytes = 2, .source = "torchtune recipes: pure 16-bit, fused AdamW"};
  t.activations.norm = 10;
  t.activations.source = "torchtune README, step-by-step table of Llama-3.2-3B";
  t.weights = {.units_apart = true, .source = "torchtune README, 70B rows on eight A100"};
  return t;
}

constexpr FrameworkTraits torchtitan() {
  FrameworkTraits t;
  t.framework = Framework::torchtitan;
  t.cache = KvCache::static_;
  t.measured = true;
  constexpr std::string_view kDocs = "torchtitan docs/performance.md: Llama 3.1 on H100";
  t.allocator = {.reserve = 1.10, .sharded = 1.10, .sharded_full = 1.10, .source = kDocs};
  t.loss = {.plain = 14, .source = "a 32-bit copy of the logits is kept as well; torchtitan docs"};
  t.states = {.master = true, .master_when_sharded = true, .source = kDocs};
  t.activations.checkpointing = Checkpointing::full;
  t.activations.compile = true;
  return t;
}

constexpr FrameworkTraits foundry() {
  FrameworkTraits t;
  t.framework = Framework::foundry;
  t.measured = true;
  t.loss = {.plain = 4, .source = "fused cross entropy; 71 published configurations that ran"};
  t.states.source = "llm-foundry: AMP keeps 32-bit shards when asked, else pure 16-bit";
  t.activations.norm = 4;
  return t;
}

constexpr FrameworkTraits megatron() {
  FrameworkTraits t;
  t.framework = Framework::megatron;
  t.cache = KvCache::static_;
  t.loss = {.plain = 4, .source = "Megatron-LM theoretical_memory_usage.py: 4 (h + V) a token"};
  t.states = {.master = true, .master_when_sharded = true, .style = MasterStyle::copy_fp32g,
              .accumulates = true,
              .source = "Megatron-LM: 18 bytes, 6 + 12/N with the distributed optimizer"};
  t.activations.norm = 4;
  return t;
}

constexpr FrameworkTraits server(Framework framework, Serving serving, KvCache cache,
                                 AllocatorTraits allocator, bool measured = false) {
  FrameworkTraits t;
  t.framework = framework;
  t.serving = serving;
  t.cache = cache;
  t.measured = measured;
  t.allocator = allocator;
  return t;
}

constexpr AllocatorTraits kEngine{
    .reserve = 1, .context_gib = 0.51,
    .source = "start-up logs of vLLM 0.11 and 0.19 on H100 (llm-d planner): 0.51 GiB at the start"};
constexpr AllocatorTraits kOwnCache{
    .reserve = 1.03, .context_gib = 0.45,
    .source = "3 % of cached blocks as in HF inference; context 0.47 GiB with lazy loading "
              "(ml-engineering)"};

constexpr FrameworkTraits autoawq() {
  FrameworkTraits t = server(Framework::autoawq, Serving::fused, KvCache::static_, kOwnCache, true);
  t.activations.prompt = Attention::eager;
  t.activations.source = "AutoAWQ README, speed tables of the fused modules (0.1.6)";
  return t;
}

constexpr std::array kTable{
    plain_training(),
    transformers(),
    axolotl(),
    unsloth(),
    litgpt(),
    torchtune(),
    torchtitan(),
    foundry(),
    megatron(),
    server(Framework::vllm, Serving::engine, KvCache::paged, kEngine, true),
    server(Framework::sglang, Serving::engine, KvCache::paged, kEngine),
    server(Framework::trtllm, Serving::engine, KvCache::paged, kEngine),
    server(Framework::llamacpp, Serving::graph, KvCache::static_, kOwnCache),
    server(Framework::exllama, Serving::fused, KvCache::static_, kOwnCache),
    autoawq(),
    server(Framework::mlc, Serving::fused, KvCache::static_, kOwnCache),
    server(Framework::gptfast, Serving::fused, KvCache::static_, kOwnCache),
};

}  // namespace

const FrameworkTraits& traits_of(Framework framework) {
  const auto row = std::ranges::find(kTable, framework, &FrameworkTraits::framework);
  return row == kTable.end() ? kTable[0] : *row;  // the table names every framework
}

}  // namespace gpuplan::detail
