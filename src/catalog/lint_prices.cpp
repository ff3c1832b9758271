#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "catalog/lint.hpp"
#include "core/text.hpp"

namespace gpuplan::detail {
namespace {

bool priced(const Offer& offer) {
  const Prices& price = offer.price;
  return price.on_demand || price.spot || !price.commitments.empty() || !price.spot_series_file.empty() ||
         std::ranges::any_of(offer.components, [](const Component& part) { return part.price || part.spot; });
}

bool zero(const std::optional<Decimal>& price) { return price && price->is_zero(); }

void lint_own_prices(const Catalog& catalog, const Offer& offer, Findings& findings) {
  const Prices& price = offer.price;
  if (!priced(offer) && !offer.free && !offer.quote)
    findings.add("price_missing", "no price is stated", place(catalog, offer));
  if ((zero(price.on_demand) || zero(price.spot)) && !offer.free)
    findings.add("price_zero", "a card price of 0 means unknown: leave it out, or say \"free\": true",
                 place(catalog, offer));
  if (!price.on_demand || price.on_demand->is_zero()) return;
  if (price.spot && *price.spot > *price.on_demand)
    findings.add("spot_above_on_demand",
                 fmt::format("spot {} is dearer than on demand {}", price.spot->to_string(), price.on_demand->to_string()),
                 place(catalog, offer));
  for (const Commitment& term : price.commitments) {
    // Both sides are shown as estimates are: nothing is billed from them.
    const double hourly = term.price.approximate() / term.hours.approximate() + (term.hourly ? term.hourly->approximate() : 0);
    if (hourly > price.on_demand->approximate())
      findings.add("term_above_on_demand",
                   fmt::format("{} costs {:.4g} an hour when fully used, on demand {}", quote(term.name), hourly,
                               price.on_demand->to_string()),
                   place(catalog, offer));
  }
}

std::string text_of(const std::optional<Decimal>& value) { return value ? value->to_string() : "-"; }

// Everything by which a renter could tell two offers apart, but the price.
std::string machine_key(const Offer& offer) {
  return fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}", offer.platform, lower(offer.card), offer.gpus,
                     text_of(offer.share), offer.memory ? offer.memory->count() : 0, text_of(offer.vcpus),
                     text_of(offer.ram_gb), text_of(offer.disk_gb), offer.tier.str(), offer.region, offer.zone.str(),
                     offer.interconnect ? static_cast<int>(*offer.interconnect) : -1, offer.quote);
}

bool same_prices(const Offer& a, const Offer& b) {
  const auto same_term = [](const Commitment& x, const Commitment& y) {
    return x.name == y.name && x.hours == y.hours && x.price == y.price && x.hourly == y.hourly;
  };
  const auto same_part = [](const Component& x, const Component& y) {
    return x.what == y.what && x.price == y.price && x.spot == y.spot && x.per == y.per;
  };
  return a.price.on_demand == b.price.on_demand && a.price.spot == b.price.spot &&
         std::ranges::equal(a.price.commitments, b.price.commitments, same_term) &&
         std::ranges::equal(a.components, b.components, same_part);
}

void lint_duplicates(const Catalog& catalog, Findings& findings) {
  std::map<std::string, const Offer*> first;
  for (const Offer& offer : catalog.offers) {
    const auto [entry, fresh] = first.try_emplace(machine_key(offer), &offer);
    if (fresh) continue;
    const Offer& other = *entry->second;
    if (same_prices(offer, other))
      findings.add("duplicate_offer", "the same machine at the same price as " + quote(other.id), place(catalog, offer));
    else
      findings.add("duplicate_prices_differ", "the same machine at another price than " + quote(other.id) + ": one of the two is wrong, or a region, tier or size is missing", place(catalog, offer));
  }
}

// The price of an hour of one whole card in the catalog's currency; nothing when it is not known.
std::optional<double> card_hour(const Catalog& catalog, const Offer& offer) {
  const std::string& currency = catalog.platforms[offer.platform].currency;
  const auto rate = catalog.fx.find(currency);
  if (!offer.price.on_demand || offer.price.on_demand->is_zero()) return std::nullopt;
  if (currency != catalog.currency && rate == catalog.fx.end()) return std::nullopt;
  const double worth = currency == catalog.currency ? 1 : rate->second.approximate();
  const double cards = static_cast<double>(offer.gpus) * (offer.share ? offer.share->approximate() : 1);
  return offer.price.on_demand->approximate() * worth / cards;
}

void lint_outliers(const Catalog& catalog, int outlier, Findings& findings) {
  struct Priced {
    const Offer* offer;
    double price;
  };
  constexpr std::size_t kFewest = 4;  // fewer prices have no usual one; of two middles the lower
  std::map<std::string, std::vector<Priced>> by_card;
  for (const Offer& offer : catalog.offers)
    if (const auto price = card_hour(catalog, offer)) by_card[lower(offer.card)].push_back({&offer, *price});
  for (const auto& [card, offers] : by_card) {
    if (offers.size() < kFewest) continue;
    std::vector<double> prices;
    for (const Priced& entry : offers) prices.push_back(entry.price);
    const auto middle = prices.begin() + static_cast<std::ptrdiff_t>((prices.size() - 1) / 2);
    std::nth_element(prices.begin(), middle, prices.end());
    for (const Priced& entry : offers)
      if (entry.price > *middle * outlier || entry.price * outlier < *middle)
        findings.add("price_outlier",
                     fmt::format("{:.4g} for an hour of one card; the median of {} offers of this card is {:.4g}: "
                                 "is it the price of the machine, of one card, or without the card?",
                                 entry.price, offers.size(), *middle),
                     place(catalog, *entry.offer));
  }
}

}  // namespace

void lint_prices(const Catalog& catalog, const LintOptions& options, Findings& findings) {
  for (const Offer& offer : catalog.offers) lint_own_prices(catalog, offer, findings);
  lint_duplicates(catalog, findings);
  lint_outliers(catalog, options.outlier, findings);
}

}  // namespace gpuplan::detail
