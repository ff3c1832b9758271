#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "rank/alike.hpp"
#include "rank/collect.hpp"
#include "rank/flips.hpp"
#include "rank/gates.hpp"
#include "rank/pricing.hpp"

namespace gpuplan::detail {

// The steps from a catalog to a decision, in their order. Fills in a ranking that has its inputs.
class Ranker {
 public:
  Ranker(Ranking& ranking, const Tables& tables, const RankOptions& options);
  void run();

 private:
  // Every candidate gets its bill.
  void price_all();
  // Only those that can be among the wanted rows, or first, or backup.
  void price_best();
  bool may_leave_some_out() const;
  bool takes_long(const Kind& kind) const;
  // An offer of which no plan passes, with the reasons of all and the first bill that it has.
  void reject_gated(const Candidate& candidate, std::vector<Priced> priced);
  void list_first(std::size_t rows);
  void see(const Candidate& candidate, const RankedOffer& offer);
  void add_contender(const Candidate& candidate, const RankedOffer& offer);
  // `--explain` shows the lines of the first bill.
  void with_ledger(RankedOffer& offer);
  void finish();

  struct Open;  // a group with the bill of its cheapest
  std::vector<Open> open_groups();
  // Nothing when its members miss a gate.
  std::optional<Open> open_group(Group& group);
  std::optional<RankedOffer> next_of(Group& group);
  std::optional<SpotFloor> floor_of(const Candidate& candidate);
  void try_the_fast(std::vector<Open>& open);
  bool refill(Open& open);
  // Offers in `failed` of which no other plan passes.
  void reject_those_without(const std::vector<Group>& failed, const std::vector<Open>& open);
  // A place where it stays.
  const Candidate& keep(const Candidate& candidate) { return kept_.emplace_back(candidate); }
  void count_alike(const std::vector<Open>& open);

  Ranking* ranking_;
  const RankOptions* options_;
  Sizer sizer_;
  Pricer pricer_;
  Collected found_;
  std::vector<Candidate> candidates_;  // where all get bills; those of one offer stand together
  std::deque<Candidate> kept_;  // where few do: those
  std::vector<RejectedOffer> gated_;
  std::vector<Contender> contenders_;
  SeenValues seen_;  // of all bills
  Best best_;        // of those that pass
  Alike alike_;
  bool one_of_each_ = false;  // whether those that look like a row that is there get no bill any more
};

}  // namespace gpuplan::detail
