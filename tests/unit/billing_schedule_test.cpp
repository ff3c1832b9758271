// Nights, stops, idle machines: what the hours without work cost.
#include "billing_world.hpp"

using namespace gpuplan;
using namespace gpuplan::test;
using namespace std::chrono_literals;

namespace {

// 36 h of work in three nights of twelve hours, at 2 an hour.
struct Nights : World {
  Nights() {
    offer.price.on_demand = dec("2");
    job.schedule = Schedule{.from_minute = 20 * 60, .to_minute = 8 * 60};
    job.start = parse_moment("2026-12-01T20:00:00Z");
    run = 36h;
  }
};

}  // namespace

TEST_CASE("nights only, the card is freed by day: 36 h are paid", "[billing][schedule]") {
  Nights w;
  const Bill bill = w.bill();
  CHECK(to_string(bill.total) == "72");
  CHECK(bill.time.wall == Duration{60h});
  CHECK(bill.time.run == Duration{36h});
}

TEST_CASE("nights only, stop keeps the card: two days in between are paid as well",
          "[billing][schedule]") {
  Nights w;
  w.rules.stop.stop = State::held;
  const Bill bill = w.bill();
  CHECK(to_string(bill.total) == "120");
  CHECK(part(bill, Item::idle) == "48");
  CHECK_FALSE(warns(bill, "stop_rule_unknown"));
}

TEST_CASE("what stop does is not stated: the dear reading, with a warning", "[billing][schedule]") {
  Nights w;
  w.rules.stop.stop.reset();
  const Bill bill = w.bill();
  CHECK(to_string(bill.total) == "120");
  CHECK(warns(bill, "stop_rule_unknown"));
  w.job.schedule.reset();  // without a stop it does not matter
  CHECK_FALSE(warns(w.bill(), "stop_rule_unknown"));
}

TEST_CASE("each way to stop between two nights leads where the platform says",
          "[billing][schedule]") {
  Nights w;
  SECTION("run: the machine waits for the evening") {
    w.job.between = Verb::run;
    CHECK(w.total() == "120");
  }
  SECTION("a shutdown from inside leaves it running") {
    w.job.between = Verb::guest_shutdown;
    CHECK(w.total() == "120");
  }
  SECTION("hibernation that is not offered does too, with a warning") {
    w.job.between = Verb::hibernate;
    const Bill bill = w.bill();
    CHECK(to_string(bill.total) == "120");
    CHECK(warns(bill, "verb_not_offered"));
  }
  SECTION("hibernation at a flat price an hour") {
    w.job.between = Verb::hibernate;
    w.rules.stop.hibernate = State::hibernated;
    w.rules.stop.factor[State::hibernated].flat = dec("0.01");
    CHECK(w.total() == "72.24");
  }
  SECTION("a held card at half the rate") {
    w.rules.stop.stop = State::held;
    w.rules.stop.factor[State::held].compute = dec("0.5");
    CHECK(w.total() == "96");
  }
}

TEST_CASE("a new start each evening pays start-up and minimum again; a held card does not",
          "[billing][schedule]") {
  Nights w;
  w.rules.provision.start_s = dec("3600");
  w.rules.provision.queue_s = dec("1800");
  // Nights of 12 h: half an hour in the queue, one of start-up, 10.5 h of work: four of them.
  const Bill bill = w.bill();
  CHECK(part(bill, Item::startup) == "8");
  CHECK(part(bill, Item::compute) == "72");
  w.rules.stop.stop = State::held;
  CHECK(part(w.bill(), Item::startup) == "2");
}

TEST_CASE("a disk costs through the day, at the rate of the stopped machine",
          "[billing][schedule]") {
  Nights w;
  w.rules.meter.month_hours = 720;
  w.storage(StorageKind::data, "0.72");  // 0.001 a GB-hour
  w.job.data.disk = Bytes::gb(100);
  CHECK(part(w.bill(), Item::storage) == "6");
  w.rules.stop.factor[State::released].data = dec("2");
  CHECK(part(w.bill(), Item::storage) == "8.4");  // 36 h + 24 h twice
  w.rules.stop.factor[State::released].data = dec("0");
  CHECK(part(w.bill(), Item::storage) == "3.6");
}

TEST_CASE("what lies on a disk that ends with the machine is uploaded again each night",
          "[billing][schedule]") {
  Nights w;
  w.rules.network.up_mbps = dec("80");  // 36 GB an hour
  w.job.data.upload = Bytes::gb(36);
  w.job.between = Verb::terminate;
  w.run = 33h;
  const Bill bill = w.bill();
  CHECK(part(bill, Item::transfer) == "6");
  CHECK(part(bill, Item::compute) == "66");
  w.storage(StorageKind::data, "0");  // a data disk outlives the machine
  w.job.data.disk = Bytes::gb(40);
  CHECK(part(w.bill(), Item::transfer) == "2");
}

TEST_CASE("a start outside the window waits for it and costs nothing", "[billing][schedule]") {
  Nights w;
  w.job.start = parse_moment("2026-12-01T12:00:00Z");
  w.run = 12h;
  const Bill bill = w.bill();
  CHECK(to_string(bill.total) == "24");
  CHECK(bill.time.wall == Duration{20h});
}

TEST_CASE("week-ends only: the day names when the window opens", "[billing][schedule]") {
  Nights w;
  w.job.schedule->days = 1U << 5 | 1U << 6;            // Saturday and Sunday
  w.job.start = parse_moment("2026-12-01T20:00:00Z");  // a Tuesday
  w.run = 24h;
  const Bill bill = w.bill();
  CHECK(to_string(bill.total) == "48");
  CHECK(bill.time.wall == Duration{24h * 4 + 24h + 12h});  // to Monday 08:00
}

TEST_CASE("a window that never closes is no window", "[billing][schedule]") {
  Nights w;
  w.job.schedule = Schedule{.from_minute = 0, .to_minute = 0};
  CHECK(w.total() == "72");
  CHECK(w.bill().time.wall == Duration{36h});
}

TEST_CASE("the window goes by the clock of the renter", "[billing][schedule]") {
  Nights w;
  w.job.start = parse_moment("2026-12-01T20:00:00+08:00");
  CHECK(w.bill().time.wall == Duration{60h});
  w.job.start = parse_moment("2026-12-01T20:00:00+07:00");
  CHECK(w.bill().time.wall == Duration{60h});
}

TEST_CASE("with checkpoints a night ends with a write and the next begins with a restore",
          "[billing][schedule]") {
  Nights w;
  w.job.checkpoint = CheckpointPlan{.every = 24h,
                                    .to = CheckpointTo::local,
                                    .size = Bytes::gb(1),
                                    .keep = 1,
                                    .write = 30min,
                                    .restore = 30min,
                                    .resume = true};
  w.run = 34h;  // 11.5 h + write, restore + 11 h + write, restore + 11.5 h
  const Bill bill = w.bill();
  CHECK(bill.time.wall == Duration{60h});
  CHECK(part(bill, Item::startup) == "2");
  CHECK(part(bill, Item::compute) == "70");
}

TEST_CASE("checkpoints are written after every interval, and none after the last piece",
          "[billing]") {
  World w;
  w.job.checkpoint = CheckpointPlan{.every = 1h,
                                    .to = CheckpointTo::local,
                                    .size = Bytes::gb(36),
                                    .keep = 1,
                                    .write = 6min,
                                    .restore = 0s,
                                    .resume = true};
  w.run = 10h;
  CHECK(w.total() == "10.9");
  w.job.checkpoint->write.reset();  // 36 GB at 100 MB/s are six minutes as well
  w.storage(StorageKind::data, "0").mb_per_s = dec("100");
  w.job.data.disk = Bytes::gb(100);
  CHECK(w.total() == "10.9");
}

TEST_CASE("ten forgotten hours after two hours of work", "[billing][idle]") {
  World w;
  w.offer.price.on_demand = dec("1.5");
  w.run = 2h;
  w.job.idle = 10h;
  CHECK(w.total() == "18");
  CHECK(part(w.bill(), Item::idle) == "15");

  SECTION("an automatic stop after an hour frees the card") {
    w.job.auto_stop = 1h;
    CHECK(w.total() == "4.5");
  }
  SECTION("an automatic stop that keeps the card saves nothing") {
    w.job.auto_stop = 1h;
    w.rules.stop.stop = State::held;
    CHECK(w.total() == "18");
  }
  SECTION("the platform's own counts where it is on by default") {
    w.rules.provision.auto_stop_idle_s = dec("1800");
    CHECK(w.total() == "18");
    w.rules.provision.auto_stop_default_on = true;
    CHECK(w.total() == "3.75");
  }
}

TEST_CASE("a machine that is held for ten hours is billed for ten hours", "[billing][idle]") {
  World w;
  w.rules.stop.stop = State::held;
  w.job.idle = 10h;
  w.job.auto_stop = 0s;
  w.run = 1h;
  CHECK(w.total() == "11");
}

TEST_CASE("an address is paid until the machine is gone", "[billing][idle]") {
  World w;
  w.rules.network.ip_per_hour = dec("0.01");
  w.run = 1h;
  w.job.keep.days = 24h;
  CHECK(part(w.bill(), Item::network) == "0.01");
  w.job.keep.ip = true;
  CHECK(part(w.bill(), Item::network) == "0.25");
  w.job.keep.ip = false;
  w.job.end = Verb::stop;
  CHECK(part(w.bill(), Item::network) == "0.25");
}

TEST_CASE("a network volume for a month: 20 while stopped twice as dear, 10 running, 7 alone",
          "[billing][idle]") {
  World w;
  w.offer.free = true;
  w.offer.price.on_demand = dec("0");
  w.rules.meter.month_hours = 720;
  w.rules.stop.factor[State::released].data = dec("2");
  w.storage(StorageKind::data, "0.1").with_instance = true;
  w.storage(StorageKind::volume, "0.07");
  w.job.data.disk = Bytes::gb(100);
  SECTION("stopped") {
    w.job.keep.days = 720h;
    CHECK(w.total() == "20");
  }
  SECTION("running") {
    w.run = 720h;
    CHECK(w.total() == "10");
  }
  SECTION("a network disk, without a machine") {
    w.job.data.kind = DiskKind::volume;
    w.job.keep.days = 720h;
    CHECK(w.total() == "7");
  }
}

TEST_CASE("a wall clock limit starts the machine anew, and every start is paid",
          "[billing][idle]") {
  World w;
  w.rules.meter.minimum_s = 0;
  w.rules.provision.start_s = dec("360");
  w.rules.provision.auto_stop_wall_s = dec("21600");
  w.run = 10h;
  const Bill bill = w.bill();
  CHECK(warns(bill, "wall_clock_limit"));
  CHECK(part(bill, Item::startup) == "0.2");
  CHECK(to_string(bill.total) == "10.2");
}

TEST_CASE("sessions too short for any progress end in an answer, not in a loop",
          "[billing][schedule]") {
  Nights w;
  w.rules.provision.start_s = dec("50000");
  const Bill bill = w.bill();
  CHECK(warns(bill, "never_finishes"));
}
