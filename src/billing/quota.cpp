#include "billing/quota.hpp"

#include <algorithm>
#include <map>

namespace gpuplan::billing {
namespace {

constexpr Duration kWeek = 7 * kDay;

bool runs(const Segment& segment) {
  return segment.state == State::running && segment.activity != Activity::queue &&
         segment.activity != Activity::waiting;
}

std::int64_t week_of(const Calendar& calendar, Duration time) {
  return floor_div(calendar.clock(time).count(), kWeek.count());
}

// Running time by week or month, cut where a new one begins.
class Periods {
 public:
  Periods(const Calendar& calendar, bool monthly) : calendar_(calendar), monthly_(monthly) {}

  void add(Duration from, Duration to) {
    while (from < to) {
      const std::int64_t period = monthly_ ? calendar_.month_of(from) : week_of(calendar_, from);
      const Duration end =
          std::min(to, monthly_ ? calendar_.month_begin(period + 1)
                                : from + (period + 1) * kWeek - calendar_.clock(from));
      longest_ = std::max(longest_, sums_[period] += end - from);
      from = end;
    }
  }
  Duration longest() const { return longest_; }

 private:
  const Calendar& calendar_;
  bool monthly_;
  std::map<std::int64_t, Duration> sums_;
  Duration longest_{0};
};

Duration longest_session(const Line& line) {
  Duration longest{0}, length{0};
  for (const Segment& segment : line.segments) {
    if (!runs(segment) || segment.starts) length = Duration{0};
    if (runs(segment)) length += segment.to - segment.from;
    longest = std::max(longest, length);
  }
  return longest;
}

}  // namespace

void warn_quota(const Setup& setup, const Line& line, Notes& notes) {
  if (!setup.rules->quota) return;
  const QuotaRules& quota = *setup.rules->quota;
  if (quota.session_max_s && longest_session(line) > duration_of(*quota.session_max_s, kSecond))
    notes.warn("session_too_long",
               "a session runs for " + show_duration(longest_session(line)) +
                   ", the platform ends it after " +
                   show_duration(duration_of(*quota.session_max_s, kSecond)),
               "quota.session_max_s");
  if (!quota.hours) return;
  Periods periods(setup.calendar, quota.per == "month");
  for (const Segment& segment : line.segments)
    if (runs(segment)) periods.add(segment.from, segment.to);
  const Duration used = repeated(periods.longest(), setup.machines);
  if (used > duration_of(*quota.hours, kHour))
    notes.warn("quota_exceeded",
               "the work takes " + show_duration(used) + " in a " + quota.per +
                   ", the platform gives " + quota.hours->to_string() + " h",
               "quota.hours");
}

}  // namespace gpuplan::billing
