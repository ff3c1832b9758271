#include "rank/pricing.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rank/steps.hpp"

namespace gpuplan::detail {
namespace {

constexpr int kMinutesOfDay = 24 * 60;
constexpr std::int64_t kMostMachines = 64;  // to meet a deadline: as many as `estimate` looks at

Reason reason_of(const Diagnostic& why) {
  // The error of a bill carries its stable code as hint: "fx_missing", "price_missing", ...
  const bool code = !why.hint.empty() && why.hint.find(' ') == std::string::npos;
  return {code ? why.hint : std::string(code_name(why.code)), why.message};
}

Duration times(Duration time, const Decimal& factor) {
  return Duration{factor.times(time.count()).value_or(INT64_MAX)};
}

bool only_too_late(const Priced& priced) {
  return priced.ranked && !priced.reasons.empty() &&
         std::ranges::all_of(priced.reasons, [](const Reason& r) { return r.code == "deadline"; });
}

}  // namespace

bool can_be_split(const Job& job) {
  const Workload& work = job.workload;
  if (job.splits > 1) return true;
  // Answers, frames and images do not depend on each other; a training step and a simulation do.
  return !work.training() && work.mode != Mode::fp64 && !work.rate;
}

Pricer::Pricer(const Ranking& ranking, const RankOptions& options, const Setting& setting)
    : ranking_(&ranking), options_(&options), setting_(setting) {}

const Job& Pricer::job_on(std::int64_t machines) {
  const auto known = jobs_.find(machines);
  if (known != jobs_.end()) return known->second;
  Job job = ranking_->job;
  job.machines = machines;
  if (setting_.life && setting_.offer == nullptr)
    job.reclaim_mean = Duration{setting_.life->times(3'600'000'000).value_or(INT64_MAX)};
  job.data.upload = Bytes::of(
      setting_.upload.times(job.data.upload.count()).value_or(job.data.upload.count()));
  if (setting_.window_hours && job.schedule)
    job.schedule->to_minute = (job.schedule->from_minute + 60 * *setting_.window_hours) % kMinutesOfDay;
  return jobs_.emplace(machines, std::move(job)).first->second;
}

std::optional<SpotFloor> Pricer::floor(const Candidate& candidate) {
  if (*candidate.plan != "spot") return std::nullopt;
  const Request asked = request_of(candidate, run_of(candidate), machines_of(candidate));
  return spot_floor(asked.request, options_->trials.trials);
}

std::optional<Money> Pricer::expected(const Candidate& candidate, Duration run, std::int64_t machines) {
  if (*candidate.plan != "spot") return std::nullopt;
  const Request asked = request_of(candidate, run, machines);
  const auto floor = spot_floor(asked.request, INT64_MAX);
  return floor && floor->by_forms ? std::optional(floor->total) : std::nullopt;
}

// The bill of a spot plan: what its runs come to on average.
Result<Pricer::Made> Pricer::spot_bill(const BillRequest& request) const {
  TrialOptions trials = options_->trials;
  trials.ledger = request.ledger;
  auto tried = simulate_spot(request, trials);
  if (!tried) return tried.errors();
  if (tried->trials.finished == 0)
    return Diagnostic{.code = ErrorCode::usage,
                      .source = request.offer->id,
                      .pointer = "/spot",
                      .message = "spot machines are taken back too soon for the work: it is never done",
                      .hint = "never_finishes"};
  Made made{.bill = std::move(tried->bill), .trials = std::move(tried->trials)};
  made.bill.totals = std::move(tried->means);
  made.bill.total = tried->mean;
  made.bill.time = tried->time_mean;
  return made;
}

BillRequest Pricer::request_for(const Candidate& candidate, Duration run, std::int64_t machines) {
  return {.catalog = ranking_->catalog,
          .offer = candidate.offer,
          .job = &job_on(machines),
          .run = run,
          .plan = *candidate.plan,
          .currency = ranking_->currency};
}

// The offer as the setting has it.
Offer Pricer::changed(const Offer& offer) const {
  Offer other = offer;
  if (setting_.life) {
    Rules rules = *offer.rules;
    rules.spot.mean_hours_between_reclaims = setting_.life;
    other.rules = std::make_shared<const Rules>(std::move(rules));
  } else {
    (setting_.spot ? other.price.spot : other.price.on_demand) = setting_.price;
  }
  return other;
}

Pricer::Request Pricer::request_of(const Candidate& candidate, Duration run, std::int64_t machines) {
  Request asked{.request = request_for(candidate, run, machines)};
  if (setting_.offer != candidate.offer) return asked;
  asked.changed = std::make_unique<const Offer>(changed(*candidate.offer));
  asked.request.offer = asked.changed.get();
  return asked;
}

Result<Pricer::Made> Pricer::bill(const Candidate& candidate, Duration run, std::int64_t machines,
                          bool ledger) {
  Request asked = request_of(candidate, run, machines);
  BillRequest& request = asked.request;
  request.ledger = ledger;
  if (*candidate.plan == "spot") return spot_bill(request);
  auto made = simulate_bill(request);
  if (!made) return made.errors();
  return Made{.bill = std::move(*made), .trials = {}};
}

Priced Pricer::judge(const Candidate& candidate, Duration run, std::int64_t machines,
                     bool ledger) {
  const Sizing& sizing = **candidate.sizing;
  Priced priced;
  auto made = this->bill(candidate, run, machines, ledger);
  if (!made) {
    for (const Diagnostic& why : made.errors()) priced.reasons.push_back(reason_of(why));
    return priced;
  }
  if (!made->trials)
    for (const Warning& warning : made->bill.warnings)
      if (warning.code == "never_finishes") priced.reasons.push_back({warning.code, warning.message});
  if (!priced.reasons.empty()) return priced;
  RankedOffer& ranked = priced.ranked.emplace();
  ranked.offer = candidate.offer;
  ranked.platform = candidate.platform;
  ranked.sizing = *candidate.sizing;
  ranked.plan = *candidate.plan;
  ranked.machines = machines;
  ranked.warnings = sizing.warnings;
  Bill& bill = made->bill;
  ranked.warnings.insert(ranked.warnings.end(), bill.warnings.begin(), bill.warnings.end());
  ranked.unit_cost = unit_cost(ranking_->job, sizing, bill.total);
  ranked.bill = std::move(bill);
  ranked.trials = std::move(made->trials);
  priced.reasons = gate_reasons(ranked, *ranking_, *options_);
  return priced;
}

Duration Pricer::run_of(const Candidate& candidate) const {
  return times(*(*candidate.sizing)->run, setting_.work);
}

std::int64_t Pricer::machines_of(const Candidate& candidate) const {
  const std::int64_t stated = ranking_->job.machines;
  return stated > 1 ? stated : (*candidate.sizing)->machines;
}

Priced Pricer::price(const Candidate& candidate, bool ledger) {
  const bool as_it_was = setting_.offer != nullptr && setting_.offer != candidate.offer;
  if (known_ == nullptr || !as_it_was || ledger) return make(candidate, ledger);
  const auto known = known_->find(&candidate);
  if (known != known_->end()) return known->second;
  return known_->emplace(&candidate, make(candidate, ledger)).first->second;
}

Priced Pricer::make(const Candidate& candidate, bool ledger) {
  const Duration run = run_of(candidate);
  const std::int64_t machines = machines_of(candidate);
  Priced alone = judge(candidate, run, machines, ledger);
  if (machines > 1 || !only_too_late(alone) || !can_be_split(ranking_->job)) return alone;

  // More machines never finish later: the least number that is in time.
  std::int64_t late = 1;
  std::int64_t in_time = ranking_->job.splits > 1 ? std::min(ranking_->job.splits, kMostMachines)
                                                  : kMostMachines;
  if (only_too_late(judge(candidate, run, in_time, false))) return alone;
  while (in_time - late > 1) {
    const std::int64_t middle = late + (in_time - late) / 2;
    (only_too_late(judge(candidate, run, middle, false)) ? late : in_time) = middle;
  }
  Priced several = judge(candidate, run, in_time, ledger);
  if (several.ranked)
    several.ranked->warnings.push_back(
        {"several_machines",
         fmt::format("one machine would be late: the work is cut into shards for {} that run at "
                     "once; whether so many are to be had is not known",
                     in_time),
         "machines"});
  return several;
}

}  // namespace gpuplan::detail
