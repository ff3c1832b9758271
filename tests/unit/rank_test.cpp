// Who is first, and what would change it, in markets small enough to work out by hand.
#include "rank_world.hpp"

namespace gpuplan::test {
namespace {

using std::chrono::hours;

const RankedOffer& first(const Ranking& ranking) { return ranking.ranked[*ranking.primary]; }

const Flip* flip_of(const Ranking& ranking, const std::string& knob, const std::string& winner) {
  for (const Flip& flip : ranking.flips)
    if (flip.knob == knob && flip.winner->id == winner) return &flip;
  return nullptr;
}

bool warned(const Warnings& warnings, const std::string& code) {
  return std::ranges::any_of(warnings, [&](const Warning& w) { return w.code == code; });
}

// Ten hours: 1 USD an hour on demand, or a week for 100 USD.
Market hourly_or_week() {
  Market market;
  market.platform("acme");
  Offer& offer = market.offer("card", "RTX 4090", "1");
  Commitment& week = offer.price.commitments.emplace_back();
  week.name = "week";
  week.hours = dec("168");
  week.price = dec("100");
  return market;
}

}  // namespace

TEST_CASE("every plan that an offer is sold under is a line of the ranking", "[rank]") {
  Market market = hourly_or_week();
  market.catalog.offers.front().price.spot = dec("0.4");
  const Ranking ranking = market.rank();
  REQUIRE(ranking.ranked.size() == 3);
  CHECK(ranking.ranked[0].plan == "spot");
  CHECK(ranking.ranked[1].plan == "on_demand");
  CHECK(ranking.ranked[2].plan == "reserved");
  CHECK(to_string(ranking.ranked[2].bill.total) == "100");
  // Nobody says how often the spot machine goes away: it is listed and not recommended.
  CHECK(first(ranking).plan == "on_demand");
}

TEST_CASE("a plan that was asked for and is not sold is a reason", "[rank]") {
  Market market;
  market.platform("acme");
  market.offer("card", "RTX 4090", "1");
  market.options.plans = {"reserved"};
  const Ranking ranking = market.rank();
  CHECK(ranking.ranked.empty());
  REQUIRE(ranking.rejected.size() == 1);
  CHECK(ranking.rejected.front().reasons.front().code == "plan_not_sold");
}

TEST_CASE("a week at 100 USD wins over 1 USD an hour from just above 100 hours on", "[rank]") {
  const Market market = hourly_or_week();
  const Ranking ranking = market.rank();
  CHECK(first(ranking).plan == "on_demand");
  const Flip* flip = flip_of(ranking, "work", "card");
  REQUIRE(flip);
  CHECK(flip->plan == "reserved");
  CHECK(flip->value == dec("10.001"));  // of ten hours: 100.01 hours
}

TEST_CASE("the price at which the next offer wins is found to the ten-thousandth", "[rank]") {
  Market market;
  market.platform("acme");
  market.offer("cheap", "RTX 4090", "0.69");
  market.platform("other");
  market.offer("next", "RTX 4090", "0.75");
  const Ranking ranking = market.rank();
  const Flip* rises = flip_of(ranking, "price", "next");
  REQUIRE(rises);
  // At 0.7500 both cost 7.50 and the platform's name decides, so it takes a little more.
  CHECK(rises->when ==
        "the price of acme/cheap, on demand, rises from 0.69 to 0.7501 USD an hour");
  CHECK(rises->then == "other RTX 4090 x1, on demand wins with 7.50 USD");
  CHECK(std::ranges::any_of(ranking.flips, [](const Flip& flip) {
    return flip.when == "the price of other/next, on demand, falls from 0.75 to 0.6899 USD an hour";
  }));
}

TEST_CASE("a dear upload decides between a cheap card and a cheap line", "[rank]") {
  Market market;
  Rules paid, open;
  paid.network.ingress_per_gb = dec("0.1");
  open.network.ingress_per_gb = dec("0");
  market.platform("paid").rules = std::make_shared<const Rules>(paid);
  market.offer("cheap", "RTX 4090", "0.5");
  market.platform("open").rules = std::make_shared<const Rules>(open);
  market.offer("dear", "RTX 4090", "1");
  market.job.data.upload = Bytes::gb(40);
  const Ranking ranking = market.rank();
  CHECK(first(ranking).offer->id == "cheap");  // 5 + 4 against 10
  const Flip* flip = flip_of(ranking, "upload", "dear");
  REQUIRE(flip);
  // 50 GB cost as much as the card saves; equal bills go to "open", which comes before "paid".
  CHECK(flip->value == dec("1.25"));
}

TEST_CASE("backup is the best on another platform, however many of the first come between",
          "[rank]") {
  Market market;
  market.platform("acme");
  for (int i = 0; i < 40; ++i) market.offer("o" + std::to_string(i), "RTX 4090", "0.5");
  market.platform("other");
  market.offer("far", "RTX 4090", "3");
  market.options.rows = 5;
  market.options.price_all_up_to = 0;
  const Ranking ranking = market.rank();
  REQUIRE(ranking.backup);
  CHECK(ranking.ranked[*ranking.backup].offer->id == "far");
  CHECK(ranking.ranked_total == 41);
}

TEST_CASE("answers can come from several machines when one would be late", "[rank]") {
  Market market;
  market.platform("acme");
  market.offer("card", "RTX 4090", "1");
  market.job.workload.mode = Mode::inference;
  market.job.workload.precision = Precision::int8;
  market.job.work.run_hours = hours{30};
  market.job.deadline = hours{8};
  const Ranking ranking = market.rank();
  REQUIRE(ranking.ranked.size() == 1);
  CHECK(first(ranking).machines == 4);  // 30 h / 8 h = 3.75
  CHECK(first(ranking).bill.time.wall == Duration{hours{15}} / 2);
  CHECK(to_string(first(ranking).bill.total) == "30");
  CHECK(warned(first(ranking).warnings, "several_machines"));
}

TEST_CASE("a training step cannot be cut into shards: late is late", "[rank]") {
  Market market;
  market.platform("acme");
  market.offer("card", "RTX 4090", "1");
  market.job.deadline = hours{8};
  const Ranking ranking = market.rank();
  CHECK(ranking.ranked.empty());
  CHECK(ranking.any_gated);
  REQUIRE(ranking.rejected.size() == 1);
  CHECK(ranking.rejected.front().reasons.front().code == "deadline");
  REQUIRE(ranking.rejected.front().bill);
  CHECK(to_string(ranking.rejected.front().bill->bill.total) == "10");
}

TEST_CASE("four cards for answers may be four machines with one card each", "[rank]") {
  Market market;
  market.platform("acme");
  market.offer("one", "RTX 4090", "1");
  market.offer("three", "RTX 4090", "3").gpus = 3;
  market.job.workload.mode = Mode::inference;
  market.job.workload.precision = Precision::int8;
  market.job.workload.gpus = 4;
  const Ranking ranking = market.rank();
  REQUIRE(ranking.ranked.size() == 1);
  CHECK(first(ranking).offer->id == "one");
  CHECK(first(ranking).machines == 4);
  REQUIRE(ranking.rejected.size() == 1);
  CHECK(ranking.rejected.front().reasons.front().code == "gpus");  // 4 is no multiple of 3
}

TEST_CASE("what do I get for 100 dollars: as many hours as the money pays for", "[rank]") {
  Market market;
  Rules rules;
  rules.meter.quantum_s = 3600;
  rules.meter.minimum_s = 0;
  market.platform("acme").rules = std::make_shared<const Rules>(rules);
  market.offer("cheap", "RTX 4090", "0.8");
  market.offer("fast", "L40S", "2");
  market.job.budget = Money::units(100);
  market.job.work_assumed = true;
  const Ranking ranking = market.rank();
  REQUIRE(ranking.ranked.size() == 2);
  CHECK(first(ranking).offer->id == "cheap");
  CHECK(first(ranking).affords->run == Duration{hours{125}});
  CHECK(to_string(first(ranking).bill.total) == "100");
  CHECK(ranking.ranked[1].affords->run == Duration{hours{50}});
  CHECK(ranking.flips.empty());
}

TEST_CASE("a budget below the smallest bill buys nothing, and that is a gate", "[rank]") {
  Market market;
  Rules rules;
  rules.meter.quantum_s = 3600;
  market.platform("acme").rules = std::make_shared<const Rules>(rules);
  market.offer("card", "RTX 4090", "2");
  market.job.budget = Money::units(1);
  market.job.work_assumed = true;
  const Ranking ranking = market.rank();
  CHECK(ranking.ranked.empty());
  CHECK(ranking.any_gated);
  CHECK(ranking.rejected.front().reasons.front().code == "budget");
}

TEST_CASE("a stream of requests takes as many machines as keep the queue short", "[rank]") {
  Market market;
  market.platform("acme");
  market.offer("card", "RTX 4090", "1");
  market.job.workload.mode = Mode::inference;
  market.job.workload.precision = Precision::int8;
  market.job.work.run_hours = hours{730};
  const auto machines = [&](double rate) {
    market.job.workload.rate = rate;
    const Ranking ranking = market.rank();
    REQUIRE(ranking.ranked.size() == 1);
    const RankedOffer& offer = first(ranking);
    // Each of them runs the whole month, and the answers are those of the requests that come.
    CHECK(offer.bill.total == Money::units(730 * offer.machines));
    REQUIRE(offer.unit_cost);
    const double million_tokens = rate * 256 * 730 * 3600 / 1e6;
    CHECK(approximate(offer.unit_cost->amount) ==
          Approx(730.0 * static_cast<double>(offer.machines) / million_tokens));
    return offer.machines;
  };
  CHECK(machines(0.1) == 1);
  CHECK(machines(50) > 5 * machines(5));
}

}  // namespace gpuplan::test
