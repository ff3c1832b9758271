#include "rank/flip_price.hpp"
#include "rank/flips.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <queue>
#include <utility>

#include "catalog/offer_name.hpp"
#include "rank/groups.hpp"
#include "rank/steps.hpp"

namespace gpuplan::detail {
namespace {

// Factors are thousandths: 1.31 times is 1310.
constexpr std::int64_t kOne = 1000;
constexpr std::int64_t kMost = 16 * kOne;  // further away is another job

std::string money(Money amount, const Ranking& ranking) {
  return to_string(amount, minor_digits(ranking.currency)) + " " + ranking.currency;
}

std::string named(const RankedOffer& offer) {
  return fmt::format("{} {} x{}, {}", offer.platform->id, offer.sizing->card->name,
                     offer.offer->gpus, plan_words(offer.plan));
}

class Search {
 public:
  Search(Ranking& ranking, std::vector<Contender> contenders, const RankOptions& options)
      : ranking_(&ranking), options_(&options), contenders_(std::move(contenders)) {
    std::ranges::sort(contenders_, {}, &Contender::total);
  }

  void run() {
    work_grows();
    work_shrinks();
    upload_grows();
    upload_goes();
    price_rises();
    price_falls();
    window_changes();
  }

 private:
  struct Winner {
    std::optional<RankedOffer> offer;
    bool other = false;  // than the primary
  };
  enum class Bound { rises, shrinks, one_price, none };

  const RankedOffer& primary() const { return ranking_->ranked[*ranking_->primary]; }
  bool is_primary(const RankedOffer& r) const {
    return r.offer == primary().offer && r.plan == primary().plan;
  }

  // Who is first with this setting. `bound` says what may be skipped: bills that only rise are at
  // least what they were, and so are those of the offers whose price does not move; with less work
  // they are, but for credits, at least half in proportion (a block paid in advance is the step).
  Winner first(const Setting& setting, Bound bound) {
    Pricer pricer(*ranking_, *options_, setting);
    pricer.keep_in(known_);
    Winner winner{.offer = first_of(pricer, contenders_, [&](const Contender& one, Money best) {
      return hopeless(one, best, setting, bound);
    })};
    winner.other = winner.offer && !is_primary(*winner.offer);
    return winner;
  }

  // A bound for leaving out only: what is left is compared by exact bills.
  static bool hopeless(const Contender& contender, Money best, const Setting& setting,
                       Bound bound) {
    const Candidate& candidate = *contender.candidate;
    if (bound == Bound::none || (bound == Bound::one_price && candidate.offer == setting.offer))
      return false;
    if (!candidate.platform->account.credits.empty() &&
        (bound == Bound::shrinks || candidate.offer->rules->meter.cap_month))
      return false;
    const bool shrinks = bound == Bound::shrinks;
    const double share = shrinks ? setting.work.approximate() / 2 : 1;
    const double least = approximate(shrinks ? contender.undisturbed : contender.total) * share *
                         kept(*candidate.platform);
    return least > approximate(best) * (1 + 1e-9);
  }

  // What a discount above a sum leaves of a bill that has just reached it.
  static double kept(const Platform& platform) {
    double left = 1;
    for (const Discount& discount : platform.account.discounts)
      if (discount.above_spend)
        left *= std::max(0.0, 1 - discount.percent.approximate() / 100);
    return left;
  }

  Setting work(std::int64_t thousandths) const {
    return {.work = Decimal::of(thousandths, 3)};
  }
  Setting upload(std::int64_t thousandths) const {
    return {.upload = Decimal::of(thousandths, 3)};
  }

  // The factor nearest to 1 between `near` (where the primary is first) and `far` (where it is not)
  // from which on another offer is first.
  template <class Make>
  std::int64_t nearest(std::int64_t near, std::int64_t far, Make make, Bound bound) {
    while (std::abs(far - near) > 1) {
      const std::int64_t middle = near + (far - near) / 2;
      (first(make(middle), bound).other ? far : near) = middle;
    }
    return far;
  }

  template <class Make>
  void grow(std::string_view knob, Make make, std::string_view words) {
    std::int64_t near = kOne;
    for (const std::int64_t far : {kOne * 3 / 2, kOne * 2, kOne * 4, kOne * 8, kMost}) {
      const Winner there = first(make(far), Bound::rises);
      if (!there.offer) return;  // the gates let nobody pass
      if (there.other) {
        const std::int64_t factor = nearest(near, far, make, Bound::rises);
        return add(knob, factor, first(make(factor), Bound::rises), words);
      }
      near = far;
    }
  }

  void add(std::string_view knob, std::int64_t factor, const Winner& winner,
           std::string_view words) {
    if (!winner.other) return;
    const Decimal value = Decimal::of(factor, 3);
    ranking_->flips.push_back({.knob = std::string(knob),
                               .when = fmt::format("{} {} times as large", words,
                                                   value.to_string()),
                               .then = then(*winner.offer),
                               .value = value,
                               .winner = winner.offer->offer,
                               .platform = winner.offer->platform,
                               .plan = winner.offer->plan});
  }

  std::string then(const RankedOffer& winner) const { return wins_with(winner, *ranking_); }

  void work_grows() {
    grow("work", [this](std::int64_t f) { return work(f); }, "the work is");
  }

  void work_shrinks() {
    const auto make = [this](std::int64_t f) { return work(f); };
    std::int64_t near = kOne;
    for (const std::int64_t far : {kOne * 2 / 3, kOne / 2, kOne / 4, kOne / 8}) {
      const Winner there = first(make(far), Bound::shrinks);
      if (!there.offer) return;
      if (there.other) {
        const std::int64_t factor = nearest(near, far, make, Bound::shrinks);
        return add("work", factor, first(make(factor), Bound::none), "the work is");
      }
      near = far;
    }
  }

  void upload_grows() {
    if (ranking_->job.data.upload.count() > 0)
      grow("upload", [this](std::int64_t f) { return upload(f); }, "the upload is");
  }

  void upload_goes() {
    if (ranking_->job.data.upload.count() == 0) return;
    const auto make = [this](std::int64_t f) { return upload(f); };
    const Winner without = first(make(0), Bound::none);
    if (!without.other) return;
    const std::int64_t factor = nearest(kOne, 0, make, Bound::none);
    add("upload", factor, first(make(factor), Bound::none), "the upload is");
  }

  const Candidate* candidate_of(const RankedOffer& r) const {
    for (const Contender& contender : contenders_)
      if (contender.candidate->offer == r.offer && *contender.candidate->plan == r.plan)
        return contender.candidate;
    return nullptr;
  }

  // The first of another offer that could be taken.
  const RankedOffer* runner_up() const {
    for (const RankedOffer& r : ranking_->ranked)
      if (r.offer != primary().offer && may_be_primary(r)) return &r;
    return nullptr;
  }

  void price_rises() {
    const Candidate* moved = candidate_of(primary());
    if (moved == nullptr || !movable(*moved)) return;
    const auto price = nearest_price(*moved->price, kMostOfPrice, [&](const Decimal& p) {
      return first(priced_at(*moved, p), Bound::rises).other;
    });
    if (price) add_price(*moved, *price, "rises", first(priced_at(*moved, *price), Bound::rises));
  }

  void price_falls() {
    const RankedOffer* second = runner_up();
    const Candidate* moved = second == nullptr ? nullptr : candidate_of(*second);
    if (moved == nullptr || !movable(*moved)) return;
    const auto price = nearest_price(*moved->price, 0, [&](const Decimal& p) {
      const Winner winner = first(priced_at(*moved, p), Bound::one_price);
      return winner.other && winner.offer->offer == moved->offer;
    });
    if (price)
      add_price(*moved, *price, "falls", first(priced_at(*moved, *price), Bound::one_price));
  }

  void add_price(const Candidate& moved, const Decimal& price, std::string_view verb,
                 const Winner& winner) {
    if (winner.other)
      ranking_->flips.push_back(price_flip(moved, price, verb, *winner.offer, *ranking_));
  }

  // Whole hours in which the job may run each day: fewer mean more days of kept disks and of blocks
  // that are paid and not used.
  void window_changes() {
    constexpr int kDay = 24 * 60;
    const auto& schedule = ranking_->job.schedule;
    if (!schedule) return;
    const int minutes = (schedule->to_minute - schedule->from_minute + kDay - 1) % kDay + 1;
    window_changes(minutes / 60, {minutes / 60 + 1, minutes / 30, 24}, minutes);
    window_changes((minutes + 59) / 60, {(minutes - 1) / 60, minutes / 120, minutes / 240, 1}, minutes);
  }

  // The first hours from `near` on towards the last of `stops` with which another offer is first.
  void window_changes(int near, std::initializer_list<int> stops, int minutes) {
    const int last = *(stops.end() - 1);
    const auto make = [](std::int64_t hours) { return Setting{.window_hours = static_cast<int>(hours)}; };
    for (const int stop : stops) {
      const int far = last > near ? std::min(stop, last) : std::max(stop, last);
      if (far == near || (far > near) != (last > near)) continue;
      const Winner there = first(make(far), Bound::none);
      if (!there.offer) return;
      if (there.other) return add_window(nearest(near, far, make, Bound::none), minutes);
      near = far;
    }
  }

  void add_window(std::int64_t hours, int minutes) {
    const Winner winner = first({.window_hours = static_cast<int>(hours)}, Bound::none);
    if (!winner.other) return;
    ranking_->flips.push_back(
        {.knob = "schedule",
         .when = fmt::format("the daily window is {} h long instead of {}", hours,
                             show_duration(std::chrono::minutes{minutes})),
         .then = then(*winner.offer),
         .value = Decimal::of(hours),
         .winner = winner.offer->offer,
         .platform = winner.offer->platform,
         .plan = winner.offer->plan});
  }

  Ranking* ranking_;
  const RankOptions* options_;
  std::vector<Contender> contenders_;
  Pricer::Known known_;
};

}  // namespace

std::optional<RankedOffer> first_of(Pricer& pricer, const std::vector<Contender>& contenders,
                                    const std::function<bool(const Contender&, Money best)>& leave_out) {
  std::optional<RankedOffer> best;
  const auto look_at = [&](const Candidate& candidate) {
    Priced priced = pricer.price(candidate, false);
    if (!priced.passes() || !may_be_primary(*priced.ranked)) return;
    if (!best || before(*priced.ranked, *best, SortKey::cost)) best = std::move(priced.ranked);
  };
  const auto is_spot = [](const Contender& one) { return *one.candidate->plan == "spot"; };
  for (const Contender& one : contenders)
    if (!is_spot(one) && !(best && leave_out(one, best->bill.total))) look_at(*one.candidate);
  // Floors of those that come first as things are, and what has the lowest of them is tried as soon as
  // no other is likely to have a lower one.
  using Waiting = std::pair<Money, const Candidate*>;
  const auto later = [](const Waiting& a, const Waiting& b) { return a.first > b.first; };
  std::priority_queue<Waiting, std::vector<Waiting>, decltype(later)> waiting(later);
  const auto try_up_to = [&](std::optional<Money> limit) {
    for (; !waiting.empty() && (!limit || waiting.top().first <= *limit); waiting.pop())
      if (!best || waiting.top().first <= best->bill.total) look_at(*waiting.top().second);
  };
  for (const Contender& one : contenders) {
    if (!is_spot(one)) continue;
    try_up_to(one.total);
    if (best && leave_out(one, best->bill.total)) continue;
    if (const auto floor = pricer.floor(*one.candidate))
      waiting.emplace(floor->total, one.candidate);
    else
      look_at(*one.candidate);
  }
  try_up_to(std::nullopt);
  return best;
}

bool movable(const Candidate& candidate) {
  return candidate.price && !candidate.price->is_zero() && candidate.offer->components.empty() &&
         candidate.offer->price.spot_series == nullptr;
}

Setting priced_at(const Candidate& moved, const Decimal& price) {
  return {.offer = moved.offer, .spot = *moved.plan == "spot", .price = price};
}

Flip price_flip(const Candidate& moved, const Decimal& price, std::string_view verb,
                const RankedOffer& winner, const Ranking& ranking) {
  return {.knob = "price",
          .when = fmt::format("the price of {}, {}, {} from {} to {} {} an hour",
                              offer_name(moved.platform->id, moved.offer->id), plan_words(*moved.plan), verb,
                              moved.price->to_string(), price.to_string(), moved.platform->currency),
          .then = wins_with(winner, ranking),
          .value = price,
          .of = moved.offer,
          .winner = winner.offer,
          .platform = winner.platform,
          .plan = winner.plan};
}

std::string wins_with(const RankedOffer& winner, const Ranking& ranking) {
  return fmt::format("{} wins with {}", named(winner), money(winner.bill.total, ranking));
}

void find_flips(Ranking& ranking, std::vector<Contender> contenders, const RankOptions& options) {
  if (!ranking.primary || !options.flips || !options.offer.empty()) return;
  // A score is relative to all others: each price that is tried scores them all again.
  constexpr std::size_t kMostScored = 2000;
  const bool all = ranking.ranked.size() == ranking.ranked_total && ranking.ranked_total <= kMostScored;
  if (ranking.sort == SortKey::score || ranking.sort == SortKey::unit_cost) {
    if (all) find_score_flips(ranking, options);
    return;
  }
  if (ranking.sort != SortKey::cost) return;  // neither time nor risk has a price
  Search(ranking, contenders, options).run();
  find_reclaim_flips(ranking, contenders, options);
}

}  // namespace gpuplan::detail
