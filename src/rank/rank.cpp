#include "gpuplan/rank.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.hpp"
#include "rank/steps.hpp"

namespace gpuplan {
namespace {

using detail::Sizer;

struct Priced {
  std::optional<RankedOffer> ranked;
  std::vector<Reason> reasons;
};

Reason reason_of(const Diagnostic& why) {
  // The error of a bill carries its stable code as hint: "fx_missing", "price_missing", ...
  return {why.hint.empty() ? std::string(code_name(why.code)) : why.hint, why.message};
}

// The bill of a spot plan: what its runs come to on average.
Result<Bill> mean_bill(const BillRequest& request, const RankOptions& options,
                       std::optional<Trials>& trials) {
  auto tried = simulate_spot(request, options.trials);
  if (!tried) return tried.errors();
  if (tried->trials.finished == 0)
    return Diagnostic{.code = ErrorCode::usage,
                      .source = request.offer->id,
                      .pointer = "/spot",
                      .message = "no spot session is long enough for any progress: the work is never done",
                      .hint = "never_finishes"};
  trials = tried->trials;
  Bill bill = std::move(tried->bill);
  bill.totals = std::move(tried->means);
  bill.total = tried->mean;
  bill.time = tried->time_mean;
  return bill;
}

Priced price(const Ranking& ranking, const Offer& offer, const Platform& platform,
             const std::shared_ptr<const Sizing>& sizing, const std::string& plan,
             const RankOptions& options) {
  const BillRequest request{.catalog = ranking.catalog,
                            .offer = &offer,
                            .job = &ranking.job,
                            .run = *sizing->run,
                            .plan = plan,
                            .currency = ranking.currency};
  Priced priced;
  std::optional<Trials> trials;
  auto bill = plan == "spot" ? mean_bill(request, options, trials) : simulate_bill(request);
  if (!bill) {
    for (const Diagnostic& why : bill.errors()) priced.reasons.push_back(reason_of(why));
    return priced;
  }
  RankedOffer ranked{.offer = &offer, .platform = &platform, .sizing = sizing, .plan = plan};
  ranked.machines = ranking.job.machines;
  ranked.warnings = sizing->warnings;
  ranked.warnings.insert(ranked.warnings.end(), bill->warnings.begin(), bill->warnings.end());
  ranked.unit_cost = detail::unit_cost(ranking.job, *sizing, bill->total);
  ranked.bill = std::move(*bill);
  ranked.trials = std::move(trials);
  priced.reasons = detail::gate_reasons(ranked, ranking, options);
  priced.ranked = std::move(ranked);
  return priced;
}

void reject(Ranking& ranking, RejectedOffer rejected) {
  ++ranking.rejected_by_reason[rejected.reasons.front().code];
  ranking.rejected.push_back(std::move(rejected));
}

void consider(Ranking& ranking, const Offer& offer, Sizer& sizer, const RankOptions& options) {
  const Platform& platform = ranking.catalog->platforms[offer.platform];
  RejectedOffer rejected{.offer = &offer, .platform = &platform};
  const auto sizing = sizer.size(offer);
  rejected.reasons = sizing->reasons;
  const auto plain = detail::plain_reasons(offer, platform, ranking.job, options);
  rejected.reasons.insert(rejected.reasons.end(), plain.begin(), plain.end());
  if (!rejected.reasons.empty()) return reject(ranking, std::move(rejected));

  bool ranked_any = false;
  for (const std::string& plan : options.plans) {
    Priced priced = price(ranking, offer, platform, sizing, plan, options);
    if (priced.ranked && priced.reasons.empty()) {
      ranking.ranked.push_back(std::move(*priced.ranked));
      ranked_any = true;
      continue;
    }
    const bool missed = !priced.ranked && !priced.reasons.empty() &&
                        priced.reasons.front().code != "plan_not_sold" &&
                        priced.reasons.front().code != "price_missing";
    if (priced.ranked || missed || options.plans_stated || plan == options.plans.front())
      for (Reason& reason : priced.reasons) rejected.reasons.push_back(std::move(reason));
    if (priced.ranked && !rejected.bill) rejected.bill = std::move(priced.ranked);
  }
  if (!ranked_any && !rejected.reasons.empty()) reject(ranking, std::move(rejected));
}

Diagnostics check_options(const Catalog& catalog, const RankOptions& options) {
  Diagnostics faults;
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

std::string gate_text(Money money) { return to_string(money); }
std::string gate_text(Duration time) {
  return fmt::format("{:.9g}", 1e-6 * static_cast<double>(time.count()));
}
std::string gate_text(int days) { return std::to_string(days); }

// The best that any bill has; empty when none has it.
template <class Value>
std::string best_of(const std::vector<const RankedOffer*>& bills, Value value_of) {
  decltype(value_of(*bills.front())) best;
  for (const RankedOffer* bill : bills)
    if (const auto value = value_of(*bill); value && (!best || *value < *best)) best = value;
  return best ? gate_text(*best) : std::string{};
}

// A gate passes when at least one offer is left.
void report_gates(Ranking& ranking, const RankOptions& options) {
  const Job& job = ranking.job;
  std::vector<const RankedOffer*> bills;
  for (const RankedOffer& offer : ranking.ranked) bills.push_back(&offer);
  for (const RejectedOffer& offer : ranking.rejected)
    if (offer.bill) bills.push_back(&*offer.bill);
  const auto gate = [&](std::string name, std::string limit, auto value_of) {
    ranking.gates.push_back({.name = std::move(name),
                             .limit = std::move(limit),
                             .value = best_of(bills, value_of),
                             .passed = !ranking.ranked.empty()});
  };
  if (job.budget)
    gate("budget", to_string(*job.budget),
         [](const RankedOffer& o) { return std::optional{o.bill.total}; });
  if (job.deadline)
    gate("deadline", gate_text(*job.deadline),
         [](const RankedOffer& o) { return std::optional{detail::sure_wall(o)}; });
  if (job.max_unit_cost)
    gate("max_unit_cost", to_string(*job.max_unit_cost), [](const RankedOffer& o) {
      return o.unit_cost ? std::optional{o.unit_cost->amount} : std::nullopt;
    });
  if (options.max_age_days) {
    const Catalog& catalog = *ranking.catalog;
    const Date today = *options.as_of;
    gate("max_age", std::to_string(*options.max_age_days), [&catalog, today](const RankedOffer& o) {
      const auto date = detail::price_date(*o.offer, *o.platform, catalog);
      return date ? std::optional{days_between(*date, today)} : std::nullopt;
    });
  }
}

}  // namespace

Result<Ranking> rank_offers(const Job& job, const ModelShape& model, const Catalog& catalog,
                            const Tables& tables, const RankOptions& options) {
  Diagnostics faults = check_options(catalog, options);
  if (auto resolved = resolve(job.workload, model); !resolved)
    faults.insert(faults.end(), resolved.errors().begin(), resolved.errors().end());
  if (!faults.empty()) return faults;

  Ranking ranking{.job = job, .model = model, .catalog = &catalog};
  ranking.currency = options.currency.empty() ? catalog.currency : options.currency;
  ranking.sort = options.sort.value_or(job.profile.empty() ? SortKey::cost : SortKey::score);
  ranking.weights = profile_weights(job.profile);
  for (const auto& [part, weight] : options.weights) ranking.weights[part] = weight;
  ranking.warnings = catalog.warnings;

  Sizer sizer(ranking.job, ranking.model, catalog, tables);
  for (const Offer& offer : catalog.offers) {
    const bool named = options.offer.empty() || offer.id == options.offer ||
                       catalog.platforms[offer.platform].id + "/" + offer.id == options.offer;
    if (named) consider(ranking, offer, sizer, options);
  }
  detail::score(ranking.ranked, ranking.weights, catalog, options);
  detail::order(ranking.ranked, ranking.sort);
  detail::decide(ranking);
  report_gates(ranking, options);
  return ranking;
}

}  // namespace gpuplan
