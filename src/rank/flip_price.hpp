#pragma once

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "rank/flips.hpp"

// What the searches for another first offer share where a price moves.
namespace gpuplan::detail {

inline constexpr std::int64_t kMostOfPrice = 4;  // times as dear; further away is another market

// The price nearest to now, towards `limit` times as much, at which `flipped` holds: in steps of
// a ten-thousandth of the currency's unit, or as fine as the price is.
template <class Flipped>
std::optional<Decimal> nearest_price(const Decimal& now, std::int64_t limit, Flipped flipped) {
  const int scale = std::max(now.scale(), 4);
  std::int64_t digits = now.digits(), far = 1;
  for (int s = now.scale(); s < scale; ++s)
    if (__builtin_mul_overflow(digits, std::int64_t{10}, &digits)) return std::nullopt;
  if (limit > 0 && __builtin_mul_overflow(digits, limit, &far)) return std::nullopt;
  if (!flipped(Decimal::of(far, scale))) return std::nullopt;
  std::int64_t near = digits;
  while (std::abs(far - near) > 1) {
    const std::int64_t middle = near + (far - near) / 2;
    (flipped(Decimal::of(middle, scale)) ? far : near) = middle;
  }
  return Decimal::of(far, scale);
}

// A price of parts, of a term or of a series is not one number to move.
bool movable(const Candidate& candidate);
Setting priced_at(const Candidate& moved, const Decimal& price);
// "the price of acme/l40s, spot, rises from 1 to 1.2 USD an hour": then that winner is first.
Flip price_flip(const Candidate& moved, const Decimal& price, std::string_view verb,
                const RankedOffer& winner, const Ranking& ranking);

}  // namespace gpuplan::detail
