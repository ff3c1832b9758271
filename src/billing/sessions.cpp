// One session of a machine: upload, restore, work with checkpoints, download; cut by a planned stop
// or by the platform.
#include "billing/sessions.hpp"

#include <algorithm>

namespace gpuplan::billing {

Duration Rhythm::whole(Duration work) const {
  if (work.count() == 0) return work;
  const std::int64_t writes = every.count() == 0 ? 1 : ceil_div(work.count(), every.count());
  return work + repeated(write, after_last ? writes : writes - 1);
}

Rhythm::Reached Rhythm::saved_at_end(Duration work) const {
  if (after_last || work.count() == 0) return {.work = work, .time = whole(work)};
  if (every.count() == 0) return {};
  const std::int64_t writes = ceil_div(work.count(), every.count()) - 1;
  return {.work = writes * every, .time = repeated(every + write, writes)};
}

Duration Rhythm::before_stop(Duration room) const {
  if (every.count() == 0) return std::max(room - write, Duration{0});
  const std::int64_t cycles = room / (every + write);
  const Duration rest = room - cycles * (every + write);
  return cycles * every + std::max(rest - write, Duration{0});
}

Rhythm::Reached Rhythm::saved_within(Duration room) const {
  if (every.count() == 0) return {};
  const std::int64_t cycles = room / (every + write);
  return {.work = cycles * every, .time = cycles * (every + write)};
}

Duration Rhythm::done_within(Duration room) const {
  if (every.count() == 0) return room;
  const std::int64_t cycles = room / (every + write);
  return cycles * every + std::min(room - cycles * (every + write), every);
}

std::int64_t Rhythm::writes_of_all(Duration work) const {
  if (work.count() == 0) return 0;
  const std::int64_t writes = every.count() == 0 ? 1 : ceil_div(work.count(), every.count());
  return after_last ? writes : writes - 1;
}

std::int64_t Rhythm::writes_before_stop(Duration room) const {
  if (every.count() == 0) return room >= write ? 1 : 0;
  const std::int64_t cycles = room / (every + write);
  return cycles + (room - cycles * (every + write) > write ? 1 : 0);
}

std::int64_t Rhythm::writes_within(Duration room) const {
  return every.count() == 0 ? 0 : room / (every + write);
}

Duration Builder::planned_end() const {
  return setup_.wall_limit ? std::min(window_end_, session_begin_ + *setup_.wall_limit)
                           : window_end_;
}

// Does as much of `left` as fits before the limit; true when all is done.
bool Builder::advance(Activity activity, State state, Duration& left) {
  const Duration part = std::min(left, std::max(limit() - now_, Duration{0}));
  add(activity, state, part);
  left -= part;
  return left.count() == 0;
}

void Builder::copy(Duration from, std::int64_t count) {
  if (setup_.job->checkpoint && count > 0)
    line_.copies.push_back({.from = from, .to = now_, .count = count});
}

bool Builder::upload() {
  if (upload_done_) return true;
  if (upload_left_ == setup_.upload_time) upload_from_ = now_;
  const State state = setup_.upload_cardless ? State::cardless : State::running;
  const Duration before = now_;
  const bool done = advance(Activity::upload, state, upload_left_);
  line_.sums.transfer += now_ - before;
  if (!done) return false;
  line_.transfers.push_back({.from = upload_from_, .to = now_});
  upload_done_ = true;
  return true;
}

// Progress is read back at the begin of every session but the first.
bool Builder::restore() {
  const bool first = first_session_ && !setup_.spot_terms.first_restores;
  if (restored_ || first || !setup_.job->checkpoint) return true;
  if (!setup_.spot_terms.strikes_restore && now_ < life_end_ && life_end_ != kNever)
    life_end_ += setup_.restore;
  Duration left = setup_.restore;
  const Duration before = now_;
  restored_ = advance(Activity::restore, State::running, left);
  line_.sums.startup += now_ - before;
  if (restored_) copy(before, 1);
  return restored_;
}

bool Builder::work() {
  if (work_left_.count() == 0) return true;
  const Duration room = std::max(limit() - now_, Duration{0});
  const Duration whole = rhythm_.whole(work_left_);
  const Duration written_before = worked_;
  const bool done = whole <= room;
  const Duration time = done ? whole : room;
  if (!line_.first_write && setup_.job->checkpoint && time > rhythm_.every)
    line_.first_write = now_ + rhythm_.every;
  const auto reached = done ? rhythm_.saved_at_end(work_left_) : rhythm_.saved_within(time);
  if (reached.time.count() > 0) {
    worked_saved_ = written_before + reached.time;
    saved_left_ = work_left_ - reached.work;
  }
  const Duration begin = now_;
  add(Activity::work, State::running, time);
  line_.sums.run += time;
  worked_ += time;
  copy(begin, done       ? rhythm_.writes_of_all(work_left_)
              : struck() ? rhythm_.writes_within(time)
                         : rhythm_.writes_before_stop(time));
  if (done) {
    work_left_ = Duration{0};
  } else if (struck()) {
    work_left_ -= std::min(rhythm_.done_within(time), work_left_);
  } else {
    work_left_ -= std::min(rhythm_.before_stop(time), work_left_);
    saved_left_ = work_left_;
    worked_saved_ = worked_;
    if (!line_.first_write && setup_.job->checkpoint) line_.first_write = now_ - rhythm_.write;
  }
  return done;
}

// Hours in which the host is down: the machine is there, nothing is done.
bool Builder::down() { return advance(Activity::down, State::running, down_left_); }

bool Builder::download() {
  if (setup_.job->data.download.count() == 0) return true;
  const Duration before = now_, had = setup_.download_time - download_left_;
  const bool done = advance(Activity::download, State::running, download_left_);
  line_.sums.transfer += now_ - before;
  // Session by session: traffic belongs to the month in which it crosses the line.
  if (done || now_ > before)
    line_.transfers.push_back({.from = before,
                               .to = now_,
                               .out = true,
                               .part = now_ - before,
                               .whole = setup_.download_time,
                               .begin = had});
  return done;
}

Builder::End Builder::run_session() {
  if (upload() && restore() && work() && down() && download()) return End::done;
  return struck() ? End::reclaimed : End::planned;
}

// The last so much of the work has to be done again.
void Builder::mark_lost(Duration time) {
  auto& segments = line_.segments;
  for (std::size_t i = segments.size(); i-- > lost_before_ && time.count() > 0;) {
    if (segments[i].activity != Activity::work) continue;
    const Duration length = segments[i].to - segments[i].from;
    if (length <= time) {
      segments[i].activity = Activity::lost;
      time -= length;
      continue;
    }
    Segment lost = segments[i];
    segments[i].to -= time;
    segments[i].reclaimed = false;
    lost.from = segments[i].to;
    lost.activity = Activity::lost;
    lost.starts = false;
    segments.insert(segments.begin() + static_cast<std::ptrdiff_t>(i) + 1, lost);
    return;
  }
}

// The platform takes the machine back: what is lost, what that session costs, and the next start.
void Builder::reclaim() {
  const SpotTerms& terms = setup_.spot_terms;
  ++line_.reclaims;
  line_.zone_reclaims += by_zone_ ? 1 : 0;
  auto& segments = line_.segments;
  if (segments.size() > first_segment_) {
    segments.back().reclaimed = true;
    if (now_ - life_begin_ < terms.free_within)
      for (std::size_t i = first_segment_; i < segments.size(); ++i) segments[i].free = true;
  }
  if (terms.survives == Survives::nothing) {
    mark_lost(kHorizon);  // of earlier sessions as well
    lost_before_ = segments.size();
    work_left_ = setup_.work;
  } else if (terms.survives == Survives::checkpoint) {
    mark_lost(worked_ - worked_saved_);
    work_left_ = saved_left_;
  }
  // What is worked out again is sent again.
  if (work_left_.count() > 0) download_left_ = setup_.download_time;
  if (setup_.home_ends && !terms.disk_kept) lose_upload(State::gone, Duration{0});
  state_ = State::released;  // of the disks that live on
  const Duration before = now_;
  add(Activity::waiting, state_, lives_->wait().value_or(terms.restart_delay));
  const Calendar::Window next = setup_.calendar.window(setup_.job->schedule, now_);
  window_end_ = next.to;
  add(Activity::waiting, state_, next.from - now_);
  line_.sums.queue += now_ - before;
  start_machine(Duration{0});
}

}  // namespace gpuplan::billing
