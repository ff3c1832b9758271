#include <algorithm>
#include <limits>

#include "gpuplan/memory.hpp"
#include "gpuplan/money.hpp"
#include "memory/explain.hpp"
#include "memory/kv_cache.hpp"
#include "memory/peak.hpp"
#include "memory/range.hpp"
#include "spec/modes.hpp"

namespace gpuplan {

std::string_view name_of(PeakMoment moment) {
  switch (moment) {
    case PeakMoment::loss:
      return "loss";
    case PeakMoment::backward:
      return "backward";
    case PeakMoment::update:
      return "update";
    case PeakMoment::save:
      return "save";
    case PeakMoment::prefill:
      return "prefill";
    case PeakMoment::decode:
      return "decode";
    case PeakMoment::profile:
      return "profile";
  }
  return {};
}

namespace {

// The scene or the data decide the rest, and nobody but a trial run knows them.
MemoryEstimate context_alone(MemoryEstimate result, const ModelShape& model,
                             const detail::MemoryJob& job, const detail::Totals& totals) {
  result.per_gpu.framework = totals.per_gpu.framework;
  result.per_gpu.total = totals.per_gpu.framework;
  for (const Explained& line : detail::explain_parts(job, totals))
    if (line.part == "framework") result.explain.push_back(line);
  result.warnings = detail::memory_warnings(model, job, totals);
  return result;
}

}  // namespace

MemoryEstimate estimate_memory(const ModelShape& model, const ResolvedWorkload& workload) {
  using namespace detail;
  const MemoryJob job = make_job(model, workload);
  const Totals totals = totals_of(job);
  MemoryEstimate result;
  result.workload = workload;
  if (!runs_a_model(workload.mode)) return context_alone(std::move(result), model, job, totals);
  result.parameters = count_parameters(model);
  result.moment = totals.worst.moment;
  result.per_gpu = totals.per_gpu;
  result.kv_bytes_per_token = kv_bytes_per_token(job);
  result.range = range_of(job, totals.per_gpu.total);
  result.explain = explain_parts(job, totals);
  result.explain.push_back(explain_range(result.range));
  result.warnings = memory_warnings(model, job, totals);
  return result;
}

std::int64_t max_concurrency(const ModelShape& model, const ResolvedWorkload& workload,
                             Bytes card_memory) {
  // 0.92 of the card without the headroom, as the option says.
  const Bytes room = Bytes::rounded(card_memory.as_double() * 0.92);
  const auto fits = [&](std::int64_t users) {
    ResolvedWorkload trial = workload;
    trial.batch = users;
    if (trial.max_seqs) trial.max_seqs = std::max(*trial.max_seqs, users);
    return detail::totals_of(detail::make_job(model, trial)).per_gpu.total <= room;
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
  return Bytes::of(
      headroom.times(total.count()).value_or(std::numeric_limits<std::int64_t>::max()));
}

}  // namespace gpuplan
