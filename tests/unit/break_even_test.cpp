// From how many hours one plan is cheaper than another.
#include <cmath>
#include <random>

#include "billing_world.hpp"
#include "gpuplan/advice.hpp"

using namespace gpuplan;
using namespace gpuplan::test;
using namespace std::chrono_literals;

namespace {

struct Market : World {
  CardTable cards{std::vector<Card>{}};
  BreakEvenOptions options;

  BreakEven answer() {
    offer.rules = std::make_shared<const Rules>(rules);
    const Offer* one = &offer;
    auto found = find_break_even({&one, 1}, catalog, cards, job, options);
    REQUIRE(found);
    return *std::move(found);
  }
  BreakEvenPair pair(const std::string& a, const std::string& b) {
    const BreakEven found = answer();
    for (const BreakEvenPair& p : found.pairs)
      if (p.a == a && p.b == b) return p;
    FAIL("no pair " << a << ", " << b);
    return {};
  }
  std::string hours(const std::string& a, const std::string& b) {
    const auto found = pair(a, b).hours;
    return found ? found->to_string() : "never";
  }
};

std::string text(const std::optional<Decimal>& value) {
  return value ? value->to_string() : "none";
}

}  // namespace

TEST_CASE("without a price there is nothing to break even, and that is said", "[breakeven]") {
  Market m;
  m.offer.price.on_demand.reset();
  m.offer.rules = std::make_shared<const Rules>(m.rules);
  Offer priced = m.offer;
  priced.id = "priced";
  priced.price.on_demand = dec("1");
  const auto ask = [&](std::vector<const Offer*> offers) {
    return find_break_even(offers, m.catalog, m.cards, m.job, m.options);
  };
  const auto alone = ask({&m.offer});
  REQUIRE_FALSE(alone);
  CHECK(alone.errors().front().source == "acme/o");
  CHECK(alone.errors().front().message == "the offer has no price under any plan: there is nothing to break even");
  CHECK_FALSE(ask({&m.offer, &m.offer}));
  const auto one_of_two = ask({&m.offer, &priced});
  REQUIRE(one_of_two);
  REQUIRE(one_of_two->warnings.size() == 1);
  CHECK(one_of_two->warnings.front().code == "offers_without_price");
  CHECK(one_of_two->warnings.front().message ==
        "1 of 2 offers have no price under any plan and are left out: acme/o");
}

TEST_CASE("a day plan at 22 times the hourly price wins from 22 h a day", "[breakeven]") {
  Market m;
  m.term("day", "24", "22");
  const BreakEvenPair pair = m.pair("on_demand", "day");
  CHECK(text(pair.hours) == "22");
  CHECK(text(pair.hours_a_day) == "22");
  CHECK(text(pair.utilisation) == "0.916666667");
  CHECK(pair.verdict == "from");
  CHECK(pair.formula == "22 / 1 h, of the 24 h of a day");
}

TEST_CASE("a month at 600 times the hourly price wins from 600 h, 20 h a day", "[breakeven]") {
  Market m;
  m.offer.price.on_demand = dec("1.66");
  m.term("month", "720", "996");
  const BreakEvenPair pair = m.pair("on_demand", "month");
  CHECK(text(pair.hours) == "600");
  CHECK(text(pair.hours_a_day) == "20");
  CHECK(text(pair.utilisation) == "0.833333333");
}

TEST_CASE("a month that costs more than 720 hours never wins", "[breakeven]") {
  Market m;
  m.offer.price.on_demand = dec("1.39");
  m.term("month", "720", "1001.95");  // 720.83 h
  CHECK(m.hours("on_demand", "month") == "never");
  CHECK(m.pair("on_demand", "month").verdict == "never");
  CHECK(text(m.pair("on_demand", "month").utilisation) == "none");
  m.offer.price.commitments.front().price = dec("1000.8");  // exactly 720 h: equal, not cheaper
  CHECK(m.hours("on_demand", "month") == "never");
  m.offer.price.commitments.front().price = dec("1000.79");
  CHECK(m.hours("on_demand", "month") == "719.992805755");
}

TEST_CASE("spot is always or never cheaper, by its price", "[breakeven]") {
  Market m;
  m.offer.price.spot = dec("0.4");
  CHECK(m.pair("on_demand", "spot").verdict == "always");
  CHECK(m.hours("on_demand", "spot") == "0");
  CHECK(m.answer().warnings.front().code == "spot_reclaims_left_out");
  m.offer.price.spot = dec("1.1");
  CHECK(m.pair("on_demand", "spot").verdict == "never");
}

TEST_CASE("days against a week: five days cost the same, beyond them the week wins",
          "[breakeven]") {
  Market m;
  m.term("week", "168", "100");
  m.term("day", "24", "20");  // the shorter one is compared first, wherever it stands
  CHECK(m.hours("day", "week") == "120");
  m.offer.price.commitments.front().price = dec("99");
  CHECK(m.hours("day", "week") == "96");
  m.offer.price.commitments.front().price = dec("141");  // seven days are 140
  CHECK(m.hours("day", "week") == "never");
}

TEST_CASE("whole hours: a block that costs 21.5 hours wins beyond 21 of them", "[breakeven]") {
  Market m;
  m.rules.meter.quantum_s = 3600;
  m.term("day", "24", "21.5");
  CHECK(m.hours("on_demand", "day") == "21");
}

TEST_CASE("hours that are paid beside the advance payment make it win later", "[breakeven]") {
  Market m;
  Commitment& year = m.term("year", "8760", "1000");
  year.hourly = dec("0.5");
  year.hourly_used = true;
  CHECK(m.hours("on_demand", "year") == "2000");          // 1000 / (1 - 0.5)
  m.offer.price.commitments.front().hourly_used = false;  // owed for every hour: 1000 + 4380
  CHECK(m.hours("on_demand", "year") == "5380");
  m.offer.price.commitments.front().hourly_used = true;
  m.offer.price.commitments.front().hourly = dec("1");
  CHECK(m.hours("on_demand", "year") == "never");
  // 1,200 in advance and 1.10 an hour against 3.06: 1200 / 1.96.
  m.offer.price.on_demand = dec("3.06");
  m.offer.price.commitments.front().price = dec("1200");
  m.offer.price.commitments.front().hourly = dec("1.1");
  CHECK(m.hours("on_demand", "year") == "612.244897959");
}

TEST_CASE("spot is cheaper until machines are taken back too often", "[breakeven]") {
  Market m;
  m.offer.price.on_demand = dec("3");
  m.offer.price.spot = dec("1");
  const auto only = [&m] {
    const BreakEven found = m.answer();
    REQUIRE(found.reclaims.size() == 1);
    return found.reclaims.front();
  };
  // No work is stated: so many mean lives of it, (e^x - 1) / x = 3.
  CHECK(only().verdict == "from");
  CHECK(*only().load == Approx(1.9038136944403834).epsilon(1e-9));
  CHECK_FALSE(only().mean_life_hours);
  m.job.work.run_hours = 10h;
  CHECK(*only().mean_life_hours == Approx(10 / 1.9038136944403834).epsilon(1e-9));
  CHECK(*only().percent_hour == Approx(100 * (1 - std::exp(-0.19038136944403834))).epsilon(1e-9));
  // Checkpoints make short lives bearable: to three times the time with two minutes every half hour.
  m.job.checkpoint = CheckpointPlan{.every = 30min,
                                    .to = CheckpointTo::object,
                                    .size = Bytes::gb(1),
                                    .keep = 1,
                                    .write = 2min,
                                    .restore = 5min,
                                    .resume = true};
  CHECK(*only().mean_life_hours < 1);
  m.offer.price.spot = dec("3");
  CHECK(only().verdict == "never");
  CHECK_FALSE(only().mean_life_hours);
  m.offer.price.spot.reset();
  CHECK(m.answer().reclaims.empty());
}

TEST_CASE("a term for the cards alone leaves the other parts to be paid", "[breakeven]") {
  Market m;
  m.offer.price.on_demand.reset();
  m.offer.vcpus = dec("10");
  m.offer.components = {{.what = "gpu", .price = dec("1"), .spot = {}},
                        {.what = "vcpu", .price = dec("0.05"), .spot = {}}};
  Commitment& month = m.term("month", "720", "500");
  month.covers_gpu_only = true;
  CHECK(m.hours("on_demand", "month") == "500");  // 500 / (1.5 - 0.5)
}

TEST_CASE("a discount for one plan moves the point", "[breakeven]") {
  Market m;
  m.term("day", "24", "22");
  m.platform().account.discounts.push_back(
      {.percent = dec("10"), .plans = {"reserved"}, .items = {}, .who = {}, .above_spend = {}});
  CHECK(m.hours("on_demand", "day") == "19.8");
  m.platform().account.discounts.front().who = {"student"};
  CHECK(m.hours("on_demand", "day") == "22");
  m.job.who = {"student"};
  CHECK(m.hours("on_demand", "day") == "19.8");
}

TEST_CASE("buying pays from the hours that its price and power are worth", "[breakeven]") {
  Market m;
  Card card;
  card.name = "RTX 4090";
  card.watts = 450;
  m.cards = CardTable({card});
  m.offer.gpus = 2;
  m.offer.price.on_demand = dec("1");
  m.options.purchase = Purchase{.price = usd("1800"), .power_price = dec("0.30")};
  // Two cards cost 3600 and take 0.9 kW: 0.27 an hour. 3600 / 0.73
  const BreakEvenPair pair = m.pair("on_demand", "buy");
  CHECK(text(pair.hours) == "4931.506849315");
  CHECK(text(pair.utilisation) == "0.187652468");  // of three years
  m.options.purchase->power_price.reset();
  CHECK(m.hours("on_demand", "buy") == "3600");
  m.options.purchase->years = dec("0.4");  // 3504 h
  CHECK(m.hours("on_demand", "buy") == "never");
}

TEST_CASE("a card whose power nobody states is bought without it, and that is said",
          "[breakeven]") {
  Market m;
  m.options.purchase = Purchase{.price = usd("1800"), .power_price = dec("0.30")};
  CHECK(m.hours("on_demand", "buy") == "1800");
  CHECK(m.answer().warnings.front().code == "power_unknown");
}

TEST_CASE("the table shows each plan at the hours where people look and at each crossing",
          "[breakeven]") {
  Market m;
  m.term("day", "24", "22");
  const BreakEven found = m.answer();
  const auto at = [&](Duration time) {
    for (const BreakEvenRow& row : found.table)
      if (row.time == time) return row;
    FAIL("no such row");
    return BreakEvenRow{};
  };
  CHECK(at(22h).cheapest == "on_demand");  // equal: the plan that needs no advance payment
  CHECK(to_string(at(24h).costs[0].cost) == "24");
  CHECK(to_string(at(24h).costs[1].cost) == "22");
  CHECK(at(24h).cheapest == "day");
  CHECK(to_string(at(720h).costs[1].cost) == "660");
  for (std::size_t i = 1; i < found.table.size(); ++i)
    CHECK(found.table[i - 1].time < found.table[i].time);
}

TEST_CASE("every point found is one: just below b is no cheaper, just above it is",
          "[breakeven][property]") {
  std::mt19937_64 engine(17);
  const auto upto = [&](std::uint64_t most) { return static_cast<std::int64_t>(engine() % most); };
  int points = 0;
  for (int round = 0; round < 400; ++round) {
    Market m;
    m.offer.price.on_demand = Decimal::of(1 + upto(500), 2);
    if (upto(2) == 0) m.rules.meter.quantum_s = 3600;
    m.term("day", "24", std::to_string(1 + upto(100)));
    m.term("week", "168", std::to_string(1 + upto(700)));
    for (const BreakEvenPair& pair : m.answer().pairs) {
      CAPTURE(round, pair.a, pair.b);
      const auto bill = [&](const std::string& plan, Duration run) {
        m.run = run;
        return m.bill(plan).total;
      };
      const Duration length = pair.b == "day" ? 24h : 168h;
      if (pair.verdict == "never") {
        for (int i = 1; i <= 8; ++i)
          CHECK(bill(pair.b, length / 8 * i) >= bill(pair.a, length / 8 * i));
        continue;
      }
      ++points;
      const Duration at{*pair.hours->times(3'600'000'000)};
      // A second is what on demand is metered by: two of them are on the safe side.
      CHECK(bill(pair.b, at + 2s) < bill(pair.a, at + 2s));
      if (at > 2s) CHECK(bill(pair.b, at - 2s) >= bill(pair.a, at - 2s));
    }
  }
  CHECK(points > 200);
}

TEST_CASE("the whole bill of a stated run stands beside the card time", "[breakeven]") {
  Market m;
  m.term("day", "24", "22");
  m.rules.provision.start_s = dec("3600");
  m.rules.meter.billed_from = BilledFrom::provisioning;
  m.job.work.run_hours = Duration{22h};
  const BreakEven found = m.answer();
  REQUIRE(found.bills.size() == 2);
  CHECK(to_string(found.bills[0].total) == "23");  // start-up is paid on demand
  CHECK(to_string(found.bills[1].total) == "22");
}
