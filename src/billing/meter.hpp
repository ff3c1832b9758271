#pragma once

#include <map>
#include <span>
#include <vector>

#include "billing/ledger.hpp"

namespace gpuplan::billing {

// Moments at which lines are cut, in order: calendar months where a rule counts by them, the ends
// of credits.
struct Cuts {
  std::vector<Duration> at;
  Duration next(Duration after) const;      // kNever when none
  std::size_t bucket(Duration time) const;  // how many cuts lie at or before it
};

// Part of a span: what happened in it.
struct Piece {
  Duration from{0}, to{0};
  Item item = Item::compute;
  std::string_view state = {};
};

// At most so much in a calendar month for one thing; what lies above is not billed.
class MonthCap {
 public:
  explicit MonthCap(const std::optional<Decimal>& most) : most_(most) {}
  // What the amount adds to that month's sum as far as the cap lets it; amounts may be negative.
  Money take(Money amount, std::int64_t month);
  bool stated() const { return most_.has_value(); }

 private:
  struct Month {
    Money sum, taken;  // all amounts, and what of them is billed
  };
  const std::optional<Decimal>& most_;
  // Charges and steps are billed one after the other, each from the first month on.
  std::map<std::int64_t, Month> months_;
};

struct Rate {
  std::span<const Charge> charges;
  Decimal factor = Decimal::of(1);
  bool whole_only = false;  // a quantum that was only begun is free
};

// How long a span counts, and how much of the difference is the minimum's doing.
struct Metered {
  Duration billed{0}, minimum{0}, rounding{0};  // what minimum and rounding add (or take away)
};
Metered meter(const MeterRules& rules, const Calendar& calendar, Duration from, Duration to,
              bool whole_only = false);

// The lines of one span: they add up to its price x billed time, rounded once for each charge.
void bill_span(const Setup& setup, const Cuts& cuts, std::span<const Piece> pieces,
               const Rate& rate, MonthCap& cap, Drafts& out);

// The same without quantum, rounding and minimum: every microsecond counts.
void bill_exact(const Setup& setup, const Cuts& cuts, std::span<const Piece> pieces,
                const Rate& rate, MonthCap& cap, Drafts& out);

}  // namespace gpuplan::billing
