#pragma once

#include <cmath>
#include <string>

#include "billing_world.hpp"
#include "gpuplan/spot.hpp"

// Work on the spot market and what many runs of it come to.
namespace gpuplan::test {

// Work on the spot market at 1 an hour, so that cost is billed hours.
struct SpotMarket : World {
  TrialOptions options{.trials = 4'000, .seed = 1, .threads = 1, .ledger = false, .advice = false};
  SpotMarket(double work_hours, double life_hours) {
    offer.price.on_demand = dec("3");
    offer.price.spot = dec("1");
    rules.storage[StorageKind::object].price = dec("0");
    rules.spot.notice_s = 0;
    rules.meter.round = Round::none;
    run = hours(work_hours);
    job.reclaim_mean = hours(life_hours);
  }
  static Duration hours(double h) { return Duration{std::llround(h * 3.6e9)}; }
  void checkpoints(double every, double write, double restore) {
    job.checkpoint = CheckpointPlan{.every = hours(every),
                                    .to = CheckpointTo::object,
                                    .size = Bytes::gb(1),
                                    .keep = 1,
                                    .write = hours(write),
                                    .restore = hours(restore),
                                    .resume = true};
  }
  BillRequest request() {
    offer.rules = std::make_shared<const Rules>(rules);
    BillRequest asked;
    asked.catalog = &catalog;
    asked.offer = &offer;
    asked.job = &job;
    asked.run = run;
    asked.plan = "spot";
    asked.currency = currency;
    return asked;
  }
  // One piece from zero after every reclaim, with this read-back.
  void from_zero(double restore) {
    checkpoints(0, 0, restore);
    job.spot_model.survives = "nothing";
  }
  void lives(Lifetime::Kind kind, double hours, double shape = 1) {
    job.reclaim_mean.reset();
    rules.spot.lifetime = Lifetime{.kind = kind, .shape = shape, .hours = hours};
  }
  void ends_after(double hours) {
    job.reclaim_mean.reset();
    rules.spot.max_run_s = std::llround(hours * 3600);
  }
  // There in this share of the hours, each for itself; 3.06 on demand, 0.9731 on spot.
  void slots(std::int64_t deadline, const char* share, const char* policy) {
    job.reclaim_mean.reset();
    rules.spot.availability_share = dec(share);
    rules.spot.availability_gap_s = 3600;
    offer.price.on_demand = dec("3.06");
    offer.price.spot = dec("0.9731");
    checkpoints(0, 0, 0);
    job.spot_model.survives = "everything";
    job.policy = policy;
    job.deadline = std::chrono::hours{deadline};
  }
  SpotBill tried() {
    auto made = simulate_spot(request(), options);
    REQUIRE(made);
    return *std::move(made);
  }
};

inline double in_hours(Duration time) { return static_cast<double>(time.count()) / 3.6e9; }

inline void check_time(const SpotBill& bill, double expected) {
  INFO("mean " << in_hours(bill.trials.wall.mean) << " h, expected " << expected << " h, se "
               << bill.trials.wall.standard_error_s / 3600);
  CHECK(std::fabs(in_hours(bill.trials.wall.mean) - expected) <=
        4 * bill.trials.wall.standard_error_s / 3600);
}
inline void check_cost(const SpotBill& bill, double expected) {
  INFO("mean " << to_string(bill.mean) << ", expected " << expected);
  CHECK(std::fabs(approximate(bill.mean) - expected) <= 4 * bill.trials.cost.standard_error + 1e-8);
}

}  // namespace gpuplan::test
