#include "memory/states.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "memory/images.hpp"
#include "memory/weights.hpp"

namespace gpuplan::detail {
namespace {

// Numbers that an optimizer keeps for each parameter. `quantised` numbers take one byte and an
// eighth of a percent of scales; paged ones live in host memory and are moved in page by page, so
// the allocator's counters never see them (torchtune's 18.9 GiB row with PagedAdamW8bit).
struct OptimizerTraits {
  Optimizer optimizer;
  double numbers;
  bool quantised;
  bool paged;
  std::string_view source;
  double root_numbers = 0;  // more for embedding and head
};
constexpr std::array kOptimizers{
    OptimizerTraits{Optimizer::adamw, 2, false, false, "two moments"},
    OptimizerTraits{Optimizer::adamw8bit, 2, true, false, "two moments of 8 bits (bitsandbytes)"},
    OptimizerTraits{Optimizer::paged_adamw, 2, false, true, "two moments in paged host memory"},
    OptimizerTraits{Optimizer::paged_adamw8bit, 2, true, true,
                    "two 8-bit moments in paged host memory"},
    OptimizerTraits{Optimizer::adafactor, 1, false, false,
                    "4 bytes a parameter in 32 bits (ml-engineering); less when fully factored"},
    OptimizerTraits{Optimizer::lion, 1, false, false, "one moment"},
    OptimizerTraits{Optimizer::sgd, 1, false, false, "momentum"},
    OptimizerTraits{Optimizer::muon, 1, false, false,
                    "momentum of the matrices; embedding and head get AdamW's two moments "
                    "(arXiv 2502.16982, section 2)", 1},
};

const OptimizerTraits& optimizer_traits(Optimizer optimizer) {
  const auto row = std::ranges::find(kOptimizers, optimizer, &OptimizerTraits::optimizer);
  return row == kOptimizers.end() ? kOptimizers[0] : *row;
}

double state_bytes(const OptimizerTraits& optimizer, double number_bytes) {
  if (optimizer.paged) return 0;
  return optimizer.numbers * (optimizer.quantised ? 1.0 : number_bytes);
}

// The 32-bit copy that belongs to the optimizer (not the parameters themselves).
bool copy_of_optimizer(const MemoryJob& job) {
  return job.work.master_weights && (job.traits->states.style != MasterStyle::fp32 ||
                                     job.work.sharding == Sharding::deepspeed);
}

double gradient_bytes(const MemoryJob& job) {
  if (!job.work.master_weights) return compute_bytes(job.work.precision);
  if (job.work.sharding == Sharding::deepspeed)
    // DeepSpeed keeps 32-bit gradients, and below stage 3 the 16-bit ones beside them: 2P + 18P/N
    // and 18P/N (stage_1_and_2.py, stage3.py).
    return job.work.zero < 3 ? 6 : 4;
  return job.traits->states.style == MasterStyle::copy ? 2 : 4;
}

double over_ranks(const MemoryJob& job, double bytes, int stage) {
  return job.sharded(stage) ? bytes / job.ranks : bytes;
}

}  // namespace

double adapter_parameters(const MemoryJob& job) {
  if (!job.work.adapters()) return 0;
  const auto rank_of_adapter = static_cast<double>(job.work.lora_rank);
  if (job.model.unet) return rank_of_adapter * unet_adapter_widths(job.model);
  const LoraTargets& t = job.work.lora_targets;
  const double h = job.hidden, q = job.query_width, kv = job.kv_width;
  double widths = 0;  // in + out of one layer
  if (job.model.latent) {
    const auto& l = *job.model.latent;
    const auto rank = static_cast<double>(l.kv_lora_rank);
    const auto rope = static_cast<double>(l.qk_rope_head_dim);
    const auto query = static_cast<double>(l.q_lora_rank);
    const auto heads = static_cast<double>(job.model.heads);
    const auto nope = static_cast<double>(l.qk_nope_head_dim);
    const auto value = static_cast<double>(l.v_head_dim);
    if (t.q) widths += query > 0 ? h + query + query + q : h + q;
    if (t.k) widths += h + rank + rope;
    if (t.v) widths += rank + heads * (nope + value);
    if (t.o) widths += heads * value + h;
  } else {
    if (t.q) widths += h + q;
    if (t.k) widths += h + kv;
    if (t.v) widths += h + kv;
    if (t.o) widths += q + h;
  }
  const double matrices = job.model.gated_mlp ? 3 : 2;
  const auto whole = static_cast<double>(std::max<std::int64_t>(job.model.layers, 1));
  double total = widths * whole;
  const auto& moe = job.model.moe;
  const auto dense = moe ? static_cast<double>(moe->dense_layers) : whole;
  const auto dense_width = static_cast<double>(job.model.intermediate);
  if (t.mlp) {
    total += dense * matrices * (h + dense_width);
    if (moe && moe->shared > 0) {
      const auto shared = moe->shared_intermediate > 0
                              ? static_cast<double>(moe->shared_intermediate)
                              : static_cast<double>(moe->shared * moe->intermediate);
      total += (whole - dense) * matrices * (h + shared);
    }
  }
  if (t.experts && moe)
    total += (whole - dense) * static_cast<double>(moe->experts) * matrices *
             (h + static_cast<double>(moe->intermediate));
  const double share = job.layers / whole;
  total *= share;
  if (t.head) total += h + static_cast<double>(job.model.vocab);
  if (t.embeddings) total += h + static_cast<double>(job.model.vocab);
  return total * rank_of_adapter / job.tensor;
}

AdapterStates adapter_states(const MemoryJob& job) {
  AdapterStates result;
  const double parameters = adapter_parameters(job);
  if (parameters <= 0) return result;
  const double bytes = job.traits->states.adapter_bytes;
  const OptimizerTraits& optimizer = optimizer_traits(job.work.optimizer);
  result.weights.bytes = over_ranks(job, parameters * bytes, 3);
  result.gradients = over_ranks(job, parameters * bytes, 2);
  result.states = over_ranks(job, parameters * state_bytes(optimizer, bytes), 1);
  result.weights.formula = "rank x (in + out) of each target x (weight + gradient + states)";
  result.weights.inputs = fmt::format(
      "{} parameters x ({} + {} + {}) bytes", number(parameters), number(bytes), number(bytes),
      number(state_bytes(optimizer, bytes)));
  result.weights.source = "LoRA: two factors for each matrix; " + std::string(job.traits->states.source);
  return result;
}

Term gradients(const MemoryJob& job) {
  Term term;
  if (!job.trains_all()) return term;
  const WeightSlice slice = weight_slice(job);
  const double each = gradient_bytes(job);
  term.source = job.traits->states.source;
  if (job.work.optimizer_in_backward) {
    // Each gradient is used up as soon as it exists: one layer's are alive.
    term.bytes = slice.layer_parameters * each;
    term.formula = "gradients of one layer (the optimizer runs inside the backward pass)";
    term.inputs = fmt::format("{} x {} bytes", number(slice.layer_parameters), number(each));
    return term;
  }
  // With a pipeline the gradients of a stage pile up in 32 bits, unsharded, until the last
  // micro-batch is done.
  const bool piled = job.work.pp > 1 && job.sharded(3) && job.work.master_weights;
  term.bytes = piled ? 4 * slice.parameters : over_ranks(job, slice.parameters * each, 2);
  // Evaluating with whole weights keeps the gradients of a full run unsharded as well.
  if (job.traits->weights.saves_whole && job.sharded(3)) term.bytes = slice.parameters * each;
  if (job.work.offload == OffloadKind::all) term.bytes = 0;
  term.formula = "parameters x bytes of a gradient / ranks that share them";
  term.inputs = fmt::format("{} x {} / {}", number(slice.parameters), number(each),
                            job.sharded(2) && !piled ? number(job.ranks) : "1");
  return term;
}

Term optimizer_states(const MemoryJob& job) {
  Term term;
  if (!job.trains_all()) return term;
  const WeightSlice slice = weight_slice(job);
  const OptimizerTraits& optimizer = optimizer_traits(job.work.optimizer);
  const double number_bytes =
      job.work.master_weights ? 4 : compute_bytes(job.work.precision);
  const double copy = copy_of_optimizer(job) ? 4 : 0;
  const double each = copy + state_bytes(optimizer, number_bytes);
  term.bytes = over_ranks(job, slice.parameters * each +
                                   slice.root_parameters * optimizer.root_numbers * number_bytes,
                          1);
  if (job.work.offload == OffloadKind::optimizer || job.work.offload == OffloadKind::all)
    term.bytes = 0;
  term.formula = "parameters x (32-bit copy + states) / ranks that share them";
  term.inputs = fmt::format("{} x ({} + {}) / {}{}", number(slice.parameters), number(copy),
                            number(each - copy), job.sharded(1) ? number(job.ranks) : "1",
                            term.bytes == 0 && each > 0 ? ", held in host memory" : "");
  term.source = std::string(optimizer.source) + "; " + std::string(job.traits->states.source);
  return term;
}

Term update_buffers(const MemoryJob& job) {
  Term term;
  if (!job.trains_all() || job.traits->states.fused_update || job.work.optimizer_in_backward) return term;
  if (job.work.optimizer != Optimizer::adamw) return term;
  if (job.work.offload == OffloadKind::optimizer || job.work.offload == OffloadKind::all)
    return term;
  // torch.optim.AdamW without `fused` works on lists of tensors and holds the denominator of all
  // parameters at once, in the type of the states.
  const WeightSlice slice = weight_slice(job);
  const double each = job.work.master_weights ? 4 : compute_bytes(job.work.precision);
  term.bytes = over_ranks(job, slice.parameters * each, 1);
  term.formula = "one temporary copy of the parameters in the optimizer step (foreach AdamW)";
  term.inputs = fmt::format("{} x {} / {}", number(slice.parameters), number(each),
                            job.sharded(1) ? number(job.ranks) : "1");
  term.source = "fms-acceleration: full fine-tuning peaks at exactly 10 bytes a parameter";
  return term;
}

double saving_buffers(const MemoryJob& job) {
  if (!job.traits->weights.saves_whole || !job.sharded(3)) return 0;
  return 2 * weight_slice(job).parameters;
}

}  // namespace gpuplan::detail
