#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "billing/setup.hpp"

namespace gpuplan::billing {

// How a quantity is shown; it is kept as the whole number that it was reckoned from.
enum class Unit : unsigned char { hour, gb, gib, count, percent, none };

// A line of the bill before it has text: of `count` machines from `first` on, each the same.
struct Draft {
  Duration from{0}, to{0};
  std::int64_t first = 0, count = 1;
  Item item = Item::compute;
  std::string_view state = {};
  Money amount = {};  // of one machine, in the platform's currency
  Unit unit = Unit::hour;
  std::uint64_t quantity = 0;       // microseconds, bytes, things, or digits of a percent
  std::string_view unit_name = {};  // of a count: "month", the name of a term
  Decimal price = {};
  std::string_view note = {}, rule = {};
  std::string_view per = {};      // of a price over time
  Duration billed{0}, period{0};  // how long that price counts, and what it is for
  std::string_view term = {};     // of a prepaid block
};
using Drafts = std::vector<Draft>;

// From the platform's currency to the bill's, by the catalog's table.
class Exchange {
 public:
  Exchange(const Catalog& catalog, const std::string& from, const std::string& to);
  Money convert(Money amount) const { return same_ ? amount : scaled(amount, from_, to_); }

 private:
  Decimal from_, to_;
  bool same_;
};
// Line by line, each rounded when it is converted.
void convert(Drafts& drafts, const Exchange& exchange);

// Bytes or microseconds as decimal text in the unit, at most nine decimals.
std::string show_quantity(std::uint64_t quantity, Unit unit);
// Fills ledger (unless it is not wanted), totals and total.
void write_ledger(const Setup& setup, const Drafts& drafts, Bill& bill);

}  // namespace gpuplan::billing
