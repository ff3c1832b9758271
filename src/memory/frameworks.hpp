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

// What differs between programs that train or serve. Bytes unless the name says otherwise.
// Every figure stands in `source`; the causes are described where the figure is used.
struct FrameworkTraits {
  Framework framework;
  Serving serving;
  // Allocator and driver.
  double reserve;      // reserved over allocated, training
  double context_gib;  // CUDA context and kernels, outside the allocator
  // Loss: bytes a token and vocabulary entry at the start of the backward pass.
  Loss loss;
  double plain_loss;
  double chunked_loss;
  // States.
  bool master;               // keeps a 32-bit copy when nothing is said
  bool master_when_sharded;  // the same when weights are sharded (ZeRO-3, FSDP)
  MasterStyle master_style;
  double adapter_bytes;  // of one stored LoRA parameter (its gradient has the same size)
  bool fused_update;     // the optimizer step makes no temporary copy of the parameters
  bool accumulates;      // gradients of earlier micro-batches are alive in the forward pass
  // Activations.
  Checkpointing checkpointing;
  bool compile;
  double norm_bytes;           // kept for a trained norm, per element, uncompiled
  double adapter_input_bytes;  // kept for the backward pass of an adapter, per input element
  bool adapter_inputs_shared;  // q, k, v (and gate, up) keep one copy together
  double fused_qkv_bytes;      // per hidden element, extra
  // Sharding.
  bool units_apart;         // embedding and head are gathered one after the other
  bool saves_whole;         // gathers all weights on each GPU to save and evaluate
  bool shards_quantised;    // a 4-bit base is divided as well
  // Weights.
  bool untied_head;      // loads a head of its own even when the model ties it
  bool quantises_head;
  bool quantises_experts;  // its loader reaches expert weights (they are not fused tensors)
  KvCache cache;
  std::string_view source;
};

const FrameworkTraits& traits_of(Framework framework);

}  // namespace gpuplan::detail
