#include "gpuplan/rank.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/text.hpp"
#include "rank/ranker.hpp"
#include "rank/requirements.hpp"
#include "rank/steps.hpp"

namespace gpuplan {
namespace {

void unknown(const std::string& option, std::string message, std::string hint, Diagnostics& faults) {
  faults.push_back({ErrorCode::unknown_name, option, "", std::move(message), std::move(hint)});
}

bool among(std::span<const std::string_view> names, std::string_view wanted) {
  return std::ranges::any_of(names, [&](std::string_view n) { return lower(n) == lower(wanted); });
}

// The nearest of them, else the first few.
std::string hint_of(std::string_view wanted, std::span<const std::string_view> names) {
  constexpr std::size_t kMostListed = 12;
  if (const std::string hint = did_you_mean(wanted, names); !hint.empty() || names.empty()) return hint;
  const std::vector<std::string> some(names.begin(), names.begin() + std::min(names.size(), kMostListed));
  return "there are " + join(some, ", ") + (names.size() > kMostListed ? ", ..." : "");
}

std::vector<std::string_view> sorted_set(std::vector<std::string_view> names) {
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

// A filter that names what the catalog does not have would quietly filter nothing, or everything.
void check_filters(const Catalog& catalog, const CardTable* cards, const RankOptions& options, Diagnostics& faults) {
  std::vector<std::string_view> platforms;
  for (const Platform& platform : catalog.platforms) platforms.push_back(platform.id);
  platforms = sorted_set(std::move(platforms));
  for (const std::string& wanted : options.platforms)
    if (!among(platforms, wanted))
      unknown("--platform", "no platform " + quote(wanted) + " in the catalog", did_you_mean(wanted, platforms), faults);
  if (options.regions.empty() && options.exclude.empty()) return;
  std::vector<std::string_view> regions, names = platforms;
  for (const Offer& offer : catalog.offers) {
    if (!offer.region.empty()) regions.push_back(offer.region.str());
    names.push_back(offer.card.str());
  }
  regions = sorted_set(std::move(regions));
  names = sorted_set(std::move(names));
  for (const std::string& wanted : options.regions)
    if (!among(regions, wanted))
      unknown("--region", "no offer of the catalog is in the region " + quote(wanted), hint_of(wanted, regions), faults);
  const auto is_offer = [&](const std::string& wanted) {
    return std::ranges::any_of(catalog.offers, [&](const Offer& offer) {
      return lower(offer.id) == lower(wanted) ||
             lower(catalog.platforms[offer.platform].id + "/" + offer.id) == lower(wanted);
    });
  };
  for (const std::string& wanted : options.exclude)
    if (!among(names, wanted) && !cards->find(wanted) && !is_offer(wanted)) {
      for (const Offer& offer : catalog.offers) names.push_back(offer.id);
      unknown("--exclude", "the catalog has no platform, card or offer " + quote(wanted), did_you_mean(wanted, names),
              faults);
    }
}

// A card may be named otherwise than the catalog does: every card that the name may mean is left out.
RankOptions with_card_names(RankOptions options, const CardTable& cards) {
  for (const std::string& name : std::vector<std::string>(options.exclude))
    if (const auto found = cards.find(name)) {
      options.exclude.push_back(found->card->name);
      for (const Card* other : found->others) options.exclude.push_back(other->name);
    }
  return options;
}

Diagnostics check_options(const Job& job, const Catalog& catalog, const Tables& tables,
                          const CardTable* excludable, const RankOptions& options) {
  Diagnostics faults;
  const CardTable own(catalog.cards);
  for (const std::string& card : job.cards)
    if (!own.find(card) && !tables.cards->find(card)) faults.push_back(tables.cards->unknown(card, "--card"));
  check_filters(catalog, excludable, options, faults);
  const auto parts = score_parts();
  for (const auto& [part, weight] : options.weights)
    if (std::ranges::find(parts, part) == parts.end())
      faults.push_back({ErrorCode::usage, "--weights", "",
                        "no part of the score is named " + quote(part),
                        "parts: cost, time, risk, service, environment, certainty"});
  if (options.max_age_days && !options.as_of)
    faults.push_back({ErrorCode::usage, "--max-age", "", "an age needs a date to count from",
                      "add --as-of 2026-11-30"});
  if (!options.currency.empty() && options.currency != catalog.currency &&
      !catalog.fx.contains(options.currency))
    faults.push_back({ErrorCode::usage, "--currency", "",
                      "the catalog has no rate of exchange for " + quote(options.currency),
                      "its own currency is " + catalog.currency + "; rates stand under \"fx\""});
  return faults;
}

}  // namespace

Result<Ranking> rank_offers(const Job& job, const ModelShape& model, const Catalog& catalog,
                            const Tables& tables, const RankOptions& options) {
  std::optional<CardTable> excludable;  // a copy, made where it is needed
  if (!options.exclude.empty()) excludable = tables.cards->with(catalog.cards);
  Diagnostics faults = check_options(job, catalog, tables, excludable ? &*excludable : nullptr, options);
  const Diagnostics wishes = detail::check_requirements(job);
  faults.insert(faults.end(), wishes.begin(), wishes.end());
  if (auto resolved = resolve(job.workload, model); !resolved)
    faults.insert(faults.end(), resolved.errors().begin(), resolved.errors().end());
  if (!faults.empty()) return faults;

  Ranking ranking{.asked = options, .job = job, .model = model, .catalog = &catalog};
  // A stream of requests is served by as many users at once as a machine takes.
  if (job.workload.rate && !job.workload.batch) ranking.job.workload.concurrency_max = true;
  ranking.currency = options.currency.empty() ? catalog.currency : options.currency;
  ranking.sort = options.sort.value_or(job.profile.empty() ? SortKey::cost : SortKey::score);
  ranking.weights = profile_weights(job.profile);
  for (const auto& [part, weight] : options.weights) ranking.weights[part] = weight;
  ranking.warnings = catalog.warnings;
  const RankOptions settled = excludable ? with_card_names(options, *excludable) : options;
  detail::Ranker(ranking, tables, settled).run();
  return ranking;
}

}  // namespace gpuplan
