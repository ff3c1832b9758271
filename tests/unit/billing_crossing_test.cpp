// Rules that meet each other: caps over months, what is given back, what the platform takes away.
#include "spot_world.hpp"

using namespace gpuplan;
using namespace gpuplan::test;
using namespace std::chrono_literals;

namespace {

Moment at(const char* text) { return *parse_moment(text); }

}  // namespace

TEST_CASE("a cap of a month holds for all charges of an instance together, month by month", "[billing][cap]") {
  World w;
  w.rules.meter.cap_month = dec("100");
  w.offer.price.on_demand = {};
  w.offer.components = {Component{.what = "gpu", .price = dec("1"), .spot = {}, .per = PriceUnit::hour},
                        Component{.what = "fee", .price = dec("24"), .spot = {}, .per = PriceUnit::day}};
  w.run = 100h;
  w.job.start = at("2026-11-30T00:00:00Z");
  CHECK(w.total() == "148");  // 24 + 24 in November, 76 + 76 capped at 100 in December
}

TEST_CASE("a cap of a disk holds for all its steps together, month by month", "[billing][cap]") {
  World w;
  StorageRule& rule = w.rules.storage[StorageKind::data];
  rule.cap_month = dec("30");
  rule.per = PricePer::hour;
  rule.tiers = {StorageTier{.up_to_gb = dec("100"), .price = dec("0.001")}, StorageTier{.up_to_gb = {}, .price = dec("0.0005")}};
  w.job.data.disk = Bytes::gb(200);
  w.run = 2h;
  w.job.start = at("2026-11-29T00:00:00Z");
  w.job.keep.days = 32 * Duration{24h};
  // 48 h of 0.15 in November, and the cap in December.
  CHECK(part(w.bill(), Item::storage) == "37.2");
}

TEST_CASE("a discount reduces what a refund has left", "[billing][terms]") {
  World w;
  w.term("week", "168", "100").refund = Refund{.kind = Refund::Kind::pro_rata, .value = {}};
  Discount half;
  half.percent = dec("50");
  half.items = {"compute"};
  w.platform().account.discounts = {half};
  w.run = 8h + 24min;  // a twentieth of the week
  w.job.return_early = true;
  const Bill bill = w.bill("week");
  CHECK(part(bill, Item::refund) == "-95");
  CHECK(part(bill, Item::discount) == "-2.5");
  CHECK(to_string(bill.total) == "2.5");
}

TEST_CASE("a machine that is held behind a block given back is paid for", "[billing][terms]") {
  World w;
  w.rules.stop.stop = State::held;
  w.term("week", "168", "50").refund = Refund{.kind = Refund::Kind::pro_rata, .value = {}};
  w.run = 42h;
  w.job.end = Verb::stop;
  w.job.keep.days = 3 * Duration{24h};
  CHECK(w.total("week") == "50");
  w.job.return_early = true;
  // A quarter of the first week, and a second one for the 72 hours in which it stays held.
  CHECK(w.total("week") == "62.5");
}

TEST_CASE("a machine on demand within a spot plan stops as one on demand does", "[billing][spot]") {
  World w;
  w.offer.price.spot = dec("0.5");
  w.rules.spot.reclaim_after_s = std::vector<std::int64_t>{1800, 1800, 1800};
  w.job.checkpoint = CheckpointPlan{};
  w.job.checkpoint->every = 0s;
  w.job.spot_model.survives = "everything";
  w.job.policy = "retries:2";
  w.job.schedule = Schedule{.from_minute = 0, .to_minute = 120};
  w.run = 3h;
  w.offer.rules = std::make_shared<const Rules>(w.rules);
  BillRequest request{.catalog = &w.catalog, .offer = &w.offer, .job = &w.job, .run = w.run, .plan = "spot", .currency = "USD"};
  const auto bill = simulate_spot(request, TrialOptions{.trials = 1, .seed = 1, .threads = 1});
  REQUIRE(bill);
  // An hour on spot, two on demand; released between the windows.
  CHECK(to_string(bill->bill.total) == "2.5");
  CHECK_FALSE(warns(bill->bill, "verb_not_offered"));
}

TEST_CASE("what had come over the line when the disk was lost is traffic too", "[billing][traffic]") {
  World w;
  w.offer.price.spot = dec("0.5");
  w.rules.spot.reclaim_after_s = std::vector<std::int64_t>{1800};
  w.rules.network.up_mbps = dec("80");  // 36 GB an hour
  w.rules.network.ingress_per_gb = dec("0.1");
  w.job.data.upload = Bytes::gb(36);
  w.run = 1h;
  const Bill bill = w.bill("spot");
  CHECK(part(bill, Item::network) == "5.4");  // half of it, then all of it
  CHECK(part(bill, Item::transfer) == "0.75");
}

TEST_CASE("a download is traffic of the month in which it crosses the line", "[billing][traffic]") {
  World w;
  w.rules.network.down_mbps = dec("80");
  w.rules.network.egress_tiers = {TrafficTier{.up_to_gb = dec("10"), .per_gb = dec("0.2")},
                                  TrafficTier{.up_to_gb = {}, .per_gb = dec("0.1")}};
  w.job.data.download = Bytes::gb(36);
  w.run = 90min;
  w.job.schedule = Schedule{.from_minute = 0, .to_minute = 120};
  w.job.start = at("2026-11-30T00:00:00Z");
  // Half an hour, 18 GB, on the last day of November and as much on the first of December.
  CHECK(part(w.bill(), Item::network) == "5.6");
}

TEST_CASE("results that are worked out again are sent again", "[billing][spot]") {
  World w;
  w.offer.price.spot = dec("0.5");
  w.rules.spot.reclaim_after_s = std::vector<std::int64_t>{5400};
  w.rules.network.down_mbps = dec("80");
  w.rules.network.egress_per_gb = dec("0.1");
  w.job.data.download = Bytes::gb(36);
  w.run = 1h;
  const Bill bill = w.bill("spot");  // taken back in the middle of the download
  CHECK(part(bill, Item::network) == "5.4");
  CHECK(part(bill, Item::lost_work) == "0.5");
}

TEST_CASE("a machine that stays on after the work can be taken back too", "[billing][spot]") {
  World w;
  w.offer.price.spot = dec("0.5");
  w.rules.spot.reclaim_after_s = std::vector<std::int64_t>{5400};
  w.run = 1h;
  w.job.end = Verb::run;
  w.job.keep.days = 24h;
  const Bill bill = w.bill("spot");
  CHECK(to_string(bill.total) == "0.75");  // an hour and a half, not twenty-five
  CHECK(bill.reclaims == 1);
}

namespace {

World by_the_request(std::int64_t requests) {
  World w;
  w.offer.tier = "serverless";
  w.rules.serverless = ServerlessRules{.idle_s = dec("10"), .start_s = dec("5")};
  w.job.work.requests = requests;
  w.job.work.seconds_per_request = 60s;
  w.job.work.per_day = dec("10");
  w.run = requests * Duration{60s};
  return w;
}

}  // namespace

TEST_CASE("requests on several machines are as many as there are", "[billing][serverless]") {
  World w = by_the_request(11);
  w.job.machines = 2;
  CHECK(w.bill().billed == 11 * Duration{75s});
}

TEST_CASE("traffic of requests is billed, or told as unpriced", "[billing][serverless]") {
  World w = by_the_request(10);
  w.job.data.upload = w.job.data.download = Bytes::gb(10);
  w.rules.network.ingress_per_gb = dec("0.2");
  const Bill unknown = w.bill();
  CHECK_FALSE(unknown.complete);
  REQUIRE(unknown.unpriced.size() == 1);
  CHECK(unknown.unpriced.front().key == "network.egress_per_gb");
  w.rules.network.egress_per_gb = dec("0.1");
  CHECK(part(w.bill(), Item::network) == "3");
}

TEST_CASE("a term of an offer by the request is a term", "[billing][serverless]") {
  World w = by_the_request(100);
  w.term("week", "168", "50");
  CHECK(w.total("week") == "50");
}

TEST_CASE("an offer that is free and states no price costs nothing", "[billing]") {
  World w;
  w.offer.price.on_demand = {};
  CHECK_FALSE(w.try_bill());
  w.offer.free = true;
  w.run = 5h;
  CHECK(w.total() == "0");
}
