#include <string>
#include <vector>

#include "catch.hpp"
#include "gpuplan/lint.hpp"

using namespace gpuplan;

namespace {

using Lines = std::vector<std::string>;

Warnings lint(std::string_view members, const LintOptions& options = {}) {
  static const CardTable cards = *builtin_card_table();
  const Result<Catalog> catalog =
      read_catalog(R"({"schema": "gpuplan.catalog/1", "as_of": "2026-11-01", )" + std::string(members) + "}", "c.json");
  if (!catalog) FAIL(to_text(catalog.errors().front()));
  return lint_catalog(*catalog, cards, options);
}

// "code where" of each warning about a platform "p" that states what stop means.
Lines codes(std::string_view offers, std::string_view platform = R"("stop": "released")", const LintOptions& options = {}) {
  Lines lines;
  for (const Warning& warning :
       lint(R"("platforms": [{"id": "p", )" + std::string(platform) + R"(, "offers": [)" + std::string(offers) + "]}]", options))
    lines.push_back(warning.code + " " + warning.where);
  return lines;
}

}  // namespace

TEST_CASE("a sound offer gives no warning", "[lint]") {
  CHECK(codes(R"({"card": "L40S", "price": {"on_demand": 0.9, "spot": 0.45, "week": 100}})").empty());
}

TEST_CASE("prices that are not meant are told", "[lint]") {
  CHECK(codes(R"({"id": "a", "card": "L40S", "price": {}})") == Lines{"price_missing p/a"});
  CHECK(codes(R"({"id": "a", "card": "L40S", "price": {}, "price_kind": "quote"})").empty());
  CHECK(codes(R"({"id": "a", "card": "L40S", "price": {"on_demand": 0}})") == Lines{"price_zero p/a"});
  CHECK(codes(R"({"id": "a", "card": "L40S", "free": true, "price": {"on_demand": 0}})").empty());
  CHECK(codes(R"({"id": "a", "card": "L40S", "price": {"on_demand": 1, "spot": 1.2}})") == Lines{"spot_above_on_demand p/a"});
  CHECK(codes(R"({"id": "a", "card": "L40S", "price": {"on_demand": 1, "spot": 1}})").empty());
  CHECK(codes(R"({"id": "a", "card": "L40S", "price": {"on_demand": 1, "week": 169}})") == Lines{"term_above_on_demand p/a"});
}

TEST_CASE("one machine twice: at one price it is a repeat, at two prices one is wrong", "[lint]") {
  constexpr std::string_view kFirst = R"({"id": "a", "card": "L40S", "price": {"on_demand": 1}})";
  const auto second = [&](std::string_view rest) {
    return codes(std::string(kFirst) + R"(, {"id": "b", "card": "l40s", )" + std::string(rest) + "}");
  };
  CHECK(second(R"("price": {"on_demand": "1.0"})") == Lines{"duplicate_offer p/b"});
  CHECK(second(R"("price": {"on_demand": 2})") == Lines{"duplicate_prices_differ p/b"});
  CHECK(second(R"("region": "eu", "price": {"on_demand": 2})").empty());
  CHECK(second(R"("vcpus": 8, "price": {"on_demand": 2})").empty());
}

TEST_CASE("a price ten times the usual one of its card is told, whatever the count", "[lint]") {
  const std::string usual = R"({"id": "a", "card": "L40S", "price": {"on_demand": 1}}, {"id": "b", "card": "L40S", "region": "eu",
    "price": {"on_demand": 1.2}}, {"id": "c", "card": "L40S", "gpus": 8, "interconnect": "pcie", "price": {"on_demand": 8}}, )";
  CHECK(codes(usual + R"({"id": "d", "card": "L40S", "region": "us", "price": {"on_demand": 12}})") == Lines{"price_outlier p/d"});
  CHECK(codes(usual + R"({"id": "d", "card": "L40S", "gpus": 16, "interconnect": "pcie", "price": {"on_demand": 1}})") ==
        Lines{"price_not_growing p/d", "price_outlier p/d"});
  CHECK(codes(usual + R"({"id": "d", "card": "L40S", "region": "us", "price": {"on_demand": 9}})").empty());
}

TEST_CASE("names and sizes of cards that leave the card open are told", "[lint]") {
  CHECK(codes(R"({"id": "a", "card": "24 GB GPU", "price": {"on_demand": 1}})") == Lines{"card_name_vague p/a"});
  CHECK(codes(R"({"id": "a", "card": "Zorp 9000", "price": {"on_demand": 1}})") == Lines{"card_unknown p/a"});
  CHECK(codes(R"({"id": "a", "card": "A100", "price": {"on_demand": 1}})") == Lines{"card_ambiguous p/a"});
  CHECK(codes(R"({"id": "a", "card": "L40S", "memory": "24GiB", "price": {"on_demand": 1}})") == Lines{"card_memory_differs p/a"});
  CHECK(codes(R"({"id": "a", "card": "L40S", "memory": "48GB", "price": {"on_demand": 1}})").empty());
  CHECK(codes(R"({"id": "a", "card": "L40S", "gpus": 4, "interconnect": "pcie", "memory": "192GiB", "price": {"on_demand": 4}})") ==
        Lines{"memory_of_all_cards p/a"});
  CHECK(codes(R"({"id": "a", "card": "L40S", "share": 0.5, "price": {"on_demand": 1}})") == Lines{"share_without_memory p/a"});
  CHECK(codes(R"({"id": "a", "card": "L40S", "share": 0.5, "memory": "24GiB", "price": {"on_demand": 1}})").empty());
}

TEST_CASE("prices grow old by the day of the check, never by the clock", "[lint]") {
  constexpr std::string_view kOffer = R"({"id": "a", "card": "L40S", "price": {"on_demand": 1}})";
  constexpr std::string_view kPlatform = R"("stop": "released")";
  CHECK(codes(kOffer, kPlatform, {.as_of = parse_date("2027-01-30")}).empty());
  CHECK(codes(kOffer, kPlatform, {.as_of = parse_date("2027-01-31")}) == Lines{"price_old p"});
  CHECK(codes(kOffer, kPlatform, {.as_of = parse_date("2026-10-31")}) == Lines{"price_in_future p"});
}

TEST_CASE("a platform that does not say what stop means, or what its money is worth, is told", "[lint]") {
  constexpr std::string_view kOffer = R"({"id": "a", "card": "L40S", "price": {"on_demand": 1}})";
  CHECK(codes(kOffer, R"("name": "P")") == Lines{"stop_not_stated p"});
  CHECK(codes(kOffer, R"("stop": "held", "currency": "CNY")") == Lines{"fx_missing p"});
  CHECK(codes(kOffer, R"("stop": "held", "account": {"discounts": [{"percent": 5, "plans": ["weekly", "spot"]}]})") == Lines{"plan_unknown p"});
}

TEST_CASE("a thousand offers of one kind of mistake are told once each up to a limit, then counted", "[lint]") {
  std::string offers;
  for (int i = 0; i < 30; ++i)
    offers += std::string(i > 0 ? "," : "") + R"({"card": "L40S", "region": "r)" + std::to_string(i) + R"(", "price": {"on_demand": 0}})";
  const Warnings warnings = lint(R"("platforms": [{"id": "p", "stop": "held", "offers": [)" + offers + "]}]");
  REQUIRE(warnings.size() == 21);
  CHECK(warnings[0].where == "p/L40S-x1@r0");
  CHECK(warnings[20].code == "price_zero");
  CHECK(warnings[20].message == "10 more of this kind");
}
