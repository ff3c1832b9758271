#include "catalog/lint.hpp"
#include "catalog/offer_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "core/text.hpp"
#include "spec/card_names.hpp"

namespace gpuplan {
namespace detail {
namespace {

struct KnownCard {
  const Card* card = nullptr;
  std::optional<Warning> warning = {};
};

KnownCard look_up(const std::string& name, const CardTable& cards) {
  if (const auto found = cards.find(name)) return {found->card, ambiguity_warning(name, *found)};
  if (only_a_size(name))
    return {nullptr, Warning{"card_name_vague", quote(name) + " says how much memory the card has, not which card it is: how fast it is nobody can tell", {}}};
  const Diagnostic unknown = cards.unknown(name, {});
  return {nullptr, Warning{"card_unknown", unknown.message + (unknown.hint.empty() ? "" : "; " + unknown.hint), {}}};
}

// Above this difference the memory of an offer is another than its card's, not another unit.
constexpr double kMostDifference = 0.10;

void lint_memory(const Catalog& catalog, const Offer& offer, const Card& card, Findings& findings) {
  if (offer.share && !offer.memory)
    findings.add("share_without_memory", "a part of a card needs its memory", place(catalog, offer));
  if (!offer.memory || card.memory_nominal.count() == 0) return;
  const double ratio = offer.memory->as_double() / card.memory_nominal.as_double();
  const auto count = static_cast<double>(offer.gpus);
  if (offer.gpus > 1 && ratio > count * (1 - kMostDifference) && ratio < count * (1 + kMostDifference))
    findings.add("memory_of_all_cards",
                 fmt::format("{} is the memory of all {} cards: state that of one", show_gib(*offer.memory), offer.gpus),
                 place(catalog, offer));
  else if (ratio > 1 + kMostDifference || (!offer.share && ratio < 1 - kMostDifference))
    findings.add("card_memory_differs",
                 fmt::format("{} is stated, {} has {}", show_gib(*offer.memory), quote(card.name), show_gib(card.memory_nominal)),
                 place(catalog, offer));
}

// Offers of one platform for which the same holds.
struct Counted {
  std::size_t count = 0;
  const Offer* first = nullptr;
  void add(const Offer& offer) {
    if (count++ == 0) first = &offer;
  }
};

void lint_ages(const Catalog& catalog, const LintOptions& options, Findings& findings) {
  std::map<std::pair<std::size_t, std::optional<Date>>, Counted> dates;
  for (const Offer& offer : catalog.offers) dates[{offer.platform, offer.as_of}].add(offer);
  for (const auto& [key, offers] : dates) {
    const std::string& platform = catalog.platforms[key.first].id;
    if (!key.second) {
      findings.add("price_undated", fmt::format("{} offers have no date (as_of)", offers.count), platform);
      continue;
    }
    if (!options.as_of) continue;
    const int age = days_between(*key.second, *options.as_of);
    if (age > options.most_days)
      findings.add("price_old", fmt::format("{} prices of {} are {} days old", offers.count, to_string(*key.second), age), platform);
    if (age < 0)
      findings.add("price_in_future", fmt::format("{} prices are dated {}, {} days ahead", offers.count, to_string(*key.second), -age), platform);
  }
}

void lint_stop_rules(const Catalog& catalog, Findings& findings) {
  std::map<std::size_t, Counted> silent;
  for (const Offer& offer : catalog.offers)
    if (!offer.rules->stop.stop) silent[offer.platform].add(offer);
  for (const auto& [platform, offers] : silent)
    findings.add("stop_not_stated",
                 fmt::format("{} offers do not say what \"stop\" leads to; bills then assume that the card stays paid (held)", offers.count),
                 catalog.platforms[platform].id);
}

void lint_currencies(const Catalog& catalog, Findings& findings) {
  for (const Platform& platform : catalog.platforms)
    if (platform.currency != catalog.currency && !catalog.fx.contains(platform.currency))
      findings.add("fx_missing",
                   fmt::format("fx does not say what one {} is in {}: the offers cannot be compared", platform.currency, catalog.currency),
                   platform.id);
}

// A plan of a credit or discount that nothing sells never applies.
void lint_plans(const Catalog& catalog, Findings& findings) {
  std::map<std::size_t, std::set<std::string>> sold;
  for (const Offer& offer : catalog.offers)
    for (const Commitment& term : offer.price.commitments) sold[offer.platform].insert(term.name);
  constexpr std::array<std::string_view, 7> kAlways{"on_demand", "spot", "reserved", "day", "week", "month", "year"};
  for (std::size_t i = 0; i < catalog.platforms.size(); ++i) {
    std::set<std::string> named;
    for (const Credit& credit : catalog.platforms[i].account.credits) named.insert(credit.plans.begin(), credit.plans.end());
    for (const Discount& discount : catalog.platforms[i].account.discounts) named.insert(discount.plans.begin(), discount.plans.end());
    for (const std::string& plan : named)
      if (std::ranges::find(kAlways, plan) == kAlways.end() && !sold[i].contains(plan))
        findings.add("plan_unknown", "no offer sells the plan " + quote(plan) + " that a credit or discount names", catalog.platforms[i].id);
  }
}

}  // namespace

std::string place(const Catalog& catalog, const Offer& offer) {
  return offer_name(catalog, offer);
}

void lint_cards(const Catalog& catalog, const CardTable& cards, Findings& findings) {
  std::map<std::string, KnownCard> known;
  for (const Offer& offer : catalog.offers) {
    const auto [entry, fresh] = known.try_emplace(offer.card);
    if (fresh) {
      entry->second = look_up(offer.card, cards);
      if (const auto& warning = entry->second.warning) findings.add(warning->code, warning->message, place(catalog, offer));
    }
    const Card* card = entry->second.card;
    if (card != nullptr) lint_memory(catalog, offer, *card, findings);
    if (offer.gpus > 1 && !offer.interconnect && (card == nullptr || card->link == Link::unknown))
      findings.add("interconnect_not_stated", fmt::format("how the {} cards are joined is not stated", offer.gpus), place(catalog, offer));
  }
}

void lint_platforms(const Catalog& catalog, const LintOptions& options, Findings& findings) {
  lint_ages(catalog, options, findings);
  lint_stop_rules(catalog, findings);
  lint_currencies(catalog, findings);
  lint_plans(catalog, findings);
}

}  // namespace detail

Warnings lint_catalog(const Catalog& catalog, const CardTable& cards, const LintOptions& options) {
  detail::Findings findings(options.most_each);
  detail::lint_prices(catalog, options, findings);
  detail::lint_cards(catalog, cards, findings);
  detail::lint_platforms(catalog, options, findings);
  return findings.take();
}

}  // namespace gpuplan
