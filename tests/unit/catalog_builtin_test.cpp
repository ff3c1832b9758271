// The catalog that the program carries: what a renter can rely on without a file of his own.
#include <set>
#include <utility>

#include "billing_world.hpp"
#include "core/builtin.hpp"
#include "gpuplan/cards.hpp"

using namespace gpuplan;
using namespace gpuplan::test;
using namespace std::chrono_literals;

namespace {

const Catalog& builtin() {
  static const Catalog catalog = [] {
    auto read = read_catalog(builtin_catalog(), "catalog.json");
    REQUIRE(read);
    return *std::move(read);
  }();
  return catalog;
}

const Offer& named(const std::string& id) {
  const auto found = find_offers(builtin(), id);
  REQUIRE(found.size() == 1);
  return *found.front();
}

BillRequest request(const Offer& offer, const Job& job, Duration run,
                    const std::string& plan = "on_demand") {
  BillRequest asked;
  asked.catalog = &builtin();
  asked.offer = &offer;
  asked.job = &job;
  asked.run = run;
  asked.plan = plan;
  asked.currency = builtin().platforms[offer.platform].currency;
  return asked;
}

std::string total(const std::string& id, Duration run, const std::string& plan = "on_demand") {
  const Job job;
  const auto bill = simulate_bill(request(named(id), job, run, plan));
  REQUIRE(bill);
  return to_string(bill->total);
}

bool parts_without_price(const Offer& offer) {
  for (const Component& part : offer.components)
    if (!part.price) return true;
  return false;
}

}  // namespace

TEST_CASE("the built-in catalog holds many offers of many platforms", "[catalog][builtin]") {
  std::set<std::size_t> selling;
  for (const Offer& offer : builtin().offers) selling.insert(offer.platform);
  CHECK(selling.size() >= 20);
  CHECK(builtin().offers.size() >= 300);
  CHECK(builtin().warnings.empty());
}

TEST_CASE("each built-in price says its day and its source", "[catalog][builtin]") {
  for (const Offer& offer : builtin().offers) {
    INFO(builtin().platforms[offer.platform].id << "/" << offer.id);
    REQUIRE(offer.as_of);
    CHECK(*offer.as_of <= *builtin().as_of);
    CHECK_FALSE(offer.source.empty());
  }
  for (const Platform& platform : builtin().platforms) {
    INFO(platform.id);
    CHECK_FALSE(platform.source.empty());
  }
}

TEST_CASE("each card of the built-in catalog is in the card table", "[catalog][builtin]") {
  const auto table = builtin_card_table();
  REQUIRE(table);
  for (const Offer& offer : builtin().offers) {
    INFO(offer.id << " " << offer.card);
    CHECK(table->find(offer.card));
  }
}

TEST_CASE("each built-in offer has a bill under each plan that it sells", "[catalog][builtin]") {
  const Job job;
  for (const Offer& offer : builtin().offers) {
    INFO(builtin().platforms[offer.platform].id << "/" << offer.id);
    if (parts_without_price(offer)) continue;
    if (offer.price.on_demand) {
      const auto bill = simulate_bill(request(offer, job, 10h));
      REQUIRE(bill);
      const Money ten_hours = Money::nanos(Money::rounded(*offer.price.on_demand).nanos() * 10);
      CHECK(bill->totals.at(Item::compute) == ten_hours);
    }
    for (const Commitment& term : offer.price.commitments)
      CHECK_FALSE(why_no_bill(request(offer, job, 10h, term.name)));
  }
}

TEST_CASE("spot is never dearer than on demand in the built-in catalog", "[catalog][builtin]") {
  for (const Offer& offer : builtin().offers) {
    INFO(offer.id);
    const auto& [on_demand, spot] = std::pair{offer.price.on_demand, offer.price.spot};
    if (spot && on_demand) CHECK(*spot < *on_demand);
    for (const Component& part : offer.components)
      if (part.spot && part.price) CHECK(*part.spot < *part.price);
  }
}

TEST_CASE("a card whose machine has no known price does not look cheap", "[catalog][builtin]") {
  const Job job;
  const Offer& google = named("gcp/a3-highgpu-8g@us-central1");
  const auto why = why_no_bill(request(google, job, 1h));
  REQUIRE(why);
  CHECK(why->code == "price_missing");
}

TEST_CASE("built-in metering: what a short run costs", "[catalog][builtin]") {
  CHECK(total("aws-ec2/g6.xlarge@us-east-1", 20s) == "0.013413333");     // 60 s at least
  CHECK(total("aws-ec2/g6.xlarge@us-east-1", 61s) == "0.013636889");     // then by the second
  CHECK(total("lambda/A10-x1", 61s) == "0.043");                         // two minutes
  CHECK(total("huggingface/A100-80GB-x1-large", 30s) == "0.041666667");  // one minute
  CHECK(total("vultr/L40S-x1", 61min) == "3.1192");                      // two hours
  CHECK(total("modal/H100-80GB-x1", 1h) == "0");  // 4.266512, inside the monthly credit of 30
}

TEST_CASE("built-in terms are billed whole", "[catalog][builtin]") {
  CHECK(total("compshare/RTX-4090-x1", 10h, "day") == "36.73");
  CHECK(total("compshare/RTX-4090-x1", 600h, "month") == "1001.95");
  CHECK(total("compshare/RTX-4090-x1", 600h) == "996");  // 600 h: the month is not yet cheaper
  CHECK(total("runpod/L40S-x1-secure", 100h, "3-month") == "1638.12");
  CHECK(total("azure/NC24ads_A100_v4@eastus", 100h, "1-year") == "26782.824");
}

TEST_CASE("a stopped pod keeps its volume at twice the price", "[catalog][builtin]") {
  Job job;
  job.data.disk = Bytes::gb(100);
  job.keep.days = 24h * 30;
  const auto bill = simulate_bill(request(named("runpod/L4-x1-secure"), job, 1h));
  REQUIRE(bill);
  // an hour at 0.10 and 720 h at 0.20 a GB-month of 730 h
  CHECK(part(*bill, Item::storage) == "19.739726027");
  CHECK(part(*bill, Item::compute) == "0.39");
}

TEST_CASE("a dollar price of a yuan offer comes from the dated rate", "[catalog][builtin]") {
  const Job job;
  BillRequest asked = request(named("compshare/RTX-4090-x1"), job, 1h);
  asked.currency = "USD";
  const auto bill = simulate_bill(asked);
  REQUIRE(bill);
  CHECK(to_string(bill->total) == "0.247591656");  // 1.66 x 0.1491516
}
