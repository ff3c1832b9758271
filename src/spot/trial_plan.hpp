#pragma once

#include <optional>

#include "billing/run.hpp"
#include "gpuplan/spot.hpp"
#include "spot/lives.hpp"

namespace gpuplan::spot {

// What all runs of a spot plan share.
struct Plan {
  Chances chances;
  Policy policy = {};
  const Availability* trace = nullptr;
  std::optional<double> share;  // of the ticks in which a machine is there
  Duration share_gap{0};
  std::uint64_t seed = 1;
  std::int64_t tasks = 1;  // that the work is cut into, each on a machine of its own
  std::int64_t at_once = 1;
  bool hopeless = false;  // it would be done, but only after more sessions than anybody would see

  bool by_ticks() const {
    return trace != nullptr || share ||
           (policy.kind != PolicyKind::spot && policy.kind != PolicyKind::retries &&
            policy.kind != PolicyKind::mixed);
  }
  bool random() const { return chances.life || share; }
};

// What is wrong with the job's policy, whatever is offered: an unknown name, or what it needs is missing.
std::optional<Diagnostic> policy_fault(const Job& job);
// The plan of job and offer. Errors: a policy that is unknown or lacks what it needs.
Result<Plan> plan_of(const BillRequest& request, const TrialOptions& options);
// Takes what the plan adds to the terms of a session.
void hold(billing::Setup& setup, const Plan& plan);
// The time line of run number `run`. `from`: when the machine is asked for.
billing::Line line_of(const billing::Setup& setup, const Plan& plan, billing::Lives& lives,
                      std::int64_t run, Duration from, billing::Notes& notes);

}  // namespace gpuplan::spot
