#pragma once

#include <cstdint>
#include <optional>

#include "gpuplan/date.hpp"
#include "gpuplan/job.hpp"
#include "gpuplan/units.hpp"

namespace gpuplan::billing {

inline constexpr Duration kNever{4'000'000'000'000'000'000};

// The clock and the calendar of a job whose time line begins at 0. Months, days and hours go by the
// clock of its `start`; without one, months have 30 days, the clock reads 00:00 and it is Monday.
class Calendar {
 public:
  explicit Calendar(const std::optional<Moment>& start);

  std::int64_t month_of(Duration time) const;  // counts up, the same for all of a month
  Duration month_begin(std::int64_t month) const;
  Duration month_length(std::int64_t month) const {
    return month_begin(month + 1) - month_begin(month);
  }
  // Time since some midnight, by the clock: what whole hours and days are counted from.
  Duration clock(Duration time) const { return time + offset_; }

  struct Window {
    Duration from{0}, to{kNever};
  };
  // The window that holds `time`, else the next that opens. Windows that touch are one.
  Window window(const std::optional<Schedule>& schedule, Duration time) const;

 private:
  std::optional<Window> opening(const Schedule& schedule, std::int64_t day) const;

  bool dated_ = false;
  Duration offset_{0};  // from the day that months or weeks are counted from to the time line's 0
};

}  // namespace gpuplan::billing
