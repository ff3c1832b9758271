#include "memory/activations.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "memory/weights.hpp"

namespace gpuplan::detail {
namespace {

// What the backward pass keeps of one layer and token, piece by piece (31-bit sums are far away:
// everything is in doubles). Widths: h hidden, q query, I feed-forward.
double norm_bytes(const MemoryJob& job) {
  const auto norms = static_cast<double>(std::max<std::int64_t>(job.model.norms_per_layer, 0));
  const double h = job.hidden;
  if (job.trains_all()) return norms * h * (job.work.compile ? 4 : job.traits->norm_bytes);
  // Frozen: the 32-bit copy of the input of an RMS norm; a layer norm kernel keeps its 16-bit one.
  return norms * h * (job.model.layer_norm ? 2 : 4);
}

double attention_bytes(const MemoryJob& job) {
  // Query, key, value (keys and values expanded to the query heads) and the output.
  double bytes = 8 * job.query_width;
  if (job.work.attention == Attention::eager)
    // Scores: the softmax in 32 bits, its 16-bit copy for the product with the values (the mask
    // is not counted): about 5 bytes each, as arXiv 2205.05198 has it.
    bytes += 5 * static_cast<double>(job.model.heads) * static_cast<double>(job.work.sequence);
  return bytes;
}

double mlp_bytes(const MemoryJob& job) {
  const double width = job.mlp_width;
  if (!job.model.gated_mlp) return width * (job.trains_all() ? 4 : 2);
  // Gate, its activation, up; a trained down-projection needs the product as well.
  return width * (job.trains_all() && !job.work.compile ? 8 : 6);
}

double adapter_bytes(const MemoryJob& job) {
  if (!job.work.adapters()) return 0;
  const LoraTargets& t = job.work.lora_targets;
  const double h = job.hidden;
  double width = 0;
  if (job.traits->adapter_inputs_shared) {
    if (t.q || t.k || t.v) width += h;
    if (t.o) width += job.query_width;
    if (t.mlp) width += h + job.mlp_width;
  } else {
    width += h * ((t.q ? 1 : 0) + (t.k ? 1 : 0) + (t.v ? 1 : 0));
    if (t.o) width += job.query_width;
    if (t.mlp) width += (job.model.gated_mlp ? 2 : 1) * h + job.mlp_width;
  }
  double bytes = width * job.traits->adapter_input_bytes;
  // litgpt computes q, k and v in one matrix and adds the adapter's part into a copy.
  if (job.traits->fused_qkv_bytes > 0 && (t.q || t.k || t.v)) {
    bytes += job.traits->fused_qkv_bytes * h;
    if (job.kv_width >= job.query_width) bytes += 4 * h;  // the view of v keeps all of q, k, v
  }
  return bytes;
}

}  // namespace

double layer_bytes_per_token(const MemoryJob& job) {
  double bytes = norm_bytes(job) + attention_bytes(job) + mlp_bytes(job) + adapter_bytes(job);
  // The 4- and 8-bit linear layers of bitsandbytes keep their inputs.
  if (job.work.adapters() && job.quantised()) bytes += 4 * job.hidden + 2 * job.mlp_width;
  bytes += 4 * job.hidden * job.expert_copies;
  return bytes / job.tensor;
}

Activations activations(const MemoryJob& job) {
  Activations result;
  if (!job.work.training()) return result;
  const double layer = layer_bytes_per_token(job);
  const double t = job.tokens;
  const double checkpoint = 2 * job.hidden / job.tensor;
  // A pipeline keeps the micro-batches that are under way; the first stage holds all of a
  // local batch.
  Term& saved = result.saved;
  if (job.work.checkpointing == Checkpointing::none) {
    saved.bytes = layer * t * job.layers;
    saved.formula = "bytes a token and layer x tokens x layers";
    saved.inputs = fmt::format("{} x {} x {}", number(layer), number(t), number(job.layers));
  } else {
    double kept = checkpoint * t * job.layers;
    if (job.work.offload == OffloadKind::activations) kept = 2 * checkpoint * t;
    if (job.work.checkpointing == Checkpointing::selective)
      kept = layer * t * job.layers / 2;
    saved.bytes = kept;
    saved.formula = "2 x hidden x tokens x layers (checkpoints)";
    saved.inputs = fmt::format("2 x {} x {} x {} / {}", number(job.hidden), number(t),
                               number(job.layers), number(job.tensor));
    result.working = layer * t;
  }
  if (job.tensor > 1)
    // Input of the head over the full sequence, and its gradient.
    saved.bytes += 4 * job.hidden * t;
  saved.source = "counted tensor by tensor, after arXiv 2205.05198; checked on litgpt, torchtune "
                 "and PEFT rows";

  const auto vocab = static_cast<double>(job.model.vocab);
  double each = 0;
  switch (job.work.loss) {
    case Loss::plain: each = job.traits->plain_loss; break;
    case Loss::chunked: each = job.traits->chunked_loss; break;
    case Loss::cut: each = 0; break;
  }
  // With a pipeline only the last stage computes the loss, one micro-batch at a time.
  const double loss_tokens =
      job.work.pp > 1 ? t / static_cast<double>(std::max<std::int64_t>(job.work.batch, 1)) : t;
  result.logits.bytes = each * vocab * loss_tokens / job.tensor;
  result.logits.formula = "bytes of the loss x vocabulary x tokens";
  result.logits.inputs =
      fmt::format("{} x {} x {} / {}", number(each), number(vocab), number(loss_tokens),
                  number(job.tensor));
  result.logits.source = job.traits->source;
  if (job.trains_all() && job.work.loss == Loss::chunked)
    result.head_gradient = 2 * vocab * job.hidden * (job.ranks > 1 ? 1 : 2) / job.tensor;
  return result;
}

}  // namespace gpuplan::detail
