#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "rank/pricing.hpp"

namespace gpuplan::detail {

// What a row of the ranking shows of an offer, apart from its price and name.
struct Looks {
  const Platform* platform;
  const Rules* rules;
  const Sizing* sizing;  // the card, its memory and wires
  std::int64_t gpus;
  MaybeDecimal share;
  std::string_view region, tier;  // kept by the offer
  std::string plan;
  bool operator==(const Looks&) const = default;
};
Looks looks_of(const Candidate& candidate);
Looks looks_of(const RankedOffer& offer);

// Which looks have a row already. The offers must stay where they are.
class Alike {
 public:
  bool known(const Looks& looks) const { return rows_.contains(looks); }
  // Whether a row has these looks in any region, tier and share.
  bool known_but_for_place(Looks looks) const;
  // Counts one more offer of these looks; true: it is the first.
  bool add(const Looks& looks) { return rows_[looks]++ == 0; }
  // Marks all but the first of each looks, and the first with the number of the others.
  void mark(std::vector<RankedOffer>& ranked) const;

 private:
  struct Hash {
    std::size_t operator()(const Looks& looks) const;
  };
  std::unordered_map<Looks, std::size_t, Hash> rows_;  // how many there are
};

}  // namespace gpuplan::detail
