#pragma once

#include "billing_random.hpp"
#include "core/builtin.hpp"
#include "gpuplan/models.hpp"
#include "gpuplan/rank.hpp"

// Catalogs of several platforms and many offers, and a job whose running time is stated, so that
// who is first depends on bills alone.
namespace gpuplan::test {

inline const CardTable& known_cards() {
  static const CardTable cards = *builtin_card_table();
  return cards;
}
inline const ModelTable& known_models() {
  static const ModelTable models = *read_models(builtin_models(), "models.json");
  return models;
}

struct Market {
  Catalog catalog;
  Job job;
  RankOptions options;

  Market() {
    catalog.currency = "USD";
    job.workload.mode = Mode::qlora;
    job.work.run_hours = std::chrono::hours{10};
  }

  Platform& platform(const std::string& id) {
    Platform& added = catalog.platforms.emplace_back();
    added.id = id;
    added.currency = "USD";
    added.rules = std::make_shared<const Rules>();
    return added;
  }
  Offer& offer(const std::string& id, const std::string& card, const std::string& price) {
    Offer& added = catalog.offers.emplace_back();
    added.id = id;
    added.platform = catalog.platforms.size() - 1;
    added.card = card;
    if (!price.empty()) added.price.on_demand = dec(price);
    added.rules = catalog.platforms.back().rules;
    return added;
  }

  Ranking rank() const {
    const Tables tables{.cards = &known_cards(), .models = &known_models()};
    auto ranked = rank_offers(job, *known_models().find("7b"), catalog, tables, options);
    REQUIRE(ranked);
    return *std::move(ranked);
  }
};

// Platforms with the rules of `random_world`, each with some offers that differ in price only and
// some that have rules of their own.
inline Market random_market(unsigned seed, std::int64_t most_offers) {
  Market market;
  Chance chance(seed);
  constexpr std::array kCards{"RTX 4090", "L40S", "A100 80GB", "H100 SXM"};
  const std::int64_t platforms = 2 + chance.upto(3);
  for (std::int64_t p = 0; p < platforms; ++p) {
    World world = random_world(seed * 16 + static_cast<unsigned>(p));
    if (p == 0) market.job = world.job;
    Platform platform = world.platform();
    platform.id = "p" + std::to_string(p);
    platform.rules = std::make_shared<const Rules>(world.rules);
    market.catalog.platforms.push_back(platform);
    market.catalog.fx = world.catalog.fx;
    const std::int64_t offers = 1 + chance.upto(most_offers / platforms - 1);
    for (std::int64_t i = 0; i < offers; ++i) {
      Offer& offer = market.offer("o" + std::to_string(i), any_of(chance, kCards), "");
      if (chance.upto(9) > 0) offer.price.on_demand = Decimal::of(1 + chance.upto(9'999), 3);
      if (chance.often()) offer.price.spot = Decimal::of(1 + chance.upto(9'999), 4);
      if (chance.upto(4) == 0) offer.price.commitments = world.offer.price.commitments;
      if (chance.upto(4) == 0) {
        Rules own = world.rules;
        own.spot.reclaim_after_s = std::nullopt;
        offer.rules = std::make_shared<const Rules>(own);
      }
    }
  }
  market.job.workload.mode = Mode::qlora;
  market.job.work.run_hours = std::chrono::hours{1 + chance.upto(200)};
  if (chance.upto(3) == 0) market.job.deadline = std::chrono::hours{20 + chance.upto(200)};
  return market;
}

}  // namespace gpuplan::test
