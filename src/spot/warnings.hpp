#pragma once

#include "billing/setup.hpp"
#include "gpuplan/spot.hpp"
#include "spot/law.hpp"

namespace gpuplan::spot {

// Nothing says how often machines are taken back.
bool reclaims_unknown(const Job& job, const SpotRules& rules);
// A rate of 0 % states that they never are.
bool never_reclaimed(const SpotRules& rules);
// What a renter of spot machines should know: each with its number.
void warn_spot(const billing::Setup& setup, const std::optional<Law>& law, billing::Notes& notes);
// Where spot begins to pay, and what cutting the work into tasks would do.
SpotOutlook outlook_of(const billing::Setup& setup, const std::optional<Law>& law,
                       billing::Notes& notes);
// The best interval between checkpoints, and what the work would cost with it.
void advise_checkpoint(const BillRequest& request, const TrialOptions& options, SpotBill& result);

}  // namespace gpuplan::spot
