#include "catch.hpp"
#include "gpuplan/catalog.hpp"

using namespace gpuplan;

namespace {

Catalog good(std::string_view text) {
  const Result<Catalog> catalog = read_catalog(text, "c.json");
  if (!catalog) FAIL(to_text(catalog.errors().front()));
  return *catalog;
}

Decimal decimal(std::string_view text) { return *Decimal::parse(text); }

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
  CHECK(catalog.platforms[0].currency == "USD");
}
