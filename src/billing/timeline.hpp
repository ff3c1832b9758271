#pragma once

#include <optional>
#include <vector>

#include "billing/setup.hpp"

namespace gpuplan::billing {

enum class Activity : unsigned char {
  queue,
  startup,
  upload,
  restore,
  work,
  lost,
  download,
  down,
  gap,
  idle,
  retention,
  waiting
};

// What one machine does and in which state it is. `state` is that of its disks as well: a machine
// that waits in a queue for its second start is still released.
struct Segment {
  Duration from{0}, to{0};
  State state = State::running;
  Activity activity = Activity::work;
  bool starts = false;     // a start of the machine: whatever is metered begins anew
  bool free = false;       // its card time costs nothing
  bool reclaimed = false;  // the platform ends the session here
  bool on_demand = false;  // of a spot plan: rented at the other price
};

// Data that crosses the platform's border, or leaves its object store, while a machine runs.
struct Transfer {
  Duration from{0}, to{0};
  bool out = false;
  Duration part{0}, whole{0};  // of its time, where it moves a part only; 0 of 0: all of it
  Duration begin{0};           // how much of it had come before
};

// Checkpoints that are written, or read back, in one session.
struct Copies {
  Duration from{0}, to{0};
  std::int64_t count = 0;
};

struct Line {
  std::vector<Segment> segments;        // without gaps from the first queue to the end of retention
  std::vector<Transfer> transfers;      // of the upload or download
  std::vector<Duration> stops;          // when a verb stopped the machine between sessions
  Duration from{0};                     // when the machine is asked for
  Duration provisioned{0};              // the first time
  Duration end{0}, keep_end{0};         // end verb; end of retention
  std::optional<Duration> first_write;  // of a checkpoint
  std::vector<Copies> copies;           // of checkpoints, in both directions
  TimeLine sums;
  std::int64_t reclaims = 0, zone_reclaims = 0;  // the latter took every machine of the zone
  bool finished = true;  // false: no session is long enough for any progress
};

// How long each session lives until the platform takes the machine back; nothing: it does not.
class Lives {
 public:
  virtual ~Lives() = default;
  // `begin`: when billing of the session begins, on the job's clock.
  virtual std::optional<Duration> next(Duration begin) = 0;
  // No life is longer; kNever when there is no such bound.
  virtual Duration longest() const { return kNever; }
  // The wait for the next machine, where that is a matter of chance.
  virtual std::optional<Duration> wait() { return std::nullopt; }
  // Whether the last life ends together with those of all machines of the zone.
  virtual bool by_zone() const { return false; }
};

// Whether a session after a reclaim can be long enough to bring the work forward.
bool progress_possible(const Setup& setup, const Lives& lives);

// queue -> start-up -> [upload] -> work in sessions -> download -> idle -> end verb -> retention.
// `from`: when it is asked for, on the job's clock.
Line build_line(const Setup& setup, Lives* lives, Notes& notes, Duration from = Duration{0});

}  // namespace gpuplan::billing
