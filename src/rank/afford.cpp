#include "rank/afford.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rank/steps.hpp"

namespace gpuplan::detail {
namespace {

constexpr std::chrono::minutes kStep{1};
constexpr std::int64_t kMostSteps = std::int64_t{10} * 365 * 24 * 60;  // ten years

class Search {
 public:
  Search(const Candidate& candidate, const Ranking& ranking, Pricer& pricer)
      : candidate_(&candidate), budget_(*ranking.job.budget), pricer_(&pricer),
        machines_(std::max(ranking.job.machines, (*candidate.sizing)->machines)) {}

  Result<Pricer::Made> bill(std::int64_t steps, bool ledger) {
    return pricer_->bill(*candidate_, Duration{steps * kStep}, machines_, ledger);
  }
  bool within(std::int64_t steps) {
    const auto made = bill(steps, false);
    return made && made->bill.total <= budget_;
  }
  // Bills rise with the running time: doubling finds a run that costs too much, halving the limit. What
  // comes by chance begins where closed forms put it and ends at a thousandth: many runs of it take
  // long, and their mean is no more exact.
  std::int64_t longest() {
    const std::int64_t guess = by_forms();
    if (guess == 0) return between(0, 1, 1);
    const std::int64_t span = std::max<std::int64_t>(guess / 50, 1);
    return between(std::max<std::int64_t>(guess - span, 0), guess + span, span);
  }
  std::int64_t machines() const { return machines_; }

 private:
  // `paid` may cost too much and `dear` too little: they move apart by `step` until they do not.
  std::int64_t between(std::int64_t paid, std::int64_t dear, std::int64_t step) {
    while (paid > 0 && !within(paid)) {
      dear = paid;
      paid = std::max<std::int64_t>(paid - step, 0);
      step *= 2;
    }
    while (dear < kMostSteps && within(dear)) {
      paid = dear;
      dear += step;
      step *= 2;
    }
    const std::int64_t fine = std::max<std::int64_t>(1, by_chance_ ? paid / 1000 : 1);
    while (dear - paid > fine) {
      const std::int64_t middle = paid + (dear - paid) / 2;
      (within(middle) ? paid : dear) = middle;
    }
    return std::min(paid, kMostSteps);
  }
  // The longest run of which the forms say that it is paid; 0 where they say nothing.
  std::int64_t by_forms() {
    const auto costs = [&](std::int64_t steps) {
      return pricer_->expected(*candidate_, Duration{steps * kStep}, machines_);
    };
    const auto first = costs(1);
    by_chance_ = first.has_value();
    if (!first || *first > budget_) return 0;
    std::int64_t paid = 1, dear = 2;
    const auto fits = [&](std::int64_t steps) {
      const auto cost = costs(steps);
      return cost && *cost <= budget_;
    };
    while (dear < kMostSteps && fits(dear)) {
      paid = dear;
      dear *= 2;
    }
    while (dear - paid > std::max<std::int64_t>(1, paid / 1000)) {
      const std::int64_t middle = paid + (dear - paid) / 2;
      (fits(middle) ? paid : dear) = middle;
    }
    return paid;
  }

  const Candidate* candidate_;
  Money budget_;
  Pricer* pricer_;
  std::int64_t machines_;
  bool by_chance_ = false;
};

// What that time gives, from the time that a known amount takes.
Affords amount_of(const Sizing& sizing, const Job& job, const Offer& offer, Duration run) {
  Affords affords{.run = run};
  const std::int64_t given = given_share(offer);
  const double seconds = static_cast<double>(run.count()) * 1e-6 *
                         (given > 0 ? static_cast<double>(given) * 1e-6 : 1);
  if (sizing.speed && sizing.speed->samples_per_s) {
    affords.samples = *sizing.speed->samples_per_s * seconds;
    return affords;
  }
  if (sizing.speed && sizing.speed->rate) {
    const TaskRate& rate = *sizing.speed->rate;
    const bool by_the_second = rate.unit.ends_with("/s");
    affords.units = rate.per_second * (by_the_second ? seconds : seconds / 3600);
    affords.unit = by_the_second ? rate.unit.substr(0, rate.unit.size() - 2) : rate.unit + " x hours";
    return affords;
  }
  if (!sizing.run || sizing.run->count() <= 0 || !sizing.layout) return affords;
  const double share =
      static_cast<double>(run.count()) / static_cast<double>(sizing.run->count());
  if (const auto tokens = work_tokens(job.work, sizing.layout->workload))
    affords.tokens = *tokens * share;
  return affords;
}

}  // namespace

bool asks_what_a_budget_buys(const Job& job) { return job.budget && job.work_assumed; }

Priced afford(const Candidate& candidate, const Ranking& ranking, const RankOptions& options,
              Pricer& pricer) {
  Search search(candidate, ranking, pricer);
  Priced priced;
  const std::int64_t steps = search.longest();
  auto made = search.bill(std::max<std::int64_t>(steps, 1), true);
  if (!made) {
    for (const Diagnostic& why : made.errors())
      priced.reasons.push_back({why.hint.empty() ? std::string(code_name(why.code)) : why.hint,
                                why.message});
    return priced;
  }
  RankedOffer& ranked = priced.ranked.emplace();
  ranked.offer = candidate.offer;
  ranked.platform = candidate.platform;
  ranked.sizing = *candidate.sizing;
  ranked.plan = *candidate.plan;
  ranked.machines = search.machines();
  ranked.warnings = ranked.sizing->warnings;
  Bill& bill = made->bill;
  ranked.warnings.insert(ranked.warnings.end(), bill.warnings.begin(), bill.warnings.end());
  ranked.affords = amount_of(*ranked.sizing, ranking.job, *ranked.offer, Duration{steps * kStep});
  ranked.bill = std::move(bill);
  ranked.trials = std::move(made->trials);
  if (const auto& tokens = ranked.affords->tokens; tokens && *tokens >= 1 && *tokens < 9e18)
    ranked.unit_cost = cost_per("million tokens", ranked.bill.total, 1'000'000,
                                static_cast<std::uint64_t>(*tokens));
  if (const auto& samples = ranked.affords->samples; samples && *samples >= 1 && *samples < 9e18)
    ranked.unit_cost = cost_per("thousand samples", ranked.bill.total, 1'000,
                                static_cast<std::uint64_t>(*samples));
  priced.reasons = gate_reasons(ranked, ranking, options);
  return priced;
}

}  // namespace gpuplan::detail

namespace gpuplan {

std::string show_amount(const Affords& affords) {
  if (affords.tokens) return show_count(*affords.tokens) + " tokens";
  if (affords.samples) return show_count(*affords.samples) + " samples";
  // Amounts of computing are beyond names of numbers.
  if (affords.units) return fmt::format("{:.3g} {}", *affords.units, affords.unit);
  return show_duration(affords.run);
}

}  // namespace gpuplan
