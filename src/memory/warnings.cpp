#include <fmt/format.h>

#include <string>

#include "memory/explain.hpp"
#include "memory/kv_cache.hpp"
#include "spec/modes.hpp"

namespace gpuplan::detail {
namespace {

// Mechanisms that no measured row has checked, by name; empty when the job uses none.
std::string unproved(const MemoryJob& job) {
  const ResolvedWorkload& w = job.work;
  std::string list;
  const auto name = [&list](bool used, std::string_view what) {
    if (!used) return;
    if (!list.empty()) list += ", ";
    list += what;
  };
  const bool training = w.training();
  name(training && w.checkpointing == Checkpointing::selective, "selective recomputation");
  name(training && w.attention == Attention::eager, "eager attention");
  name(job.sharded(1) && w.zero < 3, "ZeRO stages 1 and 2");
  name(training && w.sharding == Sharding::deepspeed && job.sharded(1), "DeepSpeed");
  name(w.ep > 1, "expert parallelism");
  name(w.mode == Mode::dpo, "preference training");
  name(w.offload == OffloadKind::layers, "offload of single layers");
  name(job.convolutional(), "convolutional image models");
  name(job.model.kind == ModelKind::encoder_decoder, "encoder-decoder models");
  name(!job.traits->measured && w.framework_chosen,
       "the figures of " + std::string(name_of(w.framework)));
  return list;
}

void warn_of_master_weights(const MemoryJob& job, const Totals& totals, Warnings& warnings) {
  if (!job.trains_all()) return;
  MemoryJob other = job;
  other.work.master_weights = !job.work.master_weights;
  const Bytes would = totals_of(other).per_gpu.total;
  warnings.push_back(
      {"master_weights_assumed",
       fmt::format("32-bit master weights are {}: a GPU needs {}; with --master-weights {} it would "
                   "be {}",
                   job.work.master_weights ? "on" : "off",
                   gib(totals.per_gpu.total.as_double()), job.work.master_weights ? "off" : "on",
                   gib(would.as_double())),
       "master_weights"});
}

// The loss is the largest unknown of a fine-tune: programs differ by a factor of two in memory.
void warn_of_loss(const MemoryJob& job, const Totals& totals, Warnings& warnings) {
  if (!job.work.training() || job.work.loss != Loss::plain) return;
  MemoryJob other = job;
  other.work.loss = Loss::cut;
  const double saved =
      totals.per_gpu.total.as_double() - totals_of(other).per_gpu.total.as_double();
  if (saved < 0.1 * totals.per_gpu.total.as_double()) return;
  warnings.push_back({"plain_loss_is_large",
                      fmt::format("the plain loss costs {}; a fused one (--loss cut) saves it",
                                  gib(saved)),
                      "loss"});
}

void warn_of_engine_share(const MemoryJob& job, const Totals& totals, Warnings& warnings) {
  if (job.work.training() || job.traits->serving != Serving::engine) return;
  constexpr double kVisible80 = 79.18;
  warnings.push_back(engine_share_warning(totals.per_gpu.total, Bytes::rounded(kVisible80 * kGiB),
                                          "a card of 80 GB"));
}

// Programs differ in what a sliding window saves: some keep the window only, some whole contexts.
void warn_of_windows(const MemoryJob& job, Warnings& warnings) {
  if (job.work.training() || job.model.sliding_window <= 0) return;
  const double windowed = kv_cache(job).bytes, whole = kv_without_windows(job);
  if (whole <= windowed * 1.001) return;
  warnings.push_back(
      {"window_bounds",
       fmt::format("the KV cache is {} when layers with a window of {} keep no more than that "
                   "(llama.cpp, newer engines), {} when they keep every token (vLLM's hybrid pages "
                   "did); the smaller figure is counted",
                   gib(windowed), job.model.sliding_window, gib(whole)),
       "kv_cache"});
}

}  // namespace

Warning engine_share_warning(Bytes need, Bytes card_memory, std::string_view card) {
  constexpr double kShare = 0.9;
  return {"engine_takes_share",
          fmt::format("the engine sets aside {} of the card whatever the job needs: this job needs "
                      "{}, nvidia-smi would show about {} on {}",
                      kShare, gib(need.as_double()), gib(kShare * card_memory.as_double()), card),
          "framework"};
}

Warnings memory_warnings(const ModelShape& model, const MemoryJob& job, const Totals& totals) {
  Warnings warnings;
  const ResolvedWorkload& w = job.work;
  if (model.size_only() && model.kind == ModelKind::decoder)
    warnings.push_back({"model_size_only",
                        fmt::format("only the size of the model is known: {} layers of {} and a "
                                    "vocabulary of {} are taken, as in a Llama-2 of that size; "
                                    "activations and KV cache may be far off",
                                    job.model.layers, job.model.hidden, job.model.vocab),
                        "model"});
  if (model.max_positions > 0 && w.sequence > model.max_positions)
    warnings.push_back({"sequence_above_model_limit",
                        fmt::format("--seq {} is above the {} tokens that the model was made for",
                                    w.sequence, model.max_positions),
                        "seq"});
  if (!runs_a_model(w.mode))
    warnings.push_back({"memory_not_modelled",
                        fmt::format("the memory of {} work depends on the scene or the data: "
                                    "only the CUDA context is counted; --measured-peak "
                                    "judges cards by a trial run",
                                    name_of(w.mode)),
                        "mode"});
  if (w.max_seqs && !w.training() && w.batch > *w.max_seqs)
    warnings.push_back({"users_wait",
                        fmt::format("{} users at once, but the engine runs {} sequences: the others "
                                    "wait; the KV cache is counted for all",
                                    w.batch, *w.max_seqs),
                        "max_seqs"});
  const std::string list = unproved(job);
  if (!list.empty())
    warnings.push_back({"mechanism_unproved",
                        "no measurement has checked: " + list + "; take the range as a guess", ""});
  warn_of_master_weights(job, totals, warnings);
  warn_of_loss(job, totals, warnings);
  warn_of_engine_share(job, totals, warnings);
  warn_of_windows(job, warnings);
  return warnings;
}

}  // namespace gpuplan::detail
