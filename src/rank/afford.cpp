#include "rank/afford.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rank/steps.hpp"
#include "speed/tasks.hpp"

namespace gpuplan::detail {
namespace {

constexpr std::chrono::minutes kStep{1};
constexpr std::int64_t kMostSteps = std::int64_t{10} * 365 * 24 * 60;  // ten years

class Search {
 public:
  Search(const Candidate& candidate, const Ranking& ranking, Pricer& pricer)
      : candidate_(&candidate), budget_(*ranking.job.budget), pricer_(&pricer),
        machines_(std::max(ranking.job.machines, (*candidate.sizing)->machines)) {}

  // Bills rise with the running time: doubling finds a run that costs too much, halving the limit. What
  // comes by chance begins where closed forms put it and ends at a thousandth: many runs of it take
  // long, and their mean is no more exact.
  std::int64_t longest() {
    const std::int64_t guess = by_forms();
    if (guess == 0) return between({0, 1}, 1);
    const std::int64_t span = std::max<std::int64_t>(guess / 50, 1);
    (void)within(guess);
    return between({std::max<std::int64_t>(guess - span, 0), guess + span}, span);
  }
  // The bill of the longest run.
  Result<Pricer::Made> bill(std::int64_t steps) {
    if (steps == paid_.steps && paid_bill_) return std::move(*paid_bill_);
    return bill_of(steps);
  }
  std::int64_t machines() const { return machines_; }

 private:
  struct Ends {
    std::int64_t paid = 0, dear = 0;
  };
  // A run whose bill was made.
  struct Known {
    std::int64_t steps = 0;
    double cost = 0;
  };

  Result<Pricer::Made> bill_of(std::int64_t steps) {
    return pricer_->bill(*candidate_, Duration{steps * kStep}, machines_, true);
  }
  bool within(std::int64_t steps) {
    auto made = bill_of(steps);
    const Known known{steps, made ? approximate(made->bill.total) : 0};
    if (!made || made->bill.total > budget_) {
      if (!dear_ || steps < dear_->steps) dear_ = known;
      return false;
    }
    if (steps <= paid_.steps) return true;
    paid_ = known;
    paid_bill_ = std::move(*made);
    return true;
  }

  // Bills that come by chance take long. So the answers that are not known yet are guessed, and those
  // that decide, at the ends of what comes out, are looked up; a few such rounds, then each is.
  std::int64_t between(Ends ends, std::int64_t step) {
    constexpr int kRounds = 4;
    for (int round = 0; by_chance_ && round < kRounds; ++round) {
      const std::int64_t limit = guessed_limit();
      const Ends found = narrowed(ends, step, [&](std::int64_t steps) {
        return is_known(steps) ? steps <= paid_.steps : steps <= limit;
      });
      bool as_guessed = found.paid == 0 || is_known(found.paid) || within(found.paid);
      if (as_guessed && found.dear < kMostSteps && !is_known(found.dear)) as_guessed = !within(found.dear);
      if (as_guessed) return std::min(found.paid, kMostSteps);
    }
    const Ends found = narrowed(ends, step, [&](std::int64_t steps) {
      return is_known(steps) ? steps <= paid_.steps : within(steps);
    });
    return std::min(found.paid, kMostSteps);
  }
  bool is_known(std::int64_t steps) const {
    return by_chance_ && (steps <= paid_.steps || (dear_ && steps >= dear_->steps));
  }
  // Where the closed forms, raised to a bill that is known, meet the budget.
  std::int64_t guessed_limit() {
    const Known& known = paid_.steps > 0 || !dear_ ? paid_ : *dear_;
    const auto form = [this](std::int64_t steps) {
      const auto cost = pricer_->expected(*candidate_, Duration{steps * kStep}, machines_);
      return cost ? approximate(*cost) : INFINITY;
    };
    const double most = known.cost > 0 ? approximate(budget_) * form(known.steps) / known.cost : 0;
    std::int64_t paid = paid_.steps, dear = dear_ ? dear_->steps : 2 * paid + 1;
    while (dear - paid > std::max<std::int64_t>(1, paid / 10'000)) {
      const std::int64_t middle = paid + (dear - paid) / 2;
      (form(middle) <= most ? paid : dear) = middle;
    }
    return paid;
  }

  // `paid` may cost too much and `dear` too little: they move apart by `step` until they do not; then
  // they come together by halves.
  template <class Within>
  Ends narrowed(Ends ends, std::int64_t step, Within is_within) const {
    while (ends.paid > 0 && !is_within(ends.paid)) {
      ends.dear = ends.paid;
      ends.paid = std::max<std::int64_t>(ends.paid - step, 0);
      step *= 2;
    }
    while (ends.dear < kMostSteps && is_within(ends.dear)) {
      ends.paid = ends.dear;
      ends.dear += step;
      step *= 2;
    }
    const std::int64_t fine = std::max<std::int64_t>(1, by_chance_ ? ends.paid / 1000 : 1);
    while (ends.dear - ends.paid > fine) {
      const std::int64_t middle = ends.paid + (ends.dear - ends.paid) / 2;
      (is_within(middle) ? ends.paid : ends.dear) = middle;
    }
    return ends;
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
  Known paid_;  // the longest that is known to be paid, with its bill
  std::optional<Pricer::Made> paid_bill_;
  std::optional<Known> dear_;  // the shortest that is known not to be
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
  auto made = search.bill(std::max<std::int64_t>(steps, 1));
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
  if (affords.units) return detail::show_task(*affords.units, affords.unit);
  return show_duration(affords.run);
}

}  // namespace gpuplan
