#include "memory/range.hpp"

#include <algorithm>
#include <array>

namespace gpuplan::detail {
namespace {

enum class Kind { engine, eager, fused, adapters_hf, adapters_named, full_hf, full_named, unmeasured };

// Measured over estimated, 10th and 90th percentile over the published measurements of that kind
// (tests/accuracy prints them; every source counts the same). "Transformers" stands for all programs
// on top of it, whose runs differ in kernels and allocator settings that nobody states.
struct Residuals {
  Kind kind;
  std::string_view name;
  double low, high;
  int rows;
};
constexpr std::array kResiduals{
    Residuals{Kind::engine, "serving engines", 0.98, 1.04, 29},
    Residuals{Kind::eager, "inference in PyTorch", 0.96, 1.05, 148},
    Residuals{Kind::fused, "inference with fused modules", 0.88, 1.07, 12},
    Residuals{Kind::adapters_hf, "adapters, Transformers", 0.91, 1.33, 152},
    Residuals{Kind::adapters_named, "adapters, torchtune and litgpt", 0.91, 1.06, 36},
    Residuals{Kind::full_hf, "full training, Transformers", 0.79, 1.16, 84},
    Residuals{Kind::full_named, "full training, torchtune, litgpt, torchtitan", 0.92, 1.06, 13},
    // Nothing measured: the widest of the above, and half as much again upwards.
    Residuals{Kind::unmeasured, "nothing like it was measured", 0.75, 1.5, 0},
};

Kind serving_kind(const MemoryJob& job) {
  switch (job.traits->serving) {
    case Serving::engine: return Kind::engine;
    case Serving::eager: return Kind::eager;
    default: return Kind::fused;
  }
}

Kind training_kind(const MemoryJob& job) {
  const Framework f = job.work.framework;
  const bool transformers =
      f == Framework::hf || f == Framework::axolotl || f == Framework::automatic;
  if (job.work.adapters()) return transformers ? Kind::adapters_hf : Kind::adapters_named;
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
  range.kind = row->name;
  return range;
}

}  // namespace gpuplan::detail
