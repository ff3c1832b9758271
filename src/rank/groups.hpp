#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rank/pricing.hpp"

namespace gpuplan::detail {

// What candidates have in common that differ in nothing but their price an hour.
struct Kind {
  const Platform* platform;
  const Rules* rules;
  const std::shared_ptr<const Sizing>* sizing;  // kept by the sizer
  const std::string* plan;
  std::int64_t gpus;
  bool free, serverless;
  bool operator==(const Kind&) const = default;
};

// Candidates of one kind. A dearer member never has the lower bill, so whoever knows the bill of one
// has a lower bound for all that are dearer, and the cheapest stands for the group in every question of
// which offer is first. A candidate of which this cannot be said is a group of its own. Members are
// kept as indices of the catalog's offers: there may be millions.
class Group {
 public:
  Group(const Catalog& catalog, const Kind& kind) : catalog_(&catalog), kind_(kind) {}
  void add(std::uint32_t offer);
  // Members of the same kind that stand behind these.
  void add(const Group& later);
  std::size_t size() const { return members_.size(); }
  const Kind& kind() const { return kind_; }
  // The cheapest that was not taken yet; nothing when all were.
  std::optional<Candidate> front();
  void take();  // what front() gave
  const std::vector<std::uint32_t>& members() const { return members_; }  // in no order
  Candidate candidate(std::uint32_t offer) const;

 private:
  bool cheaper(std::uint32_t a, std::uint32_t b) const;

  const Catalog* catalog_;
  Kind kind_;
  std::vector<std::uint32_t> members_;
  std::size_t cheapest_ = 0;  // among the members, until one was taken
  bool front_is_last_ = false, taken_ = false;
  bool heap_ = false;  // all but the front are a heap: of most groups nobody asks for a second
};

// The candidate as a kind; nothing where a dearer offer of the same kind may have the lower bill, so
// that it must stand alone.
std::optional<Kind> kind_of(const Candidate& candidate);
Kind lone_kind_of(const Candidate& candidate);  // of a group that has no other member

struct KindHash {
  std::size_t operator()(const Kind& kind) const;
};

// Whether a higher price can make a lower bill. A discount above a sum does so just above it. Where
// a cap on the month ends the rise, a credit that expires is used up sooner and the last digit of
// what each item bears of the cap may fall.
bool bill_may_fall_with_price(const Candidate& candidate);

// The price an hour that orders a group; nothing for a plan that has none.
MaybeDecimal price_of(const Offer& offer, std::string_view plan);
// The pair that a row was made from. The row must stay where it is.
Candidate candidate_of(const RankedOffer& row);

}  // namespace gpuplan::detail
