#include "rank/alike.hpp"

#include <algorithm>
#include <functional>
#include <unordered_set>

namespace gpuplan::detail {
namespace {

Looks looks(const Offer& offer, const Platform& platform, const Sizing* sizing, std::string_view plan) {
  return {&platform, offer.rules.get(), sizing, offer.gpus, offer.share, offer.region, offer.tier, std::string(plan)};
}

}  // namespace

Looks looks_of(const Candidate& candidate) {
  return looks(*candidate.offer, *candidate.platform, candidate.sizing->get(), *candidate.plan);
}

Looks looks_of(const RankedOffer& offer) {
  return looks(*offer.offer, *offer.platform, offer.sizing.get(), offer.plan);
}

std::size_t Alike::Hash::operator()(const Looks& looks) const {
  std::size_t hash = std::hash<const void*>{}(looks.rules) ^ static_cast<std::size_t>(looks.gpus);
  const auto mix = [&](std::size_t value) { hash = (hash ^ value) * 0x9e3779b97f4a7c15U; };
  mix(std::hash<const void*>{}(looks.sizing) >> 3U);
  for (const std::string_view text : {looks.region, std::string_view(looks.plan)}) mix(std::hash<std::string_view>{}(text));
  return hash ^ (hash >> 29U);
}

bool Alike::known_but_for_place(Looks looks) const {
  return std::ranges::any_of(rows_, [&](const auto& row) {
    looks.region = row.first.region;
    looks.tier = row.first.tier;
    looks.share = row.first.share;
    return looks == row.first;
  });
}

void Alike::mark(std::vector<RankedOffer>& ranked) const {
  std::unordered_set<Looks, Hash> shown;
  for (RankedOffer& offer : ranked) {
    const Looks looks = looks_of(offer);
    offer.is_alike = !shown.insert(looks).second;
    const auto at = rows_.find(looks);
    offer.more_alike = offer.is_alike || at == rows_.end() ? 0 : at->second - 1;
  }
}

}  // namespace gpuplan::detail
