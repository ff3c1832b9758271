// What holds for every ranking, over random markets.
#include <algorithm>

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
  for (unsigned seed = 1; seed <= rounds(200); ++seed) {
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

}  // namespace

TEST_CASE("a flip is true: with the stated change the named offer is first", "[rank][property]") {
  std::size_t tried = 0;
  for (unsigned seed = 1; seed <= rounds(30); ++seed) {
    const Market market = random_market(seed, 30);
    const Ranking before = market.rank();
    for (const Flip& flip : before.flips) {
      Market changed = market;
      apply(flip, changed);
      const Ranking after = changed.rank();
      INFO("seed " << seed << ": " << flip.when << ": " << flip.then);
      REQUIRE(after.primary);
      const RankedOffer& first = after.ranked[*after.primary];
      CHECK(first.platform->id == flip.platform->id);
      CHECK(first.offer->id == flip.winner->id);
      CHECK(first.plan == flip.plan);
      CHECK(label(first) != choice(before, before.primary));
      ++tried;
    }
  }
  CHECK(tried > 30);
}

}  // namespace gpuplan::test
