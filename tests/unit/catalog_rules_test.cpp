#include <string>

#include "catch.hpp"
#include "gpuplan/catalog.hpp"

using namespace gpuplan;
using namespace std::chrono_literals;

namespace {

// The rules of the one offer of a catalog with these members of defaults, platform and offer.
Rules merged(std::string_view defaults, std::string_view platform, std::string_view offer) {
  const auto more = [](std::string_view members) { return members.empty() ? "" : ", "; };
  // The platform's rules stand behind its offers, and the defaults behind both, on purpose.
  std::string text = R"({"schema": "gpuplan.catalog/1", "platforms": [{"id": "p", "offers": [{"card": "T4", "price": {})";
  text += more(offer);
  text += std::string(offer) + "}]" + more(platform) + std::string(platform) + R"(}], "defaults": {)";
  text += std::string(defaults) + "}}";
  CAPTURE(text);
  const Result<Catalog> catalog = read_catalog(text, "c.json");
  if (!catalog) FAIL(to_text(catalog.errors().front()));
  return *catalog->offers[0].rules;
}

Rules stated(std::string_view platform) { return merged("", platform, ""); }
Decimal decimal(std::string_view text) { return *Decimal::parse(text); }

}  // namespace

TEST_CASE("metering is read as it is written, or left as not stated", "[catalog]") {
  const MeterRules meter = stated(R"("meter": {"quantum_s": 60, "round": "nearest", "minimum_s": "10m",
    "align": "clock", "billed_from": "ready", "month_hours": 744, "cap_month": "99.5"})").meter;
  CHECK(meter.quantum_s == 60);
  CHECK(meter.round == Round::nearest);
  CHECK(meter.minimum_s == 600);
  CHECK(meter.align == Align::clock);
  CHECK(meter.billed_from == BilledFrom::ready);
  CHECK(meter.month_hours == 744);
  CHECK(meter.cap_month == decimal("99.5"));
  CHECK(stated(R"("meter": {"month_hours": "calendar"})").meter.month_hours == 0);
  const MeterRules none = stated("").meter;
  CHECK_FALSE(none.quantum_s);
  CHECK_FALSE(none.round);
  CHECK_FALSE(none.month_hours);
}

TEST_CASE("stop has five verbs, prices for each state and fates of the disks", "[catalog]") {
  const StopRules stop = stated(R"("stop": {"guest_shutdown": "running", "stop": "released", "hibernate": "hibernated",
    "cardless": "cardless", "terminate": "gone", "gpu_kept": false, "system_disk": "reset",
    "data_disk": {"wipe_after_h": 24}, "release_after_h": "15d",
    "factor": {"released": {"compute": 0, "data": 2}, "cardless": {"flat": "0.15"}}})").stop;
  CHECK(stop.guest_shutdown == State::running);
  CHECK(stop.stop == State::released);
  CHECK(stop.hibernate == State::hibernated);
  CHECK(stop.cardless == State::cardless);
  CHECK(stop.terminate == State::gone);
  CHECK(stop.gpu_kept == false);
  CHECK(stop.system_disk->kind == DiskOnStop::Kind::reset);
  CHECK(stop.data_disk->kind == DiskOnStop::Kind::wipe);
  CHECK(stop.data_disk->wipe_after == 24h);
  CHECK(stop.release_after == 360h);
  CHECK(stop.factor.at(State::released).data == Decimal::of(2));
  CHECK_FALSE(stop.factor.at(State::released).volume);
  CHECK(stop.factor.at(State::cardless).flat == decimal("0.15"));
}

TEST_CASE("each kind of storage has its own price, unit and rules", "[catalog]") {
  const auto storage = stated(R"("storage": {
    "system": {"per_gb_hour": 0.0001, "included_gb": 30, "with_instance": false, "min_gb": 20, "sizes_gb": [100, 50]},
    "data": {"per_gb_day": 0.01, "quantum": "day", "align": "clock", "cap_month": 10, "mb_per_s": 500},
    "volume": {"tiers": [{"up_to_gb": "1TB", "per_gb_month": 0.07}, {"per_gb_month": 0.05}], "basis": "used_mean"},
    "image": {"per_gb_month": 0.05, "included_per": "account", "unit": "GiB", "included_gb": "10GiB"}})").storage;
  const StorageRule& system = storage.at(StorageKind::system);
  CHECK(system.price == decimal("0.0001"));
  CHECK(system.per == PricePer::hour);
  CHECK(system.included_gb == Decimal::of(30));
  CHECK(system.with_instance == false);
  CHECK(system.sizes_gb == std::vector{Decimal::of(50), Decimal::of(100)});
  const StorageRule& data = storage.at(StorageKind::data);
  CHECK(data.per == PricePer::day);
  CHECK(data.quantum == StorageQuantum::day);
  CHECK(data.align == Align::clock);
  CHECK(data.mb_per_s == Decimal::of(500));
  CHECK_FALSE(data.with_instance);
  const StorageRule& volume = storage.at(StorageKind::volume);
  REQUIRE(volume.tiers.size() == 2);
  CHECK(volume.tiers[0].up_to_gb == Decimal::of(1000));
  CHECK(volume.tiers[1].price == decimal("0.05"));
  CHECK_FALSE(volume.tiers[1].up_to_gb);
  CHECK_FALSE(volume.price);
  CHECK(volume.basis == StorageBasis::used_mean);
  const StorageRule& image = storage.at(StorageKind::image);
  CHECK(image.gib);
  CHECK(image.included_per_account);
  CHECK(image.included_gb == Decimal::of(10));
  CHECK(storage.count(StorageKind::object) == 0);
}

TEST_CASE("traffic, addresses and line speeds", "[catalog]") {
  const NetworkRules network = stated(R"("network": {"ingress_per_gb": 0, "internal_per_gb": 0.01, "unit": "GiB",
    "egress_tiers": [{"up_to_gb": 100, "per_gb": 0}, {"per_gb": "0.09"}], "egress_included_gb_month": 10,
    "ip": {"per_month": 3, "cap_month": 3}, "up_mbps": 100, "down_mbps": 200, "internal_mbps": 10000})").network;
  CHECK(network.gib);
  CHECK(network.ingress_per_gb == Decimal{});
  CHECK(network.egress_tiers.size() == 2);
  CHECK(network.egress_included_gb_month == Decimal::of(10));
  CHECK(network.ip_per_month == Decimal::of(3));
  CHECK(network.ip_cap_month == Decimal::of(3));
  CHECK(network.up_mbps == Decimal::of(100));
  CHECK(network.down_mbps == Decimal::of(200));
  CHECK(stated(R"("network": {"ip_per_hour": "0.0045"})").network.ip_per_hour == decimal("0.0045"));
}

TEST_CASE("an empty list of reclaims says that there are none, an absent one says nothing", "[catalog]") {
  CHECK_FALSE(stated("").spot.reclaim_after_s);
  REQUIRE(stated(R"("spot": {"reclaim_after_s": []})").spot.reclaim_after_s);
  CHECK(stated(R"("spot": {"reclaim_after_s": ["2h", 60]})").spot.reclaim_after_s ==
        std::vector<std::int64_t>{7200, 60});
}

TEST_CASE("a time that no short decimal of hours or days makes is the same microseconds again", "[catalog]") {
  constexpr std::int64_t kHour = 3'600'000'000;
  for (const auto& [text, microseconds] : {std::pair{"20m", 1'200'000'000LL}, {"2836.621s", 2'836'621'000LL}, {"0.000001s", 1LL},
                                           {"100h", 100 * kHour}, {"99999h7s", 99'999 * kHour + 7'000'000}}) {
    INFO(text);
    const Rules rules = stated(R"("spot": {"mean_hours_between_reclaims": ")" + std::string(text) + "\"}");
    CHECK(rules.spot.mean_hours_between_reclaims->times(kHour) == microseconds);
  }
}

TEST_CASE("spot machines: when they are taken back and what is left", "[catalog]") {
  const SpotRules spot = stated(R"("spot": {"availability": {"file": "a.json", "start_index": 5},
    "mean_hours_between_reclaims": "12h", "interruption_percent_month": 20, "notice_s": 120, "effect": "stop",
    "disk": "keep", "restart_delay_s": 30, "protect_s": "1h", "free_if_reclaimed_within_s": 3600,
    "free_last_quantum": true, "max_run_s": "24h", "can_stop": true, "price_model": "market"})").spot;
  CHECK(spot.availability_file == "a.json");
  CHECK(spot.availability_start == 5);
  CHECK(spot.mean_hours_between_reclaims == Decimal::of(12));
  CHECK(spot.interruption_percent_month == Decimal::of(20));
  CHECK(spot.notice_s == 120);
  CHECK(spot.effect == "stop");
  CHECK(spot.disk_kept == true);
  CHECK(spot.protect_s == 3600);
  CHECK(spot.max_run_s == 86400);
  CHECK(spot.can_stop == true);
  CHECK(spot.price_model == "market");
  CHECK(stated(R"("spot": {"disk": "lost"})").spot.disk_kept == false);
}

TEST_CASE("the life of a spot machine has one of five shapes", "[catalog]") {
  const auto weibull = stated(R"("spot": {"lifetime": {"weibull": {"shape": 0.8, "scale_hours": 10}}})").spot.lifetime;
  CHECK(weibull->kind == Lifetime::Kind::weibull);
  CHECK(weibull->shape == Approx(0.8));
  CHECK(weibull->hours == Approx(10));
  const auto uniform = stated(R"("spot": {"lifetime": {"uniform": {"hours": 24}}})").spot.lifetime;
  CHECK(uniform->kind == Lifetime::Kind::uniform);
  CHECK(uniform->hours == Approx(24));
  const auto mixture = stated(R"("spot": {"lifetime": {"mixture": [{"weight": 0.3, "mean_hours": 1},
    {"weight": 0.7, "mean_hours": 20}]}})").spot.lifetime;
  CHECK(mixture->kind == Lifetime::Kind::mixture);
  REQUIRE(mixture->parts.size() == 2);
  CHECK(mixture->parts[1].mean_hours == Approx(20));
  const auto exponential = stated(R"("spot": {"lifetime": {"exponential": {"mean_hours": 7}}})").spot.lifetime;
  CHECK(exponential->kind == Lifetime::Kind::exponential);
  CHECK(exponential->hours == Approx(7));
  const auto observed = stated(R"("spot": {"lifetime": {"observed": {"reclaimed_after_hours": ["30m", 2]}}})").spot.lifetime;
  REQUIRE(observed->steps.size() == 2);
  CHECK(observed->steps[0].left == Approx(0.5));
  CHECK(observed->steps[1].left == 0);
}

TEST_CASE("waits by chance, zones and ticks by chance", "[catalog]") {
  const SpotRules spot = stated(R"("spot": {"restart_delay_law": {"uniform": {"hours": 2}},
    "zone_mean_hours_between_reclaims": 20, "availability": {"share": 0.6, "gap_s": "1h"}})").spot;
  CHECK(spot.restart_delay_law->hours == Approx(2));
  CHECK(spot.zone_mean_hours_between_reclaims == Decimal::of(20));
  CHECK(spot.availability_share == decimal("0.6"));
  CHECK(spot.availability_gap_s == 3600);
}

TEST_CASE("terms say what an unused rest is worth", "[catalog]") {
  const auto refund = [](std::string_view text) {
    return *stated("\"terms\": {\"refund\": " + std::string(text) + "}").terms.refund;
  };
  CHECK(refund("\"none\"").kind == Refund::Kind::none);
  CHECK(refund("\"pro_rata\"").kind == Refund::Kind::pro_rata);
  CHECK(refund("\"service_credit\"").kind == Refund::Kind::service_credit);
  CHECK(refund("{\"multiplier\": \"1.5\"}").kind == Refund::Kind::multiplier);
  CHECK(refund("{\"multiplier\": \"1.5\"}").value == decimal("1.5"));
  CHECK(refund("{\"clawback_percent\": 30}").kind == Refund::Kind::clawback);
  const TermRules terms = stated(R"("terms": {"covers": "gpu", "at_end": "on_demand", "stop_forfeits": true})").terms;
  CHECK_FALSE(terms.refund);
  CHECK(terms.covers_gpu_only == true);
  CHECK(terms.at_end == AtEnd::on_demand);
  CHECK(terms.stop_forfeits == true);
}

TEST_CASE("start-up, environment, service, serverless and quota", "[catalog]") {
  const Rules rules = stated(R"("provision": {"queue_s": "5m", "start_s": "0.5", "available": 0.9,
      "auto_stop": {"idle_s": 600, "wall_s": "12h", "default_on": true}},
    "environment": {"driver": "550.54", "images": [{"framework": "pytorch", "version": 2.4, "cuda": "12.4"}],
      "custom_images": true, "containers": false, "graphics": false, "root": true},
    "service": {"exclusive": true, "performance_factor": 0.95, "isolation": "vm", "data_wiped": true, "support_hours": "24x7",
      "compliance": ["iso27001"], "education": true},
    "serverless": {"idle_s": 5, "start_s": "2s"},
    "quota": {"hours": 30, "per": "week", "session_max_s": "12h"})");
  CHECK(rules.provision.queue_s == Decimal::of(300));
  CHECK(rules.provision.start_s == decimal("0.5"));
  CHECK(rules.provision.available == decimal("0.9"));
  CHECK(rules.provision.auto_stop_idle_s == Decimal::of(600));
  CHECK(rules.provision.auto_stop_wall_s == Decimal::of(43200));
  CHECK(rules.provision.auto_stop_default_on == true);
  CHECK(rules.environment.driver == "550.54");
  REQUIRE(rules.environment.images.size() == 1);
  CHECK(rules.environment.images[0].version == "2.4");
  CHECK(rules.environment.containers == false);
  CHECK(rules.service.performance_factor == decimal("0.95"));
  CHECK(rules.service.compliance == std::vector<std::string>{"iso27001"});
  CHECK_FALSE(rules.service.quotas);
  CHECK(rules.serverless->idle_s == Decimal::of(5));
  CHECK(rules.serverless->start_s == Decimal::of(2));
  CHECK(rules.quota->hours == Decimal::of(30));
  CHECK(rules.quota->per == "week");
  CHECK(rules.quota->session_max_s == Decimal::of(43200));
}

TEST_CASE("an offer's rule wins over its platform's, and that over the catalog's, key by key", "[catalog]") {
  const Rules rules = merged(R"("meter": {"quantum_s": 3600, "minimum_s": 60, "round": "up"})",
                             R"("meter": {"quantum_s": 60, "round": "none"})", R"("meter": {"round": "nearest"})");
  CHECK(rules.meter.quantum_s == 60);
  CHECK(rules.meter.minimum_s == 60);
  CHECK(rules.meter.round == Round::nearest);
}

TEST_CASE("a short form is written out before it is merged", "[catalog]") {
  const Rules rules = merged("", R"("stop": {"terminate": "gone", "stop": "held"}, "network": {"ip": {"cap_month": 3}})",
                             R"("stop": "released", "network": {"ip_per_hour": 0.005})");
  CHECK(rules.stop.stop == State::released);
  CHECK(rules.stop.terminate == State::gone);
  CHECK(rules.network.ip_cap_month == Decimal::of(3));
  CHECK(rules.network.ip_per_hour == decimal("0.005"));
}

TEST_CASE("null sets a rule, a group or a kind back to what is not stated", "[catalog]") {
  constexpr std::string_view kPlatform = R"("meter": {"quantum_s": 60, "minimum_s": 60}, "stop": "held",
    "storage": {"data": {"per_gb_month": 1}, "image": {"per_gb_month": 2, "included_gb": 5}}, "quota": {"session_max_s": 5},
    "network": {"ip": {"per_hour": 1, "cap_month": 2}}, "provision": {"auto_stop": {"idle_s": 5}})";
  const Rules rules = merged("", kPlatform, R"("meter": {"quantum_s": null}, "stop": null,
    "storage": {"data": null, "image": {"per_gb_month": null, "included_gb": null}}, "quota": null, "network": {"ip": null},
    "provision": {"auto_stop": null})");
  CHECK_FALSE(rules.meter.quantum_s);
  CHECK(rules.meter.minimum_s == 60);
  CHECK_FALSE(rules.stop.stop);
  CHECK(rules.storage.count(StorageKind::data) == 0);
  CHECK_FALSE(rules.storage.at(StorageKind::image).price);
  CHECK(rules.storage.at(StorageKind::image).included_gb.is_zero());
  CHECK_FALSE(rules.quota);
  CHECK_FALSE(rules.network.ip_per_hour);
  CHECK_FALSE(rules.network.ip_cap_month);
  CHECK_FALSE(rules.provision.auto_stop_idle_s);
}

TEST_CASE("a list replaces, an object in an object merges", "[catalog]") {
  const Rules rules = merged(R"("service": {"compliance": ["a", "b"]}, "stop": {"factor": {"held": {"compute": 1, "data": 2}}})", "",
                             R"("service": {"compliance": ["c"]}, "stop": {"factor": {"held": {"data": 3}}})");
  CHECK(rules.service.compliance == std::vector<std::string>{"c"});
  CHECK(rules.stop.factor.at(State::held).compute == Decimal::of(1));
  CHECK(rules.stop.factor.at(State::held).data == Decimal::of(3));
}

TEST_CASE("of forms that exclude each other the nearest level's holds alone", "[catalog]") {
  const Rules hourly = merged("", R"("storage": {"data": {"per_gb_month": 1}}, "network": {"egress_per_gb": 1, "ip": {"per_month": 3}})",
                              R"("storage": {"data": {"per_gb_hour": 0.01}}, "network": {"egress_tiers": [{"per_gb": 2}], "ip_per_hour": 1})");
  CHECK(hourly.storage.at(StorageKind::data).per == PricePer::hour);
  CHECK(hourly.storage.at(StorageKind::data).price == decimal("0.01"));
  CHECK_FALSE(hourly.network.egress_per_gb);
  CHECK(hourly.network.egress_tiers.size() == 1);
  CHECK_FALSE(hourly.network.ip_per_month);
  const Rules flat = merged("", R"("storage": {"data": {"tiers": [{"per_gb_month": 1}]}}, "stop": {"factor": {"held": {"data": 2}}})",
                            R"("storage": {"data": {"per_gb_month": 3}}, "stop": {"factor": {"held": {"flat": 5}}})");
  CHECK(flat.storage.at(StorageKind::data).tiers.empty());
  CHECK(flat.storage.at(StorageKind::data).price == Decimal::of(3));
  CHECK_FALSE(flat.stop.factor.at(State::held).data);
  CHECK(flat.stop.factor.at(State::held).flat == Decimal::of(5));
}

TEST_CASE("a group may be begun on one level and completed on the next", "[catalog]") {
  const Rules rules = merged(R"("serverless": {"idle_s": 5}, "spot": {"lifetime": {"weibull": {"shape": 2}}})",
                             R"("serverless": {"start_s": 1})", R"("spot": {"lifetime": {"weibull": {"scale_hours": 8}}})");
  CHECK(rules.serverless->idle_s == Decimal::of(5));
  CHECK(rules.serverless->start_s == Decimal::of(1));
  CHECK(rules.spot.lifetime->shape == Approx(2));
  CHECK(rules.spot.lifetime->hours == Approx(8));
}

TEST_CASE("offers that state no rule, or the same, share one set of rules", "[catalog]") {
  const auto catalog = read_catalog(R"({"schema": "gpuplan.catalog/1", "platforms": [{"id": "p", "stop": "held", "offers": [
    {"card": "T4", "price": {}}, {"card": "L4", "price": {}}, {"card": "A10", "price": {}, "stop": "released"},
    {"card": "A40", "price": {}, "stop": "released"}]}]})", "c.json");
  REQUIRE(catalog);
  const auto& offers = catalog->offers;
  CHECK(offers[0].rules == offers[1].rules);
  CHECK(offers[0].rules == catalog->platforms[0].rules);
  CHECK(offers[2].rules == offers[3].rules);
  CHECK(offers[2].rules != offers[0].rules);
  CHECK(offers[2].rules->stop.stop == State::released);
}
