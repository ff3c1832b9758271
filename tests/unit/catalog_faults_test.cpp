#include <algorithm>
#include <string>
#include <vector>

#include "catch.hpp"
#include "gpuplan/catalog.hpp"

using namespace gpuplan;

namespace {

std::vector<std::string> faults(std::string_view text) {
  const Result<Catalog> catalog = read_catalog(text, "c");
  std::vector<std::string> lines;
  if (!catalog)
    for (const Diagnostic& error : catalog.errors()) lines.push_back(to_text(error));
  return lines;
}
using Lines = std::vector<std::string>;

std::string top(std::string_view members) {
  return R"({"schema": "gpuplan.catalog/1", )" + std::string(members) + "}";
}
std::string platform(std::string_view members) {
  return top(R"("platforms": [{"id": "p", )" + std::string(members) + "}]");
}
std::string offer(std::string_view members) {
  return platform(R"("offers": [{"card": "T4", "price": {}, )" + std::string(members) + "}]");
}
std::string price(std::string_view members) {
  return platform(R"("offers": [{"card": "T4", "price": {)" + std::string(members) + "}}]");
}

struct Row {
  std::string text, fault;
};

void check(const Row& row) {
  CAPTURE(row.text.substr(0, 300));
  CHECK(faults(row.text) == Lines{row.fault});
}

}  // namespace

TEST_CASE("a catalog that is not one is refused with one line", "[catalog]") {
  check(GENERATE(values<Row>({
      {"[]", "c: expected an object, got a list"},
      {"{}", "c: the key \"schema\" is missing; write \"schema\": \"gpuplan.catalog/1\""},
      {R"({"schema": "gpuplan.job/1", "model": "7b"})",
       "c#/schema: expected \"gpuplan.catalog/1\", got \"gpuplan.job/1\"; this is another kind of document"},
      {R"({"schema": 1})", "c#/schema: expected \"gpuplan.catalog/1\", got 1; write \"schema\": \"gpuplan.catalog/1\""},
      {"", "c:1:1: the file is empty: a JSON document is expected"},
      {top(R"("fx": {"CNY": NaN})"), "c:1:47: this is not JSON: unexpected \"NaN\"; NaN and Infinity are not JSON: leave an unknown value out"},
      {top(R"("x": 1e400)"), "c:1:42: this is not JSON: unexpected \"1e400\"; the number is too large"},
      {top("\"x_deep\": " + std::string(200, '[')), "c:1:106: nested deeper than 64 levels"},
  })));
}

TEST_CASE("the head of a catalog: what is found, what is allowed, what may be meant", "[catalog]") {
  check(GENERATE(values<Row>({
      {top(R"("curency": "USD")"), "c#/curency: unknown key \"curency\"; did you mean \"currency\"?"},
      {top(R"("as_of": "1.11.2026")"), "c#/as_of: expected a day such as \"2026-11-01\", got \"1.11.2026\""},
      {top(R"("currency": "usd")"), "c#/currency: expected a currency such as \"USD\", got \"usd\"; three capital letters"},
      {top(R"("fx": {"CNY": 0})"), "c#/fx/CNY: expected a number above 0, got 0"},
      {top(R"("fx": {"USD": 2})"), "c#/fx/USD: expected 1, since it is the catalog's own currency, got 2"},
      {top(R"("platforms": {"id": "p"})"), "c#/platforms: expected a list, got an object"},
      {top(R"("platforms": [3])"), "c#/platforms/0: expected an object, got 3"},
      {top(R"("platforms": [{}])"), "c#/platforms/0: the key \"id\" is missing"},
      {top(R"("platforms": [{"id": "a"}, {"id": "a"}])"),
       "c#/platforms/1/id: the platform \"a\" stands twice; put its offers into one platform"},
      {top(R"("platforms": [{"id": "a/b"}])"),
       "c#/platforms/0/id: the id of a platform cannot contain \"/\"; offers are named PLATFORM/ID"},
      {top(R"("defaults": {"metre": {}})"), "c#/defaults/metre: unknown key \"metre\"; did you mean \"meter\"?"},
  })));
}

TEST_CASE("impossible figures of an offer are refused", "[catalog]") {
  check(GENERATE(values<Row>({
      {platform(R"("offers": {"card": "T4"})"), "c#/platforms/0/offers: expected a list, got an object"},
      {platform(R"("offers": ["T4"])"), "c#/platforms/0/offers/0: expected an object, got \"T4\""},
      {platform(R"("offers": [{"price": {}}])"), "c#/platforms/0/offers/0: the key \"card\" is missing"},
      {platform(R"("offers": [{"card": "T4"}])"),
       "c#/platforms/0/offers/0: an offer needs price or components; write \"price\": {} when it is not known"},
      {offer(R"("gpus": 0)"), "c#/platforms/0/offers/0/gpus: expected a whole number from 1 to 100000, got 0"},
      {offer(R"("gpus": 0.5)"),
       "c#/platforms/0/offers/0/gpus: expected a whole number of cards, got 0.5; a part of a card is \"gpus\": 1 with \"share\""},
      {offer(R"("gpus": 2, "gpu_counts": [1])"), "c#/platforms/0/offers/0/gpus: gpus and gpu_counts exclude each other"},
      {offer(R"("gpu_counts": [])"), "c#/platforms/0/offers/0/gpu_counts: expected a list of card counts such as [1, 2, 4, 8], got a list"},
      {offer(R"("gpu_counts": [1, 1])"), "c#/platforms/0/offers/0/gpu_counts/1: expected each count once, got 1"},
      {offer(R"("share": 0)"), "c#/platforms/0/offers/0/share: expected a part of a card above 0, at most 1, got 0"},
      {offer(R"("share": 25)"), "c#/platforms/0/offers/0/share: expected a number from 0 to 1, got 25; 90 % is written 0.9, for example"},
      {offer(R"("memory": 24)"), "c#/platforms/0/offers/0/memory: expected a size with its unit, such as \"24GiB\", got 24; say which unit: GB is 10^9 bytes, GiB is 2^30"},
      {offer(R"("interconnect": "nvlnk")"),
       "c#/platforms/0/offers/0/interconnect: expected one of nvlink, nvswitch, pcie, none, got \"nvlnk\"; did you mean \"nvlink\"?"},
      {offer(R"("vcpus": 0)"), "c#/platforms/0/offers/0/vcpus: expected a number above 0, got 0"},
      {offer(R"("ram_gb": "64Gb")"),
       "c#/platforms/0/offers/0/ram_gb: expected GB, or a size such as \"500GB\", got \"64Gb\"; b could be bits: write GB (10^9 bytes) or GiB (2^30)"},
      {offer(R"("price_kind": "contract")"), "c#/platforms/0/offers/0/price_kind: expected one of list, quote, got \"contract\""},
      {offer(R"("account": {})"), "c#/platforms/0/offers/0/account: unknown key \"account\"; account stands on platforms only"},
      {offer(R"("id": "")"), "c#/platforms/0/offers/0/id: expected a text of 1 to 200 bytes on one line, got \"\""},
      {platform(R"("offers": [{"id": "a", "card": "T4", "price": {}}, {"id": "a", "card": "L4", "price": {}}])"),
       "c#/platforms/0/offers/1/id: the id \"a\" stands twice in its platform; leave the id out to have one made"},
  })));
}

TEST_CASE("impossible prices are refused", "[catalog]") {
  constexpr std::string_view kWanted = "expected a decimal such as 2.49 or \"2.49\", got ";
  const auto said = [&](std::string_view key, std::string_view rest) {
    return "c#/platforms/0/offers/0/price/" + std::string(key) + ": " + std::string(kWanted) + std::string(rest);
  };
  check({price(R"("on_demand": -1)"), said("on_demand", "-1; it cannot be negative")});
  check({price(R"("on_demand": "0,69")"), said("on_demand", "\"0,69\"; write a decimal point and no digit groups: 1.5, 1500")});
  check({price(R"("spot": "N/A")"), said("spot", "\"N/A\"; leave a price out that is not known")});
  check({price(R"("spot": "")"), said("spot", "\"\"; leave a price out that is not known")});
  check({price(R"("day": true)"), said("day", "true")});
  check({price(R"("week": "010")"), said("week", "\"010\"; leading zeros are not read: write \"10\"")});
  check({price(R"("ondemand": 1)"), "c#/platforms/0/offers/0/price/ondemand: unknown key \"ondemand\"; did you mean \"on_demand\"?"});
  check({platform(R"("offers": [{"card": "T4", "price": 0.69}])"),
         "c#/platforms/0/offers/0/price: expected an object, got 0.69; write {\"on_demand\": 0.69}"});
  check({platform(R"("offers": [{"card": "T4", "gpu_counts": [8], "price": {"on_demand": "0.123456789012345678"}},
                                {"card": "T4", "gpu_counts": [9], "price": {"on_demand": "0.123456789012345678"}}])"),
         "c#/platforms/0/offers/1/gpu_counts: the price of 9 cards has too many digits"});
}

TEST_CASE("parts and commitments must be whole", "[catalog]") {
  const std::string at = "c#/platforms/0/offers/0/price/commitments/0";
  check({price(R"("commitments": [{"name": "q", "hours": 0, "price": 1}])"), at + "/hours: expected hours, or a time such as \"8h\", above 0, got 0"});
  check({price(R"("commitments": [{"hours": 8, "price": 1}])"), at + ": the key \"name\" is missing"});
  check({price(R"("commitments": [{"name": "spot", "hours": 8, "price": 1}])"),
         at + "/name: the name \"spot\" is a plan of its own; each commitment needs a name of its own"});
  check({price(R"("day": 2, "commitments": [{"name": "day", "hours": 8, "price": 1}])"),
         at + "/name: the name \"day\" stands twice; each commitment needs a name of its own"});
  check({price(R"("commitments": [{"name": "q", "hours": 8, "price": 1, "hourly_used": true}])"),
         at + ": the key \"hourly\" is missing; hourly_used says how it is counted"});
  const auto parts = [](std::string_view list) {
    return platform(R"("offers": [{"card": "T4", "components": )" + std::string(list) + "}]");
  };
  check({parts("[]"), "c#/platforms/0/offers/0/components: expected at least one component, got a list"});
  check({parts(R"([{"what": "vcpus", "price": 1}])"),
         "c#/platforms/0/offers/0/components/0/what: expected one of gpu, vcpu, ram_gb, fee, got \"vcpus\"; did you mean \"vcpu\"?"});
  check({parts(R"([{"what": "vcpu", "price": 1}])"),
         "c#/platforms/0/offers/0: the key \"vcpus\" is missing; a component has a price for each vCPU"});
}

TEST_CASE("rules: every wrong value has its place and its alternatives", "[catalog]") {
  const std::string states = "expected one of running, held, released, hibernated, cardless, gone, not_offered, got ";
  const auto said = [](std::string_view rest) { return "c#/platforms/0/" + std::string(rest); };
  check({platform(R"("stop": "relesed")"), said("stop: " + states + "\"relesed\"; did you mean \"released\"?")});
  check({platform(R"("stop": {"stop": "stopped"})"), said("stop/stop: " + states + "\"stopped\"")});
  check({platform(R"("stop": {"factor": {"stopped": {}}})"),
         said("stop/factor/stopped: unknown key \"stopped\"; allowed here: held, released, hibernated, cardless, gone, and x_... of your own")});
  check({platform(R"("stop": {"factor": {"held": {"flat": 1, "data": 2}}})"),
         said("stop/factor/held: flat is a price an hour instead of the multipliers: state one or the other")});
  check({platform(R"("stop": {"cardless": "cardless"})"),
         "c#/platforms/0: stop/factor/cardless does not say what the state costs; state compute (a multiplier of the running rate) or flat (a price an hour)"});
  check({platform(R"("stop": {"system_disk": "kep"})"),
         said("stop/system_disk: expected one of keep, reset, {\"wipe_after_h\": hours}, got \"kep\"; did you mean \"keep\"?")});
  check({platform(R"("meter": {"month_hours": 700})"), said("meter/month_hours: expected 720, 730, 744 or \"calendar\", got 700")});
  check({platform(R"("meter": {"quantum_s": 0})"), said("meter/quantum_s: expected whole seconds from 1, or a time such as \"90s\", got 0")});
  check({platform(R"("meter": {"quantum_s": "1 hr"})"),
         said("meter/quantum_s: expected whole seconds from 1, or a time such as \"90s\", got \"1 hr\"; write a time such as 3d12h, 8h, 90m or 45s")});
  check({platform(R"("storage": {"disk": {}})"),
         said("storage/disk: unknown key \"disk\"; allowed here: system, data, volume, image, object, and x_... of your own")});
  check({platform(R"("storage": {"data": {"per_gb_hour": 1, "per_gb_month": 1}})"),
         said("storage/data: only one of per_gb_hour, per_gb_month may be stated")});
  check({platform(R"("storage": {"data": {"per_gb_month": 1, "tiers": [{"per_gb_month": 1}]}})"),
         said("storage/data/tiers: a price and price steps exclude each other")});
  check({platform(R"("storage": {"data": {"tiers": [{"per_gb_month": 1}, {"per_gb_month": 2}]}})"),
         said("storage/data/tiers/0: the key \"up_to_gb\" is missing; only the last step goes on without end")});
  check({platform(R"("storage": {"data": {"tiers": [{"up_to_gb": 5, "per_gb_month": 1}, {"up_to_gb": 5, "per_gb_month": 1}, {"per_gb_month": 2}]}})"),
         said("storage/data/tiers/1/up_to_gb: expected more than the step before, got 5")});
  check({platform(R"("storage": {"data": {"tiers": [{"up_to_gb": 5, "per_gb_month": 1}]}})"),
         said("storage/data/tiers/0/up_to_gb: the last step has an end: what comes above it has no price; leave up_to_gb out of it")});
  check({platform(R"("network": {"ip_per_hour": 1, "ip": {"per_month": 1}})"),
         said("network/ip_per_hour: ip_per_hour is short for ip/per_hour: state one of them")});
  check({platform(R"("network": {"egress_per_gb": 1, "egress_tiers": [{"per_gb": 1}]})"),
         said("network/egress_tiers: egress_per_gb and egress_tiers exclude each other")});
  check({platform(R"("spot": {"interruption_percent_hour": 100})"),
         said("spot/interruption_percent_hour: expected a number from 0 to below 100, got 100; at 100 % no machine would ever run")});
  check({platform(R"("spot": {"effect": "kill"})"), said("spot/effect: expected one of terminate, stop, pause, got \"kill\"")});
  check({platform(R"("spot": {"lifetime": {}})"), said("spot/lifetime: one of exponential, weibull, uniform, mixture, observed is needed")});
  check({platform(R"("spot": {"lifetime": {"weibull": {"shape": 1}}})"), "c#/platforms/0: spot/lifetime/weibull needs both shape and scale_hours"});
  check({platform(R"("terms": {"refund": "prorata"})"),
         said("terms/refund: expected one of none, pro_rata, service_credit, {\"multiplier\": m}, {\"clawback_percent\": p}, got \"prorata\"; did you mean \"pro_rata\"?")});
  check({platform(R"("provision": {"available": 95})"),
         said("provision/available: expected a number from 0 to 1, got 95; 90 % is written 0.9, for example")});
  check({platform(R"("serverless": {"idle_s": 1})"), "c#/platforms/0: serverless needs both idle_s and start_s"});
  check({platform(R"("quota": {"hours": 30})"), "c#/platforms/0: quota needs hours together with per"});
  check({platform(R"("tax_percent": 101)"), said("tax_percent: expected a number from 0 to 100, got 101")});
  check({platform(R"("account": {"discounts": [{"percent": 120}]})"),
         said("account/discounts/0/percent: expected a number from 0 to 100, got 120")});
  check({platform(R"("account": {"discounts": [{"percent": 1, "items": ["computing"]}]})"),
         said("account/discounts/0/items/0: expected one of compute, startup, transfer, idle, lost_work, storage, network, fees, got \"computing\"; did you mean \"compute\"?")});
  check({platform(R"("account": {"credits": [{"amount": 0}]})"), said("account/credits/0/amount: expected a number above 0, got 0")});
}

TEST_CASE("a catalog names no file but those beside it", "[catalog][security]") {
  const std::string expected = "expected a file beside the catalog, without \"..\" and not from the root, got ";
  for (const std::string path : {"/etc/passwd", "../up.json", "a/../../up.json", "..", "a/.."}) {
    check({platform(R"("spot": {"availability": {"file": ")" + path + R"("}})"),
           "c#/platforms/0/spot/availability/file: " + expected + "\"" + path + "\""});
    check({price(R"("spot_series": {"file": ")" + path + R"("})"),
           "c#/platforms/0/offers/0/price/spot_series/file: " + expected + "\"" + path + "\""});
  }
  CHECK(faults(platform(R"("spot": {"availability": {"file": "traces/up..json"}})")).empty());
}

TEST_CASE("an offer that makes its platform's rules incomplete is named", "[catalog]") {
  check({platform(R"("stop": {"cardless": "cardless", "factor": {"cardless": {"flat": 1}}}, "offers": [
           {"card": "T4", "price": {}}, {"card": "L4", "price": {}, "stop": {"factor": null}}])"),
         "c#/platforms/0/offers/1: stop/factor/cardless does not say what the state costs; state compute (a multiplier of the running rate) or flat (a price an hour)"});
}

TEST_CASE("all faults of a file are told in one run", "[catalog]") {
  const Lines lines = faults(R"({"schema": "gpuplan.catalog/1", "curency": "EUR", "platforms": [
    {"id": "p", "stop": "off", "offers": [{"card": "T4", "gpus": 1, "gpus": 2, "price": {"on_demand": -1}},
                                          {"card": 7, "price": {"spto": 1}}], "regions": 3}]})");
  CHECK(lines == Lines{
      "c:2:74: the key \"gpus\" stands twice in one object",
      "c#/platforms/0/stop: expected one of running, held, released, hibernated, cardless, gone, not_offered, got \"off\"",
      "c#/platforms/0/regions: unknown key \"regions\"; allowed here: " + lines[2].substr(lines[2].find("allowed here: ") + 14),
      "c#/curency: unknown key \"curency\"; did you mean \"currency\"?",
      "c#/platforms/0/offers/0/price/on_demand: expected a decimal such as 2.49 or \"2.49\", got -1; it cannot be negative",
      "c#/platforms/0/offers/1/card: expected a text in quotes, got 7",
      "c#/platforms/0/offers/1/price/spto: unknown key \"spto\"; did you mean \"spot\"?"});
}

TEST_CASE("a file of ten thousand wrong offers tells a hundred faults and counts the rest", "[catalog]") {
  std::string text = R"({"schema": "gpuplan.catalog/1", "platforms": [{"id": "p", "stop": "off", "offers": [)";
  for (int i = 0; i < 10'000; ++i) text += std::string(i > 0 ? "," : "") + R"({"card": "T4", "price": {"on_demand": -1}})";
  const Lines lines = faults(text + "]}]}");
  REQUIRE(lines.size() == 101);
  CHECK(lines[0].find("/platforms/0/stop") != std::string::npos);
  CHECK(lines[100] == "c: 9901 more faults are not shown");
}

TEST_CASE("broken text behind good offers has its line and column", "[catalog]") {
  const Lines lines = faults("{\"schema\": \"gpuplan.catalog/1\",\r\n\"platforms\": [{\"id\": \"p\", \"offers\": [{\"card\": \"T4\", \"price\": {}},\r\n{]");
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].starts_with("c:3:2: this is not JSON"));
}
