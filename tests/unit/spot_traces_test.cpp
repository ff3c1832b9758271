// Spot machines as somebody has watched them: replays of a trace, and lives that were observed.
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "spot/law.hpp"
#include "spot_world.hpp"

using namespace gpuplan;
using namespace gpuplan::test;
using namespace std::chrono_literals;

namespace {

using Market = SpotMarket;

// A replay: spot alone, at 1 an hour; the first start reads back as well.
struct Replayed {
  double finish = 0, billed = 0;  // hours; without the rest of the last tick
  std::int64_t launches = 0, reclaims = 0;
};

Replayed replayed(const Availability& trace, double work, double restart, bool saves) {
  Market m(work, 1);
  m.job.reclaim_mean.reset();
  m.rules.spot.availability_file = "trace";
  m.checkpoints(0, 0, restart);
  m.job.spot_model.survives = saves ? "everything" : "nothing";
  const AvailabilityFiles files{{"trace", trace}};
  m.options.availability = &files;
  const SpotBill bill = m.tried();
  CHECK(bill.trials.n == 1);
  const auto idle = bill.bill.totals.find(Item::idle);
  const double rest = idle == bill.bill.totals.end() ? 0 : approximate(idle->second);
  return {.finish = in_hours(bill.trials.wall.mean),
          .billed = in_hours(bill.trials.billed_mean) - rest,
          .launches = bill.bill.reclaims + 1,
          .reclaims = bill.bill.reclaims};
}

Availability ticks_of(Duration gap, const std::string& up) {
  Availability trace;
  trace.gap = gap;
  for (const char tick : up) trace.up.push_back(tick == '1' ? 1 : 0);
  return trace;
}

// The offer's lives as a catalog states them.
Lifetime observed(const std::string& members) {
  const auto catalog = read_catalog(
      R"({"schema": "gpuplan.catalog/1", "platforms": [{"id": "p", "offers": [{"card": "T4",
          "price": {"spot": 1}, "spot": {"lifetime": {"observed": {)" +
          members + "}}}}]}]}",
      "c.json");
  if (!catalog) FAIL(to_text(catalog.errors().front()));
  return *catalog->offers[0].rules->spot.lifetime;
}

}  // namespace

TEST_CASE("a replay ends when the work is done, not with the tick", "[spot][traces]") {
  const Availability trace = ticks_of(10min, "110111");
  // 5 minutes of read-back and 15 of work; then, after a tick of waiting, 5 and 10: done after 45.
  const Replayed saved = replayed(trace, 25.0 / 60, 5.0 / 60, true);
  CHECK(saved.finish == Approx(0.75));
  CHECK(saved.billed == Approx(35.0 / 60));  // whole ticks are paid: 5 minutes more
  CHECK((saved.launches == 2 && saved.reclaims == 1));
  const Replayed scratch = replayed(trace, 25.0 / 60, 5.0 / 60, false);
  CHECK(scratch.finish == Approx(1.0));
  CHECK(scratch.billed == Approx(50.0 / 60));
}

TEST_CASE("replays of public traces, from zero and with progress kept", "[spot][traces]") {
  // skypilot-org/spot-traces, which has no licence and is no part of this project; checked by a walk
  // second by second.
  const char* folder = std::getenv("GPUPLAN_TRACES");
  if (folder == nullptr) {
    WARN("GPUPLAN_TRACES is not set: the public replays are not compared");
    return;
  }
  struct Row {
    const char* trace;
    double work, restart_s;
    bool saves;
    Replayed expected;
  };
  const Row rows[] = {
      {"availability/1-node/aws-02-15-2023/us-west-2b_v100_1.json", 48, 180, false,
       {58.233333333333334, 56.28333333333333, 5, 4}},
      {"availability/1-node/aws-02-15-2023/us-east-1f_v100_1.json", 24, 300, true,
       {79.92083333333333, 24.833333333333332, 10, 9}},
      {"availability/1-node/aws-02-15-2023/us-east-1f_v100_1.json", 24, 300, false,
       {575.825, 256.4583333333333, 137, 136}},
      {"availability/1-node/aws-02-15-2023/us-east-1a_v100_1.json", 12, 0, true,
       {76.62083333333334, 12.0, 25, 24}},
      {"availability/1-node/aws-10-26-2022/us-west-2a_k80_8.json", 24, 720, true,
       {60.733333333333334, 28.066666666666666, 21, 20}},
      {"availability/1-node/aws-10-26-2022/us-west-2b_v100_8.json", 24, 720, true,
       {102.1, 36.43333333333333, 67, 66}},
      {"preemption/1-node/aws-04-22-2023/us-west-2c_v100_1.json", 6, 120, false,
       {6.042222222222223, 6.033333333333333, 1, 0}},
      {"preemption/1-node/aws-04-22-2023/us-east-1c_v100_1.json", 20, 120, true,
       {44.33777777777778, 20.41777777777778, 13, 12}},
  };
  for (const Row& row : rows) {
    std::ifstream file(std::string(folder) + "/skypilot-spot-traces/" + row.trace);
    std::stringstream text;
    text << file.rdbuf();
    const auto trace = read_availability(text.str(), row.trace);
    REQUIRE(trace);
    const Replayed done = replayed(*trace, row.work, row.restart_s / 3600, row.saves);
    INFO(row.trace << ", " << row.work << " h");
    CHECK(std::fabs(done.finish - row.expected.finish) <= 1e-6);
    CHECK(std::fabs(done.billed - row.expected.billed) <= 1e-6);
    CHECK(done.launches == row.expected.launches);
    CHECK(done.reclaims == row.expected.reclaims);
  }
}

TEST_CASE("machines that were given back were watched, but not until their end", "[spot][traces]") {
  // Seven machines: of all seven one is taken after an hour; of the five that are left at two hours
  // two; of the two at five hours one. The last was given back after six.
  const spot::Law law(observed(R"("reclaimed_after_hours": [2, 1, 5, 2],
                                  "stopped_after_hours": [6, 1.5, 3])"));
  CHECK(law.ended_by(0.99) == 0);
  CHECK(law.ended_by(1) == Approx(1 - 6.0 / 7));
  CHECK(law.ended_by(2) == Approx(1 - 6.0 / 7 * 3 / 5));
  CHECK(law.ended_by(5) == Approx(1 - 6.0 / 7 * 3 / 5 / 2));
  CHECK(law.longest() == 6);  // what nobody has seen the end of ends there
  CHECK(law.mean() == Approx(1 + 6.0 / 7 + 3 * 18.0 / 35 + 9.0 / 35));

  Market m(4, 1);
  m.job.reclaim_mean.reset();
  m.rules.spot.lifetime = law.life();
  m.options.advice = true;
  const SpotBill bill = m.tried();
  CHECK(*bill.outlook.expected.run_through == Approx(18.0 / 35));
  CHECK(std::fabs(bill.trials.undisturbed - 18.0 / 35) <= 4 * std::sqrt(0.25 / 4'000));
  check_time(bill, *bill.outlook.expected.wall);
}

TEST_CASE("lives of 1,442 machines of 2019, half of them given back", "[spot][traces]") {
  // kadupitiya/goog-preemption-data, Apache-2.0, reduced to a table.
  const char* folder = std::getenv("GPUPLAN_TRACES");
  if (folder == nullptr) return;
  std::ifstream table(std::string(folder) + "/gcp_preemptible_lifetimes_2019.csv");
  std::string line, reclaimed, stopped;
  REQUIRE(std::getline(table, line));
  while (std::getline(table, line)) {
    std::vector<std::string> field;
    std::istringstream text(line);
    for (std::string part; std::getline(text, part, ',');) field.push_back(part);
    std::string& list = field.at(4) == "preempted" ? reclaimed : stopped;
    list += (list.empty() ? "\"" : ", \"") + field.at(3) + "s\"";
  }
  const spot::Law law(observed("\"reclaimed_after_hours\": [" + reclaimed +
                               "], \"stopped_after_hours\": [" + stopped + "]"));
  CHECK(std::fabs(1 - law.ended_by(1) - 0.850709138431181) <= 1e-9);
  CHECK(std::fabs(1 - law.ended_by(12) - 0.6824706469653067) <= 1e-9);
  CHECK(std::fabs(1 - law.ended_by(23) - 0.6178079599427454) <= 1e-9);
}
