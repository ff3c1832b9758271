// The sessions in their order: starts, planned stops, gaps, and what comes after the work.
#include "billing/timeline.hpp"

#include <algorithm>

#include "billing/sessions.hpp"

namespace gpuplan::billing {
namespace {

constexpr int kMostIdleSessions = 400;  // more than a year of days without any progress
constexpr int kMostSessions = 1'000'000;
constexpr int kMostHopeless = 3;  // lives that are known to be too short: a few show it

bool stopped(State state) {
  return state == State::held || state == State::released || state == State::hibernated;
}

// A session after one of these states is a new start of a machine.
bool needs_start(State state) {
  return state == State::released || state == State::hibernated || state == State::gone;
}

}  // namespace

Builder::Builder(const Setup& setup, Lives* lives, Notes& notes)
    : setup_(setup), lives_(lives), notes_(notes) {
  rhythm_ = {.every = setup.checkpoint_every,
             .write = setup.checkpoint_write,
             .after_last = setup.job->checkpoint && setup.spot_terms.checkpoint_after_last};
}

void Builder::add(Activity activity, State state, Duration length) {
  if (length.count() <= 0) return;
  auto& segments = line_.segments;
  Segment* last = segments.size() > first_segment_ ? &segments.back() : nullptr;
  if (last != nullptr && last->activity == activity && last->state == state && !starting_) {
    last->to += length;
  } else {
    segments.push_back({.from = now_,
                        .to = now_ + length,
                        .state = state,
                        .activity = activity,
                        .starts = starting_,
                        .on_demand = on_demand()});
  }
  starting_ = false;
  now_ += length;
}

// A stretch in which nothing is done. One that is stopped for too long is released: it is gone.
void Builder::rest(Activity activity, State state, Duration until) {
  if (!stopped(state)) {
    stopped_since_.reset();
  } else if (!stopped_since_) {
    stopped_since_ = now_;
  }
  state_ = state;
  if (stopped_since_ && setup_.release_after && *stopped_since_ + *setup_.release_after < until) {
    const Duration release = std::max(now_, *stopped_since_ + *setup_.release_after);
    add(activity, state, release - now_);
    notes_.warn(
        "release_deletes_data",
        "stopped for longer than the platform keeps a machine: it is released, and the disks that "
        "belong to it are deleted",
        "stop.release_after_h");
    state_ = State::gone;
    stopped_since_.reset();
  }
  add(activity, state_, until - now_);
}

void Builder::start_machine(Duration queue) {
  starting_ = true;
  first_segment_ = line_.segments.size();
  line_.sums.queue += queue;
  const Duration requested = now_;
  add(Activity::queue, state_, queue);
  if (line_.reclaims == 0 && first_session_) line_.provisioned = now_;
  session_begin_ = now_;
  state_ = State::running;
  stopped_since_.reset();
  restored_ = false;
  worked_ = worked_saved_ = Duration{0};
  saved_left_ = work_left_;
  const Duration provisioned = now_;
  begin_life(setup_.billed_from == BilledFrom::request        ? requested
             : setup_.billed_from == BilledFrom::provisioning ? provisioned
                                                              : provisioned + setup_.start);
  Duration start = setup_.start;
  const Duration planned = window_end_;
  window_end_ = kNever;  // a start that has begun is not called off by the schedule
  advance(Activity::startup, State::running, start);
  line_.sums.startup += now_ - provisioned;
  window_end_ = planned;
}

// Lives count from the moment when billing begins.
void Builder::begin_life(Duration billed_from) {
  life_begin_ = billed_from;
  life_end_ = kNever;
  if (lives_ == nullptr || on_demand()) return;
  const SpotTerms& terms = setup_.spot_terms;
  by_zone_ = false;
  if (const auto life = lives_->next(billed_from)) {
    life_end_ = billed_from + std::max(*life, terms.protect);
    by_zone_ = lives_->by_zone();
  }
  if (terms.max_run && billed_from + *terms.max_run < life_end_) {
    life_end_ = billed_from + *terms.max_run;
    by_zone_ = false;
  }
}

void Builder::lose_upload(State state, Duration stopped_for) {
  const bool ended = state == State::gone && setup_.home_ends;
  const bool wiped =
      state != State::running && setup_.wiped_after && stopped_for > *setup_.wiped_after;
  if (setup_.job->data.upload.count() == 0 || !(ended || wiped)) return;
  if (!upload_done_ && upload_left_ < setup_.upload_time)  // what had come over the line is paid
    line_.transfers.push_back({.from = upload_from_,
                               .to = now_,
                               .part = setup_.upload_time - upload_left_,
                               .whole = setup_.upload_time});
  upload_done_ = false;
  upload_left_ = setup_.upload_time;
}

void Builder::stop_by_wall() {
  notes_.warn("wall_clock_limit",
              "the platform ends a session before the work is done: it is started anew",
              "provision.auto_stop.wall_s");
  start_machine(setup_.queue);
}

void Builder::stop_planned() {
  const Duration stop = now_;
  const Calendar::Window next = setup_.calendar.window(setup_.job->schedule, now_);
  const Duration opens = std::max(next.from, now_);
  window_end_ = next.to;
  const State state = after(setup_.job->between, setup_, notes_, on_demand());
  if (state != State::running) line_.stops.push_back(now_);
  const bool taken = !needs_start(state) && life_end_ < opens;
  rest(Activity::gap, state, taken ? life_end_ : opens);
  if (taken) {
    reclaim();
    return;
  }
  lose_upload(state_, now_ - stop);
  restored_ = false;
  if (needs_start(state_))
    start_machine(setup_.queue);
  else
    session_begin_ = now_;
  state_ = State::running;
}

// Hours in which nothing is done end early where the platform takes the machine back.
void Builder::rest_taken(Activity activity, State state, Duration until) {
  const bool there = !needs_start(state) && state_ != State::gone;
  const Duration end = there ? std::min(until, std::max(life_end_, now_)) : until;
  rest(activity, state, end);
  if (end == until) return;
  ++line_.reclaims;
  rest(activity, State::gone, until);
}

void Builder::finish() {
  line_.sums.wall = now_;
  const Duration idle_end = now_ + setup_.idle;
  state_ = State::running;
  if (setup_.auto_stop && *setup_.auto_stop < setup_.idle) {
    rest_taken(Activity::idle, State::running, now_ + *setup_.auto_stop);
    const State state = state_ == State::gone ? State::gone : after(Verb::stop, setup_, notes_, on_demand());
    rest_taken(Activity::idle, state, idle_end);
  } else {
    rest_taken(Activity::idle, State::running, idle_end);
  }
  line_.end = now_;
  line_.keep_end = now_ + setup_.keep;
  if (setup_.keep.count() == 0) return;
  const State end = state_ == State::gone ? State::gone : after(setup_.end, setup_, notes_, on_demand());
  rest_taken(Activity::retention, end, line_.keep_end);
}

Line Builder::build(Duration from) {
  line_.from = from;
  line_.sums.transfer = setup_.stage_time;
  now_ = from + setup_.stage_time;
  const Calendar::Window first = setup_.calendar.window(setup_.job->schedule, now_);
  now_ = std::max(now_, first.from);
  window_end_ = first.to;
  upload_done_ = setup_.job->data.upload.count() == 0;
  upload_left_ = setup_.upload_time;
  work_left_ = setup_.work;
  down_left_ = setup_.down;
  download_left_ = setup_.download_time;
  start_machine(setup_.queue);
  Duration least_left = kNever;
  int fruitless = 0;
  for (int sessions = 0;; ++sessions) {
    const End end = run_session();
    if (end == End::done) break;
    first_session_ = false;
    const Duration left = upload_left_ + work_left_ + down_left_ + download_left_;
    fruitless = left < least_left ? 0 : fruitless + 1;
    least_left = std::min(left, least_left);
    const bool by_chance = end == End::reclaimed && progress_possible(setup_, *lives_);
    const int most = by_chance ? kMostSessions
                     : end == End::reclaimed ? kMostHopeless
                                             : kMostIdleSessions;
    if (fruitless > most || sessions > kMostSessions ||
        now_ > kHorizon) {
      line_.finished = false;
      break;
    }
    if (end == End::reclaimed)
      reclaim();
    else if (planned_end() == window_end_ || now_ >= window_end_)
      stop_planned();
    else
      stop_by_wall();
  }
  finish();
  return std::move(line_);
}

bool progress_possible(const Setup& setup, const Lives& lives) {
  const SpotTerms& terms = setup.spot_terms;
  const Duration most =
      std::min(std::max(lives.longest(), terms.protect), terms.max_run.value_or(kNever));
  Duration least = setup.billed_from == BilledFrom::ready ? Duration{0} : setup.start;
  if (setup.job->checkpoint && terms.strikes_restore) least += setup.restore;
  if (terms.survives == Survives::everything) return most > least;
  const Rhythm rhythm{.every = setup.checkpoint_every,
                      .write = setup.checkpoint_write,
                      .after_last = setup.job->checkpoint && terms.checkpoint_after_last};
  if (terms.survives == Survives::nothing || rhythm.every.count() == 0)
    return most >= least + rhythm.whole(setup.work);
  const Duration whole_pieces = (setup.work - Duration{1}) / rhythm.every * rhythm.every;
  const Duration last = rhythm.whole(setup.work - whole_pieces);
  return most >= least + std::min(rhythm.every + rhythm.write, last);
}

Line build_line(const Setup& setup, Lives* lives, Notes& notes, Duration from) {
  return Builder(setup, lives, notes).build(from);
}

}  // namespace gpuplan::billing
