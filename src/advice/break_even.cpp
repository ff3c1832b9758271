// From how many hours which plan is cheaper.
#include <algorithm>
#include <array>
#include <span>

#include "billing/exact.hpp"
#include "billing/plan_cost.hpp"
#include "core/text.hpp"
#include "gpuplan/advice.hpp"
#include "gpuplan/spot.hpp"
#include "gpuplan/spot_forms.hpp"

namespace gpuplan {
namespace {

using namespace billing;

constexpr std::int64_t kYearHours = 8760;
constexpr double kMonthHours = 730;  // of a published share of reclaims
// Where people look: hours, a day, a week, a month, a year.
constexpr std::array<std::int64_t, 17> kGridHours{1,   2,   4,   8,   12,  24,   48,   72,  120,
                                                  168, 240, 360, 500, 720, 1440, 4380, 8760};

std::optional<Decimal> nine_decimals(Wide numerator, Wide denominator) {
  constexpr Wide kNine = 1'000'000'000;
  const Wide whole = numerator / denominator;
  const Wide rest = (numerator % denominator * kNine + denominator / 2) / denominator;
  const Wide digits = whole * kNine + rest;
  if (digits > Wide{INT64_MAX}) return std::nullopt;
  return product(Decimal::of(static_cast<std::int64_t>(digits), 9), Decimal::of(1));
}

// Hours of a time, at most nine decimals.
Decimal hours_of(Duration time) {
  return nine_decimals(time.count(), kHour.count()).value_or(Decimal{});
}

std::string per_hour(const PlanCost& plan) {
  const Money rate = share(plan.rate, 1, static_cast<std::uint64_t>(kManyHours));
  return to_string(rate);
}

// "1001.95 / 1.39": how the hours come about.
std::string formula_of(const PlanCost& a, const PlanCost& b) {
  if (a.length.count() == 0 && b.length.count() == 0)
    return per_hour(b) + " against " + per_hour(a) + " an hour";
  const std::string rates =
      b.rate.is_zero() ? per_hour(a) : "(" + per_hour(a) + " - " + per_hour(b) + ")";
  const std::string held = " h, of the " + hours_of(b.length).to_string() + " h of a " + b.plan;
  if (a.length.count() == 0) return to_string(b.block) + " / " + rates + held;
  std::string text = to_string(b.block) + " / " + to_string(a.block) + " blocks of " +
                     hours_of(a.length).to_string() + held;
  if (!a.rate.is_zero() || !b.rate.is_zero())
    text += ", with " + per_hour(a) + " and " + per_hour(b) + " an hour beside";
  return text;
}

BreakEvenPair compare(const Offer& offer, const PlanCost& a, const PlanCost& b) {
  BreakEvenPair pair{.offer = &offer,
                     .a = a.plan,
                     .b = b.plan,
                     .hours = {},
                     .utilisation = {},
                     .hours_a_day = {},
                     .verdict = "never",
                     .formula = formula_of(a, b)};
  const auto at = crossing(a, b);
  if (!at) return pair;
  pair.verdict = at->numerator == 0 ? "always" : "from";
  pair.hours = nine_decimals(at->numerator, at->denominator);
  if (b.length.count() == 0) {
    pair.utilisation = pair.hours_a_day = Decimal{};
    return pair;
  }
  // The length in seconds keeps the products small.
  const Wide seconds = b.length.count() / kMicro;
  if (seconds == 0) return pair;
  pair.utilisation = nine_decimals(at->numerator * 3600, at->denominator * seconds);
  pair.hours_a_day = nine_decimals(at->numerator * 24 * 3600, at->denominator * seconds);
  return pair;
}

class Finder {
 public:
  Finder(const Catalog& catalog, const CardTable& cards, const Job& job,
         const BreakEvenOptions& options)
      : catalog_(catalog), cards_(cards) {
    result_.catalog = &catalog;
    result_.job = job;
    result_.currency = options.currency.empty() ? catalog.currency : options.currency;
    result_.purchase = options.purchase;
  }

  Result<BreakEven> run(std::span<const Offer* const> offers) {
    for (const Offer* offer : offers) add(*offer, offers.size() == 1);
    if (errors_.empty()) tell_priceless(offers.size());
    if (!errors_.empty()) return std::move(errors_);
    return std::move(result_);
  }

 private:
  void add(const Offer& offer, bool only) {
    if (!exchangeable(offer, only)) return;
    std::vector<PlanCost> plans =
        plan_costs(catalog_, offer, result_.job, result_.currency, result_.warnings);
    if (plans.empty()) {
      priceless_.push_back(catalog_.platforms[offer.platform].id + "/" + offer.id);
      return;
    }
    if (result_.purchase)
      if (auto own = purchase(offer)) plans.push_back(std::move(*own));
    for (std::size_t b = 1; b < plans.size(); ++b)
      for (std::size_t a = 0; a < b; ++a) pairs_of(offer, plans[a], plans[b]);
    add_rows(offer, plans);
    if (only && result_.job.work.run_hours) add_bills(offer, plans);
    if (only && plans.size() < 2)
      result_.warnings.push_back({"one_plan_only",
                                  "the offer is sold under one plan at most: there is nothing to "
                                  "compare; --buy-price compares with a card of your own",
                                  offer.id});
    if (std::ranges::find(plans, std::string("spot"), &PlanCost::plan) == plans.end()) return;
    add_reclaims(offer);
    note_spot();
  }

  // Nothing can be compared without a price: an error where no offer has one, else a warning.
  void tell_priceless(std::size_t asked) {
    constexpr std::size_t kMostNamed = 5;
    if (priceless_.empty()) return;
    const std::size_t named = std::min(priceless_.size(), kMostNamed);
    const std::string names = join(std::span(priceless_).first(named), ", ") + (priceless_.size() > named ? ", ..." : "");
    if (asked == 1 || (priceless_.size() == asked))
      errors_.push_back({ErrorCode::usage, asked == 1 ? priceless_.front() : "catalog", asked == 1 ? "/price" : "",
                         asked == 1 ? "the offer has no price under any plan: there is nothing to break even"
                                    : "no offer has a price under any plan: there is nothing to break even",
                         "state one in the catalog, or with --price 'PLATFORM/CARD=0.69 USD'"});
    else
      result_.warnings.push_back({"offers_without_price",
                                  std::to_string(priceless_.size()) + " of " + std::to_string(asked) +
                                      " offers have no price under any plan and are left out: " + names,
                                  "catalog"});
  }

  void pairs_of(const Offer& offer, const PlanCost& a, const PlanCost& b) {
    // A longer block comes second; two of one length are compared by their price.
    result_.pairs.push_back(compare(offer, a, b));
  }

  bool exchangeable(const Offer& offer, bool only) {
    const std::string& own = catalog_.platforms[offer.platform].currency;
    const std::string& wanted = result_.currency;
    for (const std::string* currency : {&own, &wanted}) {
      if (own == result_.currency || *currency == catalog_.currency) continue;
      const auto rate = catalog_.fx.find(*currency);
      if (rate != catalog_.fx.end() && !rate->second.is_zero()) continue;
      const std::string text = "the catalog has no rate of exchange for " + quote(*currency);
      if (only || *currency == result_.currency) {
        if (errors_.empty())
          errors_.push_back(
              {ErrorCode::usage, "--currency", "", text,
               "its own currency is " + catalog_.currency + "; rates stand under \"fx\""});
      } else {
        result_.warnings.push_back({"fx_missing", text, offer.id});
      }
      return false;
    }
    return true;
  }

  std::optional<PlanCost> purchase(const Offer& offer) {
    const Purchase& buy = *result_.purchase;
    PlanCost own{.plan = "buy",
                 .block = {},
                 .length = duration_of(buy.years, kYearHours * kHour),
                 .rate = {},
                 .quantum = Duration{0}};
    own.block = Money::nanos(buy.price.nanos() * offer.gpus);
    if (!buy.power_price) return own;
    const auto found = CardTable(catalog_.cards).find(offer.card);
    const auto known = found ? found : cards_.find(offer.card);
    if (!known || known->card->watts == 0) {
      result_.warnings.push_back(
          {"power_unknown",
           "how much power " + quote(offer.card) + " takes is not known: it is left out",
           offer.id});
      return own;
    }
    own.rate = Ratio{*buy.power_price}
                   .times(std::int64_t{known->card->watts})
                   .times(offer.gpus)
                   .times(kManyHours)
                   .over(std::int64_t{1000})
                   .money();
    return own;
  }

  void add_rows(const Offer& offer, const std::vector<PlanCost>& plans) {
    if (plans.empty()) return;
    std::vector<Duration> times;
    for (const std::int64_t hours : kGridHours) times.push_back(hours * kHour);
    for (const BreakEvenPair& pair : result_.pairs)
      if (pair.offer == &offer && pair.hours && !pair.hours->is_zero())
        times.push_back(duration_of(*pair.hours, kHour));
    if (result_.job.work.run_hours) times.push_back(*result_.job.work.run_hours);
    std::ranges::sort(times);
    times.erase(std::unique(times.begin(), times.end()), times.end());
    for (const Duration time : times) {
      BreakEvenRow row{.offer = &offer, .time = time, .costs = {}, .cheapest = {}};
      for (const PlanCost& plan : plans) row.costs.push_back({plan.plan, cost_of(plan, time)});
      row.cheapest = std::ranges::min_element(row.costs, {}, &BreakEvenCost::cost)->plan;
      result_.table.push_back(std::move(row));
    }
  }

  void add_bills(const Offer& offer, const std::vector<PlanCost>& plans) {
    for (const PlanCost& plan : plans) {
      if (plan.plan == "buy") continue;
      const BillRequest request{.catalog = &catalog_,
                                .offer = &offer,
                                .job = &result_.job,
                                .run = *result_.job.work.run_hours,
                                .plan = plan.plan,
                                .currency = result_.currency,
                                .ledger = false};
      const auto bill = simulate_bill(request);
      if (!bill) continue;
      result_.bills.push_back({&offer, plan.plan, bill->total, bill->complete});
      for (const Warning& warning : bill->warnings)
        if (std::ranges::find(result_.warnings, warning) == result_.warnings.end())
          result_.warnings.push_back(warning);
    }
  }

  // Up to which rate of reclaims spot is the cheaper way to rent.
  void add_reclaims(const Offer& offer) {
    const auto even = spot_break_even({.catalog = &catalog_,
                                       .offer = &offer,
                                       .job = &result_.job,
                                       .run = result_.job.work.run_hours.value_or(Duration{0}),
                                       .plan = "spot",
                                       .currency = result_.currency,
                                       .ledger = false});
    if (!even) return;
    BreakEvenReclaims reclaims;
    reclaims.offer = &offer;
    reclaims.verdict = "never";
    reclaims.price_ratio = even->price_ratio;
    reclaims.load = even->load;
    if (even->mean_life_hours) {
      const double life = *even->mean_life_hours;
      reclaims.verdict = life > 0 ? "from" : "always";
      reclaims.mean_life_hours = life;
      if (life > 0) {
        reclaims.percent_hour = 100 * spot::reclaimed_within(1, life);
        reclaims.percent_month = 100 * spot::reclaimed_within(kMonthHours, life);
      }
    } else if (even->load && !result_.job.work.run_hours) {
      reclaims.verdict = "from";
    }
    result_.reclaims.push_back(reclaims);
  }

  void note_spot() {
    constexpr std::string_view kCode = "spot_reclaims_left_out";
    if (std::ranges::find(result_.warnings, kCode, &Warning::code) != result_.warnings.end())
      return;
    result_.warnings.push_back({std::string(kCode),
                                "hours under spot are billed hours: work that is lost when a "
                                "machine is taken back has to be done again",
                                "spot"});
  }

  const Catalog& catalog_;
  const CardTable& cards_;
  BreakEven result_;
  Diagnostics errors_;
  std::vector<std::string> priceless_;  // offers under no plan
};

}  // namespace

Result<BreakEven> find_break_even(std::span<const Offer* const> offers, const Catalog& catalog,
                                  const CardTable& cards, const Job& job,
                                  const BreakEvenOptions& options) {
  return Finder(catalog, cards, job, options).run(offers);
}

}  // namespace gpuplan
