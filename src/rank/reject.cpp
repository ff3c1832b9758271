#include <fmt/format.h>

#include <algorithm>

#include "core/text.hpp"
#include "rank/hourly.hpp"
#include "rank/requirements.hpp"
#include "rank/steps.hpp"

namespace gpuplan::detail {
namespace {

bool listed(const std::vector<std::string>& list, std::string_view text) {
  return std::ranges::any_of(list,
                             [&](const std::string& entry) { return lower(entry) == lower(text); });
}

void price_reasons(const Offer& offer, std::vector<Reason>& reasons) {
  const auto zero = [](const std::optional<Decimal>& price) { return price && price->is_zero(); };
  const bool any = offer.price.on_demand || offer.price.spot || !offer.price.commitments.empty() ||
                   !offer.components.empty() || offer.free;
  if (!any) reasons.push_back({"price_missing", "no price is stated"});
  if (!offer.free && zero(offer.price.on_demand))
    reasons.push_back(
        {"price_zero", "a price of 0 means unknown unless the offer says \"free\": true"});
  // No currency's unit is worth so much that a card's hour costs a thousandth of it: this is the price
  // of a second, or in another unit.
  const Decimal least = Decimal::of(offer.gpus, 3);
  for (const MaybeDecimal* price : {&offer.price.on_demand, &offer.price.spot})
    if (!offer.free && !offer.share && *price && !(*price)->is_zero() && **price < least)
      reasons.push_back({"price_implausible",
                         fmt::format("{} an hour for {} {}: is it the price of a second, or in another unit?",
                                     (*price)->to_string(), offer.gpus, offer.gpus == 1 ? "card" : "cards")});
  for (const Component& part : offer.components)
    if (!part.price && !part.spot)
      reasons.push_back({"price_missing", "the part " + quote(part.what) + " has no price"});
  if (offer.quote)
    reasons.push_back(
        {"quote_only",
         "the price is a quote, not a list price; it is not ranked among list prices"});
}

void age_reason(const Offer& offer, const Platform& platform, const Catalog& catalog,
                const RankOptions& options, std::vector<Reason>& reasons) {
  if (!options.max_age_days || !options.as_of) return;
  const auto date = price_date(offer, platform, catalog);
  const int age = date ? days_between(*date, *options.as_of) : 0;
  if (date && age <= *options.max_age_days) return;
  reasons.push_back(
      {"stale", date ? fmt::format("the price is of {}, {} days old; at most {} are allowed",
                                   to_string(*date), age, *options.max_age_days)
                     : std::string("the price has no date")});
}

std::string of_machines(std::int64_t machines) {
  return machines == 1 ? "" : fmt::format(" for {} machines", machines);
}

}  // namespace

}  // namespace gpuplan::detail

namespace gpuplan {

void settle_credits(const Job& job, Catalog& catalog, Warnings& warnings) {
  if (job.profile == "student") return;
  std::vector<std::string> names;
  for (Platform& platform : catalog.platforms) {
    if (!platform.account.credits.empty()) names.push_back(platform.id);
    platform.account.credits.clear();
  }
  if (!names.empty())
    warnings.push_back(
        {"credit_not_counted",
         "credits of " + join(names, ", ") + " are not counted; --profile student counts them",
         "catalog"});
}

}  // namespace gpuplan

namespace gpuplan::detail {

std::optional<Date> price_date(const Offer& offer, const Platform& platform,
                               const Catalog& catalog) {
  if (offer.as_of) return offer.as_of;
  if (platform.as_of) return platform.as_of;
  return catalog.as_of;
}

std::vector<Reason> plain_reasons(const Offer& offer, const Platform& platform, const Card* card, const Job& job,
                                  const RankOptions& options) {
  std::vector<Reason> reasons;
  add_missing(offer, card, job, options.compat, reasons);
  if (!options.regions.empty() && !listed(options.regions, offer.region))
    reasons.push_back(
        {"region", "its region is " + (offer.region.empty() ? "not stated" : quote(offer.region))});
  if (!options.platforms.empty() && !listed(options.platforms, platform.id))
    reasons.push_back({"platform", "only " + join(options.platforms, ", ") + " was asked for"});
  if (listed(options.exclude, platform.id) || listed(options.exclude, offer.card) ||
      listed(options.exclude, platform.id + "/" + offer.id) || listed(options.exclude, offer.id) ||
      (card != nullptr && listed(options.exclude, card->name)))
    reasons.push_back({"excluded", "--exclude names it"});
  if (offer.stock == "none" || offer.stock == "sold_out")
    reasons.push_back({"unavailable", "it is marked as sold out"});
  if (job.profile == "enterprise" && offer.tier == "community" && !offer.rules->service.isolation)
    reasons.push_back({"isolation", "it is of the tier \"community\", a machine of some member of the public, and states no isolation: "
                                    "the profile enterprise takes none of those"});
  price_reasons(offer, reasons);
  return reasons;
}

Duration sure_wall(const Trials& trials, Duration otherwise) {
  return trials.finished > 0 && trials.finish_probability ? trials.wall.p90 : otherwise;
}

Duration sure_wall(const RankedOffer& ranked) {
  const Duration wall = ranked.bill.time.wall;
  return ranked.trials ? sure_wall(*ranked.trials, wall) : wall;
}

std::vector<Reason> gate_reasons(const RankedOffer& ranked, const Ranking& ranking,
                                 const RankOptions& options) {
  const Job& job = ranking.job;
  const std::string& currency = ranking.currency;
  std::vector<Reason> reasons;
  age_reason(*ranked.offer, *ranked.platform, *ranking.catalog, options, reasons);
  const Duration wall = sure_wall(ranked);
  if (job.deadline && wall > *job.deadline)
    reasons.push_back({"deadline", fmt::format("done after {}, wanted within {}",
                                               show_duration(wall), show_duration(*job.deadline))});
  if (job.budget && ranked.bill.total > *job.budget)
    reasons.push_back(
        {"budget", fmt::format("costs {} {}, the budget is {}", to_string(ranked.bill.total),
                               currency, to_string(*job.budget))});
  if (const auto cap = hourly_cap(options, ranked.plan))
    if (const Money price = hourly_price(ranked, ranking); price > *cap)
      reasons.push_back({"max_hourly", fmt::format("costs {} {} an hour {}{}, at most {} is allowed", to_string(price),
                                                   currency, plan_words(ranked.plan), of_machines(ranked.machines),
                                                   to_string(*cap))});
  if (job.max_unit_cost && ranked.unit_cost && ranked.unit_cost->amount > *job.max_unit_cost)
    reasons.push_back(
        {"max_unit_cost",
         fmt::format("costs {} {} a {}, at most {} is allowed", to_string(ranked.unit_cost->amount),
                     currency, ranked.unit_cost->per, to_string(*job.max_unit_cost))});
  return reasons;
}

}  // namespace gpuplan::detail
