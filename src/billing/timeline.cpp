#include "billing/timeline.hpp"

#include <algorithm>

namespace gpuplan::billing {
namespace {

constexpr int kMostIdleSessions = 400;  // more than a year of days without any progress
constexpr int kMostSessions = 1'000'000;

bool stopped(State state) {
  return state == State::held || state == State::released || state == State::hibernated;
}

// A session after one of these states is a new start of a machine.
bool needs_start(State state) {
  return state == State::released || state == State::hibernated || state == State::gone;
}

class Builder {
 public:
  Builder(const Setup& setup, Notes& notes) : setup_(setup), notes_(notes) {}
  Line build();

 private:
  void add(Activity activity, State state, Duration length);
  void rest(Activity activity, State state, Duration until);
  void start_machine();
  bool run_session(Duration limit);
  bool advance(Activity activity, State state, Duration& left, Duration limit);
  bool work(Duration limit);
  bool down(Duration limit);
  void stop_between(bool at_window_end);
  void finish();
  void lose_upload(State state, Duration stopped_for);

  const Setup& setup_;
  Notes& notes_;
  Line line_;
  Duration now_{0};
  Duration session_begin_{0};
  State state_ = State::gone;  // before the first start there is no machine
  std::optional<Duration> stopped_since_;
  bool starting_ = true;
  bool first_session_ = true;
  bool upload_done_ = false;
  Duration upload_left_{0}, work_left_{0}, down_left_{0}, download_left_{0};
  Duration upload_from_{0}, window_end_{kNever};
};

void Builder::add(Activity activity, State state, Duration length) {
  if (length.count() <= 0) return;
  Segment* last = line_.segments.empty() ? nullptr : &line_.segments.back();
  if (last != nullptr && last->activity == activity && last->state == state && !starting_) {
    last->to += length;
  } else {
    line_.segments.push_back({.from = now_,
                              .to = now_ + length,
                              .state = state,
                              .activity = activity,
                              .starts = starting_});
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

void Builder::start_machine() {
  starting_ = true;
  line_.sums.queue += setup_.queue;
  line_.sums.startup += setup_.start;
  add(Activity::queue, state_, setup_.queue);
  if (first_session_) line_.provisioned = now_;
  session_begin_ = now_;
  state_ = State::running;
  stopped_since_.reset();
  add(Activity::startup, State::running, setup_.start);
}

// Does as much of `left` as fits before the limit; true when all is done.
bool Builder::advance(Activity activity, State state, Duration& left, Duration limit) {
  const Duration part = std::min(left, std::max(limit - now_, Duration{0}));
  add(activity, state, part);
  line_.sums.transfer += part;
  left -= part;
  return left.count() == 0;
}

// Work with a checkpoint after every interval, and one when a planned stop cuts it; none after the
// last piece.
bool Builder::work(Duration limit) {
  const Duration every = setup_.checkpoint_every, write = setup_.checkpoint_write;
  const auto writes = [&](Duration length) {
    return every.count() == 0 || length.count() == 0 ? 0 : ceil_div(length.count(), every.count());
  };
  const Duration room = std::max(limit - now_, Duration{0});
  const Duration whole = work_left_ + write * std::max<std::int64_t>(writes(work_left_) - 1, 0);
  if (whole <= room) {
    if (!line_.first_write && setup_.job->checkpoint && work_left_ > every)
      line_.first_write = now_ + every;
    add(Activity::work, State::running, whole);
    line_.sums.run += whole;
    work_left_ = Duration{0};
    return true;
  }
  Duration done = std::max(room - write, Duration{0});
  if (every.count() > 0) {
    const std::int64_t cycles = room / (every + write);
    done = cycles * every + std::max(room - cycles * (every + write) - write, Duration{0});
  }
  done = std::min(done, work_left_);
  if (!line_.first_write && setup_.job->checkpoint && done.count() > 0)
    line_.first_write = now_ + (every.count() > 0 ? std::min(every, done) : done);
  add(Activity::work, State::running, room);
  line_.sums.run += room;
  work_left_ -= done;
  return false;
}

// Hours in which the host is down: after the work, machine there, nothing done.
bool Builder::down(Duration limit) {
  const Duration part = std::min(down_left_, std::max(limit - now_, Duration{0}));
  add(Activity::down, State::running, part);
  down_left_ -= part;
  return down_left_.count() == 0;
}

// True when everything is done before the limit.
bool Builder::run_session(Duration limit) {
  if (!upload_done_) {
    const State state = setup_.upload_cardless ? State::cardless : State::running;
    if (upload_left_ == setup_.upload_time) upload_from_ = now_;
    if (!advance(Activity::upload, state, upload_left_, limit)) return false;
    line_.transfers.push_back({.from = upload_from_, .to = now_});
    upload_done_ = true;
  }
  if (!first_session_ && setup_.job->checkpoint && work_left_ < setup_.work) {
    const Duration part = std::min(setup_.restore, std::max(limit - now_, Duration{0}));
    add(Activity::restore, State::running, part);
    line_.sums.startup += part;
    if (part < setup_.restore) return false;
  }
  if (work_left_.count() > 0 && !work(limit)) return false;
  if (!down(limit)) return false;
  if (setup_.job->data.download.count() > 0) {
    const Duration from = now_;
    if (!advance(Activity::download, State::running, download_left_, limit)) return false;
    line_.transfers.push_back({.from = from, .to = now_, .out = true});
  }
  return true;
}

void Builder::lose_upload(State state, Duration stopped_for) {
  const bool ended = state == State::gone && setup_.home_ends;
  const bool wiped =
      state != State::running && setup_.wiped_after && stopped_for > *setup_.wiped_after;
  if (setup_.job->data.upload.count() == 0 || !(ended || wiped)) return;
  upload_done_ = false;
  upload_left_ = setup_.upload_time;
}

void Builder::stop_between(bool at_window_end) {
  const Duration stop = now_;
  if (!at_window_end) {
    notes_.warn("wall_clock_limit",
                "the platform ends a session before the work is done: it is started anew",
                "provision.auto_stop.wall_s");
    start_machine();
    return;
  }
  const Calendar::Window next = setup_.calendar.window(setup_.job->schedule, now_);
  window_end_ = next.to;
  const State state = after(setup_.job->between, setup_, notes_);
  if (state != State::running) line_.stops.push_back(now_);
  rest(Activity::gap, state, std::max(next.from, now_));
  lose_upload(state_, now_ - stop);
  if (needs_start(state_))
    start_machine();
  else
    session_begin_ = now_;
  state_ = State::running;
}

void Builder::finish() {
  line_.sums.wall = now_;
  const Duration idle_end = now_ + setup_.idle;
  state_ = State::running;
  if (setup_.auto_stop && *setup_.auto_stop < setup_.idle) {
    rest(Activity::idle, State::running, now_ + *setup_.auto_stop);
    const State state = after(Verb::stop, setup_, notes_);
    rest(Activity::idle, state, idle_end);
  } else {
    rest(Activity::idle, State::running, idle_end);
  }
  line_.end = now_;
  line_.keep_end = now_ + setup_.keep;
  if (setup_.keep.count() == 0) return;
  const State end = state_ == State::gone ? State::gone : after(setup_.end, setup_, notes_);
  rest(Activity::retention, end, line_.keep_end);
}

Line Builder::build() {
  line_.sums.transfer = setup_.stage_time;
  const Calendar::Window first = setup_.calendar.window(setup_.job->schedule, setup_.stage_time);
  now_ = std::max(setup_.stage_time, first.from);
  window_end_ = first.to;
  upload_done_ = setup_.job->data.upload.count() == 0;
  upload_left_ = setup_.upload_time;
  work_left_ = setup_.work;
  down_left_ = setup_.down;
  download_left_ = setup_.download_time;
  start_machine();
  Duration least_left = kNever;
  int fruitless = 0;
  for (int sessions = 0;; ++sessions) {
    const Duration wall_end = setup_.wall_limit ? session_begin_ + *setup_.wall_limit : kNever;
    if (run_session(std::min(window_end_, wall_end))) break;
    first_session_ = false;
    const Duration left = upload_left_ + work_left_ + down_left_ + download_left_;
    fruitless = left < least_left ? 0 : fruitless + 1;
    least_left = std::min(left, least_left);
    if (fruitless > kMostIdleSessions || sessions > kMostSessions) {
      line_.finished = false;
      break;
    }
    stop_between(window_end_ <= std::max(wall_end, now_));
  }
  finish();
  return std::move(line_);
}

}  // namespace

Line build_line(const Setup& setup, Notes& notes) { return Builder(setup, notes).build(); }

}  // namespace gpuplan::billing
