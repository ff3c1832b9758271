// Which price would put another offer first where the order is not by cost alone.
#include <algorithm>

#include "rank/flip_price.hpp"
#include "rank/groups.hpp"
#include "rank/steps.hpp"

namespace gpuplan::detail {
namespace {

class Search {
 public:
  Search(Ranking& ranking, const RankOptions& options)
      : ranking_(ranking), options_(options), rows_(ranking.ranked) {}

  void run() {
    move(*ranking_.primary, "rises", kMostOfPrice);
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (rows_[i].offer != primary().offer && may_be_primary(rows_[i])) return move(i, "falls", 0);
  }

 private:
  const RankedOffer& primary() const { return ranking_.ranked[*ranking_.primary]; }

  // Who is first when the offer has this price, under all its plans: hours that no block covers cost what
  // they cost on demand. Nothing when the gates let a plan of it pass no more.
  const RankedOffer* first_with(const Candidate& moved, const Decimal& price) {
    Pricer pricer(ranking_, options_, priced_at(moved, price));
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const RankedOffer& as_it_was = ranking_.ranked[i];
      if (as_it_was.offer != moved.offer) continue;
      Priced priced = pricer.price(candidate_of(as_it_was), false);
      if (!priced.passes()) return nullptr;
      rows_[i] = std::move(*priced.ranked);
    }
    Best best;
    for (const RankedOffer& row : rows_) see(best, row);
    score(rows_, best, ranking_.weights, *ranking_.catalog, options_);
    const RankedOffer* first = nullptr;
    for (const RankedOffer& row : rows_)
      if (may_be_primary(row) && (first == nullptr || before(row, *first, ranking_.sort))) first = &row;
    return first;
  }

  void move(std::size_t at, std::string_view verb, std::int64_t limit) {
    const RankedOffer& row = ranking_.ranked[at];
    const Candidate moved = candidate_of(row);
    if (!movable(moved)) return;
    const bool own = at == *ranking_.primary;
    const auto flipped = [&](const Decimal& price) {
      const RankedOffer* first = first_with(moved, price);
      if (first == nullptr) return false;
      const bool still = first->offer == primary().offer && first->plan == primary().plan;
      return own ? !still : first->offer == row.offer;
    };
    if (const auto price = nearest_price(*moved.price, limit, flipped))
      ranking_.flips.push_back(price_flip(moved, *price, verb, *first_with(moved, *price), ranking_));
    rows_ = ranking_.ranked;
  }

  Ranking& ranking_;
  const RankOptions& options_;
  std::vector<RankedOffer> rows_;
};

}  // namespace

void find_score_flips(Ranking& ranking, const RankOptions& options) {
  Search(ranking, options).run();
}

}  // namespace gpuplan::detail
