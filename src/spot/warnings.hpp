#pragma once

#include "spot/trial_plan.hpp"

namespace gpuplan::spot {

// Nothing says how often machines are taken back.
bool reclaims_unknown(const Job& job, const SpotRules& rules);
// A rate of 0 % states that they never are.
bool never_reclaimed(const SpotRules& rules);
// What a renter of spot machines should know: each with its number.
void warn_spot(const billing::Setup& setup, const Plan& plan, billing::Notes& notes);
// What closed forms say. `setup`: of the work, or of one of its tasks.
SpotOutlook outlook_of(const billing::Setup& setup, const Plan& plan);
// By closed form a task takes so many sessions on average that it counts as never done.
bool hopeless(const BillRequest& request, const Plan& plan);
// The best interval between checkpoints, and what the work would cost with it.
void advise_checkpoint(const BillRequest& request, const TrialOptions& options, const Plan& plan,
                       SpotBill& result);

}  // namespace gpuplan::spot
