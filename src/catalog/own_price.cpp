#include <algorithm>

#include "catalog/import/builder.hpp"
#include "catalog/parts.hpp"
#include "core/text.hpp"
#include "core/trim.hpp"
#include "gpuplan/catalog_tools.hpp"

namespace gpuplan {
namespace {

Diagnostic wrong(std::string message, std::string hint, ErrorCode code = ErrorCode::usage) {
  return {code, "--price", "", std::move(message), std::move(hint)};
}

// "RTX 4090 x4": the number of cards, which is cut off.
std::optional<std::int64_t> take_count(std::string_view& card) {
  const auto blank = card.rfind(' ');
  if (blank == std::string_view::npos || blank + 2 > card.size() || card[blank + 1] != 'x') return 1;
  const auto count = Decimal::parse(card.substr(blank + 2));
  if (!count) return 1;
  card = trimmed(card.substr(0, blank));
  const auto whole = count->whole();
  return whole && *whole >= 1 && *whole <= 100'000 ? whole : std::nullopt;
}

bool is_currency(std::string_view text) {
  return text.size() == 3 && std::ranges::all_of(text, [](char c) { return c >= 'A' && c <= 'Z'; });
}

// Prices of a platform are in one currency: another makes an entry of its own with the same rules.
std::size_t in_currency(Catalog& catalog, std::size_t platform, const std::string& currency) {
  const std::string id = catalog.platforms[platform].id;
  for (std::size_t i = 0; i < catalog.platforms.size(); ++i)
    if (catalog.platforms[i].id == id && catalog.platforms[i].currency == currency) return i;
  Platform other = catalog.platforms[platform];
  other.currency = currency;
  catalog.platforms.push_back(std::move(other));
  return catalog.platforms.size() - 1;
}

std::string free_id(const Catalog& catalog, const Offer& offer) {
  const std::string first = detail::clean(detail::default_id(catalog.platforms[offer.platform].id, offer), 180);
  std::string id = first;
  for (int n = 2; !find_offers(catalog, id).empty(); ++n) id = first + "#" + std::to_string(n);
  return id;
}

}  // namespace

std::optional<Diagnostic> add_own_price(Catalog& catalog, const CardTable& cards, std::string_view text,
                                        std::optional<Date> as_of) {
  constexpr std::string_view kForm = "write PLATFORM/CARD=PRICE, such as 'autodl/RTX 4090=1.98 CNY'";
  const auto equals = text.rfind('=');
  const auto slash = text.find('/');
  if (equals == std::string_view::npos || slash == std::string_view::npos || slash > equals)
    return wrong("expected a price of a card of a platform, got " + quote(text), std::string(kForm));
  const std::string_view wanted = trimmed(text.substr(0, slash));
  std::string_view card = trimmed(text.substr(slash + 1, equals - slash - 1));
  std::string_view amount = trimmed(text.substr(equals + 1));
  std::string_view currency;
  if (const auto blank = amount.rfind(' '); blank != std::string_view::npos) {
    currency = amount.substr(blank + 1);
    amount = trimmed(amount.substr(0, blank));
  }
  std::vector<std::string_view> ids;
  for (const Platform& platform : catalog.platforms) ids.push_back(platform.id);
  const auto found = std::ranges::find_if(ids, [&](std::string_view id) { return lower(id) == lower(wanted); });
  if (found == ids.end())
    return wrong("the catalog has no platform " + quote(wanted), did_you_mean(wanted, ids), ErrorCode::unknown_name);
  const auto gpus = take_count(card);
  if (!gpus) return wrong("expected a number of cards from 1 to 100000 in " + quote(text), std::string(kForm));
  const auto price = Decimal::parse(amount);
  if (!price || price->is_zero() || *price > Decimal::of(1'000'000'000))
    return wrong("expected a price above 0, got " + quote(amount), std::string(kForm));
  if (!currency.empty() && !is_currency(currency))
    return wrong("expected a currency such as CNY, got " + quote(currency), std::string(kForm));
  // Names are found whatever signs stand between their letters, and this one is kept as it is typed.
  if (detail::clean(card) != card)
    return wrong("expected a card's name in plain text of at most 200 bytes, got " + quote(card), std::string(kForm));
  if (!cards.find(card)) {
    Diagnostic unknown = cards.unknown(card, "--price");
    unknown.code = ErrorCode::unknown_name;
    return unknown;
  }
  auto platform = static_cast<std::size_t>(found - ids.begin());
  const std::string unit(currency.empty() ? std::string_view(catalog.platforms[platform].currency) : currency);
  if (unit != catalog.currency && !catalog.fx.contains(unit))
    return wrong("the catalog does not say what one " + unit + " is in " + catalog.currency, "add it to \"fx\" in a catalog of your own");
  platform = in_currency(catalog, platform, unit);
  Offer offer;
  offer.platform = platform;
  offer.card = card;
  offer.gpus = *gpus;
  offer.price.on_demand = *price;
  offer.as_of = as_of;
  offer.source = "--price";
  offer.rules = catalog.platforms[platform].rules;
  offer.id = free_id(catalog, offer);
  catalog.offers.push_back(std::move(offer));
  return std::nullopt;
}

Diagnostics writing_faults(const Catalog& catalog) {
  Diagnostics faults;
  for (std::size_t i = 0; i < catalog.platforms.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (catalog.platforms[k].id == catalog.platforms[i].id)
        faults.push_back({ErrorCode::invalid, "catalog", "",
                          "the offers of " + quote(catalog.platforms[i].id) + " are in " + catalog.platforms[k].currency + " and in " +
                              catalog.platforms[i].currency + ": one document has one currency for a platform",
                          "keep them as two files: gpuplan compare A B"});
  for (const Offer& offer : catalog.offers)
    if (offer.price.spot_series && offer.price.spot_series->times > 1)
      faults.push_back({ErrorCode::invalid, "catalog", "",
                        "the offer " + quote(offer.id) + " takes its spot prices from a file that is for one card",
                        "write it with \"gpus\" instead of \"gpu_counts\""});
  return faults;
}

}  // namespace gpuplan
