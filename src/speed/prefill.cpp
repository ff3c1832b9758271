#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "speed/constants.hpp"
#include "speed/inference.hpp"

namespace gpuplan::detail {
namespace {

// Share of the SMs that the tiles of a product over `tokens` keep busy.
double filled(const Server& s, double tokens) {
  const double waves =
      tokens * s.demand.hidden / s.tensor / (kTile.value * s.figures.sm_clocks / kSmClock.value);
  return waves / (waves + kWaveLoss.value);
}

double attention_flops(const Server& s, double prompt) {
  return 2 * s.demand.attention_layers * prompt * prompt * s.demand.attention_width / s.tensor;
}

double passes_of(const Server& s, double prompt) {
  return std::ceil(prompt / s.pass_tokens(prompt));
}

Part unpacking(const Server& s, double passes) {
  const double bytes = s.engine.dequant_bytes * s.demand.block_weights() / s.tensor;
  return {
      "unpacking",
      passes * bytes / s.figures.bandwidth,
      Bound::memory,
      "passes x bytes x weights / bandwidth: weights are unpacked to 16 bit before the products",
      fmt::format("{} x {} / {}", passes, show_amount(bytes, "B"),
                  show_amount(s.figures.bandwidth, "B/s")),
      s.engine.source};
}

// llama.cpp: own kernels that accumulate in 16 bit, passes of 512 tokens.
Step llama_prefill(const Server& s, double prompt) {
  const Demand& d = s.demand;
  const Figures& f = s.figures;
  const double passes = passes_of(s, prompt);
  const double boost = f.consumer ? kGeForceBoost.value : 1;
  const double rate = s.engine.prefill_share * f.sixteen_acc16 * boost *
                      power_factor(f, f.kind->llama_tflops_per_watt) *
                      filled(s, s.pass_tokens(prompt));
  const double flops = 2 * d.active_weights * prompt / s.tensor + attention_flops(s, prompt);
  Step step;
  step.add({"arithmetic", flops / rate, Bound::compute,
            "(2 x active weights x tokens + attention) / (share x peak)",
            fmt::format("{} / {}", show_amount(flops, "FLOP"), show_amount(rate, "FLOP/s")),
            s.engine.source});
  step.add({"elementwise", s.engine.hidden_bytes * d.layers * prompt * d.hidden / f.sm_clocks,
            Bound::memory, "clocks x layers x tokens x hidden / SM clocks",
            fmt::format("{} x {} x {} x {}", s.engine.hidden_bytes, d.layers, prompt, d.hidden),
            s.engine.source});
  step.add({"launch_gaps", kLlamaPassOverhead.value * d.layers * passes, Bound::host,
            "passes x layers x gap",
            fmt::format("{} x {} x {}", passes, d.layers, show_time(kLlamaPassOverhead.value)),
            kLlamaPassOverhead.source});
  if (f.unpacks) step.add(unpacking(s, passes));
  return step;
}

// Reading the weights, where that takes longer than the products.
void add_weight_reading(const Server& s, double prompt, Step& step) {
  const Demand& d = s.demand;
  const double tokens = s.pass_tokens(prompt);
  double bytes = d.shared_weights * s.storage.block;
  if (d.moe())
    bytes += d.expert_weights * s.storage.expert * d.distinct_experts(tokens) / d.experts;
  const double seconds =
      passes_of(s, prompt) * bytes / s.tensor / (s.engine.stream_share * s.figures.bandwidth);
  step.add_beside({"weights", seconds, Bound::memory,
                   "passes x weight bytes / (share x bandwidth), a soft maximum with the products",
                   fmt::format("{} x {}", passes_of(s, prompt), show_amount(bytes / s.tensor, "B")),
                   "roofline"});
}

}  // namespace

Step prefill_products(const Server& s, double prompt) {
  const Demand& d = s.demand;
  const double share = filled(s, s.pass_tokens(prompt));
  const double plain = 2 * d.shared_weights * prompt / s.tensor;
  const double experts = 2 * d.active_expert_weights * prompt / s.tensor;
  Step step;
  step.add({"arithmetic", (plain / s.product_rate() + experts / s.expert_rate()) / share,
            Bound::compute, "2 x active weights x tokens / (share x peak x filled waves)",
            fmt::format("{} / ({} x {:.2g})", show_amount(plain + experts, "FLOP"),
                        show_amount(s.product_rate(), "FLOP/s"), share),
            s.figures.kind->source});
  return step;
}

Step prefill_rest(const Server& s, double prompt) {
  const Demand& d = s.demand;
  const Figures& f = s.figures;
  const double gain = s.engine.attention_kernels ? f.kind->attention_gain : 1;
  const double passes = passes_of(s, prompt);
  Step step;
  const double attention = attention_flops(s, prompt);
  step.add({"attention", attention / (f.kind->attention_share * gain * f.sixteen), Bound::compute,
            "2 x layers x tokens^2 x heads x head size / (share x peak)",
            fmt::format("{} / ({:.2g} x {})", show_amount(attention, "FLOP"),
                        f.kind->attention_share * gain, show_amount(f.sixteen, "FLOP/s")),
            f.kind->source});
  double bytes = s.engine.hidden_bytes * d.layers * prompt * d.hidden;
  if (d.moe()) bytes += kRoutingBytes.value * d.active_experts * d.layers * prompt * d.hidden;
  step.add({"elementwise", bytes / f.bandwidth, Bound::memory,
            "bytes x layers x tokens x hidden / bandwidth",
            fmt::format("{} / {}", show_amount(bytes, "B"), show_amount(f.bandwidth, "B/s")),
            s.engine.source});
  step.add({"launch_gaps", passes * d.layers * s.engine.gap_us * 1e-6, Bound::host,
            "passes x layers x gap",
            fmt::format("{} x {} x {} us", passes, d.layers, s.engine.gap_us), s.engine.source});
  if (f.unpacks) step.add(unpacking(s, passes));
  const double payload = prompt / passes * d.hidden * 2;
  const double traffic = s.data_parallel_attention() ? kDataParallelAttention.value : 1;
  step.add({"all_reduce",
            traffic * passes * 2 * d.layers * all_reduce_s(s.wiring, s.tensor, payload),
            Bound::interconnect, "passes x 2 x layers x (latency + 2 (n-1)/n x bytes / link)",
            fmt::format("{} x 2 x {} x {} over {} cards", passes, d.layers,
                        show_amount(payload, "B"), s.tensor),
            s.wiring.fast ? kNvlinkShare.source : kPcieShare.source});
  return step;
}

Step prefill(const Server& s, double prompt) {
  Step step;
  if (s.engine.framework == Framework::llamacpp) {
    step = llama_prefill(s, prompt);
  } else {
    step = prefill_products(s, prompt);
    add_weight_reading(s, prompt, step);
    step.append(prefill_rest(s, prompt));
  }
  if (s.engine.host_ms > 0)
    step.add_beside({"host_launches", s.demand.layers * s.engine.host_ms * 1e-3, Bound::host,
                     "layers x launches of one layer, a soft maximum with the card's time",
                     fmt::format("{} x {} ms", s.demand.layers, s.engine.host_ms),
                     s.engine.source});
  add_offloaded_layers(s, passes_of(s, prompt), step);
  if (s.stages > 1) {
    // Passes follow each other through the stages; the first has to travel through all of them.
    const double passes = passes_of(s, prompt);
    step = step.times((passes + s.stages - 1) / (passes * s.stages));
    step.add({"layer_split", passes * (s.stages - 1) * kPrefillHop.value, Bound::interconnect,
              "passes x boundaries x hop",
              fmt::format("{} x {} x {}", passes, s.stages - 1, show_time(kPrefillHop.value)),
              kPrefillHop.source});
  }
  return step;
}

}  // namespace gpuplan::detail
