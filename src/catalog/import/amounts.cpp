// Figures of lists: exact sums and products, units, texts.
#include <algorithm>
#include "catalog/import/builder.hpp"
#include "catalog/import/csv.hpp"

namespace gpuplan::detail {
namespace {

constexpr Wide kMost = 999'999'999'999'999'999;

// As few decimals as hold the value.
std::optional<Decimal> shortest(Wide digits, int scale) {
  while (scale > 0 && digits % 10 == 0) digits /= 10, --scale;
  while (scale > 0 && (digits > kMost || scale > 18)) digits = (digits + 5) / 10, --scale;
  if (digits > kMost) return std::nullopt;
  return Decimal::of(static_cast<std::int64_t>(digits), scale);
}

Wide power(int exponent) {
  Wide value = 1;
  for (int i = 0; i < exponent; ++i) value *= 10;
  return value;
}

// Bytes of a valid UTF-8 sequence at the begin of a text; 0: there is none.
std::size_t sequence(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const std::size_t length = first < 0x80 ? 1 : first >= 0xC2 && first < 0xE0 ? 2 : (first & 0xF0U) == 0xE0 ? 3 : first >= 0xF0 && first < 0xF5 ? 4 : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0U) != 0x80) return 0;
  // Overlong forms, surrogates and what lies beyond Unicode.
  if (first == 0xE0 && byte(1) < 0xA0) return 0;
  if (first == 0xED && byte(1) > 0x9F) return 0;
  if (first == 0xF0 && byte(1) < 0x90) return 0;
  if (first == 0xF4 && byte(1) > 0x8F) return 0;
  return length;
}

}  // namespace

std::string clean(std::string_view text, std::size_t most) {
  std::string out;
  text = trimmed(text);
  while (!text.empty()) {
    const std::size_t length = sequence(text);
    if (out.size() + std::max<std::size_t>(length, 1) > most) break;
    const auto first = static_cast<unsigned char>(text[0]);
    const bool control = length == 1 && (first < 0x20 || first == 0x7F);
    // C1 control characters are two bytes long.
    const bool c1 = length == 2 && first == 0xC2 && static_cast<unsigned char>(text[1]) < 0xA0;
    if (length == 0) out += '?';
    else if (control || c1) out += ' ';
    else out += text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return std::string(trimmed(out));
}

std::optional<Decimal> times(const Decimal& a, const Decimal& b) {
  return shortest(Wide{a.digits()} * b.digits(), a.scale() + b.scale());
}

std::optional<Decimal> plus(const Decimal& a, const Decimal& b) {
  const int scale = a.scale() > b.scale() ? a.scale() : b.scale();
  return shortest(a.digits() * power(scale - a.scale()) + b.digits() * power(scale - b.scale()), scale);
}

std::optional<Decimal> over(const Decimal& a, std::int64_t divisor) {
  constexpr int kDecimals = 9;
  if (divisor <= 0 || a.scale() > kDecimals + 9) return std::nullopt;
  const Wide digits = a.digits() * power(kDecimals);
  const Wide bottom = Wide{divisor} * power(a.scale());
  const Wide rounded = (digits + bottom / 2) / bottom;
  if (rounded == 0 && !a.is_zero()) return std::nullopt;  // too little to be written down is not nothing
  return shortest(rounded, kDecimals);
}

std::optional<Decimal> gib_to_gb(std::string_view gib) {
  const auto value = Decimal::parse(gib);
  if (!value || value->is_zero()) return std::nullopt;
  const auto exact = times(*value, Decimal::of(1'073'741'824, 9));
  const auto rounded = exact ? Decimal::parse(to_string(Money::rounded(*exact), 3)) : std::nullopt;
  return rounded && !rounded->is_zero() ? rounded : std::nullopt;
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  const auto value = Decimal::parse(text);
  return value ? value->whole() : std::nullopt;
}

}  // namespace gpuplan::detail
