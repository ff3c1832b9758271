#include "rank/collect.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <unordered_map>

#include "core/ordered_work.hpp"

namespace gpuplan::detail {
namespace {

constexpr std::size_t kStretch = 8192;  // offers that one thread looks at in one go

const std::array<std::string, 3> kEveryPlan{"on_demand", "reserved", "spot"};

bool sold(const Offer& offer, std::string_view plan) {
  const bool only_free = offer.free && !offer.price.spot && offer.price.commitments.empty();
  if (plan == "on_demand") return offer.price.on_demand || !offer.components.empty() || only_free;
  if (plan == "reserved") return !offer.price.commitments.empty();
  return offer.price.spot ||
         std::ranges::any_of(offer.components, [](const Component& c) { return c.spot.has_value(); });
}

std::span<const std::string> plans_of(const RankOptions& options) {
  if (options.plans.empty()) return kEveryPlan;
  return options.plans;
}

// What every stretch asks.
struct Question {
  const Ranking& ranking;
  Sizer& sizer;
  const RankOptions& options;
  const Catalog& catalog() const { return *ranking.catalog; }
};

// Groups that grow.
class Groups {
 public:
  explicit Groups(std::vector<Group>& list) : list_(&list) {}
  void add(const Catalog& catalog, const Candidate& candidate, std::uint32_t offer) {
    const auto kind = kind_of(candidate);
    if (kind)
      of(catalog, *kind).add(offer);
    else
      list_->emplace_back(catalog, lone_kind_of(candidate)).add(offer);
  }
  // A group of a later stretch. Its kind tells whether it stands alone: so does each of its members.
  void add(Group&& later) {
    if (!kind_of(later.candidate(later.members().front()))) return list_->push_back(std::move(later));
    const auto [at, fresh] = known_.try_emplace(later.kind(), list_->size());
    if (fresh)
      list_->push_back(std::move(later));
    else
      (*list_)[at->second].add(later);
  }

 private:
  Group& of(const Catalog& catalog, const Kind& kind) {
    const auto [at, fresh] = known_.try_emplace(kind, list_->size());
    return fresh ? list_->emplace_back(catalog, kind) : (*list_)[at->second];
  }

  std::vector<Group>* list_;
  std::unordered_map<Kind, std::size_t, KindHash> known_;
};

// Looks at one stretch of the offers.
class Collector {
 public:
  Collector(const Question& question, Sizer::Local& local)
      : question_(&question), local_(&local), found_(question.catalog()), groups_(found_.groups) {}

  Collected look_at(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) see(static_cast<std::uint32_t>(i));
    return std::move(found_);
  }

 private:
  void see(std::uint32_t index) {
    const Catalog& catalog = question_->catalog();
    const Offer& offer = catalog.offers[index];
    const Platform& platform = catalog.platforms[offer.platform];
    found_.usual.see(offer, platform, question_->sizer.card(offer, *local_));
    const std::string& wanted = question_->options.offer;
    if (wanted.empty() || offer.id == wanted || platform.id + "/" + offer.id == wanted) consider(index, offer, platform);
  }

  void consider(std::uint32_t index, const Offer& offer, const Platform& platform) {
    const RankOptions& options = question_->options;
    const auto& sizing = question_->sizer.size(offer, *local_);
    // Reasons cost time to put into words: those that will not be listed are only counted.
    if (!sizing->reasons.empty() && found_.rejected.size() >= options.most_rejected)
      return reject(offer, platform, {sizing->reasons.front()});
    std::vector<Reason> reasons = sizing->reasons;
    auto plain = plain_reasons(offer, platform, sizing->card, question_->ranking.job, options);
    reasons.insert(reasons.end(), plain.begin(), plain.end());
    if (!reasons.empty()) return reject(offer, platform, std::move(reasons));
    for (const std::string& plan : plans_of(options))
      if (!options.plans.empty() || sold(offer, plan)) {
        groups_.add(question_->catalog(), {&offer, &platform, &sizing, &plan, price_of(offer, plan)}, index);
        ++found_.candidates;
      }
  }

  void reject(const Offer& offer, const Platform& platform, std::vector<Reason> reasons) {
    ++found_.rejected_by_reason[reasons.front().code];
    ++found_.rejected_total;
    if (found_.rejected.size() >= question_->options.most_rejected) return;
    found_.rejected.push_back({.offer = &offer, .platform = &platform, .reasons = std::move(reasons)});
  }

  const Question* question_;
  Sizer::Local* local_;
  Collected found_;
  Groups groups_;
};

// Puts what was found in the stretches together, in their order.
class Joiner {
 public:
  Joiner(const Question& question, Collected& all) : question_(&question), all_(&all), groups_(all.groups) {}

  void add(Collected&& part) {
    for (Group& group : part.groups) groups_.add(std::move(group));
    all_->candidates += part.candidates;
    all_->rejected_total += part.rejected_total;
    for (const auto& [code, count] : part.rejected_by_reason) all_->rejected_by_reason[code] += count;
    for (RejectedOffer& one : part.rejected)
      if (all_->rejected.size() < question_->options.most_rejected) all_->rejected.push_back(std::move(one));
    all_->usual.see(std::move(part.usual));
  }

 private:
  const Question* question_;
  Collected* all_;
  Groups groups_;
};

class Stretch : public OrderedWork::Piece {
 public:
  Stretch(const Question& question, std::vector<Sizer::Local>& locals, Joiner& joiner, std::size_t begin, std::size_t end)
      : question_(&question), locals_(&locals), joiner_(&joiner), begin_(begin), end_(end), found_(question.catalog()) {}
  void run(std::size_t thread) override { found_ = Collector(*question_, (*locals_)[thread]).look_at(begin_, end_); }
  void done() override { joiner_->add(std::move(found_)); }

 private:
  const Question* question_;
  std::vector<Sizer::Local>* locals_;  // one for each thread
  Joiner* joiner_;
  std::size_t begin_, end_;
  Collected found_;
};

}  // namespace

Collected collect_offers(const Ranking& ranking, Sizer& sizer, const RankOptions& options, unsigned threads) {
  const Question question{ranking, sizer, options};
  const std::size_t offers = question.catalog().offers.size();
  Collected all(question.catalog());
  if (offers <= kStretch) {
    Sizer::Local local;
    all = Collector(question, local).look_at(0, offers);
  } else {
    Joiner joiner(question, all);
    std::vector<Sizer::Local> locals;
    OrderedWork work(threads);
    locals.resize(work.threads());
    for (std::size_t begin = 0; begin < offers; begin += kStretch)
      work.give(std::make_unique<Stretch>(question, locals, joiner, begin, std::min(begin + kStretch, offers)));
    work.finish();
  }
  all.usual.close();
  return all;
}

std::vector<Candidate> listed_candidates(const std::vector<Group>& groups, const RankOptions& options) {
  struct Place {
    std::uint32_t offer, group;
    std::ptrdiff_t plan;
  };
  const auto plans = plans_of(options);
  std::vector<Place> places;
  for (std::uint32_t g = 0; g < groups.size(); ++g) {
    const Group& group = groups[g];
    const auto plan = std::ranges::find(plans, *group.kind().plan) - plans.begin();
    for (const std::uint32_t offer : group.members()) places.push_back({offer, g, plan});
  }
  std::ranges::sort(places, [](const Place& a, const Place& b) {
    return a.offer != b.offer ? a.offer < b.offer : a.plan < b.plan;
  });
  std::vector<Candidate> list;
  list.reserve(places.size());
  for (const Place& place : places) list.push_back(groups[place.group].candidate(place.offer));
  return list;
}

}  // namespace gpuplan::detail
