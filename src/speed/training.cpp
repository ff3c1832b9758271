#include "speed/training.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "speed/constants.hpp"

namespace gpuplan::detail {
namespace {

double real(std::int64_t n) { return static_cast<double>(n); }

double filled(const Training& t) {
  const double waves = t.tokens() * t.demand.hidden / t.tensor /
                       (kTile.value * t.figures.sm_clocks / kSmClock.value);
  return waves / (waves + kWaveLoss.value);
}

// Forward, and backward for inputs and (where they are trained) weights.
double passes_of(const Training& t) { return t.adapters() ? 2 : 3; }

// Products of narrow experts are many and small.
double expert_share(const Training& t) {
  return t.demand.expert_width / (t.demand.expert_width + kExpertWidth.value);
}

void add_products(const Training& t, Step& step) {
  const Demand& d = t.demand;
  const double passes = passes_of(t) + t.recompute() + (t.work.mode == Mode::dpo ? 1 : 0);
  const double share = filled(t);
  const double slice = t.tokens() / t.tensor / t.stages;
  const double plain = 2 * passes * d.shared_weights * slice;
  const double experts = 2 * passes * d.active_expert_weights * slice;
  const double seconds =
      (plain + experts / expert_share(t)) / (t.product_rate() * share);
  step.add({"linear_layers", seconds, Bound::compute,
            "passes x 2 x active weights x tokens / (share x peak x filled waves)",
            fmt::format("{} x {} / ({} x {:.2g})", passes,
                        show_amount((plain + experts) / passes, "FLOP"),
                        show_amount(t.product_rate(), "FLOP/s"), share),
            t.figures.kind->source});
  const double head = 2 * passes_of(t) * d.head_weights * slice;
  step.add({"head", head / (t.sixteen_rate() * share), Bound::compute,
            "passes x 2 x head weights x tokens / (share x 16-bit peak), never run again",
            fmt::format("{} / {}", show_amount(head, "FLOP"),
                        show_amount(t.sixteen_rate(), "FLOP/s")),
            t.figures.kind->source});
}

void add_attention(const Training& t, Step& step) {
  const Demand& d = t.demand;
  const double gain = t.trainer.attention_kernels ? t.figures.kind->attention_gain : 1;
  const double passes = 1 + kAttentionBackward.value + t.recompute();
  const double halves = d.causal ? 2 : 4;
  const double flops = passes * halves * t.tokens() * real(t.work.sequence) * d.attention_width *
                       d.attention_layers / t.tensor / t.stages;
  const double share = t.figures.kind->attention_share * gain * t.trainer.attention_share;
  step.add({"attention", flops / (share * t.figures.sixteen), Bound::compute,
            "(1 + 2.5 + recomputed) x 2 x tokens x sequence x heads x head size x layers / "
            "(share x peak)",
            fmt::format("{} / ({:.2g} x {})", show_amount(flops, "FLOP"), share,
                        show_amount(t.figures.sixteen, "FLOP/s")),
            t.figures.kind->source});
}

void add_elementwise(const Training& t, Step& step) {
  const Demand& d = t.demand;
  const double passes = 3 + t.recompute();
  const double each = kHiddenBytes.value * d.hidden + kFeedForwardBytes.value * d.inner_width;
  const double bytes = passes * each * t.layers() * t.tokens() / t.tensor;
  step.add({"elementwise", bytes / t.figures.bandwidth, Bound::memory,
            "passes x (61 x hidden + 6 x inner width) x layers x tokens / bandwidth",
            fmt::format("{} / {}", show_amount(bytes, "B"),
                        show_amount(t.figures.bandwidth, "B/s")),
            kHiddenBytes.source});
  const double logits = kLogitBytes.value * d.vocab * t.tokens() / t.tensor / t.stages;
  step.add({"logits", logits / t.figures.bandwidth, Bound::memory,
            "bytes x vocabulary x tokens / bandwidth",
            fmt::format("{} / {}", show_amount(logits, "B"),
                        show_amount(t.figures.bandwidth, "B/s")),
            kLogitBytes.source});
}

void add_adapters(const Training& t, Step& step) {
  if (!t.adapters()) return;
  const double flops = 2 * real(t.work.lora_rank) * t.adapter_width * (3 + t.recompute()) *
                       t.layers() * t.tokens() / t.tensor;
  const double rate = kAdapterShare.value * t.figures.sixteen;
  step.add({"adapters", flops / rate, Bound::compute,
            "2 x rank x widths x (3 + recomputed) x layers x tokens / (share x rate)",
            fmt::format("{} / {}", show_amount(flops, "FLOP"), show_amount(rate, "FLOP/s")),
            kAdapterShare.source});
  if (!t.trainer.casts_adapters) return;
  const double bytes = kAdapterBytes.value * t.adapter_width * (3 + t.recompute()) * t.layers() *
                       t.tokens() / t.tensor;
  step.add({"adapter_casts", bytes / t.figures.bandwidth, Bound::memory,
            "bytes x widths x (3 + recomputed) x layers x tokens / bandwidth",
            fmt::format("{} / {}", show_amount(bytes, "B"),
                        show_amount(t.figures.bandwidth, "B/s")),
            kAdapterBytes.source});
}

void add_unpacking(const Training& t, Step& step) {
  if (!t.figures.unpacks || !t.adapters()) return;
  const double weights = t.demand.block_weights() / t.tensor / t.stages;
  const double bytes = kDequantBytes.value * weights * (2 + t.recompute());
  step.add({"unpacking", bytes / t.figures.bandwidth, Bound::memory,
            "bytes x weights x (2 + recomputed) / bandwidth, whatever the number of tokens",
            fmt::format("{} / {}", show_amount(bytes, "B"),
                        show_amount(t.figures.bandwidth, "B/s")),
            kDequantBytes.source});
}

void add_host(const Training& t, Step& step) {
  if (t.trainer.host_ms <= 0 || t.work.compile) return;
  const double hooks = t.work.zero >= 3 ? kShardHooks.value : 1;
  const double seconds =
      t.trainer.host_ms * 1e-3 * t.layers() * (1 + t.recompute() / 3) * hooks;
  step.add_beside({"host_launches", seconds, Bound::host,
                   "layers x launches of one layer, a soft maximum with the card's time",
                   fmt::format("{} x {} ms x {:.3g} x {}", t.layers(), t.trainer.host_ms,
                               1 + t.recompute() / 3, hooks),
                   t.trainer.source});
}

}  // namespace

double Training::recompute() const {
  switch (work.checkpointing) {
    case Checkpointing::none: return 0;
    case Checkpointing::selective: return kSelective.value;
    case Checkpointing::full: return 1;
  }
  return 0;
}

// A pipeline without accumulation cuts its batch into micro-batches of one sample.
double Training::micro_batch_size() const {
  return stages > 1 && work.grad_accum <= 1 ? 1 : real(work.batch);
}

double Training::micro_batches() const {
  return stages > 1 && work.grad_accum <= 1 ? real(work.batch) : real(work.grad_accum);
}

double Training::tokens() const {
  // Preference training reads the better and the worse answer.
  const double answers = work.mode == Mode::dpo ? 2 : 1;
  return answers * micro_batch_size() * real(work.sequence) / context;
}

double Training::slice_weights() const {
  return (demand.shared_weights + demand.expert_weights / experts_over + 2 * demand.head_weights) /
         tensor / stages;
}

double Training::trained_weights() const {
  if (!adapters()) return slice_weights();
  return real(work.lora_rank) * adapter_width * demand.layers / tensor / stages;
}

double Training::stored_bytes() const {
  return (demand.shared_weights * storage.block +
          demand.expert_weights / experts_over * storage.expert +
          2 * demand.head_weights * storage.head) /
         tensor / stages;
}

double Training::product_rate() const {
  double share = figures.gemm_share;
  if (figures.arithmetic == Arithmetic::fp8) share *= kFp8Share.value;
  if (figures.arithmetic == Arithmetic::fp4) share *= figures.kind->fp4_share;
  return share * figures.linear;
}

double Training::sixteen_rate() const {
  const bool wide = figures.arithmetic == Arithmetic::fp32 || figures.arithmetic == Arithmetic::tf32;
  return figures.gemm_share * (wide ? figures.linear : figures.sixteen);
}

Step micro_batch(const Training& t) {
  Step step;
  add_products(t, step);
  add_attention(t, step);
  add_elementwise(t, step);
  add_adapters(t, step);
  add_unpacking(t, step);
  add_host(t, step);
  return step;
}

TrainingSpeed train(const Training& t, Step& step, std::vector<Explained>& explain) {
  step = optimizer_step(t);
  explain_step(step, "step.", explain);
  TrainingSpeed speed;
  speed.step = Seconds{step.seconds()};
  const double samples = t.micro_batch_size() * t.micro_batches();
  const double tokens = samples * real(t.work.sequence) * t.replicas;
  speed.tokens_per_s = tokens / step.seconds();
  speed.tokens_per_s_per_gpu = speed.tokens_per_s / real(std::max<std::int64_t>(1, t.work.gpus));
  const Demand& d = t.demand;
  const double useful = 6 * (d.active_weights + d.head_weights) +
                        6 * d.attention_layers * real(t.work.sequence) * d.attention_width;
  speed.mfu = speed.tokens_per_s_per_gpu * useful / t.figures.sixteen;
  return speed;
}

}  // namespace gpuplan::detail
