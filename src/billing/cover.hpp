#pragma once

#include <deque>
#include <vector>

#include "billing/compute.hpp"

namespace gpuplan::billing {

// A prepaid term that may be bought, with what is paid beside it.
struct Term {
  const Commitment* sold = nullptr;
  Duration length{0};
  std::vector<Charge> beside;  // card time inside it that is paid by use all the same
  Money paid;                  // price and the hourly part that every hour of the term owes
  Money weighed;               // the same for choosing: less discounts that name this term
  bool hours_after = false;    // `at_end` is on demand
};

// The terms of the offer that the plan may use, the longest first.
std::vector<Term> terms_of(const Setup& setup);

// Cheapest whole blocks, the longest first in time, for the time from the first stretch's begin to
// the last one's end; hours after the last block only where its term falls back to on demand.
std::vector<BlockUse> cheapest_cover(const Setup& setup, const CardSpans& spans,
                                     const std::vector<Term>& terms,
                                     std::span<const Piece> stretches);

// Covers the time line; where a stop ends a term, each session by itself.
std::vector<BlockUse> cover_line(const Setup& setup, const Line& line,
                                 const std::vector<Term>& terms);

// The lines of the blocks, and what comes back for the one that runs at the end verb.
void bill_blocks(const Setup& setup, const std::vector<Term>& terms,
                 std::span<const BlockUse> blocks, Drafts& out);
void bill_refund(const Setup& setup, const Line& line, const std::vector<Term>& terms,
                 std::span<const BlockUse> blocks, Notes& notes, Drafts& out);
void warn_overrun(const Line& line, const Setup& setup, const std::vector<Term>& terms,
                  std::span<const BlockUse> blocks, Notes& notes);

}  // namespace gpuplan::billing
