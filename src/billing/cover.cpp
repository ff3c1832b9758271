// Which prepaid blocks are bought.
#include "billing/cover.hpp"

#include <algorithm>
#include <map>

namespace gpuplan::billing {
namespace {

constexpr std::size_t kMostStates = 1'000'000;

Money price_of(const Setup& setup, std::span<const Charge> charges, Duration time) {
  Money sum;
  for (const Charge& charge : charges) {
    // For choosing only: a month counts with the length of the first one.
    const Duration period = charge.per == PriceUnit::second ? kSecond
                            : charge.per == PriceUnit::hour ? kHour
                            : charge.per == PriceUnit::day
                                ? kDay
                                : setup.month_length(setup.calendar.month_of(Duration{0}));
    sum += Ratio{charge.price}.times(time).over(period).money();
  }
  return sum;
}

bool lists(const std::vector<std::string>& list, std::string_view wanted) {
  return std::ranges::find(list, wanted) != list.end();
}

// What a block costs beside the others of the same bill: discounts that name its term only.
Money weighed(const Setup& setup, const Commitment& sold, Money paid) {
  for (const Discount& discount : setup.platform->account.discounts) {
    const bool own = lists(discount.plans, sold.name) && !lists(discount.plans, "reserved") &&
                     !lists(discount.plans, "all") && setup.request->plan == "reserved";
    const bool item =
        discount.items.empty() || lists(discount.items, "compute") || lists(discount.items, "all");
    const bool who = discount.who.empty() || lists(discount.who, "any") ||
                     std::ranges::any_of(discount.who, [&](const std::string& one) {
                       return lists(setup.job->who, one);
                     });
    if (own && item && who && !discount.above_spend) paid -= percent_of(paid, discount.percent);
  }
  return paid;
}

// A way to have blocks up to some moment.
struct Path {
  Money cost;
  std::size_t term = 0;  // of its last block
  const Path* before = nullptr;
  Duration from{0};
};

class Search {
 public:
  Search(const Setup& setup, const CardSpans& spans, const std::vector<Term>& terms,
         std::span<const Piece> stretches)
      : setup_(setup),
        spans_(spans),
        terms_(terms),
        begin_(stretches.front().from),
        end_(stretches.back().to) {}

  std::vector<BlockUse> run() {
    std::map<Duration, const Path*> open{{begin_, nullptr}};
    for (std::size_t term = 0; term < terms_.size(); ++term)
      for (auto at = open.begin(); at != open.end() && states_.size() < kMostStates; ++at)
        extend(open, at->first, at->second, term);
    std::vector<BlockUse> blocks;
    for (const Path* state = best_; state != nullptr; state = state->before)
      blocks.push_back({.term = terms_[state->term].sold,
                        .from = state->from,
                        .to = state->from + terms_[state->term].length,
                        .beside = terms_[state->term].beside});
    std::ranges::reverse(blocks);
    return blocks;
  }

 private:
  void extend(std::map<Duration, const Path*>& open, Duration from, const Path* before,
              std::size_t index) {
    const Term& term = terms_[index];
    const Duration to = from + term.length;
    Money cost = term.weighed;
    if (!term.beside.empty())
      cost += price_of(setup_, term.beside, spans_.counted(from, std::min(to, end_)));
    if (before != nullptr) cost += before->cost;
    const Path* state =
        &states_.emplace_back(Path{.cost = cost, .term = index, .before = before, .from = from});
    if (to >= end_) {
      offer(state, cost);
      return;
    }
    if (term.hours_after)
      offer(state, cost + price_of(setup_, setup_.running, spans_.counted(to, end_)));
    const auto [known, added] = open.try_emplace(to, state);
    if (!added && cost < known->second->cost) known->second = state;
  }

  void offer(const Path* state, Money cost) {
    if (best_ != nullptr && cost >= best_cost_) return;
    best_ = state;
    best_cost_ = cost;
  }

  const Setup& setup_;
  const CardSpans& spans_;
  const std::vector<Term>& terms_;
  Duration begin_, end_;
  std::deque<Path> states_;
  const Path* best_ = nullptr;
  Money best_cost_;
};

}  // namespace

std::vector<Term> terms_of(const Setup& setup) {
  const TermRules& rules = setup.rules->terms;
  const std::string& plan = setup.request->plan;
  std::vector<Term> terms;
  for (const Commitment& sold : setup.offer->price.commitments) {
    if (plan != "reserved" && plan != sold.name) continue;
    Term term{.sold = &sold,
              .length = duration_of(sold.hours, kHour),
              .beside = {},
              .paid = {},
              .weighed = {}};
    term.paid = Money::rounded(sold.price);
    if (sold.hourly && !sold.hourly_used)
      term.paid += Ratio{*sold.hourly}.times(sold.hours).money();
    term.weighed = weighed(setup, sold, term.paid);
    const bool unknown = term.paid.is_zero() && !sold.hourly && !setup.offer->free;
    if (term.length.count() <= 0 || unknown) continue;
    if (sold.covers_gpu_only.value_or(rules.covers_gpu_only.value_or(false)))
      term.beside = beside_cards(*setup.offer);
    if (sold.hourly && sold.hourly_used)
      term.beside.push_back(
          {.price = *sold.hourly, .per = PriceUnit::hour, .rule = "price.commitments.hourly"});
    term.hours_after =
        !setup.running.empty() &&
        sold.at_end.value_or(rules.at_end.value_or(AtEnd::renew)) == AtEnd::on_demand;
    terms.push_back(std::move(term));
  }
  std::ranges::stable_sort(terms, [](const Term& a, const Term& b) { return a.length > b.length; });
  return terms;
}

std::vector<BlockUse> cheapest_cover(const Setup& setup, const CardSpans& spans,
                                     const std::vector<Term>& terms,
                                     std::span<const Piece> stretches) {
  if (stretches.empty() || terms.empty()) return {};
  return Search(setup, spans, terms, stretches).run();
}

namespace {

// A block that is given back at the end verb ends there: card time behind it is covered anew.
void give_back(const Setup& setup, const Line& line, const std::vector<Term>& terms, const CardSpans& spans,
               std::vector<BlockUse>& blocks) {
  const auto running = std::ranges::find_if(
      blocks, [&](const BlockUse& block) { return block.from < line.end && line.end <= block.to; });
  if (running == blocks.end()) return;
  const Refund refund = running->term->refund.value_or(setup.rules->terms.refund.value_or(Refund{}));
  if (refund.kind == Refund::Kind::none) return;
  running->to = line.end;
  blocks.erase(running + 1, blocks.end());
  std::vector<Piece> rest;
  for (const Piece& piece : billed_stretches(setup, line))
    if (piece.to > line.end) rest.push_back({.from = std::max(piece.from, line.end), .to = piece.to});
  const auto more = cheapest_cover(setup, spans, terms, rest);
  blocks.insert(blocks.end(), more.begin(), more.end());
}

}  // namespace

std::vector<BlockUse> cover_line(const Setup& setup, const Line& line,
                                 const std::vector<Term>& terms) {
  if (terms.empty()) return {};
  const std::vector<Piece> stretches = billed_stretches(setup, line);
  const CardSpans spans(setup, line);
  const bool forfeits = setup.rules->terms.stop_forfeits.value_or(false) && !line.stops.empty();
  if (setup.job->return_early && !forfeits) {
    std::vector<BlockUse> blocks = cheapest_cover(setup, spans, terms, stretches);
    give_back(setup, line, terms, spans, blocks);
    return blocks;
  }
  if (!forfeits)
    return cheapest_cover(setup, spans, terms, stretches);
  std::vector<BlockUse> blocks;
  auto from = stretches.begin();
  const auto cover = [&](Duration until) {
    auto to = from;
    while (to != stretches.end() && to->from < until) ++to;
    auto part = cheapest_cover(setup, spans, terms, {from, to});
    // The stop ends the block: what is left of it is forfeited.
    for (BlockUse& block : part) block.to = std::min(block.to, until);
    blocks.insert(blocks.end(), part.begin(), part.end());
    from = to;
  };
  for (const Duration stop : line.stops) cover(stop);
  cover(kNever);
  return blocks;
}

}  // namespace gpuplan::billing
