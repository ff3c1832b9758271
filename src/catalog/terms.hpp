#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "gpuplan/money.hpp"

namespace gpuplan::detail {

// Commitments that a price states by a key of their own.
struct UsualTerm {
  std::string_view key;
  std::int64_t hours;
};
inline constexpr std::array kUsualTerms{UsualTerm{"day", 24}, UsualTerm{"week", 168}, UsualTerm{"month", 720},
                                        UsualTerm{"year", 8760}};

inline bool is_usual_term(std::string_view name, const Decimal& hours) {
  return std::ranges::any_of(kUsualTerms, [&](const UsualTerm& term) {
    return term.key == name && hours == Decimal::of(term.hours);
  });
}

}  // namespace gpuplan::detail
