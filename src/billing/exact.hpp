#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "gpuplan/money.hpp"
#include "gpuplan/units.hpp"

namespace gpuplan::billing {

inline constexpr std::int64_t kMicro = 1'000'000;
inline constexpr Duration kSecond{kMicro}, kHour{3600 * kMicro}, kDay{86'400 * kMicro};
// Beyond this a bill is refused: an amount that large is a slip in a document.
inline constexpr Wide kLargest = static_cast<Wide>(1'000'000'000'000'000'000) * 1'000'000'000'000;

// A hundred years: a stated time that is longer is a slip as well. A time line that reaches ten
// thousand years never ends. Sums of such times still fit.
inline constexpr Duration kLongest = 36'525 * kDay, kHorizon = 100 * kLongest;

// price x quantity x time / period, kept as its factors until it is rounded, once.
class Ratio {
 public:
  Ratio() = default;
  explicit Ratio(const Decimal& value) { times(value); }

  Ratio& times(std::uint64_t factor) {
    if (factor != 1) above_[above_count_++] = factor;
    return *this;
  }
  Ratio& times(std::int64_t factor) { return times(static_cast<std::uint64_t>(factor)); }
  Ratio& times(Duration time) { return times(time.count()); }
  Ratio& times(const Decimal& value) {
    scale_ += value.scale();
    return times(value.digits());
  }
  Ratio& over(std::uint64_t factor) {
    if (factor != 1) below_[below_count_++] = factor;
    return *this;
  }
  Ratio& over(std::int64_t factor) { return over(static_cast<std::uint64_t>(factor)); }
  Ratio& over(Duration time) { return over(time.count()); }
  Ratio& over(const Decimal& value) {
    scale_ -= value.scale();
    return over(value.digits());
  }

  // Rounded half away from zero: to nine decimals, or to a whole number. `kLargest` caps both.
  Money money() const { return Money::nanos(rounded(9)); }
  Wide whole() const { return rounded(0); }

 private:
  Wide rounded(int decimals) const;

  static constexpr std::size_t kMost = 12;
  std::array<std::uint64_t, kMost> above_{}, below_{};
  std::size_t above_count_ = 0, below_count_ = 0;
  int scale_ = 0;  // the power of ten still to divide by
};

// Signed amounts: a share of what may be negative (a refund) is negative.
Money share(Money amount, std::uint64_t numerator, std::uint64_t denominator);
Money percent_of(Money amount, const Decimal& percent);
Money scaled(Money amount, const Decimal& times, const Decimal& over);

// Exact, or nothing when the result does not fit a decimal of 18 digits.
std::optional<Decimal> sum(const Decimal& a, const Decimal& b);
std::optional<Decimal> product(const Decimal& a, const Decimal& b);

// Whole microseconds, the nearest; `kLongest` caps both.
Duration duration_of(const Decimal& value, Duration unit);
// How long `bytes` take on a line of that many bits a second.
Duration transfer_time(Bytes bytes, const Decimal& bits_per_second);

// n times, at most `kHorizon`.
inline Duration repeated(Duration time, std::int64_t n) {
  const Wide micros = Wide{time.count()} * n;
  return micros > kHorizon.count() ? kHorizon : Duration{static_cast<std::int64_t>(micros)};
}
inline Duration seconds_of(std::int64_t seconds) {
  return std::min(repeated(kSecond, seconds), kLongest);
}

inline std::int64_t ceil_div(std::int64_t a, std::int64_t b) {  // b > 0
  return a / b + (a % b > 0 ? 1 : 0);
}
inline std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

}  // namespace gpuplan::billing
