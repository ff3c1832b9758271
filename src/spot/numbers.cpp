#include "spot/numbers.hpp"

#include <bit>
#include <cmath>
#include <initializer_list>
#include <limits>

namespace gpuplan::spot {
namespace {

// ln 2 in two parts: the first has so few digits that its product with an exponent is exact.
constexpr double kLn2High = 6.93147180369123816490e-01, kLn2Low = 1.90821492927058770002e-10;

// Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014: the finaliser of
// SplitMix64 and its increment, the odd number nearest to 2^64 over the golden ratio.
constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15;
std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

double number(std::uint64_t place) {
  return static_cast<double>(mixed(place) >> 11) * 0x1p-53 + 0x1p-54;
}

// e^r - 1 for |r| <= 0.35: the terms left out are below 1e-18 of the sum.
double small_minus_1(double r) {
  double sum = 1;
  for (int n = 15; n > 1; --n) sum = 1 + r * sum / n;
  return r * sum;
}

// ln m = 2 atanh s = 2 (s + s^3/3 + s^5/5 + ...), |s| < 0.172
constexpr double kOdd[] = {23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3};

}  // namespace

double natural_log(double x) {
  constexpr int kMantissa = 52, kBias = 1023;
  int exponent = 0;
  if (x < std::numeric_limits<double>::min()) {
    x *= 0x1p54;
    exponent = -54;
  }
  const auto bits = std::bit_cast<std::uint64_t>(x);
  exponent += static_cast<int>(bits >> kMantissa) - kBias;
  double m = std::bit_cast<double>((bits & ((std::uint64_t{1} << kMantissa) - 1)) |
                                   (std::uint64_t{kBias} << kMantissa));
  if (m > 1.4142135623730951) {
    m *= 0.5;
    ++exponent;
  }
  const double f = m - 1, s = f / (m + 1), z = s * s;
  double tail = 0;
  for (const double odd : kOdd) tail = (tail + 1 / odd) * z;
  // 2 s = f - s f keeps the digits of f.
  return exponent * kLn2High + (f - (s * f - 2 * s * tail) + exponent * kLn2Low);
}

double exponential(double x) {
  if (x < -745) return 0;
  if (x > 709.78) return std::numeric_limits<double>::infinity();
  const auto k = static_cast<int>(x * 1.4426950408889634 + (x < 0 ? -0.5 : 0.5));
  const double r = (x - k * kLn2High) - k * kLn2Low;
  return std::ldexp(1 + small_minus_1(r), k);
}

double exponential_minus_1(double x) {
  return x > -0.35 && x < 0.35 ? small_minus_1(x) : exponential(x) - 1;
}

double best_piece(double c) {
  // Newton from the right of the root of a convex function: each step comes nearer.
  double x = std::fmin(std::sqrt(2 * c), 1);
  for (int i = 0; i < 60; ++i) {
    const double step = (x + exponential_minus_1(-(x + c))) / -exponential_minus_1(-(x + c));
    const double next = x - step;
    if (!(next < x)) break;
    x = next;
  }
  return x;
}

Stream::Stream(std::uint64_t seed, std::uint64_t run)
    : key_(mixed(mixed(seed + kStep) + (run + 1) * kStep)) {}

double Stream::uniform(std::uint64_t place, std::uint64_t lane) const {
  return number(key_ + (place + 1) * kStep + mixed(lane));
}

// The steps of natural_log, each for all; such numbers are never too small for a plain mantissa.
std::array<double, Stream::kTogether> Stream::logs(std::uint64_t place, std::uint64_t lane) const {
  constexpr std::uint64_t kMantissa = (std::uint64_t{1} << 52) - 1, kOne = std::uint64_t{1023} << 52;
  std::array<double, kTogether> exponent, f, s, z, tail{};
  const std::uint64_t from = key_ + mixed(lane);
  for (std::size_t i = 0; i < kTogether; ++i) {
    const auto bits = std::bit_cast<std::uint64_t>(number(from + (place + i + 1) * kStep));
    const double m = std::bit_cast<double>((bits & kMantissa) | kOne);
    const bool high = m > 1.4142135623730951;
    exponent[i] = static_cast<double>(static_cast<int>(bits >> 52) - 1023 + (high ? 1 : 0));
    const double scaled = m * (high ? 0.5 : 1.0);
    f[i] = scaled - 1;
    s[i] = f[i] / (scaled + 1);
    z[i] = s[i] * s[i];
  }
  for (const double odd : kOdd)
    for (std::size_t i = 0; i < kTogether; ++i) tail[i] = (tail[i] + 1 / odd) * z[i];
  std::array<double, kTogether> logs;
  for (std::size_t i = 0; i < kTogether; ++i)
    logs[i] = exponent[i] * kLn2High +
              (f[i] - (s[i] * f[i] - 2 * s[i] * tail[i]) + exponent[i] * kLn2Low);
  return logs;
}

}  // namespace gpuplan::spot
