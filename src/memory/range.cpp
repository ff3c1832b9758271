#include "memory/range.hpp"

#include <algorithm>
#include <array>

#include "memory/peak.hpp"

namespace gpuplan::detail {
namespace {

enum class Kind { engine, eager, fused, adapters_hf, adapters_named, full_hf, full_named, unmeasured };

// Measured over estimated: what is left of the published measurements of that kind when 7 % are cut
// off at each end, every source counting the same (`gpuplan_accuracy` prints this table; 7 and not
// 10, so that four of five measurements of a program that it was not made from lie inside as well).
// "Transformers" stands for all programs on top of it, whose runs differ in kernels and allocator
// settings that nobody states.
struct Residuals {
  Kind kind;
  std::string_view name;
  double low, high;
  int rows;
};
constexpr std::array kResiduals{
    Residuals{Kind::engine, "serving engines", 0.97, 1.21, 35},
    Residuals{Kind::eager, "inference in PyTorch", 0.94, 1.06, 148},
    Residuals{Kind::fused, "inference with fused modules", 0.85, 1.26, 12},
    Residuals{Kind::adapters_hf, "adapters, Transformers", 0.88, 1.44, 379},
    Residuals{Kind::adapters_named, "adapters, torchtune and litgpt", 0.75, 1.08, 63},
    Residuals{Kind::full_hf, "full training, Transformers", 0.89, 1.85, 85},
    Residuals{Kind::full_named, "full training, torchtune, litgpt, torchtitan", 0.90, 1.14, 19},
    // Nothing measured: a guess as wide as the widest of the above.
    Residuals{Kind::unmeasured, "nothing like it was measured", 0.75, 1.85, 0},
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

namespace {

// Whether a Transformers program fuses the loss is a switch of the user's (Liger, unsloth's and
// axolotl's kernels) that is easily forgotten in a plan: the lower end holds for a fused one too.
double with_fused_loss(const MemoryJob& job, Bytes total) {
  if (job.work.framework != Framework::hf || !job.work.training() || job.work.loss != Loss::plain)
    return total.as_double();
  MemoryJob fused = job;
  fused.work.loss = Loss::cut;
  return totals_of(fused).per_gpu.total.as_double();
}

}  // namespace

MemoryRange range_of(const MemoryJob& job, Bytes total) {
  const auto row = std::ranges::find(kResiduals, kind_of(job), &Residuals::kind);
  MemoryRange range;
  range.low = Bytes::rounded(with_fused_loss(job, total) * row->low);
  range.high = Bytes::rounded(total.as_double() * row->high);
  range.rows = row->rows;
  range.kind = row->name;
  return range;
}

}  // namespace gpuplan::detail
