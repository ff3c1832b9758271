// How often spot machines may be taken back before another offer is first.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "catalog/offer_name.hpp"
#include "gpuplan/spot_forms.hpp"
#include "rank/flips.hpp"
#include "rank/groups.hpp"
#include "rank/steps.hpp"

namespace gpuplan::detail {
namespace {

// Mean lives are tried in thousandths of an hour, of three digits at most: 1, 2, ... 999, 1000, 1010,
// ... as many as there are below ten million hours.
constexpr std::int64_t kEach = 900, kLives = 999 + 7 * kEach;
constexpr int kDigits = 3;

Decimal life_of(std::int64_t index) {
  std::int64_t step = 1;
  while (index > 999) {
    index -= kEach;
    step *= 10;
  }
  return Decimal::of(index * step, kDigits);
}

std::int64_t index_of(double hours) {
  double thousandths = std::ceil(hours * 1000 * (1 - 1e-9));
  std::int64_t index = 0;
  while (thousandths > 999) {
    thousandths = std::ceil(thousandths / 10);
    index += kEach;
  }
  return std::clamp<std::int64_t>(index + static_cast<std::int64_t>(thousandths), 1, kLives);
}

// Lives that come from one number, so that another number can stand in its place.
bool one_number(const SpotRules& rules) {
  return !rules.reclaim_after_s && !rules.availability_file && !rules.availability_share &&
         !rules.lifetime && !rules.zone_mean_hours_between_reclaims && !rules.max_run_s;
}

bool stated(const SpotRules& rules) {
  return rules.mean_hours_between_reclaims || rules.interruption_percent_hour ||
         rules.interruption_percent_month;
}

double mean_life(const SpotRules& rules) {
  if (rules.mean_hours_between_reclaims) return rules.mean_hours_between_reclaims->approximate();
  const auto& hour = rules.interruption_percent_hour;
  const double share =
      (hour ? hour : rules.interruption_percent_month)->approximate() / 100;
  return share <= 0 ? INFINITY : spot::mean_life_of(share, hour ? 1 : 730);
}

class Search {
 public:
  Search(Ranking& ranking, const std::vector<Contender>& contenders, const RankOptions& options)
      : ranking_(ranking), contenders_(contenders), options_(options) {}

  void run() {
    if (ranking_.job.reclaim_mean) return all_move();
    primary_falls();
    another_rises(false);
    another_rises(true);
  }

 private:
  static constexpr std::size_t kMostTried = 3;  // spot offers that might overtake

  const RankedOffer& primary() const { return ranking_.ranked[*ranking_.primary]; }

  std::optional<RankedOffer> with_life(const Candidate& candidate, const Decimal& life) {
    Pricer pricer(ranking_, options_, {.offer = candidate.offer, .life = life});
    Priced priced = pricer.price(candidate, false);
    if (!priced.passes() || !may_be_primary(*priced.ranked)) return std::nullopt;
    return std::move(priced.ranked);
  }

  bool beats(const Candidate& candidate, std::int64_t index, const RankedOffer& rival) {
    const auto there = with_life(candidate, life_of(index));
    return there && before(*there, rival, SortKey::cost);
  }

  // Shorter lives are not tried: the work would take twenty times as long, and trials as well.
  std::int64_t least_index(Pricer& pricer, const Candidate& candidate) const {
    constexpr double kMostRatio = 20;
    const std::int64_t machines = std::max<std::int64_t>(ranking_.job.machines, 1);
    const Duration run = *(*candidate.sizing)->run;
    const auto life = life_at_ratio(pricer.request_for(candidate, run, machines), kMostRatio);
    const double hours = static_cast<double>(run.count()) / 3.6e9;
    return index_of(life.value_or(hours / 1000));
  }

  // The shortest life at which the candidate is before the rival, while it is not with the next
  // shorter one: from where closed forms put it, in steps that double, then by halves.
  std::optional<std::int64_t> shortest(const Candidate& candidate, const RankedOffer& rival,
                                       Money undisturbed) {
    Pricer pricer(ranking_, options_);
    const std::int64_t machines = std::max<std::int64_t>(ranking_.job.machines, 1);
    const auto about =
        life_at_ratio(pricer.request_for(candidate, *(*candidate.sizing)->run, machines),
                      approximate(rival.bill.total) / approximate(undisturbed));
    const std::int64_t lowest = least_index(pricer, candidate);
    std::int64_t at = std::max(index_of(about.value_or(1000)), lowest), step = 1;
    const bool first = beats(candidate, at, rival);
    std::int64_t low = first ? 0 : at, high = first ? at : 0;
    while (low == 0 || high == 0) {
      if ((first && at == lowest) || (!first && at == kLives)) return std::nullopt;
      at = first ? std::max(at - step, lowest) : std::min(at + step, kLives);
      step *= 4;
      (beats(candidate, at, rival) ? high : low) = at;
    }
    while (high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      (beats(candidate, middle, rival) ? high : low) = middle;
    }
    return high;
  }

  // The bill of a run that nothing disturbs: what lives without end come to.
  std::optional<Money> undisturbed(const Candidate& candidate) {
    const auto bill = with_life(candidate, life_of(kLives));
    return bill ? std::optional(bill->bill.total) : std::nullopt;
  }

  // Who is first when the primary is not counted.
  std::optional<RankedOffer> second() {
    std::vector<Contender> others = contenders_;
    std::erase_if(others, [&](const Contender& one) {
      return one.candidate->offer == primary().offer && *one.candidate->plan == primary().plan;
    });
    std::ranges::sort(others, {}, &Contender::total);
    Pricer pricer(ranking_, options_);
    return first_of(pricer, others, [](const Contender& one, Money best) { return one.total > best; });
  }

  static bool may_be_moved(const RankedOffer& row) {
    return row.plan == "spot" && row.sizing->run && one_number(row.offer->rules->spot);
  }

  void primary_falls() {
    if (!may_be_moved(primary()) || !stated(primary().offer->rules->spot)) return;
    const auto rival = second();
    const Candidate candidate = candidate_of(primary());
    const auto least = rival ? undisturbed(candidate) : std::nullopt;
    if (!least) return;
    const auto still = shortest(candidate, *rival, *least);
    if (!still || *still == 1) return;
    const Decimal life = life_of(*still - 1);
    if (life.approximate() >= mean_life(primary().offer->rules->spot)) return;
    add(primary(), life, *rival, "no longer than");
  }

  // The job says how long all spot machines live: that number moves, for all of them.
  void all_move() {
    const double now = static_cast<double>(ranking_.job.reclaim_mean->count()) / 3.6e9;
    for (const double factor : {1.25, 1.5, 2.0, 4.0, 16.0})
      if (try_all(now, now * factor)) break;
    if (primary().plan != "spot") return;  // shorter lives make spot dearer only
    for (const double factor : {0.8, 0.67, 0.5, 0.25})
      if (try_all(now, now * factor)) return;
  }

  // Whether another offer is first where machines live so long; then the nearest such life is noted.
  bool try_all(double now, double hours) {
    std::int64_t far = index_of(hours);
    std::int64_t near = index_of(now);
    if (far == near || !other_with(far)) return false;
    while (std::abs(far - near) > 1) {
      const std::int64_t middle = near + (far - near) / 2;
      (other_with(middle) ? far : near) = middle;
    }
    const auto winner = other_with(far);
    const Decimal life = life_of(far);
    const double percent = 100 * spot::reclaimed_within(1, life.approximate());
    ranking_.flips.push_back(
        {.knob = "reclaim_mean",
         .when = fmt::format("spot machines live {} h on average ({:.3g} % taken back an hour; {:.3g} h "
                             "now)",
                             life.to_string(), percent, now),
         .then = wins_with(*winner, ranking_),
         .value = life,
         .winner = winner->offer,
         .platform = winner->platform,
         .plan = winner->plan});
    return true;
  }

  // The first offer where every spot machine lives so long on average, if it is not the primary.
  std::optional<RankedOffer> other_with(std::int64_t index) {
    Pricer pricer(ranking_, options_, {.life = life_of(index)});
    // Other plans do not know of lives.
    auto best = first_of(pricer, contenders_, [](const Contender& one, Money least) {
      return *one.candidate->plan != "spot" && one.total > least;
    });
    if (best && best->offer == primary().offer && best->plan == primary().plan) best.reset();
    return best;
  }

  // `unknown`: of offers of which nobody states how often machines are taken back.
  void another_rises(bool unknown) {
    std::size_t tried = 0;
    for (const RankedOffer& row : ranking_.ranked) {
      if (&row == &primary() || !may_be_moved(row)) continue;
      if (unknown == stated(row.offer->rules->spot)) continue;
      if (unknown && may_be_primary(row)) continue;
      if (tried++ == kMostTried) return;
      const Candidate candidate = candidate_of(row);
      const auto least = undisturbed(candidate);
      if (!least || *least > primary().bill.total) continue;
      const auto index = shortest(candidate, primary(), *least);
      if (!index) continue;
      const Decimal life = life_of(*index);
      const auto winner = with_life(candidate, life);
      if (!winner) continue;
      if (stated(row.offer->rules->spot) && life.approximate() <= mean_life(row.offer->rules->spot))
        continue;
      return add(row, life, *winner, "");
    }
  }

  static std::string now(const RankedOffer& row) {
    const SpotRules& rules = row.offer->rules->spot;
    if (!stated(rules)) return "not stated now";
    const double life = mean_life(rules);
    return std::isinf(life) ? "never taken back now" : fmt::format("{:.3g} h now", life);
  }

  void add(const RankedOffer& moved, const Decimal& life, const RankedOffer& winner,
           std::string_view bound) {
    const double percent = 100 * spot::reclaimed_within(1, life.approximate());
    ranking_.flips.push_back(
        {.knob = "reclaims",
         .when = fmt::format("a machine of {}, spot, lives {}{}{} h on average ({:.3g} % taken back "
                             "an hour; {})",
                             offer_name(moved.platform->id, moved.offer->id), bound, bound.empty() ? "" : " ",
                             life.to_string(), percent, now(moved)),
         .then = wins_with(winner, ranking_),
         .value = life,
         .of = moved.offer,
         .winner = winner.offer,
         .platform = winner.platform,
         .plan = winner.plan});
  }

  Ranking& ranking_;
  const std::vector<Contender>& contenders_;
  const RankOptions& options_;
};

}  // namespace

void find_reclaim_flips(Ranking& ranking, const std::vector<Contender>& contenders,
                        const RankOptions& options) {
  Search(ranking, contenders, options).run();
}

}  // namespace gpuplan::detail
