// What an hour of the running machine is made of.
#include <algorithm>

#include "billing/setup.hpp"

namespace gpuplan::billing {
namespace {

struct Part {
  std::string_view what, rule, spot_rule;
};
constexpr std::array kParts{Part{"gpu", "components.gpu.price", "components.gpu.spot"},
                            Part{"vcpu", "components.vcpu.price", "components.vcpu.spot"},
                            Part{"ram_gb", "components.ram_gb.price", "components.ram_gb.spot"},
                            Part{"fee", "components.fee.price", "components.fee.spot"}};

std::optional<Decimal> count_of(const Offer& offer, std::string_view what) {
  if (what == "gpu") return Decimal::of(offer.gpus);
  if (what == "vcpu") return offer.vcpus;
  if (what == "ram_gb") return offer.ram_gb;
  return Decimal::of(1);
}

// Prices of the same period are one price, as long as the sum is an exact decimal.
void add_charge(std::vector<Charge>& charges, const Charge& charge) {
  for (Charge& other : charges) {
    if (other.per != charge.per) continue;
    const auto total = sum(other.price, charge.price);
    if (!total) continue;
    other.price = *total;
    other.rule = "components";
    return;
  }
  charges.push_back(charge);
}

Refusal missing(std::string key, std::string message) {
  return {.code = "price_missing", .message = std::move(message), .pointer = "/" + std::move(key)};
}

// Empty when the part has no price or no count.
bool add_part(const Offer& offer, const Component& component, bool spot,
              std::vector<Charge>& charges) {
  const auto part = std::ranges::find(kParts, component.what, &Part::what);
  const auto count = count_of(offer, component.what);
  const auto& price = spot ? component.spot : component.price;
  if (part == kParts.end() || !price || !count) return false;
  PriceUnit per = component.per;
  auto amount = product(*price, *count);
  // A price a second is one an hour wherever that is exact: fewer lines.
  if (amount && per == PriceUnit::second) {
    if (const auto hourly = product(*amount, Decimal::of(3600))) {
      amount = hourly;
      per = PriceUnit::hour;
    }
  }
  if (!amount) return false;
  add_charge(charges, {.price = *amount, .per = per, .rule = spot ? part->spot_rule : part->rule});
  return true;
}

bool nothing(const std::vector<Charge>& charges) {
  return std::ranges::all_of(charges, [](const Charge& c) { return c.price.is_zero(); });
}

Pricing from_components(const Offer& offer, bool spot) {
  Pricing pricing;
  for (const Component& component : offer.components) {
    // Parts that have no price on the spot market are sold at their only price.
    const bool at_spot = spot && component.spot.has_value();
    if (!add_part(offer, component, at_spot, pricing.charges))
      pricing.refusal = missing(
          "components", "no price or no count is stated for the part \"" + component.what + "\"");
  }
  return pricing;
}

}  // namespace

Pricing price_running(const Offer& offer, bool spot) {
  Pricing pricing;
  const auto& whole = spot ? offer.price.spot : offer.price.on_demand;
  const bool parts_sold = !spot || std::ranges::any_of(offer.components, [](const Component& c) {
    return c.spot.has_value();
  });
  if (whole) {
    pricing.charges.push_back(
        {.price = *whole, .per = PriceUnit::hour, .rule = spot ? "price.spot" : "price.on_demand"});
  } else if (!offer.components.empty() && parts_sold) {
    pricing = from_components(offer, spot);
  } else if (offer.free && !spot && !offer.price.spot && offer.price.commitments.empty()) {
    pricing.charges.push_back({.price = Decimal{}, .per = PriceUnit::hour, .rule = "free"});
  } else {
    pricing.refusal = Refusal{.code = "plan_not_sold",
                              .message = spot ? "the offer is not sold on the spot market"
                                              : "the offer is not sold on demand",
                              .pointer = spot ? "/price/spot" : "/price/on_demand"};
  }
  if (!pricing.refusal && !offer.free && nothing(pricing.charges))
    pricing.refusal =
        missing(spot ? "price/spot" : "price/on_demand",
                "a price of 0 for a card means unknown; a free offer says \"free\": true");
  return pricing;
}

namespace {

// The series on the job's own clock.
std::vector<TimedPrice> on_the_clock(const PriceSeries& series, const Setup& setup, Notes& notes) {
  Duration zero{0};
  if (series.dated && setup.job->start)
    zero = std::chrono::duration_cast<Duration>(setup.job->start->utc.time_since_epoch());
  else if (series.dated)
    zero = series.steps.front().at;
  std::vector<TimedPrice> prices;
  for (const PriceStep& step : series.steps)
    prices.push_back({.from = step.at - zero, .price = step.price});
  if (series.dated && !setup.job->start)
    notes.warn("spot_series_undated",
               "the series of spot prices has dates and the job has no start: it is taken to begin with the first of them",
               "start");
  else if (prices.front().from.count() > 0)
    notes.warn("spot_series_starts_later",
               "the series of spot prices begins after the job: until then its first price is billed",
               "price.spot_series");
  else if (series.dated && prices.back().from.count() < 0)
    notes.warn("spot_series_ended",
               "the series of spot prices ends before the job begins: its last price is billed all the time",
               "price.spot_series");
  return prices;
}

}  // namespace

void resolve_prices(Setup& setup, Notes& notes) {
  setup.running = price_running(*setup.offer, setup.spot).charges;
  if (!setup.spot) return;
  setup.on_demand = price_running(*setup.offer, false).charges;
  const auto& series = setup.offer->price.spot_series;
  if (!series || series->prices.steps.empty()) return;
  setup.spot_prices = on_the_clock(series->prices, setup, notes);
  setup.running = {{.price = price_at(setup.spot_prices, Duration{0}),
                    .per = PriceUnit::hour,
                    .rule = "price.spot_series",
                    .series = &setup.spot_prices}};
}

const Decimal& price_at(const std::vector<TimedPrice>& prices, Duration time) {
  const auto after = std::ranges::upper_bound(prices, time, {}, &TimedPrice::from);
  return (after == prices.begin() ? after : after - 1)->price;
}

std::vector<Charge> beside_cards(const Offer& offer) {
  std::vector<Charge> charges;
  for (const Component& component : offer.components)
    if (component.what != "gpu") add_part(offer, component, false, charges);
  return charges;
}

}  // namespace gpuplan::billing
