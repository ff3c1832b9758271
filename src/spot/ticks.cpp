// One run, tick by tick: what is there, what the policy wants, what a guard makes of it.
#include "spot/ticks.hpp"

#include <algorithm>

#include "spot/calm.hpp"
#include "spot/policy.hpp"

namespace gpuplan::spot {
namespace {

using billing::Survives;

class Replay {
 public:
  Replay(const TickJob& job, const Policy& policy) : job_(job), policy_(policy) {
    state_.left = state_.left_if_lost = base_ = job.work;
  }
  TickRun run(const Presence& presence, std::int64_t most);

 private:
  void advance(std::int64_t ticks);
  void lose();
  void begin(Choice choice);
  Duration done_by(Duration worked) const;
  std::int64_t ticks_to_end() const;
  std::int64_t next_look(std::int64_t room);

  const TickJob& job_;
  const Policy& policy_;
  TickState state_;
  Choice last_ = Choice::none;
  Duration base_{0};    // work left when the machine that runs began
  Duration worked_{0};  // its time of work and checkpoints so far
  bool started_ = false;
  std::size_t lost_ = 0;  // stretches of which all work is lost
  std::int64_t steps_ = 0, pause_ = 0;  // single ticks before calm is looked for again, and next time
  TickRun run_;
};

Duration Replay::done_by(Duration worked) const {
  if (job_.rhythm.whole(base_) <= worked) return base_;
  return std::min(job_.rhythm.done_within(worked), base_);
}

// What the machine that runs has done in so many ticks. They end no later than its work.
void Replay::advance(std::int64_t ticks) {
  const Duration time = ticks * job_.gap;
  const Duration room = std::max(time - state_.pending, Duration{0});
  state_.pending = std::max(state_.pending - time, Duration{0});
  run_.stretches.back().to = state_.now / job_.gap;
  run_.stretches.back().idle =
      std::max(room - std::max(job_.rhythm.whole(base_) - worked_, Duration{0}), Duration{0});
  worked_ += room;
  state_.left = base_ - done_by(worked_);
  if (last_ == Choice::spot && job_.survives == Survives::checkpoint)
    state_.left_if_lost = base_ - std::min(job_.rhythm.saved_within(worked_).work, base_);
  else
    state_.left_if_lost = last_ == Choice::spot && job_.survives == Survives::nothing ? job_.work
                                                                                     : state_.left;
  if (policy_.kind != PolicyKind::reserve) return;
  // One by one: a sum of doubles depends on how it is made.
  const double each = cost_of_tick(job_, last_);
  for (std::int64_t i = 0; i < ticks; ++i) state_.cost += each;
}

// Until the machine that runs has done its work.
std::int64_t Replay::ticks_to_end() const {
  billing::Rhythm rhythm = job_.rhythm;
  rhythm.after_last = false;
  const Duration still = rhythm.whole(base_) - worked_ + state_.pending;
  return std::max<std::int64_t>(billing::ceil_div(still.count(), job_.gap.count()), 1);
}

// Ticks to the next one at which there is anything to decide, at most `room`.
std::int64_t Replay::next_look(std::int64_t room) {
  if (steps_ > 0) {
    --steps_;
    return 1;
  }
  if (last_ != Choice::none) room = std::min(room, ticks_to_end());
  if (room <= 1) return 1;
  constexpr std::int64_t kWorthwhile = 8, kLongestPause = 32;
  const std::int64_t calm = calm_ticks(job_, policy_, state_, last_, room - 1);
  pause_ = calm < kWorthwhile ? std::min(2 * pause_ + 1, kLongestPause) : 0;
  steps_ = pause_;
  return calm + 1;
}

// Spot is gone: what survives of the work.
void Replay::lose() {
  ++run_.reclaims;
  run_.stretches.back().reclaimed = true;
  state_.left = state_.left_if_lost;
  if (job_.survives == Survives::nothing) {
    // Of those before, all is lost already.
    for (; lost_ < run_.stretches.size(); ++lost_) {
      Stretch& stretch = run_.stretches[lost_];
      stretch.lost = std::max((stretch.to - stretch.from) * job_.gap - stretch.restore, Duration{0});
    }
  } else if (job_.survives == Survives::checkpoint) {
    run_.stretches.back().lost = worked_ - job_.rhythm.saved_within(worked_).time;
  }
  state_.current = Choice::none;
}

void Replay::begin(Choice choice) {
  state_.pending = started_ || job_.first_restores ? job_.restore : Duration{0};
  started_ = true;
  base_ = state_.left;
  worked_ = Duration{0};
  if (choice == Choice::spot) ++state_.sessions;
  const std::int64_t tick = state_.now / job_.gap;
  Stretch stretch;
  stretch.choice = choice;
  stretch.from = stretch.to = tick;
  stretch.restore = state_.pending;
  run_.stretches.push_back(stretch);
}

TickRun Replay::run(const Presence& presence, std::int64_t most) {
  std::int64_t step = 1;
  for (std::int64_t tick = 0; tick <= most; tick += step) {
    state_.now = tick * job_.gap;
    if (last_ != Choice::none) advance(step);
    if (state_.left.count() == 0) {
      run_.wall = state_.now;
      return std::move(run_);
    }
    const There there = presence(tick);
    state_.up = there.up;
    state_.current = last_;
    if (last_ == Choice::spot && !state_.up) lose();
    Choice choice = guarded(job_, policy_, state_, last_, wanted(job_, policy_, state_));
    if (choice == Choice::spot && !state_.up) choice = Choice::none;
    const bool starts = choice != Choice::none && choice != state_.current;
    if (starts) begin(choice);  // a machine that is given up by choice has saved its work
    last_ = choice;
    step = starts ? 1 : next_look(std::min(there.until, most) - tick);
  }
  run_.finished = false;
  return std::move(run_);
}

}  // namespace

TickRun replay(const TickJob& job, const Policy& policy, const Presence& presence, std::int64_t most) {
  return Replay(job, policy).run(presence, most);
}

TickRun replay(const TickJob& job, const Policy& policy, const std::function<bool(std::int64_t)>& up,
               std::int64_t most) {
  return Replay(job, policy).run([&](std::int64_t tick) { return There{up(tick), tick + 1}; }, most);
}

}  // namespace gpuplan::spot
