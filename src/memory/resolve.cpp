#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "gpuplan/memory.hpp"
#include "memory/job.hpp"
#include "memory/layout.hpp"

namespace gpuplan {
namespace detail {
namespace {

// ---- values that are wrong whatever the rest says ----

// Far above anything real, and small enough for every product to stay a number.
constexpr std::int64_t kLargest = 1'000'000'000'000;

void check_positive(Diagnostics& errors, std::string_view option,
                    const std::optional<std::int64_t>& value, std::int64_t largest) {
  if (!value || (*value >= 1 && *value <= largest)) return;
  complain(errors, std::string(option), fmt::format("{} is not a possible value", *value),
           fmt::format("a whole number from 1 to {}", largest));
}

void check_values(const Workload& w, Diagnostics& errors) {
  const std::array checks{
      std::pair{"--batch", w.batch},          std::pair{"--seq", w.sequence},
      std::pair{"--grad-accum", w.grad_accum}, std::pair{"--group-size", w.group_size},
      std::pair{"--input-tokens", w.input_tokens},
      std::pair{"--output-tokens", w.output_tokens},
      std::pair{"--max-seqs", w.max_seqs},    std::pair{"--max-batched-tokens", w.max_batched_tokens},
      std::pair{"--image-size", w.image_size}};
  for (const auto& [option, value] : checks) check_positive(errors, option, value, kLargest);
  check_positive(errors, "--lora-rank", w.lora_rank, 1'000'000);
  const std::array groups{std::pair{"--tp", w.tp}, std::pair{"--pp", w.pp}, std::pair{"--cp", w.cp},
                          std::pair{"--ep", w.ep}};
  for (const auto& [option, value] : groups) check_positive(errors, option, value, 10'000);
  check_positive(errors, "--dp", w.dp, 1'000'000);
  check_positive(errors, "--gpus", w.gpus, 1'000'000);
  if (w.zero && (*w.zero < 0 || *w.zero > 3))
    complain(errors, "--zero", fmt::format("{} is not a ZeRO stage", *w.zero), "0, 1, 2 or 3");
  if (w.offload == OffloadKind::layers && w.offload_layers < 1)
    complain(errors, "--offload", "layers needs the number of layers", "--offload layers=8");
  if (w.engine_version && !parse_version(*w.engine_version))
    complain(errors, "--engine-version", fmt::format("\"{}\" is not a version", *w.engine_version),
             "two numbers, such as 0.19");
}

// ---- precisions ----


void resolve_precision(const Workload& w, const ModelShape& model, ResolvedWorkload& r,
                       Diagnostics& errors) {
  Precision usual = w.mode == Mode::qlora ? Precision::nf4 : Precision::bf16;
  // Files are served as they are; for training their numbers are turned into 16-bit ones.
  if (model.stored && !r.training()) usual = model.stored->precision;
  r.precision = w.precision.value_or(usual);
  const PrecisionInfo& info = precision_info(r.precision);
  if (r.training() && info.whole_file)
    complain(errors, "--precision",
             fmt::format("{} is a file format for inference and cannot be trained",
                         name_of(r.precision)),
             "bf16, or nf4 with --mode qlora");
  else if (w.mode == Mode::qlora && info.bits_per_weight >= 16)
    complain(errors, "--precision",
             fmt::format("a qlora base is quantised, {} is not", name_of(r.precision)),
             "nf4, nf4dq, int4, int8 or fp4; or --mode lora");
  else if (r.training() && !r.adapters() && info.bits_per_weight < 8 &&
           r.precision != Precision::fp4)  // FP4 recipes keep 16-bit weights and narrow the products
    complain(errors, "--precision",
             fmt::format("weights in {} cannot be trained in full", name_of(r.precision)),
             "bf16, fp16, fp32, tf32, fp8 or fp4; or --mode qlora");
  KvPrecision kv = KvPrecision::bf16;
  if (r.precision == Precision::fp16) kv = KvPrecision::fp16;
  if (compute_bytes(r.precision) == 4) kv = KvPrecision::fp32;
  // TensorRT-LLM's FP8 and FP4 checkpoints store an FP8 cache.
  const bool narrow = r.precision == Precision::fp8 || r.precision == Precision::fp4;
  if (r.framework == Framework::trtllm && narrow) kv = KvPrecision::fp8;
  r.kv_precision = w.kv_precision.value_or(kv);
  r.group_size = w.group_size.value_or(128);
}

// A length that nobody states: the usual one, or all that the model was made for.
std::int64_t usual_length(const ModelShape& model, std::int64_t usual) {
  return model.max_positions > 0 ? std::min(usual, model.max_positions) : usual;
}

// ---- training ----

void resolve_training(const Workload& w, const ModelShape& model, ResolvedWorkload& r,
                      Diagnostics& errors) {
  const FrameworkTraits& traits = traits_of(r.framework);
  r.batch = w.batch.value_or(1);
  r.sequence = w.sequence.value_or(usual_length(model, 2048));
  r.grad_accum = w.grad_accum.value_or(1);
  r.checkpointing = w.checkpointing.value_or(traits.activations.checkpointing);
  r.attention = w.attention.value_or(Attention::flash);
  r.loss = w.loss.value_or(traits.loss.usual);
  r.optimizer = w.optimizer.value_or(Optimizer::adamw);
  r.optimizer_in_backward = w.optimizer_in_backward.value_or(false);
  r.compile = w.compile.value_or(traits.activations.compile);
  r.lora_rank = w.lora_rank.value_or(8);
  r.lora_targets = w.lora_targets.value_or(LoraTargets{});
  r.quantise_experts = w.quantise_experts.value_or(
      traits.weights.quantises_experts && parse_version(r.engine_version).value_or(Version{}).before(5, 0));
  if (!w.quantise_experts && r.engine_version.empty()) r.quantise_experts = traits.weights.quantises_experts;
  const bool sharded = r.zero >= 3 && r.dp * r.cp > 1;
  // DeepSpeed's 16-bit optimizers always keep a 32-bit copy.
  const bool deepspeed = w.sharding == Sharding::deepspeed;
  r.master_weights = w.master_weights.value_or(
      !r.adapters() &&
      (traits.states.master || deepspeed || (sharded && traits.states.master_when_sharded)));
  if (r.optimizer_in_backward && r.grad_accum > 1)
    complain(errors, "--optimizer-in-backward",
             "gradients cannot be accumulated when the optimizer runs inside the backward pass",
             "--grad-accum 1");
  const LoraTargets& t = r.lora_targets;
  if (r.adapters() && t.experts && !model.moe)
    complain(errors, "--lora-targets", "the model has no experts", "attention, mlp or all");
  if (r.adapters() && !(t.q || t.k || t.v || t.o || t.mlp || t.head || t.embeddings || t.experts))
    complain(errors, "--lora-targets", "no module is named", "attention, mlp, all, or q, v");
  if (w.offload == OffloadKind::layers)
    complain(errors, "--offload", "layers=N keeps layers of a model that is served in host memory",
             "all, optimizer or activations in training");
  if (w.concurrency_max)
    complain(errors, "--concurrency", "max is for inference", "--batch N");
  if (w.shared_prefix)
    complain(errors, "--shared-prefix", "training keeps no KV cache", "leave it out");
  if (w.draft) complain(errors, "--draft-model", "a draft model is for inference", "leave it out");
}

// ---- inference ----

// Context, prompt and answer. What nobody states follows from what is stated.
void resolve_lengths(const Workload& w, const ModelShape& model, ResolvedWorkload& r, Diagnostics& errors) {
  constexpr std::int64_t kInput = 1024, kOutput = 256, kContext = 4096;
  const bool none = !w.input_tokens && !w.output_tokens;
  r.input_tokens = w.input_tokens.value_or(kInput);
  r.output_tokens = w.output_tokens.value_or(kOutput);
  if (!w.sequence && !none) {
    r.sequence = std::max(r.input_tokens, std::int64_t{1}) + r.output_tokens;
    return;
  }
  r.sequence = w.sequence.value_or(usual_length(model, kContext));
  if (r.sequence >= r.input_tokens + r.output_tokens) return;
  // A short context: the lengths that were not stated take what is left of it.
  if (none) {
    r.output_tokens = std::max<std::int64_t>(1, r.sequence / 5);
    r.input_tokens = std::max<std::int64_t>(1, r.sequence - r.output_tokens);
    return;
  }
  if (!w.output_tokens && r.input_tokens < r.sequence) {
    r.output_tokens = r.sequence - r.input_tokens;
    return;
  }
  if (!w.input_tokens && r.output_tokens < r.sequence) {
    r.input_tokens = r.sequence - r.output_tokens;
    return;
  }
  complain(errors, "--seq",
           fmt::format("--seq {} is less than --input-tokens {} + --output-tokens {}", r.sequence,
                       r.input_tokens, r.output_tokens),
           fmt::format("--seq {} or more, or fewer tokens", r.input_tokens + r.output_tokens));
}

KvCache cache_of(const Workload& w, const ResolvedWorkload& r) {
  if (w.kv_cache) return *w.kv_cache;
  // Transformers kept tuples of tensors until 4.35.
  const Version version = parse_version(r.engine_version).value_or(Version{});
  if (r.framework == Framework::hf && version.before(4, 36)) return KvCache::legacy;
  // An 8-bit cache comes with a model's own code (Qwen), which keeps such tuples as well.
  if (r.framework == Framework::hf && r.kv_precision == KvPrecision::int8) return KvCache::legacy;
  return traits_of(r.framework).cache;
}

// What an engine batches when nobody says otherwise: less on cards below 70 GiB (vLLM,
// engine/arg_utils.py, default_max_num_batched_tokens and default_max_num_seqs). Where the card is
// not known the dearer reading holds.
struct EngineBatch {
  std::int64_t sequences, tokens;
};
EngineBatch engine_batch(const Workload& w, const ResolvedWorkload& r) {
  const Version version = parse_version(r.engine_version).value_or(Version{});
  // vLLM before 0.8 batched whole contexts of 256 sequences.
  if (r.framework == Framework::vllm && version.before(0, 8))
    return {256, std::max<std::int64_t>(2048, r.sequence)};
  if (w.card_memory && *w.card_memory < kLargeCard) return {256, 2048};
  return {1024, 8192};
}

void resolve_prefix(const Workload& w, ResolvedWorkload& r, Diagnostics& errors) {
  r.shared_prefix = w.shared_prefix.value_or(0);
  if (r.shared_prefix >= r.sequence)
    complain(errors, "--shared-prefix",
             fmt::format("{} tokens in common in a context of {}", r.shared_prefix, r.sequence),
             "less than --seq");
  if (r.shared_prefix > 0 && r.kv_cache != KvCache::paged)
    complain(errors, "--shared-prefix",
             fmt::format("a {} cache keeps each user's tokens apart", name_of(r.kv_cache)),
             "a paged cache (vllm, sglang, trtllm)");
  r.draft = w.draft;
}

void resolve_serving(const Workload& w, const ModelShape& model, ResolvedWorkload& r,
                     Diagnostics& errors) {
  const FrameworkTraits& traits = traits_of(r.framework);
  r.batch = w.batch.value_or(1);
  r.concurrency_max = w.concurrency_max;
  resolve_lengths(w, model, r, errors);
  r.kv_cache = cache_of(w, r);
  resolve_prefix(w, r, errors);
  r.attention = w.attention.value_or(traits.activations.prompt);
  r.compile = w.compile.value_or(traits.activations.compile);
  r.quantise_experts = w.quantise_experts.value_or(true);
  if (traits.serving == Serving::engine) {
    const EngineBatch usual = engine_batch(w, r);
    r.max_seqs = w.max_seqs.value_or(std::max<std::int64_t>(usual.sequences, r.batch));
    r.max_batched_tokens = w.max_batched_tokens.value_or(usual.tokens);
  } else {
    r.max_seqs = w.max_seqs;
    r.max_batched_tokens = w.max_batched_tokens;
  }
  if (w.offload == OffloadKind::optimizer || w.offload == OffloadKind::activations)
    complain(errors, "--offload", fmt::format("there is no {} to move in inference",
                                              w.offload == OffloadKind::optimizer
                                                  ? "optimizer"
                                                  : "saved activation"),
             "layers=N or all");
  if (w.offload == OffloadKind::layers && model.layers > 0 && w.offload_layers > model.layers)
    complain(errors, "--offload",
             fmt::format("{} layers of a model of {}", w.offload_layers, model.layers),
             fmt::format("layers={} at most", model.layers));
  if (w.zero && *w.zero > 0)
    complain(errors, "--zero", "ZeRO shards what training keeps", "--tp or --pp for inference");
}

}  // namespace
}  // namespace detail

Result<ResolvedWorkload> resolve(const Workload& w, const ModelShape& model) {
  using namespace detail;
  Diagnostics errors;
  check_values(w, errors);
  if (!errors.empty()) return errors;

  ResolvedWorkload r;
  r.mode = w.mode;
  r.task = w.training() ? Task::train : Task::inference;
  r.framework_chosen = w.framework != Framework::automatic;
  r.framework = w.framework;
  // Serving language models is vLLM's; plain PyTorch runs the rest.
  const bool writes = model.kind == ModelKind::decoder || model.kind == ModelKind::encoder_decoder;
  if (!r.framework_chosen && !r.training())
    r.framework = writes && w.mode == Mode::inference ? Framework::vllm : Framework::hf;
  r.engine_version = w.engine_version.value_or("");
  r.gpus = w.gpus;
  r.interconnect = w.interconnect;
  r.sharding = w.sharding.value_or(Sharding::fsdp);
  r.offload = w.offload;
  r.offload_layers = w.offload_layers;
  r.ttft = w.ttft;
  r.tpot = w.tpot;
  r.rate = w.rate;
  r.answer = w.answer;
  r.throughput = w.throughput;
  r.feed = w.feed;
  const std::int64_t usual_side = w.mode == Mode::diffusion ? 512 : 224;
  r.image_size = w.image_size.value_or(model.image_size > 0 ? model.image_size : usual_side);

  resolve_layout(w, model, r, errors);
  resolve_precision(w, model, r, errors);
  if (r.training())
    resolve_training(w, model, r, errors);
  else
    resolve_serving(w, model, r, errors);
  if (!errors.empty()) return errors;
  return r;
}

}  // namespace gpuplan
