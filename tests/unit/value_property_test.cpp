// What people write as sizes, times, rates, counts and money, at random: read by two roads, written
// and read again, kept in order, and nothing lost in sums.
#include <random>

#include "catch.hpp"
#include "gpuplan/date.hpp"
#include "gpuplan/money.hpp"
#include "gpuplan/units.hpp"

using namespace gpuplan;

namespace {

class Dice {
 public:
  explicit Dice(unsigned seed) : random_(seed) {}
  std::int64_t from(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(high - low + 1));
  }
  template <class List>
  const auto& any(const List& list) {
    return list[static_cast<std::size_t>(from(0, static_cast<std::int64_t>(std::size(list)) - 1))];
  }

 private:
  std::mt19937_64 random_;
};

struct Unit {
  const char* name;
  std::int64_t factor;
};
constexpr Unit kSizes[] = {{"B", 1}, {"kB", 1'000}, {"MB", 1'000'000}, {"GB", 1'000'000'000}, {"TB", 1'000'000'000'000},
                           {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", std::int64_t{1} << 40}};
constexpr Unit kTimes[] = {{"d", 86'400'000'000}, {"h", 3'600'000'000}, {"m", 60'000'000}, {"s", 1'000'000}, {"ms", 1'000}};
constexpr Unit kLines[] = {{"bps", 1}, {"kbps", 1'000}, {"Mbps", 1'000'000}, {"Gbps", 1'000'000'000}, {"MB/s", 8'000'000},
                           {"GB/s", 8'000'000'000}};

// "12.345", with so many decimals, of the whole number of them.
std::string with_decimals(std::int64_t digits, int decimals) {
  std::string text = std::to_string(digits);
  if (decimals == 0) return text;
  const auto places = static_cast<std::size_t>(decimals);
  if (text.size() <= places) text.insert(0, places + 1 - text.size(), '0');
  return text.insert(text.size() - places, ".");
}

std::int64_t power_of_ten(int exponent) {
  std::int64_t value = 1;
  for (int i = 0; i < exponent; ++i) value *= 10;
  return value;
}

}  // namespace

TEST_CASE("a size is its number times its unit, GB and GiB apart, or it is refused", "[units][property]") {
  Dice dice(1);
  for (int i = 0; i < 20'000; ++i) {
    const Unit& unit = dice.any(kSizes);
    const int decimals = static_cast<int>(dice.from(0, 3));
    const std::int64_t digits = dice.from(1, 99'999);
    const std::string text = with_decimals(digits, decimals) + unit.name;
    CAPTURE(text);
    const auto read = parse_bytes(text);
    const Wide whole = Wide{digits} * unit.factor;
    // Half a byte is rounded, as the exact fraction says.
    const Wide scale = power_of_ten(decimals);
    REQUIRE(read);
    CHECK(read->count() == static_cast<std::int64_t>((2 * whole + scale) / (2 * scale)));
  }
}

TEST_CASE("what is written of a size in bytes reads back as the same", "[units][property]") {
  Dice dice(2);
  for (int i = 0; i < 20'000; ++i) {
    const Bytes bytes = Bytes::of(dice.from(0, 999'999'999'999'999'999) >> dice.from(0, 59));
    CHECK(parse_bytes(std::to_string(bytes.count()) + "B") == bytes);
  }
}

TEST_CASE("a time is the sum of its parts, the larger units first", "[units][property]") {
  Dice dice(3);
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    std::int64_t micros = 0;
    for (const Unit& unit : kTimes) {
      if (dice.from(0, 1) == 0) continue;
      const std::int64_t count = dice.from(0, 500);
      text += std::to_string(count) + unit.name;
      micros += count * unit.factor;
    }
    if (text.empty()) continue;
    CAPTURE(text);
    const auto read = parse_duration(text);
    REQUIRE(read);
    CHECK(read->count() == micros);
  }
}

TEST_CASE("parts of a time in the wrong order, or one unit twice, are refused", "[units][property]") {
  Dice dice(4);
  for (int i = 0; i < 2'000; ++i) {
    const auto first = dice.from(0, 4), second = dice.from(0, first);
    const std::string text = std::to_string(dice.from(1, 99)) + kTimes[first].name + std::to_string(dice.from(1, 99)) +
                             kTimes[second].name;
    CAPTURE(text);
    CHECK_FALSE(parse_duration(text));
  }
}

TEST_CASE("a longer time reads as a longer time", "[units][property]") {
  Dice dice(5);
  for (int i = 0; i < 5'000; ++i) {
    const Unit& unit = dice.any(kTimes);
    const std::int64_t a = dice.from(0, 100'000), b = a + dice.from(1, 1'000);
    const auto shorter = parse_duration(with_decimals(a, 1) + unit.name);
    const auto longer = parse_duration(with_decimals(b, 1) + unit.name);
    REQUIRE((shorter && longer));
    CHECK(*shorter < *longer);
  }
}

TEST_CASE("a line's rate comes back in whole bits a second", "[units][property]") {
  Dice dice(6);
  for (int i = 0; i < 5'000; ++i) {
    const Unit& unit = dice.any(kLines);
    const std::int64_t count = dice.from(1, 1'000);
    const auto read = parse_bandwidth(std::to_string(count) + unit.name);
    CAPTURE(count, unit.name);
    REQUIRE(read);
    CHECK(bits_per_second(*read) == count * unit.factor);
  }
}

TEST_CASE("a count is its number times its letter", "[units][property]") {
  constexpr Unit kCounts[] = {{"", 1}, {"k", 1'000}, {"M", 1'000'000}, {"B", 1'000'000'000}, {"T", 1'000'000'000'000}};
  Dice dice(7);
  for (int i = 0; i < 5'000; ++i) {
    const Unit& unit = dice.any(kCounts);
    const std::int64_t count = dice.from(0, 9'999);
    CHECK(parse_count(std::to_string(count) + unit.name) == count * unit.factor);
  }
}

TEST_CASE("money that was written reads back as the same, to the billionth", "[money][property]") {
  Dice dice(8);
  for (int i = 0; i < 20'000; ++i) {
    const std::int64_t digits = dice.from(0, 999'999'999'999'999'999) / power_of_ten(static_cast<int>(dice.from(0, 17)));
    const Money money = Money::nanos(Wide{digits});
    const auto read = Money::parse(to_string(money));
    CAPTURE(to_string(money));
    REQUIRE(read);
    CHECK(*read == money);
    CHECK(Money::rounded(*Decimal::parse(to_string(money))) == money);
  }
}

TEST_CASE("a sum of money in any order is the same, and parts taken out leave the rest", "[money][property]") {
  Dice dice(9);
  for (int i = 0; i < 2'000; ++i) {
    std::vector<Money> parts;
    for (int n = 0; n < 12; ++n) parts.push_back(Money::nanos(Wide{dice.from(-1'000'000'000'000, 1'000'000'000'000)}));
    Money forward, backward;
    for (std::size_t n = 0; n < parts.size(); ++n) {
      forward += parts[n];
      backward += parts[parts.size() - 1 - n];
    }
    CHECK(forward == backward);
    for (const Money part : parts) forward -= part;
    CHECK(forward.is_zero());
  }
}

TEST_CASE("decimals stand in the order of the fractions that they write", "[money][property]") {
  Dice dice(10);
  for (int i = 0; i < 20'000; ++i) {
    const std::int64_t a = dice.from(0, 99'999), b = dice.from(0, 99'999);
    const int a_places = static_cast<int>(dice.from(0, 6)), b_places = static_cast<int>(dice.from(0, 6));
    const auto left = Decimal::parse(with_decimals(a, a_places)), right = Decimal::parse(with_decimals(b, b_places));
    REQUIRE((left && right));
    const Wide crossed = Wide{a} * power_of_ten(b_places) - Wide{b} * power_of_ten(a_places);
    CHECK((*left < *right) == (crossed < 0));
    CHECK((*left == *right) == (crossed == 0));
    CHECK(*Decimal::parse(left->to_string()) == *left);
  }
}

TEST_CASE("a fraction rounded with many factors equals the same fraction multiplied out", "[money][property]") {
  Dice dice(11);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t above[] = {static_cast<std::uint64_t>(dice.from(0, 9'999'999)),
                                   static_cast<std::uint64_t>(dice.from(0, 9'999'999)),
                                   static_cast<std::uint64_t>(dice.from(0, 999))};
    const std::uint64_t below[] = {static_cast<std::uint64_t>(dice.from(1, 9'999'999)),
                                   static_cast<std::uint64_t>(dice.from(1, 9'999))};
    const Wide over = static_cast<Wide>(above[0]) * static_cast<Wide>(above[1]) * static_cast<Wide>(above[2]);
    const Wide under = static_cast<Wide>(below[0]) * static_cast<Wide>(below[1]);
    CHECK(round_ratio(above, below) == (2 * over + under) / (2 * under));
  }
}

TEST_CASE("every day from 1970 to 2100 is written and read as itself, and follows the one before", "[date][property]") {
  Date date = *parse_date("1970-01-01");
  const Date end = *parse_date("2100-12-31");
  for (; date <= end; date += std::chrono::days{1}) {
    REQUIRE(parse_date(to_string(date)) == date);
    REQUIRE(days_between(date, date + std::chrono::days{1}) == 1);
  }
}

TEST_CASE("a moment with an offset is the same moment in UTC", "[date][property]") {
  Dice dice(12);
  const auto two = [](std::int64_t value) { return (value < 10 ? "0" : "") + std::to_string(value); };
  for (int i = 0; i < 5'000; ++i) {
    const std::int64_t hour = dice.from(0, 23), minute = dice.from(0, 59), offset = dice.from(0, 13);
    const std::string day = to_string(*parse_date("2026-01-01") + std::chrono::days{dice.from(0, 364)});
    const std::string clock = "T" + two(hour) + ":" + two(minute) + ":00";
    const auto plain = parse_moment(day + clock + "Z");
    const auto east = parse_moment(day + clock + "+" + two(offset) + ":30");
    REQUIRE((plain && east));
    CHECK(plain->utc - east->utc == std::chrono::hours{offset} + std::chrono::minutes{30});
    CHECK(east->offset == std::chrono::hours{offset} + std::chrono::minutes{30});
  }
}
