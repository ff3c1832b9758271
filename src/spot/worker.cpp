#include "spot/worker.hpp"

#include "billing/spot.hpp"

namespace gpuplan::spot {
namespace {

using namespace billing;

BillRequest without_ledger(BillRequest request) {
  request.ledger = false;
  return request;
}

std::int64_t milliseconds(Duration time) { return (time.count() + 500) / 1000; }

}  // namespace

double Sums::Moments::standard_error(std::int64_t n, Wide unit) const {
  if (n < 2) return 0;
  const double count = static_cast<double>(n), mean = static_cast<double>(sum) / static_cast<double>(unit) / count;
  const double spread = static_cast<double>(squares) / count - mean * mean;
  // Of equal values nothing but a last digit is left.
  if (spread <= 1e-13 * mean * mean) return 0;
  return std::sqrt(spread / (count - 1));
}

void Sums::add(const Sums& other) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    items[i] += other.items[i];
    seen[i] = seen[i] || other.seen[i];
  }
  for (std::size_t i = 0; i < card_time.size(); ++i)
    for (std::size_t share = 0; share < card_time[i].size(); ++share)
      card_time[i][share] += other.card_time[i][share];
  queue += other.queue;
  startup += other.startup;
  transfer += other.transfer;
  run += other.run;
  zone_reclaims += other.zone_reclaims;
  sessions += other.sessions;
  for (const auto moments : {&Sums::reclaims, &Sums::billed, &Sums::lost}) {
    (this->*moments).sum += (other.*moments).sum;
    (this->*moments).squares += (other.*moments).squares;
  }
}

Worker::Worker(const BillRequest& request, const Plan& plan)
    : plan_(plan), shared_(request.account), ways_(without_ledger(request), plan) {
  if (plan.chances.life)
    drawn_.emplace(plan.chances, ways_.whole().prepared.setup.machines, plan.seed);
}

Outcome Worker::run(std::int64_t number) {
  if (plan_.hopeless) return {.finished = false};
  // What earlier bills of the account have left is there for each run anew.
  AccountUse account = shared_ != nullptr ? *shared_ : AccountUse{};
  AccountUse* const used = shared_ != nullptr || plan_.tasks > 1 ? &account : nullptr;
  if (drawn_) drawn_->begin_run(number);
  Part all;
  const auto do_task = [&](std::int64_t task, std::int64_t machine,
                           Duration from) -> std::optional<Duration> {
    const bool on_demand = plan_.policy.kind == PolicyKind::mixed && machine < plan_.policy.count;
    Way& way = ways_.of(task, on_demand);
    std::unique_ptr<Lives> listed;
    Notes unheard;
    if (drawn_) drawn_->begin_task(task);
    if (!drawn_ || on_demand) listed = stated_lives(way.prepared.setup, unheard);
    Lives& lives = listed ? *listed : static_cast<Lives&>(*drawn_);
    const auto part = do_part(way, lives, number, from, used);
    if (!part) return std::nullopt;
    all.total += part->total;
    all.billed += part->billed;
    all.lost += part->lost;
    all.reclaims += part->reclaims;
    return part->wall;
  };
  const auto wall = work_off(plan_.tasks, plan_.at_once, do_task);
  if (!wall) return {.finished = false};
  const Duration lost = all.lost / plan_.at_once;
  sums_.reclaims.add(all.reclaims, all.reclaims);
  sums_.billed.add(all.billed.count(), milliseconds(all.billed));
  sums_.lost.add(lost.count(), milliseconds(lost));
  return {.total = all.total, .wall = *wall, .finished = true, .reclaimed = all.reclaims > 0};
}

std::optional<Worker::Part> Worker::do_part(Way& way, Lives& lives, std::int64_t number,
                                            Duration from, AccountUse* account) {
  return way.quick ? do_quick(way, lives, from) : do_full(way, lives, number, from, account);
}

std::optional<Worker::Part> Worker::do_quick(Way& way, Lives& lives, Duration from) {
  const RunSums run = way.quick->run(lives, from);
  sums_.sessions += run.reclaims + 1;
  if (!run.finished) return std::nullopt;
  sums_.queue += run.queue.count();
  sums_.startup += run.startup.count();
  sums_.run += run.run.count();
  sums_.zone_reclaims += run.zone_reclaims;
  return Part{.total = run.total,
              .wall = run.wall,
              .billed = run.billed,
              .lost = run.lost,
              .reclaims = run.reclaims};
}

std::optional<Worker::Part> Worker::do_full(Way& way, Lives& lives, std::int64_t number,
                                            Duration from, AccountUse* account) {
  Prepared& prepared = way.prepared;
  Notes notes;
  const bool spot = prepared.setup.spot;
  const Line line = spot ? line_of(prepared.setup, plan_, lives, number, from, notes)
                         : build_line(prepared.setup, nullptr, notes, from);
  sums_.sessions += line.reclaims + 1;
  if (!line.finished) return std::nullopt;
  prepared.request.account = account;
  const Result<Bill> bill = bill_line(prepared, line, std::move(notes));
  prepared.request.account = nullptr;
  if (!bill) return std::nullopt;
  for (const auto& [item, amount] : bill->totals) {
    sums_.items[static_cast<std::size_t>(item)] += amount.nanos();
    sums_.seen[static_cast<std::size_t>(item)] = true;
  }
  sums_.queue += bill->time.queue.count();
  sums_.startup += bill->time.startup.count();
  sums_.transfer += bill->time.transfer.count();
  sums_.run += bill->time.run.count();
  sums_.zone_reclaims += line.zone_reclaims;
  return Part{.total = bill->total,
              .wall = bill->time.wall,
              .billed = bill->billed,
              .lost = bill->lost,
              .reclaims = bill->reclaims};
}

const Sums& Worker::sums() {
  for (std::size_t i = 0; i < ways_.all().size(); ++i)
    if (const auto& quick = ways_.all()[i]->quick) sums_.card_time[i] = quick->shares();
  return sums_;
}

// Once for all threads, so that what is rounded does not depend on how many there were.
void Worker::price(Sums& sums) {
  for (std::size_t i = 0; i < ways_.all().size(); ++i) {
    const Way& way = *ways_.all()[i];
    if (!way.quick) continue;
    for (std::size_t share = 0; share < sums.card_time[i].size(); ++share) {
      const Wide time = sums.card_time[i][share];
      const auto at = static_cast<std::size_t>(Quick::kItemsOfShares[share]);
      sums.items[at] += way.quick->price_of(time).nanos() * way.prepared.setup.machines;
      sums.seen[at] = sums.seen[at] || time != 0;
    }
  }
}

}  // namespace gpuplan::spot
