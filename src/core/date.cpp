#include "gpuplan/date.hpp"

#include <array>
#include <cstdio>

namespace gpuplan {
namespace {

// Exactly `length` digits at `at`; -1 otherwise.
int digits(std::string_view text, std::size_t at, std::size_t length) {
  if (at + length > text.size()) return -1;
  int value = 0;
  for (const char c : text.substr(at, length)) {
    if (c < '0' || c > '9') return -1;
    value = value * 10 + (c - '0');
  }
  return value;
}

// "Z", "+08:00", "-05:30".
std::optional<std::chrono::minutes> read_offset(std::string_view text) {
  if (text == "Z" || text == "z") return std::chrono::minutes{0};
  if (text.size() != 6 || (text[0] != '+' && text[0] != '-') || text[3] != ':') return std::nullopt;
  const int hours = digits(text, 1, 2), minutes = digits(text, 4, 2);
  if (hours < 0 || hours > 14 || minutes < 0 || minutes > 59) return std::nullopt;
  const std::chrono::minutes offset{hours * 60 + minutes};
  return text[0] == '-' ? -offset : offset;
}

}  // namespace

std::optional<Date> parse_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  const int year = digits(text, 0, 4), month = digits(text, 5, 2), day = digits(text, 8, 2);
  if (year < 1900 || month < 1 || day < 1) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year{year},
                                         std::chrono::month{static_cast<unsigned>(month)},
                                         std::chrono::day{static_cast<unsigned>(day)}};
  if (!date.ok()) return std::nullopt;
  return Date{date};
}

std::string to_string(Date date) {
  const std::chrono::year_month_day ymd{date};
  std::array<char, 32> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%04d-%02u-%02u", static_cast<int>(ymd.year()),
                static_cast<unsigned>(ymd.month()), static_cast<unsigned>(ymd.day()));
  return buffer.data();
}

int days_between(Date from, Date to) { return static_cast<int>((to - from).count()); }

std::optional<Moment> parse_moment(std::string_view text) {
  const auto date = parse_date(text.substr(0, 10));
  if (!date) return std::nullopt;
  Moment moment{.utc = *date};
  if (text.size() == 10) return moment;
  if (text[10] != 'T' && text[10] != ' ') return std::nullopt;
  const int hour = digits(text, 11, 2), minute = digits(text, 14, 2);
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || text[13] != ':') return std::nullopt;
  moment.utc += std::chrono::hours{hour} + std::chrono::minutes{minute};
  std::size_t at = 16;
  if (text.size() > at && text[at] == ':') {
    const int second = digits(text, at + 1, 2);
    if (second < 0 || second > 59) return std::nullopt;
    moment.utc += std::chrono::seconds{second};
    at += 3;
  }
  if (at == text.size()) return moment;
  const auto offset = read_offset(text.substr(at));
  if (!offset) return std::nullopt;
  moment.offset = *offset;
  moment.utc -= *offset;
  return moment;
}

}  // namespace gpuplan
