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
  double mfu = 0;   // share of the dense 16-bit peak that model FLOPs use
  Seconds step{0};  // one optimizer step, accumulation included
};

struct InferenceSpeed {
  double prefill_tokens_per_s = 0;
  double decode_tokens_per_s = 0;  // all users
  double decode_tokens_per_s_per_user = 0;
  double output_tokens_per_s = 0;  // all users, prefill time included
  Seconds ttft{0};
  Seconds tpot{0};
  Seconds answer{0};                 // first token and all that follow
  std::int64_t max_concurrency = 0;  // with targets: the largest load that keeps them
};

struct SpeedRange {
  double low = 1, high = 1;  // multiply the rate
  double coverage = 0.8;
};

// Work that is not counted in tokens or samples: double precision, rendering, transcoding.
struct TaskRate {
  double per_second = 0;
  std::string unit;
};

// How well disk and loader feed the cards.
struct Feeding {
  double utilisation = 1;   // share of the time in which the cards work
  double wanted_per_s = 0;  // samples that the cards would take
  std::optional<double> disk_per_s = {}, loader_per_s = {};  // samples they are given at most
};

// Against one such card doing the same alone.
struct Scaling {
  std::int64_t gpus = 1;
  double speedup = 1;
  double efficiency = 1;  // speedup / gpus
};

// A wish of the user and what comes out: times in seconds, rates a second.
struct Target {
  std::string name;  // "ttft", "tpot", "answer_time", "throughput"
  double limit = 0;
  double value = 0;
  bool met = false;
};

// Copies of a server for a stream of requests that come at random: each place of a copy is a
// counter of an M/M/c queue.
struct Replicas {
  double requests_per_s = 0;
  std::int64_t replicas = 0;
  std::int64_t gpus = 0;    // of all replicas
  std::int64_t places = 0;  // users that one replica serves at once
  double utilisation = 0;
  double wait_probability = 0;
  Seconds wait_mean{0}, wait_p95{0};
};
// The least number of replicas with which 95 of 100 requests wait at most `longest_wait`; nothing
// when `rate` or `service` is not positive.
std::optional<Replicas> replicas_for(double requests_per_s, Seconds service, std::int64_t places,
                                     std::int64_t gpus_each, Seconds longest_wait);

struct SpeedEstimate {
  std::optional<TrainingSpeed> training;
  std::optional<InferenceSpeed> inference;
  std::optional<double> samples_per_s;  // images, or texts of an encoder
  std::optional<TaskRate> rate;
  Bound bound = Bound::compute;
  SpeedRange range;
  std::optional<Feeding> feeding;  // when the job says what a sample or a loader costs
  std::optional<Scaling> scaling;  // of several cards
  std::vector<Target> targets;
  std::optional<Replicas> replicas;
  std::optional<std::int64_t> batch_for_throughput;  // least batch that gives the wished rate
  std::vector<Explained> explain;
  Warnings warnings;  // precision emulated, interconnect unknown, ...

  // Tokens, samples or units of work a second: what the time of the work follows from.
  double rate_per_s() const;
};

// How fast `gpus` of this card do the job. Computed whether it fits or not. An error names what the
// card table does not know (no 16-bit rate, no bandwidth), or what the card cannot do at all.
Result<SpeedEstimate> estimate_speed(const ModelShape& model, const ResolvedWorkload& workload,
                                     const Card& card);

// The most users at once, up to `most`, with whom the targets of the workload (time to first token,
// time per token, time of an answer) are kept; 0 when one user alone misses them. Without targets:
// `most`. For a search of the largest load beside what the memory holds.
Result<std::int64_t> users_within_targets(const ModelShape& model, const ResolvedWorkload& workload,
                                          const Card& card, std::int64_t most);

}  // namespace gpuplan
