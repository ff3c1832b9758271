#include "billing/traffic.hpp"

#include <algorithm>
#include <map>

namespace gpuplan::billing {
namespace {

constexpr std::int64_t kGb = 1'000'000'000, kGib = std::int64_t{1} << 30;

std::int64_t unit_of(const NetworkRules& rules) { return rules.gib ? kGib : kGb; }

// A part of a transfer within one calendar month.
struct Part {
  Duration from{0}, to{0};
  std::int64_t month = 0;
  std::int64_t bytes = 0;
};

std::vector<Part> by_month(const Calendar& calendar, Duration from, Duration to,
                           std::int64_t bytes) {
  std::vector<Part> parts;
  std::int64_t done = 0;
  for (Duration begin = from;;) {
    const std::int64_t month = calendar.month_of(begin);
    const Duration end = std::min(to, calendar.month_begin(month + 1));
    std::int64_t sum = bytes;
    if (end < to)
      sum =
          static_cast<std::int64_t>(Ratio{}.times(bytes).times(end - from).over(to - from).whole());
    parts.push_back({.from = begin, .to = end, .month = month, .bytes = sum - done});
    done = sum;
    if (end >= to) return parts;
    begin = end;
  }
}

class Traffic {
 public:
  Traffic(const NetworkRules& rules, AccountUse* account, Drafts& out)
      : rules_(rules), out_(out), sent_(account == nullptr ? own_ : account->sent) {}

  void flat(Duration from, Duration to, std::int64_t bytes, const Decimal& price,
            std::string_view note, std::string_view rule);
  void outbound(const Part& part);
  bool outbound_priced() const { return rules_.egress_per_gb || !rules_.egress_tiers.empty(); }

 private:
  const NetworkRules& rules_;
  Drafts& out_;
  std::map<std::int64_t, std::int64_t> own_;
  std::map<std::int64_t, std::int64_t>& sent_;  // bytes by calendar month, of the account
};

void Traffic::flat(Duration from, Duration to, std::int64_t bytes, const Decimal& price,
                   std::string_view note, std::string_view rule) {
  if (bytes <= 0) return;
  out_.push_back({.from = from,
                  .to = to,
                  .item = Item::network,
                  .state = "running",
                  .amount = Ratio{price}.times(bytes).over(unit_of(rules_)).money(),
                  .unit = rules_.gib ? Unit::gib : Unit::gb,
                  .quantity = static_cast<std::uint64_t>(bytes),
                  .price = price,
                  .note = note,
                  .rule = rule});
}

// First what is free in the month, then the steps, marginal; above the last its price holds on.
void Traffic::outbound(const Part& part) {
  std::int64_t& position = sent_[part.month];
  const std::int64_t unit = unit_of(rules_);
  const std::int64_t included =
      rules_.egress_included_gb_month.value_or(Decimal{}).times(unit).value_or(INT64_MAX);
  const std::int64_t begin = std::max<std::int64_t>(position - included, 0);
  const std::int64_t end = std::max<std::int64_t>(position + part.bytes - included, 0);
  position += part.bytes;
  flat(part.from, part.to, part.bytes - (end - begin), Decimal{}, "included",
       "network.egress_included_gb_month");
  if (rules_.egress_tiers.empty()) {
    flat(part.from, part.to, end - begin, *rules_.egress_per_gb, "egress", "network.egress_per_gb");
    return;
  }
  std::int64_t from = 0;
  for (std::size_t i = 0; i < rules_.egress_tiers.size(); ++i) {
    const TrafficTier& tier = rules_.egress_tiers[i];
    const bool last = i + 1 == rules_.egress_tiers.size();
    const std::int64_t to =
        tier.up_to_gb && !last ? tier.up_to_gb->times(unit).value_or(INT64_MAX) : INT64_MAX;
    flat(part.from, part.to, std::min(end, to) - std::max(begin, from), tier.per_gb, "egress",
         "network.egress_tiers");
    from = to;
  }
}

// One for each machine, from provisioning until the machine is gone, at the running rate to the
// end of retention when it is kept.
void bill_addresses(const Setup& setup, const Line& line, const Cuts& cuts, Drafts& out) {
  const NetworkRules& rules = setup.rules->network;
  if (!rules.ip_per_hour && !rules.ip_per_month) return;
  const Charge charge{.price = rules.ip_per_hour ? *rules.ip_per_hour : *rules.ip_per_month,
                      .per = rules.ip_per_hour ? PriceUnit::hour : PriceUnit::month,
                      .rule = "network.ip"};
  MonthCap cap(rules.ip_cap_month);
  std::vector<Piece> pieces;
  Decimal factor;
  const auto flush = [&] {
    if (!pieces.empty() && !factor.is_zero())
      bill_exact(setup, cuts, pieces, {.charges = {&charge, 1}, .factor = factor}, cap, out);
    pieces.clear();
  };
  const std::size_t begin = out.size();
  for (const Segment& segment : line.segments) {
    const bool kept = segment.activity == Activity::retention && setup.job->keep.ip;
    const Duration from = std::max(segment.from, line.provisioned);
    if (from >= segment.to) continue;
    const bool lost = segment.activity == Activity::waiting && !setup.spot_terms.address_kept;
    const Decimal now = kept   ? Decimal::of(1)
                        : lost ? setup.rate(State::gone).ip
                               : setup.rate(segment.state).ip;
    if (now != factor) flush();
    factor = now;
    const Piece piece{
        .from = from, .to = segment.to, .item = Item::network, .state = label(segment.state)};
    if (!pieces.empty() && pieces.back().state == piece.state && pieces.back().to == from)
      pieces.back().to = piece.to;
    else
      pieces.push_back(piece);
  }
  flush();
  for (std::size_t i = begin; i < out.size(); ++i) {
    out[i].count = setup.machines;
    if (out[i].note.empty()) out[i].note = "ip";
  }
}

// Bytes of a transfer, by differences of rounded running sums: the parts add up to the whole.
std::int64_t bytes_of(const Transfer& transfer, std::int64_t all) {
  if (transfer.whole.count() == 0) return all;
  const auto until = [&](Duration time) {
    return static_cast<std::int64_t>(Ratio{}.times(all).times(time).over(transfer.whole).whole());
  };
  return until(transfer.begin + transfer.part) - until(transfer.begin);
}

// Checkpoints on their way to the object store and back.
void bill_checkpoints(const Setup& setup, const Line& line, Traffic& traffic) {
  const auto& price = setup.rules->network.internal_per_gb;
  const auto& plan = setup.job->checkpoint;
  if (!price || price->is_zero() || !plan || plan->to != CheckpointTo::object) return;
  for (const Copies& copies : line.copies)
    traffic.flat(copies.from, copies.to,
                 Decimal::of(copies.count).times(plan->size.count()).value_or(INT64_MAX), *price,
                 "checkpoints", "network.internal_per_gb");
}

}  // namespace

void bill_network(const Setup& setup, const Line& line, const Cuts& cuts, Notes& notes,
                  Drafts& out) {
  const NetworkRules& rules = setup.rules->network;
  const Decimal inbound = rules.ingress_per_gb.value_or(Decimal{});
  const Decimal inside = rules.internal_per_gb.value_or(Decimal{});
  Traffic traffic(rules, setup.request->account, out);
  if (setup.staged && !inbound.is_zero())
    traffic.flat(Duration{0}, setup.stage_time, setup.uploaded.count(), inbound, "ingress",
                 "network.ingress_per_gb");
  const Decimal copies = Decimal::of(setup.job->data.shared ? setup.machines : 1);
  const std::int64_t copied = copies.times(setup.job->data.upload.count()).value_or(INT64_MAX);
  bool unpriced = false;
  for (const Transfer& transfer : line.transfers) {
    if (!transfer.out) {
      const Decimal& price = setup.staged ? inside : inbound;
      if (!price.is_zero())
        traffic.flat(transfer.from, transfer.to,
                     bytes_of(transfer, setup.staged ? copied : setup.uploaded.count()), price, setup.staged ? "internal" : "ingress",
                     setup.staged ? "network.internal_per_gb" : "network.ingress_per_gb");
    } else if (!traffic.outbound_priced()) {
      unpriced = true;
    } else {
      for (const Part& part :
           by_month(setup.calendar, transfer.from, transfer.to,
                    bytes_of(transfer, setup.downloaded.count())))
        traffic.outbound(part);
    }
  }
  if (unpriced)
    notes.unpriced("network",
                   show_quantity(static_cast<std::uint64_t>(setup.downloaded.count()), Unit::gb),
                   "GB", "network.egress_per_gb");
  bill_checkpoints(setup, line, traffic);
  bill_addresses(setup, line, cuts, out);
}

}  // namespace gpuplan::billing
