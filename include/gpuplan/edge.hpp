#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gpuplan/catalog.hpp"
#include "gpuplan/money.hpp"
#include "gpuplan/result.hpp"
#include "gpuplan/units.hpp"

namespace gpuplan {

// Data that arise every day, and where they may be worked on. A month has 30 days.
struct EdgeRequest {
  Bytes per_day;
  Decimal keep_share = Decimal::of(1, 1);   // what pre-processing leaves of a byte
  Decimal retention_days = Decimal::of(30);  // how long the cloud keeps what it gets
  std::optional<Money> edge_cost;          // a month: hardware that pre-processes
  std::optional<Money> edge_compute_cost;  // a month: further hardware that does all the computing
  std::optional<Decimal> compute_hours;    // a day, of the offer's machine, for the raw data
  Bytes back_per_day;                      // results that come back from the cloud
  std::optional<Decimal> latency_ms;       // within which an answer is wanted
  Decimal round_trip_ms = Decimal::of(50);  // to the cloud and back
  bool private_data = false;               // raw data may not leave the site
  std::optional<Bandwidth> line;
  const Catalog* catalog = nullptr;
  const Offer* offer = nullptr;  // null: the cheapest object storage of the catalog
  std::string plan = "on_demand";
  std::string currency;  // absent: the catalog's
  // Prices of the user's own, in the currency of the answer: a GB and month, a GB, an hour.
  std::optional<Decimal> storage_price, ingress_price, egress_price, compute_price;
};

// A month in the steady state. What is not known is absent, never 0.
struct EdgeBill {
  Bytes upload, stored;  // in a month; at any time
  std::optional<Money> network, storage, compute, edge, total;
  std::string excluded;  // why this way is closed; empty: it is open
};

struct EdgePlan {
  EdgeRequest request;
  const Offer* offer = nullptr;  // whose prices were taken
  std::string currency;
  double line_needed = 0;  // bits a second, for the raw data at an even flow
  EdgeBill cloud_only, edge_first, two_stage;
  std::optional<Money> edge_cost_break_even;  // dearest edge, a month, with which it saves anything
  std::string verdict;                        // "cloud", "edge", "two-stage"; empty: undecided
  std::vector<std::string> why;
  Warnings warnings;
};

// Bills the three ways. Errors: a currency without a rate, an offer without a price under the plan.
Result<EdgePlan> plan_edge(const EdgeRequest& request);

}  // namespace gpuplan
