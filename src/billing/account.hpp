#pragma once

#include "billing/meter.hpp"
#include "billing/timeline.hpp"

namespace gpuplan::billing {

// Where lines have to be cut for the rules of this offer and account.
Cuts cuts_for(const Setup& setup, const Line& line);
// Plan fees, then discounts, credits and tax, each from the rounded lines before it, which are in
// the currency of the bill already. Says as well what the promised uptime is worth.
void bill_account(const Setup& setup, const Line& line, const Cuts& cuts, const Exchange& exchange,
                  Drafts& out, Expected& expected);

}  // namespace gpuplan::billing
