// What holds for every ranking, over random markets.
#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "rank_world.hpp"

namespace gpuplan::test {
namespace {

std::string label(const RankedOffer& r) {
  return r.platform->id + "/" + r.offer->id + " " + r.plan + " x" + std::to_string(r.machines) +
         " " + to_string(r.bill.total);
}

std::vector<std::string> labels(const Ranking& ranking, std::size_t rows) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < std::min(rows, ranking.listed); ++i)
    all.push_back(label(ranking.ranked[i]) + " " + std::to_string(ranking.ranked[i].score));
  return all;
}

std::string choice(const Ranking& ranking, const std::optional<std::size_t>& index) {
  return index ? label(ranking.ranked[*index]) : "none";
}

std::vector<std::string> words(const Ranking& ranking) {
  std::vector<std::string> all = ranking.why;
  for (const Flip& flip : ranking.flips) all.push_back(flip.when + ": " + flip.then);
  return all;
}

std::vector<std::string> rejections(const Ranking& ranking) {
  std::vector<std::string> all;
  for (const RejectedOffer& rejected : ranking.rejected) {
    std::string line = rejected.platform->id + "/" + rejected.offer->id + ":";
    for (const Reason& reason : rejected.reasons) line += " " + reason.message;
    all.push_back(line);
  }
  return all;
}

bool eligible(const Bill& bill) { return !warns(bill, "spot_reclaims_unknown"); }

}  // namespace

TEST_CASE("leaving out offers that cannot be among the wanted rows changes nothing", "[rank][property]") {
  for (unsigned seed = 1; seed <= rounds(300); ++seed) {
    Market market = random_market(seed, 200);
    market.options.flips = seed % 100 == 0;  // the search for them takes longer than all the rest
    const Ranking all = market.rank();
    market.options.rows = 1 + seed % 12;
    market.options.price_all_up_to = 0;
    const Ranking some = market.rank();
    INFO("seed " << seed << ", " << market.catalog.offers.size() << " offers");
    REQUIRE(labels(some, market.options.rows) == labels(all, market.options.rows));
    REQUIRE(choice(some, some.primary) == choice(all, all.primary));
    REQUIRE(choice(some, some.backup) == choice(all, all.backup));
    REQUIRE(words(some) == words(all));
    REQUIRE(some.ranked_total == all.ranked_total);
    REQUIRE(some.rejected_total == all.rejected_total);
    REQUIRE(some.rejected_by_reason == all.rejected_by_reason);
    REQUIRE(rejections(some) == rejections(all));
  }
}

TEST_CASE("offers that several threads look at are answered as one list", "[rank][property]") {
  for (const unsigned seed : {3U, 4U}) {
    Market market = random_market(seed, 200);
    market.options.flips = false;
    market.options.most_rejected = 300;  // of more than so many that no thread sees all of
    const std::vector<Offer> some = market.catalog.offers;
    for (int copy = 1; market.catalog.offers.size() < 20'000; ++copy)
      for (const Offer& one : some) {
        Offer& added = market.catalog.offers.emplace_back(one);
        added.id += "-" + std::to_string(copy);
        if (added.price.on_demand) added.price.on_demand = Decimal::of(1 + (copy * 7919) % 9'999, 3);
      }
    const Ranking all = market.rank();
    market.options.rows = 12;
    market.options.price_all_up_to = 0;
    const Ranking few = market.rank();
    INFO("seed " << seed);
    CHECK(all.rejected_total > market.options.most_rejected);
    CHECK(labels(few, 12) == labels(all, 12));
    CHECK(choice(few, few.primary) == choice(all, all.primary));
    CHECK(choice(few, few.backup) == choice(all, all.backup));
    CHECK(few.ranked_total == all.ranked_total);
    CHECK(few.rejected_by_reason == all.rejected_by_reason);
    CHECK(rejections(few) == rejections(all));
    // The same in the order of the list, by one at a time.
    std::size_t rejected = 0;
    for (std::size_t i = 0; i < market.catalog.offers.size(); i += 997) {
      Market one = market;
      one.catalog.offers = {market.catalog.offers[i]};
      const Ranking alone = one.rank();
      rejected += alone.rejected_total;
      const auto listed = std::ranges::any_of(all.ranked, [&](const RankedOffer& r) { return r.offer->id == market.catalog.offers[i].id && r.offer->platform == market.catalog.offers[i].platform; });
      CHECK(listed == (alone.rejected_total == 0));
    }
    CHECK(rejected > 0);
  }
}

TEST_CASE("a machine that stays on behind the work may be the cheapest because it is taken away", "[rank]") {
  for (const bool idle : {true, false}) {
    Market market;
    market.job.work.run_hours = std::chrono::hours{1};
    if (idle)
      market.job.idle = std::chrono::hours{60};
    else
      market.job.end = Verb::run, market.job.keep.days = std::chrono::hours{72};
    market.platform("acme");
    for (int i = 0; i < 30; ++i) {
      Rules rules;
      rules.spot.mean_hours_between_reclaims = Decimal::of(i < 28 ? 4000 + i : 2);
      Offer& offer = market.offer("o" + std::to_string(10 + i), "L40S", "9");
      offer.price.spot = Decimal::of(400 + i, 3);
      offer.rules = std::make_shared<const Rules>(rules);
    }
    market.options.plans = {"spot"};
    market.options.flips = false;
    market.options.trials.trials = 500;
    const Ranking all = market.rank();
    CHECK(all.ranked.front().offer->id == "o38");  // dear by the hour, and gone after two of them
    market.options.rows = 3;
    market.options.price_all_up_to = 0;
    CHECK(labels(market.rank(), 3) == labels(all, 3));
  }
}

namespace {

using Row = std::pair<std::string, std::size_t>;

// What the rows show that stand for all of their kind, and for how many.
std::vector<Row> rows_of(const Ranking& ranking) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < ranking.listed; ++i)
    if (!ranking.ranked[i].is_alike) rows.emplace_back(label(ranking.ranked[i]), ranking.ranked[i].more_alike);
  return rows;
}

// The same from an answer that lists every offer.
std::vector<Row> folded(const Ranking& ranking, std::size_t most) {
  using Kind = std::tuple<std::string, const Rules*, const Card*, std::int64_t, std::string, std::string, std::string>;
  std::map<Kind, std::size_t> known;
  std::vector<Row> rows;
  for (const RankedOffer& r : ranking.ranked) {
    const Offer& offer = *r.offer;
    const Kind kind{r.platform->id, offer.rules.get(), r.sizing->card, offer.gpus, offer.region.str(), offer.tier.str(), r.plan};
    const auto [at, fresh] = known.try_emplace(kind, rows.size());
    if (fresh)
      rows.emplace_back(label(r), 0);
    else
      ++rows[at->second].second;
  }
  rows.resize(std::min(rows.size(), most));
  return rows;
}

}  // namespace

TEST_CASE("a row stands for all offers that it would show alike, and the decision stays", "[rank][property]") {
  std::size_t counted = 0;
  for (unsigned seed = 1; seed <= rounds(200); ++seed) {
    Market market = random_market(seed, 200);
    market.options.flips = false;
    const Ranking all = market.rank();
    market.options.alike_as_one = true;
    market.options.rows = 1 + seed % 30;
    for (const std::size_t every : {0, 1'000'000}) {
      market.options.price_all_up_to = every;
      const Ranking few = market.rank();
      INFO("seed " << seed << ", " << market.catalog.offers.size() << " offers, bills for all: " << (every > 0));
      REQUIRE(rows_of(few) == folded(all, std::max<std::size_t>(market.options.rows, 10)));
      REQUIRE(choice(few, few.primary) == choice(all, all.primary));
      REQUIRE(choice(few, few.backup) == choice(all, all.backup));
      REQUIRE(few.why == all.why);
      REQUIRE(few.ranked_total == all.ranked_total);
      for (const Row& row : rows_of(few)) counted += row.second;
    }
  }
  CHECK(counted > 1000);
}

TEST_CASE("nobody in the market has a lower bill than the offer that is recommended", "[rank][property]") {
  for (unsigned seed = 1; seed <= rounds(50); ++seed) {
    Market market = random_market(seed, 60);
    market.options.flips = false;
    market.job.deadline.reset();
    market.options.rows = 5;
    market.options.price_all_up_to = 0;
    const Ranking ranking = market.rank();
    if (!ranking.primary) continue;
    const RankedOffer& first = ranking.ranked[*ranking.primary];
    INFO("seed " << seed << " " << label(first));
    for (const Offer& offer : market.catalog.offers)
      for (const std::string plan : {"on_demand", "reserved", "spot"}) {
        const auto bill = simulate_bill({.catalog = &market.catalog,
                                         .offer = &offer,
                                         .job = &market.job,
                                         .run = *market.job.work.run_hours,
                                         .plan = plan,
                                         .currency = "USD"});
        if (bill && eligible(*bill)) REQUIRE(first.bill.total <= bill->total);
      }
  }
}

namespace {

void apply(const Flip& flip, Market& market) {
  const auto times = [&](std::int64_t count) { return *flip.value.times(count); };
  if (flip.knob == "work")
    market.job.work.run_hours = Duration{times(market.job.work.run_hours->count())};
  if (flip.knob == "upload")
    market.job.data.upload = Bytes::of(times(market.job.data.upload.count()));
  if (flip.knob == "reclaim_mean") market.job.reclaim_mean = Duration{*flip.value.times(3'600'000'000)};
  if (flip.knob == "reclaims")
    for (Offer& offer : market.catalog.offers)
      if (offer.id == flip.of->id && offer.platform == flip.of->platform) {
        Rules rules = *offer.rules;
        rules.spot.mean_hours_between_reclaims = flip.value;
        offer.rules = std::make_shared<const Rules>(rules);
      }
  if (flip.knob == "schedule")
    market.job.schedule->to_minute = (market.job.schedule->from_minute + static_cast<int>(60 * *flip.value.whole())) % 1440;
  if (flip.knob != "price") return;
  // The flip points into the catalog it was found in: find the same offer in this one.
  for (Offer& offer : market.catalog.offers)
    if (offer.id == flip.of->id && offer.platform == flip.of->platform) {
      const bool spot = flip.when.find(", spot,") != std::string::npos;
      (spot ? offer.price.spot : offer.price.on_demand) = flip.value;
    }
}

// Applies each change that is wanted and looks who is first then; how many there were.
std::size_t true_flips(const Market& market, bool (*wanted)(const Flip&)) {
  std::size_t tried = 0;
  const Ranking before = market.rank();
  for (const Flip& flip : before.flips) {
    if (!wanted(flip)) continue;
    Market changed = market;
    apply(flip, changed);
    const Ranking after = changed.rank();
    INFO(flip.when << ": " << flip.then);
    REQUIRE(after.primary);
    const RankedOffer& first = after.ranked[*after.primary];
    CHECK(first.platform->id == flip.platform->id);
    CHECK(first.offer->id == flip.winner->id);
    CHECK(first.plan == flip.plan);
    CHECK(label(first) != choice(before, before.primary));
    ++tried;
  }
  return tried;
}

}  // namespace

TEST_CASE("a flip is true: with the stated change the named offer is first", "[rank][property]") {
  std::size_t tried = 0;
  for (unsigned seed = 1; seed <= rounds(30); ++seed)
    tried += true_flips(random_market(seed, 30), [](const Flip&) { return true; });
  CHECK(tried > 30);
}

TEST_CASE("a flip is true where a score decides, or the cost of a unit", "[rank][property]") {
  std::size_t tried = 0;
  for (unsigned seed = 1; seed <= rounds(150); ++seed) {
    Market market = random_market(seed, 30);
    market.options.sort = seed % 3 == 0 ? SortKey::unit_cost : SortKey::score;
    market.job.profile = seed % 2 == 0 ? "team" : "student";
    INFO("seed " << seed);
    tried += true_flips(market, [](const Flip&) { return true; });
  }
  CHECK(tried > 15);
}

namespace {

// A market whose spot machines live by chance: some say for how long, some say nothing.
Market random_spot_market(unsigned seed) {
  Market market = random_market(seed, 30);
  Chance chance(seed + 1000);
  for (Offer& offer : market.catalog.offers) {
    Rules rules = *offer.rules;
    rules.spot.reclaim_after_s.reset();
    const std::int64_t kind = chance.upto(3);
    if (kind == 0) rules.spot.mean_hours_between_reclaims = Decimal::of(2 + chance.upto(60));
    if (kind == 1) rules.spot.interruption_percent_hour = Decimal::of(1 + chance.upto(20));
    if (kind == 2) rules.spot.interruption_percent_month = Decimal::of(5 + chance.upto(20));
    offer.rules = std::make_shared<const Rules>(rules);
    if (offer.price.on_demand && !chance.often()) {
      const auto third = offer.price.on_demand->times(1'000).value_or(1'000) / 3;
      offer.price.spot = Decimal::of(third + 1, 3);
    }
  }
  market.job.work.run_hours = std::chrono::hours{1 + chance.upto(12)};
  if (chance.upto(3) == 0) market.job.reclaim_mean = std::chrono::hours{2 + chance.upto(20)};
  market.job.schedule.reset();
  market.options.trials.trials = 60;
  return market;
}

}  // namespace

TEST_CASE("a flip of how long spot machines live is true as well", "[rank][property]") {
  std::size_t tried = 0;
  for (unsigned seed = 1; seed <= rounds(4); ++seed)
    tried += true_flips(random_spot_market(seed), [](const Flip& flip) {
      return flip.knob == "reclaims" || flip.knob == "reclaim_mean";
    });
  CHECK(tried > 1);
}

}  // namespace gpuplan::test
