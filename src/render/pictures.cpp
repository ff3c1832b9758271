#include "render/pictures.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/exact_time.hpp"
#include "core/text.hpp"
#include "render/documents.hpp"
#include "render/parts.hpp"

namespace gpuplan {
namespace {

constexpr std::size_t kBills = 10;   // rows of the picture of bills
constexpr std::size_t kDots = 400;   // offers in the plane: more would only blacken it
constexpr std::size_t kCardMarks = 3;

double hours(Duration time) { return static_cast<double>(time.count()) / 3.6e9; }

std::string plan_text(const std::string& plan) { return plan == "on_demand" ? "on demand" : plan; }

std::string offer_label(const RankedOffer& r) {
  return fmt::format("{} {} x{}{}, {}", r.platform->id, r.sizing->card->name, r.offer->gpus,
                     r.machines > 1 ? fmt::format(" x{}", r.machines) : "", plan_text(r.plan));
}

// Rows of memory by part, with what a GPU must have, against cards.
Picture memory_picture(const MemoryBreakdown& memory, Bytes required, std::vector<Mark> marks) {
  Bars bars{.series = {"a part", "peak, as nvidia-smi shows it", "with headroom"},
            .rows = {},
            .marks = std::move(marks)};
  for (const MemoryPart& part : kMemoryParts) {
    const Bytes bytes = memory.*part.member;
    const bool sum = part.key == "allocated" || part.key == "reserved";
    if (sum || bytes == Bytes{}) continue;
    bars.rows.push_back({.label = std::string(part.label),
                         .parts = {{part.key == "total" ? 1U : 0U, drawn(bytes)}},
                         .note = show_gib(bytes, 2)});
  }
  bars.rows.push_back({.label = "with headroom",
                       .parts = {{2, drawn(required)}},
                       .note = show_gib(required, 2)});
  std::string summary = fmt::format("A GPU must have {} for this job.", show_gib(required, 2));
  for (const Mark& mark : bars.marks) summary += " " + mark.label + ".";
  return {.key = "memory-by-part",
          .title = "Memory by part, on each GPU",
          .summary = summary,
          .unit = "GiB",
          .exact_unit = "bytes",
          .content = std::move(bars)};
}

Mark card_mark(const Card& card) {
  return {.label = fmt::format("{} has {}", card.name, show_gib(card.memory, 2)),
          .at = drawn(card.memory)};
}

std::vector<Mark> card_marks(const Estimate& estimate) {
  std::vector<const CardFit*> fits;
  for (const CardFit& fit : estimate.cards) fits.push_back(&fit);
  if (estimate.job.cards.empty()) {
    // The smallest that does it, and the largest that just misses.
    std::erase_if(fits, [](const CardFit* f) {
      return (!f->fits && !f->total_fits) || f->card->card_class == CardClass::accelerator ||
             f->card->card_class == CardClass::slice;
    });
    std::ranges::stable_sort(
        fits, [](auto* a, auto* b) { return a->card->memory < b->card->memory; });
    const auto first = std::ranges::find_if(fits, &CardFit::fits);
    std::vector<const CardFit*> two;
    if (first != fits.begin()) two.push_back(*(first - 1));
    if (first != fits.end()) two.push_back(*first);
    fits = two;
  }
  std::vector<Mark> marks;
  for (std::size_t i = 0; i < std::min(fits.size(), kCardMarks); ++i)
    marks.push_back(card_mark(*fits[i]->card));
  return marks;
}

std::vector<Bars::Part> parts_of(const std::map<Item, Money>& totals) {
  std::vector<Bars::Part> parts;
  for (std::size_t i = 0; i < kItems.size(); ++i)
    if (const auto at = totals.find(kItems[i]); at != totals.end() && !at->second.is_zero())
      parts.push_back({i, drawn(at->second)});
  return parts;
}

std::vector<std::string> item_names() {
  std::vector<std::string> names;
  for (const Item item : kItems) names.emplace_back(name_of(item));
  return names;
}

// Only the items that some row has, so that the legend is no longer than it needs to be.
void drop_unused_series(Bars& bars) {
  std::vector<std::string> used;
  for (std::size_t s = 0; s < bars.series.size(); ++s) {
    const auto has = [&](const Bars::Row& row) {
      return std::ranges::find(row.parts, s, &Bars::Part::series) != row.parts.end();
    };
    if (!std::ranges::any_of(bars.rows, has)) continue;
    for (Bars::Row& row : bars.rows)
      for (Bars::Part& part : row.parts)
        if (part.series == s) part.series = used.size();
    used.push_back(bars.series[s]);
  }
  bars.series = std::move(used);
}

std::string people_money(Money amount, const std::string& currency) {
  return to_string(amount, minor_digits(currency)) + " " + currency;
}

Picture bills_picture(const Ranking& ranking) {
  Bars bars{.series = item_names(), .rows = {}, .marks = {}};
  for (std::size_t i = 0; i < std::min(ranking.listed, kBills); ++i) {
    const RankedOffer& r = ranking.ranked[i];
    bars.rows.push_back({.label = fmt::format("{}. {}", i + 1, offer_label(r)),
                         .parts = parts_of(r.bill.totals),
                         .note = people_money(r.bill.total, ranking.currency)});
  }
  drop_unused_series(bars);
  return {.key = "bill-by-part",
          .title = fmt::format("The bill by part, first {} of {}", bars.rows.size(),
                               ranking.ranked_total),
          .summary = fmt::format("The first costs {}, the last shown {}.",
                                 bars.rows.front().note, bars.rows.back().note),
          .unit = ranking.currency,
          .exact_unit = ranking.currency,
          .content = std::move(bars)};
}

Picture frontier_picture(const Ranking& ranking) {
  Dots dots{.x_title = "hours until it is done",
            .y_title = "cost, " + ranking.currency,
            .x_exact = "done in, s",
            .y_exact = "cost, " + ranking.currency,
            .series = {},
            .dots = {}};
  const std::size_t shown = std::min(ranking.listed, kDots);
  for (std::size_t i = 0; i < shown; ++i) {
    const RankedOffer& r = ranking.ranked[i];
    const auto beaten = std::ranges::any_of(ranking.ranked, [&](const RankedOffer& other) {
      const bool as_good = other.bill.total <= r.bill.total &&
                           other.bill.time.wall <= r.bill.time.wall;
      return as_good && (other.bill.total < r.bill.total ||
                         other.bill.time.wall < r.bill.time.wall);
    });
    dots.dots.push_back({.label = fmt::format("{}. {}", i + 1, offer_label(r)),
                         .x = drawn(r.bill.time.wall),
                         .y = drawn(r.bill.total),
                         .edge = !beaten,
                         .series = beaten ? 6U : 0U});
  }
  const auto best = std::ranges::count_if(dots.dots, &Dots::Dot::edge);
  return {.key = "cost-against-time",
          .title = "Cost against time",
          .summary = fmt::format("{} of {} offers; {} that nothing beats in both are joined.",
                                 shown, ranking.ranked_total, best),
          .unit = ranking.currency,
          .exact_unit = ranking.currency,
          .content = std::move(dots)};
}

template <class Values>
Spread::Row spread_row(std::string label, const Values& values, std::string note) {
  return {.label = std::move(label),
          .p5 = drawn(values.p5),
          .p10 = drawn(values.p10),
          .p50 = drawn(values.p50),
          .p90 = drawn(values.p90),
          .p95 = drawn(values.p95),
          .note = std::move(note)};
}

// Where the runs of spot plans lie, in money and in time. Plans without chance have no rows.
struct SpreadRows {
  std::vector<Spread::Row> cost, time;
  void add(const std::string& label, const std::optional<Trials>& trials,
           const std::string& currency) {
    if (!trials || trials->finished == 0 || trials->n == 1) return;
    cost.push_back(spread_row(label, trials->cost, people_money(trials->cost.p50, currency)));
    time.push_back(spread_row(label, trials->wall, show_duration(trials->wall.p50)));
  }
};

void add_spreads(SpreadRows rows, const std::string& currency, Pictures& pictures) {
  if (rows.cost.empty()) return;
  const auto summary = [](const Spread::Row& row, std::string_view unit) {
    return fmt::format("Of the runs of {}, half are at most {} {}, nine in ten at most {} {}.",
                       row.label, row.p50.exact, unit, row.p90.exact, unit);
  };
  pictures.push_back({.key = "cost-spread",
                      .title = "What spot runs cost",
                      .summary = summary(rows.cost.front(), currency),
                      .unit = currency,
                      .exact_unit = currency,
                      .content = Spread{.rows = std::move(rows.cost)}});
  pictures.push_back({.key = "time-spread",
                      .title = "When spot runs are done",
                      .summary = summary(rows.time.front(), "s"),
                      .unit = "hours",
                      .exact_unit = "s",
                      .content = Spread{.rows = std::move(rows.time)}});
}

Picture items_picture(const SimulateResult& result) {
  Bars bars{.series = item_names(), .rows = {}, .marks = {}};
  if (result.jobs.size() == 1) {
    for (const Bars::Part& part : parts_of(result.totals))
      bars.rows.push_back({.label = bars.series[part.series],
                           .parts = {part},
                           .note = part.value.exact});
  } else {
    for (std::size_t i = 0; i < result.jobs.size(); ++i) {
      const SimulatedJob& done = result.jobs[i];
      bars.rows.push_back(
          {.label = fmt::format("{}. {}", i + 1, done.job.name.empty() ? "job" : done.job.name),
           .parts = parts_of(done.bill.totals),
           .note = people_money(done.bill.total, result.currency)});
    }
  }
  drop_unused_series(bars);
  return {.key = "bill-by-part",
          .title = "The bill by part",
          .summary = fmt::format("In all {}{}.", people_money(result.total, result.currency),
                                 result.complete ? "" : " at least: a price is missing"),
          .unit = result.currency,
          .exact_unit = result.currency,
          .content = std::move(bars)};
}

// What has been billed by the end of each line.
Picture running_picture(const SimulateResult& result) {
  Lines lines{.x_title = "hours from the start",
              .y_title = "billed until then, " + result.currency,
              .x_exact = "time, s",
              .y_exact = "billed until then, " + result.currency,
              .lines = {},
              .marks = {}};
  for (std::size_t i = 0; i < std::min<std::size_t>(result.jobs.size(), 12); ++i) {
    const SimulatedJob& done = result.jobs[i];
    std::vector<const LedgerLine*> ledger;
    for (const LedgerLine& line : done.bill.ledger) ledger.push_back(&line);
    std::ranges::stable_sort(ledger, [](auto* a, auto* b) { return a->to < b->to; });
    Lines::Line line{.label = done.job.name.empty() ? fmt::format("job {}", i + 1) : done.job.name,
                     .points = {{drawn(Duration{0}), drawn(Money{})}}};
    Money sum;
    for (const LedgerLine* entry : ledger) {
      sum += entry->amount;
      if (line.points.back().x.exact == exact_seconds(entry->to))
        line.points.back().y = drawn(sum);
      else
        line.points.push_back({drawn(entry->to), drawn(sum)});
    }
    lines.lines.push_back(std::move(line));
  }
  return {.key = "cost-over-time",
          .title = "What is billed as time goes by",
          .summary = "Lines of the ledger, summed up by the time at which they end.",
          .unit = result.currency,
          .exact_unit = result.currency,
          .content = std::move(lines)};
}

}  // namespace

Drawn drawn(Money money) { return {approximate(money), to_string(money)}; }

Drawn drawn(Bytes bytes) { return {bytes.as_double() / (1 << 30), std::to_string(bytes.count())}; }

Drawn drawn(Duration time) { return {hours(time), exact_seconds(time)}; }

Pictures pictures_of(const Estimate& estimate) {
  if (!memory_known(estimate)) return {};
  return {memory_picture(estimate.memory.per_gpu, estimate.required, card_marks(estimate))};
}

Pictures pictures_of(const Ranking& ranking) {
  Pictures pictures;
  if (ranking.ranked.empty()) return pictures;
  pictures.push_back(bills_picture(ranking));
  pictures.push_back(frontier_picture(ranking));
  SpreadRows spreads;
  for (std::size_t i = 0; i < std::min(ranking.listed, kBills); ++i)
    spreads.add(fmt::format("{}. {}", i + 1, offer_label(ranking.ranked[i])), ranking.ranked[i].trials,
                ranking.currency);
  add_spreads(std::move(spreads), ranking.currency, pictures);
  const RankedOffer& first = ranking.ranked[ranking.primary.value_or(0)];
  if (first.sizing->layout) {
    const MemoryBreakdown& memory = first.sizing->layout->memory.per_gpu;
    pictures.push_back(memory_picture(memory, with_headroom(memory.total, ranking.job.headroom),
                                      {card_mark(*first.sizing->card)}));
  }
  return pictures;
}

Pictures pictures_of(const SimulateResult& result) {
  if (result.totals.empty()) return {};
  Pictures pictures{items_picture(result)};
  if (result.jobs.front().bill.ledger.size() > 1) pictures.push_back(running_picture(result));
  SpreadRows spreads;
  for (std::size_t i = 0; i < result.jobs.size(); ++i) {
    const SimulatedJob& done = result.jobs[i];
    spreads.add(done.job.name.empty() ? fmt::format("job {}", i + 1) : done.job.name, done.trials,
                result.currency);
  }
  add_spreads(std::move(spreads), result.currency, pictures);
  return pictures;
}

Pictures pictures_of(const BreakEven& answer) {
  Pictures pictures;
  const Offer* offer = answer.table.empty() ? nullptr : answer.table.front().offer;
  const bool one = std::ranges::all_of(
      answer.table, [&](const BreakEvenRow& row) { return row.offer == offer; });
  if (offer == nullptr || !one) return pictures;  // the plans of several offers are too many lines
  Lines lines{.x_title = "hours of card time",
              .y_title = "cost, " + answer.currency,
              .x_exact = "card time, s",
              .y_exact = "cost, " + answer.currency,
              .lines = {},
              .marks = {}};
  for (const BreakEvenRow& row : answer.table)
    for (std::size_t i = 0; i < row.costs.size(); ++i) {
      if (i == lines.lines.size()) lines.lines.push_back({.label = row.costs[i].plan, .points = {}});
      lines.lines[i].points.push_back({drawn(row.time), drawn(row.costs[i].cost)});
    }
  for (const BreakEvenPair& pair : answer.pairs)
    if (pair.verdict == "from" && pair.hours)
      lines.marks.push_back(
          {.label = fmt::format("{} is cheaper than {} from {} h", pair.b, pair.a,
                                to_string(Money::rounded(*pair.hours), 2)),
           .at = {pair.hours->approximate(), pair.hours->to_string()}});
  std::string summary;
  for (const Mark& mark : lines.marks) summary += (summary.empty() ? "" : "; ") + mark.label;
  pictures.push_back({.key = "cost-by-hours",
                      .title = "Cost by hours, each plan",
                      .summary = summary.empty() ? "No plan overtakes another." : summary + ".",
                      .unit = answer.currency,
                      .exact_unit = answer.currency,
                      .content = std::move(lines)});
  return pictures;
}

}  // namespace gpuplan
