#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gpuplan/cards.hpp"
#include "gpuplan/memory.hpp"
#include "gpuplan/models.hpp"
#include "gpuplan/units.hpp"
#include "gpuplan/workload.hpp"

namespace gpuplan {

enum class Bound { compute, memory, interconnect, storage, host };
std::string_view name_of(Bound bound);

struct TrainingSpeed {
  double tokens_per_s = 0;  // all GPUs
  double tokens_per_s_per_gpu = 0;
  double mfu = 0;  // share of the dense 16-bit peak that model FLOPs use
  Seconds step{0};  // one optimizer step, accumulation included
};

struct InferenceSpeed {
  double prefill_tokens_per_s = 0;
  double decode_tokens_per_s = 0;  // all users
  double decode_tokens_per_s_per_user = 0;
  double output_tokens_per_s = 0;  // all users, prefill time included
  Seconds ttft{0};
  Seconds tpot{0};
  std::int64_t max_concurrency = 0;
};

struct SpeedRange {
  double low = 1, high = 1;  // multiply the rate
  double coverage = 0.8;
};

struct SpeedEstimate {
  std::optional<TrainingSpeed> training;
  std::optional<InferenceSpeed> inference;
  std::optional<double> samples_per_s;  // images
  Bound bound = Bound::compute;
  SpeedRange range;
  std::vector<Explained> explain;
  Warnings warnings;  // precision emulated, interconnect unknown, ...
};

// How fast `gpus` of this card do the job. Computed whether it fits or not. An error names what the
// card table does not know (no 16-bit rate, no bandwidth).
Result<SpeedEstimate> estimate_speed(const ModelShape& model, const ResolvedWorkload& workload,
                                     const Card& card);

}  // namespace gpuplan
