// Policies with a deadline: rent spot, rent on demand, or wait, decided tick by tick.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "billing_random.hpp"
#include "gpuplan/spot.hpp"
#include "gpuplan/spot_forms.hpp"
#include "spot/numbers.hpp"
#include "spot/ticks.hpp"

using namespace gpuplan;
using namespace gpuplan::spot;
using namespace gpuplan::test;
using namespace std::chrono_literals;

namespace {

// One hour on demand at 3, on the spot market at 1; ticks of ten minutes.
TickJob ticks(Duration work, Duration deadline, Duration restore = 0s) {
  TickJob job;
  job.gap = 10min;
  job.work = work;
  job.deadline = deadline;
  job.restore = restore;
  job.rhythm = {.every = 0s, .write = 0s, .after_last = false};
  job.price = 3;
  job.spot_price = 1;
  return job;
}

TickRun on(const TickJob& job, const std::string& policy, const std::string& up) {
  const auto parsed = parse_policy(policy);
  REQUIRE(parsed);
  return replay(
      job, *parsed,
      [&](std::int64_t tick) {
        return tick < static_cast<std::int64_t>(up.size()) && up[static_cast<std::size_t>(tick)] == '1';
      },
      100'000);
}

// What was rented at each tick: s, o, or - for nothing.
std::string rented(const TickRun& run, const TickJob& job) {
  std::string text(static_cast<std::size_t>(run.wall / job.gap), '-');
  for (const Stretch& s : run.stretches)
    for (std::int64_t tick = s.from; tick < s.to; ++tick)
      text[static_cast<std::size_t>(tick)] = s.choice == Choice::spot ? 's' : 'o';
  return text;
}

double cost(const TickRun& run, const TickJob& job) {
  double sum = 0;
  for (const Stretch& s : run.stretches)
    sum += (s.choice == Choice::spot ? job.spot_price : job.price) *
           static_cast<double>((s.to - s.from) * job.gap.count()) / 3.6e9;
  return sum;
}

}  // namespace

TEST_CASE("policies are named, and only shared rules have a published guard", "[spot][policy]") {
  CHECK(parse_policy("greedy")->kind == PolicyKind::greedy);
  CHECK(parse_policy("greedy:published")->published);
  CHECK(parse_policy("retries:3")->count == 3);
  for (const char* wrong : {"", "spot:published", "retries", "retries:", "retries:-1", "retries:x",
                            "greedy:Published", "greedy:", "Greedy", "reserve:published"})
    CHECK_FALSE(parse_policy(wrong));
}

TEST_CASE("an hour of work within eighty minutes", "[spot][policy]") {
  const TickJob job = ticks(60min, 80min);
  CHECK(rented(on(job, "spot", "1101111"), job) == "ss-ssss");
  CHECK(rented(on(job, "spot_else_on_demand", "1101111"), job) == "ssosss");
  // Two ticks of slack: waited first, then on demand to the end.
  CHECK(rented(on(job, "greedy", "00000011"), job) == "--oooooo");
  CHECK(rented(on(job, "greedy", "11111100"), job) == "ssssss");
  CHECK(rented(on(job, "retries:1", "0110111111"), job) == "-ssoooo");
}

TEST_CASE("a change of machine pays the restore again", "[spot][policy]") {
  const TickJob job = ticks(30min, 120min, 5min);
  // 5 + 10 + 10 of work, the first tick half a restore; the fourth tick finishes it.
  CHECK(rented(on(job, "spot", "1111"), job) == "ssss");
  CHECK(rented(on(job, "spot", "10111"), job) == "s-sss");
  const TickRun run = on(job, "spot", "1111");
  CHECK(run.stretches.back().idle == Duration{5min});
  CHECK(on(job, "spot", "10111").reclaims == 1);
}

TEST_CASE("what lies behind a checkpoint survives", "[spot][policy]") {
  TickJob job = ticks(40min, 24h);
  job.rhythm.every = 15min;
  job.survives = billing::Survives::checkpoint;
  // Two ticks: 15 of 20 minutes are saved, 25 are left.
  CHECK(rented(on(job, "spot", "110111"), job) == "ss-sss");
  CHECK(on(job, "spot", "110111").stretches.front().lost == Duration{5min});
  job.survives = billing::Survives::nothing;
  CHECK(rented(on(job, "spot", "1101111"), job) == "ss-ssss");
}

TEST_CASE("no policy of ours misses a deadline that on demand would meet", "[spot][policy]") {
  Chance chance(5);
  for (unsigned i = 0; i < rounds(400); ++i) {
    TickJob job = ticks(std::chrono::minutes(10 + chance.upto(600)), 0s,
                        std::chrono::minutes(chance.upto(25)));
    job.survives = static_cast<billing::Survives>(chance.upto(2));
    job.rhythm.every = std::chrono::minutes(chance.upto(60));
    if (job.rhythm.every.count() > 0) job.rhythm.write = std::chrono::minutes(chance.upto(5));
    const Duration alone = job.rhythm.whole(job.work) + job.restore;
    job.deadline = (billing::ceil_div(alone.count(), job.gap.count()) + chance.upto(40)) * job.gap;
    std::string up;
    for (int tick = 0; tick < 300; ++tick)
      up += up.empty() || chance.upto(3) == 0 ? (chance.often() ? '1' : '0') : up.back();
    for (const std::string policy :
         {"spot_else_on_demand", "greedy", "progress_line", "reserve", "retries:2"}) {
      const TickRun run = on(job, policy, up);
      INFO(policy << ", case " << i << ": " << rented(run, job));
      REQUIRE(run.finished);
      REQUIRE(run.wall <= *job.deadline);
      if (policy == "reserve" && job.survives == billing::Survives::everything) {
        const double all = static_cast<double>(billing::ceil_div(alone.count(), job.gap.count())) / 6 * 3;
        REQUIRE(cost(run, job) <= all + 3.0 * static_cast<double>(job.restore.count()) / 3.6e9 + 1e-9);
      }
    }
  }
}

TEST_CASE("ticks at which nothing can change are passed in one step, and nothing changes", "[spot][policy]") {
  constexpr const char* kPolicies[] = {"spot", "spot_else_on_demand", "greedy", "progress_line", "last_minute",
                                       "reserve", "retries:2", "spot_else_on_demand:published",
                                       "greedy:published", "progress_line:published"};
  Chance chance(11);
  for (unsigned i = 0; i < rounds(3000); ++i) {
    TickJob job = ticks(std::chrono::minutes(10 + chance.upto(3000)), 0s, std::chrono::seconds(chance.upto(2400)));
    job.gap = std::chrono::minutes(chance.often() ? 1 : 1 + chance.upto(60));
    job.survives = static_cast<billing::Survives>(chance.upto(2));
    job.rhythm.every = std::chrono::seconds(chance.often() ? 0 : 60 + chance.upto(7200));
    if (job.rhythm.every.count() > 0) job.rhythm.write = std::chrono::seconds(chance.upto(600));
    job.rhythm.after_last = chance.often();
    job.first_restores = chance.often();
    job.spot_price = static_cast<double>(chance.upto(40)) / 10;
    // From out of reach to more than twice the time that the work takes.
    const Duration alone = job.rhythm.whole(job.work) + job.restore;
    job.deadline = alone * (80 + chance.upto(150)) / 100 + std::chrono::seconds(chance.upto(100));
    std::vector<There> there;
    const std::int64_t longest = 1 + chance.upto(2000);
    while (there.size() < 6000) {
      const auto until = static_cast<std::int64_t>(there.size() + 1 + chance.upto(longest));
      const bool up = there.empty() || !there.back().up;
      while (std::ssize(there) < until) there.push_back({up, until});
    }
    const Policy policy = *parse_policy(kPolicies[static_cast<std::size_t>(chance.upto(9))]);
    const auto at = [&](std::int64_t tick) { return there[static_cast<std::size_t>(tick)]; };
    const TickRun quick = replay(job, policy, at, 5000);
    const TickRun each = replay(job, policy, [&](std::int64_t tick) { return at(tick).up; }, 5000);
    CAPTURE(i, static_cast<int>(policy.kind), policy.published, quick.wall.count(), each.wall.count());
    REQUIRE(quick.wall == each.wall);
    REQUIRE(quick.finished == each.finished);
    REQUIRE(quick.reclaims == each.reclaims);
    REQUIRE(quick.stretches == each.stretches);
  }
}

TEST_CASE("slots of an hour in which spot comes and goes by chance", "[spot][policy]") {
  // Waiting while there is slack, then on demand to the end; restores cost nothing here.
  const auto mean_cost = [](std::int64_t work, std::int64_t deadline, double up, double& error) {
    TickJob job = ticks(work * 1h, deadline * 1h);
    job.gap = 1h;
    job.price = 3.06;
    job.spot_price = 0.9731;
    double sum = 0, squares = 0;
    constexpr int kRuns = 4000;
    for (int run = 0; run < kRuns; ++run) {
      const Stream stream(3, static_cast<std::uint64_t>(run));
      const TickRun done = replay(
          job, *parse_policy("greedy"),
          [&](std::int64_t tick) { return stream.uniform(static_cast<std::uint64_t>(tick)) < up; },
          10'000);
      const double c = cost(done, job);
      sum += c;
      squares += c * c;
    }
    const double mean = sum / kRuns;
    error = std::sqrt((squares / kRuns - mean * mean) / kRuns);
    return mean;
  };
  // All slots of slack are waited before it goes on demand: the mean is that of the closed form.
  double error = 0;
  const double tight = mean_cost(48, 52, 0.6, error);
  const double spot = spot_slots({48, 52, 0.6});
  CHECK(std::fabs(tight - (0.9731 * spot + 3.06 * (48 - spot))) <= 4 * error);
  const double loose = mean_cost(48, 70, 0.6, error);
  const double more = spot_slots({48, 70, 0.6});
  CHECK(std::fabs(loose - (0.9731 * more + 3.06 * (48 - more))) <= 4 * error);
}

TEST_CASE("a trace says where it is wrong", "[spot][policy]") {
  const auto good = read_availability(R"({"metadata": {"gap_seconds": 600}, "data": [1, 0, 7]})", "t");
  REQUIRE(good);
  CHECK(good->gap == Duration{10min});
  CHECK(good->up == std::vector<char>{1, 0, 1});
  const auto wrong =
      read_availability(R"({"metadata": {"gap_seconds": 0}, "data": [1, -1, "x"]})", "t.json");
  REQUIRE_FALSE(wrong);
  CHECK(wrong.errors().size() == 3);
  CHECK_FALSE(read_availability("[]", "t"));
  CHECK_FALSE(read_availability(R"({"metadata": {"gap_seconds": 600}, "data": []})", "t"));
}

// Replays of public traces (skypilot-org/spot-traces, October 2022) with the costs that the public
// simulator of FrontierCS/Frontier-CS gives: 720 windows, four policies. The traces have no licence
// and are no part of this project: GPUPLAN_TRACES names a folder with them and the table of costs.
TEST_CASE("published replays come out to a hundred-thousandth", "[spot][policy][traces]") {
  const char* folder = std::getenv("GPUPLAN_TRACES");
  if (folder == nullptr) {
    WARN("GPUPLAN_TRACES is not set: the public replays are not compared");
    return;
  }
  const std::string base = std::string(folder) + "/";
  std::map<std::string, Availability> traces;
  std::ifstream table(base + "cant_be_late_reference_costs.csv");
  std::string line;
  REQUIRE(std::getline(table, line));
  struct Cell {
    double own = 0, line = 0, either = 0;
    int runs = 0;
  };
  std::map<std::pair<std::string, std::string>, Cell> cells;
  int rows = 0;
  while (std::getline(table, line)) {
    std::vector<std::string> field;
    std::istringstream text(line);
    for (std::string part; std::getline(text, part, ',');) field.push_back(part);
    REQUIRE(field.size() == 12);
    Availability& trace = traces[field[0]];
    if (trace.up.empty()) {
      std::ifstream file(base + "skypilot-spot-traces/availability/1-node/aws-10-26-2022/" + field[0] +
                         ".json");
      std::stringstream all;
      all << file.rdbuf();
      auto read = read_availability(all.str(), field[0]);
      REQUIRE(read);
      trace = *read;
    }
    const std::int64_t start = std::stoll(field[2]);
    TickJob job = ticks(48h, std::chrono::hours(std::stoi(field[4])),
                        std::chrono::seconds(std::llround(std::stod(field[5]) * 3600)));
    job.price = 3.06;
    job.spot_price = 0.9731;
    const auto up = [&](std::int64_t tick) {
      const auto at = static_cast<std::size_t>(start + tick);
      return at < trace.up.size() && trace.up[at] != 0;
    };
    const auto of = [&](const char* policy) {
      return replay(job, *parse_policy(policy), up, 10'000);
    };
    INFO(line);
    REQUIRE(std::fabs(cost(of("greedy:published"), job) - std::stod(field[8])) < 1e-5);
    REQUIRE(std::fabs(cost(of("retries:0"), job) - std::stod(field[9])) < 1e-5);
    REQUIRE(std::fabs(cost(of("spot_else_on_demand:published"), job) - std::stod(field[10])) < 1e-5);
    REQUIRE(std::fabs(cost(of("progress_line:published"), job) - std::stod(field[11])) < 1e-5);
    ++rows;
    const TickRun own = of("reserve");
    Cell& cell = cells[{field[4], field[5]}];
    cell.own += cost(own, job);
    cell.line += std::stod(field[11]);
    cell.either += std::stod(field[10]);
    ++cell.runs;
    REQUIRE(own.wall <= *job.deadline);
    REQUIRE(cost(own, job) <= std::stod(field[9]) + 3.06 * std::stod(field[5]) + 1e-9);
  }
  CHECK(rows == 720);
  for (const auto& [key, cell] : cells)
    WARN(key.first << " h, restore " << key.second << " h: " << cell.runs << " windows, our own "
                   << cell.own / cell.runs << ", spot else on demand " << cell.either / cell.runs
                   << ", progress line " << cell.line / cell.runs);
  const Cell tight = cells[{"52", "0.05"}], loose = cells[{"70", "0.05"}];
  CHECK(tight.own / tight.runs < 101.5);
  CHECK(loose.own / loose.runs < 93);
}
