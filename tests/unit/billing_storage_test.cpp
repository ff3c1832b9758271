// What disks, images, objects and traffic add to the bill.
#include "billing_world.hpp"

using namespace gpuplan;
using namespace gpuplan::test;
using namespace std::chrono_literals;

namespace {

// Card time is free here: the bill is that of the disks and the network.
struct Storage : World {
  Storage() {
    offer.free = true;
    offer.price.on_demand = dec("0");
    rules.meter.month_hours = 720;
  }
};

}  // namespace

TEST_CASE("1000 GiB at 0.20 a GiB-month for a day, and for the whole month", "[billing][storage]") {
  Storage w;
  w.storage(StorageKind::volume, "0.2").gib = true;
  w.job.data.disk = Bytes::gib(1000);
  w.run = 24h;
  CHECK(w.total() == "6.666666667");
  w.run = 720h;
  CHECK(w.total() == "200");
}

TEST_CASE("a disk kept for 30 days costs on after one hour of work", "[billing][storage]") {
  World w;
  w.rules.meter.month_hours = 720;
  w.storage(StorageKind::data, "0.1");
  w.job.data.disk = Bytes::gb(100);
  w.job.keep.days = 24h * 30;
  w.run = 1h;
  const Bill bill = w.bill();
  CHECK(part(bill, Item::compute) == "1");
  CHECK(part(bill, Item::storage) == "10.013888889");
  w.job.keep.disk = false;  // only images and objects are kept
  CHECK(part(w.bill(), Item::storage) == "0.013888889");
}

TEST_CASE("a disk that ends with its machine is kept by stopping the machine",
          "[billing][storage]") {
  World w;
  w.rules.meter.month_hours = 720;
  w.storage(StorageKind::data, "0.1").with_instance = true;
  w.rules.stop.factor[State::released].data = dec("2");
  w.job.data.disk = Bytes::gb(100);
  w.job.keep.days = 24h * 30;
  w.run = 1h;
  CHECK(w.total() == "21.013888889");  // 1 h at 0.10, 720 h at 0.20, and the card for an hour

  SECTION("where stop is not offered, a network disk takes its place") {
    w.rules.stop.stop = State::not_offered;
    w.storage(StorageKind::volume, "0.05");
    CHECK(w.total() == "6.006944444");
  }
  SECTION("where there is none either, the machine has to run on") {
    w.rules.stop.stop = State::gone;
    const Bill bill = w.bill();
    CHECK(warns(bill, "cannot_keep_disk"));
    CHECK(part(bill, Item::idle) == "720");
  }
  SECTION("a job that ends the machine loses the disk, and is told so") {
    w.job.end = Verb::terminate;
    const Bill bill = w.bill();
    CHECK(warns(bill, "kept_disk_lost"));
    CHECK(part(bill, Item::storage) == "0.013888889");
  }
  SECTION("a machine that is stopped for too long loses it as well") {
    w.rules.stop.release_after = Duration{240h};
    const Bill bill = w.bill();
    CHECK(warns(bill, "release_deletes_data"));
    CHECK(part(bill, Item::storage) == "6.680555556");  // 1 h at 0.10 and 240 h at 0.20
  }
}

TEST_CASE("prices that fall with size are marginal", "[billing][storage]") {
  Storage w;
  StorageRule& rule = w.rules.storage[StorageKind::volume];
  rule.tiers = {{.up_to_gb = dec("1000"), .price = dec("0.07")},
                {.up_to_gb = {}, .price = dec("0.05")}};
  w.job.data.disk = Bytes::gb(1500);
  w.run = 720h;
  CHECK(w.total() == "95");
  rule.included_gb = dec("100");
  CHECK(w.total() == "90");  // 1000 x 0.07 + 400 x 0.05
}

TEST_CASE("included gigabytes count once a machine or once an account", "[billing][storage]") {
  Storage w;
  StorageRule& rule = w.storage(StorageKind::data, "0.1");
  rule.included_gb = dec("30");
  w.job.data.disk = Bytes::gb(50);
  w.job.machines = 3;
  w.run = 3 * 720h;
  CHECK(w.total() == "6");  // 3 x 20 GB
  rule.included_per_account = true;
  CHECK(w.total() == "12");  // 150 - 30 GB
}

TEST_CASE("a disk of the included size is on the ledger, at nothing", "[billing][storage]") {
  Storage w;
  w.storage(StorageKind::data, "0.1").included_gb = dec("50");
  w.job.data.disk = Bytes::gb(50);
  w.run = 1h;
  const Bill bill = w.bill();
  CHECK(to_string(bill.total) == "0");
  CHECK(bill.complete);
  CHECK(bill.ledger.back().note == "included");
}

TEST_CASE("twelve images of 15 GB, 30 GB of them free", "[billing][storage]") {
  Storage w;
  StorageRule& rule = w.storage(StorageKind::image, "0.05");
  rule.included_gb = dec("30");
  rule.included_per_account = true;
  w.job.keep.days = 24h * 30;
  w.job.keep.images.assign(12, Bytes::gb(15));
  w.run = 1h;
  CHECK(w.total() == "7.5");
}

TEST_CASE("an image store of 50 GB for a day, 30 GB of it free", "[billing][storage]") {
  Storage w;
  StorageRule& rule = w.storage(StorageKind::image, "0.008");
  rule.per = PricePer::day;
  rule.included_gb = dec("30");
  w.job.keep.days = 24h;
  w.job.keep.images = {Bytes::gb(50)};
  CHECK(w.total() == "0.16");
}

TEST_CASE("half an hour of 1000 GB at 0.00013 a GB-hour is 0.065", "[billing][storage]") {
  Storage w;
  w.storage(StorageKind::data, "0.00013").per = PricePer::hour;
  w.job.data.disk = Bytes::gb(1000);
  w.run = 30min;
  CHECK(w.total() == "0.065");
}

TEST_CASE("a disk that is billed by calendar days pays each day that it touches",
          "[billing][storage]") {
  Storage w;
  StorageRule& rule = w.storage(StorageKind::data, "0.01");
  rule.per = PricePer::day;
  rule.quantum = StorageQuantum::day;
  w.job.data.disk = Bytes::gb(100);
  w.run = 2h;
  w.job.start = parse_moment("2026-12-01T23:00:00Z");
  CHECK(w.total() == "1");
  rule.align = Align::clock;
  CHECK(w.total() == "2");
}

TEST_CASE("a static address is capped at 3.00 a month: 666.7 hours", "[billing][network]") {
  Storage w;
  w.rules.network.ip_per_hour = dec("0.0045");
  w.rules.network.ip_cap_month = dec("3");
  w.run = 720h;
  CHECK(w.total() == "3");
  w.run = 600h;
  CHECK(w.total() == "2.7");
  w.run = 600h + 720h;
  CHECK(w.total() == "5.7");
}

TEST_CASE("ten days of a 10.00 month, whatever its hours are, are a third of it",
          "[billing][storage]") {
  Storage w;
  w.rules.meter.month_hours = 0;
  w.job.start = parse_moment("2026-04-10T00:00:00Z");
  w.storage(StorageKind::data, "0.1");
  w.job.data.disk = Bytes::gb(100);
  w.run = 240h;
  CHECK(w.total() == "3.333333333");
}

TEST_CASE("a price that nobody states leaves the bill incomplete and says so",
          "[billing][storage]") {
  World w;
  w.run = 10h;
  w.job.data.disk = Bytes::gb(100);
  w.job.data.download = Bytes::gb(20);
  const Bill bill = w.bill();
  CHECK(to_string(bill.total) == "10");
  CHECK_FALSE(bill.complete);
  REQUIRE(bill.unpriced.size() == 2);
  CHECK(bill.unpriced[0].key == "storage.data");
  CHECK(bill.unpriced[0].quantity == "100");
  CHECK(bill.unpriced[1].key == "network.egress_per_gb");
  CHECK(warns(bill, "price_not_stated"));
}

TEST_CASE("data that fits into the disk in the price costs nothing", "[billing][storage]") {
  World w;
  w.run = 10h;
  w.offer.disk_gb = dec("100");
  w.job.data.disk = Bytes::gb(100);
  CHECK(w.total() == "10");
  CHECK(w.bill().complete);
  w.job.data.system_disk = Bytes::gb(40);  // now it does not
  CHECK_FALSE(w.bill().complete);
}

TEST_CASE("a larger system disk bills what is asked above the one in the price",
          "[billing][storage]") {
  Storage w;
  w.offer.disk_gb = dec("50");
  w.storage(StorageKind::system, "0.1");
  w.job.data.system_disk = Bytes::gb(150);
  w.run = 720h;
  CHECK(w.total() == "10");
}

TEST_CASE("disks are sold in sizes", "[billing][storage]") {
  Storage w;
  StorageRule& rule = w.storage(StorageKind::data, "0.1");
  rule.sizes_gb = {dec("200"), dec("50"), dec("100")};
  w.job.data.disk = Bytes::gb(60);
  w.run = 720h;
  CHECK(w.total() == "10");
  rule.sizes_gb.clear();
  rule.min_gb = dec("80");
  CHECK(w.total() == "8");
}

TEST_CASE("200 GB home, 100 of them free in the month", "[billing][network]") {
  World w;
  w.rules.network.egress_per_gb = dec("0.09");
  w.rules.network.egress_included_gb_month = dec("100");
  w.job.data.download = Bytes::gb(200);
  w.run = 1h;
  const Bill bill = w.bill();
  CHECK(part(bill, Item::network) == "9");
  CHECK(to_string(bill.total) == "10");
  CHECK(warns(bill, "line_speed_unknown"));
}

TEST_CASE("a download across the end of a month has two months of free traffic",
          "[billing][network]") {
  World w;
  w.rules.network.egress_per_gb = dec("0.1");
  w.rules.network.egress_included_gb_month = dec("10");
  w.rules.network.down_mbps = dec("80");  // 10 MB/s: 72 GB in two hours
  w.job.data.download = Bytes::gb(72);
  w.job.start = parse_moment("2026-01-31T22:00:00Z");
  w.run = 1h;
  CHECK(part(w.bill(), Item::network) == "5.2");
}

TEST_CASE("traffic above a step is cheaper, from the step on", "[billing][network]") {
  World w;
  w.rules.network.egress_tiers = {{.up_to_gb = dec("100"), .per_gb = dec("0.09")},
                                  {.up_to_gb = dec("200"), .per_gb = dec("0.05")},
                                  {.up_to_gb = {}, .per_gb = dec("0.01")}};
  w.job.data.download = Bytes::gb(300);
  w.run = 1h;
  CHECK(part(w.bill(), Item::network) == "15");
}

TEST_CASE("40 GB at 100 Mbps keep the card waiting for 3200 s", "[billing][network]") {
  World w;
  w.offer.price.on_demand = dec("3.6");
  w.rules.network.up_mbps = dec("100");
  w.job.data.upload = Bytes::gb(40);
  w.run = 1h;
  CHECK(w.total() == "6.8");
  CHECK(part(w.bill(), Item::transfer) == "3.2");

  SECTION("the slower line counts") {
    w.job.data.line_up = parse_bandwidth("50Mbps");
    CHECK(part(w.bill(), Item::transfer) == "6.4");
  }
  SECTION("what is compressed to a half needs half the time") {
    w.job.data.compression = dec("0.5");
    CHECK(part(w.bill(), Item::transfer) == "1.6");
  }
  SECTION("machines share the upload, unless each needs all of it") {
    w.job.machines = 4;
    CHECK(part(w.bill(), Item::transfer) == "3.2");
    w.job.data.shared = true;
    CHECK(part(w.bill(), Item::transfer) == "12.8");
  }
  SECTION("through an object store only the copy inside keeps the card waiting") {
    w.rules.meter.month_hours = 720;
    w.rules.network.internal_mbps = dec("3200");  // 100 s
    w.storage(StorageKind::object, "0.018");
    w.job.data.stage = Stage::object;
    const Bill bill = w.bill();
    CHECK(part(bill, Item::transfer) == "0.1");
    CHECK(part(bill, Item::storage) == "0.001916667");  // 40 GB for 6900 s
    CHECK(bill.time.wall == Duration{6900s});
  }
  SECTION("without the card where that is offered") {
    w.rules.stop.cardless = State::cardless;
    w.rules.stop.factor[State::cardless].compute = dec("0.1");
    w.job.data.stage = Stage::cardless;
    CHECK(part(w.bill(), Item::transfer) == "0.32");
    w.rules.stop.cardless.reset();
    const Bill bill = w.bill();
    CHECK(part(bill, Item::transfer) == "3.2");
    CHECK(warns(bill, "verb_not_offered"));
  }
}

namespace {

// 0.001 an hour for each of the first 100 GB that lie in the store at once, a tenth above.
StorageRule& stepped_store(Storage& w) {
  StorageRule& rule = w.rules.storage[StorageKind::object];
  rule.per = PricePer::hour;
  rule.tiers = {{.up_to_gb = dec("100"), .price = dec("0.001")}, {.up_to_gb = {}, .price = dec("0.0001")}};
  return rule;
}

// 60 GB of results from the end on, 60 GB of checkpoints from the first one, after an hour, on.
void results_and_checkpoints(Storage& w) {
  w.run = 10h;
  w.job.keep.days = 24h * 30;
  w.job.keep.object = Bytes::gb(60);
  w.job.checkpoint.emplace();
  w.job.checkpoint->every = 1h;
  w.job.checkpoint->to = CheckpointTo::object;
  w.job.checkpoint->size = Bytes::gb(60);
}

}  // namespace

TEST_CASE("a step of the price is that of what lies in the store at the same moment",
          "[billing][storage]") {
  Storage w;
  stepped_store(w);
  results_and_checkpoints(w);
  // Nine hours the checkpoints lie there alone: 60 x 0.001 x 9 = 0.54. Then 720 hours beside the
  // results, which come first: 60 x 0.001 + (40 x 0.001 + 20 x 0.0001) = 0.102 an hour.
  CHECK(w.total() == "73.98");
}

TEST_CASE("what lies in the store one after the other has the included gigabytes each in its time",
          "[billing][storage]") {
  Storage w;
  StorageRule& rule = w.storage(StorageKind::object, "0.001");
  rule.per = PricePer::hour;
  rule.included_gb = dec("100");
  w.run = 10h;
  w.job.data.stage = Stage::object;
  w.job.data.upload = Bytes::gb(100);  // in the store until the end
  w.job.keep.object = Bytes::gb(100);  // from the end on
  w.job.keep.days = 24h * 30;
  CHECK(part(w.bill(), Item::storage) == "0");
  rule.included_gb = dec("40");
  CHECK(part(w.bill(), Item::storage) == "43.8");  // 60 x 0.001 x 730 h
}

TEST_CASE("a day that is begun counts once, whatever step the price is at", "[billing][storage]") {
  Storage w;
  stepped_store(w).quantum = StorageQuantum::day;
  results_and_checkpoints(w);
  // The checkpoints live 729 h: 31 days, of which 9 h are alone and 735 h beside the results, which
  // live 30 days: 0.54 + 0.06 x 720 + 0.042 x 735.
  CHECK(w.total() == "74.61");
}

TEST_CASE("a step is that of the account: other jobs count while their things lie there",
          "[billing][storage][account]") {
  Storage w;
  StorageRule& rule = w.storage(StorageKind::image, "0.01");
  rule.per = PricePer::hour;
  rule.included_gb = dec("30");
  w.job.keep.images = {Bytes::gb(20)};
  w.job.keep.days = 24h;
  AccountUse use;
  const auto bill_from = [&](const char* start) {
    w.job.start = parse_moment(start);
    w.offer.rules = std::make_shared<const Rules>(w.rules);
    const auto bill = simulate_bill({.catalog = &w.catalog,
                                     .offer = &w.offer,
                                     .job = &w.job,
                                     .run = w.run,
                                     .plan = "on_demand",
                                     .currency = "USD",
                                     .account = &use});
    REQUIRE(bill);
    return to_string(bill->total);
  };
  CHECK(bill_from("2026-01-05T00:00:00Z") == "0");
  CHECK(bill_from("2026-03-01T00:00:00Z") == "0");         // the first is long gone
  CHECK(bill_from("2026-03-01T12:00:00Z") == "1.2");       // 10 GB too many for 12 h
  CHECK(bill_from("2026-03-01T17:30:00+05:30") == "3.6");  // the same moment: 12 h of all 20 GB, 12 h of 10 GB
  CHECK(bill_from("2025-12-31T00:00:00Z") == "0");         // before them all
}

TEST_CASE("from where a begun hour or day counts is told where it decides", "[billing][storage]") {
  Storage w;
  StorageRule& rule = w.storage(StorageKind::data, "0.01");
  rule.per = PricePer::day;
  w.job.data.disk = Bytes::gb(100);
  w.run = 24h;
  CHECK_FALSE(warns(w.bill(), "metering_assumed"));
  w.run = 25h;  // by the second; where days are counted it is two
  CHECK(warns(w.bill(), "metering_assumed"));
  rule.quantum = StorageQuantum::second;
  CHECK_FALSE(warns(w.bill(), "metering_assumed"));
  rule.quantum = StorageQuantum::day;  // two days from the start, and by the clock as well
  CHECK_FALSE(warns(w.bill(), "metering_assumed"));
  w.job.start = parse_moment("2026-03-01T23:30:00Z");  // by the clock: the first, the second and the third
  CHECK(warns(w.bill(), "metering_assumed"));
  rule.align = Align::start;
  CHECK_FALSE(warns(w.bill(), "metering_assumed"));
}
