#pragma once

#include "billing/meter.hpp"
#include "billing/timeline.hpp"

namespace gpuplan::billing {

// A prepaid block on the time line of one machine.
struct BlockUse {
  const Commitment* term = nullptr;
  Duration from{0}, to{0};
  std::span<const Charge> beside;  // what card time costs inside it all the same
};

// Stretches in which the card is billed at all: what a prepaid term has to cover.
std::vector<Piece> billed_stretches(const Setup& setup, const Line& line);
// Card time of one machine, span by span; prepaid blocks replace the running charges.
void bill_compute(const Setup& setup, const Line& line, const Cuts& cuts,
                  std::span<const BlockUse> blocks, Notes& notes, Drafts& out);

}  // namespace gpuplan::billing
