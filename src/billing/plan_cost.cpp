#include "billing/plan_cost.hpp"

#include <algorithm>

#include "billing/cover.hpp"
#include "billing/ledger.hpp"

namespace gpuplan::billing {
namespace {

bool names(const std::vector<std::string>& list, std::string_view wanted, std::string_view all) {
  return list.empty() || std::ranges::any_of(list, [&](const std::string& one) {
           return one == wanted || one == all;
         });
}

class Planner {
 public:
  Planner(const Catalog& catalog, const Offer& offer, const Job& job, const std::string& currency,
          Warnings& warnings)
      : catalog_(catalog),
        offer_(offer),
        job_(job),
        exchange_(catalog, catalog.platforms[offer.platform].currency, currency),
        warnings_(warnings) {}

  std::vector<PlanCost> run() {
    const MeterRules& meter = offer_.rules->meter;
    quantum_ = seconds_of(std::max<std::int64_t>(meter.quantum_s.value_or(1), 0));
    if (meter.round.value_or(Round::up) != Round::up) quantum_ = Duration{0};
    for (const bool spot : {false, true}) running(spot ? "spot" : "on_demand", spot);
    std::vector<const Commitment*> terms;
    for (const Commitment& sold : offer_.price.commitments) terms.push_back(&sold);
    std::ranges::stable_sort(
        terms, [](const Commitment* a, const Commitment* b) { return a->hours < b->hours; });
    for (const Commitment* sold : terms) term(*sold);
    return std::move(plans_);
  }

 private:
  void running(const std::string& plan, bool spot) {
    const Pricing pricing = price_running(offer_, spot);
    if (pricing.refusal) return;
    if (spot && offer_.price.spot_series)
      warn("spot_series_first_price",
           "its spot prices change over time: only the first of them is looked at here");
    add({.plan = plan,
         .block = {},
         .length = Duration{0},
         .rate = discounted(rate_of(pricing.charges), plan, false),
         .quantum = quantum_});
  }

  // Products of what lies above these bounds would not fit; nobody sells that.
  void add(PlanCost plan) {
    const bool fits = plan.block < Money::units(1'000'000'000'000) &&
                      plan.rate < Money::units(10'000'000 * kManyHours);
    if (fits)
      plans_.push_back(std::move(plan));
    else
      warn("price_out_of_range", "the plan " + plan.plan + " costs more than can be compared");
  }

  void term(const Commitment& sold) {
    const TermRules& rules = offer_.rules->terms;
    const Duration length = duration_of(sold.hours, kHour);
    Money block = Money::rounded(sold.price);
    if (sold.hourly && !sold.hourly_used) block += Ratio{*sold.hourly}.times(sold.hours).money();
    if (length.count() <= 0 || (block.is_zero() && !sold.hourly && !offer_.free)) return;
    Money rate;
    if (sold.hourly && sold.hourly_used) rate += Ratio{*sold.hourly}.times(kManyHours).money();
    if (sold.covers_gpu_only.value_or(rules.covers_gpu_only.value_or(false)))
      rate += rate_of(beside_cards(offer_));
    add({.plan = sold.name,
         .block = discounted(block, sold.name, true),
         .length = length,
         .rate = discounted(rate, sold.name, true),
         .quantum = quantum_});
  }

  Money rate_of(const std::vector<Charge>& charges) const {
    Money sum;
    for (const Charge& charge : charges) {
      const std::int64_t month = offer_.rules->meter.month_hours.value_or(0);
      const Duration period = charge.per == PriceUnit::second ? kSecond
                              : charge.per == PriceUnit::hour ? kHour
                              : charge.per == PriceUnit::day  ? kDay
                                                              : (month == 0 ? 730 : month) * kHour;
      sum += Ratio{charge.price}.times(kManyHours).times(kHour).over(period).money();
    }
    return sum;
  }

  Money discounted(Money amount, const std::string& plan, bool reserved) {
    for (const Discount& discount : catalog_.platforms[offer_.platform].account.discounts) {
      const bool who =
          discount.who.empty() || std::ranges::any_of(discount.who, [&](const std::string& one) {
            return one == "any" || std::ranges::find(job_.who, one) != job_.who.end();
          });
      const bool holds = names(discount.plans, plan, "all") ||
                         (reserved && names(discount.plans, "reserved", "all"));
      if (!who || !holds || !names(discount.items, "compute", "all")) continue;
      if (discount.above_spend && !discount.above_spend->is_zero()) {
        warn("volume_discount_left_out",
             "a discount above a spend depends on all that is rented: it is left out here");
        continue;
      }
      amount -= percent_of(amount, discount.percent);
    }
    return exchange_.convert(amount);
  }

  void warn(const std::string& code, const std::string& message) {
    Warning warning{.code = code, .message = message, .where = offer_.id};
    if (std::ranges::find(warnings_, warning) == warnings_.end())
      warnings_.push_back(std::move(warning));
  }

  const Catalog& catalog_;
  const Offer& offer_;
  const Job& job_;
  Exchange exchange_;
  Warnings& warnings_;
  Duration quantum_{0};
  std::vector<PlanCost> plans_;
};

// The multiple of `step` at or below; itself when time counts by the second or finer.
Crossing floored(Crossing at, Duration step) {
  if (step <= kSecond) return at;
  const Wide ticks = at.numerator * kHour.count() / (at.denominator * step.count());
  return {.numerator = ticks * step.count(), .denominator = kHour.count()};
}

bool below(const Crossing& at, Duration time) {
  return at.numerator * kHour.count() < Wide{time.count()} * at.denominator;
}

bool above(const Crossing& at, Duration time) {
  return at.numerator * kHour.count() > Wide{time.count()} * at.denominator;
}

// Hours at which a difference of advance payments is worked off by a difference of rates.
Crossing worked_off(Money advance, Money rates) {
  return {.numerator = advance.nanos() * kManyHours, .denominator = rates.nanos()};
}

std::optional<Crossing> from_rate(const PlanCost& a, const PlanCost& b) {
  if (b.rate >= a.rate) return std::nullopt;
  if (b.length.count() == 0) return Crossing{};
  const Crossing at = floored(worked_off(b.block, a.rate - b.rate), a.quantum);
  return below(at, b.length) ? std::optional(at) : std::nullopt;
}

// Blocks against a longer block: in each of the shorter blocks both costs are lines.
std::optional<Crossing> from_blocks(const PlanCost& a, const PlanCost& b) {
  for (std::int64_t bought = 1; (bought - 1) * a.length < b.length; ++bought) {
    const Duration begin = (bought - 1) * a.length;
    const Duration end = std::min(bought * a.length, b.length);
    const Money apart = b.block - Money::nanos(a.block.nanos() * bought);
    const Crossing here{.numerator = begin.count(), .denominator = kHour.count()};
    if (a.rate > b.rate) {
      if (apart <= Money{}) return here;
      const Crossing at = worked_off(apart, a.rate - b.rate);
      if (!below(at, begin)) {
        if (below(at, end)) return at;
        continue;
      }
      return here;
    }
    if (apart >= Money{}) continue;
    if (a.rate == b.rate || above(worked_off(-apart, b.rate - a.rate), begin)) return here;
  }
  return std::nullopt;
}

}  // namespace

std::vector<PlanCost> plan_costs(const Catalog& catalog, const Offer& offer, const Job& job,
                                 const std::string& currency, Warnings& warnings) {
  return Planner(catalog, offer, job, currency, warnings).run();
}

Money cost_of(const PlanCost& plan, Duration time) {
  if (time.count() <= 0) return {};
  Money cost;
  if (plan.length.count() > 0)
    cost = Money::nanos(plan.block.nanos() * ceil_div(time.count(), plan.length.count()));
  const Duration counted =
      plan.quantum.count() > 0 ? ceil_div(time.count(), plan.quantum.count()) * plan.quantum : time;
  return cost + share(plan.rate, static_cast<std::uint64_t>(counted.count()),
                      static_cast<std::uint64_t>(kManyHours * kHour.count()));
}

std::optional<Crossing> crossing(const PlanCost& a, const PlanCost& b) {
  if (a.length.count() == 0) return from_rate(a, b);
  return b.length.count() == 0 ? std::nullopt : from_blocks(a, b);
}

}  // namespace gpuplan::billing
