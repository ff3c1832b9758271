// The formula of a ledger line, and the rules behind it.
#include <algorithm>

#include "billing/ledger.hpp"
#include "gpuplan/billing.hpp"

namespace gpuplan {
namespace {

using namespace billing;

constexpr std::array kCardTime{Item::compute, Item::startup, Item::transfer, Item::idle,
                               Item::lost_work};

std::string hours(Duration time) {
  return show_quantity(static_cast<std::uint64_t>(std::max(time, Duration{0}).count()), Unit::hour);
}

std::string seconds_text(const std::optional<std::int64_t>& value, std::int64_t otherwise) {
  return std::to_string(value.value_or(otherwise)) + " s";
}

std::string_view text_of(Round round) {
  constexpr std::array<std::string_view, 3> kNames{"up", "nearest", "none"};
  return kNames[static_cast<std::size_t>(round)];
}

std::string_view text_of(BilledFrom from) {
  constexpr std::array<std::string_view, 3> kNames{"request", "provisioning", "ready"};
  return kNames[static_cast<std::size_t>(from)];
}

std::string month_text(const MeterRules& meter) {
  constexpr std::int64_t kUsual = 730;
  const std::int64_t length = meter.month_hours.value_or(kUsual);
  return length == 0 ? "calendar" : std::to_string(length) + " h";
}

std::string refund_text(const Refund& refund) {
  constexpr std::array<std::string_view, 5> kNames{"none", "pro rata", "multiplier", "clawback",
                                                   "service credit"};
  std::string text(kNames[static_cast<std::size_t>(refund.kind)]);
  if (refund.kind == Refund::Kind::multiplier) text += " " + refund.value.to_string();
  if (refund.kind == Refund::Kind::clawback) text += " of " + refund.value.to_string() + " %";
  return text;
}

// "an hour", "a GB-month": what a price over time is for.
std::string period_text(const LedgerLine& line) {
  if (line.unit == "GB" || line.unit == "GiB") return "a " + line.unit + "-" + line.per;
  return (line.per == "hour" ? "an " : "a ") + line.per;
}

// Collects the rules of one line.
class Explainer {
 public:
  Explainer(const LedgerLine& line, const Offer& offer, const RuleOrigins& origins)
      : line_(line), rules_(*offer.rules), origins_(origins) {}

  std::vector<LineRule> run() {
    if (!line_.rule.empty()) add(line_.rule, price_text());
    if (line_.per == "month") add("meter.month_hours", month_text(rules_.meter));
    if (std::ranges::find(kCardTime, line_.item) != kCardTime.end()) add_metering();
    if (line_.item == Item::storage) add_storage();
    add_state();
    return std::move(found_);
  }

 private:
  void add(const std::string& key, std::string value) {
    found_.push_back({.key = key, .value = std::move(value), .origin = origins_.of(key)});
  }

  std::string price_text() const {
    if (line_.item == Item::refund) return refund_text(rules_.terms.refund.value_or(Refund{}));
    if (line_.unit == "percent") return line_.quantity + " %";
    if (line_.per.empty()) return line_.unit_price;
    return line_.unit_price + " " + period_text(line_);
  }

  void add_metering() {
    if (line_.note == "prepaid") return;
    const MeterRules& meter = rules_.meter;
    add("meter.quantum_s", seconds_text(meter.quantum_s, 1));
    add("meter.round", std::string(text_of(meter.round.value_or(Round::up))));
    if (meter.minimum_s) add("meter.minimum_s", seconds_text(meter.minimum_s, 0));
    if (line_.item == Item::startup)
      add("meter.billed_from",
          std::string(text_of(meter.billed_from.value_or(BilledFrom::provisioning))));
    if (line_.note == "cap_month" && meter.cap_month)
      add("meter.cap_month", meter.cap_month->to_string());
  }

  void add_storage() {
    const auto rule = std::ranges::find_if(rules_.storage, [&](const auto& entry) {
      return line_.rule == "storage." + std::string(label(entry.first));
    });
    if (rule == rules_.storage.end()) return;
    if (!rule->second.included_gb.is_zero())
      add(line_.rule + ".included_gb", rule->second.included_gb.to_string());
    if (rule->second.cap_month) add(line_.rule + ".cap_month", rule->second.cap_month->to_string());
  }

  // What led to a state other than running, and what that state costs.
  void add_state() {
    const bool billed = line_.item == Item::storage || line_.item == Item::network ||
                        std::ranges::find(kCardTime, line_.item) != kCardTime.end();
    if (!billed || line_.state.empty() || line_.state == "running") return;
    const StopRules& stop = rules_.stop;
    const std::array verbs{
        std::pair{"stop.guest_shutdown", stop.guest_shutdown}, std::pair{"stop.stop", stop.stop},
        std::pair{"stop.hibernate", stop.hibernate}, std::pair{"stop.cardless", stop.cardless},
        std::pair{"stop.terminate", stop.terminate}};
    for (const auto& [key, state] : verbs)
      if (state && label(*state) == line_.state) add(key, line_.state);
    for (const State state :
         {State::held, State::released, State::hibernated, State::cardless, State::gone})
      if (label(state) == line_.state) add("stop.factor." + line_.state, factor_text(state));
  }

  std::string factor_text(State state) const {
    const StateRate rate = state_rate(rules_, state);
    if (rate.flat) return rate.flat->to_string() + " an hour for all of it";
    if (line_.item == Item::network) return "x " + rate.ip.to_string();
    if (line_.item != Item::storage) return "x " + rate.compute.to_string();
    const Decimal& factor = line_.rule == "storage.system" ? rate.system
                            : line_.rule == "storage.data" ? rate.data
                                                           : rate.volume;
    return "x " + factor.to_string();
  }

  const LedgerLine& line_;
  const Rules& rules_;
  const RuleOrigins& origins_;
  std::vector<LineRule> found_;
};

std::string over_time(const LedgerLine& line, const std::string& money) {
  const bool sized = line.unit == "GB" || line.unit == "GiB";
  std::string text = sized ? line.quantity + " " + line.unit + " x " : "";
  text += line.unit_price + " " + money + " " + period_text(line);
  if (line.period == kHour) return text + " x " + hours(line.billed) + " h";
  return text + " x " + hours(line.billed) + " h / " + hours(line.period) + " h";
}

std::string formula_of(const LedgerLine& line, const std::string& money) {
  switch (line.item) {
    case Item::discount:
      return line.quantity + " % of what it holds for";
    case Item::tax:
      return line.quantity + " % of all lines before it";
    case Item::credit:
      return line.unit == "percent" ? line.quantity + " % of the card time"
                                    : line.unit_price + " " + money + ", at most what is open";
    case Item::refund:
      return "of " + line.unit_price + " " + money + " paid for a " + line.unit;
    default:
      break;
  }
  if (line.note == "included") return line.quantity + " " + line.unit + " are included";
  if (line.note == "rounding" || line.note == "minimum")
    return "what the " + line.note + " adds or takes: " + hours(line.billed) + " h at " +
           line.unit_price + " " + money + " " + period_text(line);
  if (!line.per.empty()) return over_time(line, money);
  return line.quantity + " " + line.unit + " x " + line.unit_price + " " + money;
}

}  // namespace

LineExplanation explain_line(const LedgerLine& line, const Catalog& catalog, const Offer& offer,
                             const RuleOrigins& origins, const std::string& currency) {
  const std::string& own = catalog.platforms[offer.platform].currency;
  LineExplanation result;
  result.formula = formula_of(line, own);
  if (own != currency) result.formula += ", from " + own;
  result.formula += " = " + to_string(line.amount) + " " + currency;
  result.rules = Explainer(line, offer, origins).run();
  return result;
}

}  // namespace gpuplan
