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
  return price.on_demand || price.spot || !price.commitments.empty() || price.spot_series != nullptr ||
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
  // Spot machines are rarely sold for less than a tenth; a fortieth is another unit or another field.
  if (price.spot && !price.spot->is_zero() && price.spot->approximate() * 40 < price.on_demand->approximate())
    findings.add("spot_implausible",
                 fmt::format("spot {} is less than a fortieth of on demand {}", price.spot->to_string(), price.on_demand->to_string()),
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

// More cards of one kind in one place at the price of fewer: the price of one card was taken for that
// of the machine.
void lint_growth(const Catalog& catalog, Findings& findings) {
  struct Fewest {
    const Offer* offer;
    std::int64_t gpus;
  };
  std::map<std::string, Fewest> fewest;  // by family and price
  const auto family = [](const Offer& offer) {
    return fmt::format("{}\n{}\n{}\n{}\n{}\n{}", offer.platform, lower(offer.card), offer.region, offer.zone.str(), offer.tier.str(),
                       offer.price.on_demand->to_string());
  };
  const auto counts = [](const Offer& offer) { return offer.price.on_demand && !offer.price.on_demand->is_zero() && !offer.share; };
  for (const Offer& offer : catalog.offers) {
    if (!counts(offer)) continue;
    const auto [entry, fresh] = fewest.try_emplace(family(offer), Fewest{&offer, offer.gpus});
    if (!fresh && offer.gpus < entry->second.gpus) entry->second = {&offer, offer.gpus};
  }
  for (const Offer& offer : catalog.offers) {
    if (!counts(offer)) continue;
    const Fewest& least = fewest.at(family(offer));
    if (offer.gpus > least.gpus)
      findings.add("price_not_growing",
                   fmt::format("{} cards cost as much as {} in {}: is it the price of one card?", offer.gpus, least.gpus, quote(least.offer->id)),
                   place(catalog, offer));
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

using CardPrices = std::map<std::string, std::vector<double>>;

CardPrices card_prices(const Catalog& catalog) {
  CardPrices prices;
  for (const Offer& offer : catalog.offers)
    if (const auto price = card_hour(catalog, offer)) prices[lower(offer.card)].push_back(*price);
  return prices;
}

// Of two middles the lower.
double median(std::vector<double> prices) {
  const auto middle = prices.begin() + static_cast<std::ptrdiff_t>((prices.size() - 1) / 2);
  std::nth_element(prices.begin(), middle, prices.end());
  return *middle;
}

void lint_outliers(const Catalog& catalog, const LintOptions& options, Findings& findings) {
  constexpr std::size_t kFewest = 4;  // fewer prices have no usual one
  CardPrices known;
  if (options.known != nullptr && options.known->currency == catalog.currency) known = card_prices(*options.known);
  std::map<std::string, double> usual;
  std::map<std::string, std::size_t> counted;
  for (const auto& [card, own] : card_prices(catalog)) {
    std::vector<double> prices = own;
    if (const auto more = known.find(card); prices.size() < kFewest && more != known.end())
      prices.insert(prices.end(), more->second.begin(), more->second.end());
    if (prices.size() < kFewest) continue;
    counted[card] = prices.size();
    usual[card] = median(std::move(prices));
  }
  for (const Offer& offer : catalog.offers) {
    const auto price = card_hour(catalog, offer);
    const auto middle = usual.find(lower(offer.card));
    if (!price || middle == usual.end()) continue;
    const double low = middle->second / options.outlier, high = middle->second * options.outlier;
    if (*price >= low && *price <= high) continue;
    findings.add("price_outlier",
                 fmt::format("{:.4g} for an hour of one card; the median of {} offers of this card is {:.4g}: "
                             "is it the price of the machine, of one card, or without the card?",
                             *price, counted[middle->first], middle->second),
                 place(catalog, offer));
  }
}

}  // namespace

void lint_prices(const Catalog& catalog, const LintOptions& options, Findings& findings) {
  for (const Offer& offer : catalog.offers) lint_own_prices(catalog, offer, findings);
  lint_duplicates(catalog, findings);
  lint_growth(catalog, findings);
  lint_outliers(catalog, options, findings);
}

}  // namespace gpuplan::detail
