#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gpuplan/billing.hpp"
#include "gpuplan/cards.hpp"
#include "gpuplan/catalog.hpp"
#include "gpuplan/job.hpp"

namespace gpuplan {

// ---- breakeven: from how many hours one plan is cheaper than another ----

// Buying the card instead: the price of one card, what a kWh costs, and how long it is used. Money
// is in the currency of the answer.
struct Purchase {
  Money price;
  std::optional<Decimal> power_price;  // absent: power is not counted
  Decimal years = Decimal::of(3);
};

struct BreakEvenOptions {
  std::string currency;  // absent: the catalog's
  std::optional<Purchase> purchase;
};

// Card time only. Every number is exact until it is rounded to nine decimals.
struct BreakEvenPair {
  const Offer* offer = nullptr;
  std::string a, b;                    // plans; "buy" is the purchase
  std::optional<Decimal> hours;        // from which b is cheaper; 0: always; nothing: never
  std::optional<Decimal> utilisation;  // those hours as a share of the block, or of the years
  std::optional<Decimal> hours_a_day;
  std::string verdict;                 // "always", "from" or "never"
  std::string formula;
};

struct BreakEvenCost {
  std::string plan;
  Money cost;
};
// A row of the table: what so many hours of card time cost under each plan.
struct BreakEvenRow {
  const Offer* offer = nullptr;
  Duration time{0};
  std::vector<BreakEvenCost> costs;
  std::string cheapest;  // ties go to the plan that comes first
};

// The whole bill of the job under a plan.
struct PlanBill {
  const Offer* offer = nullptr;
  std::string plan;
  Money total;
  bool complete = true;
};

// How often spot machines may be taken back until they cost more card time than on demand: by closed
// forms of exponential lives.
struct BreakEvenReclaims {
  const Offer* offer = nullptr;
  std::string verdict;     // "always" (however often), "from" (such a mean life) or "never"
  double price_ratio = 0;  // an hour on demand over one on spot
  std::optional<double> load;             // work from zero over mean life, up to which spot is cheaper
  std::optional<double> mean_life_hours;  // of one machine, for the job's work; where that is stated
  std::optional<double> percent_hour, percent_month;  // of machines that are taken then
};

struct BreakEven {
  const Catalog* catalog = nullptr;
  Job job;
  std::string currency;
  std::optional<Purchase> purchase;
  std::vector<BreakEvenPair> pairs;
  std::vector<BreakEvenRow> table;
  std::vector<PlanBill> bills;  // for a job whose hours are stated
  std::vector<BreakEvenReclaims> reclaims;  // of offers sold on demand and on spot
  Warnings warnings;
};

// Compares the plans of each of these offers. Errors: a currency without a rate of exchange.
Result<BreakEven> find_break_even(std::span<const Offer* const> offers, const Catalog& catalog,
                                  const CardTable& cards, const Job& job,
                                  const BreakEvenOptions& options);

// ---- transfer: which way data goes, how long that takes and what it costs ----

struct TransferRequest {
  Bytes size;
  std::optional<std::int64_t> files;
  std::optional<Bandwidth> line_up, line_down;
  Decimal compression = Decimal::of(1);  // what is left of a byte on the public line
  bool home = false;                     // from the platform home; else to the platform
  std::string public_name;               // at a public hub: nobody has to send it; empty: not there
  const Catalog* catalog = nullptr;      // together with the offer, or none: then only times
  const Offer* offer = nullptr;
  std::string plan = "on_demand";
  std::string currency;  // absent: the catalog's
};

// What is not known is absent, never 0.
struct Route {
  // "direct", "compressed", "object_storage", "cardless", "web_page", "mirror"
  std::string route;
  std::optional<Duration> time;     // until the data is there
  std::optional<Money> cost;        // traffic and storage
  std::optional<Money> gpu_idle;    // card time while the data is on its way
  std::optional<Money> total;
  std::string bound;                // "line", "platform", "disk" or "unknown": what is slowest
  bool resumable = true;            // a break costs what was on its way, not everything
  std::vector<std::string> commands;
};

// What follows from these numbers for other sizes, in words.
struct TransferRule {
  std::string code;  // "object_storage_from", "pack_from_speed", "mirror"
  std::string message;
  std::optional<Bytes> size;       // from which on
  std::optional<Bandwidth> speed;  // of packing
};

struct TransferPlan {
  TransferRequest request;
  std::vector<Route> routes;  // the best first
  std::vector<TransferRule> rules;
  std::string currency;
  Warnings warnings;
};

Result<TransferPlan> plan_transfer(const TransferRequest& request);

}  // namespace gpuplan
