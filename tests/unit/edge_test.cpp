// Data of every day: is it cheaper to send all of it, or to work on it where it arises?
#include "gpuplan/edge.hpp"

#include "billing_world.hpp"

using namespace gpuplan;
using namespace gpuplan::test;

namespace {

// 500 GB a day, a tenth of it kept for 30 days; a GB and month at 0.02.
struct Site : World {
  EdgeRequest request;

  Site() {
    storage(StorageKind::object, "0.02");
    request.per_day = Bytes::gb(500);
    request.edge_cost = usd("200");
    request.catalog = &catalog;
    request.offer = &offer;
  }
  EdgePlan plan() {
    offer.rules = std::make_shared<const Rules>(rules);
    auto made = plan_edge(request);
    REQUIRE(made);
    return *std::move(made);
  }
};

std::string text(const std::optional<Money>& amount) {
  return amount ? to_string(*amount) : "not known";
}

bool says(const EdgePlan& plan, std::string_view start) {
  for (const std::string& why : plan.why)
    if (why.starts_with(start)) return true;
  return false;
}

bool warned(const EdgePlan& plan, std::string_view code) {
  for (const Warning& warning : plan.warnings)
    if (warning.code == code) return true;
  return false;
}

}  // namespace

TEST_CASE("500 GB a day raw fill 15 TB in 30 days: 300 a month, a tenth of it 30", "[edge]") {
  const EdgePlan plan = Site().plan();
  CHECK(plan.cloud_only.upload == Bytes::gb(15'000));
  CHECK(plan.cloud_only.stored == Bytes::gb(15'000));
  CHECK(text(plan.cloud_only.storage) == "300");
  CHECK(text(plan.cloud_only.total) == "300");
  CHECK(text(plan.two_stage.storage) == "30");
  CHECK(text(plan.two_stage.total) == "230");
  CHECK(plan.verdict == "edge");  // without computing in the cloud both ways with an edge are one
  CHECK(says(plan, "cost: "));
  CHECK(says(plan, "volume: pre-processing leaves 10 %"));
}

TEST_CASE("hardware at the edge pays below the difference of the two bills", "[edge]") {
  Site site;
  CHECK(text(site.plan().edge_cost_break_even) == "270");
  site.request.edge_cost = usd("270.01");
  CHECK(site.plan().verdict == "cloud");
  site.request.edge_cost = usd("269.99");
  CHECK(site.plan().verdict == "edge");
}

TEST_CASE("the cloud's computing counts for all the data or for what is kept", "[edge]") {
  Site site;
  site.offer.price.on_demand = dec("2");
  site.request.compute_hours = dec("10");
  site.request.edge_compute_cost = usd("1000");
  const EdgePlan plan = site.plan();
  CHECK(text(plan.cloud_only.compute) == "600");  // 10 h a day at 2, thirty times
  CHECK(text(plan.two_stage.compute) == "60");
  CHECK(text(plan.edge_first.compute) == "0");
  CHECK(text(plan.edge_first.edge) == "1200");
  CHECK(plan.verdict == "two-stage");
}

TEST_CASE("more than a day's hours are those of several machines", "[edge]") {
  Site site;
  site.offer.price.on_demand = dec("1");
  site.request.compute_hours = dec("60");
  CHECK(text(site.plan().cloud_only.compute) == "1800");
}

TEST_CASE("private data, short answers and a narrow line close the way of sending all", "[edge]") {
  Site site;
  site.request.edge_cost = usd("5000");  // dear, and yet the only way
  CHECK(site.plan().verdict == "cloud");
  site.request.private_data = true;
  CHECK(site.plan().cloud_only.excluded == "privacy");
  CHECK(site.plan().verdict == "edge");
  site.request.private_data = false;
  site.request.latency_ms = dec("20");
  CHECK(site.plan().cloud_only.excluded == "latency");
  CHECK(site.plan().verdict == "edge");
  site.request.round_trip_ms = dec("12");  // the cloud is near enough
  CHECK(site.plan().cloud_only.excluded.empty());
  // 500 GB a day are 46.3 Mbps day and night.
  site.request.line = Bandwidth::per_second(5e6);
  CHECK(site.plan().cloud_only.excluded == "volume");
  CHECK(site.plan().two_stage.excluded.empty());
  site.request.line = Bandwidth::per_second(10e6);
  CHECK(site.plan().cloud_only.excluded.empty());
  site.request.line = Bandwidth::per_second(1e5);
  CHECK(site.plan().verdict.empty());
  CHECK(says(site.plan(), "no way is open"));
}

TEST_CASE("traffic is billed both ways, with the tiers of the platform", "[edge]") {
  Site site;
  site.rules.network.ingress_per_gb = dec("0.01");
  site.rules.network.egress_per_gb = dec("0.1");
  site.request.back_per_day = Bytes::gb(1);
  const EdgePlan plan = site.plan();
  CHECK(text(plan.cloud_only.network) == "153");  // 15,000 GB in, 30 GB out
  CHECK(text(plan.two_stage.network) == "18");
  site.request.egress_price = dec("0");
  CHECK(text(site.plan().cloud_only.network) == "150");
}

TEST_CASE("what no one states has no total and is never 0", "[edge]") {
  Site site;
  site.request.edge_cost.reset();
  CHECK(text(site.plan().two_stage.total) == "not known");
  CHECK(warned(site.plan(), "edge_cost_unknown"));
  Site unpriced;
  unpriced.rules.storage.clear();
  CHECK(text(unpriced.plan().cloud_only.total) == "not known");
  CHECK(unpriced.plan().verdict.empty());
  CHECK(warned(unpriced.plan(), "storage_price_unknown"));
  unpriced.request.storage_price = dec("0.05");
  CHECK(text(unpriced.plan().cloud_only.total) == "750");
}

TEST_CASE("without an offer the cheapest object storage of the catalog is taken, and said", "[edge]") {
  Site site;
  Offer dear = site.offer;
  dear.id = "dear";
  auto rules = std::make_shared<Rules>(site.rules);
  rules->storage[StorageKind::object].price = dec("0.09");
  dear.rules = rules;
  site.offer.rules = std::make_shared<const Rules>(site.rules);
  site.catalog.offers = {dear, site.offer};
  site.request.offer = nullptr;
  const EdgePlan plan = site.plan();
  REQUIRE(plan.offer);
  CHECK(plan.offer->id == "o");
  CHECK(warned(plan, "cloud_assumed"));
}
