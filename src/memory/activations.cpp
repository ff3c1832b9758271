#include "memory/activations.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "memory/images.hpp"

namespace gpuplan::detail {
namespace {

// What the backward pass keeps of one layer and token, piece by piece.
double norm_bytes(const MemoryJob& job) {
  const auto norms = static_cast<double>(std::max<std::int64_t>(job.model.norms_per_layer, 0));
  const double h = job.hidden;
  if (job.trains_all()) return norms * h * (job.work.compile ? 4 : job.traits->activations.norm);
  // Frozen: the 32-bit copy of the input of an RMS norm; a layer norm kernel keeps its 16-bit one.
  return norms * h * (job.model.layer_norm ? 2 : 4);
}

double attention_bytes(const MemoryJob& job) {
  const auto layers = static_cast<double>(std::max<std::int64_t>(job.model.layers, 1));
  const double share =
      static_cast<double>(std::max<std::int64_t>(job.model.attention_blocks(), 0)) / layers;
  // Query, key, value (keys and values expanded to the query heads) and the output.
  double bytes = 8 * job.query_width;
  if (job.work.attention == Attention::eager)
    // Scores: the softmax in 32 bits and a 16-bit copy for the product with the values, less what
    // is freed in time: about 5 bytes each, as arXiv 2205.05198 has it with a dropout mask.
    bytes += 5 * static_cast<double>(job.model.heads) * static_cast<double>(job.work.sequence);
  bytes *= share;
  // Recurrent mixing: its input, gate, convolution, time step and output, 16-bit each.
  if (job.model.recurrent)
    bytes += 12 * static_cast<double>(job.model.recurrent->inner) * (1 - share);
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
  if (job.traits->activations.adapter_inputs_shared) {
    if (t.q || t.k || t.v) width += h;
    if (t.o) width += job.query_width;
    if (t.mlp) width += h + job.mlp_width;
  } else {
    width += h * ((t.q ? 1 : 0) + (t.k ? 1 : 0) + (t.v ? 1 : 0));
    if (t.o) width += job.query_width;
    if (t.mlp) width += (job.model.gated_mlp ? 2 : 1) * h + job.mlp_width;
  }
  double bytes = width * job.traits->activations.adapter_input;
  // litgpt computes q, k and v in one matrix and adds the adapter's part into a copy.
  if (job.traits->activations.fused_qkv > 0 && (t.q || t.k || t.v)) {
    bytes += job.traits->activations.fused_qkv * h;
    if (job.kv_width >= job.query_width) bytes += 4 * h;  // the view of v keeps all of q, k, v
  }
  return bytes;
}

}  // namespace

double layer_bytes_per_token(const MemoryJob& job) {
  double bytes = norm_bytes(job) + attention_bytes(job) + mlp_bytes(job) + adapter_bytes(job);
  // litgpt's 4-bit linear layers keep their inputs (an autograd function of their own).
  if (job.work.adapters() && job.quantised() && job.traits->activations.keeps_quantised_inputs)
    bytes += 4 * job.hidden + 2 * job.mlp_width;
  bytes += 4 * job.hidden * job.expert_copies;
  return bytes / job.tensor;
}

// One layer at work in the backward pass: what it keeps, and the gradients of its widest part
// (two of the feed-forward width, one of the hidden).
double working_bytes_per_token(const MemoryJob& job) {
  const double kept = layer_bytes_per_token(job);
  if (job.work.compile) return kept;  // the compiler frees each piece as it goes
  // Experts take their turn: only the gradients of one of them are alive.
  const double turns = job.model.moe && job.expert_copies > 0
                           ? std::max(1.0, static_cast<double>(job.model.moe->experts) /
                                               job.expert_copies)
                           : 1;
  const double gradients = (4 * job.mlp_width / turns + 2 * job.hidden) / job.tensor;
  if (!job.traits->activations.adapters_widen || !job.work.adapters() || !job.sharded(3))
    return kept + gradients;
  // 32-bit adapters under FSDP, where nothing casts their sums back: the 16-bit pieces of the
  // layer double (fms-acceleration: 279 kB a token on one GPU, 525 kB on two and four).
  const double norms = norm_bytes(job) / job.tensor;
  return norms + 2 * (kept - norms) + 2 * gradients;
}

namespace {

Term saved_activations(const MemoryJob& job) {
  Term saved;
  const double layer = layer_bytes_per_token(job);
  const double t = job.tokens;
  const double checkpoint = 2 * job.hidden / job.tensor;
  saved.source = job.traits->activations.source;
  if (job.convolutional()) {
    saved = image_activations(job);
  } else if (job.work.checkpointing == Checkpointing::none) {
    saved.bytes = layer * t * job.depth;
    saved.formula = "bytes a token and layer x tokens x layers";
    saved.inputs = fmt::format("{} x {} x {}", number(layer), number(t), number(job.depth));
  } else {
    saved.bytes = checkpoint * t * job.depth;
    saved.formula = "2 x hidden x tokens x layers (checkpoints)";
    saved.inputs = fmt::format("2 x {} x {} x {} / {}", number(job.hidden), number(t),
                               number(job.depth), number(job.tensor));
    if (job.work.checkpointing == Checkpointing::selective) {
      // Every second layer is recomputed.
      saved.bytes = (layer + checkpoint) * t * job.depth / 2;
      saved.formula = "(bytes a token and layer + 2 x hidden) x tokens x layers / 2";
    } else if (job.work.offload == OffloadKind::activations) {
      saved.bytes = 2 * checkpoint * t;  // one on its way to the host, one on its way back
      saved.formula = "2 checkpoints of 2 x hidden x tokens (the others are in host memory)";
    }
  }
  // With tensor parallelism the head reads, and gets gradients for, the full sequence.
  if (job.tensor > 1) saved.bytes += 4 * job.hidden * t;
  return saved;
}

// Bytes a token and vocabulary entry of a plain loss.
double plain_loss(const MemoryJob& job) {
  const LossTraits& loss = job.traits->loss;
  // Model code from before Llama (GPT-2, GPT-BigCode, OPT, BLOOM: plain MLP, tied head) leaves the
  // logits in 16 bits.
  const bool early = !job.model.gated_mlp && job.count.head == 0;
  if (early && loss.early_full > 0)
    return job.work.adapters() ? loss.early_adapters : loss.early_full;
  return loss.plain + (job.version.before(4, 46) ? loss.shifted : 0);
}

Term loss_buffers(const MemoryJob& job) {
  Term logits;
  const auto vocab = static_cast<double>(job.model.vocab);
  const bool words = job.text() || (job.model.kind == ModelKind::encoder &&
                                    job.work.mode == Mode::pretrain);
  if (!words) return logits;  // a class or a vector for each sample: nothing of note
  double each = 0;
  switch (job.work.loss) {
    case Loss::plain: each = plain_loss(job); break;
    case Loss::chunked: each = job.traits->loss.chunked; break;
    case Loss::cut: each = 0; break;
  }
  // With a pipeline only the last stage computes the loss, one sample at a time.
  const double tokens =
      job.work.pp > 1
          ? job.tokens / static_cast<double>(std::max<std::int64_t>(job.work.batch, 1))
          : job.tokens;
  logits.bytes = each * vocab * tokens / job.tensor;
  logits.formula = "bytes of the loss x vocabulary x tokens / tp";
  logits.inputs = fmt::format("{} x {} x {} / {}", number(each), number(vocab), number(tokens),
                              number(job.tensor));
  logits.source = job.traits->loss.source;
  return logits;
}

}  // namespace

Activations activations(const MemoryJob& job) {
  Activations result;
  if (!job.work.training()) return result;
  result.saved = saved_activations(job);
  if (job.work.checkpointing != Checkpointing::none && !job.convolutional())
    result.working = working_bytes_per_token(job) * job.tokens;
  result.logits = loss_buffers(job);
  // A preference pair is two samples: chosen and rejected.
  if (job.work.mode == Mode::dpo) {
    result.saved.bytes *= 2;
    result.working *= 2;
    result.logits.bytes *= 2;
    result.saved.inputs += " x 2 (chosen and rejected)";
  }
  if (job.trains_all() && job.work.loss == Loss::chunked)
    result.head_gradient = 2 * static_cast<double>(job.model.vocab) * job.hidden *
                           (job.ranks > 1 ? 1 : 2) / job.tensor;
  return result;
}

}  // namespace gpuplan::detail
