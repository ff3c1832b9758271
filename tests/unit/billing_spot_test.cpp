// Spot machines with stated lives: what a reclaim costs, and what is done again.
#include <algorithm>

#include "billing_world.hpp"

using namespace gpuplan;
using namespace gpuplan::test;
using namespace std::chrono_literals;

namespace {

// Ten hours of work at 1.80 an hour on the spot market.
struct Spot : World {
  Spot() {
    offer.price.on_demand = dec("3.6");
    offer.price.spot = dec("1.8");
    rules.storage[StorageKind::object].price = dec("0");
    run = 10h;
  }
  void lives(std::vector<std::int64_t> seconds) { rules.spot.reclaim_after_s = std::move(seconds); }
  void checkpoints(Duration every, CheckpointTo to, Duration write = 0s, Duration restore = 0s) {
    job.checkpoint = CheckpointPlan{.every = every,
                                    .to = to,
                                    .size = Bytes::gb(1),
                                    .keep = 1,
                                    .write = write,
                                    .restore = restore,
                                    .resume = true};
  }
};

}  // namespace

TEST_CASE("spot without reclaims is on demand at another price", "[billing][spot]") {
  Spot w;
  w.lives({});
  const Bill bill = w.bill("spot");
  CHECK(to_string(bill.total) == "18");
  CHECK(bill.warnings.empty());
  w.rules.spot.reclaim_after_s.reset();
  CHECK(w.total("spot") == "18");
  CHECK(warns(w.bill("spot"), "spot_reclaims_unknown"));
}

TEST_CASE("without a checkpoint a reclaim after two hours costs two hours", "[billing][spot]") {
  Spot w;
  w.lives({7200});
  const Bill bill = w.bill("spot");
  CHECK(to_string(bill.total) == "21.6");
  CHECK(part(bill, Item::lost_work) == "3.6");
  CHECK(bill.time.wall == Duration{12h});
}

TEST_CASE("with a checkpoint every half hour only what came after it is done again",
          "[billing][spot]") {
  Spot w;
  w.lives({8400});  // 2 h 20 min
  w.checkpoints(30min, CheckpointTo::object);
  CHECK(w.total("spot") == "18.6");
  CHECK(part(w.bill("spot"), Item::lost_work) == "0.6");

  SECTION("a checkpoint on a disk that goes with the machine is none") {
    w.job.checkpoint->to = CheckpointTo::local;
    CHECK(w.total("spot") == "22.2");
  }
  SECTION("unless the platform keeps the disk") {
    w.job.checkpoint->to = CheckpointTo::local;
    w.rules.spot.disk_kept = true;
    CHECK(w.total("spot") == "18.6");
  }
  SECTION("or it lies on a data disk that outlives the machine") {
    w.job.checkpoint->to = CheckpointTo::local;
    w.storage(StorageKind::data, "0");
    w.job.data.disk = Bytes::gb(10);
    CHECK(w.total("spot") == "18.6");
    w.rules.storage[StorageKind::data].with_instance = true;
    CHECK(w.total("spot") == "22.2");
  }
  SECTION("a notice that is long enough for a write saves everything") {
    w.job.checkpoint->write = 120s;
    w.rules.spot.notice_s = 120;
    const Bill bill = w.bill("spot");
    CHECK(part(bill, Item::lost_work) == "none");
    w.rules.spot.notice_s = 30;
    CHECK(part(w.bill("spot"), Item::lost_work) == "0.36");  // 140 min are 4 x 32 min and 12 min
  }
  SECTION("a job that does not resume begins again") {
    w.job.checkpoint->resume = false;
    CHECK(w.total("spot") == "22.2");
  }
  SECTION("progress that is always kept is never done again") {
    w.job.checkpoint->every = 0s;
    CHECK(w.total("spot") == "18");
  }
  SECTION("the job says what survives") {
    w.job.spot_model.survives = "everything";
    CHECK(w.total("spot") == "18");
    w.job.spot_model.survives = "nothing";
    CHECK(w.total("spot") == "22.2");
  }
}

TEST_CASE("start-up and restore are paid again by every session but the first", "[billing][spot]") {
  Spot w;
  w.offer.price.spot = dec("1");
  w.lives({7200, 7200});
  w.rules.provision.start_s = dec("360");
  w.checkpoints(1h, CheckpointTo::object, 0s, 180s);
  // 0.1 + 1.9 (1 saved) | 0.1 + 0.05 + 1.85 (1 saved) | 0.1 + 0.05 + 8
  const Bill bill = w.bill("spot");
  CHECK(to_string(bill.total) == "12.15");
  CHECK(part(bill, Item::startup) == "0.4");
  CHECK(part(bill, Item::lost_work) == "1.75");
  CHECK(part(bill, Item::compute) == "10");

  SECTION("a wait before each restart costs time, not card time") {
    w.rules.spot.restart_delay_s = 1800;
    CHECK(w.total("spot") == "12.15");
    CHECK(w.bill("spot").time.wall == Duration{13h + 9min});
  }
  SECTION("lives that do not run while progress is read back") {
    w.job.spot_model.strikes_restore = false;
    CHECK(part(w.bill("spot"), Item::lost_work) == "1.8");
  }
  SECTION("a first start that reads something back as well") {
    w.job.spot_model.first_start_restores = true;
    CHECK(part(w.bill("spot"), Item::startup) == "0.45");
  }
}

TEST_CASE("a life too short for start-up brings nothing, and is paid", "[billing][spot]") {
  Spot w;
  w.offer.price.spot = dec("1");
  w.rules.provision.start_s = dec("3600");
  w.lives({1800, 3600});
  CHECK(w.total("spot") == "12.5");  // 0.5 + 1 + 1 + 10
}

TEST_CASE("a session taken back within the free hour pays no card time", "[billing][spot]") {
  Spot w;
  w.rules.spot.free_if_reclaimed_within_s = 3600;
  w.lives({3540});
  CHECK(w.total("spot") == "18");
  w.lives({3660});  // after 61 minutes all of them are paid
  CHECK(w.total("spot") == "19.83");
  w.lives({3600});  // the hour is full
  CHECK(w.total("spot") == "19.8");
}

TEST_CASE("the quantum begun is free when the platform takes the machine back", "[billing][spot]") {
  Spot w;
  w.offer.price.spot = dec("1");
  w.rules.meter.quantum_s = 3600;
  w.lives({5400});
  CHECK(w.total("spot") == "12");
  w.rules.spot.free_last_quantum = true;
  CHECK(w.total("spot") == "11");
}

TEST_CASE("protected time and a longest run bound the lives", "[billing][spot]") {
  Spot w;
  w.offer.price.spot = dec("1");
  w.lives({60});
  w.rules.spot.protect_s = 3600;
  CHECK(w.total("spot") == "11");
  w.lives({});
  w.rules.spot.max_run_s = 4 * 3600;
  w.checkpoints(1h, CheckpointTo::object);
  CHECK(w.total("spot") == "10");
  const Bill bill = w.bill("spot");  // 4 + 4 + 2 hours
  CHECK(std::ranges::count(bill.ledger, Item::compute, &LedgerLine::item) == 3);
}

TEST_CASE("a longest run that is too short for any progress ends in an answer", "[billing][spot]") {
  Spot w;
  w.rules.spot.max_run_s = 3600;
  CHECK(warns(w.bill("spot"), "never_finishes"));
}

TEST_CASE("what was uploaded to a lost disk is uploaded again", "[billing][spot]") {
  Spot w;
  w.offer.price.spot = dec("1");
  w.rules.network.up_mbps = dec("80");  // 36 GB an hour
  w.rules.network.ingress_per_gb = dec("0.01");
  w.job.data.upload = Bytes::gb(36);
  w.lives({7200});
  const Bill bill = w.bill("spot");
  CHECK(part(bill, Item::transfer) == "2");
  CHECK(part(bill, Item::network) == "0.72");
  w.storage(StorageKind::volume, "0");
  w.job.data.disk = Bytes::gb(36);
  CHECK(part(w.bill("spot"), Item::transfer) == "1");
  CHECK(part(w.bill("spot"), Item::network) == "0.36");
}

TEST_CASE("disks that live on are paid while the next machine is awaited", "[billing][spot]") {
  Spot w;
  w.offer.price.spot = dec("1");
  w.rules.meter.month_hours = 720;
  w.storage(StorageKind::data, "0.72");  // 0.001 a GB-hour
  w.job.data.disk = Bytes::gb(100);
  w.lives({3600});
  w.rules.spot.restart_delay_s = 7200;
  CHECK(part(w.bill("spot"), Item::storage) == "1.3");  // 1 + 2 + 10 hours
  w.rules.storage[StorageKind::data].with_instance = true;
  CHECK(part(w.bill("spot"), Item::storage) == "1.1");
}

TEST_CASE("a spot machine cannot be stopped unless the platform says so", "[billing][spot]") {
  Spot w;
  w.offer.price.spot = dec("1");
  w.lives({});
  w.job.idle = 5h;
  w.job.auto_stop = 1h;
  const Bill bill = w.bill("spot");
  CHECK(to_string(bill.total) == "15");
  CHECK(warns(bill, "verb_not_offered"));
  w.rules.spot.can_stop = true;
  CHECK(w.total("spot") == "11");
}
