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

// Card time on demand, as it is metered: spans with what each counts.
class CardSpans {
 public:
  CardSpans(const Setup& setup, const Line& line);
  // Hours at the full rate that the spans between two moments count: each span, and what is left of
  // one that begins before, with quantum, rounding, minimum and the factor of its state.
  Duration counted(Duration from, Duration to) const;

 private:
  struct Span {
    Duration from{0}, to{0};
    Decimal factor;
  };
  Duration part(const Span& span, Duration from, Duration to) const;

  const Setup& setup_;
  std::vector<Span> spans_;
  std::vector<Duration> before_;  // what all spans before one count
};

// Stretches in which the card is billed at all: what a prepaid term has to cover.
std::vector<Piece> billed_stretches(const Setup& setup, const Line& line);
// Card time of one machine, span by span; prepaid blocks replace the running charges.
void bill_compute(const Setup& setup, const Line& line, const Cuts& cuts,
                  std::span<const BlockUse> blocks, Notes& notes, Drafts& out);

}  // namespace gpuplan::billing
