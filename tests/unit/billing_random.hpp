#pragma once

#include <array>
#include <cstdlib>
#include <random>

#include "billing_world.hpp"

// Seeded random offers and jobs, for what holds for every bill.
namespace gpuplan::test {

// How often a property is tried: a few hundred times in a test run, GPUPLAN_ROUNDS times as often
// in a long one (tests/long_properties.sh).
inline unsigned rounds(unsigned few) {
  const char* times = std::getenv("GPUPLAN_ROUNDS");
  const long factor = times == nullptr ? 1 : std::strtol(times, nullptr, 10);
  return few * static_cast<unsigned>(factor < 1 ? 1 : factor);
}

class Chance {
 public:
  explicit Chance(unsigned seed) : engine_(seed) {}
  std::int64_t upto(std::int64_t most) {
    return static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(most + 1));
  }
  bool often() { return upto(1) == 0; }
  Decimal price() { return Decimal::of(1 + upto(99'999), static_cast<int>(upto(5))); }

 private:
  std::mt19937_64 engine_;
};

template <class T, std::size_t N>
T any_of(Chance& chance, const std::array<T, N>& options) {
  return options[static_cast<std::size_t>(chance.upto(static_cast<std::int64_t>(N) - 1))];
}

inline void random_storage(World& w, Chance& chance) {
  constexpr std::array kPers{PricePer::hour, PricePer::day, PricePer::month};
  constexpr std::array kQuanta{StorageQuantum::second, StorageQuantum::hour, StorageQuantum::day};
  for (const StorageKind kind : kStorageKinds) {
    if (!chance.often()) continue;
    StorageRule& rule = w.rules.storage[kind];
    rule.price = Decimal::of(chance.upto(999), 4);
    rule.per = any_of(chance, kPers);
    rule.quantum = any_of(chance, kQuanta);
    rule.gib = chance.often();
    rule.included_gb = Decimal::of(chance.upto(50));
    rule.included_per_account = chance.often();
    if (chance.often()) rule.cap_month = Decimal::of(1 + chance.upto(20));
    if (chance.often()) rule.with_instance = chance.often();
  }
}

inline World random_world(unsigned seed) {
  Chance chance(seed);
  World w;
  constexpr std::array<std::int64_t, 4> kTicks{1, 60, 900, 3600};
  constexpr std::array kStates{State::running, State::held, State::released, State::gone};
  constexpr std::array kVerbs{Verb::run, Verb::stop, Verb::terminate, Verb::hibernate};
  w.offer.price.on_demand = chance.price();
  w.offer.price.spot = chance.price();
  w.rules.meter.quantum_s = any_of(chance, kTicks);
  w.rules.meter.minimum_s = any_of(chance, kTicks);
  if (chance.often()) w.rules.meter.align = Align::clock;
  if (chance.often()) w.rules.meter.cap_month = Decimal::of(50 + chance.upto(500));
  if (chance.often()) w.rules.meter.month_hours = 0;
  w.rules.stop.stop = any_of(chance, kStates);
  w.rules.provision.start_s = Decimal::of(chance.upto(900));
  w.rules.provision.queue_s = Decimal::of(chance.upto(900));
  if (chance.often()) w.rules.stop.release_after = std::chrono::hours{1 + chance.upto(48)};
  random_storage(w, chance);
  w.rules.network.egress_per_gb = Decimal::of(chance.upto(99), 3);
  w.rules.network.egress_included_gb_month = Decimal::of(chance.upto(50));
  if (chance.often()) w.rules.network.ip_per_hour = Decimal::of(chance.upto(50), 4);
  if (chance.often()) w.rules.network.up_mbps = Decimal::of(1 + chance.upto(1000));
  AccountRules& account = w.platform().account;
  if (chance.often()) account.fee_month = Decimal::of(chance.upto(30));
  if (chance.often())
    account.credits.push_back({.amount = Decimal::of(chance.upto(50)),
                               .monthly = chance.often(),
                               .expires_days = Decimal::of(1 + chance.upto(20)),
                               .plans = {},
                               .who = {}});
  if (chance.often())
    account.discounts.push_back({.percent = Decimal::of(chance.upto(100)),
                                 .plans = {},
                                 .items = {},
                                 .who = {},
                                 .above_spend = Decimal::of(chance.upto(100))});
  if (chance.often()) w.platform().tax_percent = Decimal::of(chance.upto(250), 1);
  w.platform().currency = "CNY";
  w.catalog.fx["CNY"] = Decimal::of(1379, 4);
  w.run = Duration{chance.upto(100) * 3'600'000'000 + chance.upto(3'600'000'000)};
  w.job.machines = 1 + chance.upto(3);
  w.job.data.disk = Bytes::gb(chance.upto(200));
  w.job.data.upload = Bytes::gb(chance.upto(50));
  w.job.data.download = Bytes::gb(chance.upto(50));
  w.job.keep.days = std::chrono::hours{24 * chance.upto(40)};
  w.job.keep.images.assign(static_cast<std::size_t>(chance.upto(3)), Bytes::gb(20));
  w.job.idle = std::chrono::hours{chance.upto(30)};
  if (chance.often()) w.job.auto_stop = std::chrono::hours{1};
  if (chance.often()) {
    w.job.schedule = Schedule{.from_minute = static_cast<int>(chance.upto(1439)),
                              .to_minute = static_cast<int>(chance.upto(1439))};
    w.job.between = any_of(chance, kVerbs);
  }
  if (chance.often()) w.job.start = parse_moment("2026-01-29T17:31:07+05:30");
  const std::int64_t hourly = w.offer.price.on_demand->times(1000).value_or(1000);
  for (const std::int64_t hours : {24, 168, 720})
    if (chance.often()) {
      Commitment& term = w.term("t" + std::to_string(hours), std::to_string(hours), "1");
      term.price = Decimal::of(1 + hourly * hours * (40 + chance.upto(70)) / 100, 3);
      if (chance.often()) term.at_end = AtEnd::on_demand;
    }
  std::vector<std::int64_t> lives(static_cast<std::size_t>(chance.upto(5)));
  for (std::int64_t& life : lives) life = 60 + chance.upto(40'000);
  w.rules.spot.reclaim_after_s = lives;
  w.rules.spot.disk_kept = chance.often();
  w.rules.spot.notice_s = chance.upto(1) * 120;
  w.rules.spot.restart_delay_s = chance.upto(1800);
  if (chance.often()) w.rules.spot.free_if_reclaimed_within_s = chance.upto(7200);
  w.rules.spot.free_last_quantum = chance.often();
  if (chance.often()) w.rules.network.internal_per_gb = Decimal::of(chance.upto(20), 3);
  if (chance.often())
    w.job.checkpoint =
        CheckpointPlan{.every = std::chrono::minutes{chance.upto(120)},
                       .to = chance.often() ? CheckpointTo::object : CheckpointTo::local,
                       .size = Bytes::gb(chance.upto(30)),
                       .keep = 1 + chance.upto(3),
                       .write = std::chrono::seconds{chance.upto(300)},
                       .restore = std::chrono::seconds{chance.upto(300)},
                       .resume = chance.often()};
  return w;
}

// The plans that the offer of such a world is sold under.
inline std::vector<std::string> plans_of(const World& w) {
  std::vector<std::string> plans{"on_demand", "spot"};
  if (!w.offer.price.commitments.empty()) plans.push_back("reserved");
  for (const Commitment& term : w.offer.price.commitments) plans.push_back(term.name);
  return plans;
}

}  // namespace gpuplan::test
