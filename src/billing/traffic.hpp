#pragma once

#include "billing/meter.hpp"
#include "billing/timeline.hpp"

namespace gpuplan::billing {

// Traffic over the platform's border, traffic inside it, and public addresses.
void bill_network(const Setup& setup, const Line& line, const Cuts& cuts, Notes& notes,
                  Drafts& out);

}  // namespace gpuplan::billing
