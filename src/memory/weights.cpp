#include "memory/weights.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gpuplan::detail {
namespace {

constexpr double kSixteen = 16;

struct Bits {
  double linear = 16, experts = 16, embedding = 16, head = 16, rest = 16;
};

// bitsandbytes replaces linear modules when the model is loaded; formats that are quantised ahead
// of time come as a file in which the experts are quantised like everything else.
bool quantised_at_load(Precision precision) {
  return precision == Precision::nf4 || precision == Precision::nf4dq ||
         precision == Precision::int8;
}

bool experts_reached(const MemoryJob& job) {
  if (!job.work.training() || !quantised_at_load(job.work.precision)) return true;
  return job.work.quantise_experts;
}

Bits class_bits(const MemoryJob& job) {
  const PrecisionInfo& info = precision_info(job.work.precision);
  Bits bits;
  const double wide = 8 * compute_bytes(job.work.precision);
  bits = {wide, wide, wide, wide, wide};
  if (info.whole_file) {
    bits.linear = bits.experts = bits.embedding = info.bits_per_weight;
    bits.head = info.head_bits > 0 ? info.head_bits : info.bits_per_weight;
    return bits;
  }
  if (info.bits_per_weight >= kSixteen) return bits;
  bits.linear = linear_bits(job);
  bits.experts = experts_reached(job) ? bits.linear : kSixteen;
  // The published MXFP4 models quantise their experts only.
  if (job.work.precision == Precision::mxfp4 && job.count.experts > 0) bits.linear = kSixteen;
  if (job.traits->weights.quantises_head) bits.head = bits.linear;
  return bits;
}

}  // namespace

double linear_bits(const MemoryJob& job) {
  if (job.work.precision == Precision::int4)
    // A 16-bit scale and a 4-bit zero for each group.
    return 4 + 20.0 / static_cast<double>(std::max<std::int64_t>(job.work.group_size, 1));
  return precision_info(job.work.precision).bits_per_weight;
}

WeightSlice weight_slice(const MemoryJob& job) {
  const ParameterCount& c = job.count;
  const Bits bits = class_bits(job);
  const auto whole = static_cast<double>(std::max<std::int64_t>(job.model.layers, 1));
  const double share = job.layers / whole;  // of the layers, in this pipeline stage

  const auto attention = static_cast<double>(c.attention);
  // Key and value matrices cannot be divided further than into single heads.
  const double heads_split =
      std::min(job.tensor, static_cast<double>(std::max<std::int64_t>(job.model.kv_heads, 1)));
  const double kv = job.model.latent ? 0 : 2 * job.hidden * job.kv_width * whole;
  const double attention_slice =
      kv < attention ? (attention - kv) / job.tensor + kv / heads_split : attention / job.tensor;
  const double mlp = static_cast<double>(c.mlp) / job.tensor;
  const double expert_split = std::max(job.tensor, static_cast<double>(job.work.ep));
  const double experts = static_cast<double>(c.experts) / expert_split;
  const auto plain = static_cast<double>(c.router + c.norms + c.convolution + c.other);
  const auto vision = static_cast<double>(c.vision);

  double embedding = static_cast<double>(c.embedding) / job.tensor;
  double head = static_cast<double>(c.head) / job.tensor;
  double head_bits = bits.head;
  const bool tied = c.head == 0;
  if (tied && job.traits->weights.untied_head) head = embedding;
  // A tied matrix in a GGUF file serves as the output matrix as well and is kept like one.
  const double embedding_bits = tied && !job.traits->weights.untied_head ? head_bits : bits.embedding;
  if (tied && !job.traits->weights.untied_head && job.traits->weights.quantises_head) head_bits = kSixteen;

  // With layers in host memory llama.cpp looks tokens up there as well, while the output matrix is
  // the first thing on the card; a tied matrix is needed there as the head.
  if (!tied && job.traits->serving == Serving::graph && job.work.offload == OffloadKind::layers)
    embedding = 0;

  WeightSlice slice;
  const double block_parameters = share * (attention_slice + mlp + experts + plain);
  const double block_bytes = share * (bits.linear / 8 * (attention_slice + mlp) +
                                      bits.experts / 8 * experts + bits.rest / 8 * plain);
  double root_bytes = bits.head / 8 * head + embedding_bits / 8 * embedding;
  slice.root_parameters = head + embedding;
  if (job.work.pp > 1) {
    // The first stage holds the embedding, the last one the head: the fuller one counts.
    root_bytes = std::max(bits.head / 8 * head, embedding_bits / 8 * embedding);
    slice.root_parameters = std::max(head, embedding);
  }
  slice.parameters = block_parameters + slice.root_parameters + vision;
  slice.blocks = block_bytes;
  slice.stored = block_bytes + root_bytes + bits.rest / 8 * vision;
  slice.layer = job.layers > 0 ? block_bytes / job.layers : block_bytes;
  slice.layer_parameters = job.layers > 0 ? block_parameters / job.layers : block_parameters;
  return slice;
}

namespace {

bool weights_sharded(const MemoryJob& job) {
  if (!job.sharded(3)) return false;
  // DeepSpeed's ZeRO-3 leaves a bitsandbytes base whole on each rank; FSDP divides it since the
  // 4-bit numbers are stored in a 16-bit type (fms-acceleration: Mistral-7B nf4 LoRA 12.2 GiB on
  // one GPU, 14.4 with twice the tokens on two).
  const bool base_4bit = job.quantised() && job.work.adapters();
  if (!base_4bit) return true;
  return job.traits->weights.shards_quantised && job.work.sharding == Sharding::fsdp;
}

// Bytes of a parameter that this GPU keeps for the arithmetic, when it is trained.
double trained_weight_bytes(const MemoryJob& job) {
  const bool fp32 = job.work.master_weights && job.traits->states.style == MasterStyle::fp32 &&
                    job.work.sharding == Sharding::fsdp;
  return fp32 ? 4 : compute_bytes(job.work.precision);
}

}  // namespace

Term own_weights(const MemoryJob& job) {
  const WeightSlice slice = weight_slice(job);
  double bytes = slice.stored;
  if (job.trains_all()) bytes = slice.parameters * trained_weight_bytes(job);
  // A preference run keeps a frozen copy of the model that it started from.
  double copies = 1;
  if (job.work.mode == Mode::dpo) {
    bytes += slice.parameters * 2;
    copies = 2;
  }
  const double whole = bytes;
  if (weights_sharded(job)) bytes /= job.ranks;
  if (job.work.offload == OffloadKind::all) {
    // Everything waits in host memory. In inference two layers and the root pass through.
    bytes = job.work.training() ? 0 : std::min(bytes, slice.stored - slice.blocks + 2 * slice.layer);
  }
  if (job.work.offload == OffloadKind::layers && job.layers > 0)
    bytes -= slice.layer * std::min(static_cast<double>(job.work.offload_layers), job.layers);
  Term term;
  term.bytes = std::max(bytes, 0.0);
  term.formula = "sum over classes of parameters x bits / 8, over tensor, pipeline and data shards";
  term.inputs = fmt::format(
      "{} parameters in this slice (blocks {}, embedding and head {} parameters), {} = {}; kept {}",
      number(slice.parameters), gib(slice.blocks), number(slice.root_parameters),
      copies > 1 ? "model and frozen copy" : "stored", gib(whole), gib(term.bytes));
  term.source = precision_info(job.work.precision).source;
  return term;
}

Term gathered_weights(const MemoryJob& job) {
  Term term;
  if (!weights_sharded(job) && !(job.work.training() && job.work.offload == OffloadKind::all &&
                                 job.ranks > 1))
    return term;
  const WeightSlice slice = weight_slice(job);
  const bool staged = job.work.pp > 1 && job.trains_all();
  // Two layers: the one at work and the next, fetched ahead. They travel as stored (16-bit, or
  // the packed 4-bit form).
  const double layer = job.trains_all() ? 2 * slice.layer_parameters : slice.layer;
  double root = 2 * slice.root_parameters;
  const bool tied = job.count.head == 0;
  if (job.traits->weights.units_apart && !tied) root /= 2;
  if (staged) {
    // A pipeline stage runs many micro-batches a step: its weights stay gathered in between.
    term.bytes = 2 * slice.parameters;
    term.formula = "2 x parameters of the stage (kept gathered over the micro-batches)";
    term.inputs = fmt::format("2 x {}", number(slice.parameters));
  } else {
    term.bytes = root + 2 * layer;
    term.formula = "root unit (embedding, head; 16-bit) + 2 layers as stored";
    term.inputs = fmt::format("{} + 2 x {}", gib(root), gib(layer));
  }
  term.source = "torchtune 70B rows; torchtitan pipeline rows";
  return term;
}

}  // namespace gpuplan::detail
