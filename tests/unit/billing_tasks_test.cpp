// Whole tasks on several machines: a task is on one machine, however the hours would come out.
#include "billing_world.hpp"

using namespace gpuplan;
using namespace gpuplan::test;
using namespace std::chrono_literals;

namespace {

// So many tasks of four hours each, on so many machines at 1 an hour.
World tasks(std::int64_t count, std::int64_t machines) {
  World w;
  w.job.splits = count;
  w.job.machines = machines;
  w.run = count * Duration{4h};
  return w;
}

Duration last_use_of(const Bill& bill, std::int64_t machine) {
  Duration last{0};
  for (const LedgerLine& line : bill.ledger)
    if (line.instance == machine && line.item == Item::compute) last = std::max(last, line.to);
  return last;
}

}  // namespace

TEST_CASE("ten tasks on four machines last as long as three, and no card hour is paid twice", "[billing][tasks]") {
  World w = tasks(10, 4);
  const Bill bill = w.bill();
  CHECK(bill.time.wall == 12h);  // 3, 3, 2 and 2 tasks; ten hours each would cut two of them
  CHECK(to_string(bill.total) == "40");
  CHECK(bill.billed == 40h);
  CHECK(sum_of(bill) == bill.total);
  for (const auto& [machine, end] : {std::pair{0, 12h}, {1, 12h}, {2, 8h}, {3, 8h}}) {
    INFO("machine " << machine);
    CHECK(last_use_of(bill, machine) == end);
  }
  CHECK(warns(bill, "machines_without_tasks") == false);
}

TEST_CASE("tasks that can be dealt out evenly are the bill of as many machines", "[billing][tasks]") {
  World w = tasks(12, 4);
  const Bill dealt = w.bill();
  w.job.splits = 1;
  const Bill cut = w.bill();
  CHECK(dealt.total == cut.total);
  CHECK(dealt.time.wall == cut.time.wall);
}

TEST_CASE("three tasks keep three machines busy, not five", "[billing][tasks]") {
  World w = tasks(3, 5);
  w.rules.meter.minimum_s = 3600 * 5;  // each machine that starts pays five hours
  const Bill bill = w.bill();
  CHECK(warns(bill, "machines_without_tasks"));
  CHECK(to_string(bill.total) == "15");
  CHECK(bill.time.wall == 4h);
}

TEST_CASE("each machine meters its own tasks", "[billing][tasks]") {
  World w = tasks(3, 2);  // 8 h and 4 h
  w.rules.meter.quantum_s = 3600 * 3;
  CHECK(w.total() == "15");  // nine and six begun
  SECTION("in terms, the longest machine's block is told and each pays its own") {
    w.term("day", "24", "10");
    const Bill reserved = w.bill("day");
    CHECK(to_string(reserved.total) == "20");
    REQUIRE(reserved.blocks.size() == 1);
    CHECK(reserved.blocks.front().count == 1);
  }
}

TEST_CASE("what the job has once is billed once", "[billing][tasks]") {
  World w = tasks(3, 2);
  w.storage(StorageKind::image, "0.73");     // a GB-month of 730 h: a thousandth an hour
  w.storage(StorageKind::data, "0.73").included_gb = dec("100");
  w.storage(StorageKind::data, "0.73").included_per_account = true;
  w.job.keep.days = 10h;
  w.job.keep.images = {Bytes::gb(10)};
  w.job.keep.disk = false;
  w.job.data.disk = Bytes::gb(60);
  const Bill bill = w.bill();
  // The image: 10 GB x 10 h. Disks: 100 of 120 GB are free, so that 20 of the second machine's cost,
  // for its four hours.
  CHECK(part(bill, Item::compute) == "12");
  CHECK(part(bill, Item::storage) == "0.18");
  SECTION("a credit of the account is given once") {
    w.platform().account.credits.emplace_back().amount = dec("5");
    CHECK(part(w.bill(), Item::credit) == "-5");
  }
  SECTION("a fee of the account is paid once") {
    w.platform().account.fee_month = dec("7");
    CHECK(part(w.bill(), Item::fees) == "7");
  }
}

TEST_CASE("data goes along with the tasks", "[billing][tasks]") {
  World w = tasks(3, 2);
  w.job.data.upload = Bytes::gb(30);
  w.job.data.download = Bytes::gb(3);
  w.rules.network.ingress_per_gb = dec("0.1");
  w.rules.network.egress_per_gb = dec("1");
  w.rules.network.up_mbps = dec("8000");  // 1 GB a second
  const Bill bill = w.bill();
  CHECK(part(bill, Item::network) == "6");
  CHECK(bill.time.transfer == 20s);  // two thirds of it to the machine with two tasks of three
  SECTION("each machine needs all of it") {
    w.job.data.shared = true;
    CHECK(part(w.bill(), Item::network) == "9");
  }
  SECTION("an object store takes it once, before any machine") {
    w.job.data.stage = Stage::object;
    w.storage(StorageKind::object, "0.73").per = PricePer::hour;
    const Bill staged = w.bill();
    CHECK(part(staged, Item::network) == "6");
    CHECK(staged.time.wall == 8h + 30s);
  }
}

TEST_CASE("tasks never cost more time than a machine alone, nor less than all machines evenly", "[billing][tasks]") {
  for (std::int64_t count = 2; count <= 13; ++count)
    for (std::int64_t machines = 1; machines <= 9; ++machines) {
      World w = tasks(count, machines);
      INFO(count << " tasks on " << machines << " machines");
      const Bill bill = w.bill();
      const std::int64_t used = std::min(count, machines);
      CHECK(bill.time.wall == Duration{4h} * ((count + used - 1) / used));
      CHECK(bill.total == Money::units(4 * count));
      CHECK(sum_of(bill) == bill.total);
    }
}
