#include "speed/demand.hpp"

#include <algorithm>
#include <cmath>

namespace gpuplan::detail {
namespace {

double real(std::int64_t n) { return static_cast<double>(n); }

// Of a model of which only the size is known: the usual proportions of a decoder, width 128 times
// the depth and 12 x width^2 weights a layer.
Demand usual_shape(double weights) {
  constexpr double kWidthByDepth = 128, kWeightsByWidth = 12;
  Demand d;
  d.layers = std::max(1.0, std::round(std::cbrt(weights / (kWeightsByWidth * kWidthByDepth *
                                                           kWidthByDepth))));
  d.attention_layers = d.layers;
  d.hidden = kWidthByDepth * d.layers;
  d.attention_width = d.hidden;
  d.inner_width = 4 * d.hidden;
  d.shared_weights = weights;
  d.active_weights = weights;
  return d;
}

double bytes_of(KvPrecision precision) {
  switch (precision) {
    case KvPrecision::fp32: return 4;
    case KvPrecision::bf16:
    case KvPrecision::fp16: return 2;
    case KvPrecision::fp8:
    case KvPrecision::int8: return 1;
    case KvPrecision::q8_0: return 34.0 / 32;
    case KvPrecision::q4_0: return 18.0 / 32;
  }
  return 2;
}

double inner_width(const ModelShape& model) {
  if (!model.moe) return real(model.intermediate);
  const Experts& moe = *model.moe;
  const double shared = moe.shared_intermediate > 0 ? real(moe.shared_intermediate)
                                                    : real(moe.shared * moe.intermediate);
  return real(moe.active * moe.intermediate) + shared;
}

}  // namespace

double Demand::distinct_experts(double tokens) const {
  if (!moe()) return 0;
  return experts * (1 - std::pow(1 - std::min(1.0, active_experts / experts), tokens));
}

Demand demand_of(const ModelShape& model) {
  const ParameterCount counts = count_parameters(model);
  if (model.size_only()) return usual_shape(real(counts.total()));
  Demand d;
  d.layers = real(std::max<std::int64_t>(1, model.layers));
  d.attention_layers = real(std::max<std::int64_t>(0, model.attention_blocks()));
  d.hidden = real(model.hidden);
  d.attention_width = real(model.heads * model.head_dim);
  if (model.latent)
    d.attention_width = real(model.heads) * 0.5 *
                        real(model.latent->qk_nope_head_dim + model.latent->qk_rope_head_dim +
                             model.latent->v_head_dim);
  d.shared_weights = real(counts.attention) + real(counts.mlp) + real(counts.router);
  d.expert_weights = real(counts.experts);
  d.active_expert_weights = real(counts.active_experts);
  d.active_weights = d.shared_weights + d.active_expert_weights;
  d.vocab = real(model.vocab);
  d.causal = model.kind == ModelKind::decoder || model.kind == ModelKind::state_space;
  if (d.causal || model.kind == ModelKind::encoder_decoder)
    d.head_weights = d.vocab * (model.embedding_dim > 0 ? real(model.embedding_dim) : d.hidden);
  d.inner_width = inner_width(model);
  if (model.moe) {
    d.experts = real(model.moe->experts);
    d.expert_width = real(std::max<std::int64_t>(1, model.moe->intermediate));
    d.active_experts = real(std::min(model.moe->active, model.moe->experts));
  }
  return d;
}

double kv_bytes(const ModelShape& model, KvPrecision precision, double tokens,
                std::int64_t tensor) {
  const double bytes = bytes_of(precision);
  if (model.size_only()) {
    const Demand d = demand_of(model);
    return 2 * d.layers * d.hidden * bytes * tokens / real(tensor);
  }
  const double blocks = real(std::max<std::int64_t>(0, model.attention_blocks()));
  const double sliding =
      model.sliding_window > 0
          ? std::min(blocks, model.sliding_layers > 0 ? real(model.sliding_layers) : blocks)
          : 0;
  // One compressed vector serves all heads, and every card keeps its own. Otherwise the KV heads are
  // shared out, one at least on each card.
  const double layer =
      model.latent
          ? real(model.latent->kv_lora_rank + model.latent->qk_rope_head_dim) * bytes
          : 2 * std::max(1.0, std::ceil(real(model.kv_heads) / real(tensor))) *
                real(model.head_dim) * bytes;
  const double windowed = std::min(tokens, real(model.sliding_window));
  return layer * ((blocks - sliding) * tokens + sliding * windowed) + real(model.state_bytes);
}

double adapter_width(const ModelShape& model, const LoraTargets& targets) {
  if (model.size_only()) {
    const Demand d = demand_of(model);
    return d.hidden * (8 + (targets.mlp ? 15 : 0));
  }
  const double hidden = real(model.hidden);
  const double query = real(model.heads * model.head_dim);
  const double key = real(model.kv_heads * model.head_dim);
  double width = 0;
  if (targets.q) width += hidden + query;
  if (targets.k) width += hidden + key;
  if (targets.v) width += hidden + key;
  if (targets.o) width += query + hidden;
  if (targets.mlp && !model.moe)
    width += (model.gated_mlp ? 3 : 2) * (hidden + real(model.intermediate));
  if (targets.experts && model.moe)
    width += 3 * real(model.moe->active) * (hidden + real(model.moe->intermediate));
  return width;
}

}  // namespace gpuplan::detail
