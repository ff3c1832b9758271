#include "billing/calendar.hpp"

#include <algorithm>

#include "billing/exact.hpp"

namespace gpuplan::billing {
namespace {

constexpr std::int64_t kPlainMonthDays = 30;

std::int64_t day_of(Duration clock) { return floor_div(clock.count(), kDay.count()); }

}  // namespace

Calendar::Calendar(const std::optional<Moment>& start) : dated_(start.has_value()) {
  if (start) offset_ = Duration{start->utc.time_since_epoch().count()} + start->offset;
}

std::int64_t Calendar::month_of(Duration time) const {
  const std::int64_t day = day_of(clock(time));
  if (!dated_) return floor_div(day, kPlainMonthDays);
  const std::chrono::year_month_day date{Date{std::chrono::days{day}}};
  return std::int64_t{static_cast<int>(date.year())} * 12 + static_cast<unsigned>(date.month()) - 1;
}

Duration Calendar::month_begin(std::int64_t month) const {
  if (!dated_) return month * kPlainMonthDays * kDay - offset_;
  const std::chrono::year year{static_cast<int>(floor_div(month, 12))};
  const std::chrono::month name{static_cast<unsigned>(month - floor_div(month, 12) * 12) + 1};
  const Date first{year / name / 1};
  return first.time_since_epoch().count() * kDay - offset_;
}

std::optional<Calendar::Window> Calendar::opening(const Schedule& schedule,
                                                  std::int64_t day) const {
  // 1970-01-01 was a Thursday, three days after a Monday; an undated line begins on a Monday.
  const std::int64_t since_monday = day + (dated_ ? 3 : 0);
  const std::int64_t weekday = since_monday - floor_div(since_monday, 7) * 7;
  if ((schedule.days >> weekday & 1U) == 0) return std::nullopt;
  const std::chrono::minutes from{schedule.from_minute}, to{schedule.to_minute};
  const Duration midnight = day * kDay - offset_;
  return Window{midnight + from, midnight + to + (to <= from ? kDay : Duration{0})};
}

Calendar::Window Calendar::window(const std::optional<Schedule>& schedule, Duration time) const {
  if (!schedule || (schedule->days & 0x7fU) == 0) return {time, kNever};
  const std::int64_t today = day_of(clock(time));
  std::optional<Window> found;
  for (std::int64_t day = today - 1; day <= today + 8; ++day) {
    const auto next = opening(*schedule, day);
    if (!next || next->to <= time) continue;
    if (found && next->from > found->to) break;
    if (found)
      found->to = std::max(found->to, next->to);
    else
      found = next;
  }
  // Windows that have touched for a week touch for ever.
  if (found->to - std::max(found->from, time) > 7 * kDay) found->to = kNever;
  return *found;
}

}  // namespace gpuplan::billing
