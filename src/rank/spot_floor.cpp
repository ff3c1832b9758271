#include "rank/spot_floor.hpp"

#include <algorithm>
#include <cmath>

#include "gpuplan/spot.hpp"

namespace gpuplan::detail {
namespace {

// A run's bill scatters about as much as it is; a mean of n runs is eight of its standard errors low
// once in 10^15 times.
constexpr double kErrors = 8;
constexpr double kReclaimsOfThoseDone = 10'000;  // far fewer than a run is given up after

bool reclaims_may_pay(const Offer& offer, const Platform& platform) {
  const SpotRules& rules = offer.rules->spot;
  const MeterRules& meter = offer.rules->meter;
  return rules.free_if_reclaimed_within_s.value_or(0) > 0 || rules.free_last_quantum.value_or(false) ||
         meter.round == Round::nearest || meter.cap_month || !platform.account.credits.empty() ||
         !platform.account.discounts.empty();
}

// A machine that stays on behind the work is cheaper when it is taken away. `bill`: of a run that is not.
bool stays_on(const Job& job, const Offer& offer, const Bill& bill) {
  if (job.idle.count() > 0) return true;
  if (job.keep.days.count() == 0) return false;
  if (job.end) return *job.end != Verb::terminate;
  const bool kept_by_machine = std::ranges::any_of(
      bill.warnings, [](const Warning& warning) { return warning.code == "cannot_keep_disk"; });
  return kept_by_machine || (job.data.disk && offer.rules->spot.can_stop.value_or(false));
}

// Then no policy that also takes machines on demand is cheaper than spot machines alone.
bool spot_is_cheaper(const Prices& price) {
  return price.spot && (!price.on_demand || *price.spot <= *price.on_demand);
}

// `money` so many thousandths of it, rounded down.
Money thousandths(Money money, std::int64_t count) { return Money::nanos(money.nanos() * count / 1000); }

}  // namespace

std::optional<SpotFloor> spot_floor(const BillRequest& request, std::int64_t trials) {
  const Platform& platform = request.catalog->platforms[request.offer->platform];
  // With prices over time a run that is disturbed may fall into cheaper hours.
  if (request.job->splits > 1 || request.offer->price.spot_series || reclaims_may_pay(*request.offer, platform))
    return std::nullopt;
  if (request.job->policy && !spot_is_cheaper(request.offer->price)) return std::nullopt;
  BillRequest quiet = request;
  quiet.ledger = false;
  const auto bill = simulate_bill(quiet);
  if (!bill || stays_on(*request.job, *request.offer, *bill)) return std::nullopt;
  SpotFloor floor;
  floor.wall = bill->time.wall;
  // Rounding of many sessions may leave a last digit.
  floor.total = floor.undisturbed = Money::nanos(bill->total.nanos() - bill->total.nanos() / 1'000'000);
  const auto means = spot_means(request);
  const auto compute = bill->totals.find(Item::compute);
  if (!means || compute == bill->totals.end()) return floor;
  floor.by_forms = true;
  floor.is_done = means->reclaims <= kReclaimsOfThoseDone;
  const double kept = 1 - kErrors / std::sqrt(static_cast<double>(std::max<std::int64_t>(trials, 1)));
  const double more = std::clamp(1000 * (means->card_time * kept - 1), 0.0, 1e9);
  floor.total += thousandths(compute->second, static_cast<std::int64_t>(more));
  return floor;
}

}  // namespace gpuplan::detail
