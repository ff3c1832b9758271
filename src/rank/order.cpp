#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "rank/steps.hpp"

namespace gpuplan {
namespace {

// Weights of the parts of a score; each row adds up to 1. What a profile means is said in
// examples/COMPARE.md; the numbers are our judgement of it, not a measurement.
struct Profile {
  std::string_view name;
  double cost, time, risk, service, environment, certainty;
};
constexpr std::array kProfiles{Profile{"student", .70, .10, .05, .05, .05, .05},
                               Profile{"team", .40, .20, .15, .10, .05, .10},
                               Profile{"enterprise", .20, .15, .15, .30, .05, .15}};

}  // namespace

std::vector<std::string_view> score_parts() {
  return {"cost", "time", "risk", "service", "environment", "certainty"};
}

std::map<std::string, double> profile_weights(std::string_view profile) {
  for (const Profile& p : kProfiles)
    if (p.name == profile)
      return {{"cost", p.cost},
              {"time", p.time},
              {"risk", p.risk},
              {"service", p.service},
              {"environment", p.environment},
              {"certainty", p.certainty}};
  return {{"cost", 1.0}};
}

namespace detail {
namespace {

double share_of_yes(std::initializer_list<bool> facts) {
  return static_cast<double>(std::ranges::count(facts, true)) / static_cast<double>(facts.size());
}

double service_score(const Offer& offer) {
  const ServiceRules& s = offer.rules->service;
  const auto yes = [](const std::optional<bool>& value) { return value.value_or(false); };
  return share_of_yes({yes(s.exclusive), yes(s.itemised_bill), yes(s.data_wiped),
                       s.isolation.has_value(), s.support_hours.has_value(), yes(s.sub_accounts),
                       yes(s.quotas)});
}

double environment_score(const Offer& offer) {
  const Rules& r = *offer.rules;
  const auto yes = [](const std::optional<bool>& value) { return value.value_or(false); };
  return share_of_yes({!r.environment.images.empty() || yes(r.environment.custom_images),
                       yes(r.environment.containers), yes(r.environment.root),
                       yes(r.service.object_storage), r.network.up_mbps.has_value()});
}

// Facts stated against not stated, and the age of the price where a date to count from is given.
double certainty_score(const RankedOffer& ranked, const Catalog& catalog,
                       const RankOptions& options) {
  const Rules& r = *ranked.offer->rules;
  const double facts =
      share_of_yes({ranked.bill.complete, r.stop.stop.has_value(), r.meter.quantum_s.has_value(),
                    r.network.egress_per_gb.has_value(),
                    ranked.offer->gpus == 1 || ranked.offer->interconnect.has_value()});
  const auto date = price_date(*ranked.offer, *ranked.platform, catalog);
  if (!options.as_of || !date) return facts;
  // A price halves in certainty every 90 days: the age at which a price is called old.
  const double age = std::max(0, days_between(*date, *options.as_of));
  return facts * std::exp2(-age / 90);
}

// How sure it is that nothing goes wrong: the share of runs that keep deadline and budget where the
// job states any, else of runs without a reclaim; nothing is sure where reclaims are not known.
double risk_score(const RankedOffer& ranked) {
  if (!ranked.trials) return 1;
  const Trials& trials = *ranked.trials;
  if (!trials.finish_probability) return 0;
  if (trials.deadline_probability || trials.budget_probability)
    return trials.deadline_probability.value_or(1) * trials.budget_probability.value_or(1);
  return trials.undisturbed;
}

double ratio(double best, double value) { return value > best ? best / value : 1; }

}  // namespace

void see(Best& best, const RankedOffer& offer) {
  const Money total = offer.bill.total;
  if (total > Money{} && (best.cost.is_zero() || total < best.cost)) best.cost = total;
  if (!best.any || offer.bill.time.wall < best.wall) best.wall = offer.bill.time.wall;
  best.any = true;
}

void score(std::vector<RankedOffer>& ranked, const Best& best,
           const std::map<std::string, double>& weights, const Catalog& catalog,
           const RankOptions& options) {
  const double best_cost = approximate(best.cost);
  const auto best_time = static_cast<double>(best.wall.count());
  double sum = 0;
  for (const auto& [part, weight] : weights) sum += weight;
  for (RankedOffer& r : ranked) {
    r.scores = {{"cost", ratio(best_cost, approximate(r.bill.total))},
                {"time", ratio(best_time, static_cast<double>(r.bill.time.wall.count()))},
                {"risk", risk_score(r)},
                {"service", service_score(*r.offer)},
                {"environment", environment_score(*r.offer)},
                {"certainty", certainty_score(r, catalog, options)}};
    r.score = 0;
    for (const auto& [part, weight] : weights) r.score += weight * r.scores.at(part);
    if (sum > 0) r.score /= sum;
  }
}

namespace {

double work_done(const RankedOffer& r) {
  if (r.affords->tokens) return *r.affords->tokens;
  if (r.affords->samples) return *r.affords->samples;
  if (r.affords->units) return *r.affords->units;
  return static_cast<double>(r.affords->run.count());
}

}  // namespace

bool before(const RankedOffer& a, const RankedOffer& b, SortKey sort) {
  const auto tie = [](const RankedOffer& r) {
    return std::tie(r.platform->id, r.offer->id, r.plan, r.machines);
  };
  if (a.affords && b.affords && work_done(a) != work_done(b)) return work_done(a) > work_done(b);
  switch (sort) {
    case SortKey::time:
      if (a.bill.time.wall != b.bill.time.wall) return a.bill.time.wall < b.bill.time.wall;
      break;
    case SortKey::unit_cost:
      if (a.unit_cost.has_value() != b.unit_cost.has_value()) return a.unit_cost.has_value();
      if (a.unit_cost && a.unit_cost->amount != b.unit_cost->amount)
        return a.unit_cost->amount < b.unit_cost->amount;
      break;
    case SortKey::risk:
      if (a.scores.at("risk") != b.scores.at("risk"))
        return a.scores.at("risk") > b.scores.at("risk");
      break;
    case SortKey::score:
      if (a.score != b.score) return a.score > b.score;
      break;
    case SortKey::cost:
      break;
  }
  if (a.bill.total != b.bill.total) return a.bill.total < b.bill.total;
  return tie(a) < tie(b);
}

std::optional<UnitCost> cost_per(std::string name, Money total, std::uint64_t units,
                                 std::uint64_t of) {
  if (of == 0 || total < Money{} || total.nanos() > Wide{INT64_MAX}) return std::nullopt;
  const std::uint64_t numerator[] = {static_cast<std::uint64_t>(total.nanos()), units};
  const std::uint64_t denominator[] = {of};
  const auto nanos = round_ratio(numerator, denominator);
  if (!nanos) return std::nullopt;
  return UnitCost{std::move(name), Money::nanos(*nanos)};
}

std::optional<UnitCost> unit_cost(const Job& job, const Sizing& sizing, Money total) {
  const auto per_million = [&](double tokens) {
    return cost_per("million tokens", total, 1'000'000,
                    static_cast<std::uint64_t>(std::llround(tokens)));
  };
  if (sizing.layout) {
    const ResolvedWorkload& workload = sizing.layout->workload;
    // A server's answers: of the requests that come, whatever its machines could do.
    if (job.workload.rate && job.work.run_hours) {
      const double tokens = *job.workload.rate * 1e-6 *
                            static_cast<double>(job.work.run_hours->count()) *
                            static_cast<double>(workload.output_tokens);
      if (tokens >= 1 && tokens < 9e18) return per_million(tokens);
    }
    if (const auto tokens = work_tokens(job.work, workload); tokens && *tokens >= 1)
      return per_million(*tokens);
  }
  if (job.work.requests)
    return cost_per("thousand requests", total, 1'000,
                    static_cast<std::uint64_t>(*job.work.requests));
  if (job.work.samples)
    return cost_per("thousand samples", total, 1'000,
                    static_cast<std::uint64_t>(*job.work.samples));
  return cost_per("run", total, 1, 1);
}

}  // namespace detail
}  // namespace gpuplan
