#pragma once

#include <optional>
#include <vector>

#include "rank/pricing.hpp"

namespace gpuplan::detail {

// Candidates that differ in nothing but their price an hour: same platform, rules, machine and
// plan. A dearer member never has the lower bill, so whoever knows the bill of one has a lower
// bound for all that are dearer, and the cheapest stands for the group in every question of which
// offer is first. A candidate of which this cannot be said is a group of its own.
class Group {
 public:
  void add(const Candidate& candidate) { members_.push_back(&candidate); }
  std::size_t size() const { return members_.size(); }
  // To be called once all are in.
  void arrange();
  // The cheapest that was not taken yet; null when all were.
  const Candidate* front() const { return members_.empty() ? nullptr : members_.back(); }
  void take();
  const std::vector<const Candidate*>& members() const { return members_; }  // in no order

 private:
  std::vector<const Candidate*> members_;  // the cheapest stands last
  bool heap_ = false;  // those before it are a heap: of most groups nobody asks for a second
};

std::vector<Group> group_by_price(const std::vector<Candidate>& candidates);

// Whether a higher price can make a lower bill. A discount above a sum does so just above it. Where
// a cap on the month ends the rise, a credit that expires is used up sooner and the last digit of
// what each item bears of the cap may fall.
bool bill_may_fall_with_price(const Candidate& candidate);

// The price an hour that orders a group; nothing for a plan that has none.
MaybeDecimal price_of(const Offer& offer, std::string_view plan);
// The pair that a row was made from. The row must stay where it is.
Candidate candidate_of(const RankedOffer& row);
// Equal prices go by the offer's id, as the ranking does.
bool cheaper(const Candidate& a, const Candidate& b);

}  // namespace gpuplan::detail
