#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gpuplan/rank.hpp"

namespace gpuplan::detail {

// Finds cards by the names that a catalog writes and sizes the job on them, each kind once.
class Sizer {
 public:
  Sizer(const Job& job, const ModelShape& model, const Catalog& catalog, const Tables& tables);
  // The sizing of the job on this machine; `reasons` inside say when it cannot run there. Stays
  // where it is as long as the sizer lives.
  const std::shared_ptr<const Sizing>& size(const Offer& offer);
  const Card* card(const Offer& offer) { return card_of(offer.card).card; }  // null: not known
  // The same for several threads at once: what one has learned before is in its own Local.
  class Local;
  const std::shared_ptr<const Sizing>& size(const Offer& offer, Local& local);
  const Card* card(const Offer& offer, Local& local) { return card_of(offer.card, local).card; }
  // The same, but a job that does not fit gets the layout and time that it would have.
  Sizing size_anyway(const Offer& offer);

 private:
  struct Name {
    const Card* card = nullptr;
    std::optional<Warning> warning;
    std::shared_ptr<const Sizing> unknown;  // why no card has this name
  };
  const Name& card_of(const SharedText& name);
  const Name& named(const std::string& name);
  std::optional<CardTable::Found> find(const std::string& name) const;
  Sizing compute(const Offer& offer, const Card& card, std::int64_t gpus);
  Layout const* layout_for(std::int64_t gpus, Bytes available);

  const Job* job_;
  const ModelShape* model_;
  Tables tables_;
  CardTable own_cards_;  // of the catalog
  std::set<const Card*> wanted_;  // all that the names of --card may mean; empty: any
  std::map<std::string, Name, std::less<>> names_;
  std::unordered_map<const void*, const Name*> seen_;  // by the text that offers share
  // What a sizing depends on.
  struct Key {
    const void* kind;  // the card, or the name that comes with a warning of its own
    std::int64_t used, there;  // cards
    std::int64_t bytes;
    int wire;
    std::int64_t share, network;  // millionths of the card's rate that the platform gives (0: not stated)
    auto operator<=>(const Key&) const = default;
    struct Hash {
      std::size_t operator()(const Key& key) const;
    };
  };
  Key key_of(const Offer& offer, const Name& name) const;
  const Name& card_of(const SharedText& name, Local& local);
  std::map<Key, std::shared_ptr<const Sizing>> sizings_;
  std::mutex mutex_;  // of all that is kept here, for those who come with a Local
  // By number of cards and the memory of each: what the engine batches depends on it.
  std::map<std::pair<std::int64_t, std::int64_t>, std::optional<Layout>> layouts_;
};

class Sizer::Local {
  friend class Sizer;
  std::unordered_map<const void*, const Name*> names_;  // by the text that offers share
  std::unordered_map<Key, const std::shared_ptr<const Sizing>*, Key::Hash> sizings_;
};

// Reasons that need neither the job's size nor a bill.
// `card` may be null.
std::vector<Reason> plain_reasons(const Offer& offer, const Platform& platform, const Card* card, const Job& job,
                                  const RankOptions& options);
// The gates that an offer with its bill misses: age of the price, deadline, budget, unit cost.
std::vector<Reason> gate_reasons(const RankedOffer& ranked, const Ranking& ranking,
                                 const RankOptions& options);

// `units` of what the money bought `of` of; nothing when that is not known.
// Of a card's speed, in millionths: what the platform says that it gives, or the part of the card that is
// sold; 0: not stated.
std::int64_t given_share(const Offer& offer);
std::optional<UnitCost> cost_per(std::string name, Money total, std::uint64_t units,
                                 std::uint64_t of);
std::optional<UnitCost> unit_cost(const Job& job, const Sizing& sizing, Money total);
// The wall time that a deadline is held against: of a plan with chance in it, that of nine runs in
// ten; a mean would hide those that come late.
Duration sure_wall(const Trials& trials, Duration otherwise);
Duration sure_wall(const RankedOffer& ranked);
// What the parts "cost" and "time" of a score are relative to.
struct Best {
  bool any = false;
  Money cost;  // the lowest bill that is not zero: one free offer does not make all else worth nothing
  Duration wall{0};
};
// Counts one that passes.
void see(Best& best, const RankedOffer& offer);
void score(std::vector<RankedOffer>& ranked, const Best& best,
           const std::map<std::string, double>& weights, const Catalog& catalog,
           const RankOptions& options);
// The total order: by the key, then by cost, then by platform, offer, plan and machines.
bool before(const RankedOffer& a, const RankedOffer& b, SortKey sort);

// A spot price of which nobody says how often it is reclaimed, or a card of which nobody says which
// it is, is listed and never recommended.
bool may_be_primary(const RankedOffer& offer);
bool may_be_recommended(const Warnings& warnings);  // as far as they tell
// Primary, backup and why.
void decide(Ranking& ranking);
// "on demand", "reserved", ...
std::string plan_words(std::string_view plan);

// When the price of an offer was noted: its own date, else its platform's, else the catalog's.
std::optional<Date> price_date(const Offer& offer, const Platform& platform,
                               const Catalog& catalog);

}  // namespace gpuplan::detail
