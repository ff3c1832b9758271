#include "rank/groups.hpp"

#include <algorithm>
#include <functional>
#include <tuple>
#include <unordered_map>

namespace gpuplan::detail {
namespace {

struct Key {
  const Platform* platform;
  const Rules* rules;
  const Sizing* sizing;
  const std::string* plan;
  std::int64_t gpus;
  bool free, serverless;
  bool operator==(const Key&) const = default;
};

struct Hash {
  std::size_t operator()(const Key& key) const {
    std::size_t hash = 0;
    const auto mix = [&](std::size_t value) { hash = (hash ^ value) * 0x9e3779b97f4a7c15U; };
    for (const void* pointer : {static_cast<const void*>(key.rules),
                                static_cast<const void*>(key.sizing),
                                static_cast<const void*>(key.plan)})
      mix(std::hash<const void*>{}(pointer) >> 3);
    mix(static_cast<std::size_t>(key.gpus));
    return hash ^ (hash >> 29);
  }
};

// Whether a dearer offer of the same kind can never have the lower bill. Parts, terms and a series
// of prices are more than one number.
bool bill_rises_with_price(const Candidate& candidate) {
  const Offer& offer = *candidate.offer;
  const MaybeDecimal& price = candidate.price;
  if (!price || price->is_zero() || !offer.components.empty() ||
      offer.price.spot_series != nullptr)
    return false;
  return !bill_may_fall_with_price(candidate);
}

bool dearer(const Candidate* a, const Candidate* b) { return cheaper(*b, *a); }

}  // namespace

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

bool cheaper(const Candidate& a, const Candidate& b) {
  const MaybeDecimal &left = a.price, &right = b.price;
  if (left && right && *left != *right) return *left < *right;
  return a.offer->id < b.offer->id;
}

void Group::arrange() {
  const auto least = std::ranges::min_element(members_, [](const Candidate* a, const Candidate* b) { return cheaper(*a, *b); });
  if (least != members_.end()) std::iter_swap(least, members_.end() - 1);
}

void Group::take() {
  members_.pop_back();
  if (members_.empty()) return;
  if (!heap_) std::make_heap(members_.begin(), members_.end(), dearer);
  heap_ = true;
  std::pop_heap(members_.begin(), members_.end(), dearer);
}

std::vector<Group> group_by_price(const std::vector<Candidate>& candidates) {
  std::vector<Group> groups;
  std::unordered_map<Key, std::size_t, Hash> known;
  for (const Candidate& candidate : candidates) {
    std::size_t at = groups.size();
    if (bill_rises_with_price(candidate)) {
      const Offer& offer = *candidate.offer;
      const Key key{candidate.platform, offer.rules.get(), candidate.sizing->get(),
                    candidate.plan,     offer.gpus,        offer.free,
                    offer.tier == "serverless"};
      at = known.try_emplace(key, at).first->second;
    }
    if (at == groups.size()) groups.emplace_back();
    groups[at].add(candidate);
  }
  for (Group& one : groups) one.arrange();
  return groups;
}

}  // namespace gpuplan::detail
