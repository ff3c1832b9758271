#include "billing/ledger.hpp"

#include <algorithm>

namespace gpuplan {

std::string_view name_of(Item item) {
  constexpr std::array<std::string_view, kItems.size()> kNames{
      "compute", "startup", "transfer", "idle",     "lost_work", "storage",
      "network", "fees",    "refund",   "discount", "credit",    "tax"};
  return kNames[static_cast<std::size_t>(item)];
}

namespace billing {
namespace {

struct UnitText {
  std::string_view name;
  std::uint64_t size;
};
constexpr std::array kUnits{UnitText{"hour", 3'600'000'000},
                            UnitText{"GB", 1'000'000'000},
                            UnitText{"GiB", std::uint64_t{1} << 30},
                            UnitText{"", 1},
                            UnitText{"percent", 1},
                            UnitText{"", 1}};

Decimal rate(const Catalog& catalog, const std::string& currency) {
  const auto found = catalog.fx.find(currency);
  return found == catalog.fx.end() ? Decimal::of(1) : found->second;
}

LedgerLine with_text(const Draft& draft) {
  LedgerLine line{.from = draft.from,
                  .to = draft.to,
                  .instance = draft.first,
                  .state = std::string(draft.state),
                  .item = draft.item,
                  .quantity = {},
                  .unit = std::string(kUnits[static_cast<std::size_t>(draft.unit)].name),
                  .unit_price = draft.price.to_string(),
                  .per = std::string(draft.per),
                  .billed = draft.billed,
                  .period = draft.period,
                  .amount = draft.amount,
                  .note = std::string(draft.note),
                  .rule = std::string(draft.rule)};
  line.quantity =
      draft.unit == Unit::percent ? line.unit_price : show_quantity(draft.quantity, draft.unit);
  if (draft.unit == Unit::percent) line.unit_price.clear();
  if (draft.unit == Unit::count) line.unit = std::string(draft.unit_name);
  if (line.rule == "price") line.rule += "." + std::string(draft.term);
  return line;
}

}  // namespace

Exchange::Exchange(const Catalog& catalog, const std::string& from, const std::string& to)
    : from_(rate(catalog, from)), to_(rate(catalog, to)), same_(from == to) {}

void convert(Drafts& drafts, const Exchange& exchange) {
  for (Draft& draft : drafts) draft.amount = exchange.convert(draft.amount);
}

std::string show_quantity(std::uint64_t quantity, Unit unit) {
  const std::uint64_t size = kUnits[static_cast<std::size_t>(unit)].size;
  return to_string(
      Money::nanos(Ratio{}.times(quantity).times(std::uint64_t{1'000'000'000}).over(size).whole()));
}

void write_ledger(const Setup& setup, const Drafts& drafts, Bill& bill) {
  std::size_t lines = 0;
  for (const Draft& draft : drafts) lines += static_cast<std::size_t>(draft.count);
  if (setup.request->ledger) bill.ledger.reserve(lines);
  std::array<Money, kItems.size()> totals{};
  std::array<bool, kItems.size()> seen{};
  for (const Draft& draft : drafts) {
    const auto item = static_cast<std::size_t>(draft.item);
    totals[item] += Money::nanos(draft.amount.nanos() * draft.count);
    seen[item] = true;
    if (!setup.request->ledger) continue;
    bill.ledger.push_back(with_text(draft));
    for (std::int64_t i = 1; i < draft.count; ++i) {
      bill.ledger.push_back(bill.ledger.back());
      bill.ledger.back().instance = draft.first + i;
    }
  }
  for (const Item item : kItems) {
    const auto at = static_cast<std::size_t>(item);
    if (!seen[at]) continue;
    bill.totals[item] = totals[at];
    bill.total += totals[at];
  }
}

}  // namespace billing
}  // namespace gpuplan
