// What lists of prices got wrong elsewhere, and what people then rented or were told: the right reading
// of each. Stories are retold, not quoted; those of single lists stand with their importers.
#include <algorithm>

#include "catch.hpp"
#include "gpuplan/catalog_tools.hpp"
#include "gpuplan/lint.hpp"

using namespace gpuplan;

namespace {

using Lines = std::vector<std::string>;

const CardTable& cards() {
  static const CardTable table = *builtin_card_table();
  return table;
}

Catalog offers(const std::string& list) {
  auto read = read_catalog(R"({"schema": "gpuplan.catalog/1", "as_of": "2026-11-01", "platforms": [{"id": "p", "stop": "released", "offers": [)" + list + "]}]}", "c.json");
  if (!read) FAIL(to_text(read.errors().front()));
  return std::move(*read);
}

Lines lint(const std::string& list, const Catalog* known = nullptr) {
  Lines lines;
  for (const Warning& warning : lint_catalog(offers(list), cards(), {.as_of = {}, .known = known})) lines.push_back(warning.code + " " + warning.where);
  return lines;
}

Lines shown(const std::string& list, std::vector<std::string> filters, std::string sort = "price") {
  const Catalog catalog = offers(list);
  const auto selection = select_offers(catalog, cards(), {.filters = std::move(filters), .sort = std::move(sort), .group = {}});
  REQUIRE(selection);
  Lines ids;
  for (const OfferView& view : selection->offers) ids.push_back(view.offer->id);
  return ids;
}

}  // namespace

TEST_CASE("a machine with more cards at the price of one", "[catalog][mistakes]") {
  // github.com/skypilot-org/skypilot-catalog/pull/44
  CHECK(lint(R"({"id": "1x", "card": "RTX A6000", "price": {"on_demand": 0.79}},
                {"id": "2x", "card": "RTX A6000", "gpus": 2, "interconnect": "pcie", "price": {"on_demand": 1.58}},
                {"id": "8x", "card": "RTX A6000", "gpus": 8, "interconnect": "pcie", "price": {"on_demand": 0.79}})") ==
        Lines{"price_not_growing p/8x"});
}

TEST_CASE("a bid in cents that was taken for a price in dollars", "[catalog][mistakes]") {
  // github.com/skypilot-org/skypilot/pull/9156: a B200 for a cent an hour; what is usual is known from elsewhere
  const Catalog usual = offers(R"({"id": "a", "card": "B200 SXM 180GB", "price": {"on_demand": 3.45}}, {"id": "b", "card": "B200 SXM 180GB", "price": {"on_demand": 5.98}},
                                  {"id": "c", "card": "B200 SXM 180GB", "price": {"on_demand": 6.79}}, {"id": "d", "card": "B200 SXM 180GB", "price": {"on_demand": 4.99}})");
  CHECK(lint(R"({"id": "x", "card": "B200 SXM 180GB", "price": {"on_demand": 0.01, "spot": 0.01}})", &usual) == Lines{"price_outlier p/x"});
  CHECK(lint(R"({"id": "x", "card": "B200 SXM 180GB", "price": {"on_demand": 3.45}})", &usual).empty());
}

TEST_CASE("spot prices that cannot be", "[catalog][mistakes]") {
  // github.com/opencost/opencost/issues/882 and github.com/skypilot-org/skypilot/issues/4914
  CHECK(lint(R"({"id": "x", "card": "T4", "price": {"on_demand": 0.4, "spot": 0.007}})") == Lines{"spot_implausible p/x"});
  CHECK(lint(R"({"id": "x", "card": "A40", "price": {"on_demand": 0.44, "spot": 0.49}})") == Lines{"spot_above_on_demand p/x"});
  CHECK(lint(R"({"id": "x", "card": "T4", "price": {"on_demand": 0.4, "spot": 0.04}})").empty());
}

TEST_CASE("prices written as texts are sorted as numbers", "[catalog][mistakes]") {
  // github.com/vantage-sh/ec2instances.info/issues/176
  CHECK(shown(R"({"id": "c", "card": "T4", "price": {"on_demand": "100.00"}}, {"id": "a", "card": "T4", "price": {"on_demand": "9.50"}}, {"id": "b", "card": "T4", "price": {"on_demand": "10.20"}})", {}) ==
        Lines{"a", "b", "c"});
}

TEST_CASE("what is shown for one card is sorted for one card", "[catalog][mistakes]") {
  // github.com/vantage-sh/ec2instances.info/issues/584
  const std::string list = R"({"id": "one", "card": "T4", "price": {"on_demand": 0.6}}, {"id": "four", "card": "T4", "gpus": 4, "price": {"on_demand": 2}})";
  CHECK(shown(list, {}, "price") == Lines{"one", "four"});
  CHECK(shown(list, {}, "per_card") == Lines{"four", "one"});
}

TEST_CASE("a request for 80 GB is never met by 40", "[catalog][mistakes]") {
  // github.com/skypilot-org/skypilot/pull/9818: names that begin alike
  const std::string list = R"({"id": "40", "card": "A100 SXM4 40GB", "price": {"on_demand": 1}}, {"id": "80", "card": "A100-80GB-SXM", "price": {"on_demand": 2}}, {"id": "v", "card": "V100-32GB", "price": {"on_demand": 1}})";
  CHECK(shown(list, {"card=A100-80GB"}) == Lines{"80"});  // the form is a thing of its own: both forms are meant
  CHECK(shown(list, {"card=A100"}) == Lines{"40", "80"});
  CHECK(shown(list, {"card=V100 16GB"}).empty());
}

TEST_CASE("the cap is held against the price of the offer that is shown", "[catalog][mistakes]") {
  // github.com/dstackai/dstack/issues/1886: two tiers of one machine
  const std::string list = R"({"id": "c", "card": "RTX A6000", "gpus": 2, "tier": "community", "price": {"on_demand": 0.98}}, {"id": "s", "card": "RTX A6000", "gpus": 2, "tier": "secure", "price": {"on_demand": 1.52}})";
  CHECK(shown(list, {"price<=1"}) == Lines{"c"});
  CHECK(shown(list, {"price<=1", "tier=secure"}).empty());
}

TEST_CASE("a price of 0 is never the cheapest", "[catalog][mistakes]") {
  // github.com/skypilot-org/skypilot/issues/2496
  CHECK(shown(R"({"id": "zero", "card": "T4", "price": {"on_demand": 0.0}}, {"id": "b", "card": "T4", "price": {"on_demand": 0.09}})", {}) == Lines{"b", "zero"});
  CHECK(shown(R"({"id": "zero", "card": "T4", "price": {"on_demand": 0.0}})", {"price<1"}).empty());
}

TEST_CASE("memory of all cards that is multiplied again", "[catalog][mistakes]") {
  // github.com/Cyclenerd/aws-pricing/issues/1 and github.com/skypilot-org/skypilot/issues/3434
  const Lines found = lint(R"({"id": "g6", "card": "L4", "gpus": 4, "interconnect": "pcie", "memory": "96GiB", "price": {"on_demand": 4.6}})");
  CHECK(found == Lines{"memory_of_all_cards p/g6"});
}

TEST_CASE("nothing is cut in silence", "[catalog][mistakes]") {
  // github.com/skypilot-org/skypilot/issues/3828: all cards are there without being asked for
  const std::string list = R"({"id": "a", "card": "RTX A4000", "price": {"on_demand": 0.3}}, {"id": "b", "card": "Radeon Pro V520", "price": {"on_demand": 0.4}}, {"id": "c", "card": "Inferentia2", "price": {"on_demand": 0.75}})";
  CHECK(shown(list, {}).size() == 3);
}
