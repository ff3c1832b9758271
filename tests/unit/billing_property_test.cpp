// What holds for every bill, over seeded random offers and jobs.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <type_traits>

#include "billing_random.hpp"

using namespace gpuplan;
using namespace gpuplan::test;
using namespace std::chrono_literals;

TEST_CASE("every ledger adds up to its total, which is never negative", "[billing][property]") {
  for (unsigned seed = 0; seed < rounds(300); ++seed) {
    World w = random_world(seed);
    for (const std::string& plan : plans_of(w)) {
      CAPTURE(seed, plan);
      const Bill bill = w.bill(plan);
      REQUIRE(sum_of(bill) == bill.total);
      REQUIRE(bill.total >= Money{});
      Money by_item;
      for (const auto& [item, amount] : bill.totals) by_item += amount;
      REQUIRE(by_item == bill.total);
      for (const LedgerLine& line : bill.ledger) REQUIRE(line.from <= line.to);
      const auto plain = w.try_bill(plan, false);
      REQUIRE(plain);
      REQUIRE(plain->total == bill.total);
    }
  }
}

TEST_CASE("more hours of work never cost less", "[billing][property]") {
  for (unsigned seed = 0; seed < rounds(150); ++seed) {
    World w = random_world(seed);
    // A longer run may reach a cheaper month or miss a release; card time itself only grows.
    w.job.schedule.reset();
    w.job.keep.days = 0h;
    w.platform().account.credits.clear();
    w.rules.spot.reclaim_after_s = std::vector<std::int64_t>{};
    const Duration shortest = w.run;
    for (const std::string& plan : plans_of(w)) {
      CAPTURE(seed, plan);
      Money last;
      w.run = shortest;
      for (int step = 0; step < 6; ++step, w.run += 37min) {
        const Money total = w.bill(plan).total;
        REQUIRE(total + Money::nanos(50) >= last);  // each line is rounded by itself
        last = total;
      }
    }
  }
}

TEST_CASE("a line cut in two at a quantum costs what it cost whole", "[billing][property]") {
  Chance chance(7);
  for (int round = 0; round < static_cast<int>(rounds(100)); ++round) {
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
  for (int round = 0; round < static_cast<int>(rounds(100)); ++round) {
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

namespace {

// The tests themselves prove that these do not compile: money is never made of a binary fraction.
template <class T>
concept makes_money = requires(T value) {
  Money::units(value);
}
|| requires(T value) { Money::nanos(value); }
|| std::is_constructible_v<Money, T> || std::is_convertible_v<T, Money>;
template <class T>
concept makes_decimal = requires(T value) {
  Decimal::of(value);
}
|| std::is_constructible_v<Decimal, T> || std::is_convertible_v<T, Decimal>;
template <class T>
concept scales_money = requires(Money money, T value) {
  money* value;
}
|| requires(Money money, T value) { money / value; }
|| requires(Money money, T value) { money + value; };
template <class T>
concept becomes = std::is_convertible_v<Money, T> || std::is_constructible_v<T, Money> ||
    std::is_convertible_v<Decimal, T> || std::is_constructible_v<T, Decimal>;
static_assert(makes_money<std::int64_t> && makes_decimal<std::int64_t>);
static_assert(!makes_money<double> && !makes_money<float> && !makes_money<long double>);
static_assert(!makes_decimal<double> && !makes_decimal<float> && !makes_decimal<long double>);
static_assert(!scales_money<double> && !scales_money<float>);
static_assert(!becomes<double> && !becomes<float> && !becomes<long double>);

}  // namespace

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
