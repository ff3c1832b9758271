// Several jobs of one account, lists that name one term, expected values, and who states a rule.
#include "billing_world.hpp"

using namespace gpuplan;
using namespace gpuplan::test;
using namespace std::chrono_literals;

namespace {

// Bills the same job again and again on one account.
struct Account {
  AccountUse use;
  Bill bill(World& w, const std::string& plan = "on_demand") {
    w.offer.rules = std::make_shared<const Rules>(w.rules);
    auto made = simulate_bill({.catalog = &w.catalog,
                               .offer = &w.offer,
                               .job = &w.job,
                               .run = w.run,
                               .plan = plan,
                               .currency = w.currency,
                               .account = &use});
    REQUIRE(made);
    return *std::move(made);
  }
};

}  // namespace

TEST_CASE("free traffic of a month is free once for all jobs of the account",
          "[billing][account]") {
  World w;
  w.rules.network.egress_per_gb = dec("0.1");
  w.rules.network.egress_included_gb_month = dec("100");
  w.job.data.download = Bytes::gb(80);
  w.run = 1h;
  Account account;
  CHECK(part(account.bill(w), Item::network) == "0");
  CHECK(part(account.bill(w), Item::network) == "6");  // 60 of 80 GB
  CHECK(part(account.bill(w), Item::network) == "8");
}

TEST_CASE("a plan fee is paid once a month, whoever has jobs in it", "[billing][account]") {
  World w;
  w.platform().account.fee_month = dec("20");
  w.run = 1h;
  Account account;
  CHECK(part(account.bill(w), Item::fees) == "20");
  CHECK(part(account.bill(w), Item::fees) == "none");
  w.run = 31 * 24h;  // reaches the second month
  CHECK(part(account.bill(w), Item::fees) == "20");
}

TEST_CASE("a trial credit is spent once, a monthly one once a month", "[billing][account]") {
  World w;
  w.platform().account.credits.push_back(
      {.amount = dec("25"), .monthly = false, .expires_days = {}, .plans = {}, .who = {}});
  w.run = 20h;
  {
    Account account;
    CHECK(to_string(account.bill(w).total) == "0");
    CHECK(to_string(account.bill(w).total) == "15");
    CHECK(to_string(account.bill(w).total) == "20");
  }
  w.platform().account.credits.front().monthly = true;
  w.job.start = parse_moment("2026-05-30T00:00:00Z");
  Account account;
  CHECK(to_string(account.bill(w).total) == "0");
  CHECK(to_string(account.bill(w).total) == "15");
  w.job.start = parse_moment("2026-06-01T00:00:00Z");
  CHECK(to_string(account.bill(w).total) == "0");
}

TEST_CASE("a volume discount counts what earlier jobs have spent", "[billing][account]") {
  World w;
  w.platform().account.discounts.push_back(
      {.percent = dec("10"), .plans = {}, .items = {}, .who = {}, .above_spend = dec("100")});
  w.run = 80h;
  Account account;
  CHECK(to_string(account.bill(w).total) == "80");
  CHECK(to_string(account.bill(w).total) == "74");  // 60 of the 80 are above 100
}

TEST_CASE("images beyond the free amount of the account", "[billing][account]") {
  World w;
  StorageRule& rule = w.storage(StorageKind::image, "0.01");
  rule.per = PricePer::day;
  rule.included_gb = dec("30");
  rule.included_per_account = true;
  w.job.keep.images = {Bytes::gb(20)};
  w.job.keep.days = 24h;
  Account account;
  CHECK(part(account.bill(w), Item::storage) == "0");
  CHECK(part(account.bill(w), Item::storage) == "0.1");
  CHECK(part(account.bill(w), Item::storage) == "0.2");
}

TEST_CASE("a discount for weekly plans holds for the weeks of a mixed cover",
          "[billing][account]") {
  World w;
  w.offer.price.on_demand = dec("1");
  w.term("day", "24", "20");
  w.term("week", "168", "100");
  w.run = 240h;  // a week and three days: 100 + 60
  w.platform().account.discounts.push_back(
      {.percent = dec("10"), .plans = {"week"}, .items = {}, .who = {}, .above_spend = {}});
  CHECK(w.total("reserved") == "150");
  CHECK(w.total("week") == "180");       // two weeks, all of them
  CHECK(w.total("on_demand") == "240");  // no week at all
  w.platform().account.discounts.front().plans = {"reserved"};
  CHECK(w.total("reserved") == "144");
}

TEST_CASE("the cheapest cover counts the discount of one term", "[billing][account]") {
  World w;
  w.term("day", "24", "20");
  w.term("week", "168", "150");  // seven days are 140
  w.run = 168h;
  CHECK(w.total("reserved") == "140");
  w.platform().account.discounts.push_back(
      {.percent = dec("50"), .plans = {"week"}, .items = {}, .who = {}, .above_spend = {}});
  CHECK(w.total("reserved") == "75");
}

TEST_CASE("a credit for one term is spent on its blocks only", "[billing][account]") {
  World w;
  w.term("day", "24", "20");
  w.term("week", "168", "100");
  w.run = 240h;
  w.platform().account.credits.push_back(
      {.amount = dec("500"), .monthly = false, .expires_days = {}, .plans = {"day"}, .who = {}});
  CHECK(w.total("reserved") == "100");
  CHECK(part(w.bill("reserved"), Item::credit) == "-60");
}

TEST_CASE("checkpoints to the object store pay for internal traffic, both ways",
          "[billing][account]") {
  World w;
  w.offer.price.spot = dec("1");
  w.rules.network.internal_per_gb = dec("0.01");
  w.storage(StorageKind::object, "0");
  w.rules.spot.reclaim_after_s = std::vector<std::int64_t>{2 * 3600 + 1200};
  w.job.checkpoint = CheckpointPlan{.every = 30min,
                                    .to = CheckpointTo::object,
                                    .size = Bytes::gb(10),
                                    .keep = 1,
                                    .write = Duration{0},
                                    .restore = Duration{0},
                                    .resume = true};
  w.run = 4h;
  // Four writes before the reclaim, one read, and three of the last four pieces of work are
  // followed by a write: 8 x 10 GB.
  CHECK(part(w.bill("spot"), Item::network) == "0.8");
  w.job.checkpoint->to = CheckpointTo::local;
  CHECK(part(w.bill("spot"), Item::network) == "none");
}

TEST_CASE("a start that succeeds four times in five takes 1.25 tries", "[billing][expected]") {
  World w;
  w.rules.provision.queue_s = dec("600");
  w.run = 1h;
  CHECK(w.bill().expected.queue == Duration{10min});
  CHECK_FALSE(w.bill().expected.start_tries);
  w.rules.provision.available = dec("0.8");
  CHECK(w.bill().expected.start_tries->to_string() == "1.25");
  CHECK(w.bill().expected.queue == Duration{750s});
  CHECK(w.total() == "1");  // an expectation, not a line of the bill
}

TEST_CASE("a promised uptime of 99 percent leaves one hour in a hundred", "[billing][expected]") {
  World w;
  w.run = 100h;
  CHECK_FALSE(w.bill().expected.credit_if_missed);
  w.platform().account.sla_uptime_percent = dec("99");
  w.platform().account.sla_credit_percent = dec("10");
  const Expected expected = w.bill().expected;
  CHECK(expected.allowed_down == Duration{1h});
  CHECK(to_string(*expected.credit_if_missed) == "10");
  CHECK(w.total() == "100");
}

TEST_CASE("billed time is the time in which card time is paid", "[billing][account]") {
  World w;
  w.job.machines = 2;
  w.run = 10h;
  w.job.idle = 2h;
  CHECK(w.bill().billed == Duration{14h});  // 2 x (5 + 2)
  w.job.auto_stop = 0h;
  CHECK(w.bill().billed == Duration{10h});
}

TEST_CASE("hours that a platform does not give are told, and cost what they cost",
          "[billing][quota]") {
  World w;
  w.run = 100h;
  w.rules.quota = QuotaRules{.hours = dec("30"), .per = "week", .session_max_s = {}};
  CHECK(warns(w.bill(), "quota_exceeded"));
  CHECK(w.total() == "100");
  w.job.schedule = Schedule{.from_minute = 9 * 60, .to_minute = 13 * 60, .days = 0x7f};
  CHECK_FALSE(warns(w.bill(), "quota_exceeded"));  // 28 h a week
  w.job.machines = 2;
  CHECK(warns(w.bill(), "quota_exceeded"));
  w.rules.quota = QuotaRules{.hours = {}, .per = {}, .session_max_s = dec("14400")};
  CHECK_FALSE(warns(w.bill(), "session_too_long"));
  w.job.schedule.reset();
  CHECK(warns(w.bill(), "session_too_long"));
}

TEST_CASE("a line says which rules made it, and who states them", "[billing][explain]") {
  const auto catalog = read_catalog(R"({
    "schema": "gpuplan.catalog/1", "as_of": "2026-11-01", "currency": "USD", "name": "mine",
    "defaults": {"meter": {"quantum_s": 60}},
    "platforms": [{"id": "acme", "source": "its price page", "as_of": "2026-10-01",
      "stop": "released", "meter": {"round": "up"},
      "storage": {"data": {"per_gb_month": 0.1}},
      "offers": [{"id": "o", "card": "L40S", "price": {"on_demand": 0.9},
                  "source": "its list", "as_of": "2026-10-20", "stop": {"stop": "held"}},
                 {"id": "p", "card": "L40S", "price": {"on_demand": 0.9}, "meter": {"round": null}}]}]
  })",
                                    "test");
  REQUIRE(catalog);
  const RuleOrigins origins(*catalog, catalog->offers[0]);
  CHECK(origins.of("price.on_demand").level == "offer");
  CHECK(origins.of("price.on_demand").source == "its list");
  CHECK(to_string(*origins.of("price.on_demand").as_of) == "2026-10-20");
  CHECK(origins.of("stop.stop").level == "offer");
  CHECK(origins.of("storage.data").level == "platform");
  CHECK(origins.of("storage.data").source == "its price page");
  CHECK(origins.of("meter.round").level == "platform");
  CHECK(origins.of("meter.quantum_s").level == "catalog");
  CHECK(origins.of("meter.minimum_s").level == "default");
  CHECK(origins.of("stop.hibernate").level == "default");  // "stop": "released" says nothing of it
  const RuleOrigins other(*catalog, catalog->offers[1]);
  CHECK(other.of("stop.stop").level == "platform");
  CHECK(other.of("meter.round").level == "default");  // set back by the offer

  Job job;
  job.data.disk = Bytes::gb(100);
  const auto bill = simulate_bill({.catalog = &*catalog,
                                   .offer = &catalog->offers[0],
                                   .job = &job,
                                   .run = Duration{10h},
                                   .currency = "USD"});
  REQUIRE(bill);
  REQUIRE(bill->ledger.size() == 2);
  const auto compute = explain_line(bill->ledger[0], *catalog, catalog->offers[0], origins, "USD");
  CHECK(compute.formula == "0.9 USD an hour x 10 h = 9 USD");
  CHECK(compute.rules[0].key == "price.on_demand");
  CHECK(compute.rules[1].key == "meter.quantum_s");
  CHECK(compute.rules[1].value == "60 s");
  CHECK(compute.rules[1].origin.level == "catalog");
  const auto disk = explain_line(bill->ledger[1], *catalog, catalog->offers[0], origins, "USD");
  CHECK(disk.formula == "100 GB x 0.1 USD a GB-month x 10 h / 730 h = 0.136986301 USD");
  CHECK(disk.rules[1].key == "meter.month_hours");
  CHECK(disk.rules[1].origin.level == "default");
}
