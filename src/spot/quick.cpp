#include "spot/quick.hpp"

#include <algorithm>
#include <numeric>

#include "billing/meter.hpp"
#include "billing/serverless.hpp"

namespace gpuplan::spot {
namespace {

using namespace billing;

constexpr std::int64_t kMostSessions = 1'000'000;  // as on the full time line

bool costs(const std::optional<Decimal>& price) { return price && !price->is_zero(); }

bool plain_time(const Setup& setup) {
  const Job& job = *setup.job;
  return !job.schedule && job.data.upload.count() == 0 && job.data.download.count() == 0 &&
         setup.stage_time.count() == 0 && setup.down.count() == 0 && setup.idle.count() == 0 &&
         setup.keep.count() == 0 && !setup.wall_limit && setup.work.count() > 0 && !setup.spot_terms.tries &&
         !by_request(setup);
}

// Storage and traffic that cost something.
bool plain_data(const Setup& setup) {
  const Job& job = *setup.job;
  const NetworkRules& network = setup.rules->network;
  if (setup.home == Home::data || setup.home == Home::volume || setup.data_disk.count() != 0 || setup.system_extra.count() != 0 ||
      !job.keep.images.empty() || job.keep.object || job.keep.ip)
    return false;
  if (network.ip_per_hour || network.ip_per_month) return false;
  if (!job.checkpoint || job.checkpoint->to == CheckpointTo::local ||
      job.checkpoint->size.count() == 0)
    return true;
  const StorageRule* object = setup.storage(StorageKind::object);
  const bool dear = priced(object) && (!object->price || !object->price->is_zero());
  return !dear && !costs(network.internal_per_gb);
}

bool plain_account(const Setup& setup) {
  const AccountRules& account = setup.platform->account;
  return !costs(account.fee_month) && account.credits.empty() && account.discounts.empty() &&
         !costs(setup.platform->tax_percent) && setup.request->account == nullptr &&
         setup.platform->currency == setup.request->currency;
}

bool plain_meter(const Setup& setup) {
  const MeterRules& meter = setup.rules->meter;
  const StateRate& rate = setup.rate(State::running);
  if (meter.align.value_or(Align::start) != Align::start || meter.cap_month || rate.flat ||
      rate.compute != Decimal::of(1))
    return false;
  return std::ranges::none_of(setup.running, [&](const Charge& charge) {
    return charge.series != nullptr || charge.price.scale() > 9 ||
           (charge.per == PriceUnit::month && meter.month_hours.value_or(730) == 0);
  });
}

Duration period_of(const Charge& charge, const Setup& setup) {
  switch (charge.per) {
    case PriceUnit::second:
      return kSecond;
    case PriceUnit::hour:
      return kHour;
    case PriceUnit::day:
      return kDay;
    case PriceUnit::month:
      break;
  }
  return setup.month_length(0);
}

}  // namespace

std::optional<Quick> Quick::of(const Prepared& prepared) {
  const Setup& setup = prepared.setup;
  if (!plain_time(setup) || !plain_data(setup) || !plain_account(setup) || !plain_meter(setup))
    return std::nullopt;
  return Quick(prepared);
}

Quick::Quick(const Prepared& prepared) : setup_(&prepared.setup) {
  const Setup& setup = prepared.setup;
  rhythm_ = {.every = setup.checkpoint_every,
             .write = setup.checkpoint_write,
             .after_last = setup.job->checkpoint && setup.spot_terms.checkpoint_after_last};
  for (const Charge& charge : setup.running) {
    Price price{.charge = charge, .period = period_of(charge, setup)};
    const Wide nanos = Money::rounded(charge.price).nanos();
    if (nanos <= INT64_MAX) {
      const std::int64_t common = std::gcd(static_cast<std::int64_t>(nanos), price.period.count());
      price.above = static_cast<std::int64_t>(nanos) / common;
      price.below = price.period.count() / common;
    }
    prices_.push_back(price);
  }
}

Money Quick::price(Duration billed) const {
  Money sum;
  for (const Price& price : prices_) {
    std::int64_t product = 0;
    if (price.above == 0 || __builtin_mul_overflow(price.above, billed.count(), &product)) {
      sum += Ratio{price.charge.price}.times(billed).over(price.period).money();
      continue;
    }
    const std::int64_t whole = product / price.below, rest = product % price.below;
    sum += Money::nanos(Wide{whole + (rest >= price.below - rest ? 1 : 0)});
  }
  return sum;
}

// Sums of many runs are too long for one product: whole periods, then the rest.
Money Quick::price_of(Wide micros) const {
  Money sum;
  for (const Price& price : prices_) {
    const Wide periods = micros / price.period.count(), rest = micros % price.period.count();
    sum += Money::nanos(Money::rounded(price.charge.price).nanos() * periods);
    sum += Ratio{price.charge.price}.times(static_cast<std::int64_t>(rest < 0 ? -rest : rest)).over(price.period).money();
  }
  return sum;
}

// The card time of one session; `length` from the begin of billing to its end.
void Quick::bill(Duration length, Duration startup, Duration lost, bool reclaimed, bool free,
                 RunSums& sums) {
  if (free || length.count() <= 0) return;
  sums.billed += length;
  const bool whole_only = reclaimed && setup_->spot_terms.free_last_quantum;
  const Duration billed =
      meter(setup_->rules->meter, setup_->calendar, Duration{0}, length, whole_only).billed;
  sums.total += price(billed);
  const Duration added = billed - length;
  startup_ += startup.count();
  lost_ += lost.count();
  work_ += (length - startup - lost).count();
  (lost.count() > 0 ? lost_ : length > startup ? work_ : startup_) += added.count();
}

RunSums Quick::run(Lives& lives, Duration from) {
  const Setup& setup = *setup_;
  const SpotTerms& terms = setup.spot_terms;
  RunSums sums;
  Duration now = from, work_left = setup.work;
  const bool restores = setup.job->checkpoint.has_value();
  bool hopeless = false;
  for (std::int64_t session = 0;; ++session) {
    if (session == 2) hopeless = !progress_possible(setup, lives);
    if (hopeless || session > kMostSessions || now > kHorizon) {
      sums.finished = false;
      break;
    }
    const bool first = session == 0;
    const Duration requested = now;
    if (first) now += setup.queue;
    if (first) sums.queue += setup.queue;
    const Duration begin = setup.billed_from == BilledFrom::request        ? requested
                           : setup.billed_from == BilledFrom::provisioning ? now
                                                                           : now + setup.start;
    Duration end = kNever;
    bool by_zone = false;
    if (const auto life = lives.next(begin)) {
      end = begin + std::max(*life, terms.protect);
      by_zone = lives.by_zone();
    }
    if (terms.max_run && begin + *terms.max_run < end) {
      end = begin + *terms.max_run;
      by_zone = false;
    }

    const Duration start = std::min(setup.start, std::max(end - now, Duration{0}));
    now += start;
    Duration restored{0};
    bool ready = true;
    if (restores && (!first || terms.first_restores)) {
      if (!terms.strikes_restore && now < end && end != kNever) end += setup.restore;
      restored = std::min(setup.restore, std::max(end - now, Duration{0}));
      ready = restored == setup.restore;
      now += restored;
    }
    sums.startup += start + restored;
    const Duration billed_startup = std::max(now - begin, Duration{0});

    const Duration room = ready ? std::max(end - now, Duration{0}) : Duration{0};
    const Duration whole = rhythm_.whole(work_left);
    if (ready && whole <= room) {
      now += whole;
      sums.run += whole;
      bill(now - begin, billed_startup, Duration{0}, false, false, sums);
      break;
    }
    now += room;
    sums.run += room;
    ++sums.reclaims;
    sums.zone_reclaims += by_zone ? 1 : 0;
    Duration lost{0};
    if (terms.survives == Survives::nothing) {
      lost = room;
    } else if (terms.survives == Survives::checkpoint) {
      const auto saved = rhythm_.saved_within(room);
      lost = room - saved.time;
      work_left -= saved.work;
    } else {
      work_left -= std::min(rhythm_.done_within(room), work_left);
    }
    sums.lost += lost;
    bill(now - begin, billed_startup, lost, true, now - begin < terms.free_within, sums);
    const Duration wait = lives.wait().value_or(terms.restart_delay);
    now += wait;
    sums.queue += wait;
  }
  sums.wall = now;
  sums.total = Money::nanos(sums.total.nanos() * setup.machines);
  sums.billed = repeated(sums.billed, setup.machines);
  return sums;
}

}  // namespace gpuplan::spot
