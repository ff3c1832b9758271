#pragma once

#include <string_view>

#include "gpuplan/workload.hpp"

namespace gpuplan::detail {

// How often a step moves the KV cache: once; once with each KV head repeated for its query heads;
// or joined anew and repeated before it is read.
enum class CacheUse { shared, repeated, copied };

// How fast an inference engine drives a card. Times are those of the newest release with rows.
struct Engine {
  Framework framework;
  std::string_view name;

  // Decode
  double stream_share;  // of the bandwidth that reading the weights reaches
  double rate_16, rate_8, rate_4;  // weights a clock and SM that can be fetched and unpacked
  double gap_us;        // a layer: launches and tails that the card waits for
  double host_ms;       // a layer: Python launching one operation after another; 0 = compiled
  double host_unpack_ms;  // more of it when weights are unpacked by launches of their own
  double kv_share;      // of the bandwidth that reading the cache reaches
  CacheUse cache_use;
  double step_ms;       // a step: scheduler
  double user_us;       // a user and step: sampling

  // Prefill
  double prefill_share;      // of what large products reach
  double pass_tokens;        // tokens of one pass when many users wait
  double hidden_bytes;       // moved for each element of the hidden state and layer
  double dequant_bytes;      // a weight and pass, where weights are unpacked before the product
  double attention_kernels;  // 1: has the architecture's own attention kernels
  double fp8_share;          // of the arithmetic, in products of 8-bit numbers

  double most_users;
  bool quantises_head;
  std::string_view source;
};

// How a training framework drives a card.
struct Trainer {
  Framework framework;
  std::string_view name;
  double host_ms;            // a layer, forward and backward: Python launching; 0 = compiled
  double attention_share;    // against the newest fused attention
  bool attention_kernels;    // has the architecture's own attention kernels
  bool casts_adapters;       // adapters in 32 bit beside a 16-bit model: every use is a cast
  double pipeline_chunks;    // interleaved stages of a pipeline
  std::string_view source;
};

const Engine& engine_of(Framework framework);
const Trainer& trainer_of(Framework framework);

}  // namespace gpuplan::detail
