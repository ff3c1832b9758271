#pragma once

#include "billing/timeline.hpp"

namespace gpuplan::billing {

// Work with a checkpoint after every interval of it.
struct Rhythm {
  Duration every{0}, write{0};
  bool after_last = false;  // also behind the last piece

  // Time for so much work from a session's begin to the end of the job.
  Duration whole(Duration work) const;
  // How much of it is behind a checkpoint by then, and the time until that is written.
  struct Reached {
    Duration work{0}, time{0};
  };
  Reached saved_at_end(Duration work) const;
  // Work done in `room` when a planned stop ends it, with one write at its end.
  Duration before_stop(Duration room) const;
  // The last checkpoint that is complete within `room`, and all work that was done by then.
  Reached saved_within(Duration room) const;
  Duration done_within(Duration room) const;
  // Complete writes: when all of the work is done, before a planned stop, before a reclaim.
  std::int64_t writes_of_all(Duration work) const;
  std::int64_t writes_before_stop(Duration room) const;
  std::int64_t writes_within(Duration room) const;
};

// Builds the time line of one machine, session by session.
class Builder {
 public:
  Builder(const Setup& setup, Lives* lives, Notes& notes);
  Line build(Duration from);

 private:
  enum class End { done, planned, reclaimed };

  void add(Activity activity, State state, Duration length);
  void rest(Activity activity, State state, Duration until);

  void start_machine(Duration queue);
  void begin_life(Duration billed_from);
  End run_session();
  bool upload();
  bool restore();
  bool work();
  bool down();
  bool download();
  bool advance(Activity activity, State state, Duration& left);
  void copy(Duration from, std::int64_t count);
  Duration limit() const { return std::min(planned_end(), life_end_); }
  Duration planned_end() const;
  bool on_demand() const {
    return setup_.spot_terms.tries && line_.reclaims >= *setup_.spot_terms.tries;
  }
  bool struck() const { return life_end_ <= planned_end(); }

  void stop_planned();
  void stop_by_wall();
  void reclaim();
  void mark_lost(Duration time);
  void lose_upload(State state, Duration stopped_for);
  void finish();
  void rest_taken(Activity activity, State state, Duration until);

  const Setup& setup_;
  Lives* lives_;
  Notes& notes_;
  Rhythm rhythm_;
  Line line_;
  Duration now_{0};
  State state_ = State::gone;  // before the first start there is no machine
  std::optional<Duration> stopped_since_;
  bool starting_ = true, first_session_ = true, upload_done_ = false;
  Duration upload_left_{0}, work_left_{0}, down_left_{0}, download_left_{0};
  Duration upload_from_{0};

  // Of the session that runs.
  Duration session_begin_{0}, window_end_{kNever};
  Duration life_begin_{0}, life_end_{kNever};
  bool by_zone_ = false;  // that end is one of every machine of the zone
  std::size_t first_segment_ = 0;
  std::size_t lost_before_ = 0;           // segments whose work has all been marked as lost
  Duration worked_{0}, worked_saved_{0};  // time of work, and of it up to the last checkpoint
  Duration saved_left_{0};                // work that is left after that checkpoint
  bool restored_ = false;
};

}  // namespace gpuplan::billing
