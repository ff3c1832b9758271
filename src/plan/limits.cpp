#include <fmt/format.h>

#include <algorithm>

#include "plan/advice.hpp"

namespace gpuplan::detail {
namespace {

constexpr std::int64_t kMostBatch = 1 << 20, kMostTokens = std::int64_t{1} << 27;

// The job with one number changed.
using Change = void (*)(Workload&, std::int64_t);

bool fits_on(const Estimate& estimate, const CardFit& card, Change change, std::int64_t value) {
  Workload workload = estimate.job.workload;
  workload.card_memory = card.card->memory;
  change(workload, value);
  const auto resolved = resolve(workload, estimate.model);
  if (!resolved) return false;
  const Bytes total = estimate_memory(estimate.model, *resolved).per_gpu.total;
  return with_headroom(total, estimate.job.headroom) <= card.available;
}

// Memory grows with the number: doubled until it no longer fits, then halved in. 0 = not even one.
std::int64_t largest(const Estimate& estimate, const CardFit& card, Change change,
                     std::int64_t most) {
  if (!fits_on(estimate, card, change, 1)) return 0;
  std::int64_t low = 1, high = 2;
  while (high < most && fits_on(estimate, card, change, high)) {
    low = high;
    high *= 2;
  }
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (fits_on(estimate, card, change, middle) ? low : high) = middle;
  }
  return low;
}

void set_batch(Workload& w, std::int64_t value) { w.batch = value; }
void set_context(Workload& w, std::int64_t value) {
  w.sequence = value;
  // A prompt and an answer of their own follow the context.
  w.input_tokens.reset();
  w.output_tokens.reset();
}

}  // namespace

void add_limits(const Estimate& estimate, std::vector<Advice>& list) {
  if (estimate.job.cards.empty() || estimate.cards.empty()) return;
  const CardFit& card = estimate.cards.front();
  const ResolvedWorkload& now = estimate.memory.workload;
  const bool words = estimate.model.vocab > 0 && estimate.model.kind != ModelKind::vision;
  if (now.training()) {
    const std::int64_t batch = largest(estimate, card, set_batch, kMostBatch);
    if (batch > 0)
      list.push_back({"largest_batch", fmt::format("--batch {}: the largest micro-batch that fits {} "
                                                   "with the headroom", batch, card.card->name)});
  }
  if (!words || estimate.job.workload.shared_prefix) return;
  std::int64_t context = largest(estimate, card, set_context, kMostTokens);
  const std::int64_t limit = estimate.model.max_positions;
  const bool capped = limit > 0 && context >= limit;
  if (capped) context = limit;
  if (context > 0)
    list.push_back({"largest_context",
                    fmt::format("--seq {}: the longest context that fits {} with the headroom{}",
                                context, card.card->name, capped ? ", and the model's own limit" : "")});
}

}  // namespace gpuplan::detail
