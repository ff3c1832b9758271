#include <algorithm>
#include <string>

#include "catch.hpp"
#include "gpuplan/catalog.hpp"

using namespace gpuplan;

namespace {

Catalog good(std::string_view text) {
  const Result<Catalog> catalog = read_catalog(text, "c.json");
  if (!catalog) {
    for (const Diagnostic& error : catalog.errors()) UNSCOPED_INFO(to_text(error));
    FAIL("the catalog was refused");
  }
  return *catalog;
}

// A catalog with one platform "p"; `platform` and `offer` are further members of the objects.
std::string with(std::string_view platform, std::string_view offer = R"("price": {})") {
  return R"({"schema": "gpuplan.catalog/1", "platforms": [{"id": "p", )" + std::string(platform) +
         (platform.empty() ? "" : ", ") + R"("offers": [{"card": "T4", )" + std::string(offer) + "}]}]}";
}

std::string with_offer(std::string_view offer) { return with("", offer); }
Decimal decimal(std::string_view text) { return *Decimal::parse(text); }

std::vector<std::string> ids(const Catalog& catalog) {
  std::vector<std::string> names;
  for (const Offer& offer : catalog.offers) names.push_back(offer.id);
  return names;
}
using Names = std::vector<std::string>;

constexpr std::string_view kShort = R"({ "schema": "gpuplan.catalog/1", "as_of": "2026-11-01", "currency": "USD",
  "platforms": [ { "id": "acme", "stop": "released",
    "offers": [ { "card": "L40S", "price": { "on_demand": 0.90, "spot": 0.45, "week": 100 } } ] } ] })";

}  // namespace

TEST_CASE("a short catalog says all that a price list says", "[catalog]") {
  const Catalog catalog = good(kShort);
  REQUIRE(catalog.platforms.size() == 1);
  REQUIRE(catalog.offers.size() == 1);
  const Offer& offer = catalog.offers[0];
  CHECK(offer.id == "acme/L40S-x1");
  CHECK(offer.card == "L40S");
  CHECK(offer.gpus == 1);
  CHECK(offer.as_of == parse_date("2026-11-01"));
  CHECK(offer.price.on_demand == decimal("0.9"));
  CHECK(offer.price.spot == decimal("0.45"));
  REQUIRE(offer.price.commitments.size() == 1);
  CHECK(offer.price.commitments[0].name == "week");
  CHECK(offer.price.commitments[0].hours == Decimal::of(168));
  CHECK(offer.price.commitments[0].price == Decimal::of(100));
  CHECK(offer.rules->stop.stop == State::released);
  CHECK_FALSE(offer.rules->stop.terminate);
  CHECK(catalog.platforms[0].currency == "USD");
  CHECK(catalog.sha256.size() == 64);
}

TEST_CASE("a catalog from a spreadsheet tool, with a byte order mark and CRLF, reads the same", "[catalog]") {
  std::string text = "\xef\xbb\xbf";
  for (const char c : kShort) text += c == '\n' ? "\r\n" : std::string(1, c);
  const Catalog catalog = good(text);
  CHECK(ids(catalog) == ids(good(kShort)));
  CHECK(catalog.sha256 != good(kShort).sha256);
}

TEST_CASE("a price keeps every digit that was written, as number or as text", "[catalog]") {
  const auto text = GENERATE(as<std::string>{}, "30.000000000100002", "4.760000000100001", "0.1", "1e-3", "2.49");
  const Decimal wanted = decimal(text);
  CHECK(good(with_offer(R"("price": {"on_demand": )" + text + "}")).offers[0].price.on_demand == wanted);
  CHECK(good(with_offer(R"("price": {"on_demand": ")" + text + "\"}")).offers[0].price.on_demand == wanted);
}

TEST_CASE("a price of 0 stays 0 and an absent one absent: both mean unknown later on", "[catalog]") {
  CHECK(good(with_offer(R"("price": {"on_demand": 0})")).offers[0].price.on_demand == Decimal{});
  CHECK_FALSE(good(with_offer(R"("price": {"on_demand": null})")).offers[0].price.on_demand);
  const Catalog free = good(with_offer(R"("free": true)"));
  CHECK(free.offers[0].free);
}

TEST_CASE("an offer without an id is named after platform, card, count and region", "[catalog]") {
  const Catalog catalog = good(R"({"schema": "gpuplan.catalog/1", "platforms": [{"id": "a b", "offers": [
    {"card": "RTX 4090", "gpus": 2, "region": "us east", "price": {}},
    {"card": "RTX 4090", "gpus": 2, "region": "us east", "price": {}},
    {"card": "T4", "price": {}},
    {"card": "RTX 4090", "gpus": 2, "region": "us east", "price": {}},
    {"id": "a-b/T4-x1", "card": "T4", "price": {}}]}]})");
  CHECK(ids(catalog) == Names{"a-b/RTX-4090-x2@us-east", "a-b/RTX-4090-x2@us-east#2", "a-b/T4-x1#2",
                              "a-b/RTX-4090-x2@us-east#3", "a-b/T4-x1"});
}

TEST_CASE("gpu_counts writes one offer for each count, with prices and sizes for one card", "[catalog]") {
  const Catalog catalog = good(with_offer(R"("id": "n", "gpu_counts": [1, 4], "vcpus": 8, "ram_gb": "30.5", "disk_gb": 100,
    "price": {"on_demand": 0.69, "spot": "0.2", "month": 300,
              "commitments": [{"name": "half", "hours": 4380, "price": 1000, "hourly": 0.1}]})"));
  CHECK(ids(catalog) == Names{"n-x1", "n-x4"});
  const Offer& four = catalog.offers[1];
  CHECK(four.gpus == 4);
  CHECK(four.price.on_demand == decimal("2.76"));
  CHECK(four.price.spot == decimal("0.8"));
  CHECK(four.price.commitments[0].price == Decimal::of(1200));
  CHECK(four.price.commitments[1].price == Decimal::of(4000));
  CHECK(four.price.commitments[1].hourly == decimal("0.4"));
  CHECK(four.vcpus == Decimal::of(32));
  CHECK(four.ram_gb == Decimal::of(122));
  CHECK(four.disk_gb == Decimal::of(100));
  CHECK(catalog.offers[0].price.on_demand == decimal("0.69"));
  CHECK(ids(good(with_offer(R"("gpu_counts": [1, 4], "price": {})"))) == Names{"p/T4-x1", "p/T4-x4"});
}

TEST_CASE("an offer says what machine it is", "[catalog]") {
  const Catalog catalog = good(with_offer(R"("gpus": 8, "node_only": true, "share": 0.5, "memory": "24GiB",
    "interconnect": "nvswitch", "nodes_interconnect": {"gbps": 3200}, "vcpus": 96, "ram_gb": "2TB", "disk_gb": 500,
    "tier": "secure", "region": "eu, west", "zone": "1", "stock": "low", "price_kind": "quote", "as_of": "2026-10-01",
    "source": "s", "note": "n", "price": {}, "x_mine": {"a": [1.50, "b"]})"));
  const Offer& offer = catalog.offers[0];
  CHECK(offer.node_only);
  CHECK(offer.share == decimal("0.5"));
  CHECK(offer.memory == Bytes::gib(24));
  CHECK(offer.interconnect == Wire::nvswitch);
  CHECK(offer.nodes_gbps == Decimal::of(3200));
  CHECK(offer.ram_gb == Decimal::of(2000));
  CHECK(offer.quote);
  CHECK(offer.as_of == parse_date("2026-10-01"));
  CHECK(offer.region == "eu, west");
  REQUIRE(offer.own.size() == 1);
  CHECK(offer.own[0].json == R"({"a":[1.50,"b"]})");
}

TEST_CASE("parts may be sold apart", "[catalog]") {
  const Catalog catalog = good(with_offer(R"("vcpus": 16, "components": [{"what": "gpu", "price": 1.35, "spot": 0.5},
    {"what": "vcpu", "price": "0.012", "per": "month"}, {"what": "fee", "price": 1}])"));
  const Offer& offer = catalog.offers[0];
  REQUIRE(offer.components.size() == 3);
  CHECK(offer.components[0].per == PriceUnit::hour);
  CHECK(offer.components[0].spot == decimal("0.5"));
  CHECK(offer.components[1].per == PriceUnit::month);
}

TEST_CASE("terms stand in the order day, week, month, year, then the named ones", "[catalog]") {
  const Catalog catalog = good(with_offer(R"("price": {"commitments": [{"name": "q", "hours": "90d", "price": 5, "hourly": 1,
      "hourly_used": true, "refund": {"clawback_percent": 20}, "covers": "gpu", "at_end": "stop"}],
    "year": 9000, "day": 20, "spot_series": {"file": "s.csv"}})"));
  const Prices& price = catalog.offers[0].price;
  REQUIRE(price.commitments.size() == 3);
  CHECK(price.commitments[0].name == "day");
  CHECK(price.commitments[1].hours == Decimal::of(8760));
  const Commitment& named = price.commitments[2];
  CHECK(named.hours == Decimal::of(2160));
  CHECK(named.hourly_used);
  CHECK(named.refund->kind == Refund::Kind::clawback);
  CHECK(named.refund->value == Decimal::of(20));
  CHECK(named.covers_gpu_only == true);
  CHECK(named.at_end == AtEnd::stop);
  REQUIRE(price.spot_series);
  CHECK(price.spot_series->file == "s.csv");
}

TEST_CASE("a platform says its account rules, tax and currency", "[catalog]") {
  const Catalog catalog = good(R"({"schema": "gpuplan.catalog/1", "currency": "CNY", "fx": {"USD": "7.1"}, "as_of": "2026-11-01",
    "platforms": [{"id": "p", "tax_percent": 6, "as_of": "2026-10-15", "account": {
      "fee_month": 10, "minimum_topup": 5, "host_down_factor": 0, "sla": {"uptime_percent": "99.9", "credit_percent": 10},
      "credits": [{"amount": 25, "every": "month", "expires_days": 30, "plans": ["on_demand"], "who": "new"}],
      "discounts": [{"percent": 10, "plans": "all", "items": ["compute"], "who": "any", "above_spend": 100}]},
      "offers": [{"card": "T4", "price": {}}]}, {"id": "q", "currency": "USD"}]})");
  CHECK(catalog.fx.at("USD") == decimal("7.1"));
  CHECK(catalog.platforms[0].currency == "CNY");
  CHECK(catalog.platforms[1].currency == "USD");
  CHECK(catalog.platforms[0].tax_percent == Decimal::of(6));
  CHECK(catalog.offers[0].as_of == parse_date("2026-10-15"));
  const AccountRules& account = catalog.platforms[0].account;
  CHECK(account.fee_month == Decimal::of(10));
  CHECK(account.host_down_factor == Decimal{});
  CHECK(account.sla_uptime_percent == decimal("99.9"));
  REQUIRE(account.credits.size() == 1);
  CHECK(account.credits[0].monthly);
  CHECK(account.credits[0].expires_days == Decimal::of(30));
  CHECK(account.credits[0].plans == Names{"on_demand"});
  CHECK(account.credits[0].who == Names{"new"});
  REQUIRE(account.discounts.size() == 1);
  CHECK(account.discounts[0].plans.empty());
  CHECK(account.discounts[0].items == Names{"compute"});
  CHECK(account.discounts[0].who.empty());
  CHECK(account.discounts[0].above_spend == Decimal::of(100));
}

TEST_CASE("a catalog may add its own cards", "[catalog]") {
  const Catalog catalog = good(R"({"schema": "gpuplan.catalog/1", "cards": [{"name": "Acme Board 48", "vendor": "acme",
    "class": "accelerator", "memory": {"nominal_gb": 48}}]})");
  REQUIRE(catalog.cards.size() == 1);
  CHECK(catalog.cards[0].name == "Acme Board 48");
}

TEST_CASE("an offer is found by its id, with or without its platform", "[catalog]") {
  const Catalog catalog = good(R"({"schema": "gpuplan.catalog/1", "platforms": [
    {"id": "a", "offers": [{"id": "one", "card": "T4", "price": {}}, {"card": "L4", "price": {}}]},
    {"id": "b", "offers": [{"id": "one", "card": "T4", "price": {}}]}]})");
  CHECK(find_offers(catalog, "one").size() == 2);
  REQUIRE(find_offers(catalog, "b/one").size() == 1);
  CHECK(find_offers(catalog, "b/one")[0]->platform == 1);
  CHECK(find_offers(catalog, "a/L4-x1").size() == 1);
  CHECK(find_offers(catalog, "a/a/L4-x1").size() == 1);
  CHECK(find_offers(catalog, "two").empty());
}
