// What people write for sizes, times, counts and line speeds: read exactly or refused.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "core/text.hpp"
#include "gpuplan/money.hpp"
#include "gpuplan/units.hpp"

namespace gpuplan {
namespace {

struct Unit {
  std::string_view name;
  std::int64_t factor;
};

constexpr std::int64_t kKi = 1 << 10, kMi = 1 << 20, kGi = 1 << 30;

constexpr std::array kByteUnits{
    Unit{"B", 1},          Unit{"KB", 1'000},     Unit{"MB", 1'000'000},
    Unit{"GB", 1'000'000'000}, Unit{"TB", 1'000'000'000'000}, Unit{"PB", 1'000'000'000'000'000},
    Unit{"KiB", kKi},      Unit{"MiB", kMi},      Unit{"GiB", kGi},
    Unit{"TiB", kGi * kKi}, Unit{"PiB", kGi * kMi}};

// Microseconds.
constexpr std::array kTimeUnits{
    Unit{"d", 86'400'000'000}, Unit{"day", 86'400'000'000}, Unit{"days", 86'400'000'000},
    Unit{"h", 3'600'000'000},  Unit{"hour", 3'600'000'000}, Unit{"hours", 3'600'000'000},
    Unit{"m", 60'000'000},     Unit{"min", 60'000'000},     Unit{"s", 1'000'000},
    Unit{"sec", 1'000'000},    Unit{"ms", 1'000}};

constexpr std::array kCountUnits{Unit{"", 1}, Unit{"k", 1'000}, Unit{"M", 1'000'000},
                                 Unit{"B", 1'000'000'000}, Unit{"T", 1'000'000'000'000}};

// Bits a second.
constexpr std::array kBitUnits{
    Unit{"bps", 1},           Unit{"kbps", 1'000},          Unit{"Mbps", 1'000'000},
    Unit{"Gbps", 1'000'000'000}, Unit{"kbit/s", 1'000},     Unit{"Mbit/s", 1'000'000},
    Unit{"Gbit/s", 1'000'000'000}, Unit{"kB/s", 8'000},     Unit{"MB/s", 8'000'000},
    Unit{"GB/s", 8'000'000'000}, Unit{"TB/s", 8'000'000'000'000}, Unit{"MiB/s", 8 * kMi},
    Unit{"GiB/s", 8 * kGi}};

bool same_letters(std::string_view a, std::string_view b) { return lower(a) == lower(b); }

// "Gb" is a gigabit to some and a gigabyte to others: refused. Any other mix of cases is clear.
bool ambiguous_bits(std::string_view unit) {
  return unit.size() >= 2 && unit.back() == 'b' && unit.front() >= 'A' && unit.front() <= 'Z';
}

const Unit* find_unit(std::span<const Unit> units, std::string_view name, bool any_case) {
  for (const Unit& unit : units)
    if (unit.name == name || (any_case && same_letters(unit.name, name))) return &unit;
  return nullptr;
}

struct Piece {
  Decimal number;
  std::string_view unit;
};

// Takes "12.5 GB" off the front of the text; blanks only between number and unit.
std::optional<Piece> take_piece(std::string_view& text) {
  const auto number_end = std::min(text.find_first_not_of("0123456789."), text.size());
  const auto number = Decimal::parse(text.substr(0, number_end));
  if (!number) return std::nullopt;
  text.remove_prefix(number_end);
  if (text.size() > 1 && text.front() == ' ' && text[1] != ' ') text.remove_prefix(1);
  const auto unit_end = std::min(text.find_first_of("0123456789. "), text.size());
  const std::string_view unit = text.substr(0, unit_end);
  text.remove_prefix(unit_end);
  return Piece{*number, unit};
}

std::optional<std::int64_t> single(std::string_view text, std::span<const Unit> units,
                                   bool any_case) {
  const auto piece = take_piece(text);
  if (!piece || !text.empty()) return std::nullopt;
  const Unit* unit = find_unit(units, piece->unit, any_case);
  return unit == nullptr ? std::nullopt : piece->number.times(unit->factor);
}

}  // namespace

Bytes Bytes::rounded(double n) {
  if (!(n > 0)) return Bytes{};
  return n >= 9.2e18 ? Bytes{INT64_MAX} : Bytes{std::llround(n)};
}

std::int64_t bits_per_second(Bandwidth line) { return Bytes::rounded(line.per_second() * 8).count(); }

std::optional<Bytes> parse_bytes(std::string_view text) {
  if (ambiguous_bits(text.substr(std::min(text.find_first_not_of("0123456789. "), text.size()))))
    return std::nullopt;
  const auto count = single(text, kByteUnits, true);
  return count ? std::optional{Bytes::of(*count)} : std::nullopt;
}

std::optional<Duration> parse_duration(std::string_view text) {
  if (text.empty()) return std::nullopt;
  std::int64_t total = 0, last_factor = INT64_MAX;
  while (!text.empty()) {
    const auto piece = take_piece(text);
    if (!piece) return std::nullopt;
    const Unit* unit = find_unit(kTimeUnits, piece->unit, false);
    if (unit == nullptr || unit->factor >= last_factor) return std::nullopt;
    const auto part = piece->number.times(unit->factor);
    if (!part || *part > INT64_MAX - total) return std::nullopt;
    total += *part;
    last_factor = unit->factor;
    if (text.size() > 1 && text.front() == ' ') text.remove_prefix(1);
  }
  return Duration{total};
}

std::optional<std::int64_t> parse_count(std::string_view text) {
  if (const auto piece = take_piece(text); piece && text.empty()) {
    const Unit* unit = find_unit(kCountUnits, piece->unit, true);
    if (unit == nullptr) return std::nullopt;
    const auto count = piece->number.times(unit->factor);
    // "2.5" of something that is counted is a mistake; "2.5B" is not.
    if (unit->factor == 1 && !piece->number.whole()) return std::nullopt;
    return count;
  }
  return std::nullopt;
}

std::optional<Bandwidth> parse_bandwidth(std::string_view text) {
  auto bits = single(text, kBitUnits, false);
  if (!bits) return std::nullopt;
  return Bandwidth::per_second(static_cast<double>(*bits) / 8);
}

namespace {

std::string_view example(UnitKind kind) {
  switch (kind) {
    case UnitKind::bytes: return "write a size such as 40GB (10^9 bytes) or 80GiB (2^30)";
    case UnitKind::duration: return "write a time such as 3d12h, 8h, 90m or 45s";
    case UnitKind::count: return "write a number such as 2048, 50M or 7B";
    case UnitKind::bandwidth: return "write a line speed such as 100Mbps, 1Gbps or 500MB/s";
    case UnitKind::decimal: return "write a plain decimal such as 0.69";
    case UnitKind::integer: return "write a whole number such as 8";
  }
  return {};
}

std::string without_leading_zeros(std::string_view text) {
  const auto first = text.find_first_not_of('0');
  if (first == std::string_view::npos) return "0";
  return std::string(text[first] == '.' ? text.substr(first - 1) : text.substr(first));
}

// Digits that count: not the zeros in front, nor those behind a decimal point at the end.
std::size_t digits_of(std::string_view number) {
  if (number.find('.') != std::string_view::npos)
    number = number.substr(0, number.find_last_not_of('0') + 1);
  number.remove_prefix(std::min(number.find_first_not_of("0."), number.size()));
  return number.size() - static_cast<std::size_t>(std::ranges::count(number, '.'));
}

std::span<const Unit> units_of(UnitKind kind) {
  switch (kind) {
    case UnitKind::bytes: return kByteUnits;
    case UnitKind::duration: return kTimeUnits;
    case UnitKind::count: return kCountUnits;
    case UnitKind::bandwidth: return kBitUnits;
    case UnitKind::decimal:
    case UnitKind::integer: return {};
  }
  return {};
}

// A number that is written as it should be, and still cannot be kept; empty: it is another mistake.
std::string beyond(std::string_view text, UnitKind kind) {
  constexpr std::size_t kMostDigits = 18;
  constexpr double kMost = 9.2e18;
  const auto end = std::min(text.find_first_not_of("0123456789."), text.size());
  const std::string_view number = text.substr(0, end);
  if (number.empty() || std::ranges::count(number, '.') > 1) return {};
  std::string_view unit = text.substr(end);
  if (unit.starts_with(' ')) unit.remove_prefix(1);
  const auto units = units_of(kind);
  const Unit* known = unit.empty() ? nullptr : find_unit(units, unit, kind == UnitKind::count);
  if (!unit.empty() && known == nullptr) return {};
  const auto value = Decimal::parse(number);
  if (!value && digits_of(number) > kMostDigits) return "it has too many digits: at most 18 are read";
  if (value && known != nullptr && value->approximate() * static_cast<double>(known->factor) >= kMost)
    return "it is too large";
  return {};
}

}  // namespace

std::string unit_hint(std::string_view text, UnitKind kind) {
  const std::string small = lower(text);
  const auto starts = [&](std::string_view head) { return small.starts_with(head); };
  if (text.empty()) return std::string(example(kind));
  if (starts("-")) return "it cannot be negative";
  if (starts("+")) return "leave the plus sign out";
  if (starts("nan") || starts("inf")) return "a number is needed: " + std::string(example(kind));
  if (starts("0x")) return "hexadecimal is not read: " + std::string(example(kind));
  if (std::string why = beyond(text, kind); !why.empty()) return why;
  if (text.find(',') != std::string_view::npos)
    return "write a decimal point and no digit groups: 1.5, 1500";
  if (text.size() > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9')
    return "leading zeros are not read: write " + quote(without_leading_zeros(text), 30);
  const auto number_end = text.find_first_not_of("0123456789. ");
  if (kind == UnitKind::bytes && number_end == std::string_view::npos)
    return "say which unit: GB is 10^9 bytes, GiB is 2^30";
  if (kind == UnitKind::bytes && ambiguous_bits(text.substr(number_end)))
    return "b could be bits: write GB (10^9 bytes) or GiB (2^30)";
  if (kind == UnitKind::duration && number_end == std::string_view::npos)
    return "say which unit: 90s, 90m, 90h or 90d";
  return std::string(example(kind));
}

}  // namespace gpuplan
