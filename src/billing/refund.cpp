// The lines of prepaid blocks, and what comes back when one is returned early.
#include <algorithm>

#include "billing/cover.hpp"

namespace gpuplan::billing {
namespace {

const Term& term_of(const std::vector<Term>& terms, const BlockUse& block) {
  return *std::ranges::find(terms, block.term, &Term::sold);
}

// P·u·factor, or P·(1-u): a share of what was paid.
Money share_of(Money paid, Duration part, Duration whole) {
  return share(paid, static_cast<std::uint64_t>(part.count()),
               static_cast<std::uint64_t>(whole.count()));
}

Money on_demand_price(const Setup& setup, Duration time) {
  Money sum;
  for (const Charge& charge : setup.running) {
    const Duration period = charge.per == PriceUnit::second ? kSecond
                            : charge.per == PriceUnit::hour ? kHour
                            : charge.per == PriceUnit::day
                                ? kDay
                                : setup.month_length(setup.calendar.month_of(Duration{0}));
    sum += Ratio{charge.price}.times(time).over(period).money();
  }
  return sum;
}

Money money_back(const Setup& setup, const Refund& refund, Money paid, Duration used,
                 Duration length) {
  const Money used_share = share_of(paid, used, length);
  Money back;
  switch (refund.kind) {
    case Refund::Kind::none:
    case Refund::Kind::service_credit:
      return {};
    case Refund::Kind::pro_rata:
      back = paid - used_share;
      break;
    case Refund::Kind::multiplier:
      back = paid - scaled(used_share, refund.value, Decimal::of(1));
      break;
    case Refund::Kind::clawback: {
      // The discount that the used hours enjoyed is taken back, with a percentage on top.
      const Money enjoyed = on_demand_price(setup, used) - used_share;
      back = paid - used_share - enjoyed - percent_of(enjoyed, refund.value);
      break;
    }
  }
  return std::clamp(back, Money{}, paid);
}

}  // namespace

void bill_blocks(const Setup& setup, const std::vector<Term>& terms,
                 std::span<const BlockUse> blocks, Drafts& out) {
  for (const BlockUse& block : blocks) {
    const Commitment& sold = *block.term;
    Draft draft{.from = block.from,
                .to = block.to,
                .count = setup.machines,
                .item = Item::compute,
                .state = "running",
                .amount = Money::rounded(sold.price),
                .unit = Unit::count,
                .quantity = 1,
                .unit_name = sold.name,
                .price = sold.price,
                .note = "prepaid",
                .rule = "price",
                .term = sold.name};
    out.push_back(draft);
    if (!sold.hourly || sold.hourly_used) continue;
    draft.amount = term_of(terms, block).paid - draft.amount;
    draft.unit = Unit::hour;
    draft.quantity = static_cast<std::uint64_t>(term_of(terms, block).length.count());
    draft.price = *sold.hourly;
    draft.per = "hour";
    draft.billed = term_of(terms, block).length;
    draft.period = kHour;
    draft.rule = "price.commitments.hourly";
    out.push_back(draft);
  }
}

void bill_refund(const Setup& setup, const Line& line, const std::vector<Term>& terms,
                 std::span<const BlockUse> blocks, Notes& notes, Drafts& out) {
  if (!setup.job->return_early) return;
  const auto running = std::ranges::find_if(
      blocks, [&](const BlockUse& block) { return block.from < line.end && line.end <= block.to; });
  if (running == blocks.end()) return;
  const Refund refund =
      running->term->refund.value_or(setup.rules->terms.refund.value_or(Refund{}));
  if (refund.kind == Refund::Kind::none) {
    notes.warn("no_refund", "a term that is returned early gives no money back", "terms.refund");
    return;
  }
  const Term& term = term_of(terms, *running);
  const Money back = money_back(setup, refund, term.paid, line.end - running->from, term.length);
  out.push_back({.from = line.end,
                 .to = running->to,
                 .count = setup.machines,
                 .item = Item::refund,
                 .state = "running",
                 .amount = -back,
                 .unit = Unit::count,
                 .quantity = 1,
                 .unit_name = running->term->name,
                 .price = running->term->price,
                 .note = refund.kind == Refund::Kind::service_credit ? "service credit, no money"
                                                                     : "returned early",
                 .rule = "terms.refund",
                 .term = running->term->name});
}

void warn_overrun(const Line& line, const Setup& setup, const std::vector<Term>& terms,
                  std::span<const BlockUse> blocks, Notes& notes) {
  if (blocks.size() < 2) return;
  const BlockUse& last = blocks.back();
  const std::vector<Piece> stretches = billed_stretches(setup, line);
  const Duration used = stretches.back().to - last.from;
  constexpr int kOverrunShare = 20;  // a twentieth, 5 %
  if (used * kOverrunShare >= term_of(terms, last).length) return;
  Money all;
  for (const BlockUse& block : blocks)
    all += Money::nanos(term_of(terms, block).paid.nanos() * setup.machines);
  const Money without = all - Money::nanos(term_of(terms, last).paid.nanos() * setup.machines);
  notes.warn("term_overrun",
             "the last " + last.term->name + " is used for " + show_duration(used) +
                 " only: the terms cost " + to_string(all) + ", and " + to_string(without) +
                 " if the work ended before it",
             "plan");
}

}  // namespace gpuplan::billing
