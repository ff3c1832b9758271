// The time line and its meters, over seeded random offers and jobs: every moment is accounted for
// once, and a bill that is cut at a quantum stays what it was.
#include <algorithm>
#include <map>
#include <tuple>

#include "billing/spot.hpp"
#include "billing_random.hpp"

using namespace gpuplan;
using namespace gpuplan::test;
using namespace std::chrono_literals;

namespace {

BillRequest request_of(World& w, const std::string& plan) {
  w.offer.rules = std::make_shared<const Rules>(w.rules);
  return {.catalog = &w.catalog,
          .offer = &w.offer,
          .job = &w.job,
          .run = w.run,
          .plan = plan,
          .currency = w.currency};
}

bool is_card_time(const LedgerLine& line) {
  switch (line.item) {
    case Item::compute:
    case Item::startup:
    case Item::transfer:
    case Item::idle:
    case Item::lost_work:
      return line.note != "prepaid" && line.note != "rounding" && line.note != "minimum";
    default:
      return false;
  }
}

// What one meter counts, by machine: card time, an address, a disk of one kind at one price step.
using MeterKey = std::tuple<std::int64_t, std::string, std::string>;
std::optional<MeterKey> meter_of(const LedgerLine& line) {
  if (is_card_time(line)) return MeterKey{line.instance, "card", ""};
  if (line.item == Item::network && line.unit == "hour")
    return MeterKey{line.instance, "address", ""};
  const bool disk =
      line.item == Item::storage && (line.rule == "storage.system" || line.rule == "storage.data" ||
                                     line.rule == "storage.volume");
  if (disk) return MeterKey{line.instance, line.rule, ""};
  return std::nullopt;
}

}  // namespace

TEST_CASE("a time line has no gap and no overlap, from the first queue to the end of retention",
          "[billing][property]") {
  for (unsigned seed = 0; seed < rounds(300); ++seed) {
    World w = random_world(seed);
    for (const std::string plan : {"on_demand", "spot"}) {
      CAPTURE(seed, plan);
      const BillRequest request = request_of(w, plan);
      billing::Notes notes;
      billing::Setup setup = billing::set_up(request, notes);
      const auto lives = setup.spot ? billing::stated_lives(setup, notes) : nullptr;
      const billing::Line line = billing::build_line(setup, lives.get(), notes);
      if (line.segments.empty()) continue;
      Duration now = line.segments.front().from;
      for (const billing::Segment& segment : line.segments) {
        REQUIRE(segment.from == now);
        REQUIRE(segment.to > segment.from);
        now = segment.to;
      }
      REQUIRE(now == line.keep_end);
      // What was asked for is done, and what is done again is marked as such.
      Duration worked{0};
      for (const billing::Segment& segment : line.segments)
        if (segment.activity == billing::Activity::work) worked += segment.to - segment.from;
      if (line.finished) REQUIRE(worked >= setup.work);
      if (line.finished && !w.job.checkpoint) REQUIRE(worked == setup.work);
    }
  }
}

TEST_CASE("each meter counts no second twice", "[billing][property]") {
  for (unsigned seed = 0; seed < rounds(300); ++seed) {
    World w = random_world(seed);
    for (const std::string& plan : plans_of(w)) {
      CAPTURE(seed, plan);
      const Bill bill = w.bill(plan);
      std::map<MeterKey, std::vector<std::pair<Duration, Duration>>> meters;
      Duration billed{0};
      for (const LedgerLine& line : bill.ledger) {
        if (const auto key = meter_of(line)) meters[*key].push_back({line.from, line.to});
        if (is_card_time(line)) billed += line.to - line.from;
      }
      for (auto& [key, spans] : meters) {
        std::ranges::sort(spans);
        for (std::size_t i = 1; i < spans.size(); ++i)
          REQUIRE(spans[i - 1].second <= spans[i].first);
      }
      // The lines of card time are all of it (blocks of a term replace them).
      if (plan == "on_demand" || plan == "spot") REQUIRE(billed == bill.billed);
    }
  }
}

TEST_CASE("a run that is cut in two at a quantum costs what it cost whole", "[billing][property]") {
  for (unsigned seed = 0; seed < rounds(150); ++seed) {
    CAPTURE(seed);
    World w = random_world(seed);
    // Card time alone: what is paid once a job or by the size of the month would be paid twice.
    Rules rules;
    rules.meter.quantum_s = w.rules.meter.quantum_s;
    rules.stop = w.rules.stop;
    w.rules = rules;
    w.platform().account = {};
    w.platform().currency = "USD";
    w.platform().tax_percent.reset();
    const Job job;
    w.job = job;
    const Duration tick{*rules.meter.quantum_s * 1'000'000};
    const Duration whole = w.run;
    const Duration first = tick * (whole / tick / 2);
    const Money once = w.bill().total;
    w.run = first;
    const Money before = w.bill().total;
    w.run = whole - first;
    const Money after = w.bill().total;
    const Wide apart = (before + after - once).nanos();
    REQUIRE((apart >= -1 && apart <= 1));  // two roundings to a billionth instead of one
  }
}

TEST_CASE("the cheapest cover equals trying all counts of blocks, with hours after them",
          "[billing][property]") {
  Chance chance(20261130);
  for (unsigned round = 0; round < rounds(120); ++round) {
    World w;
    w.offer.price.on_demand = Decimal::of(1 + chance.upto(300), 2);
    const std::int64_t cents = w.offer.price.on_demand->times(100).value();
    struct Block {
      std::int64_t hours, cents;
      bool hours_after;
    };
    std::vector<Block> blocks;
    for (const std::int64_t hours : {24 + 12 * chance.upto(3), 100 + chance.upto(100)}) {
      blocks.push_back({hours, 1 + cents * hours * (30 + chance.upto(80)) / 100, chance.often()});
      Commitment& term = w.term("t" + std::to_string(hours), std::to_string(hours), "1");
      term.price = Decimal::of(blocks.back().cents, 2);
      term.at_end = blocks.back().hours_after ? AtEnd::on_demand : AtEnd::renew;
    }
    const std::int64_t need = 1 + chance.upto(500);
    w.run = std::chrono::hours{need};
    std::int64_t best = INT64_MAX;
    for (std::int64_t a = 0; a * blocks[0].hours < need + blocks[0].hours; ++a)
      for (std::int64_t b = 0; b * blocks[1].hours < need + blocks[1].hours; ++b) {
        if (a + b == 0) continue;
        // The longest block comes first, so the last one is the shorter if there is any.
        const Block& last = a > 0 ? blocks[0] : blocks[1];
        const std::int64_t covered = a * blocks[0].hours + b * blocks[1].hours;
        if (covered < need && !last.hours_after) continue;
        const std::int64_t left = std::max<std::int64_t>(need - covered, 0);
        best = std::min(best, a * blocks[0].cents + b * blocks[1].cents + left * cents);
      }
    CAPTURE(round, need);
    REQUIRE(w.bill("reserved").total == Money::nanos(Wide{best} * 10'000'000));
  }
}
