#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "billing/run.hpp"
#include "spot/quick.hpp"
#include "spot/trial_plan.hpp"

namespace gpuplan::spot {

// One way in which a machine does the work or a task of it, set up once for many runs.
struct Way {
  Way(const BillRequest& asked, const Plan& plan, Job own);
  Way(const Way&) = delete;
  Way& operator=(const Way&) = delete;

  Job job;
  billing::Prepared prepared;
  std::optional<Quick> quick;  // where the full bill is not needed
};

// All ways of a plan. Work in one piece has one; of several tasks the last ones are followed by the
// idle hours of the machines, the very last by what is kept; some machines may be rented on demand.
class Ways {
 public:
  Ways(const BillRequest& request, const Plan& plan);
  Way& of(std::int64_t task, bool on_demand);
  Way& whole() { return *ways_.front(); }
  const std::vector<std::unique_ptr<Way>>& all() const { return ways_; }

 private:
  const Plan& plan_;
  std::vector<std::unique_ptr<Way>> ways_;  // task, task before idle hours, last task; on demand
};

// Tasks in their order, each on the machine that is free first. `do_task(task, machine, from)` gives
// the moment at which it is done, or nothing when it never is. The wall time of all.
template <class DoTask>
std::optional<Duration> work_off(std::int64_t tasks, std::int64_t machines, DoTask do_task) {
  std::vector<Duration> free(static_cast<std::size_t>(machines), Duration{0});
  Duration wall{0};
  for (std::int64_t task = 0; task < tasks; ++task) {
    const auto machine = std::ranges::min_element(free);
    const auto end = do_task(task, machine - free.begin(), *machine);
    if (!end) return std::nullopt;
    *machine = *end;
    wall = std::max(wall, *end);
  }
  return wall;
}

// The bills of all tasks as one. `at_once`: machines that share them.
Bill joined(std::vector<Bill> bills, std::int64_t at_once);

}  // namespace gpuplan::spot
