// Ticks at which nothing is decided. For each policy there is a state so many ticks ahead that is, of
// all that could be then, the one that tempts most to choose otherwise; if even that one stays, and so
// do those before it, since it tempts more with each tick, the ticks need not be looked at.
#include "spot/calm.hpp"

#include <algorithm>

#include "spot/policy.hpp"

namespace gpuplan::spot {
namespace {

// Sums of money that are made in another order differ by less than this part of them.
constexpr double kSlip = 1e-9;

// Waiting changes nothing but the clock. A spot machine is held against a deadline, and the more so the
// less it has done: it does nothing. One on demand is given up when the work is ahead: it has worked all
// the time, without a restore and without a write.
TickState imagined(const TickJob& job, const TickState& state, Choice choice, std::int64_t ahead) {
  TickState later = state;
  later.current = choice;
  later.now += ahead * job.gap;
  later.cost += static_cast<double>(ahead) * cost_of_tick(job, choice);
  if (choice == Choice::spot) later.cost *= 1 + kSlip;
  if (choice == Choice::on_demand) {
    later.cost *= 1 - kSlip;
    later.left -= ahead * job.gap;
    later.left_if_lost = later.left;
  }
  return later;
}

// Whether temptation only grows while nothing changes. What a policy of our own holds back falls more
// slowly than the time goes by unless starts take nearly an hour, and the line of progress rises more
// slowly than work is done unless the deadline is out of reach.
bool regular(const TickJob& job, const Policy& policy) {
  if (!job.deadline) return true;
  if (*job.deadline < job.rhythm.whole(job.work) + job.gap) return false;
  return policy.kind != PolicyKind::reserve || job.restore >= job.gap || job.restore < std::chrono::minutes{20};
}

}  // namespace

std::int64_t calm_ticks(const TickJob& job, const Policy& policy, const TickState& state, Choice choice,
                        std::int64_t most) {
  // The last ticks of work are looked at one by one.
  if (choice == Choice::on_demand)
    most = std::min(most, (state.left - Duration{1}) / job.gap - 1);
  const bool by_policy = regular(job, policy);
  const auto stays = [&](std::int64_t ahead) {
    const TickState later = imagined(job, state, choice, ahead);
    const auto becomes = [&](Choice wish) {
      const Choice made = guarded(job, policy, later, choice, wish);
      return made == Choice::spot && !later.up ? Choice::none : made;
    };
    // On demand whatever the policy wants?
    if (choice == Choice::on_demand && becomes(Choice::spot) == choice && becomes(Choice::none) == choice)
      return true;
    return by_policy && becomes(wanted(job, policy, later)) == choice;
  };
  if (most <= 0) return 0;
  if (stays(most)) return most;
  std::int64_t low = 0, high = most;
  for (std::int64_t step = 1; low + step < high; step *= 2) {
    if (!stays(low + step)) {
      high = low + step;
      break;
    }
    low += step;
  }
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (stays(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace gpuplan::spot
