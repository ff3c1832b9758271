#include "rank/groups.hpp"

#include <algorithm>
#include <functional>

namespace gpuplan::detail {

bool bill_may_fall_with_price(const Candidate& candidate) {
  if (candidate.offer->rules->meter.cap_month) return true;
  return std::ranges::any_of(candidate.platform->account.discounts,
                             [](const Discount& d) { return d.above_spend.has_value(); });
}

MaybeDecimal price_of(const Offer& offer, std::string_view plan) {
  if (plan == "on_demand") return offer.price.on_demand;
  return plan == "spot" ? offer.price.spot : MaybeDecimal{};
}

Candidate candidate_of(const RankedOffer& row) {
  return {row.offer, row.platform, &row.sizing, &row.plan, price_of(*row.offer, row.plan)};
}

Kind lone_kind_of(const Candidate& candidate) {
  const Offer& offer = *candidate.offer;
  return {candidate.platform, offer.rules.get(), candidate.sizing, candidate.plan, offer.gpus, offer.free,
          offer.tier == "serverless"};
}

// Parts, terms and a series of prices are more than one number.
std::optional<Kind> kind_of(const Candidate& candidate) {
  const Offer& offer = *candidate.offer;
  if (!candidate.price || candidate.price->is_zero() || !offer.components.empty() || offer.price.spot_series != nullptr ||
      bill_may_fall_with_price(candidate))
    return std::nullopt;
  return lone_kind_of(candidate);
}

std::size_t KindHash::operator()(const Kind& kind) const {
  std::size_t hash = 0;
  const auto mix = [&](std::size_t value) { hash = (hash ^ value) * 0x9e3779b97f4a7c15U; };
  for (const void* pointer : {static_cast<const void*>(kind.rules), static_cast<const void*>(kind.sizing),
                              static_cast<const void*>(kind.plan)})
    mix(std::hash<const void*>{}(pointer) >> 3);
  mix(static_cast<std::size_t>(kind.gpus));
  return hash ^ (hash >> 29);
}

Candidate Group::candidate(std::uint32_t offer) const {
  const Offer& one = catalog_->offers[offer];
  return {&one, kind_.platform, kind_.sizing, kind_.plan, price_of(one, *kind_.plan)};
}

// Equal prices go by the offer's id, as the ranking does.
bool Group::cheaper(std::uint32_t a, std::uint32_t b) const {
  const Offer &first = catalog_->offers[a], &second = catalog_->offers[b];
  const MaybeDecimal left = price_of(first, *kind_.plan), right = price_of(second, *kind_.plan);
  if (left && right && *left != *right) return *left < *right;
  return first.id < second.id;
}

void Group::add(std::uint32_t offer) {
  members_.push_back(offer);
  if (cheaper(offer, members_[cheapest_])) cheapest_ = members_.size() - 1;
}

void Group::add(const Group& later) {
  const std::size_t before = members_.size();
  members_.insert(members_.end(), later.members_.begin(), later.members_.end());
  const std::size_t theirs = before + later.cheapest_;
  if (cheaper(members_[theirs], members_[cheapest_])) cheapest_ = theirs;
}

std::optional<Candidate> Group::front() {
  if (members_.empty()) return std::nullopt;
  if (!front_is_last_ && !taken_) {
    std::swap(members_[cheapest_], members_.back());
  } else if (!front_is_last_) {
    const auto dearer = [this](std::uint32_t a, std::uint32_t b) { return cheaper(b, a); };
    if (!heap_) std::make_heap(members_.begin(), members_.end(), dearer);
    heap_ = true;
    std::pop_heap(members_.begin(), members_.end(), dearer);
  }
  front_is_last_ = true;
  return candidate(members_.back());
}

void Group::take() {
  members_.pop_back();
  front_is_last_ = false;
  taken_ = true;
}

}  // namespace gpuplan::detail
