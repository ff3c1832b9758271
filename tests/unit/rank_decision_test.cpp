// What a decision may not do: depend on the order of the catalog, take what is never done, recommend
// what nobody knows, or count what was not asked.
#include <algorithm>
#include <cstdlib>

#include "rank_world.hpp"

namespace gpuplan::test {
namespace {

using std::chrono::hours;

bool rejected_for(const Ranking& ranking, const std::string& offer, const std::string& code) {
  return std::ranges::any_of(ranking.rejected, [&](const RejectedOffer& r) {
    return r.offer->id == offer &&
           std::ranges::any_of(r.reasons, [&](const Reason& reason) { return reason.code == code; });
  });
}

const RankedOffer* row_of(const Ranking& ranking, const std::string& offer, const std::string& plan = "on_demand") {
  const auto at = std::ranges::find_if(
      ranking.ranked, [&](const RankedOffer& r) { return r.offer->id == offer && r.plan == plan; });
  return at == ranking.ranked.end() ? nullptr : &*at;
}

Market lora_on_four() {
  Market market;
  market.job.workload.mode = Mode::lora;
  market.job.work.run_hours.reset();
  market.job.work.tokens = 50'000'000;
  market.platform("acme");
  for (const auto& [id, card] : {std::pair{"small", "L4"}, std::pair{"middle", "L40S"}, std::pair{"large", "A100 SXM4 80GB"}})
    market.offer(id, card, "4").gpus = 4;
  return market;
}

}  // namespace

TEST_CASE("the layout of a job on a card does not depend on which cards come before it", "[rank][decision]") {
  // The small card needs the weights sharded; what was found for it also fits the large one, and is slower there.
  Market market = lora_on_four();
  const Ranking forth = market.rank();
  Market turned = market;
  std::ranges::reverse(turned.catalog.offers);
  const Ranking back = turned.rank();
  for (const char* id : {"small", "middle", "large"}) {
    REQUIRE(row_of(forth, id));
    REQUIRE(row_of(back, id));
    CHECK(row_of(forth, id)->bill.total == row_of(back, id)->bill.total);
    market.options.offer = id;
    CHECK(market.rank().ranked.front().bill.total == row_of(forth, id)->bill.total);
  }
  CHECK(row_of(forth, "large")->sizing->layout->workload.zero == 0);
  CHECK(row_of(forth, "small")->sizing->layout->workload.zero == 3);
}

TEST_CASE("work that no window of the day is long enough for is not taken for nothing", "[rank][decision]") {
  Market market;
  market.platform("campus");
  market.offer("card", "RTX 4090", "1");
  Rules rules;
  rules.provision.start_s = dec("600");
  rules.stop.stop = State::released;
  market.catalog.offers.front().rules = std::make_shared<const Rules>(rules);
  market.job.schedule = Schedule{.from_minute = 20 * 60, .to_minute = 20 * 60 + 5};
  const Ranking ranking = market.rank();
  CHECK(ranking.ranked.empty());
  CHECK(rejected_for(ranking, "card", "never_finishes"));
}

TEST_CASE("nothing is recommended when of all that is left nobody knows enough", "[rank][decision]") {
  Market market;
  market.platform("acme");
  market.offer("spot", "RTX 4090", "1").price.spot = dec("0.4");  // how often it is taken back is not stated
  market.options.plans = {"spot"};
  const Ranking ranking = market.rank();
  REQUIRE(ranking.ranked.size() == 1);
  CHECK_FALSE(ranking.primary);
  CHECK_FALSE(ranking.backup);
  market.options.plans = {};
  CHECK(market.rank().ranked[*market.rank().primary].plan == "on_demand");
}

TEST_CASE("a job of 32 cards trains on four machines of eight, and on eight of four nobody knows how", "[rank][decision]") {
  Market market;
  market.job.workload.mode = Mode::full;
  market.job.work.run_hours.reset();
  market.job.work.tokens = 100'000'000;
  market.platform("acme");
  market.offer("node", "H100 SXM5 80GB", "20").gpus = 8;
  market.offer("half", "H100 SXM5 80GB", "10").gpus = 4;
  market.job.workload.gpus = 8;
  const Ranking one = market.rank();
  REQUIRE(row_of(one, "node"));
  market.job.workload.gpus = 32;
  const Ranking four = market.rank();
  REQUIRE(row_of(four, "node"));
  CHECK(rejected_for(four, "half", "gpus"));
  const RankedOffer &alone = *row_of(one, "node"), &joined = *row_of(four, "node");
  CHECK(joined.machines == 4);
  // Faster, by less than four times, so it costs more.
  CHECK(joined.bill.time.run < alone.bill.time.run);
  CHECK(joined.bill.time.run * 4 > alone.bill.time.run);
  CHECK(joined.bill.total > alone.bill.total);
  market.job.machines = 4;  // said as well
  CHECK(row_of(market.rank(), "node")->bill.total == joined.bill.total);
  market.job.machines = 2;
  CHECK(rejected_for(market.rank(), "node", "gpus"));
}

TEST_CASE("what a ranking says of several machines, the bill of that offer says as well", "[rank][decision]") {
  Market market;
  market.platform("acme");
  market.offer("node", "H100 SXM5 80GB", "20").gpus = 8;
  market.offer("one", "L40S", "1");
  const Tables tables{.cards = &known_cards(), .models = &known_models()};
  const auto agrees = [&](std::size_t offer, std::int64_t machines) {
    const Ranking ranking = market.rank();
    const Offer& asked = market.catalog.offers[offer];
    const RankedOffer* row = row_of(ranking, asked.id);
    REQUIRE(row);
    CHECK(row->machines == machines);
    const std::vector<JobModel> jobs{{.job = ranking.job, .model = *known_models().find("7b")}};
    const auto simulated = simulate_offer(jobs, market.catalog, asked, {}, tables);
    REQUIRE(simulated);
    CHECK(simulated->total == row->bill.total);
    CHECK(simulated->jobs.front().bill.time.wall == row->bill.time.wall);
  };
  market.job.work.run_hours.reset();
  market.job.workload.mode = Mode::full;
  market.job.workload.gpus = 32;
  market.job.work.tokens = 100'000'000;
  agrees(0, 4);  // train as one
  market.job.workload.mode = Mode::inference;
  market.job.workload.gpus = 4;
  agrees(1, 4);  // shards
  market.job.workload.gpus = 1;
  market.job.work = {};
  market.job.work.run_hours = hours{730};
  market.job.workload.rate = 40;
  const Ranking served = market.rank();
  REQUIRE(row_of(served, "one"));
  REQUIRE(row_of(served, "one")->machines > 1);
  agrees(1, row_of(served, "one")->machines);  // replicas
}

TEST_CASE("a card that gives nine tenths of its rate takes a ninth longer, and says why", "[rank][decision]") {
  Market market = lora_on_four();
  const Ranking whole = market.rank();
  Rules rules;
  rules.service.performance_factor = dec("0.9");
  market.catalog.offers.back().rules = std::make_shared<const Rules>(rules);
  const Ranking slower = market.rank();
  const Duration before = row_of(whole, "large")->bill.time.run, now = row_of(slower, "large")->bill.time.run;
  CHECK(std::abs(now.count() * 9 - before.count() * 10) <= 9);
  CHECK(std::ranges::any_of(row_of(slower, "large")->warnings,
                            [](const Warning& w) { return w.code == "performance_factor"; }));
  CHECK(row_of(slower, "middle")->bill.time.run == row_of(whole, "middle")->bill.time.run);
}

TEST_CASE("a request for an image is an image, not so many tokens", "[rank][decision]") {
  Market market;
  market.platform("acme");
  market.offer("card", "RTX 4090", "1");
  market.job.work.run_hours.reset();
  market.job.workload.mode = Mode::diffusion;
  market.job.workload.task = Task::inference;
  const ModelShape& model = *known_models().find("sd-1.5");
  const Tables tables{.cards = &known_cards(), .models = &known_models()};
  market.job.work.requests = 10'000;
  const auto asked = rank_offers(market.job, model, market.catalog, tables, market.options);
  market.job.work.requests.reset();
  market.job.work.samples = 10'000;
  const auto counted = rank_offers(market.job, model, market.catalog, tables, market.options);
  REQUIRE(asked);
  REQUIRE(counted);
  REQUIRE(asked->ranked.size() == 1);
  CHECK(asked->ranked.front().bill.total == counted->ranked.front().bill.total);
  CHECK(asked->ranked.front().unit_cost->per == "thousand requests");
  CHECK(counted->ranked.front().unit_cost->per == "thousand samples");
}

TEST_CASE("a card without graphics renders nothing, however long it is given", "[rank][decision]") {
  Market market;
  market.platform("acme");
  market.offer("computes", "H100 SXM", "1");
  market.offer("renders", "RTX 4090", "2");
  for (const Mode mode : {Mode::render, Mode::video}) {
    market.job.workload.mode = mode;
    const Ranking ranking = market.rank();
    CHECK(rejected_for(ranking, "computes", "graphics"));
    CHECK(row_of(ranking, "renders"));
  }
}

TEST_CASE("who names cards is shown no other", "[rank][decision]") {
  Market market;
  market.platform("acme");
  market.offer("pcie", "H100 PCIe 80GB", "2");
  market.offer("sxm", "H100 SXM5 80GB", "3");
  market.offer("other", "A100 PCIe 80GB", "1");
  market.job.cards = {"H100"};  // either form
  const Ranking ranking = market.rank();
  CHECK(row_of(ranking, "pcie"));
  CHECK(row_of(ranking, "sxm"));
  CHECK(rejected_for(ranking, "other", "card"));
  market.job.cards = {"H101"};
  const Tables tables{.cards = &known_cards(), .models = &known_models()};
  const auto unknown = rank_offers(market.job, *known_models().find("7b"), market.catalog, tables, market.options);
  REQUIRE_FALSE(unknown);
  CHECK(unknown.errors().front().code == ErrorCode::unknown_name);
}

TEST_CASE("one free offer does not make all others equal", "[rank][decision]") {
  Market market;
  market.platform("acme");
  market.offer("free", "RTX 4090", "0").free = true;
  market.offer("cheap", "RTX 4090", "1");
  market.offer("dear", "RTX 4090", "10");
  market.options.sort = SortKey::score;
  const Ranking ranking = market.rank();
  CHECK(row_of(ranking, "free")->scores.at("cost") == 1.0);
  CHECK(row_of(ranking, "cheap")->scores.at("cost") == 1.0);
  CHECK(row_of(ranking, "dear")->scores.at("cost") == 0.1);
}

TEST_CASE("each gate says for itself whether somebody keeps it", "[rank][decision]") {
  Market market;
  market.platform("acme");
  market.offer("card", "RTX 4090", "1");  // ten hours, 10 USD
  market.job.budget = Money::units(20);
  market.job.deadline = hours{5};
  const Ranking ranking = market.rank();
  REQUIRE(ranking.gates.size() == 2);
  CHECK(ranking.gates[0].name == "budget");
  CHECK(ranking.gates[0].passed);
  CHECK_FALSE(ranking.gates[1].passed);
  // Each is kept by one of them, both by none.
  market.job.deadline = hours{11};
  market.job.budget = Money::units(5);
  market.offer("cheap", "RTX 4090", "0.4");
  market.catalog.offers.back().rules = [] {
    Rules late;
    late.provision.queue_s = dec("7200");
    return std::make_shared<const Rules>(late);
  }();
  const Ranking neither = market.rank();
  CHECK(neither.ranked.empty());
  for (const Gate& gate : neither.gates) CHECK_FALSE(gate.passed);
}

TEST_CASE("what put an offer first is told in the key of the ranking", "[rank][decision]") {
  Market market;
  market.platform("acme");
  market.offer("cheap", "RTX 4090", "1");
  market.platform("other");
  market.offer("dear", "RTX 4090", "2");
  CHECK(market.rank().why.front() == "10.00 USD against 20.00 USD for the next, other RTX 4090, on demand");
  market.options.sort = SortKey::score;
  CHECK(market.rank().why.front().starts_with("a score of 1.000 against 0.500 for the next, other RTX 4090, on demand: "
                                              "cost 1.00 to 0.50"));
}

}  // namespace gpuplan::test
