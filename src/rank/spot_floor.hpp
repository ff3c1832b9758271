#pragma once

#include <optional>

#include "gpuplan/billing.hpp"

namespace gpuplan::detail {

// What the mean bill of a spot plan is at least, known without trying its runs. For leaving out only:
// what is left is compared by the bills of its runs.
struct SpotFloor {
  Money undisturbed;     // the bill when nothing is taken back: no mean is below, and it grows with the work
  Money total;           // with what closed forms say of work done again, less what a mean may miss
  Duration wall{0};      // when nothing is taken back
  bool by_forms = false;  // whether closed forms say anything of it
  bool is_done = false;  // surely by every run
};

// `trials`: how many runs the mean will be made of. Nothing where the work is split, and where being
// taken back can make a machine cheaper: hours that it stays on behind the work, a free hour, a rounding down, money that is used up or given
// back by the sum.
std::optional<SpotFloor> spot_floor(const BillRequest& request, std::int64_t trials);

}  // namespace gpuplan::detail
