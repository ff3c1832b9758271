#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "gpuplan/rank.hpp"

namespace gpuplan::detail {

// Finds cards by the names that a catalog writes and sizes the job on them, each kind once.
class Sizer {
 public:
  Sizer(const Job& job, const ModelShape& model, const Catalog& catalog, const Tables& tables);
  // The sizing of the job on this machine; `reasons` inside say when it cannot run there.
  std::shared_ptr<const Sizing> size(const Offer& offer);
  // The same, but a job that does not fit gets the layout and time that it would have.
  Sizing size_anyway(const Offer& offer);

 private:
  struct Name {
    const Card* card = nullptr;
    std::optional<Warning> warning;
  };
  const Name& card_of(const std::string& name);
  Sizing compute(const Offer& offer, const Card& card, std::int64_t gpus);
  Layout const* layout_for(std::int64_t gpus, Bytes available);

  const Job* job_;
  const ModelShape* model_;
  Tables tables_;
  CardTable own_cards_;  // of the catalog
  std::map<std::string, Name, std::less<>> names_;
  using Key = std::tuple<const Card*, std::int64_t, std::int64_t, int>;  // card, gpus, bytes, wire
  std::map<Key, std::shared_ptr<const Sizing>> sizings_;
  std::map<std::int64_t, std::vector<Layout>> layouts_;  // by number of cards
};

// Reasons that need neither the job's size nor a bill.
std::vector<Reason> plain_reasons(const Offer& offer, const Platform& platform, const Job& job,
                                  const RankOptions& options);
// The gates that an offer with its bill misses: age of the price, deadline, budget, unit cost.
std::vector<Reason> gate_reasons(const RankedOffer& ranked, const Ranking& ranking,
                                 const RankOptions& options);

std::optional<UnitCost> unit_cost(const Job& job, const Sizing& sizing, Money total);
// The wall time that a deadline is held against: of a plan with chance in it, that of nine runs in
// ten; a mean would hide those that come late.
Duration sure_wall(const Trials& trials, Duration otherwise);
Duration sure_wall(const RankedOffer& ranked);
void score(std::vector<RankedOffer>& ranked, const std::map<std::string, double>& weights,
           const Catalog& catalog, const RankOptions& options);
void order(std::vector<RankedOffer>& ranked, SortKey sort);
void decide(Ranking& ranking);

// When the price of an offer was noted: its own date, else its platform's, else the catalog's.
std::optional<Date> price_date(const Offer& offer, const Platform& platform,
                               const Catalog& catalog);

}  // namespace gpuplan::detail
