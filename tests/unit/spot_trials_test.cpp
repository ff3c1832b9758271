// Many runs of one spot plan, through the whole bill.
#include <algorithm>
#include <cmath>

#include "billing_random.hpp"
#include "gpuplan/spot_forms.hpp"
#include "spot/quick.hpp"
#include "spot_world.hpp"

using namespace gpuplan;
using namespace gpuplan::test;
using namespace std::chrono_literals;
using Market = SpotMarket;

TEST_CASE("the standard example: ten hours of work, lives of five", "[spot][trials]") {
  Market m(10, 5);
  SECTION("from zero") {
    check_time(m.tried(), 31.94528049465325);
    m.offer.price.spot = dec("1");
  }
  SECTION("checkpoints of two minutes every half hour, five minutes to read one back") {
    m.checkpoints(0.5, 1.0 / 30, 1.0 / 12);
    const SpotBill bill = m.tried();
    check_time(bill, 11.407928188892523);
    check_cost(bill, 11.407928188892523);
    CHECK(std::fabs(bill.trials.reclaims_mean - 11.407928 / 5) < 0.05);
    CHECK(bill.trials.finish_probability == 1.0);
    CHECK_FALSE(bill.trials.deadline_probability);
    m.job.spot_model.strikes_restore = false;
    check_time(m.tried(), 11.406361249706451);
    m.job.spot_model.strikes_restore = true;
    m.job.spot_model.first_start_restores = true;
    check_time(m.tried(), 11.491959840823828);
    m.job.spot_model.first_start_restores = false;
    m.rules.spot.restart_delay_s = 2700;
    const SpotBill waits = m.tried();
    check_time(waits, 13.119117417226402);
    check_cost(waits, 11.407928188892523);  // waiting is not billed
  }
  SECTION("a notice that saves everything") {
    m.checkpoints(0.5, 1.0 / 30, 1.0 / 12);
    m.rules.spot.notice_s = 120;
    m.job.checkpoint->every = 0s;
    check_time(m.tried(), 10.16806330386261);
    m.rules.spot.restart_delay_s = 1800;
    check_time(m.tried(), 11.184869634248871);
  }
}

TEST_CASE("other work, other lives", "[spot][trials]") {
  SECTION("a ragged last piece") {
    Market m(10.25, 6);
    m.checkpoints(1, 0.1, 0.2);
    check_time(m.tried(), 12.7460308003219);
  }
  SECTION("even lives") {
    Market m(6, 1);
    m.job.reclaim_mean.reset();
    m.rules.spot.lifetime = Lifetime{.kind = Lifetime::Kind::uniform, .shape = 1, .hours = 24, .parts = {}};
    check_time(m.tried(), 7.0);
  }
  SECTION("Weibull lives") {
    Market m(4, 1);
    m.job.reclaim_mean.reset();
    m.rules.spot.lifetime = Lifetime{.kind = Lifetime::Kind::weibull, .shape = 0.6, .hours = 8, .parts = {}};
    m.checkpoints(4, 0, 0.1);  // one piece: from zero after every reclaim, with the read-back
    check_time(m.tried(), 5.269498354086149);
  }
  SECTION("a mixture of two kinds of life, by the general form") {
    Market m(2, 1);
    m.job.reclaim_mean.reset();
    m.rules.spot.lifetime = Lifetime{.kind = Lifetime::Kind::mixture,
                                     .shape = 1,
                                     .hours = 0,
                                     .parts = {{.weight = 3, .mean_hours = 1},
                                               {.weight = 1, .mean_hours = 9}}};
    const double up = 0.75 * (1 - std::exp(-2.0)) + 0.25 * 9 * (1 - std::exp(-2.0 / 9));
    const double stays = 0.75 * std::exp(-2.0) + 0.25 * std::exp(-2.0 / 9);
    check_time(m.tried(), up / stays);
  }
  SECTION("several machines stop together") {
    Market m(40, 20);  // ten hours each on four of them
    m.job.machines = 4;
    m.checkpoints(0.5, 1.0 / 30, 1.0 / 12);
    const SpotBill bill = m.tried();
    check_time(bill, 11.407928188892523);
    check_cost(bill, 4 * 11.407928188892523);
  }
}

TEST_CASE("metering rules join the chance", "[spot][trials]") {
  Market m(10, 5);
  SECTION("whole hours") {
    m.rules.meter.round = Round::up;
    m.rules.meter.quantum_s = 3600;
    check_cost(m.tried(), 35.2462218904634);
  }
  SECTION("the first hour is free when the platform takes the machine back in it") {
    m.rules.spot.free_if_reclaimed_within_s = 3600;
    check_cost(m.tried(), 31.297884786477677);
  }
  SECTION("storage is paid while it waits") {
    m.checkpoints(0.5, 1.0 / 30, 1.0 / 12);
    m.offer.price.spot = dec("1.2");
    m.rules.spot.restart_delay_s = 2700;
    m.storage(StorageKind::data, "0.0004").per = PricePer::hour;
    m.job.data.disk = Bytes::gb(100);
    m.options.trials = 1'000;
    check_cost(m.tried(), 14.214278523360083);
  }
  SECTION("machines with a fixed end") {
    Market capped(40, 1);
    capped.job.reclaim_mean.reset();
    capped.rules.spot.max_run_s = 24 * 3600;
    const SpotBill never = capped.tried();
    CHECK(never.trials.n == 1);
    CHECK(never.trials.finish_probability == 0.0);
    CHECK(warns(never.bill, "never_finishes"));
    capped.checkpoints(1, 0, 0.25);
    capped.job.spot_model.survives = "everything";
    const SpotBill saved = capped.tried();
    CHECK(saved.trials.wall.mean == Duration{40h + 15min});
    CHECK(saved.trials.cost.sd == 0);
  }
}

TEST_CASE("lives that can never be long enough are said to be so, at once", "[spot][trials]") {
  Market m(10, 1);
  m.job.reclaim_mean.reset();
  m.rules.spot.lifetime = Lifetime{.kind = Lifetime::Kind::uniform, .shape = 1, .hours = 8, .parts = {}};
  const SpotBill bill = m.tried();
  CHECK(bill.trials.finish_probability == 0.0);
  CHECK(warns(bill.bill, "never_finishes"));
  CHECK(warns(bill.bill, "no_checkpoint_long_run"));
}

TEST_CASE("two hundred hours from zero on lives of five would take for ever", "[spot][trials]") {
  Market m(200, 5);
  const SpotBill bill = m.tried();
  CHECK(bill.trials.n == 1);
  CHECK(bill.trials.finish_probability == 0.0);
  CHECK(warns(bill.bill, "hopeless_odds"));
  m.job.splits = 200;  // an hour each
  CHECK(m.tried().trials.finish_probability == 1.0);
}

namespace {

// So many hours of work where a machine is there in six hours of ten, each hour for itself.
Market by_slots(double work) {
  Market m(work, 5);
  m.job.reclaim_mean.reset();
  m.rules.spot.availability_share = dec("0.6");
  m.rules.spot.availability_gap_s = 3600;
  return m;
}

}  // namespace

TEST_CASE("ninety-six hours in a row, each there with six chances in ten, are never to be had", "[spot][trials]") {
  // 0.6^95: one begin in 10^21. All of 1,000 runs were tried for minutes, each loss marked from the first on.
  Market m = by_slots(96);
  const SpotBill bill = m.tried();
  CHECK(bill.trials.finish_probability == 0.0);
  CHECK(warns(bill.bill, "hopeless_odds"));
  m.checkpoints(1, 0, 0);  // kept by the hour it is done after 160 of them on average
  CHECK(m.tried().trials.finish_probability == 1.0);
}

TEST_CASE("what is lost again and again is lost once each time", "[spot][trials]") {
  // Three hours in a row of a share of 0.6: every hour of spot is work that counts or work that is lost.
  Market m = by_slots(3);
  const Trials trials = m.tried().trials;
  CHECK(trials.finish_probability == 1.0);
  CHECK(trials.billed_mean == trials.lost_mean + Duration{3h});
}

TEST_CASE("the same seed gives the same numbers on any number of threads", "[spot][trials]") {
  Market m(10, 5);
  m.checkpoints(0.5, 1.0 / 30, 1.0 / 12);
  m.options.trials = 1500;
  m.job.deadline = 12h;
  const SpotBill one = m.tried();
  m.options.threads = 4;
  const SpotBill four = m.tried();
  CHECK(one.mean == four.mean);
  CHECK(one.means == four.means);
  CHECK(one.bill.total == four.bill.total);
  CHECK(one.trials.cost.sd == four.trials.cost.sd);
  CHECK(one.trials.wall.p90 == four.trials.wall.p90);
  CHECK(*one.trials.deadline_probability == *four.trials.deadline_probability);
  m.options.seed = 2;
  CHECK(m.tried().mean != one.mean);
}

namespace {

// Jobs that go every way through the runs: quick ones, full bills, tasks, ticks by chance.
Market way_of_trying(int way) {
  Market m(12, 6);
  m.offer.price.spot = dec("0.731");
  m.options.trials = 1'200;
  m.rules.provision.start_s = dec("97");
  if (way == 1) m.rules.meter.minimum_s = 600;
  if (way == 2) m.job.splits = 5;
  if (way == 3) {
    m.job.splits = 6;
    m.job.machines = 3;
    m.job.policy = "mixed:1";
    m.rules.spot.zone_mean_hours_between_reclaims = dec("9");
    m.storage(StorageKind::data, "0.0004").per = PricePer::hour;
    m.job.data.disk = Bytes::gb(100);
  }
  if (way == 4) m.slots(30, "0.7", "last_minute");
  if (way == 5)
    m.rules.spot.restart_delay_law = Lifetime{.kind = Lifetime::Kind::uniform, .hours = 2};
  return m;
}

}  // namespace

TEST_CASE("one thread or four: not a digit differs, whatever is tried", "[spot][trials]") {
  for (int way = 0; way < 6; ++way) {
    Market m = way_of_trying(way);
    const SpotBill one = m.tried();
    m.options.threads = 4;
    const SpotBill four = m.tried();
    INFO("way " << way);
    CHECK(one.means == four.means);
    CHECK(one.mean == four.mean);
    CHECK(one.bill.totals == four.bill.totals);
    CHECK(one.trials.cost.p5 == four.trials.cost.p5);
    CHECK(one.trials.cost.p95 == four.trials.cost.p95);
    CHECK(one.trials.cost.sd == four.trials.cost.sd);
    CHECK(one.trials.wall.mean == four.trials.wall.mean);
    CHECK(one.trials.wall.sd_s == four.trials.wall.sd_s);
    CHECK(one.trials.reclaims_mean == four.trials.reclaims_mean);
    CHECK(one.trials.reclaims_error == four.trials.reclaims_error);
    CHECK(one.trials.zone_reclaims_mean == four.trials.zone_reclaims_mean);
    CHECK(one.trials.billed_mean == four.trials.billed_mean);
    CHECK(one.trials.billed_error_s == four.trials.billed_error_s);
    CHECK(one.trials.lost_mean == four.trials.lost_mean);
    CHECK(one.trials.undisturbed == four.trials.undisturbed);
    CHECK(one.time_mean.startup == four.time_mean.startup);
  }
}

TEST_CASE("the quick way of a run is the full bill to the last digit", "[spot][trials]") {
  // A discount of nothing sends the same job through the full bill.
  Chance chance(11);
  for (int i = 0; i < 80; ++i) {
    const auto upto = [&](std::int64_t most) { return chance.upto(most); };
    Market m(0.1 + 0.01 * static_cast<double>(upto(900)), 0.5 + 0.1 * static_cast<double>(upto(60)));
    m.offer.price.spot = Decimal::of(upto(5'000'000) + 1, 6);
    m.rules.meter.round = upto(1) == 0 ? Round::up : Round::nearest;
    m.rules.meter.quantum_s = upto(2) == 0 ? 3600 : upto(120) + 1;
    m.rules.meter.minimum_s = upto(900);
    m.rules.meter.billed_from = static_cast<BilledFrom>(upto(2));
    m.rules.provision.start_s = Decimal::of(upto(600));
    m.rules.provision.queue_s = Decimal::of(upto(600));
    m.rules.spot.restart_delay_s = upto(2000);
    m.rules.spot.protect_s = upto(1) * 1800;
    m.rules.spot.free_if_reclaimed_within_s = upto(1) * 3600;
    m.rules.spot.free_last_quantum = upto(1) == 0;
    if (upto(2) == 0) m.rules.spot.max_run_s = 12 * 3600;
    if (upto(3) != 0)
      m.checkpoints(0.01 * static_cast<double>(upto(200)), 0.01 * static_cast<double>(upto(10)),
                    0.01 * static_cast<double>(upto(20)));
    m.job.spot_model.strikes_restore = upto(1) == 0;
    m.job.spot_model.first_start_restores = upto(1) == 0;
    m.job.spot_model.checkpoint_after_last = upto(1) == 0;
    m.job.machines = upto(2) + 1;
    m.options.trials = 20;
    m.options.seed = static_cast<std::uint64_t>(i);
    REQUIRE(spot::Quick::of(billing::Prepared(m.request())));
    const SpotBill quick = m.tried();
    m.platform().account.discounts.push_back({.percent = dec("0"), .plans = {}, .items = {}, .who = {}, .above_spend = {}});
    REQUIRE_FALSE(spot::Quick::of(billing::Prepared(m.request())));
    const SpotBill full = m.tried();
    INFO("case " << i);
    REQUIRE(quick.trials.cost.mean == full.trials.cost.mean);
    REQUIRE(quick.trials.cost.p95 == full.trials.cost.p95);
    REQUIRE(quick.trials.cost.sd == full.trials.cost.sd);
    REQUIRE(quick.trials.wall.mean == full.trials.wall.mean);
    REQUIRE(quick.trials.billed_mean == full.trials.billed_mean);
    REQUIRE(quick.trials.lost_mean == full.trials.lost_mean);
    REQUIRE(quick.trials.reclaims_mean == full.trials.reclaims_mean);
    REQUIRE(quick.trials.finished == full.trials.finished);
    REQUIRE(quick.time_mean.startup == full.time_mean.startup);
    REQUIRE(quick.time_mean.queue == full.time_mean.queue);
  }
}

TEST_CASE("our own policy takes spot machines where checkpoints are all that outlives them", "[spot][policy]") {
  // It went on demand at once: a first tick on spot could have ended dearer, by that tick.
  Market m(10, 6);
  m.checkpoints(0.5, 1.0 / 30, 0);
  m.options.trials = 500;
  m.job.deadline = 20h;
  m.job.policy = "reserve";
  const SpotBill bill = m.tried();
  CHECK(approximate(bill.mean) < 15);  // on demand alone: 30
  CHECK(bill.trials.deadline_probability == 1.0);
  // The dearest run: on demand from the begin, and one piece with its checkpoint.
  CHECK(approximate(bill.trials.cost.p95) < 30 + 3 * (0.5 + 1.0 / 30) + 0.1);
}
