#include "rank/usual.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gpuplan::detail {

std::optional<double> UsualPrices::price_of(const Offer& offer, const Platform& platform) const {
  const MaybeDecimal& price = offer.price.on_demand;
  // A part of a card compares with no whole one; where parts are priced, `price` is not all of it.
  if (!price || price->is_zero() || offer.share || offer.free || !offer.components.empty()) return std::nullopt;
  double unit = 1;
  if (platform.currency != catalog_->currency) {
    const auto rate = catalog_->fx.find(platform.currency);
    if (rate == catalog_->fx.end()) return std::nullopt;
    unit = rate->second.approximate();
  }
  return price->approximate() * unit / static_cast<double>(offer.gpus);
}

void UsualPrices::see(const Offer& offer, const Platform& platform, const Card* card) {
  if (card == nullptr) return;
  if (const auto price = price_of(offer, platform)) cards_[card].seen.push_back(*price);
}

void UsualPrices::see(UsualPrices&& others) {
  for (auto& [card, prices] : others.cards_) {
    auto& seen = cards_[card].seen;
    seen.insert(seen.end(), prices.seen.begin(), prices.seen.end());
  }
}

void UsualPrices::close() {
  for (auto& [card, prices] : cards_) {
    const auto middle = prices.seen.begin() + static_cast<std::ptrdiff_t>(prices.seen.size() / 2);
    std::nth_element(prices.seen.begin(), middle, prices.seen.end());
    prices.median = *middle;
  }
}

std::optional<UsualPrices::Apart> UsualPrices::apart(const Offer& offer, const Platform& platform,
                                                     const Card* card) const {
  constexpr std::size_t kFew = 5;
  const auto known = cards_.find(card);
  const auto price = price_of(offer, platform);
  if (known == cards_.end() || !price || known->second.seen.size() < kFew) return std::nullopt;
  return Apart{*price, known->second.median, known->second.seen.size()};
}

std::string UsualPrices::Apart::words() const {
  return fmt::format("{:.4g} for an hour of one card, the median of {} offers of this card is {:.4g}: is it in another "
                     "unit, or the price of another number of cards?",
                     price, offers, median);
}

}  // namespace gpuplan::detail
