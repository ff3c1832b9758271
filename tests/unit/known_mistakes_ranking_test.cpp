// Mistakes that other tools made when they ranked offers, each reported in public, and the right
// answer here.
#include <algorithm>

#include "rank_world.hpp"

namespace gpuplan::test {
namespace {

using std::chrono::hours;

std::vector<std::string> order(const Ranking& ranking) {
  std::vector<std::string> ids;
  for (const RankedOffer& row : ranking.ranked) ids.push_back(row.offer->id);
  return ids;
}

}  // namespace

TEST_CASE("offers of all sources stand in one order of cost", "[mistakes][rank]") {
  // dstack 3839: one source came in the order of a quality score, its cheap offers late
  Market market;
  market.platform("market");
  market.offer("a", "RTX 4090", "0.9");
  market.offer("b", "RTX 4090", "10");  // 10 is not before 9 as text is: ec2instances 176
  market.platform("cloud");
  market.offer("c", "RTX 4090", "0.5");
  market.offer("d", "RTX 4090", "9");
  CHECK(order(market.rank()) == std::vector<std::string>{"c", "a", "d", "b"});
}

TEST_CASE("who asks for one plan is not given the other, nor its price", "[mistakes][rank]") {
  // dstack 1449: an idle spot machine was offered under on demand; infracost 2359: spot priced as
  // on demand
  Market market;
  market.platform("acme");
  market.offer("m", "RTX 4090", "0.05").price.spot = dec("0.01");
  market.options.plans = {"on_demand"};
  Ranking ranking = market.rank();
  REQUIRE(ranking.ranked.size() == 1);
  CHECK(ranking.ranked[0].plan == "on_demand");
  CHECK(to_string(ranking.ranked[0].bill.total) == "0.5");
  market.options.plans = {"spot"};
  ranking = market.rank();
  REQUIRE(ranking.ranked.size() == 1);
  CHECK(ranking.ranked[0].plan == "spot");
  CHECK(to_string(ranking.ranked[0].bill.total) == "0.1");
}

TEST_CASE("a price of 0 is unknown and never the cheapest", "[mistakes][rank]") {
  // skypilot 1367 and 2496: 0.00 was printed and chosen
  Market market;
  market.platform("acme");
  market.offer("zero", "RTX 4090", "0");
  market.offer("real", "RTX 4090", "0.4");
  const Ranking ranking = market.rank();
  CHECK(order(ranking) == std::vector<std::string>{"real"});
  REQUIRE(ranking.rejected.size() == 1);
  CHECK(ranking.rejected[0].reasons[0].code == "price_zero");
}

TEST_CASE("two machines cost twice as much an hour", "[mistakes][rank]") {
  // skypilot 28: the optimizer's cost ignored the number of nodes
  Market market;
  market.platform("acme");
  market.offer("m", "RTX 4090", "0.4");
  market.job.machines = 2;
  market.job.work.run_hours = hours{2};  // an hour on each
  const Ranking ranking = market.rank();
  CHECK(to_string(ranking.ranked.at(0).bill.total) == "0.8");
  CHECK(ranking.ranked[0].machines == 2);
}

TEST_CASE("offers are compared with the disk that the job needs", "[mistakes][rank]") {
  // vast-cli 64: priced with a small default disk
  Market market;
  Rules dear, cheap;
  for (Rules* rules : {&dear, &cheap}) {
    rules->storage[StorageKind::volume].per = PricePer::month;
    rules->meter.month_hours = 720;
  }
  dear.storage[StorageKind::volume].price = dec("0.72");
  cheap.storage[StorageKind::volume].price = dec("0.072");
  market.platform("a").rules = std::make_shared<const Rules>(dear);
  market.offer("low-hourly", "RTX 4090", "0.4");
  market.platform("b").rules = std::make_shared<const Rules>(cheap);
  market.offer("cheap-disk", "RTX 4090", "0.45");
  market.job.data.disk = Bytes::gb(500);
  // 10 h: 4 + 500 x 0.001 x 10 = 9 against 4.5 + 0.5 = 5
  const Ranking ranking = market.rank();
  CHECK(order(ranking) == std::vector<std::string>{"cheap-disk", "low-hourly"});
  CHECK(to_string(ranking.ranked[0].bill.total) == "5");
  CHECK(to_string(ranking.ranked[1].bill.total) == "9");
}

TEST_CASE("a budget holds for the machine that would be rented", "[mistakes][rank]") {
  // dstack 1886: the community price passed the cap, the secure machine was rented
  Market market;
  market.platform("acme");
  market.offer("community", "RTX A6000", "0.98").tier = "community";
  market.offer("secure", "RTX A6000", "1.52").tier = "secure";
  market.job.work.run_hours = hours{1};
  market.job.budget = usd("1");
  const Ranking ranking = market.rank();
  CHECK(order(ranking) == std::vector<std::string>{"community"});
  REQUIRE(ranking.rejected.size() == 1);
  CHECK(ranking.rejected[0].offer->id == "secure");
  CHECK(ranking.rejected[0].reasons[0].code == "budget");
  CHECK(to_string(ranking.rejected[0].bill->bill.total) == "1.52");
}

TEST_CASE("no work at all has no cost per unit, and nothing is divided by zero",
          "[mistakes][rank]") {
  // infracost 1922: divide by zero in a cost component
  Market market;
  market.platform("acme");
  market.offer("m", "RTX 4090", "0.4");
  market.job.work.run_hours.reset();
  market.job.work.tokens = 0;
  const Ranking ranking = market.rank();
  REQUIRE(ranking.ranked.size() == 1);
  const auto& unit = ranking.ranked[0].unit_cost;
  CHECK((!unit || unit->per == "run"));
}

}  // namespace gpuplan::test
