// What one does with catalogs: look, compare, merge, lay own prices and contracts over them.
#include <algorithm>

#include "catalog/offer_name.hpp"
#include "catch.hpp"
#include "gpuplan/catalog_tools.hpp"
#include "gpuplan/import.hpp"

using namespace gpuplan;

namespace {

using Lines = std::vector<std::string>;

const CardTable& cards() {
  static const CardTable table = *builtin_card_table();
  return table;
}

Catalog catalog(const std::string& members) {
  auto read = read_catalog(R"({"schema": "gpuplan.catalog/1", )" + members + "}", "c.json");
  if (!read) FAIL(to_text(read.errors().front()));
  return std::move(*read);
}

const std::string kMarket = R"("fx": {"CNY": 0.14}, "platforms": [
  {"id": "acme", "offers": [
    {"id": "a", "card": "H100 SXM5 80GB", "gpus": 8, "region": "us-east-1", "price": {"on_demand": 20, "spot": 9}},
    {"id": "b", "card": "H100 PCIe 80GB", "region": "eu-west-1", "price": {"on_demand": 9.50}},
    {"id": "c", "card": "L40S", "region": "us-west-2", "price": {"on_demand": 100.00}},
    {"id": "d", "card": "L40S", "region": "us-west-2", "price": {"on_demand": 0}},
    {"id": "e", "card": "L40S", "gpus": 2, "region": "us-west-2", "components": [{"what": "gpu", "price": 0.4}, {"what": "fee", "price": 0.3}]}]},
  {"id": "dragon", "currency": "CNY", "offers": [{"id": "f", "card": "RTX 4090", "price": {"on_demand": 10.20}}]}])";

Lines ids(const Catalog& from, Lines filters = {}, std::string sort = "price", std::string group = {}) {
  const auto selection = select_offers(
      from, cards(), {.filters = std::move(filters), .sort = std::move(sort), .group = std::move(group)});
  if (!selection) return {to_text(selection.errors().front())};
  Lines lines;
  for (const OfferView& view : selection->offers) lines.push_back(view.offer->id);
  return lines;
}

}  // namespace

TEST_CASE("offers are picked by filters and stand in the order of their price", "[tools]") {
  const Catalog market = catalog(kMarket);
  // 1.1 for e (2 x 0.4 + 0.3), 1.428 for f (10.20 CNY), 9.5, 20, 100; 0 is unknown and stands last.
  CHECK(ids(market) == Lines{"e", "f", "b", "a", "c", "d"});
  CHECK(ids(market, {"card=H100"}) == Lines{"b", "a"});  // both forms
  CHECK(ids(market, {"card=H100 SXM"}) == Lines{"a"});
  CHECK(ids(market, {"gpus>=2", "price<30"}) == Lines{"e", "a"});
  CHECK(ids(market, {"region~us", "platform!=dragon", "price>50"}) == Lines{"c"});
  CHECK(ids(market, {"spot<10"}) == Lines{"a"});
  CHECK(ids(market, {"memory>=80"}).empty());  // an H100 of "80 GB" shows 79.6 GiB
  CHECK(ids(market, {"memory>=80GB"}) == Lines{"b", "a"});
  CHECK(ids(market, {"memory>=79"}, "per_card") == Lines{"a", "b"});
  CHECK(ids(market, {"card~ada"}).empty());
}

TEST_CASE("wrong filters, keys and cards are told with what was meant", "[tools]") {
  const Catalog market = catalog(kMarket);
  CHECK(ids(market, {"prize<3"}).front().find("did you mean \"price\"?") != std::string::npos);
  CHECK(ids(market, {"price~3"}).front().find("is a number") != std::string::npos);
  CHECK(ids(market, {"region<3"}).front().find("is a text") != std::string::npos);
  CHECK(ids(market, {"card=H1000"}).front().find("unknown card") != std::string::npos);
  CHECK(ids(market, {}, "prise").front().find("--sort") != std::string::npos);
  CHECK(ids(market, {}, "price", "zone").front().find("--group") != std::string::npos);
}

TEST_CASE("groups have the range of prices of one card", "[tools]") {
  const Catalog market = catalog(kMarket);
  const auto selection = select_offers(market, cards(), {.filters = {"platform=acme"}, .sort = "price", .group = "card"});
  REQUIRE(selection);
  REQUIRE(selection->groups.size() == 3);
  const OfferGroup& l40s = selection->groups[0];
  CHECK(l40s.key == "L40S");
  CHECK(l40s.offers == 3);
  CHECK(l40s.unpriced == 1);
  CHECK(l40s.low->to_string() == "0.55");  // 1.1 for two
  CHECK(l40s.high->to_string() == "100");
}

TEST_CASE("two catalogs side by side", "[tools]") {
  const Catalog from = catalog(R"("platforms": [{"id": "p", "stop": "held", "offers": [
    {"id": "a", "card": "L4", "price": {"on_demand": 1.00}}, {"id": "b", "card": "L4", "price": {"on_demand": 2}},
    {"id": "c", "card": "L4", "price": {"on_demand": 3, "spot": 1}}, {"id": "same", "card": "L4", "price": {"on_demand": "0.50"}}]}])");
  const Catalog to = catalog(R"("platforms": [{"id": "p", "stop": "released", "offers": [
    {"id": "a", "card": "L4", "price": {"on_demand": 1.1}}, {"id": "c", "card": "L4", "gpus": 2, "price": {"on_demand": 9}},
    {"id": "new", "card": "L4", "price": {"on_demand": 1}}, {"id": "same", "card": "L4", "price": {"on_demand": 0.5}}]}])");
  const CatalogDiff diff = diff_catalogs(from, to);
  CHECK(diff.added == Lines{"p/new"});
  CHECK(diff.gone == Lines{"p/b"});
  Lines changed;
  for (const OfferChange& change : diff.changed) changed.push_back(change.offer + " " + change.key + " " + change.from + "->" + change.to);
  CHECK(changed == Lines{R"(p stop "held"->"released")", "p/a price.on_demand 1->1.1", "p/c gpus 1->2", "p/c price.on_demand 3->9", "p/c price.spot 1->"});
  REQUIRE(diff.changed[1].percent);
  CHECK(*diff.changed[1].percent == Approx(10));
  Lines warnings;
  for (const Warning& warning : diff.warnings) warnings.push_back(warning.code + " " + warning.where);
  CHECK(warnings == Lines{"suspicious_jump p/c", "price_lost p/c"});
}

TEST_CASE("rules that are written another way and say the same are no difference", "[tools]") {
  const auto catalog = [](const std::string& rules) {
    return *read_catalog(R"({"schema": "gpuplan.catalog/1", "platforms": [{"id": "p", )" + rules +
                             R"(, "offers": [{"id": "a", "card": "L4", "price": {}}]}]})", "c");
  };
  const Catalog one = catalog(R"("stop": "held", "meter": {"quantum_s": 60, "minimum_s": 0})");
  const Catalog other = catalog(R"("stop": {"stop": "held"}, "meter": {"minimum_s": 0, "quantum_s": 60})");
  CHECK(diff_catalogs(one, other).changed.empty());
  CHECK(diff_catalogs(one, overlay(one, other)).changed.empty());
  CHECK(diff_catalogs(one, catalog(R"("stop": "released", "meter": {"quantum_s": 60, "minimum_s": 0})")).changed.size() == 1);
}

TEST_CASE("a gate of a comparison passes exactly at its limit", "[tools]") {
  const Catalog from = catalog(R"("platforms": [{"id": "p", "offers": [{"id": "a", "card": "L4", "price": {"on_demand": 1.00}}]}])");
  const Catalog to = catalog(R"("platforms": [{"id": "p", "offers": [{"id": "a", "card": "L4", "price": {"on_demand": 1.1}}]}])");
  const CatalogDiff diff = diff_catalogs(from, to);
  const auto passes = [&](std::string_view text) {
    auto gate = read_diff_gate(text);
    REQUIRE(gate);
    judge(*gate, diff);
    return gate->passed;
  };
  CHECK(passes("up:10%"));  // 1.1 / 1.0 as binary fractions would be a little more
  CHECK_FALSE(passes("up:9.99%"));
  CHECK(passes("down:1%"));
  CHECK_FALSE(passes("change:5"));
  CHECK(passes("new"));
  CHECK_FALSE(passes("changed"));
  CHECK_FALSE(read_diff_gate("up"));
  CHECK_FALSE(read_diff_gate("up:ten"));
  CHECK_FALSE(read_diff_gate("sideways:1%"));
}

TEST_CASE("a price of one's own stands under the rules of its platform", "[tools]") {
  Catalog market = catalog(R"("fx": {"CNY": 0.14}, "platforms": [{"id": "autodl", "currency": "CNY", "stop": "released", "offers": []}, {"id": "acme", "offers": []}])");
  CHECK_FALSE(add_own_price(market, cards(), "autodl/RTX 4090=1.98 CNY", parse_date("2026-11-30")));
  REQUIRE(market.offers.size() == 1);
  const Offer& offer = market.offers.front();
  CHECK(offer.id == "autodl/RTX-4090-x1");
  CHECK(offer.price.on_demand->to_string() == "1.98");
  CHECK(market.platforms[offer.platform].currency == "CNY");
  CHECK(offer.rules->stop.stop == State::released);
  CHECK(offer.as_of == parse_date("2026-11-30"));
  CHECK_FALSE(add_own_price(market, cards(), "AutoDL/RTX 4090 x4=7.5", {}));
  CHECK(market.offers[1].gpus == 4);
  // In another currency: the rules stay, the price keeps its own.
  CHECK_FALSE(add_own_price(market, cards(), "acme/L40S=6 CNY", {}));
  CHECK(market.platforms[market.offers[2].platform].id == "acme");
  CHECK(market.platforms[market.offers[2].platform].currency == "CNY");
  for (const char* wrong : {"RTX 4090=1.98", "autodl/RTX 4090", "autodl/RTX 4090=", "autodl/RTX 4090=0", "autodl/RTX 4090=1,98", "nobody/L4=1",
                            "autodl/RTX 40900=1", "autodl/RTX \xCA\xCA 4090=1", "autodl/RTX\t4090=1", "autodl/L4=1 cny", "autodl/L4=1 GBP", "autodl/L4 x0=1"}) {
    INFO(wrong);
    CHECK(add_own_price(market, cards(), wrong, {}));
  }
}

TEST_CASE("a contract changes list prices exactly, and says so", "[tools]") {
  Catalog market = catalog(R"("contract": [
      {"platform": "acme", "card": "H100", "discount_percent": 12.5, "note": "campus"},
      {"region": "us-west-2", "plans": ["spot"], "markup_percent": 10},
      {"platform": "acme", "card": "T4", "prepaid": true},
      {"platform": "nobody", "discount_percent": 1}],
    "platforms": [{"id": "acme", "offers": [
      {"id": "a", "card": "H100 SXM5 80GB", "price": {"on_demand": 3.99, "month": 2000}},
      {"id": "b", "card": "L40S", "region": "us-west-2", "price": {"on_demand": 1, "spot": 0.45}},
      {"id": "t", "card": "T4", "price": {"on_demand": 0.6}}]}])");
  apply_contract(market, cards());
  CHECK(market.offers[0].price.on_demand->to_string() == "3.49125");
  CHECK(market.offers[0].price.commitments[0].price.to_string() == "1750");
  CHECK(market.offers[0].note == "own contract: 12.5 % less (campus)");
  CHECK(market.offers[1].price.on_demand->to_string() == "1");
  CHECK(market.offers[1].price.spot->to_string() == "0.495");
  CHECK(market.offers[2].free);  // paid already: 0, and not unknown
  CHECK(market.offers[2].price.on_demand->is_zero());
  Lines codes;
  for (const Warning& warning : market.warnings) codes.push_back(warning.code);
  CHECK(codes == Lines{"contract_applied", "contract_applied", "contract_prepaid", "contract_unused"});
}

TEST_CASE("a term of a contract says one thing", "[tools]") {
  for (const char* wrong : {R"({"card": "L4"})", R"({"discount_percent": 5, "prepaid": true})", R"({"discount_percent": 101})", R"({"discont_percent": 5})"}) {
    INFO(wrong);
    CHECK_FALSE(read_catalog(R"({"schema": "gpuplan.catalog/1", "contract": [)" + std::string(wrong) + R"(], "platforms": []})", "c.json"));
  }
}

TEST_CASE("a catalog that was written reads back as the same", "[tools]") {
  const Catalog first = catalog(R"("name": "n", "as_of": "2026-11-01", "fx": {"CNY": 0.14}, "x_own": {"a": [1]},
    "cards": [{"name": "B999", "memory": {"nominal_gb": 384}}], "defaults": {"meter": {"quantum_s": 60}},
    "platforms": [{"id": "p", "currency": "CNY", "stop": "held", "tax_percent": 6, "x_note": "a \"note\"",
      "account": {"credits": [{"amount": 10, "every": "month", "who": ["student"]}], "discounts": [{"percent": 5, "plans": ["spot"], "above_spend": 100}], "sla": {"uptime_percent": 99.9, "credit_percent": 10}},
      "offers": [
        {"card": "B999", "gpu_counts": [1, 2], "share": 0.5, "memory": "24.5GiB", "interconnect": "pcie", "vcpus": 8, "region": "r 1", "tier": "t",
         "price": {"on_demand": 1.23456789, "spot": 0.5, "week": 100, "commitments": [{"name": "3-month", "hours": 2190, "price": 10, "hourly": 0.1, "refund": {"multiplier": 0.5}, "covers": "gpu", "at_end": "stop"}]},
         "storage": {"system": {"per_gb_month": 0.1}}, "as_of": "2026-10-01"},
        {"id": "c", "card": "L4", "ram_gb": 16, "price_kind": "quote", "components": [{"what": "gpu", "price": 0.1, "per": "day"}, {"what": "ram_gb"}]}]}])");
  const std::string written = write_catalog(first);
  const auto again = read_catalog(written, "written");
  if (!again) FAIL(to_text(again.errors().front()) + "\n" + written);
  CHECK(write_catalog(*again) == written);
  CHECK(diff_catalogs(first, *again).changed.empty());
  CHECK(diff_catalogs(first, *again).added.empty());
  CHECK(diff_catalogs(first, *again).gone.empty());
  CHECK(again->offers[1].price.on_demand->to_string() == "2.46913578");
  CHECK(again->platforms[0].account.discounts[0].above_spend == Decimal::of(100));
  CHECK(again->offers[0].rules->meter.quantum_s == 60);
}

TEST_CASE("a month that is no usual month keeps its hours, refund and end when it is written", "[tools]") {
  // Found by reading the built-in catalog again: the refund of its days was gone.
  const Catalog first = catalog(R"("platforms": [{"id": "p", "offers": [{"id": "a", "card": "L4", "price": {"week": 10, "commitments": [
    {"name": "day", "hours": 24, "price": 2, "refund": {"multiplier": 1.25}}, {"name": "month", "hours": 730, "price": 30},
    {"name": "year", "hours": 8760, "price": 300, "hourly": 0.01, "covers": "gpu", "at_end": "renew"}]}}]}])");
  const auto again = read_catalog(write_catalog(first), "written");
  REQUIRE(again);
  const auto& terms = again->offers[0].price.commitments;
  REQUIRE(terms.size() == 4);
  CHECK(terms[0].hours == Decimal::of(168));
  REQUIRE(terms[1].refund);
  CHECK(terms[1].refund->value == Decimal::of(125, 2));
  CHECK(terms[2].hours == Decimal::of(730));
  CHECK(terms[3].hourly == Decimal::of(1, 2));
  CHECK(terms[3].at_end == AtEnd::renew);
  CHECK(diff_catalogs(first, *again).changed.empty());
}

TEST_CASE("a term that lasts longer or pays less back is a difference", "[tools]") {
  const auto with = [](const std::string& term) {
    return catalog(R"("platforms": [{"id": "p", "offers": [{"id": "a", "card": "L4", "price": {"commitments": [{"name": "month", "price": 30, )" + term + "}]}}]}]");
  };
  const CatalogDiff diff = diff_catalogs(with(R"("hours": 720, "refund": "pro_rata")"), with(R"("hours": 730, "refund": "none")"));
  REQUIRE(diff.changed.size() == 2);
  CHECK((diff.changed[0].key == "price.month.hours" && diff.changed[0].from == "720" && diff.changed[0].to == "730"));
  CHECK((diff.changed[1].key == "price.month.refund" && diff.changed[1].from == "pro_rata" && diff.changed[1].to == "none"));
}

TEST_CASE("layers of overlaid catalogs are written as one", "[tools]") {
  Catalog merged = overlay(
      catalog(R"("platforms": [{"id": "p", "stop": "held", "storage": {"data": {"per_gb_month": 0.1, "mb_per_s": 100}}, "offers": [{"id": "a", "card": "L4", "price": {"on_demand": 1}}]}])"),
      catalog(R"("platforms": [{"id": "p", "stop": {"hibernate": "hibernated"}, "storage": {"data": {"per_gb_hour": 0.001}}, "offers": [{"id": "a", "card": "L4", "price": {"on_demand": 2}}]}])"));
  const auto again = read_catalog(write_catalog(merged), "written");
  if (!again) FAIL(to_text(again.errors().front()));
  const Rules& rules = *again->offers[0].rules;
  CHECK(rules.stop.stop == State::held);
  CHECK(rules.stop.hibernate == State::hibernated);
  CHECK(rules.storage.at(StorageKind::data).per == PricePer::hour);
  CHECK(rules.storage.at(StorageKind::data).mb_per_s == Decimal::of(100));
  CHECK(again->offers[0].price.on_demand == Decimal::of(2));
}

TEST_CASE("a platform in two currencies is no single document", "[tools]") {
  const Catalog builtin = catalog(R"("platforms": [{"id": "a", "currency": "USD", "offers": []}])");
  CHECK(writing_faults(builtin).empty());
  const Catalog two = overlay(catalog(R"("fx": {"CNY": 0.14}, "platforms": [{"id": "a", "offers": [{"card": "L4", "price": {"on_demand": 1}}]}])"),
                              catalog(R"("fx": {"CNY": 0.14}, "platforms": [{"id": "a", "currency": "CNY", "offers": [{"id": "z", "card": "L4", "price": {"on_demand": 7}}]}])"));
  CHECK(writing_faults(two).size() == 1);  // one platform, two currencies
}

TEST_CASE("an offer is called by its platform and id, and never by its platform twice", "[catalog]") {
  CHECK(offer_name("acme", "l40s") == "acme/l40s");
  CHECK(offer_name("acme", "acme/L40S-x1@eu") == "acme/L40S-x1@eu");  // as ids are made of the card
  CHECK(offer_name("acme", "acme2/x") == "acme/acme2/x");
  CHECK(offer_name("acme", "acme") == "acme/acme");
}

TEST_CASE("a filter with a platform or an interconnect that does not exist is told", "[catalog]") {
  const Catalog catalog = *read_catalog(R"({"schema": "gpuplan.catalog/1", "platforms": [{"id": "lambda",
    "offers": [{"card": "H100", "interconnect": "nvlink", "price": {"on_demand": 2}}]}]})", "market");
  const CardTable cards = *builtin_card_table();
  const auto count = [&](const std::string& filter) {
    const auto rows = select_offers(catalog, cards, {.filters = {filter}});
    return rows ? static_cast<int>(rows->offers.size()) : -1;
  };
  CHECK(count("platform=lambda") == 1);
  CHECK(count("platform~lamb") == 1);
  CHECK(count("platform=lamda") == -1);
  CHECK(count("interconnect=nvlink") == 1);
  CHECK(count("interconnect=pcie") == 0);
  CHECK(count("interconnect=nvlnk") == -1);
  // 79.65 GiB, which are 85.5 GB.
  CHECK(count("memory>=80GB") == 1);
  CHECK(count("memory>=80GiB") == 0);
  CHECK(count("memory>=79.5") == 1);
}
