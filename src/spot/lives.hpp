#pragma once

#include <optional>
#include <vector>

#include "billing/run.hpp"
#include "spot/law.hpp"

namespace gpuplan::spot {

// What is left to chance in a run.
struct Chances {
  std::optional<Law> life;
  std::optional<Law> wait;  // for the next machine; nothing: what the rules say
};

// The lives of one run after another. Of several machines that work together the first reclaim stops
// all; machines that work on tasks of their own draw their own lives, but lose them together when the
// zone is taken.
class DrawnLives : public billing::Lives {
 public:
  DrawnLives(const Chances& chances, std::int64_t machines, std::uint64_t seed);
  void begin_run(std::int64_t run);
  void begin_task(std::int64_t task);  // of the same run; the first needs no call

  std::optional<Duration> next(Duration begin) override;
  Duration longest() const override;
  std::optional<Duration> wait() override;
  bool by_zone() const override { return by_zone_; }

 private:
  double own_life();
  double zone_left(double from);

  const Law& law_;
  const std::optional<Law>& wait_;
  std::uint64_t machines_, seed_, task_ = 0, session_ = 0, waits_ = 0;
  Stream stream_;
  std::array<double, Stream::kTogether> logs_{};  // of the sessions up to `logs_end_`
  std::uint64_t logs_end_ = 0;
  std::vector<double> zone_events_;  // of the run, in hours from its start
  bool by_zone_ = false;
};

}  // namespace gpuplan::spot
