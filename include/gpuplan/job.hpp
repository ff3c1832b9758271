#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpuplan/date.hpp"
#include "gpuplan/money.hpp"
#include "gpuplan/result.hpp"
#include "gpuplan/units.hpp"
#include "gpuplan/workload.hpp"

namespace gpuplan {

// "6h on RTX 4090", "3h on 2x A100": a run that the user has timed.
struct MeasuredRun {
  std::string card;
  std::int64_t gpus = 1;
  Duration time{0};
};

// How much there is to do. Absent = not stated.
struct Work {
  std::optional<std::int64_t> tokens, samples, tokens_per_sample, steps, requests;
  std::optional<Decimal> epochs, per_day;
  std::optional<Duration> seconds_per_request;
  std::optional<Duration> run_hours;  // what one such machine needs for all the work
  std::optional<MeasuredRun> measured;
  bool stated() const;
};

enum class DiskKind { automatic, data, volume, included };
enum class Stage { none, object, cardless };
enum class Verb { run, stop, hibernate, cardless, guest_shutdown, terminate };
enum class CheckpointTo { local, object };

struct DataPlan {
  Bytes upload, download;
  std::optional<Bytes> disk, system_disk;
  DiskKind kind = DiskKind::automatic;
  Decimal compression = Decimal::of(1);  // multiplies what goes over the public line
  Stage stage = Stage::none;
  std::optional<Bandwidth> line_up, line_down;
  bool shared = false;  // true: each machine uploads everything
};

struct Keep {
  Duration days{0};
  std::vector<Bytes> images;
  std::optional<Bytes> object;
  bool ip = false;
  std::optional<bool> disk;  // absent: true when days > 0
};

// A daily window; `days` are bits 0 (Monday) to 6 (Sunday) on which it opens.
struct Schedule {
  int from_minute = 0;
  int to_minute = 0;  // at or before from_minute: on the next day
  unsigned days = 0x7f;
};

struct CheckpointPlan {
  Duration every{0};
  CheckpointTo to = CheckpointTo::local;
  Bytes size;
  std::int64_t keep = 1;
  std::optional<Duration> write;
  Duration restore{0};
  bool resume = true;
};

// The conventions of a spot session that documents disagree about.
struct SpotModel {
  bool strikes_restore = true;
  bool first_start_restores = false;
  bool checkpoint_after_last = false;
  std::string survives = "auto";  // auto | nothing | checkpoint | everything
};

// The whole job: what the estimator, the bill and the ranking need. The JSON form is
// `gpuplan.job/1`; every field has an option of the same name on the command line.
struct Job {
  std::string name, project, member;

  std::string model = "7b";  // name, size or file
  bool model_stated = false;
  std::optional<std::int64_t> parameters;
  std::optional<std::string> draft_model;  // name or size; `find_draft` looks it up
  Workload workload;
  std::vector<std::string> cards;
  Decimal headroom = Decimal::of(13, 1);
  std::optional<Bytes> memory_used;    // by others on the card
  std::optional<std::string> measured_peak;   // a size, or an nvidia-smi log
  std::vector<std::string> measured_columns;  // of a log without a header
  std::optional<Bytes> measured;              // on each GPU; settle_measured_peak fills it in

  Work work;
  bool work_assumed = false;  // nobody said how much there is to do: `assume_work` did
  DataPlan data;
  Keep keep;
  std::optional<Schedule> schedule;
  Verb between = Verb::stop;
  std::optional<Verb> end;  // absent: terminate
  std::optional<Moment> start;
  Duration idle{0};
  std::optional<Duration> auto_stop;
  std::int64_t machines = 1;
  std::int64_t splits = 1;
  std::optional<CheckpointPlan> checkpoint;
  std::optional<Duration> reclaim_mean;
  std::optional<std::string> policy;
  SpotModel spot_model;

  std::optional<Duration> deadline;     // from the start
  std::optional<Moment> deadline_at;
  std::optional<Money> budget, max_unit_cost;  // in the result's currency
  std::map<std::string, std::string> require;
  std::string profile;
  std::vector<std::string> who;
  bool return_early = false;
  std::optional<Money> spent;
  Duration down{0};
};

}  // namespace gpuplan
