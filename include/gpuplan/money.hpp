#pragma once

#include <compare>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gpuplan {

__extension__ using Wide = __int128;

// A decimal number exactly as it was written: digits x 10^-scale. Prices and quantities are read
// into it, so that no binary fraction ever stands between a catalog and a bill.
class Decimal {
 public:
  constexpr Decimal() = default;
  static constexpr Decimal of(std::int64_t digits, int scale = 0) { return Decimal{digits, scale}; }
  static Decimal of(std::floating_point auto, int = 0) = delete;  // a binary fraction is no price

  // Text such as "2.49", "30.000000000100002", "1e-3". Empty for anything else: signs, blanks,
  // leading zeros ("010"), hexadecimal, "nan", digit groups, more than 18 significant digits, or a
  // value of 10^18 and more. Decimals behind the 18th are rounded away.
  static std::optional<Decimal> parse(std::string_view text);

  constexpr std::int64_t digits() const { return digits_; }  // never negative
  constexpr int scale() const { return scale_; }             // 0 to 18
  constexpr bool is_zero() const { return digits_ == 0; }
  // The whole number that it is, or nothing when it has a fraction.
  std::optional<std::int64_t> whole() const;
  // value x factor rounded to the nearest whole number (half up); nothing when it exceeds int64.
  std::optional<std::int64_t> times(std::int64_t factor) const;
  // For estimates of memory and speed only; never for money.
  double approximate() const;
  std::string to_string() const;

  friend std::strong_ordering operator<=>(const Decimal& a, const Decimal& b);
  friend bool operator==(const Decimal& a, const Decimal& b) { return (a <=> b) == 0; }

 private:
  constexpr Decimal(std::int64_t digits, int scale) : digits_(digits), scale_(scale) {}
  std::int64_t digits_ = 0;
  int scale_ = 0;
};

// A product of whole numbers over a product of whole numbers, rounded half away from zero. Exact
// for any number of factors: numerator and denominator are kept in as many bits as they need.
// Factors are at least 0, denominators at least 1. Nothing when the result exceeds 126 bits.
std::optional<Wide> round_ratio(std::span<const std::uint64_t> numerator,
                                std::span<const std::uint64_t> denominator);

// An amount of one currency in billionths of its major unit. Which currency is data of the
// document that holds it: amounts of two currencies are never in one document unconverted.
class Money {
 public:
  constexpr Money() = default;
  static constexpr Money nanos(Wide n) { return Money{n}; }
  static constexpr Money units(std::int64_t n) { return Money{Wide{n} * 1'000'000'000}; }
  static Money nanos(std::floating_point auto) = delete;
  static Money units(std::floating_point auto) = delete;
  // "2.49"; exact to nine decimals, empty for anything finer or not a plain decimal.
  static std::optional<Money> parse(std::string_view text);
  // The nearest billionth (half up); a decimal is never negative.
  static Money rounded(const Decimal& value);

  constexpr Wide nanos() const { return nanos_; }
  constexpr bool is_zero() const { return nanos_ == 0; }

  friend constexpr auto operator<=>(Money, Money) = default;
  friend constexpr Money operator+(Money a, Money b) { return Money{a.nanos_ + b.nanos_}; }
  friend constexpr Money operator-(Money a, Money b) { return Money{a.nanos_ - b.nanos_}; }
  constexpr Money operator-() const { return Money{-nanos_}; }
  constexpr Money& operator+=(Money other) { nanos_ += other.nanos_; return *this; }
  constexpr Money& operator-=(Money other) { nanos_ -= other.nanos_; return *this; }

 private:
  explicit constexpr Money(Wide n) : nanos_(n) {}
  Wide nanos_ = 0;
};

// Every digit that it has, at most nine decimals: "6.9", "0.000691667", "-12".
std::string to_string(Money money);
// For people: rounded half away from zero to that many decimals: "6.90".
std::string to_string(Money money, int decimals);
// Decimals of the minor unit of a currency (ISO 4217): 2 for USD, 0 for JPY; 2 when unknown.
int minor_digits(std::string_view currency);
// For orderings, scores and pictures only; a bill never goes through it.
double approximate(Money money);

}  // namespace gpuplan
