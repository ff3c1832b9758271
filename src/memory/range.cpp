#include "memory/range.hpp"

#include <algorithm>
#include <array>

namespace gpuplan::detail {
namespace {

enum class Kind {
  engine, eager_inference, fused_inference,  // serving
  lora_hf, lora_named, qlora_hf, qlora_named, full_hf, full_named, pretrain,
  unmeasured
};

// Measured over estimated, 10th and 90th percentile over the published measurements of that kind;
// runs with a fused loss were estimated with one. "hf" are Transformers-like programs, whose runs
// differ in kernels and allocator settings that nobody states; "named" are torchtune, litgpt,
// torchtitan and llm-foundry.
struct Residuals {
  Kind kind;
  double low, high;
  int rows;
};
constexpr std::array kResiduals{
    Residuals{Kind::engine, 0.98, 1.04, 29},
    Residuals{Kind::eager_inference, 0.96, 1.05, 148},
    Residuals{Kind::fused_inference, 0.88, 1.07, 12},
    Residuals{Kind::lora_hf, 0.93, 1.33, 152},
    Residuals{Kind::lora_named, 0.91, 1.06, 36},
    Residuals{Kind::qlora_hf, 0.91, 1.33, 224},
    Residuals{Kind::qlora_named, 0.85, 1.13, 27},
    Residuals{Kind::full_hf, 0.79, 1.16, 84},
    Residuals{Kind::full_named, 0.92, 1.06, 13},
    Residuals{Kind::pretrain, 0.96, 1.12, 6},
    // Nothing measured: the widest of the above, and half as much again upwards.
    Residuals{Kind::unmeasured, 0.75, 1.5, 0},
};

Kind serving_kind(const MemoryJob& job) {
  switch (job.traits->serving) {
    case Serving::engine: return Kind::engine;
    case Serving::eager: return Kind::eager_inference;
    default: return Kind::fused_inference;
  }
}

Kind training_kind(const MemoryJob& job) {
  const Framework f = job.work.framework;
  const bool transformers =
      f == Framework::hf || f == Framework::axolotl || f == Framework::automatic;
  if (job.work.adapters()) {
    if (job.quantised()) return transformers ? Kind::qlora_hf : Kind::qlora_named;
    return transformers ? Kind::lora_hf : Kind::lora_named;
  }
  if (job.work.mode == Mode::pretrain && !transformers) return Kind::pretrain;
  return transformers ? Kind::full_hf : Kind::full_named;
}

Kind kind_of(const MemoryJob& job) {
  const bool known = job.traits->measured || job.work.framework == Framework::automatic;
  if (!known || !job.text() || job.model.size_only() || job.work.mode == Mode::dpo)
    return Kind::unmeasured;
  return job.work.training() ? training_kind(job) : serving_kind(job);
}

}  // namespace

MemoryRange range_of(const MemoryJob& job, Bytes total) {
  const auto row = std::ranges::find(kResiduals, kind_of(job), &Residuals::kind);
  MemoryRange range;
  range.low = Bytes::rounded(total.as_double() * row->low);
  range.high = Bytes::rounded(total.as_double() * row->high);
  range.rows = row->rows;
  return range;
}

}  // namespace gpuplan::detail
