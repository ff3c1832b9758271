#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpuplan/catalog.hpp"
#include "gpuplan/job.hpp"
#include "gpuplan/money.hpp"
#include "gpuplan/result.hpp"
#include "gpuplan/units.hpp"

namespace gpuplan {

enum class Item {
  compute, startup, transfer, idle, lost_work, storage, network, fees, refund, discount, credit, tax
};
inline constexpr std::array kItems{Item::compute, Item::startup,  Item::transfer, Item::idle,
                                   Item::lost_work, Item::storage, Item::network, Item::fees,
                                   Item::refund, Item::discount, Item::credit, Item::tax};
std::string_view name_of(Item item);

// One line of the bill. `amount` is an exact fraction (price x quantity x time / period) rounded
// once, half away from zero, to nine decimals.
struct LedgerLine {
  Duration from{0}, to{0};
  std::int64_t instance = 0;
  std::string state;  // a State's name, "queue" or "waiting"
  Item item = Item::compute;
  std::string quantity, unit;    // "10", "hour"; decimal text, nothing is computed from it again
  std::string unit_price;        // decimal text in the platform's currency
  Money amount;                  // in the currency of the bill
  std::string note;
  std::string rule;              // where the price and the rule stand: "offer price.on_demand"
};

struct Unpriced {
  std::string item;      // "storage", "network", ...
  std::string quantity, unit;
  std::string key;       // the catalog key that would state the price
};

struct Block {
  std::string term;
  std::int64_t count = 0;
  Money price;
};

struct TimeLine {
  Duration wall{0}, queue{0}, startup{0}, transfer{0}, run{0};
};

struct Bill {
  std::string currency;
  std::vector<LedgerLine> ledger;
  std::map<Item, Money> totals;  // every item that has a line
  Money total;                   // the sum of the ledger, exactly
  bool complete = true;
  std::vector<Unpriced> unpriced;
  std::vector<Block> blocks;
  TimeLine time;
  Warnings warnings;
};

// What the bill is made for: `run` is the time that one such machine needs for all the work.
struct BillRequest {
  const Catalog* catalog = nullptr;
  const Offer* offer = nullptr;
  const Job* job = nullptr;
  Duration run{0};
  std::string plan = "on_demand";  // on_demand | reserved | day | week | month | year | a name
  std::string currency;            // of the bill
  bool ledger = true;              // false: totals only, for those who make thousands of bills
};

// Why this offer has no bill under this plan, with the code that `compare` rejects it with:
// plan_not_sold, price_missing, fx_missing. Nothing when it has one.
std::optional<Warning> why_no_bill(const BillRequest& request);

// Builds the time line of job and offer and the ledger from it. Errors: those of `why_no_bill`.
Result<Bill> simulate_bill(const BillRequest& request);

}  // namespace gpuplan
