#include "rank/watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/text.hpp"
#include "rank/steps.hpp"

namespace gpuplan::detail {
namespace {

struct View {
  const RankedOffer& offer;
  const Ranking& ranking;
  const RankOptions& options;
  const UsualPrices& usual;

  const Job& job() const { return ranking.job; }
  const Rules& rules() const { return *offer.offer->rules; }
  Money item(Item wanted) const {
    const auto at = offer.bill.totals.find(wanted);
    return at == offer.bill.totals.end() ? Money{} : at->second;
  }
  std::string money(Money amount) const {
    return to_string(amount, minor_digits(ranking.currency)) + " " + ranking.currency;
  }
};

// The message, or nothing when there is no reason to warn.
using Check = std::string (*)(const View& view);

// A run of training that loses a day when its machine fails.
std::string no_checkpoint(const View& v) {
  constexpr std::chrono::hours kLong{24};
  if (!v.job().workload.training() || v.job().checkpoint || v.offer.bill.time.run <= kLong)
    return {};
  return fmt::format("the run takes {} and nothing says that it writes checkpoints: a fault near the "
                     "end costs all of it (--checkpoint-every)",
                     show_duration(v.offer.bill.time.run));
}

std::string mostly_idle(const View& v) {
  Duration paid{0};
  for (const Block& block : v.offer.bill.blocks)
    for (const Commitment& sold : v.offer.offer->price.commitments)
      if (sold.name == block.term)
        paid += Duration{sold.hours.times(3'600'000'000).value_or(0) * block.count};
  // Used for less than half of what is paid for.
  const Duration used = v.offer.bill.time.wall * v.offer.machines;
  if (paid.count() == 0 || used * 2 >= paid) return {};
  return fmt::format("{} of card time are paid in advance, {} of them are used", show_duration(paid),
                     show_duration(used));
}

std::string long_upload(const View& v) {
  const TimeLine& time = v.offer.bill.time;
  if (time.transfer <= time.run) return {};
  return fmt::format("the data take {} on the line, the run {}: see gpuplan transfer",
                     show_duration(time.transfer), show_duration(time.run));
}

std::string dear_storage(const View& v) {
  const Money storage = v.item(Item::storage), compute = v.item(Item::compute);
  if (storage <= compute || storage.is_zero()) return {};
  return fmt::format("disks and images cost {}, the card {}", v.money(storage), v.money(compute));
}

std::string slow_double_precision(const View& v) {
  if (v.job().workload.mode != Mode::fp64) return {};
  const Card& card = *v.offer.sizing->card;
  const auto &fp64 = card.rates.fp64, &fp32 = card.rates.fp32;
  // Cards for science have half or all of it.
  constexpr double kFew = 8;
  if (!fp64 || !fp32 || fp32->per_second() < kFew * fp64->per_second()) return {};
  return fmt::format("{} does double precision at {:.3g} of {:.3g} TFLOP/s: one {:.0f}th", card.name,
                     fp64->per_second() / 1e12, fp32->per_second() / 1e12,
                     fp32->per_second() / fp64->per_second());
}

std::string egress_not_known(const View& v) {
  if (v.job().data.download.count() == 0 || v.rules().network.egress_per_gb) return {};
  return "what it costs to bring " + show_bytes(v.job().data.download) +
         " home is not stated: it is not in the bill";
}

std::string credit_expires(const View& v) {
  if (v.item(Item::credit) >= Money{}) return {};
  for (const Credit& credit : v.offer.platform->account.credits)
    if (credit.expires_days)
      return fmt::format("{} of credit are in the bill; it expires {} days after it is given",
                         v.money(-v.item(Item::credit)), credit.expires_days->to_string());
  return {};
}

std::string not_exclusive(const View& v) {
  const auto& exclusive = v.rules().service.exclusive;
  if (exclusive && *exclusive) return {};
  if (exclusive) return "the card is shared with others";
  // Hyperscalers hand out whole cards; who does not say so elsewhere may not.
  const bool shared_kind = v.offer.offer->tier == "community" || v.offer.offer->share.has_value();
  return shared_kind ? "whether the card is yours alone is not stated" : "";
}

std::string old_price(const View& v) {
  if (!v.options.as_of) return {};
  const auto date = price_date(*v.offer.offer, *v.offer.platform, *v.ranking.catalog);
  constexpr int kOld = 90;
  if (!date || days_between(*date, *v.options.as_of) <= kOld) return {};
  return fmt::format("the price is of {}, {} days old", to_string(*date),
                     days_between(*date, *v.options.as_of));
}

std::string other_memory(const View& v) {
  const Card& card = *v.offer.sizing->card;
  const auto& stated = v.offer.offer->memory;
  if (!stated || v.offer.offer->share) return {};
  const auto apart = [&](Bytes usual) {
    return std::abs(stated->as_double() - usual.as_double()) > 0.08 * usual.as_double();
  };
  if (!apart(card.memory) || !apart(card.memory_nominal)) return {};
  return fmt::format("the offer states {}, a {} has {}: a modified or sliced card", show_gib(*stated),
                     card.name, show_gib(card.memory));
}

std::string odd_price(const View& v) {
  constexpr double kOdd = 10;
  const auto apart = v.usual.apart(*v.offer.offer, *v.offer.platform, v.offer.sizing->card);
  return apart && apart->times() > kOdd ? apart->words() : "";
}

// What trains in fp16 because the card has nothing else.
std::string no_bf16(const View& v) {
  const Card& card = *v.offer.sizing->card;
  if (!v.job().workload.training() || !v.offer.sizing->layout || card.rates.bf16) return {};
  if (v.offer.sizing->layout->workload.precision != Precision::fp16) return {};
  return card.name + " does not compute bf16: fp16 needs loss scaling, and a recipe written for bf16 has to be changed";
}

struct Row {
  std::string_view code;
  Check check;
};
constexpr std::array kRows{Row{"shared_or_unknown_exclusive", not_exclusive},
                           Row{"card_memory_differs", other_memory},
                           Row{"no_checkpoint_long_run", no_checkpoint},
                           Row{"upload_longer_than_run", long_upload},
                           Row{"storage_above_compute", dear_storage},
                           Row{"reserved_mostly_idle", mostly_idle},
                           Row{"consumer_fp64", slow_double_precision},
                           Row{"egress_unknown", egress_not_known},
                           Row{"credit_expires", credit_expires},
                           Row{"price_old", old_price},
                           Row{"price_outlier", odd_price},
                           Row{"no_native_bf16", no_bf16}};

}  // namespace

void watch(RankedOffer& offer, const Ranking& ranking, const RankOptions& options, const UsualPrices& usual) {
  if (offer.sizing->card == nullptr) return;
  const View view{offer, ranking, options, usual};
  for (const Row& row : kRows)
    if (std::string message = row.check(view); !message.empty())
      offer.warnings.push_back({std::string(row.code), std::move(message), offer.offer->id});
}

}  // namespace gpuplan::detail
