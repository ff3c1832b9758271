// Spot prices that change over time: the CSV beside a catalog and the bill by it.
#include "gpuplan/catalog.hpp"
#include "spot_world.hpp"

using namespace gpuplan;
using namespace gpuplan::test;
using namespace std::chrono_literals;

namespace {

PriceSeries series_of(const std::string& csv) {
  auto read = read_price_series(csv, "prices.csv");
  if (!read) FAIL(read.errors().front().message);
  return *std::move(read);
}

// Ten hours on the spot market of an offer that names such a file.
struct Series : World {
  explicit Series(const std::string& csv) {
    offer.price.spot = dec("0.5");
    offer.price.spot_series = std::make_shared<const SpotSeries>(SpotSeries{.file = "prices.csv", .prices = series_of(csv)});
    rules.spot.reclaim_after_s = std::vector<std::int64_t>{};
    run = 10h;
  }
};

std::string faults_of(const std::string& csv) {
  const auto read = read_price_series(csv, "prices.csv");
  if (read) return "none";
  std::string all;
  for (const Diagnostic& fault : read.errors())
    all += fault.source + ":" + fault.pointer + ": " + fault.message + "\n";
  return all;
}

}  // namespace

TEST_CASE("each price holds until the next, the last one on", "[spot][series]") {
  Series w("time,price\n0h,1\n4h,2\n6h,0.25\n");
  const Bill bill = w.bill("spot");
  CHECK(to_string(bill.total) == "9");  // 4 x 1 + 2 x 2 + 4 x 0.25
  REQUIRE(bill.ledger.size() == 3);
  CHECK(bill.ledger[1].unit_price == "2");
  CHECK(bill.ledger[1].from == 4h);
  CHECK(bill.ledger[1].to == 6h);
  CHECK(bill.ledger[1].rule == "price.spot_series");
  CHECK(sum_of(bill) == bill.total);
}

TEST_CASE("a series with dates goes by the job's start", "[spot][series]") {
  Series w("time,price\n2026-11-01T00:00:00Z,1\n2026-11-01T12:00Z,3\n2026-11-02T00:00:00+00:00,5\n");
  w.job.start = parse_moment("2026-11-01T20:00:00Z");
  CHECK(w.total("spot") == "42");  // four hours at 3, six at 5
  SECTION("in another zone it is the same moment") {
    w.job.start = parse_moment("2026-11-02T04:00:00+08:00");
    CHECK(w.total("spot") == "42");
  }
  SECTION("without a start it begins with its first price, and says so") {
    w.job.start.reset();
    const Bill bill = w.bill("spot");
    CHECK(to_string(bill.total) == "10");
    CHECK(warns(bill, "spot_series_undated"));
  }
  SECTION("before its first price that one is taken, and said") {
    w.job.start = parse_moment("2026-10-31T18:00:00Z");
    const Bill bill = w.bill("spot");
    CHECK(to_string(bill.total) == "10");
    CHECK(warns(bill, "spot_series_starts_later"));
  }
  SECTION("behind its last price that one holds, and is said") {
    w.job.start = parse_moment("2027-01-01T00:00:00Z");
    const Bill bill = w.bill("spot");
    CHECK(to_string(bill.total) == "50");
    CHECK(warns(bill, "spot_series_ended"));
  }
}

TEST_CASE("a span is metered once, whatever its prices", "[spot][series]") {
  Series w("time,price\n0h,1\n1h30m,2\n");
  w.run = 2h + 10min;
  w.rules.meter.quantum_s = 3600;
  // 1.5 h at 1, 40 min at 2, and the 50 minutes of the hour begun at the price of its end.
  CHECK(w.total("spot") == "4.5");
  SECTION("so is its minimum") {
    w.rules.meter.minimum_s = 4 * 3600;
    CHECK(w.total("spot") == "6.5");  // 1.5 x 1 + 2.5 x 2
  }
}

TEST_CASE("on demand and in terms the series is not looked at", "[spot][series]") {
  Series w("time,price\n0h,1\n");
  CHECK(w.total() == "10");
  CHECK(w.bill().ledger.front().rule == "price.on_demand");
}

TEST_CASE("a price that never changes is the price of every run", "[spot][series]") {
  SpotMarket plain(10, 5), series(10, 5);
  for (SpotMarket* m : {&plain, &series}) m->checkpoints(0.5, 1.0 / 30, 1.0 / 12), m->options.trials = 400;
  series.offer.price.spot_series =
      std::make_shared<const SpotSeries>(SpotSeries{.file = "p.csv", .prices = series_of("time,price\n0,1\n3h,1.00\n")});
  const SpotBill a = plain.tried(), b = series.tried();
  CHECK(a.trials.wall.mean == b.trials.wall.mean);
  CHECK(approximate(a.mean) == Approx(approximate(b.mean)).epsilon(1e-9));
  SECTION("and one that doubles after all runs began makes them dearer") {
    series.offer.price.spot_series =
        std::make_shared<const SpotSeries>(SpotSeries{.file = "p.csv", .prices = series_of("time,price\n0,1\n5h,2\n")});
    // On average 11.41 h are billed, five of them at 1.
    CHECK(approximate(series.tried().mean) == Approx(2 * approximate(a.mean) - 5).epsilon(1e-6));
  }
}

TEST_CASE("what is wrong with a series is said with its line, all of it at once", "[spot][series]") {
  CHECK(faults_of("") == "prices.csv:1: the file is empty\n");
  CHECK(faults_of("when,price\n0,1\n") == "prices.csv:1: the columns time are missing\n");
  CHECK(faults_of("time,price\n").find("the series has no price") != std::string::npos);
  const std::string all = faults_of("time,price\n0,1\n1h,0\n1h,-2\nnoon,3\n2026-11-01,3\n0.5h,1\n2h,1\n1h,2\n3h\n");
  for (const char* fault : {":3: price: expected an amount above 0 an hour, got \"0\"",
                            ":4: price: expected an amount above 0 an hour, got \"-2\"",
                            ":5: time: expected a moment such as",
                            ":6: time: \"2026-11-01\" beside times from the start",
                            ":9: the time \"1h\" is not behind that of the line before",
                            ":10: the line has 1 cells, the first one 2"}) {
    INFO(fault << "\n" << all);
    CHECK(all.find(fault) != std::string::npos);
  }
}

TEST_CASE("prices for one card are those of as many as the offer has", "[spot][series]") {
  auto catalog = read_catalog(R"({"schema": "gpuplan.catalog/1", "platforms": [{"id": "a", "offers": [
      {"card": "L40S", "gpu_counts": [1, 4], "price": {"on_demand": 1, "spot_series": {"file": "p.csv"}}},
      {"card": "L4", "price": {"spot": 0.4, "spot_series": {"file": "p.csv"}}}]}]})", "c.json");
  REQUIRE(catalog);
  int opened = 0;
  const auto wrong = lay_spot_series(*catalog, [&](const std::string& file) -> Result<PriceSeries> {
    CHECK(file == "p.csv");
    ++opened;
    return series_of("time,price\n0,0.30\n2h,0.5\n");
  });
  CHECK(wrong.empty());
  CHECK(opened == 1);
  REQUIRE(catalog->offers.size() == 3);
  CHECK(*catalog->offers[1].price.spot == dec("1.2"));
  CHECK(catalog->offers[1].price.spot_series->prices.steps[1].price == dec("2"));
  CHECK(*catalog->offers[2].price.spot == dec("0.4"));  // stated, and shown
  SECTION("a contract takes its percentage off each of them") {
    catalog->contract.emplace_back().discount_percent = dec("10");
    apply_contract(*catalog, CardTable({}));
    CHECK(catalog->offers[2].price.spot_series->prices.steps[0].price == dec("0.27"));
  }
}
