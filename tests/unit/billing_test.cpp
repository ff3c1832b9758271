// What a renter pays for card time: metering, start-up, machines, parts, taxes and credits.
#include "billing_world.hpp"

using namespace gpuplan;
using namespace gpuplan::test;
using namespace std::chrono_literals;

TEST_CASE("ten hours at 0.69 by the second cost 6.90", "[billing]") {
  World w;
  w.offer.price.on_demand = dec("0.69");
  w.run = 10h;
  const Bill bill = w.bill();
  CHECK(to_string(bill.total) == "6.9");
  REQUIRE(bill.ledger.size() == 1);
  const LedgerLine& line = bill.ledger.front();
  CHECK(line.item == Item::compute);
  CHECK(line.state == "running");
  CHECK(line.quantity == "10");
  CHECK(line.unit == "hour");
  CHECK(line.unit_price == "0.69");
  CHECK(line.rule == "price.on_demand");
  CHECK(bill.complete);
}

TEST_CASE("16 h 23 min at 0.69 are 11.3045: one rounding, at the end", "[billing]") {
  World w;
  w.offer.price.on_demand = dec("0.69");
  w.run = 16h + 23min;
  CHECK(w.total() == "11.3045");
  w.run = 1s;  // 0.69 / 3600 = 0.000191666...
  CHECK(w.total() == "0.000191667");
}

TEST_CASE("whole hours: 1, 59 and 60 minutes cost an hour, 61 minutes two", "[billing]") {
  World w;
  w.rules.meter.quantum_s = 3600;
  w.rules.meter.round = Round::up;
  const auto [minutes, hours] =
      GENERATE(table<int, std::string>({{1, "1"}, {59, "1"}, {60, "1"}, {61, "2"}}));
  w.run = std::chrono::minutes{minutes};
  CHECK(w.total() == hours);
}

TEST_CASE("nearest half hours: 44 minutes count as 30, 45 as 60", "[billing]") {
  World w;
  w.rules.meter.quantum_s = 1800;
  w.rules.meter.round = Round::nearest;
  w.run = 44min;
  CHECK(w.total() == "0.5");
  w.run = 45min;
  CHECK(w.total() == "1");
}

TEST_CASE("hours by the clock: ten minutes across a full hour touch two of them", "[billing]") {
  World w;
  w.rules.meter.quantum_s = 3600;
  w.rules.meter.align = Align::clock;
  w.job.start = parse_moment("2026-12-01T20:55:00+08:00");
  w.run = 10min;
  CHECK(w.total() == "2");
  w.job.start = parse_moment("2026-12-01T20:05:00+08:00");
  CHECK(w.total() == "1");
}

TEST_CASE("a minimum of 60 s for each start: ten machines for 20 s pay 600 s", "[billing]") {
  World w;
  w.offer.price.on_demand = dec("3.6");
  w.rules.meter.minimum_s = 60;
  w.job.machines = 10;
  w.run = 200s;
  const Bill bill = w.bill();
  CHECK(to_string(bill.total) == "0.6");
  REQUIRE(bill.ledger.size() == 20);
  CHECK(bill.ledger[10].note == "minimum");
  CHECK(bill.ledger[19].instance == 9);
}

TEST_CASE("start-up, work and idle time are one span: 65 minutes are two whole hours",
          "[billing]") {
  World w;
  w.rules.meter.quantum_s = 3600;
  w.rules.provision.start_s = dec("300");
  w.run = 50min;
  w.job.idle = 10min;
  const Bill bill = w.bill();
  CHECK(to_string(bill.total) == "2");
  CHECK(part(bill, Item::startup) == "0.083333333");
  CHECK(part(bill, Item::compute) ==
        "0.833333334");                            // running sums: 0.083333333 + this = 0.916666667
  CHECK(part(bill, Item::idle) == "1.083333333");  // ten minutes and what the rounding adds
  CHECK(bill.ledger.back().note == "rounding");
}

TEST_CASE("from when the platform bills decides who pays queue and start-up", "[billing]") {
  World w;
  w.offer.price.on_demand = dec("3.6");
  w.rules.provision.queue_s = dec("600");
  w.rules.provision.start_s = dec("300");
  w.run = 1h;
  w.rules.meter.billed_from = BilledFrom::request;
  CHECK(w.total() == "4.5");
  w.rules.meter.billed_from = BilledFrom::provisioning;
  CHECK(w.total() == "3.9");
  w.rules.meter.billed_from = BilledFrom::ready;
  CHECK(w.total() == "3.6");
  w.rules.meter.billed_from.reset();
  CHECK(warns(w.bill(), "metering_assumed"));
  const TimeLine time = w.bill().time;
  CHECK(time.wall == Duration{75min});
  CHECK(time.queue == Duration{10min});
  CHECK(time.startup == Duration{5min});
}

TEST_CASE("an unstated metering rule is only worth a warning when it changes this bill",
          "[billing]") {
  World w;
  w.run = 10h;
  CHECK_FALSE(warns(w.bill(), "metering_assumed"));
  w.run = 10h + 1s;
  const Bill bill = w.bill();
  CHECK(warns(bill, "metering_assumed"));
  CHECK(bill.warnings.size() == 1);
}

TEST_CASE("from where a quantum counts is told where it decides", "[billing]") {
  World w;
  w.rules.meter.quantum_s = 3600;
  w.rules.meter.round = Round::up;
  w.rules.meter.minimum_s = 0;
  w.run = 90min;
  CHECK_FALSE(warns(w.bill(), "metering_assumed"));  // from 00:00 on both ways are two hours
  w.job.start = parse_moment("2026-03-01T08:45:00Z");
  CHECK(w.total() == "2");
  CHECK(warns(w.bill(), "metering_assumed"));  // by the clock 08:00 to 11:00
  w.rules.meter.align = Align::start;
  CHECK_FALSE(warns(w.bill(), "metering_assumed"));
  w.rules.meter.align = Align::clock;
  CHECK(w.total() == "3");
}

TEST_CASE("parts sold apart add up: 2 cards, 64 vCPU and 384 GB are 4.5688 an hour", "[billing]") {
  World w;
  w.offer.price.on_demand.reset();
  w.offer.gpus = 2;
  w.offer.vcpus = dec("64");
  w.offer.ram_gb = dec("384");
  w.offer.components = {
      {.what = "gpu", .price = dec("1.35"), .spot = {}, .per = PriceUnit::hour},
      {.what = "vcpu", .price = dec("0.016"), .spot = {}, .per = PriceUnit::hour},
      {.what = "ram_gb", .price = dec("0.0022"), .spot = {}, .per = PriceUnit::hour}};
  w.run = 1h;
  CHECK(w.total() == "4.5688");
  w.offer.vcpus.reset();  // a part of unknown size has no price
  const auto refused = w.try_bill();
  REQUIRE_FALSE(refused);
  CHECK(refused.errors().front().hint == "price_missing");
}

TEST_CASE("a fee a month and a price a second are parts like any other", "[billing]") {
  World w;
  w.offer.price.on_demand.reset();
  w.rules.meter.month_hours = 720;
  w.offer.components = {
      {.what = "gpu", .price = dec("0.001"), .spot = {}, .per = PriceUnit::second},
      {.what = "fee", .price = dec("72"), .spot = {}, .per = PriceUnit::month}};
  w.run = 10h;
  CHECK(w.total() == "37");  // 36000 s x 0.001 + 10 h x 72 / 720
}

TEST_CASE("a month of 744 hours, 720 hours or the calendar's own length", "[billing]") {
  World w;
  w.offer.price.on_demand.reset();
  w.offer.components = {{.what = "fee", .price = dec("744"), .spot = {}, .per = PriceUnit::month}};
  w.run = 10h;
  w.rules.meter.month_hours = 744;
  CHECK(w.total() == "10");
  w.rules.meter.month_hours = 0;
  w.job.start = parse_moment("2026-01-31T19:00:00Z");  // 5 h of January, 5 h of February (672 h)
  CHECK(w.total() == "10.535714286");
}

TEST_CASE("compute has a cap a calendar month where the platform has one", "[billing]") {
  World w;
  w.rules.meter.cap_month = dec("672");
  w.job.start = parse_moment("2026-01-01T00:00:00Z");
  w.run = 744h;
  CHECK(w.total() == "672");
  w.run = 754h;  // ten hours of February are billed again
  CHECK(w.total() == "682");
}

TEST_CASE("a card price of 0 means unknown unless the offer is free", "[billing]") {
  World w;
  w.run = 1h;
  w.offer.price.on_demand = dec("0");
  CHECK_FALSE(w.try_bill());
  w.offer.free = true;
  CHECK(w.total() == "0");
}

TEST_CASE("an unknown plan and an offer that is not sold that way are refused by name",
          "[billing]") {
  World w;
  w.run = 1h;
  for (const std::string plan : {"spot", "week", "gold"}) {
    const auto refused = w.try_bill(plan);
    REQUIRE_FALSE(refused);
    CHECK(refused.errors().front().hint == "plan_not_sold");
    CHECK(refused.errors().front().code == ErrorCode::usage);
  }
}

TEST_CASE("tax comes last, on what is left", "[billing]") {
  World w;
  w.run = 10h;
  w.platform().tax_percent = dec("13");
  CHECK(w.total() == "11.3");
  w.platform().account.credits.push_back(
      {.amount = dec("4"), .monthly = false, .expires_days = {}, .plans = {}, .who = {}});
  CHECK(w.total() == "6.78");
}

TEST_CASE("discounts are given in order, each on what is left", "[billing]") {
  World w;
  w.run = 100h;
  auto& discounts = w.platform().account.discounts;
  discounts = {{.percent = dec("10"), .plans = {}, .items = {}, .who = {}, .above_spend = {}},
               {.percent = dec("5"), .plans = {}, .items = {}, .who = {}, .above_spend = {}}};
  CHECK(w.total() == "85.5");
  CHECK(part(w.bill(), Item::discount) == "-14.5");

  SECTION("for one plan only") {
    discounts[0].plans = {"reserved"};
    CHECK(w.total() == "95");
  }
  SECTION("for the people that it is meant for") {
    discounts[0].who = {"student"};
    CHECK(w.total() == "95");
    w.job.who = {"student"};
    CHECK(w.total() == "85.5");
  }
  SECTION("on card time, not on the disk") {
    discounts.pop_back();
    discounts[0].items = {"compute"};
    w.rules.meter.month_hours = 720;
    w.storage(StorageKind::data, "0.72");
    w.job.data.disk = Bytes::gb(10);
    CHECK(w.total() == "91");  // 100 x 0.9 + 10 GB x 0.001 x 100 h
  }
  SECTION("on the part above a spend, what was spent before included") {
    discounts.pop_back();
    discounts[0].above_spend = dec("150");
    CHECK(w.total() == "100");
    w.job.spent = usd("80");  // 180 in all: 30 of this bill lie above 150
    CHECK(w.total() == "97");
  }
}

TEST_CASE("15 minutes at 2.08 with a campaign of 10 %", "[billing]") {
  World w;
  w.offer.price.on_demand = dec("2.08");
  w.run = 15min;
  w.platform().account.discounts = {{.percent = dec("10"),
                                     .plans = {"on_demand"},
                                     .items = {},
                                     .who = {"any"},
                                     .above_spend = {}}};
  CHECK(w.total() == "0.468");
}

TEST_CASE("trial credit pays what it can, while it lasts", "[billing]") {
  World w;
  w.run = 40h;
  auto& credits = w.platform().account.credits;
  credits.push_back({.amount = dec("25"),
                     .monthly = false,
                     .expires_days = dec("30"),
                     .plans = {"on_demand"},
                     .who = {"new"}});
  CHECK(w.total() == "40");
  w.job.who = {"new"};
  CHECK(w.total() == "15");
  credits[0].expires_days = dec("0.5");  // only the first twelve hours can be paid with it
  CHECK(w.total() == "28");
  credits[0].expires_days.reset();
  credits[0].amount = dec("100");
  CHECK(w.total() == "0");
}

TEST_CASE("a monthly credit is spent month by month and not saved up", "[billing]") {
  World w;
  w.job.start = parse_moment("2026-01-31T22:00:00Z");
  w.run = 20h;  // 2 h of January, 18 h of February
  w.platform().account.credits.push_back(
      {.amount = dec("10"), .monthly = true, .expires_days = {}, .plans = {}, .who = {}});
  CHECK(w.total() == "8");
}

TEST_CASE("a plan fee is due in full for each calendar month that is touched", "[billing]") {
  World w;
  w.run = 4h;
  w.platform().account.fee_month = dec("9.9");
  CHECK(w.total() == "13.9");
  w.job.start = parse_moment("2026-01-31T22:00:00Z");
  CHECK(w.total() == "23.8");
  CHECK(part(w.bill(), Item::fees) == "19.8");
}

TEST_CASE("another currency is converted line by line", "[billing]") {
  World w;
  w.platform().currency = "CNY";
  w.offer.price.on_demand = dec("2.08");
  w.run = 10h;
  CHECK_FALSE(w.try_bill());
  w.catalog.fx = {{"USD", dec("1")}, {"CNY", dec("0.14")}};
  CHECK(w.total() == "2.912");
  w.currency = "CNY";
  CHECK(w.total() == "20.8");
  CHECK(w.bill().currency == "CNY");
}

TEST_CASE("machines share the work; start-up and idle hours are each machine's own", "[billing]") {
  World w;
  w.rules.provision.start_s = dec("360");
  w.run = 8h;
  w.job.machines = 4;
  w.job.idle = 1h;
  CHECK(w.total() == "12.4");  // 4 x (0.1 + 2 + 1)
  CHECK(w.bill().time.wall == Duration{126min});
}

TEST_CASE("the ledger adds up to the total, and a bill without text costs the same", "[billing]") {
  World w;
  w.offer.price.on_demand = dec("0.777777777");
  w.rules.provision.start_s = dec("77.7");
  w.run = Duration{12'345'678'901};
  w.job.machines = 3;
  w.platform().tax_percent = dec("7.7");
  const Bill bill = w.bill();
  CHECK(sum_of(bill) == bill.total);
  const auto plain = w.try_bill("on_demand", false);
  REQUIRE(plain);
  CHECK(plain->ledger.empty());
  CHECK(plain->total == bill.total);
  CHECK(plain->totals == bill.totals);
}

TEST_CASE("hours in which the host is down, at the platform's factor, and what it owes for them",
          "[billing]") {
  World w;
  w.run = 90h;
  w.job.down = 10h;
  CHECK(w.total() == "100");
  w.platform().account.host_down_factor = dec("0");
  CHECK(w.total() == "90");
  w.platform().account.sla_uptime_percent = dec("95");
  w.platform().account.sla_credit_percent = dec("10");
  const Bill bill = w.bill();
  CHECK(part(bill, Item::credit) == "-9");
  w.job.down = 4h;  // 90 of 94 hours are more than 95 percent
  CHECK(w.total() == "90");
}

TEST_CASE("requests that each wake a worker pay start, run and idle time, or the whole day",
          "[billing][serverless]") {
  World w;
  w.offer.price.on_demand = dec("3.6");
  w.offer.tier = "serverless";
  w.job.work.requests = 1000;
  w.job.work.seconds_per_request = Duration{10s};
  w.job.work.per_day = dec("1000");
  const auto refused = w.try_bill();
  REQUIRE_FALSE(refused);
  CHECK(refused.errors().front().hint == "serverless_rule_missing");
  w.rules.serverless = ServerlessRules{.idle_s = dec("5"), .start_s = dec("2")};
  const Bill bill = w.bill();
  CHECK(to_string(bill.total) == "17");  // 1000 x 17 s at 0.001 a second
  CHECK(part(bill, Item::startup) == "2");
  CHECK(part(bill, Item::idle) == "5");
  CHECK(bill.time.wall == Duration{24h});
  w.rules.serverless->idle_s = dec("300");  // 1000 x 312 s are more than a day
  CHECK(w.total() == "86.4");
}

TEST_CASE("a month that nobody gives hours to is an assumption", "[billing]") {
  World w;
  w.run = 10h;
  w.storage(StorageKind::data, "0.1");
  w.job.data.disk = Bytes::gb(73);
  const Bill bill = w.bill();
  CHECK(part(bill, Item::storage) == "0.1");  // 730 hours
  CHECK(warns(bill, "metering_assumed"));
  w.rules.meter.month_hours = 720;
  CHECK_FALSE(warns(w.bill(), "metering_assumed"));
}

TEST_CASE("times and machines that nobody means are refused, not computed", "[billing]") {
  World w;
  w.run = Duration{9'000'000'000'000'000'000};
  CHECK_FALSE(w.try_bill());
  w.run = 1h;
  w.job.machines = 1'000'000;
  CHECK_FALSE(w.try_bill());
}

TEST_CASE("credit and thresholds are in the platform's currency, the bill in the renter's",
          "[billing]") {
  World w;
  w.platform().currency = "CNY";
  w.catalog.fx["CNY"] = dec("0.14");
  w.run = 100h;  // 100 CNY
  w.platform().account.credits.push_back(
      {.amount = dec("40"), .monthly = false, .expires_days = {}, .plans = {}, .who = {}});
  CHECK(w.total() == "8.4");
  w.platform().account.credits[0].amount = dec("1000");
  CHECK(w.total() == "0");
}

TEST_CASE("a checkpoint that takes longer than it saves does not overflow the clock", "[billing]") {
  World w;
  w.run = 24h * 36'500;
  w.job.checkpoint = CheckpointPlan{.every = Duration{1},
                                    .to = CheckpointTo::local,
                                    .size = Bytes::gb(1),
                                    .keep = 1,
                                    .write = 24h * 36'500,
                                    .restore = 0s,
                                    .resume = true};
  const auto bill = w.try_bill();
  REQUIRE(bill);
  CHECK(bill->total > Money{});
}
