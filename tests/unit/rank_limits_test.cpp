// Limits and filters of a ranking: what keeps them, what does not, and what names nothing.
#include "rank_world.hpp"

namespace gpuplan::test {
namespace {

Diagnostics refused(const Market& market) {
  const Tables tables{.cards = &known_cards(), .models = &known_models()};
  const auto ranked = rank_offers(market.job, *known_models().find("7b"), market.catalog, tables, market.options);
  REQUIRE_FALSE(ranked);
  return ranked.errors();
}

std::string reason_of(const Ranking& ranking, const std::string& offer) {
  for (const RejectedOffer& rejected : ranking.rejected)
    if (rejected.offer->id == offer) return rejected.reasons.front().code + ": " + rejected.reasons.front().message;
  return "taken";
}

// A spot machine for 0.50 of which nobody says how often it is taken back, and one on demand for 2.
Market cheap_and_doubtful() {
  Market market;
  market.platform("acme");
  market.offer("spot", "RTX 4090", "").price.spot = dec("0.5");
  market.offer("sure", "RTX 4090", "2");
  return market;
}

}  // namespace

TEST_CASE("a budget that only a machine of unknown luck keeps is not kept", "[rank][gates]") {
  Market market = cheap_and_doubtful();
  market.job.budget = usd("10");
  const Ranking ranking = market.rank();  // 5 USD when it is never taken back; the other is 20
  CHECK_FALSE(ranking.primary);
  REQUIRE(ranking.gates.size() == 1);
  CHECK(ranking.gates[0].value == "20");
  CHECK_FALSE(ranking.gates[0].passed);
  CHECK(ranking.gates[0].why.empty());  // 20 is above 10
  CHECK(reason_of(ranking, "sure").starts_with("budget: "));
}

TEST_CASE("where nothing can be recommended at all, no limit is kept, and it says why", "[rank][gates]") {
  Market market = cheap_and_doubtful();
  market.catalog.offers.pop_back();
  market.job.budget = usd("10");
  market.job.deadline = std::chrono::hours{12};
  const Ranking ranking = market.rank();
  CHECK(ranking.ranked_total == 1);
  REQUIRE(ranking.gates.size() == 2);
  for (const Gate& gate : ranking.gates) {
    CHECK_FALSE(gate.passed);
    CHECK(gate.why.starts_with("what is within it cannot be recommended"));
  }
  CHECK(ranking.gates[0].value == "5");
}

TEST_CASE("with something to recommend every limit is kept", "[rank][gates]") {
  Market market = cheap_and_doubtful();
  market.job.budget = usd("20");
  const Ranking ranking = market.rank();
  REQUIRE(ranking.primary);
  REQUIRE(ranking.gates.size() == 1);
  CHECK(ranking.gates[0].passed);
  CHECK(ranking.gates[0].value == "20");
}

TEST_CASE("a cap on the hour takes no dearer machine instead", "[rank][gates]") {
  Market market;
  market.platform("acme");
  market.offer("a", "RTX 4090", "2");
  market.offer("b", "L40S", "2.01");
  market.options.max_hourly[""] = usd("2");
  const Ranking ranking = market.rank();
  CHECK(reason_of(ranking, "a") == "taken");  // exactly at the limit
  CHECK(reason_of(ranking, "b") == "max_hourly: costs 2.01 USD an hour on demand, at most 2 is allowed");
  market.options.max_hourly[""] = usd("1.99");
  const Ranking none = market.rank();
  CHECK(none.ranked_total == 0);
  CHECK(none.any_gated);
  REQUIRE(none.gates.size() == 1);
  CHECK(none.gates[0].name == "max_hourly");
  CHECK(none.gates[0].value == "2");
  CHECK_FALSE(none.gates[0].passed);
}

TEST_CASE("a cap on the hour may be another for spot, and holds for all machines together", "[rank][gates]") {
  Market market;
  market.platform("acme");
  market.job.reclaim_mean = std::chrono::hours{1000};
  Offer& offer = market.offer("a", "RTX 4090", "2");
  offer.price.spot = dec("0.8");
  market.options.max_hourly = {{"", usd("2")}, {"spot", usd("0.79")}};
  Ranking ranking = market.rank();
  REQUIRE(ranking.ranked_total == 1);
  CHECK(ranking.ranked[0].plan == "on_demand");
  market.options.max_hourly["spot"] = usd("0.8");
  CHECK(market.rank().ranked_total == 2);
  market.job.machines = 3;
  CHECK(market.rank().ranked_total == 0);  // 6 and 2.4
  market.options.max_hourly = {{"", usd("6")}, {"spot", usd("2.4")}};
  CHECK(market.rank().ranked_total == 2);
}

TEST_CASE("the hour of a prepaid week is its price over 168 hours", "[rank][gates]") {
  Market market;
  market.platform("acme");
  Commitment& week = market.offer("a", "RTX 4090", "").price.commitments.emplace_back();
  week.name = "week";
  week.hours = dec("168");
  week.price = dec("168");
  market.options.max_hourly[""] = usd("1");
  CHECK(market.rank().ranked_total == 1);
  market.options.max_hourly[""] = usd("0.99");
  CHECK(reason_of(market.rank(), "a") == "max_hourly: costs 1 USD an hour reserved, at most 0.99 is allowed");
}

TEST_CASE("a filter that names nothing in the catalog is a mistake, all of them at once", "[rank][filters]") {
  Market market;
  market.platform("acme");
  market.offer("big", "RTX 4090", "1").region = "eu-north";
  market.offer("small", "L4", "1").region = "us-east";
  market.options.platforms = {"amce"};
  market.options.regions = {"eu-nort", "asia"};
  market.options.exclude = {"smal", "acme/big", "L4"};
  std::vector<std::string> said;
  for (const Diagnostic& fault : refused(market)) {
    CHECK(fault.code == ErrorCode::unknown_name);
    said.push_back(fault.source + ": " + fault.message + "; " + fault.hint);
  }
  CHECK(said == std::vector<std::string>{
                    "--platform: no platform \"amce\" in the catalog; did you mean \"acme\"?",
                    "--region: no offer of the catalog is in the region \"eu-nort\"; did you mean \"eu-north\"?",
                    "--region: no offer of the catalog is in the region \"asia\"; there are eu-north, us-east",
                    "--exclude: the catalog has no platform, card or offer \"smal\"; did you mean \"small\"?"});
}

TEST_CASE("a card is left out by any of its names", "[rank][filters]") {
  Market market;
  market.platform("acme");
  market.offer("a", "NVIDIA GeForce RTX 4090", "1");
  market.offer("b", "L40S", "1");
  for (const char* name : {"RTX 4090", "rtx4090", "NVIDIA GeForce RTX 4090", "A", "acme/a"}) {
    INFO(name);
    market.options.exclude = {name};
    const Ranking ranking = market.rank();
    CHECK(reason_of(ranking, "a") == "excluded: --exclude names it");
    CHECK(reason_of(ranking, "b") == "taken");
  }
  market.options.exclude = {"H100"};  // a card that nobody offers is left out already
  CHECK(market.rank().ranked_total == 2);
}

}  // namespace gpuplan::test
