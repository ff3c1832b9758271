#include <fmt/format.h>

#include "memory/explain.hpp"

namespace gpuplan::detail {

Warnings memory_warnings(const ModelShape& model, const MemoryJob& job,
                         const MemoryEstimate& estimate) {
  Warnings warnings;
  const ResolvedWorkload& w = job.work;
  if (model.size_only())
    warnings.push_back({"model_size_only",
                        fmt::format("only the size of the model is known: layers ({}), hidden size "
                                    "({}) and vocabulary (32000) are taken as in a Llama-2 of that "
                                    "size, so activations and KV cache may be far off",
                                    job.model.layers, job.model.hidden),
                        "model"});
  if (model.max_positions > 0 && w.sequence > model.max_positions)
    warnings.push_back({"sequence_above_model_limit",
                        fmt::format("--seq {} is above the {} tokens that the model was made for",
                                    w.sequence, model.max_positions),
                        "seq"});
  if (!w.training() && job.traits->serving == Serving::engine)
    warnings.push_back(
        {"engine_takes_share",
         fmt::format("the engine sets aside 0.9 of the card whatever the job needs; this job needs "
                     "{}, nvidia-smi would show about {} on an 80 GB card",
                     gib(estimate.per_gpu.total.as_double()), gib(0.9 * 79.18 * kGiB)),
         "framework"});
  return warnings;
}

}  // namespace gpuplan::detail
