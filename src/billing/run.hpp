#pragma once

#include "billing/timeline.hpp"

namespace gpuplan::billing {

// What holds for every run of one job on one offer, for those who bill many of them. Only for
// requests that `why_no_bill` has nothing against. It stays where it was made: the parts point at
// each other.
struct Prepared {
  explicit Prepared(const BillRequest& asked);
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;

  BillRequest request;
  Notes notes;  // what was to be said while it was set up
  Setup setup;
};

// The bill of one run. `notes`: what was to be said so far.
Result<Bill> bill_line(const Prepared& prepared, const Line& line, Notes notes);

}  // namespace gpuplan::billing
