#include "memory/peak.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "memory/kv_cache.hpp"
#include "memory/weights.hpp"

namespace gpuplan::detail {
namespace {

std::vector<Moment> training_moments(const MemoryJob& job, const Parts& p) {
  const double standing = p.weights.bytes + p.gathered.bytes + p.optimizer.bytes +
                          p.adapter.weights.bytes + p.adapter.gradients + p.adapter.states;
  const double gradients = p.gradients.bytes + p.activations.head_gradient * 0;
  // Gradients of earlier micro-batches are alive all the time; else they come one by one.
  const bool piled = (job.work.grad_accum > 1 || job.traits->accumulates) &&
                     !job.work.optimizer_in_backward;
  const double early = piled ? gradients : 0;
  const double kept = p.activations.saved.bytes;
  const double layer = p.activations.working;
  return {
      {PeakMoment::loss, standing + early + kept + p.activations.logits.bytes +
                             p.activations.head_gradient},
      {PeakMoment::backward, standing + early + kept + layer},
      {PeakMoment::update, standing + gradients + std::max(layer, p.update.bytes)},
      {PeakMoment::save, p.saving > 0 ? standing + p.saving : 0},
  };
}

std::vector<Moment> serving_moments(const Parts& p) {
  const double standing = p.weights.bytes + p.kv.bytes + p.serving.workspace.bytes;
  const double forward = p.serving.activations.bytes;
  const double logits = p.serving.logits.bytes;
  const double busy = p.serving.together ? forward + logits : std::max(forward, logits);
  return {{p.serving.moment, standing + busy}};
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
  parts.saving = saving_buffers(job);
  return parts;
}

std::vector<Moment> moments_of(const MemoryJob& job, const Parts& parts) {
  return job.work.training() ? training_moments(job, parts) : serving_moments(parts);
}

Term reserved_memory(const MemoryJob& job, const Parts& parts, double allocated) {
  Term term;
  const double factor = job.work.training() ? job.traits->reserve
                        : job.traits->serving == Serving::eager ? 1.03
                                                                 : job.traits->reserve;
  term.bytes = allocated * factor + parts.serving.graphs;
  term.formula = "allocated x allocator factor + CUDA graph pool";
  term.inputs = fmt::format("{} x {} + {}", gib(allocated), number(factor),
                            gib(parts.serving.graphs));
  term.source = job.traits->source;
  return term;
}

}  // namespace gpuplan::detail
