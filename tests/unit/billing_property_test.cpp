// What holds for every bill, over seeded random offers and jobs.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <regex>

#include "billing_world.hpp"

using namespace gpuplan;
using namespace gpuplan::test;
using namespace std::chrono_literals;

namespace {

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

void random_storage(World& w, Chance& chance) {
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

World random_world(unsigned seed) {
  Chance chance(seed);
  World w;
  constexpr std::array<std::int64_t, 4> kTicks{1, 60, 900, 3600};
  constexpr std::array kStates{State::running, State::held, State::released, State::gone};
  constexpr std::array kVerbs{Verb::run, Verb::stop, Verb::terminate, Verb::hibernate};
  w.offer.price.on_demand = chance.price();
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
  if (chance.often()) w.job.auto_stop = 1h;
  if (chance.often()) {
    w.job.schedule = Schedule{.from_minute = static_cast<int>(chance.upto(1439)),
                              .to_minute = static_cast<int>(chance.upto(1439))};
    w.job.between = any_of(chance, kVerbs);
  }
  if (chance.often()) w.job.start = parse_moment("2026-01-29T17:31:07+05:30");
  return w;
}

}  // namespace

TEST_CASE("every ledger adds up to its total, which is never negative", "[billing][property]") {
  for (unsigned seed = 0; seed < 400; ++seed) {
    CAPTURE(seed);
    World w = random_world(seed);
    const Bill bill = w.bill();
    REQUIRE(sum_of(bill) == bill.total);
    REQUIRE(bill.total >= Money{});
    Money by_item;
    for (const auto& [item, amount] : bill.totals) by_item += amount;
    REQUIRE(by_item == bill.total);
    for (const LedgerLine& line : bill.ledger) REQUIRE(line.from <= line.to);
    const auto plain = w.try_bill("on_demand", false);
    REQUIRE(plain);
    REQUIRE(plain->total == bill.total);
  }
}

TEST_CASE("more hours of work never cost less", "[billing][property]") {
  for (unsigned seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    World w = random_world(seed);
    // A longer run may reach a cheaper month or miss a release; card time itself only grows.
    w.job.schedule.reset();
    w.job.keep.days = 0h;
    w.platform().account.credits.clear();
    Money last;
    for (int step = 0; step < 6; ++step, w.run += 37min) {
      const Money total = w.bill().total;
      REQUIRE(total + Money::nanos(50) >= last);  // each line is rounded by itself
      last = total;
    }
  }
}

TEST_CASE("a line cut in two at a quantum costs what it cost whole", "[billing][property]") {
  Chance chance(7);
  for (int round = 0; round < 100; ++round) {
    World w;
    w.offer.price.on_demand = chance.price();
    w.rules.meter.quantum_s = 60;
    const Duration a = std::chrono::minutes{1 + chance.upto(500)};
    const Duration b{chance.upto(36'000'000'000)};
    w.run = a;
    const Money first = w.bill().total;
    w.run = b;
    const Money second = w.bill().total;
    w.run = a + b;
    const Money both = w.bill().total;
    const Wide apart = (first + second - both).nanos();
    CAPTURE(round);
    REQUIRE((apart >= -1 && apart <= 1));  // one rounding instead of two
  }
}

TEST_CASE("prepaid blocks are never dearer with one more term to choose from",
          "[billing][property]") {
  Chance chance(11);
  for (int round = 0; round < 100; ++round) {
    World w;
    w.run = std::chrono::hours{1 + chance.upto(2000)};
    w.term("day", "24", std::to_string(5 + chance.upto(20)));
    Money last = w.bill("reserved").total;
    for (const char* hours : {"168", "720", "100.5"}) {
      w.term(std::string("t") + hours, hours, std::to_string(50 + chance.upto(400)));
      const Bill bill = w.bill("reserved");
      CAPTURE(round, hours);
      REQUIRE(bill.total <= last);
      REQUIRE(sum_of(bill) == bill.total);
      last = bill.total;
    }
  }
}

TEST_CASE("no binary fraction stands between a price and a bill", "[billing][property]") {
  const std::regex fraction(R"(\b(double|float|approximate|llround)\b)");
  const auto folder = std::filesystem::path(GPUPLAN_SOURCE_DIR) / "src/billing";
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".cpp" && entry.path().extension() != ".hpp") continue;
    ++files;
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) {
      const std::string code = line.substr(0, line.find("//"));
      CAPTURE(entry.path().filename().string(), line);
      REQUIRE_FALSE(std::regex_search(code, fraction));
    }
  }
  CHECK(files > 10);
}
