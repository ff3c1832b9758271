// How fast spot runs are tried: the standard example, the same with a disk (which takes the full
// bill), and replays of a public trace by ticks where GPUPLAN_TRACES names them. One line of JSON
// for each.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>

#include "gpuplan/spot.hpp"
#include "spot/ticks.hpp"

using namespace gpuplan;
using namespace std::chrono_literals;

namespace {

// Ten hours of work, a mean life of five, a checkpoint of two minutes every thirty, five minutes to
// read one back: 11.407928 h on average (examples/SPOT.md).
struct Standard {
  Catalog catalog;
  Offer offer;
  Job job;
  Rules rules;

  Standard() {
    Platform& platform = catalog.platforms.emplace_back();
    platform.id = "acme";
    platform.currency = "USD";
    rules.meter.quantum_s = 1;
    rules.meter.minimum_s = 0;
    offer.id = "l40s";
    offer.card = "L40S";
    offer.price.on_demand = Decimal::of(36, 1);
    offer.price.spot = Decimal::of(18, 1);
    job.reclaim_mean = 5h;
    job.checkpoint = CheckpointPlan{.every = 30min,
                                    .to = CheckpointTo::local,
                                    .size = Bytes{},
                                    .keep = 1,
                                    .write = 2min,
                                    .restore = 5min,
                                    .resume = true};
    job.spot_model.survives = "checkpoint";
  }

  void measure(const char* name, std::int64_t trials, int threads) {
    offer.rules = std::make_shared<const Rules>(rules);
    BillRequest request;
    request.catalog = &catalog;
    request.offer = &offer;
    request.job = &job;
    request.run = 10h;
    request.plan = "spot";
    request.currency = "USD";
    TrialOptions options;
    options.trials = trials;
    options.threads = threads;
    options.ledger = options.advice = false;
    const auto begin = std::chrono::steady_clock::now();
    const auto bill = simulate_spot(request, options);
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    if (!bill) std::abort();
    std::printf(
        "{\"name\": \"%s\", \"threads\": %d, \"runs\": %lld, \"seconds\": %.4f, \"runs_per_second\": "
        "%.0f, \"mean_h\": %.6f, \"standard_error_h\": %.6f}\n",
        name, threads, static_cast<long long>(trials), passed.count(),
        static_cast<double>(trials) / passed.count(),
        static_cast<double>(bill->trials.wall.mean.count()) / 3.6e9,
        bill->trials.wall.standard_error_s / 3600);
  }
};

// 48 h of work within 52 h from every 14th of 240 begins, three minutes to start, by the rule that
// never waits. The published simulator takes 8.7 ms for such a run on a machine like this.
void replays(const std::string& folder) {
  constexpr double kPublished = 8.7e-3;
  const std::string name = "us-west-2b_v100_8";
  std::ifstream file(folder + "/skypilot-spot-traces/availability/1-node/aws-10-26-2022/" + name +
                     ".json");
  std::stringstream text;
  text << file.rdbuf();
  const auto trace = read_availability(text.str(), name);
  if (!trace) return;
  spot::TickJob job;
  job.gap = trace->gap;
  job.work = 48h;
  job.deadline = 52h;
  job.restore = 3min;
  job.rhythm = {.every = 0s, .write = 0s, .after_last = false};
  job.spot_price = 0.9731;
  job.price = 3.06;
  constexpr int kRuns = 240;
  for (const char* policy : {"spot_else_on_demand:published", "greedy:published",
                             "progress_line:published", "reserve"}) {
    std::int64_t ticks = 0;
    const auto begin = std::chrono::steady_clock::now();
    for (std::int64_t run = 0; run < kRuns; ++run)
      ticks += spot::replay(
                   job, *parse_policy(policy),
                   [&](std::int64_t tick) {
                     const auto at = static_cast<std::size_t>(14 * run + tick);
                     return at < trace->up.size() && trace->up[at] != 0;
                   },
                   10'000)
                   .wall /
               job.gap;
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    std::printf(
        "{\"name\": \"replay of %s, %s\", \"runs\": %d, \"ticks\": %lld, \"seconds\": %.5f, "
        "\"times_as_fast_as_8.7_ms\": %.0f}\n",
        name.c_str(), policy, kRuns, static_cast<long long>(ticks), passed.count(),
        kPublished * kRuns / passed.count());
  }
}

}  // namespace

int main() {
  Standard standard;
  standard.measure("standard example", 100'000, 1);
  standard.measure("standard example", 100'000, 2);
  standard.rules.storage[StorageKind::data].price = Decimal::of(1, 1);
  standard.job.data.disk = Bytes::gb(100);
  standard.measure("standard example with a disk, full bills", 10'000, 1);
  if (const char* folder = std::getenv("GPUPLAN_TRACES")) replays(folder);
}
