#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gpuplan/catalog.hpp"
#include "gpuplan/job.hpp"
#include "gpuplan/money.hpp"
#include "gpuplan/origins.hpp"
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
  std::string per;               // what the price is for: "hour", "month"; empty: for the quantity
  Duration billed{0}, period{0};  // of a price over time: how long it counts, and the period's length
  Money amount;                  // in the currency of the bill
  std::string note;
  std::string rule;              // key of the rule: "price.on_demand", "storage.data"
};

struct Unpriced {
  std::string item;      // "storage", "network", ...
  std::string quantity, unit;
  std::string key;       // the catalog key that would state the price
  friend bool operator==(const Unpriced&, const Unpriced&) = default;
};

struct Block {
  std::string term;
  std::int64_t count = 0;
  Money price;
};

struct TimeLine {
  Duration wall{0}, queue{0}, startup{0}, transfer{0}, run{0};
};

// What may come on average, where the platform states the facts. None of it is in the total.
struct Expected {
  std::optional<Decimal> start_tries;   // requests until a machine is given: 1 / provision.available
  std::optional<Duration> queue;        // wait for the first start, all tries together
  std::optional<Duration> allowed_down;  // that the promised uptime leaves, of the time paid for
  std::optional<Money> credit_if_missed;  // what comes back when the host is down for longer
};

// What the bills made before have used up of one account: bills of several jobs are made in order,
// each with what is left of free amounts, credits and fees. Months are those of the jobs' calendars.
struct AccountUse {
  Money spent;  // by earlier jobs, after discounts, in the currency of the bills
  std::set<std::int64_t> fee_months;
  std::map<std::size_t, Money> credits;  // taken from a credit that is given once
  std::map<std::pair<std::size_t, std::int64_t>, Money> monthly_credits;
  std::map<std::int64_t, std::int64_t> sent;  // bytes out, by month
  // Bytes that lie there from a moment on, until the next one: in UTC, whatever clock a job goes by.
  std::map<StorageKind, std::map<Duration, std::int64_t>> stored;
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
  Duration billed{0};  // time in which card time is billed, of all machines
  std::int64_t reclaims = 0;  // times that the platform took the machines back
  Duration lost{0};           // work of one machine that was done again
  bool finished = true;       // false: no session is long enough for any progress
  Expected expected;
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
  AccountUse* account = nullptr;   // of earlier bills; this one is added to it
};

// Why this offer has no bill under this plan, with the code that `compare` rejects it with:
// plan_not_sold, price_missing, fx_missing. Nothing when it has one.
std::optional<Warning> why_no_bill(const BillRequest& request);

// Builds the time line of job and offer and the ledger from it. Errors: those of `why_no_bill`.
Result<Bill> simulate_bill(const BillRequest& request);

// A rule that had a say in a line of the ledger.
struct LineRule {
  std::string key;    // "meter.quantum_s"
  std::string value;  // as the bill took it: "60 s"
  RuleOrigin origin;
};
struct LineExplanation {
  std::string formula;  // with the numbers put in: "10 h x 0.69 USD an hour = 6.9 USD"
  std::vector<LineRule> rules;  // the price first
};
// Why a line of this offer's bill is what it is. `currency` is that of the bill.
LineExplanation explain_line(const LedgerLine& line, const Catalog& catalog, const Offer& offer,
                             const RuleOrigins& origins, const std::string& currency);

}  // namespace gpuplan
