#pragma once

#include <string_view>

#include "gpuplan/workload.hpp"

namespace gpuplan::detail {

// How often a step moves the KV cache: once; once with each KV head repeated for its query heads;
// or joined anew and repeated before it is read.
enum class CacheUse { shared, repeated, copied };

// How fast an inference engine drives a card. Times are those of the newest release with rows.
struct Engine {
  Framework framework = Framework::vllm;
  std::string_view name;

  // Decode
  double stream_share = 0.92;  // of the bandwidth that reading the weights reaches
  double rate_16 = 5.6;        // 16-bit weights a clock and SM that can be fetched
  double rate_8 = 10;          // the same in 8 bit
  double rate_4 = 11.5;        // the same in 4 bit, unpacked
  double gap_us = 0;           // a layer: launches and tails that the card waits for
  double host_ms = 0;          // a layer: Python launching its operations; 0 = compiled
  double host_unpack_ms = 0;   // more of it when 4-bit floats are unpacked by launches of their own
  double host_unpack_8_ms = 0;  // the same for 8-bit weights
  double unpack_gap_us = 0;     // more of `gap_us` where weights are unpacked in the product
  double kv_share = 0.90;       // of the bandwidth that reading the cache reaches
  CacheUse cache_use = CacheUse::shared;
  double step_ms = 0;    // a step: scheduler
  double user_us = 3.9;  // a user and step: sampling

  // Prefill
  double prefill_share = 0.77;     // of what large products reach
  double fp8_share = 0.91;         // of that, in products of 8-bit numbers
  double pass_tokens = 8192;       // of one pass when many users wait
  double hidden_bytes = 8;         // moved for each element of the hidden state and layer
  double dequant_bytes = 0;        // a weight and pass, where weights are unpacked beforehand
  bool attention_kernels = false;  // has the architecture's own attention kernels

  double most_users = 256;
  bool quantises_head = false;
  std::string_view source;
};

// How a training framework drives a card.
struct Trainer {
  Framework framework = Framework::hf;
  std::string_view name;
  double host_ms = 0;              // a layer, forward and backward: Python launching; 0 = compiled
  double attention_share = 1;      // against the newest fused attention
  bool attention_kernels = false;  // has the architecture's own attention kernels
  bool casts_adapters = false;     // adapters in 32 bit beside a 16-bit model: every use is a cast
  double pipeline_chunks = 1;      // interleaved stages of a pipeline
  std::string_view source;
};

const Engine& engine_of(Framework framework);
const Trainer& trainer_of(Framework framework);

}  // namespace gpuplan::detail
