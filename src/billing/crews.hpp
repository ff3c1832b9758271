#pragma once

#include <memory>
#include <vector>

#include "billing/run.hpp"

namespace gpuplan::billing {

// Machines of one job that do the same: they have as many tasks each.
struct Crew {
  const Prepared* prepared = nullptr;
  const Line* line = nullptr;
  std::int64_t first = 0;  // number of its first machine
};

// One bill for all of them; the crew that finishes last comes first.
Result<Bill> bill_crews(std::span<const Crew> crews, Notes notes);

// Whole tasks on machines that are rented by the hour: where they cannot be dealt out evenly, some
// machines have one more than the others, which are given back earlier.
bool dealt_unevenly(const BillRequest& request);
Result<Bill> bill_tasks(const BillRequest& request);

}  // namespace gpuplan::billing
