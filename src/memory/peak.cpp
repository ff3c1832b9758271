#include "memory/peak.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "memory/kv_cache.hpp"
#include "memory/weights.hpp"

namespace gpuplan::detail {
namespace {

std::vector<Moment> training_moments(const MemoryJob& job, const Parts& p) {
  const double standing = p.weights.bytes + p.gathered.bytes + p.optimizer.bytes +
                          p.unpacked.bytes + p.adapter.weights.bytes + p.adapter.gradients + p.adapter.states;
  const double gradients = p.gradients.bytes;
  // Gradients of earlier micro-batches are alive all the time; else they come one by one.
  const bool piled = (job.work.grad_accum > 1 || job.traits->states.accumulates) &&
                     !job.work.optimizer_in_backward;
  const double early = piled ? gradients : 0;
  const double kept = p.activations.saved.bytes;
  const double layer = p.activations.working;
  return {
      {PeakMoment::loss, standing + early + kept + p.activations.logits.bytes +
                             p.activations.head_gradient},
      {PeakMoment::backward, standing + early + kept + layer},
      // The last layer's gradient is done while parts are still gathered; then the optimizer runs.
      {PeakMoment::update, std::max(standing + gradients + layer,
                                    standing - p.gathered.bytes + gradients + p.update.bytes)},
      {PeakMoment::save, p.saving > 0 ? standing + p.saving + gradients : 0},
  };
}

std::vector<Moment> serving_moments(const Parts& p) {
  const double standing = p.weights.bytes + p.kv.bytes + p.unpacked.bytes + p.serving.workspace.bytes;
  const double forward = p.serving.activations.bytes;
  const double logits = p.serving.logits.bytes;
  const double busy = p.serving.together ? forward + logits : std::max(forward, logits);
  return {{p.serving.moment, standing + busy}};
}

}  // namespace

namespace {

// The draft model of speculative decoding: its weights and the cache of the same tokens.
void add_draft(const MemoryJob& job, Parts& parts) {
  if (!job.work.draft || job.work.training()) return;
  ResolvedWorkload work = job.work;
  work.draft.reset();
  const MemoryJob draft = make_job(*job.work.draft, work);
  const auto join = [](Term& all, const Term& more) {
    all.bytes += more.bytes;
    all.formula += "; and the same of the draft model";
    all.inputs += "; draft: " + more.inputs;
  };
  join(parts.weights, own_weights(draft));
  join(parts.kv, kv_cache(draft));
}

}  // namespace

Parts parts_of(const MemoryJob& job) {
  Parts parts;
  parts.weights = own_weights(job);
  parts.gathered = gathered_weights(job);
  parts.gradients = gradients(job);
  parts.optimizer = optimizer_states(job);
  parts.update = update_buffers(job);
  parts.kv = kv_cache(job);
  parts.framework = framework_memory(job);
  parts.adapter = adapter_states(job);
  parts.activations = activations(job);
  parts.serving = serving_needs(job);
  parts.unpacked = unpacked_matrix(job);
  parts.saving = saving_buffers(job);
  add_draft(job, parts);
  return parts;
}

std::vector<Moment> moments_of(const MemoryJob& job, const Parts& parts) {
  return job.work.training() ? training_moments(job, parts) : serving_moments(parts);
}

namespace {

double allocator_factor(const MemoryJob& job) {
  if (!job.work.training())
    return job.traits->serving == Serving::eager ? 1.03 : job.traits->allocator.reserve;
  if (!job.sharded(3)) return job.traits->allocator.reserve;
  return job.work.adapters() ? job.traits->allocator.sharded : job.traits->allocator.sharded_full;
}

// Two 32-bit tensors of the size of the logits go back to the allocator's cache when the loss is
// done, are cut up by the checkpoints of the next step, and are asked for anew: they stay reserved
// beside the peak (6 to 10 bytes a token and vocabulary entry in fms-acceleration's runs, however
// the loss is computed). Where one recomputed layer is much larger than the loss, its blocks serve
// the loss as well; with whole weights trained the optimizer step claims them.
double left_over(const MemoryJob& job, const Parts& parts) {
  if (!job.work.adapters() || job.work.loss != Loss::plain ||
      job.work.checkpointing == Checkpointing::none)
    return 0;
  const double loss = parts.activations.logits.bytes;
  const double cached = job.traits->loss.cached * static_cast<double>(job.model.vocab) *
                        job.tokens / job.tensor;
  return std::clamp(2 * loss - parts.activations.working, 0.0, std::min(loss, cached));
}

}  // namespace

Term reserved_memory(const MemoryJob& job, const Parts& parts, double allocated) {
  Term term;
  const double factor = allocator_factor(job);
  const double cached = left_over(job, parts);
  term.bytes = allocated * factor + cached + parts.serving.graphs;
  term.formula = "allocated x allocator factor + cached blocks of the loss + CUDA graph pool";
  term.inputs = fmt::format("{} x {} + {} + {}", gib(allocated), number(factor), gib(cached),
                            gib(parts.serving.graphs));
  term.source = job.traits->allocator.source;
  return term;
}

Totals totals_of(const MemoryJob& job) {
  Totals all;
  all.parts = parts_of(job);
  const Parts& p = all.parts;
  all.moments = moments_of(job, p);
  all.worst = *std::ranges::max_element(all.moments, {}, &Moment::bytes);
  all.reserved = reserved_memory(job, p, all.worst.bytes);
  MemoryBreakdown& per = all.per_gpu;
  per.weights = Bytes::rounded(p.weights.bytes);
  per.gradients = Bytes::rounded(p.gradients.bytes + p.adapter.gradients);
  per.optimizer = Bytes::rounded(p.optimizer.bytes + p.adapter.states);
  per.adapter = Bytes::rounded(p.adapter.weights.bytes);
  per.activations = Bytes::rounded(p.activations.saved.bytes + p.activations.working +
                                   p.serving.activations.bytes);
  per.logits = Bytes::rounded(p.activations.logits.bytes + p.serving.logits.bytes);
  per.kv_cache = Bytes::rounded(p.kv.bytes);
  per.workspace = Bytes::rounded(p.gathered.bytes + p.unpacked.bytes + p.serving.workspace.bytes +
                                 std::max(p.update.bytes, p.saving));
  per.framework = Bytes::rounded(p.framework.bytes);
  per.allocated = Bytes::rounded(all.worst.bytes);
  per.reserved = Bytes::rounded(all.reserved.bytes);
  per.total = per.reserved + per.framework;
  return all;
}

}  // namespace gpuplan::detail
