// Prepaid days, weeks and months: what is bought, what is left over, what comes back.
#include <algorithm>
#include <random>

#include "billing_world.hpp"

using namespace gpuplan;
using namespace gpuplan::test;
using namespace std::chrono_literals;

namespace {

struct Prepaid : World {
  Prepaid() {
    term("day", "24", "20");
    term("week", "168", "100");
    term("month", "720", "350");
  }
};

std::string blocks_of(const Bill& bill) {
  std::string text;
  for (const Block& block : bill.blocks)
    text += std::to_string(block.count) + " " + block.term + " ";
  return text;
}

}  // namespace

TEST_CASE("a plan that names a term buys whole blocks of it", "[billing][terms]") {
  Prepaid w;
  w.run = 30h;
  CHECK(w.total("day") == "40");
  w.run = 50h;
  CHECK(w.total("week") == "100");
  w.run = 24h;
  CHECK(w.total("day") == "20");
}

TEST_CASE("ten days are a week and three days, the week first", "[billing][terms]") {
  Prepaid w;
  w.run = 240h;
  const Bill bill = w.bill("reserved");
  CHECK(to_string(bill.total) == "160");
  CHECK(blocks_of(bill) == "1 week 3 day ");
  REQUIRE(bill.ledger.size() == 4);
  CHECK(bill.ledger[0].unit == "week");
  CHECK(bill.ledger[0].to == Duration{168h});
  CHECK(bill.ledger[1].from == Duration{168h});
}

TEST_CASE("the cheapest cover is not the greedy one", "[billing][terms]") {
  World w;
  w.term("day", "24", "48");
  w.term("week", "168", "240");
  w.term("month", "720", "820");
  w.run = 4 * 24h;
  CHECK(w.total("reserved") == "192");
  w.run = 5 * 24h;
  CHECK(w.total("reserved") == "240");  // a week for five days
  w.run = 24 * 24h;
  CHECK(w.total("reserved") == "820");  // a month for 24 days
  w.run = 31 * 24h;
  CHECK(w.total("reserved") == "868");
}

TEST_CASE("start-up is inside the block, and a queue that is not billed is before it",
          "[billing][terms]") {
  Prepaid w;
  w.rules.provision.queue_s = dec("7200");
  w.rules.provision.start_s = dec("3600");
  w.run = 23h;
  const Bill bill = w.bill("day");
  CHECK(to_string(bill.total) == "20");
  CHECK(bill.ledger.front().from == Duration{2h});
  w.run = 24h;
  CHECK(w.total("day") == "40");
}

TEST_CASE("nights in between are paid all the same: a term runs while the machine is stopped",
          "[billing][terms]") {
  Prepaid w;
  w.job.schedule = Schedule{.from_minute = 20 * 60, .to_minute = 8 * 60};
  w.job.start = parse_moment("2026-12-01T20:00:00Z");
  w.run = 36h;  // three nights: 60 h from the first evening to the last morning
  CHECK(w.total("day") == "60");
  CHECK(w.total() == "36");
  SECTION("where the first stop ends the term, each night buys its own") {
    w.rules.terms.stop_forfeits = true;
    CHECK(w.total("day") == "60");
    CHECK(w.total("week") == "300");
  }
}

TEST_CASE("hours after the last block are on demand only where the term says so",
          "[billing][terms]") {
  Prepaid w;
  w.run = 170h;
  CHECK(w.total("week") == "200");
  w.rules.terms.at_end = AtEnd::on_demand;
  const Bill bill = w.bill("week");
  CHECK(to_string(bill.total) == "102");
  CHECK(blocks_of(bill) == "1 week ");
}

TEST_CASE("a last block that is hardly used is worth a warning with both bills",
          "[billing][terms]") {
  Prepaid w;
  w.run = 25h;
  CHECK(warns(w.bill("day"), "term_overrun"));  // 1 h of 24 h
  w.run = 26h;
  CHECK_FALSE(warns(w.bill("day"), "term_overrun"));
}

TEST_CASE("hours beside the price are owed for the whole term, or for used hours only",
          "[billing][terms]") {
  World w;
  Commitment& term = w.term("term-100", "100", "10");
  term.hourly = dec("0.5");
  w.run = 40h;
  CHECK(w.total("term-100") == "60");
  term.hourly_used = true;
  CHECK(w.total("term-100") == "30");
  w.rules.provision.start_s = dec("3600");
  CHECK(part(w.bill("term-100"), Item::startup) == "0.5");
}

TEST_CASE("a term that covers the cards leaves the other parts on demand", "[billing][terms]") {
  World w;
  w.offer.price.on_demand.reset();
  w.offer.vcpus = dec("10");
  w.offer.components = {{.what = "gpu", .price = dec("1"), .spot = {}, .per = PriceUnit::hour},
                        {.what = "vcpu", .price = dec("0.02"), .spot = {}, .per = PriceUnit::hour}};
  w.term("day", "24", "15");
  w.run = 20h;
  CHECK(w.total("day") == "15");
  w.rules.terms.covers_gpu_only = true;
  CHECK(w.total("day") == "19");
}

TEST_CASE("each machine has its own terms", "[billing][terms]") {
  Prepaid w;
  w.run = 40h;
  w.job.machines = 2;
  CHECK(w.total("day") == "40");
}

TEST_CASE("a month that is returned after ten days", "[billing][terms]") {
  World w;
  w.offer.price.on_demand = dec("1.39");
  w.term("month", "720", "1001.95");
  w.run = 240h;
  CHECK(w.total("month") == "1001.95");
  w.job.return_early = true;

  SECTION("gives nothing back where nothing is given back") {
    const Bill bill = w.bill("month");
    CHECK(to_string(bill.total) == "1001.95");
    CHECK(warns(bill, "no_refund"));
  }
  SECTION("pro rata: a third is paid") {
    w.rules.terms.refund = Refund{.kind = Refund::Kind::pro_rata, .value = {}};
    CHECK(w.total("month") == "333.983333333");
  }
  SECTION("with the used part counted one and a half times") {
    w.rules.terms.refund = Refund{.kind = Refund::Kind::multiplier, .value = dec("1.5")};
    CHECK(w.total("month") == "500.975");
    w.run = 480h;  // after 20 days nothing is left, after that it stays nothing
    CHECK(w.total("month") == "1001.95");
    w.run = 600h;
    CHECK(w.total("month") == "1001.95");
  }
  SECTION("as credit: a note, no money") {
    w.rules.terms.refund = Refund{.kind = Refund::Kind::service_credit, .value = {}};
    const Bill bill = w.bill("month");
    CHECK(to_string(bill.total) == "1001.95");
    CHECK(bill.ledger.back().item == Item::refund);
  }
}

TEST_CASE("the enjoyed discount is taken back with five percent on top: 212.40",
          "[billing][terms]") {
  // A vendor's own example: 1 an hour, 576 prepaid for 720 h, given back after 15 days:
  // 288 unused - 72 discount x 1.05.
  World w;
  w.term("month", "720", "576");
  w.rules.terms.refund = Refund{.kind = Refund::Kind::clawback, .value = dec("5")};
  w.job.return_early = true;
  w.run = 360h;
  CHECK(part(w.bill("month"), Item::refund) == "-212.4");
}

TEST_CASE("a term's own rules win over those of the offer", "[billing][terms]") {
  World w;
  w.term("month", "720", "720").refund = Refund{.kind = Refund::Kind::pro_rata, .value = {}};
  w.rules.terms.refund = Refund{};
  w.job.return_early = true;
  w.run = 72h;
  CHECK(w.total("month") == "72");
}

TEST_CASE("discounts for reserved plans hold for every term", "[billing][terms]") {
  Prepaid w;
  w.run = 24h;
  w.platform().account.discounts = {
      {.percent = dec("10"), .plans = {"reserved"}, .items = {}, .who = {}, .above_spend = {}}};
  CHECK(w.total("day") == "18");
  CHECK(w.total("reserved") == "18");
  CHECK(w.total() == "24");
}

TEST_CASE("cover: never dearer than any other choice of whole blocks", "[billing][terms]") {
  std::mt19937 random(20261130);
  for (int round = 0; round < 200; ++round) {
    World w;
    const std::array<int, 3> days{1, 2 + static_cast<int>(random() % 8),
                                  12 + static_cast<int>(random() % 20)};
    std::array<int, 3> price{};
    for (std::size_t i = 0; i < days.size(); ++i) {
      price[i] = 1 + static_cast<int>(random() % static_cast<unsigned>(days[i] * 10));
      w.term("t" + std::to_string(i), std::to_string(days[i] * 24), std::to_string(price[i]));
    }
    const int need = 1 + static_cast<int>(random() % 60);
    w.run = std::chrono::hours{need * 24};
    int best = INT32_MAX;
    for (int a = 0; a <= need; ++a)
      for (int b = 0; b * days[1] < need + days[1]; ++b)
        for (int c = 0; c * days[2] < need + days[2]; ++c)
          if (a * days[0] + b * days[1] + c * days[2] >= need)
            best = std::min(best, a * price[0] + b * price[1] + c * price[2]);
    CAPTURE(round, need, days, price);
    REQUIRE(w.total("reserved") == std::to_string(best));
  }
}
