// How many bills a second one core makes: a year of daily sessions on one offer, with its disk, its
// traffic and every metering rule, and what else people ask for. One line of JSON for each.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>

#include "gpuplan/billing.hpp"

using namespace gpuplan;

namespace {

// Eight hours of work every day of 2026, stopped in between.
struct Year {
  Catalog catalog;
  Offer offer;
  Job job;

  Year() {
    Platform& platform = catalog.platforms.emplace_back();
    platform.id = "acme";
    platform.currency = "USD";
    Rules rules;
    rules.meter.quantum_s = 60;
    rules.meter.minimum_s = 60;
    rules.meter.round = Round::up;
    rules.meter.billed_from = BilledFrom::provisioning;
    rules.meter.month_hours = 730;
    rules.stop.stop = State::released;
    rules.provision.start_s = Decimal::of(120);
    rules.storage[StorageKind::data].price = Decimal::of(1, 1);
    rules.network.egress_per_gb = Decimal::of(5, 2);
    offer.id = "l40s";
    offer.card = "L40S";
    offer.price.on_demand = Decimal::of(9, 1);
    add_term("day", 24, 18);
    add_term("month", 720, 400);
    offer.rules = std::make_shared<const Rules>(rules);
    job.start = parse_moment("2026-01-01T00:00:00Z");
    job.schedule = Schedule{.from_minute = 9 * 60, .to_minute = 17 * 60, .days = 0x7f};
    job.data.disk = Bytes::gb(200);
    job.data.download = Bytes::gb(50);
  }

  void add_term(const std::string& name, std::int64_t hours, std::int64_t price) {
    Commitment& term = offer.price.commitments.emplace_back();
    term.name = name;
    term.hours = Decimal::of(hours);
    term.price = Decimal::of(price);
  }

  Result<Bill> bill(const std::string& plan, std::chrono::hours run, bool ledger) const {
    return simulate_bill({.catalog = &catalog,
                          .offer = &offer,
                          .job = &job,
                          .run = run,
                          .plan = plan,
                          .currency = "USD",
                          .ledger = ledger});
  }
};

void measure(const std::string& name, const std::function<Result<Bill>()>& make) {
  using Clock = std::chrono::steady_clock;
  const auto one = make();
  if (!one) {
    std::printf("{\"name\": \"%s\", \"error\": \"%s\"}\n", name.c_str(),
                one.errors().front().message.c_str());
    return;
  }
  int made = 0;
  const auto begin = Clock::now();
  std::chrono::duration<double> passed{0};
  for (; passed.count() < 1.0; passed = Clock::now() - begin, ++made)
    if (make()->total != one->total) std::abort();
  std::printf(
      "{\"name\": \"%s\", \"bills_per_second\": %.0f, \"ledger_lines\": %zu, \"total\": %s}\n",
      name.c_str(), made / passed.count(), one->ledger.size(), to_string(one->total).c_str());
}

}  // namespace

int main() {
  using namespace std::chrono_literals;
  const Year year;
  constexpr auto kYearOfWork = 365 * 8h - 365 * 2min;  // less two minutes of start-up a day
  const auto run = std::chrono::duration_cast<std::chrono::hours>(kYearOfWork);
  measure("year of daily sessions, ledger", [&] { return year.bill("on_demand", run, true); });
  measure("year of daily sessions, totals", [&] { return year.bill("on_demand", run, false); });
  measure("year of daily sessions, cheapest cover",
          [&] { return year.bill("reserved", run, false); });
  measure("one session of 8 h, ledger", [&] { return year.bill("on_demand", 7h, true); });
}
