#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gpuplan/billing.hpp"

namespace gpuplan::billing {

// Card time of one machine under one plan, as a function of hours: whole blocks that are paid in
// advance, each `length` long, and a rate for the hours in which the card runs.
struct PlanCost {
  std::string plan;
  Money block;          // of one; nothing where nothing is paid in advance
  Duration length{0};   // of a block; 0: none
  Money rate;           // for kManyHours hours, so that small prices keep their digits
  Duration quantum{0};  // in which running time counts, each one begun in full
};
inline constexpr std::int64_t kManyHours = 1'000'000;

// Every plan of the offer: on demand, spot, then terms from the shortest. Discounts that hold for a
// plan and for this renter whatever is spent are taken off; prices in the bill's currency. Warns
// of what depends on more than the hours and is left out.
std::vector<PlanCost> plan_costs(const Catalog& catalog, const Offer& offer, const Job& job,
                                 const std::string& currency, Warnings& warnings);

// What so many hours cost.
Money cost_of(const PlanCost& plan, Duration time);

// From how long a run on `b` is cheaper than on `a`, within one block of `b`: the largest lower
// bound, exact; 0: always; nothing: never.
struct Crossing {
  Wide numerator = 0, denominator = 1;  // hours
};
std::optional<Crossing> crossing(const PlanCost& a, const PlanCost& b);

}  // namespace gpuplan::billing
