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

Diagnostics check_options(const Job& job, const Catalog& catalog, const Tables& tables,
                          const RankOptions& options) {
  Diagnostics faults;
  const CardTable own(catalog.cards);
  for (const std::string& card : job.cards)
    if (!own.find(card) && !tables.cards->find(card)) faults.push_back(tables.cards->unknown(card, "--card"));
  std::vector<std::string_view> names;
  for (const Platform& platform : catalog.platforms) names.push_back(platform.id);
  for (const std::string& wanted : options.platforms)
    if (std::ranges::none_of(names, [&](std::string_view n) { return lower(n) == lower(wanted); }))
      faults.push_back({ErrorCode::unknown_name, "--platform", "",
                        "no platform " + quote(wanted) + " in the catalog",
                        did_you_mean(wanted, names)});
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
  Diagnostics faults = check_options(job, catalog, tables, options);
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
  detail::Ranker(ranking, tables, options).run();
  return ranking;
}

}  // namespace gpuplan
