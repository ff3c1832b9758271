#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gpuplan/models.hpp"
#include "gpuplan/result.hpp"
#include "gpuplan/units.hpp"
#include "gpuplan/workload.hpp"

namespace gpuplan {

// The moment at which the most memory is alive.
enum class PeakMoment { loss, backward, update, save, prefill, decode, profile };
std::string_view name_of(PeakMoment moment);

// What one GPU holds, by part. A peak is a maximum over moments: the parts need not add up to
// `allocated`.
struct MemoryBreakdown {
  Bytes weights, gradients, optimizer, adapter, activations, logits, kv_cache, workspace;
  Bytes framework;  // CUDA context, kernels, communication buffers: outside the allocator
  Bytes allocated;  // the framework's own counter at the worst moment
  Bytes reserved;   // with the allocator's cache and fragmentation
  Bytes total;      // what nvidia-smi shows: reserved + framework
};

// One line of `--explain`.
struct Explained {
  std::string part;     // "weights", "kv_cache", ...
  std::string formula;  // "2 x layers x kv_heads x head_dim x bytes x tokens"
  std::string inputs;   // the same with the numbers put in
  std::string source;
};

struct MemoryRange {
  Bytes low, high;
  double coverage = 0.8;  // share of like measurements that lies inside
  int rows = 0;           // measurements that it comes from
  std::string_view kind = {};  // of like jobs: "adapters, Transformers"
};

struct MemoryEstimate {
  ResolvedWorkload workload;
  ParameterCount parameters;
  MemoryBreakdown per_gpu;
  PeakMoment moment = PeakMoment::decode;
  MemoryRange range;  // of per_gpu.total
  std::int64_t kv_bytes_per_token = 0;
  std::vector<Explained> explain;
  Warnings warnings;
};

// From this size on serving engines batch more by default (vLLM, engine/arg_utils.py).
inline constexpr Bytes kLargeCard = Bytes::gib(70);

// Fills in every default of the contract, then of the framework. Errors name the option
// ("--seq") and say what contradicts what. `card_memory` is needed only for `--concurrency max`.
Result<ResolvedWorkload> resolve(const Workload& workload, const ModelShape& model);

// Memory of one GPU for this layout; nothing here depends on a card.
MemoryEstimate estimate_memory(const ModelShape& model, const ResolvedWorkload& workload);

// The most users that fit in 0.92 of the card without the headroom; at least 1.
std::int64_t max_concurrency(const ModelShape& model, const ResolvedWorkload& workload,
                             Bytes card_memory);

// total x headroom, exact: headroom is a decimal such as 1.3.
Bytes with_headroom(Bytes total, const class Decimal& headroom);

}  // namespace gpuplan
