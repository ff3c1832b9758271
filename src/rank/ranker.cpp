#include "rank/ranker.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "rank/afford.hpp"
#include "rank/watch.hpp"

namespace gpuplan::detail {
namespace {

// Rows that are ranked in any case, so that reasons and flips have something to compare with.
constexpr std::size_t kLeastRows = 10;

}  // namespace

Ranker::Ranker(Ranking& ranking, const Tables& tables, const RankOptions& options)
    : ranking_(&ranking),
      options_(&options),
      sizer_(ranking.job, ranking.model, *ranking.catalog, tables),
      pricer_(ranking, options),
      found_(*ranking.catalog) {}

void Ranker::run() {
  found_ = collect_offers(*ranking_, sizer_, *options_);
  ranking_->rejected_total = found_.rejected_total;
  ranking_->rejected_by_reason = found_.rejected_by_reason;
  if (may_leave_some_out())
    price_best();
  else
    price_all();
}

// The bills of many runs take long, those of others microseconds.
bool Ranker::takes_long(const Kind& kind) const {
  const SpotRules& rules = kind.rules->spot;
  return *kind.plan == "spot" &&
         (ranking_->job.reclaim_mean || rules.mean_hours_between_reclaims || rules.interruption_percent_hour ||
          rules.interruption_percent_month || rules.lifetime);
}

bool Ranker::may_leave_some_out() const {
  const Job& job = ranking_->job;
  const auto slow = [this](const Group& one) { return takes_long(one.kind()); };
  const std::size_t all = std::ranges::any_of(found_.groups, slow) ? 0 : options_->price_all_up_to;
  return options_->rows > 0 && found_.candidates > std::max({all, options_->rows, kLeastRows}) &&
         ranking_->sort == SortKey::cost && !asks_what_a_budget_buys(job) && !job.budget &&
         !job.max_unit_cost && !options_->max_age_days && options_->max_hourly.empty();
}

void Ranker::reject_gated(const Candidate& candidate, std::vector<Priced> priced) {
  RejectedOffer rejected{.offer = candidate.offer, .platform = candidate.platform};
  for (Priced& one : priced) {
    for (Reason& reason : one.reasons) {
      const bool said = std::ranges::any_of(rejected.reasons, [&](const Reason& r) {
        return r.code == reason.code && r.message == reason.message;
      });
      if (!said) rejected.reasons.push_back(std::move(reason));
    }
    if (one.ranked && !rejected.bill)
      rejected.bill = std::make_shared<const RankedOffer>(std::move(*one.ranked));
  }
  ++ranking_->rejected_by_reason[rejected.reasons.front().code];
  ++ranking_->rejected_total;
  ranking_->any_gated = ranking_->any_gated || rejected.bill != nullptr;
  if (gated_.size() < options_->most_rejected) gated_.push_back(std::move(rejected));
}

void Ranker::price_all() {
  const bool affords = asks_what_a_budget_buys(ranking_->job);
  candidates_ = listed_candidates(found_.groups, *options_);
  const bool ledger = candidates_.size() <= options_->price_all_up_to;
  for (std::size_t first = 0, last = 0; first < candidates_.size(); first = last) {
    std::vector<Priced> failed;
    bool passed = false;
    for (; last < candidates_.size() && candidates_[last].offer == candidates_[first].offer;
         ++last) {
      const Candidate& candidate = candidates_[last];
      Priced priced = affords ? afford(candidate, *ranking_, *options_, pricer_)
                              : pricer_.price(candidate, ledger);
      if (priced.ranked) see(candidate, *priced.ranked);
      if (!priced.passes()) {
        failed.push_back(std::move(priced));
        continue;
      }
      passed = true;
      detail::see(best_, *priced.ranked);
      ranking_->ranked.push_back(std::move(*priced.ranked));
    }
    if (!passed) reject_gated(candidates_[first], std::move(failed));
  }
  score(ranking_->ranked, best_, ranking_->weights, *ranking_->catalog, *options_);
  std::ranges::sort(ranking_->ranked, [this](const RankedOffer& a, const RankedOffer& b) {
    return before(a, b, ranking_->sort);
  });
  ranking_->listed = ranking_->ranked_total = ranking_->ranked.size();
  if (options_->rows > 0) list_first(std::max(options_->rows, kLeastRows));
  finish();
}

void Ranker::list_first(std::size_t rows) {
  if (!options_->alike_as_one) {
    ranking_->listed = std::min(ranking_->listed, rows);
    return;
  }
  std::size_t shown = 0;
  ranking_->listed = 0;
  for (const RankedOffer& offer : ranking_->ranked) {
    shown += alike_.add(looks_of(offer)) ? 1 : 0;
    ranking_->listed += shown <= rows ? 1 : 0;
  }
  alike_.mark(ranking_->ranked);
}

// With less work an offer that is late now may be in time, so it is a contender as well.
void Ranker::see(const Candidate& candidate, const RankedOffer& offer) {
  add_contender(candidate, offer);
  seen_.see(offer, *ranking_, *options_);
}

void Ranker::add_contender(const Candidate& candidate, const RankedOffer& offer) {
  if (!may_be_primary(offer) || asks_what_a_budget_buys(ranking_->job)) return;  // no flips of those
  const auto floor = offer.trials && offer.trials->n > 1 ? pricer_.floor(candidate) : std::nullopt;
  contenders_.push_back({&candidate, offer.bill.total, floor ? floor->undisturbed : offer.bill.total});
}

void Ranker::finish() {
  decide(*ranking_);
  report_gates(*ranking_, seen_, *options_);
  // Gate reasons come with a bill and go first when not all can be listed.
  const std::size_t room = options_->most_rejected - std::min(options_->most_rejected, gated_.size());
  auto& plain = found_.rejected;
  if (plain.size() > room) plain.resize(room);
  auto& list = ranking_->rejected;
  std::ranges::move(plain, std::back_inserter(list));
  std::ranges::move(gated_, std::back_inserter(list));
  std::ranges::sort(list, [](const RejectedOffer& a, const RejectedOffer& b) {
    return std::tie(a.platform->id, a.offer->id) < std::tie(b.platform->id, b.offer->id);
  });
  for (RankedOffer& offer : ranking_->ranked) watch(offer, *ranking_, *options_, found_.usual);
  if (!ranking_->primary) return;
  with_ledger(ranking_->ranked[*ranking_->primary]);
  if (!asks_what_a_budget_buys(ranking_->job))
    find_flips(*ranking_, std::move(contenders_), *options_);
}

void Ranker::with_ledger(RankedOffer& offer) {
  if (!offer.bill.ledger.empty()) return;
  if (auto again = pricer_.price(candidate_of(offer), true); again.ranked) offer.bill = std::move(again.ranked->bill);
}

// ---- very many offers ----

// A group with the bills of its cheapest that are not ranked yet: all of one total, since equal
// bills go by the offer's name and not by its price. A group of spot plans by chance has no bill
// before it may be among the first, only the least that any bill of it can be.
struct Ranker::Open {
  Group group;
  const Candidate* first;               // of the group, when it was opened
  std::optional<SpotFloor> floor;       // nothing once there is a bill
  std::vector<RankedOffer> equal = {};  // the first in the ranking's order stands last
  std::optional<RankedOffer> next = {};
  bool looked_ahead = false;  // whether `next` was asked for, so that `equal` is complete
  const RankedOffer& head() const { return equal.back(); }
  bool is_empty() const { return !floor && equal.empty(); }
  Money least() const { return floor ? floor->total : head().bill.total; }
  const Platform* platform() const { return group.kind().platform; }
  bool may_be_first() const {
    return floor ? may_be_recommended((*group.kind().sizing)->warnings) : may_be_primary(head());
  }
};

// The bill of the group's cheapest member that has none yet; nothing when all have one.
std::optional<RankedOffer> Ranker::next_of(Group& group) {
  auto candidate = group.front();
  for (; one_of_each_ && candidate && alike_.known(looks_of(*candidate)); candidate = group.front()) {
    alike_.add(looks_of(*candidate));
    group.take();
  }
  if (!candidate) return std::nullopt;
  const Candidate& kept = keep(*candidate);
  Priced priced = pricer_.price(kept, false);
  group.take();
  if (priced.ranked) add_contender(kept, *priced.ranked);
  return std::move(priced.ranked);
}

bool Ranker::refill(Open& open) {
  if (!open.looked_ahead) open.next = next_of(open.group);
  open.looked_ahead = true;
  const bool has_first = std::exchange(open.floor, std::nullopt) && open.next;
  if (has_first) detail::see(best_, *open.next);
  while (open.next && (open.equal.empty() ||
                       open.next->bill.total == open.equal.front().bill.total)) {
    open.equal.push_back(std::move(*open.next));
    open.next = next_of(open.group);
  }
  std::ranges::sort(open.equal, [](const RankedOffer& a, const RankedOffer& b) {
    return before(b, a, SortKey::cost);
  });
  return !open.equal.empty();
}

void Ranker::price_best() {
  std::vector<Open> open = open_groups();
  // Of equal bills those that may hide another one come first, to be looked into.
  const auto sooner = [](const Open& a, const Open& b) {
    const Money left = a.least(), right = b.least();
    if (left != right) return left < right;
    if (a.looked_ahead != b.looked_ahead) return b.looked_ahead;
    if (a.floor || b.floor) return a.floor && !b.floor;
    return before(a.head(), b.head(), SortKey::cost);
  };
  const auto later = [&](const Open& a, const Open& b) { return sooner(b, a); };
  std::ranges::make_heap(open, later);
  auto& ranked = ranking_->ranked;
  std::size_t eligible = 0, shown = 0;
  const auto take = [&] {
    std::ranges::pop_heap(open, later);
    Open& least = open.back();
    if (!least.looked_ahead) {  // only now does it matter whether the next costs the same
      if (!refill(least)) return open.pop_back();
      std::ranges::push_heap(open, later);
      return;
    }
    eligible += may_be_primary(least.head()) ? 1 : 0;
    shown += !options_->alike_as_one || alike_.add(looks_of(least.head())) ? 1 : 0;
    ranked.push_back(std::move(least.equal.back()));
    least.equal.pop_back();
    if (least.equal.empty() && !refill(least)) return open.pop_back();
    std::ranges::push_heap(open, later);
  };
  const std::size_t rows = std::max(options_->rows, kLeastRows);
  while (shown < rows && !open.empty()) {
    take();
    // The decision is made from the first of all; only then may a row stand for others.
    one_of_each_ = options_->alike_as_one && eligible >= 2 && ranked.size() >= kLeastRows;
  }
  ranking_->listed = ranked.size();
  count_alike(open);
  // Of those that may not be recommended no further is needed: two others, then a backup.
  std::erase_if(open, [](const Open& group) { return !group.may_be_first(); });
  std::ranges::make_heap(open, later);
  while (eligible < 2 && !open.empty()) take();
  const auto first = std::ranges::find_if(ranked, may_be_primary);
  const auto elsewhere = [&]() -> Open* {
    Open* best = nullptr;
    for (Open& group : open)
      if (first != ranked.end() && !group.is_empty() && group.platform() != first->platform &&
          (best == nullptr || sooner(group, *best)))
        best = &group;
    return best;
  };
  Open* other = elsewhere();
  while (other != nullptr && !other->looked_ahead) {
    refill(*other);
    other = elsewhere();
  }
  if (other != nullptr) ranked.push_back(other->head());
  // Whoever has no bill may still come first when an input changes.
  for (const Open& one : open)
    if (one.floor) contenders_.push_back({one.first, one.floor->total, one.floor->undisturbed});
  // The first of a group may be free where the next is not: the rows stand in the order of cost.
  const auto paid = std::ranges::find_if(ranked, [](const RankedOffer& r) { return r.bill.total > Money{}; });
  if (paid != ranked.end()) best_.cost = paid->bill.total;
  score(ranked, best_, ranking_->weights, *ranking_->catalog, *options_);
  finish();
}

void Ranker::count_alike(const std::vector<Open>& open) {
  if (!options_->alike_as_one) return;
  const auto count = [this](const Looks& looks) {
    if (alike_.known(looks)) alike_.add(looks);
  };
  for (const Open& one : open) {
    for (const RankedOffer& offer : one.equal) count(looks_of(offer));
    if (one.next) count(looks_of(*one.next));
    // What sets members of a group apart is place, tier and share only: most groups have no row at all.
    const auto& members = one.group.members();
    const auto looks = [&](std::uint32_t member) { return looks_of(one.group.candidate(member)); };
    if (members.empty() || !alike_.known_but_for_place(looks(members.front()))) continue;
    for (const std::uint32_t member : members) count(looks(member));
  }
  alike_.mark(ranking_->ranked);
}

std::optional<Ranker::Open> Ranker::open_group(Group& group) {
  const Candidate& first = keep(*group.front());
  auto floor = floor_of(first);
  Priced head;
  if (!floor) {
    head = pricer_.price(first, false);
    if (head.ranked) see(first, *head.ranked);
    if (!head.passes()) return std::nullopt;
    detail::see(best_, *head.ranked);
  }
  ranking_->ranked_total += group.size();
  Open open{std::move(group), &first, std::move(floor)};
  if (head.ranked) {
    open.group.take();
    open.equal.push_back(std::move(*head.ranked));
  }
  return open;
}

// Without a gate on money all members of a group pass, or none does.
std::vector<Ranker::Open> Ranker::open_groups() {
  std::vector<Open> open;
  std::vector<Group> failed;
  for (Group& group : found_.groups) {
    if (auto one = open_group(group))
      open.push_back(std::move(*one));
    else
      failed.push_back(std::move(group));
  }
  found_.groups.clear();
  reject_those_without(failed, open);
  try_the_fast(open);
  return open;
}

// Of a plan that surely passes, so that its bill can wait. A deadline is held against its runs.
std::optional<SpotFloor> Ranker::floor_of(const Candidate& candidate) {
  if (ranking_->job.deadline || ranking_->job.deadline_at) return std::nullopt;
  auto floor = pricer_.floor(candidate);
  return floor && floor->is_done ? floor : std::nullopt;
}

// The shortest time of all is a part of every score: whoever may have it gets a bill.
void Ranker::try_the_fast(std::vector<Open>& open) {
  std::vector<Open*> waiting;
  for (Open& one : open)
    if (one.floor) waiting.push_back(&one);
  std::ranges::stable_sort(waiting, {}, [](const Open* one) { return one->floor->wall; });
  for (Open* one : waiting) {
    if (best_.any && one->floor->wall >= best_.wall) break;
    refill(*one);
  }
  std::erase_if(open, [](const Open& one) { return one.is_empty(); });
}

void Ranker::reject_those_without(const std::vector<Group>& failed, const std::vector<Open>& open) {
  if (failed.empty()) return;
  std::vector<char> passes(ranking_->catalog->offers.size(), 0);
  const auto index = [this](const Offer* offer) { return static_cast<std::size_t>(offer - ranking_->catalog->offers.data()); };
  for (const Open& one : open) {
    passes[index(one.first->offer)] = 1;  // it has a bill and is no member any more
    for (const std::uint32_t offer : one.group.members()) passes[offer] = 1;
  }
  const auto lost = listed_candidates(failed, *options_);
  for (std::size_t first = 0, last = 0; first < lost.size(); first = last) {
    std::vector<Priced> bills;
    const bool passed = passes[index(lost[first].offer)] != 0;
    for (; last < lost.size() && lost[last].offer == lost[first].offer; ++last)
      if (!passed) bills.push_back(pricer_.price(lost[last], false));
    if (!passed) reject_gated(lost[first], std::move(bills));
  }
}

}  // namespace gpuplan::detail
