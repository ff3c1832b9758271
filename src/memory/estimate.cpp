#include <algorithm>
#include <cmath>

#include "gpuplan/memory.hpp"
#include "gpuplan/money.hpp"
#include "memory/explain.hpp"
#include "memory/kv_cache.hpp"
#include "memory/peak.hpp"
#include "memory/range.hpp"

namespace gpuplan {

std::string_view name_of(PeakMoment moment) {
  switch (moment) {
    case PeakMoment::loss: return "loss";
    case PeakMoment::backward: return "backward";
    case PeakMoment::update: return "update";
    case PeakMoment::save: return "save";
    case PeakMoment::prefill: return "prefill";
    case PeakMoment::decode: return "decode";
    case PeakMoment::profile: return "profile";
  }
  return {};
}

MemoryEstimate estimate_memory(const ModelShape& model, const ResolvedWorkload& workload) {
  using namespace detail;
  const MemoryJob job = make_job(model, workload);
  const Parts parts = parts_of(job);
  const auto moments = moments_of(job, parts);
  const auto worst = std::ranges::max_element(moments, {}, &Moment::bytes);

  MemoryEstimate result;
  result.workload = workload;
  result.parameters = count_parameters(model);
  result.moment = worst->moment;
  result.kv_bytes_per_token = kv_bytes_per_token(job);

  MemoryBreakdown& per = result.per_gpu;
  per.weights = Bytes::rounded(parts.weights.bytes);
  per.gradients = Bytes::rounded(parts.gradients.bytes + parts.adapter.gradients);
  per.optimizer = Bytes::rounded(parts.optimizer.bytes + parts.adapter.states);
  per.adapter = Bytes::rounded(parts.adapter.weights.bytes);
  per.activations = Bytes::rounded(
      parts.activations.saved.bytes + parts.activations.working + parts.serving.activations.bytes);
  per.logits = Bytes::rounded(parts.activations.logits.bytes + parts.serving.logits.bytes);
  per.kv_cache = Bytes::rounded(parts.kv.bytes);
  per.workspace = Bytes::rounded(parts.gathered.bytes + parts.serving.workspace.bytes +
                                 std::max(parts.update.bytes, parts.saving));
  per.framework = Bytes::rounded(parts.framework.bytes);
  per.allocated = Bytes::rounded(worst->bytes);
  const Term reserved = reserved_memory(job, parts, worst->bytes);
  per.reserved = Bytes::rounded(reserved.bytes);
  per.total = Bytes::rounded(reserved.bytes + parts.framework.bytes);

  result.range = range_of(job, per.total);
  result.explain = explain_parts(job, parts, reserved, result);
  result.warnings = memory_warnings(model, job, result);
  return result;
}

std::int64_t max_concurrency(const ModelShape& model, const ResolvedWorkload& workload,
                             Bytes card_memory) {
  // 0.92 of the card without the headroom, as the option says.
  const Bytes room = Bytes::rounded(card_memory.as_double() * 0.92);
  const auto fits = [&](std::int64_t users) {
    ResolvedWorkload trial = workload;
    trial.batch = users;
    return estimate_memory(model, trial).per_gpu.total <= room;
  };
  if (!fits(1)) return 1;
  constexpr std::int64_t kMost = std::int64_t{1} << 20;
  std::int64_t low = 1, high = 2;
  while (high < kMost && fits(high)) {
    low = high;
    high *= 2;
  }
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (fits(middle) ? low : high) = middle;
  }
  return low;
}

Bytes with_headroom(Bytes total, const Decimal& headroom) {
  // Rounded to the byte; a product beyond int64 cannot be the memory of a card.
  return Bytes::of(headroom.times(total.count()).value_or(std::numeric_limits<std::int64_t>::max()));
}

}  // namespace gpuplan
