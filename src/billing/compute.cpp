#include "billing/compute.hpp"

#include <algorithm>

namespace gpuplan::billing {
namespace {

struct Kind {
  Item item;
  std::string_view label = {};  // instead of the state's name
};

// By Activity. A machine that waits in a queue is billed from the request only.
constexpr std::array kKinds{Kind{Item::startup, "queue"},  // queue
                            Kind{Item::startup, {}},       // startup
                            Kind{Item::transfer, {}},      // upload
                            Kind{Item::startup, {}},       // restore
                            Kind{Item::compute, {}},       // work
                            Kind{Item::lost_work, {}},     // lost
                            Kind{Item::transfer, {}},      // download
                            Kind{Item::idle, {}},          // down
                            Kind{Item::idle, {}},          // gap
                            Kind{Item::idle, {}},          // idle
                            Kind{Item::idle, {}},          // retention
                            Kind{Item::idle, "waiting"}};  // waiting

const Kind& kind_of(Activity activity) { return kKinds[static_cast<std::size_t>(activity)]; }

const Decimal kOne = Decimal::of(1);

// What card time of this stretch is multiplied by; nothing when it is not billed.
struct Billing {
  bool billed = false;
  Decimal factor = kOne;
  const Decimal* flat = nullptr;
  bool operator==(const Billing& other) const {
    const bool same_flat =
        flat == nullptr ? other.flat == nullptr : other.flat != nullptr && *flat == *other.flat;
    return billed == other.billed && factor == other.factor && same_flat;
  }
};

Billing billing_of(const Setup& setup, const Segment& segment) {
  switch (segment.activity) {
    case Activity::queue:
      return {.billed = setup.billed_from == BilledFrom::request};
    case Activity::startup:
      return {.billed = setup.billed_from != BilledFrom::ready};
    case Activity::waiting:
      return {};
    default:
      break;
  }
  const StateRate& rate = setup.rate(segment.state);
  if (rate.flat) return {.billed = true, .factor = kOne, .flat = &*rate.flat};
  Decimal factor = rate.compute;
  if (segment.activity == Activity::down && setup.platform->account.host_down_factor)
    factor = *setup.platform->account.host_down_factor;
  return {.billed = !factor.is_zero(), .factor = factor};
}

// Collects the pieces of a span and bills them when the rate changes or a machine starts anew.
class Meter {
 public:
  Meter(const Setup& setup, const Cuts& cuts, Notes& notes, Drafts& out)
      : setup_(setup), cuts_(cuts), notes_(notes), out_(out), cap_(setup.rules->meter.cap_month) {}

  void add(const Piece& piece, const Billing& billing, std::span<const Charge> charges,
           bool starts) {
    const bool same = billing == billing_ && charges.data() == charges_.data() &&
                      charges.size() == charges_.size();
    if (!same || starts) close();
    billing_ = billing;
    charges_ = charges;
    if (!billing.billed || (charges.empty() && billing.flat == nullptr)) return;
    if (!pieces_.empty() && pieces_.back().item == piece.item &&
        pieces_.back().state == piece.state)
      pieces_.back().to = piece.to;
    else
      pieces_.push_back(piece);
  }
  // `reclaimed`: by the platform, which may make it a present of the quantum begun.
  void close(bool reclaimed = false);

 private:
  void assume() const;
  bool by_clock_differs() const;

  const Setup& setup_;
  const Cuts& cuts_;
  Notes& notes_;
  Drafts& out_;
  MonthCap cap_;
  Billing billing_;
  std::span<const Charge> charges_;
  std::vector<Piece> pieces_;
};

void Meter::close(bool reclaimed) {
  if (pieces_.empty()) return;
  const bool whole_only = reclaimed && setup_.spot_terms.free_last_quantum;
  assume();
  if (billing_.flat != nullptr) {
    const Charge flat{.price = *billing_.flat, .per = PriceUnit::hour, .rule = "stop.factor.flat"};
    bill_span(setup_, cuts_, pieces_,
              {.charges = {&flat, 1}, .factor = kOne, .whole_only = whole_only}, cap_, out_);
  } else {
    bill_span(setup_, cuts_, pieces_,
              {.charges = charges_, .factor = billing_.factor, .whole_only = whole_only}, cap_,
              out_);
  }
  pieces_.clear();
}

// A metering rule that nobody states, and with whose other common value this bill would differ.
void Meter::assume() const {
  const MeterRules& rules = setup_.rules->meter;
  const Duration length = pieces_.back().to - pieces_.front().from;
  const bool whole_hours = length.count() % kHour.count() == 0;
  const bool whole_ticks = rules.quantum_s.value_or(1) <= 0 ||
                           length.count() % seconds_of(rules.quantum_s.value_or(1)).count() == 0;
  const bool quantum = !rules.quantum_s && !whole_hours;
  const bool rounding = rules.quantum_s && !rules.round && !whole_ticks;
  const bool minimum = !rules.minimum_s && !rules.quantum_s && length < kHour;
  if (quantum || rounding || minimum || by_clock_differs()) notes_.warn("metering_assumed", kMeteringAssumed, "meter");
}

// Nobody states from where the quantum counts, and by the clock this span would touch another number.
bool Meter::by_clock_differs() const {
  const MeterRules& rules = setup_.rules->meter;
  if (rules.quantum_s.value_or(1) <= 1 || rules.align) return false;
  MeterRules other = rules;
  other.align = Align::clock;
  const Duration from = pieces_.front().from, to = pieces_.back().to;
  return meter(rules, setup_.calendar, from, to).billed != meter(other, setup_.calendar, from, to).billed;
}

void add_split(Meter& meter, const Segment& segment, const Billing& billing, const Setup& setup,
               std::span<const BlockUse> blocks) {
  const Kind& kind = kind_of(segment.activity);
  Piece piece{.from = segment.from,
              .to = segment.to,
              .item = kind.item,
              .state = kind.label.empty() ? label(segment.state) : kind.label};
  bool starts = segment.starts;
  const std::vector<Charge>& running = segment.on_demand ? setup.on_demand : setup.running;
  for (const BlockUse& block : blocks) {
    if (piece.from >= segment.to) break;
    if (block.to <= piece.from) continue;
    if (block.from > piece.from) {
      piece.to = std::min(segment.to, block.from);
      meter.add(piece, billing, running, starts);
      starts = false;
      piece.from = piece.to;
    }
    piece.to = std::min(segment.to, block.to);
    if (piece.from >= piece.to) continue;
    meter.add(piece, billing, block.beside, starts);
    starts = false;
    piece.from = piece.to;
  }
  piece.to = segment.to;
  if (piece.from < piece.to) meter.add(piece, billing, running, starts);
}

}  // namespace

CardSpans::CardSpans(const Setup& setup, const Line& line) : setup_(setup) {
  bool open = false;
  for (const Segment& segment : line.segments) {
    const Billing billing = billing_of(setup, segment);
    // A flat price of a state is paid whatever the plan is.
    if (!billing.billed || segment.free || billing.flat != nullptr) {
      open = false;
      continue;
    }
    if (open && !segment.starts && spans_.back().factor == billing.factor)
      spans_.back().to = segment.to;
    else
      spans_.push_back({.from = segment.from, .to = segment.to, .factor = billing.factor});
    open = !segment.reclaimed;
  }
  Duration sum{0};
  for (const Span& span : spans_) {
    before_.push_back(sum);
    sum += part(span, span.from, span.to);
  }
}

Duration CardSpans::part(const Span& span, Duration from, Duration to) const {
  const Duration billed = meter(setup_.rules->meter, setup_.calendar, from, to).billed;
  return span.factor == kOne ? billed : duration_of(span.factor, billed);
}

Duration CardSpans::counted(Duration from, Duration to) const {
  const auto first = std::ranges::upper_bound(spans_, from, {}, &Span::to);
  const auto end = std::ranges::lower_bound(spans_, to, {}, &Span::from);
  if (first >= end) return Duration{0};
  const auto last = end - 1;
  const Duration tail = part(*last, std::max(last->from, from), std::min(last->to, to));
  if (first == last) return tail;
  const Duration head = part(*first, std::max(first->from, from), first->to);
  const auto at = [&](auto span) {
    return before_[static_cast<std::size_t>(span - spans_.begin())];
  };
  return head + (at(last) - at(first + 1)) + tail;
}

std::vector<Piece> billed_stretches(const Setup& setup, const Line& line) {
  std::vector<Piece> stretches;
  for (const Segment& segment : line.segments)
    if (billing_of(setup, segment).billed && !segment.free)
      stretches.push_back({.from = segment.from, .to = segment.to});
  return stretches;
}

void bill_compute(const Setup& setup, const Line& line, const Cuts& cuts,
                  std::span<const BlockUse> blocks, Notes& notes, Drafts& out) {
  Meter meter(setup, cuts, notes, out);
  for (const Segment& segment : line.segments) {
    Billing billing = billing_of(setup, segment);
    if (segment.free) billing = {};
    add_split(meter, segment, billing, setup, blocks);
    if (segment.reclaimed) meter.close(true);
  }
  meter.close();
}

}  // namespace gpuplan::billing
