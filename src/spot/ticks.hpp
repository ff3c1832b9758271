#pragma once

#include <functional>
#include <vector>

#include "billing/sessions.hpp"
#include "gpuplan/spot.hpp"

namespace gpuplan::spot {

enum class Choice : unsigned char { none, spot, on_demand };

// What a replay by ticks is about. Times in microseconds; prices of an hour, for the rules that
// weigh them (the bill is made elsewhere).
struct TickJob {
  Duration gap{0}, work{0}, restore{0};
  std::optional<Duration> deadline;  // nothing: as late as it gets
  billing::Rhythm rhythm;
  billing::Survives survives = billing::Survives::everything;
  bool first_restores = true;
  double spot_price = 0, price = 0;
  bool sold_on_demand = true;
};

// What a policy sees at a tick.
struct TickState {
  Duration now{0}, left{0};
  Duration left_if_lost{0};  // work left if the spot machine that runs were gone now
  Duration pending{0};     // of the restore of the machine that runs
  Choice current = Choice::none;
  bool up = false;
  double cost = 0;         // so far, at the prices of the job; for policies that ask
  std::int64_t sessions = 0;  // spot machines so far
};

// A machine from its begin until it is given up or taken back.
struct Stretch {
  Choice choice = Choice::spot;
  std::int64_t from = 0, to = 0;  // ticks
  Duration restore{0};            // at its begin
  Duration lost{0};               // of its time of work, at the end
  Duration idle{0};               // of the last tick, after the work
  bool reclaimed = false;
  friend bool operator==(const Stretch&, const Stretch&) = default;
};

struct TickRun {
  std::vector<Stretch> stretches;
  Duration wall{0};
  std::int64_t reclaims = 0;
  bool finished = true;
};

// Whether spot is there at a tick, and the first tick at which that may be otherwise.
struct There {
  bool up = false;
  std::int64_t until = 0;
};
using Presence = std::function<There(std::int64_t tick)>;

// Gives up after `most` ticks. Ticks at which nothing can change are passed in one step.
TickRun replay(const TickJob& job, const Policy& policy, const Presence& presence, std::int64_t most);
// The same, looking at every tick. `up`: whether spot is there at tick k.
TickRun replay(const TickJob& job, const Policy& policy, const std::function<bool(std::int64_t)>& up,
               std::int64_t most);

}  // namespace gpuplan::spot
