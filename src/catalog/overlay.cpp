#include <algorithm>
#include <map>
#include <utility>

#include "catalog/merge.hpp"
#include "core/sha256.hpp"
#include "core/text.hpp"
#include "gpuplan/catalog.hpp"

namespace gpuplan {
namespace {

using detail::OfferRules;
using LayerPointer = std::shared_ptr<const RuleLayer>;
using Rates = std::map<std::string, Decimal>;

LayerPointer stacked(const LayerPointer& lower, const LayerPointer& upper) {
  if (!lower || !upper) return upper ? upper : lower;
  const LayerPointer below = stacked(lower, upper->below);
  return std::make_shared<const RuleLayer>(RuleLayer{upper->json, below, upper->source});
}

// a x b to 18 digits; nothing when it is too large.
std::optional<Decimal> product(const Decimal& a, const Decimal& b) {
  constexpr Wide kMost = 999'999'999'999'999'999;
  Wide digits = Wide{a.digits()} * b.digits();
  int scale = a.scale() + b.scale();
  while (scale > 0 && (digits > kMost || scale > 18)) digits = (digits + 5) / 10, --scale;
  if (digits > kMost) return std::nullopt;
  return Decimal::of(static_cast<std::int64_t>(digits), scale);
}

// Adds the rates of another catalog whose currency is worth `worth` of ours; ours stay.
void add_rates(Rates& ours, const Rates& theirs, const std::string& their_currency, const Decimal& worth) {
  ours.try_emplace(their_currency, worth);
  for (const auto& [currency, rate] : theirs)
    if (const auto value = product(rate, worth)) ours.try_emplace(currency, *value);
}

std::optional<Decimal> rate_of(const Catalog& catalog, const std::string& currency) {
  if (currency == catalog.currency) return Decimal::of(1);
  const auto found = catalog.fx.find(currency);
  return found == catalog.fx.end() ? std::nullopt : std::optional(found->second);
}

// Of two currencies the upper one holds, unless only the lower catalog knows how they compare.
void overlay_currency(Catalog& result, const Catalog& upper) {
  if (const auto worth = rate_of(upper, result.currency)) {
    Rates rates = upper.fx;
    add_rates(rates, result.fx, result.currency, *worth);
    result.currency = upper.currency;
    result.fx = std::move(rates);
  } else if (const auto back = rate_of(result, upper.currency)) {
    Rates rates;
    add_rates(rates, upper.fx, upper.currency, *back);
    rates.merge(result.fx);
    result.fx = std::move(rates);
  } else {
    result.warnings.push_back({"fx_dropped",
                               "no rate between " + result.currency + " and " + upper.currency +
                                   " is stated: the rates to " + result.currency + " are left out",
                               "fx"});
    result.currency = upper.currency;
    result.fx = upper.fx;
  }
}

template <class Value>
void take(std::optional<Value>& lower, std::optional<Value>& upper) {
  if (upper) lower = std::move(upper);
}
void take(std::string& lower, std::string& upper) {
  if (!upper.empty()) lower = std::move(upper);
}
template <class Value>
void take(std::vector<Value>& lower, std::vector<Value>& upper) {
  if (!upper.empty()) lower = std::move(upper);
}

void overlay_own(std::vector<OwnKey>& lower, std::vector<OwnKey>& upper) {
  for (OwnKey& own : upper) {
    const auto same = std::ranges::find(lower, own.key, &OwnKey::key);
    if (same == lower.end()) lower.push_back(std::move(own));
    else *same = std::move(own);
  }
}

void overlay_account(AccountRules& lower, AccountRules& upper) {
  take(lower.fee_month, upper.fee_month);
  take(lower.credits, upper.credits);
  take(lower.discounts, upper.discounts);
  take(lower.minimum_topup, upper.minimum_topup);
  take(lower.host_down_factor, upper.host_down_factor);
  take(lower.sla_uptime_percent, upper.sla_uptime_percent);
  take(lower.sla_credit_percent, upper.sla_credit_percent);
}

// All but the currency: that belongs to the prices.
void overlay_platform(Platform& lower, Platform& upper) {
  take(lower.name, upper.name);
  take(lower.url, upper.url);
  take(lower.market, upper.market);
  take(lower.source, upper.source);
  take(lower.as_of, upper.as_of);
  take(lower.tax_percent, upper.tax_percent);
  lower.account_stated = lower.account_stated || upper.account_stated;
  overlay_account(lower.account, upper.account);
  lower.layer = stacked(lower.layer, upper.layer);
  overlay_own(lower.own, upper.own);
}

// Where each platform of the upper catalog stands in the result. Offers of one platform in two
// currencies keep two entries with the same id, since a price needs its currency.
std::vector<std::size_t> overlay_platforms(Catalog& result, Catalog& upper) {
  std::vector<std::size_t> places;
  for (Platform& platform : upper.platforms) {
    const auto same = std::ranges::find(result.platforms, platform.id, &Platform::id);
    if (same == result.platforms.end()) {
      places.push_back(result.platforms.size());
      result.platforms.push_back(std::move(platform));
      continue;
    }
    const std::string currency = platform.currency;
    overlay_platform(*same, platform);
    if (currency == same->currency) {
      places.push_back(static_cast<std::size_t>(same - result.platforms.begin()));
      continue;
    }
    Platform other = *same;
    other.currency = currency;
    places.push_back(result.platforms.size());
    result.platforms.push_back(std::move(other));
  }
  return places;
}

void overlay_offers(Catalog& result, std::vector<Offer> offers, const std::vector<std::size_t>& places) {
  std::map<std::pair<std::string, std::string>, std::size_t> known;
  for (std::size_t i = 0; i < result.offers.size(); ++i)
    known[{result.platforms[result.offers[i].platform].id, result.offers[i].id}] = i;
  for (Offer& offer : offers) {
    offer.platform = places[offer.platform];
    const auto same = known.find({result.platforms[offer.platform].id, offer.id});
    if (same == known.end()) result.offers.push_back(std::move(offer));
    else result.offers[same->second] = std::move(offer);
  }
}

}  // namespace

void detail::merge_rules(Catalog& result) {
  Rules defaults;
  if (result.layer) lay_rules(*result.layer, defaults);
  std::vector<OfferRules> mergers;
  for (Platform& platform : result.platforms) {
    auto rules = std::make_shared<Rules>(defaults);
    if (platform.layer) lay_rules(*platform.layer, *rules);
    platform.rules = rules;
    mergers.emplace_back(platform.rules);
  }
  for (Offer& offer : result.offers) offer.rules = mergers[offer.platform].of(offer.layer.get()).rules;
}

Catalog overlay(Catalog lower, Catalog upper) {
  Catalog result = std::move(lower);
  take(result.name, upper.name);
  take(result.as_of, upper.as_of);
  overlay_currency(result, upper);
  for (Card& card : upper.cards) {
    const auto same = std::ranges::find(result.cards, card.name, &Card::name);
    if (same == result.cards.end()) result.cards.push_back(std::move(card));
    else *same = std::move(card);
  }
  result.contract.insert(result.contract.end(), upper.contract.begin(), upper.contract.end());
  result.layer = stacked(result.layer, upper.layer);
  overlay_own(result.card_texts, upper.card_texts);
  overlay_own(result.own, upper.own);
  const std::vector<std::size_t> places = overlay_platforms(result, upper);
  overlay_offers(result, std::move(upper.offers), places);
  detail::merge_rules(result);
  result.warnings.insert(result.warnings.end(), upper.warnings.begin(), upper.warnings.end());
  result.sha256 = sha256_hex(result.sha256 + upper.sha256);
  return result;
}

}  // namespace gpuplan
