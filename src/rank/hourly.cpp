#include "rank/hourly.hpp"

#include <algorithm>

#include "billing/exact.hpp"
#include "billing/ledger.hpp"
#include "billing/setup.hpp"

namespace gpuplan::detail {
namespace {

using namespace billing;

// A month that nobody describes has 730 hours, as in bills; of calendar months February's hours are the dearest.
constexpr std::int64_t kPlainMonthHours = 730, kShortestMonthHours = 28 * 24;

Money an_hour_of(const Charge& charge, const Offer& offer) {
  const Ratio price{charge.price};
  switch (charge.per) {
    case PriceUnit::second: return Ratio{price}.times(std::int64_t{3600}).money();
    case PriceUnit::hour: return price.money();
    case PriceUnit::day: return Ratio{price}.over(std::int64_t{24}).money();
    case PriceUnit::month: break;
  }
  const std::int64_t stated = offer.rules->meter.month_hours.value_or(kPlainMonthHours);
  return Ratio{price}.over(stated == 0 ? kShortestMonthHours : stated).money();
}

Money running(const Offer& offer, bool spot) {
  Money sum;
  for (const Charge& charge : price_running(offer, spot).charges) sum += an_hour_of(charge, offer);
  if (!spot || !offer.price.spot_series) return sum;
  for (const PriceStep& step : offer.price.spot_series->prices.steps)
    sum = std::max(sum, Money::rounded(step.price));
  return sum;
}

Money prepaid(const Bill& bill, const Offer& offer) {
  Money dearest;
  for (const Block& block : bill.blocks) {
    const auto term = std::ranges::find(offer.price.commitments, block.term, &Commitment::name);
    if (term == offer.price.commitments.end()) continue;
    const Duration length = duration_of(term->hours, kHour);
    const Money beside = term->hourly ? Money::rounded(*term->hourly) : Money{};
    dearest = std::max(dearest, Ratio{term->price}.times(kHour).over(length).money() + beside);
  }
  return dearest;
}

}  // namespace

Money hourly_price(const RankedOffer& ranked, const Ranking& ranking) {
  const Offer& offer = *ranked.offer;
  const bool prepays = ranked.plan != "on_demand" && ranked.plan != "spot";
  const Money one = prepays ? prepaid(ranked.bill, offer) : running(offer, ranked.plan == "spot");
  const Exchange exchange(*ranking.catalog, ranked.platform->currency, ranking.currency);
  return exchange.convert(Money::nanos(one.nanos() * ranked.machines));
}

std::optional<Money> hourly_cap(const RankOptions& options, const std::string& plan) {
  for (const std::string& key : {plan, std::string{}})
    if (const auto cap = options.max_hourly.find(key); cap != options.max_hourly.end()) return cap->second;
  return std::nullopt;
}

}  // namespace gpuplan::detail
