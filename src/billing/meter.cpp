#include "billing/meter.hpp"

#include <algorithm>

namespace gpuplan::billing {
namespace {

Duration whole_ticks(Duration length, Duration tick, Round round) {
  if (round == Round::none) return length;
  const std::int64_t extra = round == Round::nearest ? tick.count() / 2 : tick.count() - 1;
  return floor_div(length.count() + extra, tick.count()) * tick;
}

Duration floor_to(Duration time, Duration tick) {
  return floor_div(time.count(), tick.count()) * tick;
}

Duration rounded_span(const MeterRules& rules, const Calendar& calendar, Duration from, Duration to,
                      bool whole_only) {
  const Duration tick = seconds_of(rules.quantum_s.value_or(1));
  const Round round = rules.round.value_or(Round::up);
  const bool by_start = rules.align.value_or(Align::start) == Align::start;
  if (tick.count() <= 0) return to - from;
  if (whole_only)
    return by_start ? floor_to(to - from, tick)
                    : floor_to(calendar.clock(to), tick) - floor_to(calendar.clock(from), tick);
  if (round == Round::none) return to - from;
  if (by_start) return whole_ticks(to - from, tick, round);
  // By the clock every tick that was touched counts (or the nearest edges).
  const Duration begin = calendar.clock(from), end = calendar.clock(to);
  const Duration first =
      round == Round::nearest ? whole_ticks(begin, tick, round) : floor_to(begin, tick);
  return whole_ticks(end, tick, round) - first;
}

Duration period_of(PriceUnit per, const Setup& setup, std::int64_t month) {
  switch (per) {
    case PriceUnit::second:
      return kSecond;
    case PriceUnit::hour:
      return kHour;
    case PriceUnit::day:
      return kDay;
    case PriceUnit::month:
      return setup.month_length(month);
  }
  return kHour;
}

std::string_view name_of(PriceUnit per) {
  constexpr std::array<std::string_view, 4> kNames{"second", "hour", "day", "month"};
  return kNames[static_cast<std::size_t>(per)];
}

// The lines of one charge over a span. Amounts are differences of rounded running sums, so that
// the lines add up to the rounded whole; a month of another length begins a new running sum.
class Running {
 public:
  Running(const Setup& setup, const Rate& rate, const Charge& charge, MonthCap& cap, Drafts& out)
      : setup_(setup), rate_(rate), charge_(charge), cap_(cap), out_(out) {}

  // `when` says to which month it belongs.
  void add(const Piece& piece, Duration time, Duration when, std::string_view note) {
    const std::int64_t month = by_month() ? setup_.calendar.month_of(when) : 0;
    const Duration period = period_of(charge_.per, setup_, month);
    const Decimal& price =
        charge_.series == nullptr ? charge_.price : price_at(*charge_.series, when);
    if (period != period_ || price != price_) {
      period_ = period;
      price_ = price;
      time_ = Duration{0};
      before_ = Money{};
    }
    time_ += time;
    const Money after = Ratio{price}.times(rate_.factor).times(time_).over(period).money();
    const Money amount = cap_.take(after - before_, month);
    const bool capped = amount != after - before_;
    before_ = after;
    out_.push_back(
        {.from = piece.from,
         .to = piece.to,
         .item = piece.item,
         .state = piece.state,
         .amount = amount,
         .unit = Unit::hour,
         .quantity = static_cast<std::uint64_t>(time.count() < 0 ? -time.count() : time.count()),
         .price = product(price, rate_.factor).value_or(price),
         .note = capped ? "cap_month" : note,
         .rule = charge_.rule,
         .per = name_of(charge_.per),
         .billed = time,
         .period = period});
  }

 private:
  bool by_month() const { return cap_.stated() || charge_.per == PriceUnit::month; }

  const Setup& setup_;
  const Rate& rate_;
  const Charge& charge_;
  MonthCap& cap_;
  Drafts& out_;
  Duration period_{0}, time_{0};
  Decimal price_;
  Money before_;
};

}  // namespace

Duration Cuts::next(Duration after) const {
  const auto found = std::ranges::upper_bound(at, after);
  return found == at.end() ? kNever : *found;
}

std::size_t Cuts::bucket(Duration time) const {
  return static_cast<std::size_t>(std::ranges::upper_bound(at, time) - at.begin());
}

Money MonthCap::take(Money amount, std::int64_t month) {
  if (!most_) return amount;
  Month& of = months_[month];
  of.sum += amount;
  const Money before = of.taken;
  of.taken = std::min(of.sum, Money::rounded(*most_));
  return of.taken - before;
}

Metered meter(const MeterRules& rules, const Calendar& calendar, Duration from, Duration to,
              bool whole_only) {
  const Duration least = seconds_of(rules.minimum_s.value_or(0));
  const Duration length = to - from;
  Metered metered;
  metered.minimum = std::max(least - length, Duration{0});
  metered.billed =
      std::max(rounded_span(rules, calendar, from, to + metered.minimum, whole_only), least);
  metered.rounding = metered.billed - length - metered.minimum;
  return metered;
}

namespace {

Duration next_price(const Charge& charge, Duration after) {
  if (charge.series == nullptr) return kNever;
  const auto next = std::ranges::upper_bound(*charge.series, after, {}, &TimedPrice::from);
  return next == charge.series->end() ? kNever : next->from;
}

// The pieces, cut where lines are cut and where the price changes.
void run(Running& running, const Cuts& cuts, const Charge& charge, std::span<const Piece> pieces) {
  for (const Piece& piece : pieces) {
    for (Duration from = piece.from; from < piece.to;) {
      Piece part = piece;
      part.from = from;
      part.to = std::min({piece.to, cuts.next(from), next_price(charge, from)});
      running.add(part, part.to - part.from, part.from, {});
      from = part.to;
    }
  }
}

}  // namespace

void bill_span(const Setup& setup, const Cuts& cuts, std::span<const Piece> pieces,
               const Rate& rate, MonthCap& cap, Drafts& out) {
  if (pieces.empty()) return;
  const Metered metered = meter(setup.rules->meter, setup.calendar, pieces.front().from,
                                pieces.back().to, rate.whole_only);
  for (const Charge& charge : rate.charges) {
    Running running(setup, rate, charge, cap, out);
    run(running, cuts, charge, pieces);
    Piece last = pieces.back();
    last.from = last.to;
    const Duration when = last.to - Duration{1};  // what is added belongs to the month of the end
    if (metered.minimum.count() != 0) running.add(last, metered.minimum, when, "minimum");
    if (metered.rounding.count() != 0) running.add(last, metered.rounding, when, "rounding");
  }
}

void bill_exact(const Setup& setup, const Cuts& cuts, std::span<const Piece> pieces,
                const Rate& rate, MonthCap& cap, Drafts& out) {
  for (const Charge& charge : rate.charges) {
    Running running(setup, rate, charge, cap, out);
    run(running, cuts, charge, pieces);
  }
}

}  // namespace gpuplan::billing
