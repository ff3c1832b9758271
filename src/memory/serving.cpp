#include "memory/serving.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "memory/images.hpp"
#include "memory/weights.hpp"

namespace gpuplan::detail {
namespace {

// ---- engines that profile themselves (vLLM and its kind) ----

// Bytes a sequence and vocabulary entry in the sampler beside the logits. vLLM 0.11 still sorted
// for top-k and top-p in the profile run: values, indices, softmax and sums.
double sampler_bytes(const MemoryJob& job) {
  const bool vllm = job.work.framework == Framework::vllm;
  return vllm && job.version.before(0, 12) ? 36 : 12;
}

void engine_needs(const MemoryJob& job, ServingNeeds& needs) {
  const double e = compute_bytes(job.work.precision);
  const auto batched = static_cast<double>(job.work.max_batched_tokens.value_or(8192));
  const auto sequences = static_cast<double>(job.work.max_seqs.value_or(1024));
  const auto vocab = static_cast<double>(job.model.vocab);
  const bool staged = job.work.pp > 1;
  const double forward =
      batched * e * (3 * job.mlp_width / job.tensor + (staged ? 4 : 2) * job.hidden);
  const double sampler = sequences * vocab * (sampler_bytes(job) + e) + batched * job.hidden * e;
  constexpr double kFixed = 0.13 * kGiB;

  needs.activations.bytes = forward + kFixed;
  needs.activations.formula = "batched tokens x bytes x (3 x mlp / tp + 2 x hidden) + 0.13 GiB";
  needs.activations.inputs =
      fmt::format("{} x {} x (3 x {} / {} + {} x {}) + 0.13 GiB", number(batched), number(e),
                  number(job.mlp_width), number(job.tensor), staged ? "4" : "2", number(job.hidden));
  needs.activations.source =
      "profile run of the engine: start-up logs of vLLM on H100 (llm-d planner); 8192 tokens and "
      "1024 sequences are its defaults on 70 GiB and more, 2048 and 256 below";
  needs.logits.bytes = sampler + kFixed;
  needs.logits.formula = "sequences x vocabulary x bytes of the sampler + batched x hidden x bytes";
  needs.logits.inputs = fmt::format("{} x {} x {} + {} x {} x {}", number(sequences), number(vocab),
                                    number(sampler_bytes(job) + e), number(batched),
                                    number(job.hidden), number(e));
  needs.logits.source = needs.activations.source;
  // The two never meet: only the larger one counts.
  if (needs.logits.bytes > needs.activations.bytes) needs.activations = {};
  else needs.logits = {};
  needs.graphs = 0.9 * kGiB;
  needs.moment = PeakMoment::profile;
}

// ---- PyTorch, layer by layer ----

double prompt_tokens(const MemoryJob& job) {
  // A model that does not write reads everything at once.
  if (!job.text()) return job.tokens;
  return static_cast<double>(job.work.batch) * static_cast<double>(job.work.input_tokens);
}

void eager_needs(const MemoryJob& job, ServingNeeds& needs) {
  if (job.convolutional()) {
    needs.activations = image_forward(job);
    needs.moment = PeakMoment::decode;
    return;
  }
  const double prompt = prompt_tokens(job);
  const auto vocab = static_cast<double>(job.model.vocab);
  double layer = prompt * (2 * (3 * job.mlp_width + 4 * job.hidden)) / job.tensor;
  // Attention that writes its scores: 16-bit, and in 32 bits through the softmax.
  const bool scores = job.work.attention == Attention::eager;
  if (scores)
    layer += 6 * static_cast<double>(job.model.heads) / job.tensor * prompt *
             static_cast<double>(job.work.input_tokens);
  // Transformers built the logits of every prompt position until 4.45, in 32 bits beside the
  // 16-bit ones; later versions only those of the last.
  const bool all_positions =
      job.traits->serving == Serving::fused ||
      (job.work.framework == Framework::hf && job.version.before(4, 45));
  const double positions = all_positions ? prompt : static_cast<double>(job.work.batch);
  needs.activations.bytes = layer;
  needs.activations.formula = "one layer of the prompt: 2 x (3 x mlp + 4 x hidden) x prompt tokens";
  needs.activations.inputs = fmt::format("2 x (3 x {} + 4 x {}) x {} / {}", number(job.mlp_width),
                                         number(job.hidden), number(prompt), number(job.tensor));
  if (scores) {
    needs.activations.formula += " + 6 x heads x prompt^2";
    needs.activations.inputs += fmt::format(" + 6 x {} x {} x {}", job.model.heads, number(prompt),
                                            job.work.input_tokens);
  }
  needs.activations.source = "counted from the layer's matrices; scores: AutoAWQ tables";
  needs.moment = PeakMoment::prefill;
  if (!job.text()) return;
  needs.logits.bytes = 6 * vocab * positions;
  needs.logits.formula = all_positions ? "6 x vocabulary x prompt tokens" : "6 x vocabulary x users";
  needs.logits.inputs = fmt::format("6 x {} x {}", number(vocab), number(positions));
  needs.logits.source = "Transformers generate: 16-bit logits and their 32-bit copy";
}

void graph_needs(const MemoryJob& job, ServingNeeds& needs) {
  // One micro-batch passes at a time, in 32 bits: the layer's input and output, what it mixes, and
  // the feed-forward widths. Only the last token of each user gets logits.
  constexpr double kMicroBatch = 512;  // llama.cpp's default ubatch
  const auto vocab = static_cast<double>(job.model.vocab);
  const auto users = static_cast<double>(job.work.batch);
  const double tokens = std::min(kMicroBatch, prompt_tokens(job));
  double width = 2 * job.hidden + job.query_width + 2 * job.kv_width + 3 * job.mlp_width;
  needs.workspace.formula = "micro-batch x 4 x (2 x hidden + q + 2 x kv + 3 x mlp)";
  needs.workspace.inputs = fmt::format("{} x 4 x {}", number(tokens), number(width));
  if (job.work.attention == Attention::eager) {
    // Without the flash kernel the scores of a micro-batch with the whole context are written.
    width += static_cast<double>(job.model.heads) * static_cast<double>(job.work.sequence);
    needs.workspace.formula += " + micro-batch x 4 x heads x context";
    needs.workspace.inputs = fmt::format("{} x 4 x {}", number(tokens), number(width));
  }
  needs.workspace.bytes = tokens * 4 * width;
  needs.workspace.source = "llama.cpp reserves its graph for a micro-batch of 512 tokens; counted "
                           "from the layer, not checked against totals";
  if (job.text()) {
    needs.logits.bytes = users * vocab * 4;
    needs.logits.formula = "users x vocabulary x 4";
    needs.logits.inputs = fmt::format("{} x {} x 4", number(users), number(vocab));
    needs.logits.source = "llama.cpp: the logits of a prompt lie in host memory (lilbee pull 761)";
  }
  needs.together = true;
  needs.moment = PeakMoment::prefill;
}

}  // namespace

Term unpacked_matrix(const MemoryJob& job) {
  Term term;
  const bool by_kernel = job.traits->serving == Serving::engine ||
                         job.traits->serving == Serving::graph ||
                         job.work.precision == Precision::fp8;
  if (!job.quantised() || by_kernel || (job.work.training() && !job.work.adapters())) return term;
  const double width = std::max(static_cast<double>(job.model.intermediate), job.mlp_width);
  const double block = job.hidden * (job.model.moe ? job.query_width : width) / job.tensor;
  const double head = job.traits->weights.quantises_head
                          ? job.hidden * static_cast<double>(job.model.vocab)
                          : 0;
  // A quantised head is unpacked whole; in training its copy, the gradient that passes through
  // and one more stay for a moment.
  const double each = !job.traits->weights.quantises_head ? 2 : job.work.training() ? 6 : 4;
  const double elements = std::max(block, head);
  term.bytes = each * elements;
  term.formula = "bytes x elements of the largest packed matrix (unpacked to 16 bits to multiply)";
  term.inputs = fmt::format("{} x {}", number(each), number(elements));
  term.source = "litgpt quantised inference and QLoRA tables; GPTQ-for-LLaMa README";
  return term;
}

ServingNeeds serving_needs(const MemoryJob& job) {
  ServingNeeds needs;
  if (job.work.training()) return needs;
  switch (job.traits->serving) {
    case Serving::engine: engine_needs(job, needs); break;
    case Serving::graph: graph_needs(job, needs); break;
    case Serving::eager:
    case Serving::fused: eager_needs(job, needs); break;
  }
  return needs;
}

Term framework_memory(const MemoryJob& job) {
  Term term;
  double other = 0;
  if (job.traits->serving == Serving::engine) {
    const bool old = job.work.framework == Framework::vllm && job.version.before(0, 12);
    if (job.work.tp > 1) other = old ? 0.55 : 2.1;
    else if (job.work.pp > 1) other = 0.07;
    else other = old ? 0.13 : 0.25;
  } else if (job.work.training() && job.work.gpus > 1) {
    other = 1.0;
  }
  term.bytes = (job.traits->allocator.context_gib + other) * kGiB;
  term.formula = "CUDA context and kernels + communication buffers";
  term.inputs = fmt::format("{} + {} GiB", number(job.traits->allocator.context_gib), number(other));
  term.source = job.traits->serving == Serving::engine
                    ? "vLLM start-up logs (llm-d planner): non-torch memory by layout"
                    : "ml-engineering: 0.5 to 0.9 GiB, 1 to 2 more with torch.distributed";
  return term;
}

}  // namespace gpuplan::detail
