#include "memory/range.hpp"

#include <array>

namespace gpuplan::detail {
namespace {

// Measured over estimated, 10th and 90th percentile, by kind of job.
enum class Kind { engine, eager_inference, lora, qlora, full, pretrain };
struct Residuals {
  Kind kind;
  double low, high;
  int rows;
};
constexpr std::array kResiduals{
    Residuals{Kind::engine, 0.95, 1.10, 30},   Residuals{Kind::eager_inference, 0.85, 1.20, 100},
    Residuals{Kind::lora, 0.90, 1.20, 100},    Residuals{Kind::qlora, 0.85, 1.25, 100},
    Residuals{Kind::full, 0.85, 1.30, 60},     Residuals{Kind::pretrain, 0.95, 1.18, 6},
};

Kind kind_of(const MemoryJob& job) {
  if (!job.work.training())
    return job.traits->serving == Serving::engine ? Kind::engine : Kind::eager_inference;
  switch (job.work.mode) {
    case Mode::lora: return job.quantised() ? Kind::qlora : Kind::lora;
    case Mode::qlora: return Kind::qlora;
    case Mode::pretrain: return Kind::pretrain;
    default: return Kind::full;
  }
}

}  // namespace

MemoryRange range_of(const MemoryJob& job, Bytes total) {
  MemoryRange range;
  for (const Residuals& row : kResiduals) {
    if (row.kind != kind_of(job)) continue;
    range.low = Bytes::rounded(total.as_double() * row.low);
    range.high = Bytes::rounded(total.as_double() * row.high);
    range.rows = row.rows;
  }
  return range;
}

}  // namespace gpuplan::detail
