#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gpuplan {

// An amount of memory or data. GB is 10^9 bytes, GiB is 2^30: the two are never mixed.
class Bytes {
 public:
  constexpr Bytes() = default;
  static constexpr Bytes of(std::int64_t n) { return Bytes{n}; }
  static constexpr Bytes mib(std::int64_t n) { return Bytes{n << 20}; }
  static constexpr Bytes gb(std::int64_t n) { return Bytes{n * 1'000'000'000}; }
  static constexpr Bytes gib(std::int64_t n) { return Bytes{n << 30}; }
  // For sums that are estimates: the nearest byte, 0 at least, capped at int64.
  static Bytes rounded(double n);

  constexpr std::int64_t count() const { return n_; }
  constexpr double as_double() const { return static_cast<double>(n_); }
  friend constexpr auto operator<=>(Bytes, Bytes) = default;
  friend constexpr Bytes operator+(Bytes a, Bytes b) { return Bytes{a.n_ + b.n_}; }
  friend constexpr Bytes operator-(Bytes a, Bytes b) { return Bytes{a.n_ - b.n_}; }
  constexpr Bytes& operator+=(Bytes b) { n_ += b.n_; return *this; }

 private:
  explicit constexpr Bytes(std::int64_t n) : n_(n) {}
  std::int64_t n_ = 0;
};

// A rate that is never negative; the unit is part of the type.
template <class Tag>
class Rate {
 public:
  constexpr Rate() = default;
  static constexpr Rate per_second(double n) { return Rate{n}; }
  constexpr double per_second() const { return n_; }
  friend constexpr auto operator<=>(Rate, Rate) = default;

 private:
  explicit constexpr Rate(double n) : n_(n) {}
  double n_ = 0;
};
using Bandwidth = Rate<struct BandwidthTag>;  // bytes a second
using FlopRate = Rate<struct FlopRateTag>;    // floating point operations a second
// The nearest whole number of bits a second: lines are sold in whole bits, and bills count exactly.
std::int64_t bits_per_second(Bandwidth line);

// Times of a bill: whole microseconds. Use 3h, 90min and the like in tests.
using Duration = std::chrono::duration<std::int64_t, std::micro>;
// Estimated times in seconds, before they are put on a time line.
using Seconds = std::chrono::duration<double>;

// What people write. Each returns nothing for text that is not exactly such a value; why and what
// would be right comes from `unit_hint`.
std::optional<Bytes> parse_bytes(std::string_view text);        // "40GB", "80GiB", "512 MiB"
std::optional<Duration> parse_duration(std::string_view text);  // "3d12h", "90m", "1.5h", "45s"
std::optional<std::int64_t> parse_count(std::string_view text);  // "7B", "50M", "2048"
std::optional<Bandwidth> parse_bandwidth(std::string_view text);  // "100Mbps", "1GB/s"

enum class UnitKind { bytes, duration, count, bandwidth, decimal, integer };
// What is wrong with `text` and how it is written rightly: "leading zeros are not allowed: write 10".
std::string unit_hint(std::string_view text, UnitKind kind);

// For people; never read back. "23.3 GiB", "12 GB", "5 h 30 min", "6.74 B".
std::string show_gib(Bytes bytes, int decimals = 1);
std::string show_bytes(Bytes bytes);
std::string show_duration(Duration duration);
std::string show_count(double count);

}  // namespace gpuplan
