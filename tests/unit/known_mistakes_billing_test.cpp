// What people were billed although they expected something else, and what other calculators got
// wrong: the right bill for each, with the sum in a comment. Stories are retold, not quoted.
#include <functional>

#include "billing_world.hpp"

using namespace gpuplan;
using namespace gpuplan::test;
using namespace std::chrono_literals;

namespace {

struct Story {
  std::string what;
  std::string plan;
  std::string total;
  std::function<void(World&)> world;
};

void priced(World& w, const std::string& price, Duration run) {
  w.offer.price.on_demand = dec(price);
  w.run = run;
}

void lives(World& w, std::initializer_list<std::int64_t> seconds) {
  w.rules.spot.reclaim_after_s = std::vector<std::int64_t>(seconds);
}

void check(const std::vector<Story>& stories) {
  for (const Story& story : stories) {
    INFO(story.what);
    World w;
    story.world(w);
    const Bill bill = w.bill(story.plan);
    CHECK(to_string(bill.total) == story.total);
    CHECK(sum_of(bill) == bill.total);
  }
}

}  // namespace

TEST_CASE("machines that were forgotten", "[billing][mistakes]") {
  check({
      {"a worker stayed on for 400 h after its job", "on_demand", "969",
       [](World& w) { priced(w, "2.4225", 0h), w.job.idle = 400h; }},
      {"automatic stop after an hour would have made it 2.42", "on_demand", "2.4225",
       [](World& w) {
         priced(w, "2.4225", 0h);
         w.job.idle = 400h;
         w.job.auto_stop = 1h;
       }},
      {"a tutorial's machine left on for a month of 730 h", "on_demand", "109.5",
       [](World& w) { priced(w, "0.15", 0h), w.job.idle = 730h; }},
      {"a week-end of eight cards", "on_demand", "1572.96",  // 32.77 x 48
       [](World& w) { priced(w, "32.77", 0h), w.job.idle = 48h; }},
      {"29 machines over a week-end of 60 h", "on_demand", "41760",
       [](World& w) { priced(w, "24", 0h), w.job.idle = 60h, w.job.machines = 29; }},
      {"four machines for 21 days", "on_demand", "24675.84",  // 4 x 12.24 x 504
       [](World& w) { priced(w, "12.24", 0h), w.job.idle = 504h, w.job.machines = 4; }},
      {"eight machines stood still for a day on a broken number", "on_demand", "6144",
       [](World& w) { priced(w, "32", 0h), w.job.idle = 24h, w.job.machines = 8; }},
      {"the job died in hour 3, the machine was given back in hour 4.5", "on_demand", "4.5",
       [](World& w) { priced(w, "1", 3h), w.job.idle = 90min; }},
  });
}

TEST_CASE("what goes on costing while a machine is stopped or gone", "[billing][mistakes]") {
  check({
      {"the host took the card back: two days of disk at 0.044 an hour", "on_demand", "2.112",
       [](World& w) {
         priced(w, "0.351", 0h);
         w.storage(StorageKind::data, "0.00044").per = PricePer::hour;
         w.job.data.disk = Bytes::gb(100);
         w.job.keep.days = 48h;
       }},
      {"stopped is not free: 0.03 an hour for 30 days", "on_demand", "21.6",
       [](World& w) {
         priced(w, "1", 0h);
         w.storage(StorageKind::data, "0.0003").per = PricePer::hour;
         w.job.data.disk = Bytes::gb(100);
         w.job.keep.days = 720h;
       }},
      {"a container disk that is erased at stop costs nothing while stopped", "on_demand",
       "0.64",  // 64 GB x 0.10 x 73 h / 730 h, and then nothing
       [](World& w) {
         w.offer.price.on_demand = dec("0");
         w.offer.free = true;
         w.storage(StorageKind::system, "0.10");
         w.rules.meter.month_hours = 730;
         w.rules.stop.factor[State::released].system = dec("0");
         w.job.data.system_disk = Bytes::gb(64);
         w.job.end = Verb::stop;
         w.job.keep.days = 2h + 59min + 37s;
         w.run = 73h;
       }},
      {"disk and address of a stopped machine", "on_demand",
       "13.65",  // 100 GB x 0.10 for 730 h, and 730 h x 0.005
       [](World& w) {
         priced(w, "1", 0h);
         w.rules.meter.month_hours = 730;
         w.storage(StorageKind::data, "0.10");
         w.rules.network.ip_per_hour = dec("0.005");
         w.job.data.disk = Bytes::gb(100);
         w.job.idle = 730h;
         w.job.auto_stop = 0h;
       }},
      {"three hours running and 1240 h stopped are three hours", "on_demand", "1.152",
       [](World& w) {
         priced(w, "0.384", 3h);
         w.job.idle = 1240h;
         w.job.auto_stop = 0h;
       }},
      {"powered off, but the card stays reserved: billed in full", "on_demand", "11",
       [](World& w) {
         priced(w, "1", 1h);
         w.rules.stop.stop = State::held;
         w.job.idle = 10h;
         w.job.auto_stop = 0h;
       }},
      {"five minutes where whole hours are sold", "on_demand", "1",
       [](World& w) { priced(w, "1", 5min), w.rules.meter.quantum_s = 3600; }},
      {"idle inside an hour that is paid anyway is free: done at 2:10 ...", "on_demand", "3",
       [](World& w) { priced(w, "1", 130min), w.rules.meter.quantum_s = 3600; }},
      {"... and given back at 2:59", "on_demand", "3",
       [](World& w) {
         priced(w, "1", 130min);
         w.rules.meter.quantum_s = 3600;
         w.job.idle = 49min;
       }},
  });
}

TEST_CASE("the price on the page is not the bill", "[billing][mistakes]") {
  check({
      {"0.10 an hour for 35 h, and the disk that nobody mentioned", "on_demand", "3.8",
       [](World& w) {  // 3.50 + 30 GB x 0.01 a GB for the 35 h
         priced(w, "0.10", 35h);
         w.storage(StorageKind::data, "0.01").per = PricePer::day;
         w.rules.storage[StorageKind::data].quantum = StorageQuantum::day;
         w.job.data.disk = Bytes::gb(15);
       }},
      {"three hours at 0.74", "on_demand", "2.22", [](World& w) { priced(w, "0.74", 3h); }},
      {"47 h at an advertised 0.15", "on_demand", "7.05", [](World& w) { priced(w, "0.15", 47h); }},
      {"eight cards at 12.80 an hour and a controller at 0.38 are two bills: this is the job's",
       "on_demand", "12.8", [](World& w) { priced(w, "12.8", 1h); }},
      {"two machines cost two machines", "on_demand", "0.8",
       [](World& w) {
         priced(w, "0.4", 2h);
         w.job.machines = 2;
       }},
      {"a price with the dust of binary sums stays what was written", "on_demand", "47.600000001",
       [](World& w) { priced(w, "4.760000000100001", 10h); }},
      {"no hours, no cost, and no division by nothing", "on_demand", "0",
       [](World& w) { priced(w, "1", 0h); }},
      {"a part of 730 a month is 1 an hour in months of 730 h", "on_demand", "1",
       [](World& w) {
         w.offer.price.on_demand.reset();
         w.offer.components = {
             {.what = "fee", .price = dec("730"), .spot = {}, .per = PriceUnit::month}};
         w.rules.meter.month_hours = 730;
         w.run = 1h;
       }},
      {"0.90 an hour is 21.60 a day and not a month's price", "on_demand", "21.6",
       [](World& w) { priced(w, "0.90", 24h); }},
      {"and 657 in a month of 730 h", "on_demand", "657",
       [](World& w) { priced(w, "0.90", 730h); }},
      {"100 GB sold by the GiB are 93.13 GiB", "on_demand", "3.725290298",
       [](World& w) {
         w.offer.price.on_demand = dec("0");
         w.offer.free = true;
         w.rules.meter.month_hours = 720;
         w.storage(StorageKind::data, "0.04").gib = true;
         w.job.data.disk = Bytes::gb(100);
         w.run = 720h;
       }},
      {"40 TB from another region at 0.02 a GB", "on_demand", "800",
       [](World& w) {
         w.offer.price.on_demand = dec("0");
         w.offer.free = true;
         w.rules.network.ingress_per_gb = dec("0.02");
         w.job.data.upload = Bytes::gb(40'000);
       }},
      {"four small machines for a month with 20 GB of disk each", "on_demand", "82.992",
       [](World& w) {  // 2920 h x 0.0276 + 4 x 5 GB x 0.12
         priced(w, "0.0276", 2920h);
         w.job.machines = 4;
         w.rules.meter.month_hours = 730;
         w.storage(StorageKind::data, "0.12");
         w.job.data.disk = Bytes::gb(5);
       }},
  });
}

TEST_CASE("a spot price is a price of its own", "[billing][mistakes]") {
  check({
      {"the same four machines on the spot market: 2920 h x 0.0083", "spot", "24.236",
       [](World& w) {
         priced(w, "0.0276", 2920h);
         w.offer.price.spot = dec("0.0083");
         w.job.machines = 4;
         lives(w, {});
       }},
      {"spot may be dearer than on demand", "spot", "4.9",
       [](World& w) {
         priced(w, "0.44", 10h);
         w.offer.price.spot = dec("0.49");
         lives(w, {});
       }},
      {"40 minutes, taken back by the platform in the free first hour", "spot", "10",
       [](World& w) {
         w.offer.price.spot = dec("1");
         w.rules.spot.free_if_reclaimed_within_s = 3600;
         lives(w, {2400});
         w.run = 10h;
       }},
      {"70 minutes are paid", "spot", "11.166666667",
       [](World& w) {
         w.offer.price.spot = dec("1");
         w.rules.spot.free_if_reclaimed_within_s = 3600;
         lives(w, {4200});
         w.run = 10h;
       }},
      {"40 minutes that the renter ends are paid", "spot", "0.666666667",
       [](World& w) {
         w.offer.price.spot = dec("1");
         w.rules.spot.free_if_reclaimed_within_s = 3600;
         lives(w, {});
         w.run = 40min;
       }},
      {"whole hours: of 2 h 20 min that the platform ends two are paid", "spot", "12",
       [](World& w) {
         w.offer.price.spot = dec("1");
         w.rules.meter.quantum_s = 3600;
         w.rules.spot.free_last_quantum = true;
         lives(w, {8400});
         w.run = 10h;
       }},
      {"and three when the renter ends them", "spot", "3",
       [](World& w) {
         w.offer.price.spot = dec("1");
         w.rules.meter.quantum_s = 3600;
         w.rules.spot.free_last_quantum = true;
         lives(w, {});
         w.run = 140min;
       }},
      {"20 minutes: nothing when the platform ends them", "spot", "10",
       [](World& w) {
         w.offer.price.spot = dec("1");
         w.rules.meter.quantum_s = 3600;
         w.rules.spot.free_last_quantum = true;
         lives(w, {1200});
         w.run = 10h;
       }},
      {"an hour when the renter does", "spot", "1",
       [](World& w) {
         w.offer.price.spot = dec("1");
         w.rules.meter.quantum_s = 3600;
         w.rules.spot.free_last_quantum = true;
         lives(w, {});
         w.run = 20min;
       }},
      {"checkpoints that are not resumed from are only a cost: all five hours are lost", "spot",
       "15",
       [](World& w) {
         w.offer.price.spot = dec("1");
         lives(w, {5 * 3600});
         w.job.checkpoint = CheckpointPlan{.every = 1h,
                                           .to = CheckpointTo::object,
                                           .size = {},
                                           .keep = 1,
                                           .write = Duration{0},
                                           .restore = Duration{0},
                                           .resume = false};
         w.storage(StorageKind::object, "0");
         w.run = 10h;
       }},
  });
}

TEST_CASE("25 h of work in sessions of at most 24 h never end without a checkpoint",
          "[billing][mistakes]") {
  World w;
  w.offer.price.spot = dec("1");
  w.rules.spot.max_run_s = 24 * 3600;
  w.rules.spot.reclaim_after_s = std::vector<std::int64_t>{};
  w.run = 25h;
  CHECK(warns(w.bill("spot"), "never_finishes"));
}

TEST_CASE("terms that are paid whether they are used or not", "[billing][mistakes]") {
  check({
      {"a month given back after ten days is dearer than on demand would have been: 1.66 x 240",
       "month", "500.975",
       [](World& w) {
         w.term("month", "720", "1001.95");
         w.rules.terms.refund = Refund{.kind = Refund::Kind::multiplier, .value = dec("1.5")};
         w.job.return_early = true;
         w.run = 240h;
       }},
      {"on demand", "on_demand", "398.4", [](World& w) { priced(w, "1.66", 240h); }},
      {"after 20 days of 30 nothing comes back", "month", "1001.95",
       [](World& w) {
         w.term("month", "720", "1001.95");
         w.rules.terms.refund = Refund{.kind = Refund::Kind::multiplier, .value = dec("1.5")};
         w.job.return_early = true;
         w.run = 480h;
       }},
      {"after 25 days the formula would be negative: still nothing", "month", "1001.95",
       [](World& w) {
         w.term("month", "720", "1001.95");
         w.rules.terms.refund = Refund{.kind = Refund::Kind::multiplier, .value = dec("1.5")};
         w.job.return_early = true;
         w.run = 600h;
       }},
      {"a reservation of 100 h that is not used costs its hours", "hundred", "10",
       [](World& w) {
         w.term("hundred", "100", "10");
         w.run = 1h;
       }},
      {"an advance payment is one for each machine", "year", "8000",
       [](World& w) {
         w.term("year", "8760", "1000");
         w.job.machines = 8;
         w.run = 8h;
       }},
      {"60 h used of a fee of 100: 20 less than on demand at 2, not 100 less", "reserved", "100",
       [](World& w) {
         priced(w, "2", 60h);
         w.term("hundred", "100", "100");
       }},
  });
}

TEST_CASE("a price that is missing is neither 0 nor another one", "[billing][mistakes]") {
  World w;
  w.run = 1h;
  w.offer.price.on_demand.reset();
  w.offer.gpus = 1;
  w.offer.components = {{.what = "fee", .price = dec("0.94"), .spot = {}},
                        {.what = "gpu", .price = {}, .spot = {}}};
  auto bill = w.try_bill();
  REQUIRE_FALSE(bill);  // the host alone is not the machine
  CHECK(bill.errors().front().hint == "price_missing");
  w.offer.components.back().price = dec("2.93");
  CHECK(w.total() == "3.87");

  CHECK(w.try_bill("spot").errors().front().hint == "plan_not_sold");
  w.offer.components.clear();
  w.offer.price.on_demand = dec("0");
  CHECK(w.try_bill().errors().front().hint == "price_missing");
  w.term("year", "8760", "20000");  // sold as a reservation only
  CHECK(w.total("year") == "20000");
}

TEST_CASE("unit prices keep their digits, only totals for people are rounded",
          "[billing][mistakes]") {
  World w;
  w.rules.network.egress_per_gb = dec("0.000025");
  w.job.data.download = Bytes::gb(1000);
  w.run = 1h;
  const Bill bill = w.bill();
  CHECK(part(bill, Item::network) == "0.025");
  CHECK(bill.ledger.back().unit_price == "0.000025");
}

TEST_CASE("at 500 GB the machine with the higher price and the cheaper disk wins",
          "[billing][mistakes]") {
  const auto total = [](const std::string& price, const std::string& disk) {
    World w;
    priced(w, price, 100h);
    w.rules.meter.month_hours = 730;
    w.storage(StorageKind::data, disk);
    w.job.data.disk = Bytes::gb(500);
    return w.bill().total;
  };
  // 30 + 20.55 against 35 + 3.42
  CHECK(total("0.30", "0.30") > total("0.35", "0.05"));
}

TEST_CASE("requests that keep a worker awake cost its idle time, not their seconds",
          "[billing][mistakes]") {
  World w;
  w.offer.price.on_demand = dec("1.8");
  w.rules.serverless = ServerlessRules{.idle_s = dec("300"), .start_s = dec("0")};
  w.job.work.requests = 100;
  w.job.work.seconds_per_request = Duration{15s};
  w.job.work.per_day = dec("100");
  // 100 x (15 + 300) s = 8.75 h at 1.8, where the requests alone would be 0.75
  CHECK(w.total() == "15.75");
}
