#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace gpuplan {

// A calendar day of the proleptic Gregorian calendar, without a time zone.
using Date = std::chrono::sys_days;

std::optional<Date> parse_date(std::string_view text);  // "2026-11-01", nothing else
std::string to_string(Date date);
int days_between(Date from, Date to);

// A moment: UTC, or with an offset that is kept, since calendar months go by the user's clock.
struct Moment {
  std::chrono::sys_time<std::chrono::microseconds> utc{};
  std::chrono::minutes offset{0};
  friend bool operator==(const Moment&, const Moment&) = default;
};
std::optional<Moment> parse_moment(std::string_view text);  // "2026-11-01T08:00:00Z", "...+08:00"

}  // namespace gpuplan
