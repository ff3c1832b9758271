#pragma once

#include <string_view>

#include "gpuplan/workload.hpp"

namespace gpuplan::detail {

// How a program serves a model, as far as memory goes.
enum class Serving {
  eager,   // PyTorch, layer by layer; the cache grows by concatenation (Transformers, litgpt)
  engine,  // measures its own peak before it lays out a pool of KV blocks (vLLM and its kind)
  fused,   // a cache of fixed size, set aside before the first token (AutoAWQ, exllama, ...)
  graph,   // one compute buffer planned in advance (llama.cpp)
};

// How the parameters, gradients and states of a mixed-precision run are kept.
enum class MasterStyle {
  copy,        // 16-bit weights and gradients, the 32-bit copy belongs to the optimizer
  copy_fp32g,  // the same with 32-bit gradients: 18 bytes with Adam
  fp32,        // the parameters themselves are 32-bit, casts are made on the way (autocast, FSDP)
};

// The allocator and the driver.
struct AllocatorTraits {
  double reserve = 1.05;       // reserved over allocated
  double sharded = 1.05;       // the same for adapters over sharded weights
  double sharded_full = 1.05;  // the same for sharded weights that are trained in full
  double context_gib = 0.5;    // CUDA context and kernels
  std::string_view source = "ml-engineering: a CUDA context takes 0.5 to 0.9 GiB; 5 % of cached "
                            "blocks fits the torchtune, litgpt and llm-foundry rows";
};

// The loss: bytes a token and vocabulary entry at the start of the backward pass.
struct LossTraits {
  Loss usual = Loss::plain;
  double plain = 11;
  double chunked = 2;
  // Programs on Transformers, by the age of the model's code; 0 = as `plain`.
  double shifted = 0;        // versions before 4.46 copied the shifted 32-bit logits as well
  double early_adapters = 0; // GPT-2 and its kin: 16-bit logits, widened by autocast on the way
  double early_full = 0;     // the same without autocast: 16 bits throughout
  double cached = 0;         // of these, blocks that stay in the allocator's cache (adapters)
  std::string_view source = "11 bytes: steps 3 and 4 of torchtune's table differ by 8.1 GiB, "
                            "litgpt's Llama-3 and Mistral by as much";
};

// What is kept of a parameter that is trained.
struct StateTraits {
  bool master = false;               // a 32-bit copy when nothing is said
  bool master_when_sharded = false;  // the same when weights are sharded (ZeRO-3, FSDP)
  MasterStyle style = MasterStyle::fp32;
  double adapter_bytes = 4;   // of one stored LoRA parameter; its gradient has the same size
  bool fused_update = true;   // the optimizer step makes no temporary copy of the parameters
  bool accumulates = false;   // gradients of earlier micro-batches are alive in the forward pass
  std::string_view source = "pure 16-bit training: 2 + 2 + 4 bytes";
};

// What the backward pass needs, beyond the forms that all share.
struct ActivationTraits {
  Checkpointing checkpointing = Checkpointing::none;
  bool compile = false;
  double norm = 8;                    // kept for a trained norm, per element, uncompiled
  double adapter_input = 2;           // kept for an adapter, per element of its input
  bool adapter_inputs_shared = true;  // q, k, v (and gate, up) keep one copy together
  double fused_qkv = 0;               // per hidden element, extra
  bool keeps_quantised_inputs = false;  // 4-bit layers save what goes into them
  bool adapters_widen = false;  // 32-bit adapters turn a sharded layer's activations into 32 bits
  Attention prompt = Attention::flash;  // of the prompt pass in inference
  std::string_view source = "counted tensor by tensor, after arXiv 2205.05198";
};

// How weights are loaded and divided.
struct WeightTraits {
  bool units_apart = false;      // embedding and head are gathered one after the other
  bool saves_whole = false;      // gathers all weights on each GPU to save and evaluate
  bool shards_quantised = true;  // a 4-bit base is divided as well
  bool untied_head = false;      // loads a head of its own even when the model ties it
  bool quantises_head = false;
  bool quantises_experts = true;  // its loader reaches expert weights (they are not fused tensors)
  std::string_view source = "by construction";
};

// What differs between programs that train or serve.
struct FrameworkTraits {
  Framework framework = Framework::automatic;
  Serving serving = Serving::eager;
  KvCache cache = KvCache::dynamic;
  bool measured = false;  // rows of measurements stand behind the figures
  AllocatorTraits allocator = {};
  LossTraits loss = {};
  StateTraits states = {};
  ActivationTraits activations = {};
  WeightTraits weights = {};
};

const FrameworkTraits& traits_of(Framework framework);

}  // namespace gpuplan::detail
