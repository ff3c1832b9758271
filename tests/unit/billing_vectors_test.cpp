// Bills of real platforms' rules, worked out by hand from what each platform publishes. The rules
// and prices are those of the day that the sentence in each case was written for.
#include <functional>

#include "billing_world.hpp"

using namespace gpuplan;
using namespace gpuplan::test;
using namespace std::chrono_literals;

namespace {

struct Vector {
  std::string what;
  std::string plan;
  std::string total;  // every digit that the bill has
  std::function<void(World&)> world;
};

void free_card(World& w) {
  w.offer.price.on_demand = dec("0");
  w.offer.free = true;
}

const std::vector<Vector>& vectors() {
  static const std::vector<Vector> kVectors{
      {"V1 a month of 720 h is prepaid with 576 and given back after 15 days: 288 are left, the 72 "
       "that were saved are taken back with 5 percent on top",
       "month", "363.6",  // 576 - 212.40
       [](World& w) {
         w.term("month", "720", "576");
         w.rules.terms.refund = Refund{.kind = Refund::Kind::clawback, .value = dec("5")};
         w.job.return_early = true;
         w.run = 360h;
       }},
      {"V2 1000 GiB at 0.20 a GiB-month of 720 h, for one day", "on_demand", "6.666666667",
       [](World& w) {
         free_card(w);
         w.rules.meter.month_hours = 720;
         w.storage(StorageKind::volume, "0.20").gib = true;
         w.job.data.disk = Bytes::gib(1000);
         w.run = 24h;
       }},
      {"V2 and for the whole month", "on_demand", "200",
       [](World& w) {
         free_card(w);
         w.rules.meter.month_hours = 720;
         w.storage(StorageKind::volume, "0.20").gib = true;
         w.job.data.disk = Bytes::gib(1000);
         w.run = 720h;
       }},
      {"V3 10 a month, used from the 10th to the 20th of a month of 30 days", "on_demand",
       "3.333333333",
       [](World& w) {
         w.offer.price.on_demand.reset();
         w.offer.components.push_back(
             {.what = "fee", .price = dec("10"), .spot = {}, .per = PriceUnit::month});
         w.rules.meter.month_hours = 0;
         w.job.start = parse_moment("2026-04-10T00:00:00Z");
         w.run = 240h;
       }},
      {"V4 a quarter of an hour at 2.08 with a campaign of 10 percent off", "on_demand", "0.468",
       [](World& w) {
         w.offer.price.on_demand = dec("2.08");
         w.platform().account.discounts.push_back({.percent = dec("10"),
                                                   .plans = {"on_demand"},
                                                   .items = {},
                                                   .who = {},
                                                   .above_spend = {}});
         w.run = 15min;
       }},
      {"V5 ten starts of 20 s with a minimum of a minute: 600 s", "on_demand", "0.6",
       [](World& w) {
         w.offer.price.on_demand = dec("3.6");
         w.rules.meter.minimum_s = 60;
         w.job.machines = 10;
         w.run = 200s;
       }},
      {"V6 whole hours: a minute", "on_demand", "1",
       [](World& w) { w.rules.meter.quantum_s = 3600, w.run = 1min; }},
      {"V6 whole hours: 59 minutes", "on_demand", "1",
       [](World& w) { w.rules.meter.quantum_s = 3600, w.run = 59min; }},
      {"V6 whole hours: an hour", "on_demand", "1",
       [](World& w) { w.rules.meter.quantum_s = 3600, w.run = 60min; }},
      {"V6 whole hours: 61 minutes", "on_demand", "2",
       [](World& w) { w.rules.meter.quantum_s = 3600, w.run = 61min; }},
      {"V7 a month of 744 h costs what 672 h cost", "on_demand", "672",
       [](World& w) {
         w.rules.meter.cap_month = dec("672");
         w.job.start = parse_moment("2026-01-01T00:00:00Z");
         w.run = 744h;
       }},
      {"V8 100 GB of volume disk for 30 days, stopped: twice the price", "on_demand", "20",
       [](World& w) {
         free_card(w);
         w.rules.meter.month_hours = 720;
         w.storage(StorageKind::data, "0.10").with_instance = true;
         w.rules.stop.factor[State::released].data = dec("2");
         w.job.data.disk = Bytes::gb(100);
         w.job.keep.days = 720h;
       }},
      {"V8 the same while the machine runs", "on_demand", "10",
       [](World& w) {
         free_card(w);
         w.rules.meter.month_hours = 720;
         w.storage(StorageKind::data, "0.10").with_instance = true;
         w.job.data.disk = Bytes::gb(100);
         w.run = 720h;
       }},
      {"V8 the same on a network volume", "on_demand", "7",
       [](World& w) {
         free_card(w);
         w.rules.meter.month_hours = 720;
         w.storage(StorageKind::volume, "0.07");
         w.job.data.disk = Bytes::gb(100);
         w.run = 720h;
       }},
      {"V9 1500 GB: 1000 at 0.07 and 500 at 0.05", "on_demand", "95",
       [](World& w) {
         free_card(w);
         w.rules.meter.month_hours = 720;
         StorageRule& rule = w.rules.storage[StorageKind::volume];
         rule.tiers = {{.up_to_gb = dec("1000"), .price = dec("0.07")},
                       {.up_to_gb = {}, .price = dec("0.05")}};
         w.job.data.disk = Bytes::gb(1500);
         w.run = 720h;
       }},
      {"V10 an address at 0.0045 an hour, 666 h: not yet at its cap", "on_demand", "2.997",
       [](World& w) {
         free_card(w);
         w.rules.network.ip_per_hour = dec("0.0045");
         w.rules.network.ip_cap_month = dec("3");
         w.run = 666h;
       }},
      {"V10 all month: 3.00", "on_demand", "3",
       [](World& w) {
         free_card(w);
         w.rules.network.ip_per_hour = dec("0.0045");
         w.rules.network.ip_cap_month = dec("3");
         w.run = 720h;
       }},
      {"V11 two cards, 64 vCPU and 384 GB of memory sold apart", "on_demand", "4.5688",
       [](World& w) {
         w.offer.price.on_demand.reset();
         w.offer.gpus = 2;
         w.offer.vcpus = dec("64");
         w.offer.ram_gb = dec("384");
         w.offer.components = {{.what = "gpu", .price = dec("1.35"), .spot = {}},
                               {.what = "vcpu", .price = dec("0.016"), .spot = {}},
                               {.what = "ram_gb", .price = dec("0.0022"), .spot = {}}};
         w.run = 1h;
       }},
      {"V12 taken back after 59 minutes: those cost nothing, the work is done again", "spot", "10",
       [](World& w) {
         w.offer.price.spot = dec("1");
         w.rules.spot.free_if_reclaimed_within_s = 3600;
         w.rules.spot.reclaim_after_s = std::vector<std::int64_t>{59 * 60};
         w.run = 10h;
       }},
      {"V12 after 61 minutes they are paid", "spot", "11.016666667",
       [](World& w) {
         w.offer.price.spot = dec("1");
         w.rules.spot.free_if_reclaimed_within_s = 3600;
         w.rules.spot.reclaim_after_s = std::vector<std::int64_t>{61 * 60};
         w.run = 10h;
       }},
      {"V13 an image store of 50 GB for a day, 30 of them free, 0.008 a GB and day", "on_demand",
       "0.16",
       [](World& w) {
         free_card(w);
         StorageRule& rule = w.storage(StorageKind::image, "0.008");
         rule.per = PricePer::day;
         rule.included_gb = dec("30");
         w.job.keep.images = {Bytes::gb(50)};
         w.job.keep.days = 24h;
       }},
      {"V14 stopped for ten hours where stop keeps the card: ten hours are billed", "on_demand",
       "10",
       [](World& w) {
         w.rules.stop.stop = State::held;
         w.job.idle = 10h;
         w.job.auto_stop = 0h;
       }},
      {"V15 1000 GB at 0.00013 a GB-hour for half an hour", "on_demand", "0.065", [](World& w) {
         free_card(w);
         w.storage(StorageKind::volume, "0.00013").per = PricePer::hour;
         w.job.data.disk = Bytes::gb(1000);
         w.run = 30min;
       }}};
  return kVectors;
}

}  // namespace

TEST_CASE("published examples of real platforms come out to the last digit", "[billing][vectors]") {
  for (const Vector& vector : vectors()) {
    INFO(vector.what);
    World w;
    vector.world(w);
    const Bill bill = w.bill(vector.plan);
    CHECK(to_string(bill.total) == vector.total);
    CHECK(sum_of(bill) == bill.total);
  }
}
