#include "billing/exact.hpp"

#include <algorithm>
#include <limits>

namespace gpuplan::billing {
namespace {

constexpr std::array<std::uint64_t, 19> kPowers = [] {
  std::array<std::uint64_t, 19> powers{1};
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

// Digits over 10^scale as a decimal; trailing zeros go so that more results fit.
std::optional<Decimal> to_decimal(Wide digits, int scale) {
  while (scale > 0 && digits % 10 == 0) digits /= 10, --scale;
  if (scale > 18 || digits >= static_cast<Wide>(kPowers[18])) return std::nullopt;
  return Decimal::of(static_cast<std::int64_t>(digits), scale);
}

Money signed_ratio(Money amount, Ratio ratio) {
  const bool negative = amount.nanos() < 0;
  const Wide magnitude = std::min(negative ? -amount.nanos() : amount.nanos(), kLargest);
  // A factor has 64 bits: what lies above a thousand million units is rounded apart from the rest.
  constexpr Wide kSplit = 1'000'000'000'000'000'000;
  Ratio high = ratio;
  const Wide whole = high.times(static_cast<std::uint64_t>(magnitude / kSplit))
                         .times(static_cast<std::uint64_t>(kSplit))
                         .whole();
  const Wide rest = ratio.times(static_cast<std::uint64_t>(magnitude % kSplit)).whole();
  return Money::nanos(negative ? -(whole + rest) : whole + rest);
}

}  // namespace

Wide Ratio::rounded(int decimals) const {
  std::array<std::uint64_t, kMost + 8> above, below;  // with room for powers of ten
  std::ranges::copy_n(above_.begin(), static_cast<std::ptrdiff_t>(above_count_), above.begin());
  std::ranges::copy_n(below_.begin(), static_cast<std::ptrdiff_t>(below_count_), below.begin());
  std::size_t above_count = above_count_, below_count = below_count_;
  int power = decimals - scale_;
  for (; power > 0; power -= std::min(power, 18))
    above[above_count++] = kPowers[static_cast<std::size_t>(std::min(power, 18))];
  for (; power < 0; power += std::min(-power, 18))
    below[below_count++] = kPowers[static_cast<std::size_t>(std::min(-power, 18))];
  const auto value = round_ratio({above.data(), above_count}, {below.data(), below_count});
  return value ? std::min(*value, kLargest) : kLargest;
}

Money share(Money amount, std::uint64_t numerator, std::uint64_t denominator) {
  return signed_ratio(amount, Ratio{}.times(numerator).over(denominator));
}

Money percent_of(Money amount, const Decimal& percent) {
  return signed_ratio(amount, Ratio{percent}.over(std::uint64_t{100}));
}

Money scaled(Money amount, const Decimal& times, const Decimal& over) {
  return signed_ratio(amount, Ratio{times}.over(over));
}

std::optional<Decimal> sum(const Decimal& a, const Decimal& b) {
  const int scale = std::max(a.scale(), b.scale());
  const Wide left =
      Wide{a.digits()} * static_cast<Wide>(kPowers[static_cast<std::size_t>(scale - a.scale())]);
  const Wide right =
      Wide{b.digits()} * static_cast<Wide>(kPowers[static_cast<std::size_t>(scale - b.scale())]);
  return to_decimal(left + right, scale);
}

std::optional<Decimal> product(const Decimal& a, const Decimal& b) {
  return to_decimal(Wide{a.digits()} * b.digits(), a.scale() + b.scale());
}

Duration duration_of(const Decimal& value, Duration unit) {
  const Wide micros = Ratio{value}.times(unit).whole();
  return Duration{static_cast<std::int64_t>(std::min(micros, Wide{kLongest.count()}))};
}

Duration transfer_time(Bytes bytes, const Decimal& bits_per_second) {
  if (bits_per_second.is_zero()) return Duration{0};
  const Wide micros = Ratio{}.times(bytes.count()).times(8 * kMicro).over(bits_per_second).whole();
  return Duration{static_cast<std::int64_t>(std::min(micros, Wide{kLongest.count()}))};
}

}  // namespace gpuplan::billing
