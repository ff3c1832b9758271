#include "gpuplan/money.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace gpuplan {
namespace {

__extension__ using WideUnsigned = unsigned __int128;

constexpr std::array<std::uint64_t, 19> kPowers = [] {
  std::array<std::uint64_t, 19> powers{1};
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// "1e-3": the exponent, at most two digits. False when it is not one.
bool read_exponent(std::string_view text, int& exponent) {
  const bool negative = !text.empty() && text.front() == '-';
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  if (text.empty() || text.size() > 2 || !std::all_of(text.begin(), text.end(), is_digit))
    return false;
  exponent = 0;
  for (const char c : text) exponent = exponent * 10 + (c - '0');
  if (negative) exponent = -exponent;
  return true;
}

struct Plain {
  std::int64_t digits;
  int scale;
};

// Nearly all numbers: "2.49", "0.5", "192". Nothing for what takes a second look.
std::optional<Plain> plain_digits(std::string_view text) {
  constexpr std::size_t kMost = 18;
  std::int64_t digits = 0;
  int scale = 0;
  bool point = false;
  if (text.size() > kMost || text.empty() || !is_digit(text.back()) || !is_digit(text.front())) return std::nullopt;
  if (text.front() == '0' && text.size() > 1 && text[1] != '.') return std::nullopt;
  for (const char c : text) {
    if (is_digit(c)) {
      digits = digits * 10 + (c - '0');
      scale += point ? 1 : 0;
    } else if (c == '.' && !point) {
      point = true;
    } else {
      return std::nullopt;
    }
  }
  for (; scale > 0 && digits % 10 == 0; --scale) digits /= 10;
  return Plain{digits, scale};
}

// Little-endian limbs of 64 bits.
using Limbs = std::vector<std::uint64_t>;

void multiply(Limbs& value, std::uint64_t factor) {
  std::uint64_t carry = 0;
  for (std::uint64_t& limb : value) {
    const WideUnsigned product = static_cast<WideUnsigned>(limb) * factor + carry;
    limb = static_cast<std::uint64_t>(product);
    carry = static_cast<std::uint64_t>(product >> 64);
  }
  if (carry != 0) value.push_back(carry);
}

void add(Limbs& value, const Limbs& other) {
  value.resize(std::max(value.size(), other.size()) + 1, 0);
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const WideUnsigned sum = static_cast<WideUnsigned>(value[i]) +
                                  (i < other.size() ? other[i] : 0) + carry;
    value[i] = static_cast<std::uint64_t>(sum);
    carry = static_cast<std::uint64_t>(sum >> 64);
  }
}

void divide(Limbs& value, std::uint64_t divisor) {
  std::uint64_t rest = 0;
  for (auto limb = value.rbegin(); limb != value.rend(); ++limb) {
    const WideUnsigned part = (static_cast<WideUnsigned>(rest) << 64) | *limb;
    *limb = static_cast<std::uint64_t>(part / divisor);
    rest = static_cast<std::uint64_t>(part % divisor);
  }
}

}  // namespace

std::optional<Decimal> Decimal::parse(std::string_view text) {
  if (const auto plain = plain_digits(text)) return Decimal{plain->digits, plain->scale};
  int exponent = 0;
  if (const auto e = text.find_first_of("eE"); e != std::string_view::npos) {
    if (!read_exponent(text.substr(e + 1), exponent)) return std::nullopt;
    text = text.substr(0, e);
  }
  const auto point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  const std::string_view fraction =
      point == std::string_view::npos ? std::string_view{} : text.substr(point + 1);
  if (whole.empty() || (whole.size() > 1 && whole.front() == '0')) return std::nullopt;
  if (point != std::string_view::npos && fraction.empty()) return std::nullopt;

  std::string digits(whole);
  digits += fraction;
  if (!std::all_of(digits.begin(), digits.end(), is_digit)) return std::nullopt;
  int scale = static_cast<int>(std::min<std::size_t>(fraction.size(), 1000)) - exponent;
  while (scale > 0 && digits.size() > 1 && digits.back() == '0') digits.pop_back(), --scale;
  const auto first = std::min(digits.find_first_not_of('0'), digits.size() - 1);
  digits.erase(0, first);
  if (digits == "0") return Decimal{};
  while (scale < 0 && digits.size() < 20) digits += '0', ++scale;
  if (scale < 0 || digits.size() > 18) return std::nullopt;
  std::int64_t value = 0;
  for (const char c : digits) value = value * 10 + (c - '0');
  for (; scale > 18; --scale) value = scale == 19 ? (value + 5) / 10 : value / 10;
  return Decimal{value, value == 0 ? 0 : scale};
}

std::optional<std::int64_t> Decimal::whole() const {
  const auto power = static_cast<std::int64_t>(kPowers[static_cast<std::size_t>(scale_)]);
  if (digits_ % power != 0) return std::nullopt;
  return digits_ / power;
}

std::optional<std::int64_t> Decimal::times(std::int64_t factor) const {
  const Wide power = static_cast<Wide>(kPowers[static_cast<std::size_t>(scale_)]);
  const Wide product = Wide{digits_} * factor;
  const Wide rounded = (product + power / 2) / power;
  if (rounded > Wide{INT64_MAX}) return std::nullopt;
  return static_cast<std::int64_t>(rounded);
}

double Decimal::approximate() const {
  return static_cast<double>(digits_) /
         static_cast<double>(kPowers[static_cast<std::size_t>(scale_)]);
}

std::string Decimal::to_string() const {
  std::string text = std::to_string(digits_);
  if (scale_ == 0) return text;
  const auto scale = static_cast<std::size_t>(scale_);
  if (text.size() <= scale) text.insert(0, scale + 1 - text.size(), '0');
  text.insert(text.size() - scale, 1, '.');
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

std::strong_ordering operator<=>(const Decimal& a, const Decimal& b) {
  if (a.scale_ == b.scale_) return a.digits_ <=> b.digits_;
  const auto scaled = [](const Decimal& value, int by) {
    return static_cast<Wide>(value.digits_) * static_cast<Wide>(kPowers[static_cast<std::size_t>(by)]);
  };
  const Wide left = scaled(a, b.scale_), right = scaled(b, a.scale_);
  return left < right   ? std::strong_ordering::less
         : left > right ? std::strong_ordering::greater
                        : std::strong_ordering::equal;
}

namespace {

// The product in 126 bits, or nothing: nearly every line of a bill fits.
std::optional<WideUnsigned> small_product(std::span<const std::uint64_t> factors) {
  constexpr WideUnsigned kMost = static_cast<WideUnsigned>(1) << 126;
  WideUnsigned product = 1;
  for (const std::uint64_t factor : factors) {
    if (__builtin_mul_overflow(product, static_cast<WideUnsigned>(factor), &product))
      return std::nullopt;
  }
  return product < kMost ? std::optional{product} : std::nullopt;
}

}  // namespace

std::optional<Wide> round_ratio(std::span<const std::uint64_t> numerator,
                                std::span<const std::uint64_t> denominator) {
  const auto small_above = small_product(numerator), small_below = small_product(denominator);
  if (small_above && small_below) {
    const WideUnsigned above = *small_above, below = *small_below;
    const WideUnsigned whole = above / below, rest = above % below;
    return static_cast<Wide>(whole + (rest >= below - rest ? 1 : 0));
  }
  Limbs value{2}, half{1};
  for (const std::uint64_t factor : numerator) multiply(value, factor);
  for (const std::uint64_t factor : denominator) multiply(half, factor);
  // floor((2N + D) / 2D) is N/D rounded half up, and floors of floors are the floor of the whole.
  add(value, half);
  divide(value, 2);
  for (const std::uint64_t factor : denominator) divide(value, factor);
  for (std::size_t i = 2; i < value.size(); ++i)
    if (value[i] != 0) return std::nullopt;
  value.resize(2, 0);
  if (value[1] >> 62 != 0) return std::nullopt;
  return static_cast<Wide>((static_cast<WideUnsigned>(value[1]) << 64) | value[0]);
}

std::optional<Money> Money::parse(std::string_view text) {
  const auto value = Decimal::parse(text);
  if (!value || value->scale() > 9) return std::nullopt;
  return rounded(*value);
}

Money Money::rounded(const Decimal& value) {
  if (value.scale() <= 9)
    return nanos(Wide{value.digits()} *
                 static_cast<Wide>(kPowers[static_cast<std::size_t>(9 - value.scale())]));
  const Wide power = static_cast<Wide>(kPowers[static_cast<std::size_t>(value.scale() - 9)]);
  return nanos((Wide{value.digits()} + power / 2) / power);
}

namespace {

std::string with_point(Wide magnitude, bool negative, int decimals) {
  std::array<char, 48> buffer{};  // 39 digits, a point, a sign
  auto at = buffer.end();
  bool zero = true;
  for (int place = 0; magnitude > 0 || place <= decimals; ++place) {
    if (place == decimals && decimals > 0) *--at = '.';
    // Once it fits, division by a machine word is ten times as fast.
    const bool word = magnitude <= INT64_MAX;
    const auto small = static_cast<std::int64_t>(magnitude);
    const int digit = static_cast<int>(word ? small % 10 : magnitude % 10);
    magnitude = word ? small / 10 : magnitude / 10;
    zero = zero && digit == 0;
    *--at = static_cast<char>('0' + digit);
  }
  if (negative && !zero) *--at = '-';
  return {at, buffer.end()};
}

}  // namespace

std::string to_string(Money money) {
  const bool negative = money.nanos() < 0;
  std::string text = with_point(negative ? -money.nanos() : money.nanos(), negative, 9);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string to_string(Money money, int decimals) {
  const int places = std::clamp(decimals, 0, 9);
  const Wide power = static_cast<Wide>(kPowers[static_cast<std::size_t>(9 - places)]);
  const bool negative = money.nanos() < 0;
  const Wide magnitude = negative ? -money.nanos() : money.nanos();
  return with_point((magnitude + power / 2) / power, negative, places);
}

int minor_digits(std::string_view currency) {
  // ISO 4217: the currencies without a two-digit minor unit that GPU clouds bill in or near.
  constexpr std::array<std::string_view, 7> kNone{"JPY", "KRW", "VND", "CLP", "ISK", "XAF", "XOF"};
  constexpr std::array<std::string_view, 5> kThree{"BHD", "KWD", "OMR", "JOD", "TND"};
  if (std::ranges::find(kNone, currency) != kNone.end()) return 0;
  if (std::ranges::find(kThree, currency) != kThree.end()) return 3;
  return 2;
}

double approximate(Money money) { return static_cast<double>(money.nanos()) * 1e-9; }

}  // namespace gpuplan
