#include "spot/policy.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace gpuplan::spot {
namespace {

using billing::ceil_div;
using billing::Survives;

std::int64_t ticks(const TickJob& job, Duration time) {
  return ceil_div(time.count(), job.gap.count());
}

// Whole ticks until the deadline.
std::int64_t ticks_left(const TickJob& job, const TickState& state) {
  return (*job.deadline - state.now) / job.gap;
}

// Ticks on demand for so much work, with `starts` restores.
std::int64_t on_demand_ticks(const TickJob& job, Duration left, int starts) {
  return ticks(job, job.rhythm.whole(left) + starts * job.restore);
}

// Exact for whole seconds.
double seconds(Duration time) { return static_cast<double>(time.count()) / 1e6; }

// Work left in the worst case after a tick of spot: it is gone at the next one.
Duration left_after_spot(const TickJob& job, const TickState& state) {
  const Duration pending = state.current == Choice::spot ? state.pending : job.restore;
  const Duration room = std::max(job.gap - pending, Duration{0});
  if (job.rhythm.whole(state.left) <= room) return Duration{0};
  if (job.survives == Survives::nothing) return job.work;
  if (job.survives == Survives::checkpoint)
    return state.current == Choice::spot ? state.left_if_lost : state.left;
  return state.left - std::min(job.rhythm.done_within(room), state.left);
}

// The three below are the rules with which the costs of the public replays come out; see examples/SPOT.md.
Choice greedy(const TickJob& job, const TickState& s) {
  const std::int64_t room = ticks_left(job, s);
  if (on_demand_ticks(job, s.left, 1) >= room) return Choice::on_demand;
  if (on_demand_ticks(job, s.left, 2) >= room)
    return s.current == Choice::spot && s.up ? Choice::spot : Choice::on_demand;
  return s.up ? Choice::spot : Choice::none;
}

Choice progress_line(const TickJob& job, const TickState& s) {
  const std::int64_t room = ticks_left(job, s);
  if (on_demand_ticks(job, s.left, 1) >= room)
    return s.current == Choice::spot && s.up ? Choice::spot : Choice::on_demand;
  if (on_demand_ticks(job, s.left, 2) >= room && s.current != Choice::spot)
    return Choice::on_demand;
  if (s.up) return Choice::spot;
  // A machine that runs on demand stays until it is two restores ahead of the line.
  const Duration at = s.current == Choice::on_demand ? s.now + 2 * job.restore : s.now;
  const double done = seconds(job.work - s.left);
  return done < seconds(job.work) * (seconds(at) / seconds(*job.deadline)) ? Choice::on_demand
                                                                           : Choice::none;
}

// As greedy, but spot is taken whenever it is there: the guard says when a change of machine would
// be too late.
Choice last_minute(const TickJob& job, const TickState& s) {
  if (s.up) return Choice::spot;
  return on_demand_ticks(job, s.left, 1) >= ticks_left(job, s) ? Choice::on_demand : Choice::none;
}

// Our own. Waiting is worth while slack lasts: what is waited now may still be rented on demand
// later. But slack is also what pays for starts, and a run that has none left is locked on demand.
// So half of the slack is given out evenly over the time, and where a start is short against a
// tick, one start an hour is held back as well. Going back from on demand to waiting asks for an
// hour more than that. No choice is made that could end dearer than on demand from the begin, by
// more than one restore and the work that one reclaim can take.
class Reserve {
 public:
  Reserve(const TickJob& job, const TickState& state) : job_(job), s_(state) {
    const double all = static_cast<double>(on_demand_ticks(job, job.work, 1));
    // What a reclaim costs on a spot machine: reading back, and where only checkpoints outlive it the
    // piece since the last one.
    const double piece = job.survives == Survives::checkpoint ? seconds(job.rhythm.every + job.rhythm.write) : 0;
    most_ = (all * seconds(job.gap) + seconds(job.restore) + piece) * job.price / 3600 * (1 + 1e-12);
  }
  Choice choice() const {
    if (s_.up && after_spot() <= most_) return Choice::spot;
    const bool rents = s_.current == Choice::on_demand;
    const double need = held_back() + (rents ? 2 * seconds(job_.restore) + 3600 : 0);
    const double wait_costs = s_.cost + on_demand(s_.left);
    return slack() > need && wait_costs <= most_ ? Choice::none : Choice::on_demand;
  }

 private:
  double on_demand(Duration left) const {
    if (left.count() == 0) return 0;
    return static_cast<double>(on_demand_ticks(job_, left, 1)) * seconds(job_.gap) * job_.price /
           3600;
  }
  double after_spot() const {
    return s_.cost + job_.spot_price * seconds(job_.gap) / 3600 +
           on_demand(left_after_spot(job_, s_));
  }
  double until_deadline() const { return seconds(*job_.deadline - s_.now); }
  double slack() const {
    return until_deadline() - seconds(job_.rhythm.whole(s_.left)) - seconds(job_.restore);
  }
  double held_back() const {
    const double all_slack = seconds(*job_.deadline) - seconds(job_.rhythm.whole(job_.work));
    const double even = 0.5 * all_slack * until_deadline() / seconds(*job_.deadline);
    const bool short_start = job_.restore < job_.gap;
    return even + (short_start ? seconds(job_.restore) * until_deadline() / 3600 : 0);
  }

  const TickJob& job_;
  const TickState& s_;
  double most_ = 0;
};

Choice published_guard(const TickJob& job, const TickState& s, Choice last, Choice choice) {
  const Duration left = ticks(job, s.left + job.restore) * job.gap;
  if (left < ticks_left(job, s) * job.gap) return choice;
  return last == Choice::spot && s.pending.count() == 0 ? Choice::spot : Choice::on_demand;
}

// Whatever happens at the next tick, on demand from there still meets the deadline.
bool safe(const TickJob& job, const TickState& s, Choice choice) {
  const std::int64_t room = ticks_left(job, s) - 1;
  if (choice == Choice::none) return on_demand_ticks(job, s.left, 1) <= room;
  const Duration left = left_after_spot(job, s);
  return left.count() == 0 ? room >= 0 : on_demand_ticks(job, left, 1) <= room;
}

Choice own_guard(const TickJob& job, const TickState& s, Choice choice) {
  if (choice == Choice::spot && !s.up) choice = Choice::none;
  if (choice == Choice::on_demand || safe(job, s, choice)) return choice;
  return Choice::on_demand;
}

struct Name {
  std::string_view name;
  PolicyKind kind;
};
constexpr std::array kNames{Name{"spot", PolicyKind::spot},
                            Name{"spot_else_on_demand", PolicyKind::spot_else_on_demand},
                            Name{"greedy", PolicyKind::greedy},
                            Name{"progress_line", PolicyKind::progress_line},
                            Name{"last_minute", PolicyKind::last_minute},
                            Name{"reserve", PolicyKind::reserve},
                            Name{"retries", PolicyKind::retries},
                            Name{"mixed", PolicyKind::mixed}};
constexpr std::array kPublished{PolicyKind::spot_else_on_demand, PolicyKind::greedy,
                                PolicyKind::progress_line};
bool counts(PolicyKind kind) { return kind == PolicyKind::retries || kind == PolicyKind::mixed; }

}  // namespace

Choice wanted(const TickJob& job, const Policy& policy, const TickState& state) {
  switch (policy.kind) {
    case PolicyKind::spot:
      return state.up ? Choice::spot : Choice::none;
    case PolicyKind::spot_else_on_demand:
      return state.up ? Choice::spot : Choice::on_demand;
    case PolicyKind::greedy:
      return greedy(job, state);
    case PolicyKind::progress_line:
      return progress_line(job, state);
    case PolicyKind::last_minute:
      return last_minute(job, state);
    case PolicyKind::reserve:
      return Reserve(job, state).choice();
    case PolicyKind::mixed:  // decides by machine, not by tick
      return state.up ? Choice::spot : Choice::none;
    case PolicyKind::retries:
      break;
  }
  const bool again = state.current == Choice::spot || state.sessions < policy.count;
  if (!again || state.current == Choice::on_demand) return Choice::on_demand;
  return state.up ? Choice::spot : Choice::none;
}

Choice guarded(const TickJob& job, const Policy& policy, const TickState& state, Choice last,
               Choice choice) {
  if (!job.deadline || policy.kind == PolicyKind::spot) return choice;
  return policy.published ? published_guard(job, state, last, choice)
                          : own_guard(job, state, choice);
}

double cost_of_tick(const TickJob& job, Choice choice) {
  if (choice == Choice::none) return 0;
  return (choice == Choice::spot ? job.spot_price : job.price) * static_cast<double>(job.gap.count()) / 3.6e9;
}

}  // namespace gpuplan::spot

namespace gpuplan {

std::optional<Policy> parse_policy(std::string_view text) {
  Policy policy;
  const auto colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const auto known = std::ranges::find(spot::kNames, name, &spot::Name::name);
  if (known == spot::kNames.end()) return std::nullopt;
  policy.kind = known->kind;
  const bool counted = spot::counts(policy.kind);
  if (colon == std::string_view::npos) return counted ? std::nullopt : std::optional(policy);
  const std::string_view rest = text.substr(colon + 1);
  if (!counted) {
    const bool shared =
        std::ranges::find(spot::kPublished, policy.kind) != spot::kPublished.end();
    if (rest != "published" || !shared) return std::nullopt;
    policy.published = true;
    return policy;
  }
  const auto end = std::from_chars(rest.data(), rest.data() + rest.size(), policy.count);
  constexpr std::int64_t kMost = 1'000'000;
  const bool whole = end.ec == std::errc{} && end.ptr == rest.data() + rest.size();
  if (!whole || policy.count < 0 || policy.count > kMost) return std::nullopt;
  return policy;
}

std::vector<std::string_view> policy_names() {
  std::vector<std::string_view> names;
  for (const auto& entry : spot::kNames)
    names.push_back(entry.kind == PolicyKind::retries ? "retries:3"
                    : entry.kind == PolicyKind::mixed ? "mixed:2"
                                                      : entry.name);
  return names;
}

}  // namespace gpuplan
