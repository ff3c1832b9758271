#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpuplan/billing.hpp"
#include "gpuplan/catalog.hpp"
#include "gpuplan/date.hpp"
#include "gpuplan/plan.hpp"
#include "gpuplan/rank.hpp"

namespace gpuplan {

enum class ChecklistTime { before, during, stop, after };
std::string_view name_of(ChecklistTime when);

struct ChecklistItem {
  ChecklistTime when = ChecklistTime::before;
  std::string code = {};  // stable
  std::string what = {};  // to do
  std::string why = {};
  std::optional<Money> costs_if_forgotten = {};  // absent: no figure can be given
  std::string costs_what = {};                   // what that amount is: "a night of 12 h"
};

// The smallest run that goes through everything, for a platform that one does not know yet.
struct TrialPlan {
  Duration run{0};
  Bytes upload, download;
  std::string plan = {};
  Duration wall{0};
  Money total;
  bool complete = true;
  std::vector<std::string> steps = {};
};

struct Shard {
  std::int64_t number = 0;            // from 1
  std::int64_t from = 0, to = 0;      // both included
};
struct MachineCost {
  std::int64_t machines = 1;
  Duration wall{0};
  Money total;
  bool complete = true;
  bool in_time = true;  // within the deadline, when there is one
};
// The work on several machines.
struct MachinePlan {
  std::int64_t machines = 1;
  bool needed = false;
  std::string why = {};
  std::string unit = {};  // of the ranges: "samples", "requests", "tasks"; empty: it does not split
  std::vector<Shard> shards = {};
  std::vector<MachineCost> costs = {};
  std::optional<Duration> rerun_time = {};
  std::optional<Money> rerun_cost = {};  // doing one shard again on a machine of its own
  std::vector<std::string> commands = {};
};

struct ChecklistRequest {
  const Catalog* catalog = nullptr;
  const Offer* offer = nullptr;
  std::string plan = "on_demand";
  std::string currency = {};  // absent: the catalog's
  std::optional<Date> as_of = {};
};

struct Checklist {
  ChecklistRequest request = {};
  Job job = {};
  std::string currency = {};
  Duration run{0};  // all the work on one machine
  Bill bill = {};   // of the job as it is planned
  std::vector<ChecklistItem> items = {};
  std::optional<TrialPlan> trial = {};
  std::optional<MachinePlan> machines = {};
  Warnings warnings = {};
};

// What to do with this job on this offer, made from the platform's rules; every amount is the
// difference of two bills. Errors: those of `simulate_offer`.
Result<Checklist> make_checklist(const JobModel& work, const ChecklistRequest& request,
                                 const Tables& tables);

}  // namespace gpuplan
