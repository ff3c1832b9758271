#include <string>

#include "catch.hpp"
#include "gpuplan/catalog.hpp"

using namespace gpuplan;

namespace {

Catalog good(std::string_view members) {
  const Result<Catalog> catalog = read_catalog(R"({"schema": "gpuplan.catalog/1", )" + std::string(members) + "}", "c.json");
  if (!catalog) FAIL(to_text(catalog.errors().front()));
  return *catalog;
}

Decimal decimal(std::string_view text) { return *Decimal::parse(text); }

constexpr std::string_view kPublished = R"("name": "published", "as_of": "2026-11-01", "platforms": [
  {"id": "acme", "name": "Acme", "stop": {"stop": "held", "terminate": "gone"}, "account": {"fee_month": 5, "minimum_topup": 1},
   "offers": [{"id": "a", "card": "T4", "price": {"on_demand": 1}},
              {"id": "b", "card": "L4", "price": {"on_demand": 2}, "meter": {"quantum_s": 60}}]},
  {"id": "other", "offers": [{"id": "a", "card": "T4", "price": {"on_demand": 3}}]}])";

}  // namespace

TEST_CASE("my own price of an offer wins, the others stay", "[catalog]") {
  const Catalog both = overlay(good(kPublished), good(R"("as_of": "2026-11-20", "platforms": [{"id": "acme", "offers": [
    {"id": "a", "card": "T4", "price": {"on_demand": 0.5}}, {"id": "c", "card": "A10", "price": {"on_demand": 4}}]}])"));
  REQUIRE(both.offers.size() == 4);
  CHECK(both.offers[0].price.on_demand == decimal("0.5"));
  CHECK(both.offers[0].as_of == parse_date("2026-11-20"));
  CHECK(both.offers[1].price.on_demand == Decimal::of(2));
  CHECK(both.offers[2].price.on_demand == Decimal::of(3));
  CHECK(both.offers[3].id == "c");
  CHECK(both.platforms.size() == 2);
  CHECK(both.platforms[both.offers[3].platform].name == "Acme");
  CHECK(both.name == "published");
  CHECK(both.as_of == parse_date("2026-11-20"));
}

TEST_CASE("my correction of a platform's rule holds for its published offers, unless an offer states it", "[catalog]") {
  const Catalog both = overlay(good(kPublished), good(R"("platforms": [{"id": "acme", "stop": "released", "meter": {"quantum_s": 3600},
    "account": {"fee_month": 7}}])"));
  CHECK(both.offers[0].rules->stop.stop == State::released);
  CHECK(both.offers[0].rules->stop.terminate == State::gone);
  CHECK(both.offers[0].rules->meter.quantum_s == 3600);
  CHECK(both.offers[1].rules->meter.quantum_s == 60);
  CHECK(both.offers[1].rules->stop.stop == State::released);
  CHECK_FALSE(both.offers[2].rules->stop.stop);
  CHECK(both.platforms[0].account.fee_month == Decimal::of(7));
  CHECK(both.platforms[0].account.minimum_topup == Decimal::of(1));
}

TEST_CASE("three catalogs: the last one wins, and the published platform still counts", "[catalog]") {
  const Catalog all = overlay(overlay(good(kPublished), good(R"("defaults": {"meter": {"minimum_s": 60}}, "platforms": [{"id": "acme", "stop": "released"}])")),
                              good(R"("platforms": [{"id": "acme", "stop": {"stop": "hibernated"}}])"));
  CHECK(all.offers[0].rules->stop.stop == State::hibernated);
  CHECK(all.offers[0].rules->stop.terminate == State::gone);
  CHECK(all.offers[2].rules->meter.minimum_s == 60);
}

TEST_CASE("the hash of several catalogs is made of theirs, in order", "[catalog]") {
  const Catalog a = good(kPublished), b = good(R"("platforms": [])");
  CHECK(overlay(a, b).sha256 != overlay(b, a).sha256);
  CHECK(overlay(a, b).sha256 == overlay(a, b).sha256);
}

TEST_CASE("catalogs in two currencies are laid over each other at the rate that one of them states", "[catalog]") {
  const auto yuan = [] { return good(R"("currency": "CNY", "fx": {"EUR": 8}, "platforms": [{"id": "y"}])"); };
  const Catalog known_above = overlay(yuan(), good(R"("fx": {"CNY": "0.14"}, "platforms": [])"));
  CHECK(known_above.currency == "USD");
  CHECK(known_above.fx.at("CNY") == decimal("0.14"));
  CHECK(known_above.fx.at("EUR") == decimal("1.12"));
  CHECK(known_above.platforms[0].currency == "CNY");

  const Catalog known_below = overlay(good(R"("currency": "CNY", "fx": {"USD": 7})"), good(R"("fx": {"EUR": "1.1"})"));
  CHECK(known_below.currency == "CNY");
  CHECK(known_below.fx.at("USD") == Decimal::of(7));
  CHECK(known_below.fx.at("EUR") == decimal("7.7"));

  const Catalog unknown = overlay(yuan(), good(R"("fx": {"GBP": 2})"));
  REQUIRE(unknown.warnings.size() == 1);
  CHECK(unknown.warnings[0].code == "fx_dropped");
  CHECK(unknown.fx.count("EUR") == 0);
}

TEST_CASE("offers of one platform in two currencies keep their own", "[catalog]") {
  const Catalog both = overlay(good(kPublished), good(R"("currency": "EUR", "fx": {"USD": "0.9"}, "platforms": [{"id": "acme", "offers": [
    {"id": "a", "card": "T4", "price": {"on_demand": 0.5}}]}])"));
  REQUIRE(both.offers.size() == 3);
  CHECK(both.platforms[both.offers[0].platform].currency == "EUR");
  CHECK(both.platforms[both.offers[1].platform].currency == "USD");
  CHECK(both.offers[0].rules->stop.stop == State::held);
}

TEST_CASE("each of two catalogs has its own file of a name that both write", "[catalog][overlay]") {
  const auto text = [](const std::string& id) {
    return R"({"schema": "gpuplan.catalog/1", "platforms": [{"id": "acme", "offers": [{"id": ")" + id + R"(", "card": "L40S",
      "spot": {"availability": {"file": "there.json"}},
      "price": {"on_demand": 1, "spot_series": {"file": "prices.csv"}}}]}]})";
  };
  auto lower = read_catalog(text("one"), "north/catalog.json");
  auto upper = read_catalog(text("two"), "south/catalog.json");
  auto third = read_catalog(text("three"), "<stdin>");
  REQUIRE(lower);
  REQUIRE(upper);
  REQUIRE(third);
  Catalog both = overlay(overlay(std::move(*lower), std::move(*upper)), std::move(*third));
  REQUIRE(both.offers.size() == 3);
  CHECK(both.offers[0].rules->spot.availability_file == "north/there.json");
  CHECK(both.offers[1].rules->spot.availability_file == "south/there.json");
  CHECK(both.offers[2].rules->spot.availability_file == "there.json");
  std::vector<std::string> opened;
  const auto faults = lay_spot_series(both, [&](const std::string& path) {
    opened.push_back(path);
    return read_price_series("time,price\n0h," + std::to_string(opened.size()) + "\n", path);
  });
  CHECK(faults.empty());
  CHECK(opened == std::vector<std::string>{"north/prices.csv", "south/prices.csv", "prices.csv"});
  CHECK(*both.offers[0].price.spot == *Decimal::parse("1"));
  CHECK(*both.offers[1].price.spot == *Decimal::parse("2"));
  // What is written is what was written: paths are relative to the catalog.
  CHECK(both.offers[1].price.spot_series->file == "prices.csv");
}
