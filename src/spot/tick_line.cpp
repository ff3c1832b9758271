#include "spot/tick_line.hpp"

#include <algorithm>
#include <memory>

#include "billing/plan_cost.hpp"

namespace gpuplan::spot {
namespace {

using namespace billing;

// An hour of these charges, for decisions only: the bill is made by its own rules.
double hourly(const Setup& setup, const std::vector<Charge>& charges) {
  double sum = 0;
  for (const Charge& charge : charges) {
    const Duration period = charge.per == PriceUnit::second ? kSecond
                            : charge.per == PriceUnit::hour ? kHour
                            : charge.per == PriceUnit::day  ? kDay
                                                            : setup.month_length(0);
    sum += charge.price.approximate() * static_cast<double>(kHour.count()) /
           static_cast<double>(period.count());
  }
  return sum;
}

// Puts one segment after the other.
class Writer {
 public:
  Writer(Line& line, bool on_demand) : line_(line), on_demand_(on_demand) {}
  void put(Activity activity, State state, Duration from, Duration length) {
    if (length.count() <= 0) return;
    line_.segments.push_back({.from = from,
                              .to = from + length,
                              .state = state,
                              .activity = activity,
                              .starts = first_,
                              .on_demand = on_demand_});
    first_ = false;
  }

 private:
  Line& line_;
  bool on_demand_;
  bool first_ = true;
};

void put_stretch(const TickJob& job, const Stretch& stretch, Line& line) {
  const Duration from = stretch.from * job.gap, length = (stretch.to - stretch.from) * job.gap;
  const Duration restore = std::min(stretch.restore, length);
  const Duration rest = length - restore - stretch.idle;
  const Duration lost = std::min(stretch.lost, rest);
  Writer out(line, stretch.choice == Choice::on_demand);
  out.put(Activity::restore, State::running, from, restore);
  out.put(Activity::work, State::running, from + restore, rest - lost);
  out.put(Activity::lost, State::running, from + restore + rest - lost, lost);
  out.put(Activity::idle, State::running, from + restore + rest, stretch.idle);
  if (stretch.reclaimed && !line.segments.empty()) line.segments.back().reclaimed = true;
  line.sums.startup += restore;
  line.sums.run += rest;
}

}  // namespace

TickJob tick_job(const Setup& setup, Duration gap) {
  const Job& job = *setup.job;
  TickJob ticks;
  ticks.gap = gap;
  ticks.work = setup.work;
  ticks.restore = setup.restore + setup.start;
  ticks.deadline = job.deadline;
  if (job.deadline_at && job.start) {
    const Duration until =
        std::chrono::duration_cast<Duration>(job.deadline_at->utc - job.start->utc);
    ticks.deadline = job.deadline ? std::min(*job.deadline, until) : until;
  }
  ticks.rhythm = {.every = setup.checkpoint_every,
                  .write = setup.checkpoint_write,
                  .after_last = job.checkpoint && setup.spot_terms.checkpoint_after_last};
  ticks.survives = setup.spot_terms.survives;
  ticks.spot_price = hourly(setup, setup.running);
  ticks.price = hourly(setup, setup.on_demand);
  ticks.sold_on_demand = !setup.on_demand.empty();
  return ticks;
}

Line tick_line(const Setup& setup, const TickJob& job, const TickRun& run, Notes& notes) {
  Line line;
  line.finished = run.finished;
  line.reclaims = run.reclaims;
  Duration now{0};
  for (const Stretch& stretch : run.stretches) {
    const Duration from = stretch.from * job.gap;
    if (from > now) {
      Writer(line, false).put(Activity::waiting, line.segments.empty() ? State::gone : State::released,
                              now, from - now);
      line.sums.queue += from - now;
    }
    put_stretch(job, stretch, line);
    now = stretch.to * job.gap;
  }
  line.provisioned = run.stretches.empty() ? Duration{0} : run.stretches.front().from * job.gap;
  line.end = now;
  // The tick in which the work is done is billed in full; the work is done before it ends.
  line.sums.wall = run.finished && !run.stretches.empty() ? now - run.stretches.back().idle : now;
  line.keep_end = now + setup.keep;
  if (setup.job->checkpoint && !run.stretches.empty())
    line.first_write = std::min(line.provisioned + job.restore + job.rhythm.every, now);
  if (setup.keep.count() > 0)
    Writer(line, false).put(Activity::retention, after(setup.end, setup, notes), now, setup.keep);
  return line;
}

Presence recorded(const Availability& trace, std::int64_t start) {
  return [&trace, start](std::int64_t tick) {
    const auto at = static_cast<std::size_t>(start + tick);
    if (at >= trace.up.size()) return There{false, INT64_MAX};
    return There{trace.up[at] != 0, tick + 1};
  };
}

Presence drawn(const Setup& setup, Lives& lives, Duration gap) {
  struct State {
    std::int64_t up_to = 0, back_at = 0;  // ticks
    bool endless = false;
  };
  const auto state = std::make_shared<State>();
  const SpotTerms& terms = setup.spot_terms;
  return [state, &lives, gap, &terms](std::int64_t tick) {
    while (!state->endless && tick >= state->back_at) {
      const auto next = lives.next(state->back_at * gap);
      if (!next && !terms.max_run) {
        state->endless = true;
        break;
      }
      Duration life = next ? std::max(*next, terms.protect) : kNever;
      if (terms.max_run) life = std::min(life, *terms.max_run);
      state->up_to = state->back_at + ceil_div(life.count(), gap.count());
      const Duration wait = lives.wait().value_or(terms.restart_delay);
      state->back_at =
          state->up_to + std::max<std::int64_t>(ceil_div(wait.count(), gap.count()), 1);
    }
    if (state->endless) return There{true, INT64_MAX};
    const bool up = tick < state->up_to;
    return There{up, up ? state->up_to : state->back_at};
  };
}

Presence by_chance(double share, const Stream& stream) {
  return [share, stream](std::int64_t tick) {
    return There{stream.uniform(static_cast<std::uint64_t>(tick)) < share, tick + 1};
  };
}

}  // namespace gpuplan::spot
