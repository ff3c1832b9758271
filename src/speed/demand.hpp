#pragma once

#include <cstdint>

#include "gpuplan/models.hpp"
#include "gpuplan/workload.hpp"

namespace gpuplan::detail {

// What a model asks of a card, token by token. Weights are those of matrices that work on tokens:
// no embedding table, no norms.
struct Demand {
  double layers = 0;
  double attention_layers = 0;   // with a KV cache
  double hidden = 0;
  double attention_width = 0;    // heads x head size
  double shared_weights = 0;     // of all blocks, read for each token: all but routed experts
  double expert_weights = 0;     // of all routed experts
  double active_weights = 0;     // of all blocks, working on one token
  double active_expert_weights = 0;
  double head_weights = 0;
  double inner_width = 0;        // of the feed-forward part that a token passes through
  double vocab = 0;
  double experts = 0, active_experts = 0;
  double expert_width = 1;       // inner width of one routed expert
  bool causal = true;

  bool moe() const { return experts > 0; }
  double block_weights() const { return shared_weights + expert_weights; }
  // Experts that `tokens` tokens of one step wake up, each token choosing for itself.
  double distinct_experts(double tokens) const;
};
Demand demand_of(const ModelShape& model);

// Bytes of KV cache that one sequence of `tokens` holds on one card of `tensor`.
double kv_bytes(const ModelShape& model, KvPrecision precision, double tokens, std::int64_t tensor);

// Sum of input and output widths of the matrices of one layer that get adapters; one head besides.
double adapter_width(const ModelShape& model, const LoraTargets& targets);

}  // namespace gpuplan::detail
