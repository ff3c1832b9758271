#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "plan/measured_speed.hpp"
#include "rank/afford.hpp"
#include "rank/pricing.hpp"
#include "rank/steps.hpp"
#include "spec/card_names.hpp"
#include "spec/modes.hpp"

namespace gpuplan::detail {
namespace {

// Whole machines whose cards train together over their network: as many as have the cards that the
// job asks for. The speed of that network is known for machines of eight cards and their like.
std::optional<std::int64_t> joined_machines(const Job& job, const Offer& offer, const Card& card) {
  constexpr std::int64_t kCardsOfNode = 8;
  const std::int64_t wanted = job.workload.gpus;
  const std::int64_t whole = card.link_cards > 0 ? std::min<std::int64_t>(card.link_cards, kCardsOfNode) : kCardsOfNode;
  if (!job.workload.training() || job.splits > 1 || wanted <= offer.gpus || wanted % offer.gpus != 0 ||
      offer.gpus < whole)
    return std::nullopt;
  const std::int64_t machines = wanted / offer.gpus;
  return job.machines == 1 || job.machines == machines ? std::optional(machines) : std::nullopt;
}

// Without --gpus the job takes every card of the machine.
std::int64_t gpus_used(const Job& job, const Offer& offer, const Card& card) {
  if (joined_machines(job, offer, card)) return job.workload.gpus;
  return job.workload.gpus > 1 ? std::min(job.workload.gpus, offer.gpus) : offer.gpus;
}

constexpr std::int64_t kMillion = 1'000'000;

// Where the platform says that a card of it gives only so much of its rate. A stated time is the user's.
void slow_down(const Offer& offer, Sizing& sizing) {
  const std::int64_t share = given_share(offer);
  if (share <= 0 || share == kMillion) return;
  if (sizing.run) {
    const double seconds = static_cast<double>(sizing.run->count()) * kMillion / static_cast<double>(share);
    sizing.run = Duration{std::llround(std::min(seconds, 9e18))};
  }
  if (!offer.rules->service.performance_factor) {
    sizing.warnings.push_back(
        {"part_of_card",
         fmt::format("it is {} of a card: so much of the card's rate is counted, and the run is {:.3g} times as long",
                     offer.share->to_string(), static_cast<double>(kMillion) / static_cast<double>(share)),
         "share"});
    return;
  }
  sizing.warnings.push_back(
      {"performance_factor",
       fmt::format("the platform states that its card gives {} of the rate: the run is counted {:.3g} times as long",
                   offer.rules->service.performance_factor->to_string(), static_cast<double>(kMillion) / static_cast<double>(share)),
       "service.performance_factor"});
}

Bytes memory_of(const Offer& offer, const Card& card) {
  if (offer.memory) return *offer.memory;
  if (!offer.share) return card.memory;
  const auto part = offer.share->times(card.memory.count());
  return Bytes::of(part.value_or(card.memory.count()));
}

// What the job takes on each card with activations computed again, where that fits and nobody asked.
std::optional<Bytes> with_recomputation(const Job& job, const ModelShape& model, std::int64_t gpus, Bytes available) {
  if (!job.workload.training() || job.workload.checkpointing || job.measured) return std::nullopt;
  Job other = job;
  other.workload.checkpointing = Checkpointing::full;
  const auto layout = find_layout(other, model, available, gpus, gpus);
  if (!layout) return std::nullopt;
  return with_headroom(layout->memory.per_gpu.total, job.headroom);
}

Reason memory_reason(const Card& card, std::int64_t gpus, Bytes required, Bytes available,
                     std::optional<Bytes> recomputed) {
  const std::string each = gpus == 1 ? "" : fmt::format(" on each of {} cards", gpus);
  return {"memory",
          fmt::format("the job asks for {}{}, {} has {}{}", show_gib(required), each, card.name, show_gib(available),
                      recomputed ? fmt::format("; with --checkpointing full it is {}, which fits", show_gib(*recomputed))
                                 : "")};
}

// What a card only emulates is refused: another precision runs at full speed on it.
void add_speed_warnings(Sizing& sizing, const SpeedEstimate& speed) {
  for (const Warning& warning : speed.warnings) {
    if (warning.code == "precision_not_native")
      sizing.reasons.push_back({warning.code, warning.message + "; --precision names another"});
    else
      sizing.warnings.push_back(warning);
  }
}

// Cards of several machines do as well as those of one where nothing passes between them.
bool shards_over_machines(const Job& job, std::int64_t gpus_each) {
  const Workload& work = job.workload;
  const bool split_by_hand = work.dp || work.tp || work.pp || work.cp || work.ep;
  return can_be_split(job) && job.machines == 1 && !split_by_hand && work.gpus % gpus_each == 0;
}

// The unit of a card that such work asks for, as its reason names it.
std::string_view unit_of(Mode mode) { return mode == Mode::fp64 ? "fp64" : "graphics"; }

// As many users as the memory holds and the targets allow.
void set_users(const ModelShape& model, const Card& card, Sizing& sizing) {
  ResolvedWorkload& workload = sizing.layout->workload;
  const std::int64_t room = max_concurrency(model, workload, sizing.available);
  workload.batch = room;
  if (!workload.ttft && !workload.tpot && !workload.answer) return;
  const auto users = users_within_targets(model, workload, card, room);
  if (!users) return;  // the speed says why
  workload.batch = std::max<std::int64_t>(1, *users);
  if (*users == 0)
    sizing.reasons.push_back(
        {"target_missed", fmt::format("one user alone on {} waits longer than the targets allow",
                                      card.name)});
}

void tell_joined(std::int64_t machines, const Offer& offer, Sizing& sizing) {
  sizing.machines = machines;
  if (offer.nodes_gbps) {
    sizing.warnings.push_back(
        {"machines_joined",
         fmt::format("{} machines of {} cards train as one over the {} Gbit/s between them that the offer states; whether "
                     "so many are to be had together is not known",
                     machines, offer.gpus, offer.nodes_gbps->to_string()),
         "machines"});
    return;
  }
  sizing.warnings.push_back(
      {"machines_joined",
       fmt::format("{} machines of {} cards train as one: they must stand in one fast network, and whether so many are "
                   "to be had together is not known",
                   machines, offer.gpus),
       "machines"});
}

// A stream of requests takes as many machines as keep the queue short, each for the whole time.
void add_replicas(const Job& job, const SpeedEstimate& speed, Sizing& sizing) {
  if (!job.workload.rate || !sizing.run) return;
  if (!speed.replicas) {
    sizing.reasons.push_back(
        {"rate_unknown", "how many requests such a machine answers cannot be told"});
    return;
  }
  sizing.machines = speed.replicas->replicas;
  // A number of requests is done when the last of them has come.
  if (job.work.requests && !job.work.run_hours) {
    const double arrival = static_cast<double>(*job.work.requests) / *job.workload.rate;
    const Duration each{std::max(sizing.run->count() / sizing.machines,
                                 std::int64_t{std::llround(std::min(arrival * 1e6, 1e14))})};
    sizing.run = each * sizing.machines;
    return;
  }
  sizing.run = *sizing.run * sizing.machines;
}

}  // namespace

Sizer::Sizer(const Job& job, const ModelShape& model, const Catalog& catalog, const Tables& tables)
    : job_(&job), model_(&model), tables_(tables), own_cards_(catalog.cards) {
  for (const std::string& name : job.cards)
    if (const auto found = find(name)) {
      wanted_.insert(found->card);
      wanted_.insert(found->others.begin(), found->others.end());
    }
}

std::optional<CardTable::Found> Sizer::find(const std::string& name) const {
  auto found = own_cards_.find(name);
  return found ? found : tables_.cards->find(name);
}

const Sizer::Name& Sizer::card_of(const SharedText& shared) {
  const Name*& seen = seen_[shared.identity()];
  if (seen == nullptr) seen = &named(shared.str());
  return *seen;
}

const Sizer::Name& Sizer::named(const std::string& name) {
  const auto known = names_.find(name);
  if (known != names_.end()) return known->second;
  const auto found = find(name);
  Name entry;
  const auto size = found ? std::nullopt : only_a_size(name);
  const auto slowest = size ? slowest_with(*tables_.cards, *size) : std::nullopt;
  if (found) {
    entry.card = found->card;
    entry.warning = ambiguity_warning(name, *found);
  } else if (slowest) {
    entry.card = slowest->card;
    entry.warning = Warning{"card_name_vague",
                            fmt::format("{} says how much memory the card has, not which card it is: {}, the slowest "
                                        "of {} that compute bf16, is counted on; it is never recommended",
                                        quote(name), entry.card->name, slowest->of),
                            name};
  } else {
    const Diagnostic why = tables_.cards->unknown(name, "catalog");
    auto sizing = std::make_shared<Sizing>();
    sizing->reasons.push_back(
        {"card_unknown", why.message + (why.hint.empty() ? "" : "; " + why.hint)});
    entry.unknown = std::move(sizing);
  }
  return names_.emplace(name, std::move(entry)).first->second;
}

Sizer::Key Sizer::key_of(const Offer& offer, const Name& name) const {
  return {.kind = name.warning ? static_cast<const void*>(&name) : name.card,
          .used = gpus_used(*job_, offer, *name.card),
          .there = offer.gpus,
          .bytes = memory_of(offer, *name.card).count(),
          .wire = offer.interconnect ? static_cast<int>(*offer.interconnect) : -1,
          .share = given_share(offer),
          .network = offer.nodes_gbps ? offer.nodes_gbps->times(kMillion).value_or(-1) : 0};
}

std::size_t Sizer::Key::Hash::operator()(const Key& key) const {
  std::size_t hash = std::hash<const void*>{}(key.kind);
  for (const std::int64_t part : {key.used, key.there, key.bytes, std::int64_t{key.wire}, key.share, key.network})
    hash = (hash ^ static_cast<std::size_t>(part)) * 0x9e3779b97f4a7c15U;
  return hash ^ (hash >> 29U);
}

const std::shared_ptr<const Sizing>& Sizer::size(const Offer& offer) {
  const Name& name = card_of(offer.card);
  if (name.card == nullptr) return name.unknown;
  const Key key = key_of(offer, name);
  auto& sizing = sizings_[key];
  if (!sizing) {
    Sizing computed = compute(offer, *name.card, key.used);
    if (name.warning) computed.warnings.push_back(*name.warning);
    sizing = std::make_shared<const Sizing>(std::move(computed));
  }
  return sizing;
}

const Sizer::Name& Sizer::card_of(const SharedText& shared, Local& local) {
  const Name*& known = local.names_[shared.identity()];
  if (known == nullptr) {
    const std::lock_guard lock(mutex_);
    known = &card_of(shared);
  }
  return *known;
}

const std::shared_ptr<const Sizing>& Sizer::size(const Offer& offer, Local& local) {
  const Name& name = card_of(offer.card, local);
  if (name.card == nullptr) return name.unknown;
  const std::shared_ptr<const Sizing>*& known = local.sizings_[key_of(offer, name)];
  if (known == nullptr) {
    const std::lock_guard lock(mutex_);
    known = &size(offer);
  }
  return *known;
}

namespace {

// ZeRO stages of the same cards at the same price: the fastest that fits. Adapters have nothing to gain
// from the first two, and a layout that the user chose is kept.
void take_fastest_stage(const Job& job, const ModelShape& model, const Card& card, Sizing& sizing) {
  const Workload& asked = job.workload;
  const ResolvedWorkload found = sizing.layout->workload;
  const bool chosen = asked.tp || asked.pp || asked.cp || asked.dp || asked.ep || asked.zero;
  if (!asked.training() || asked.adapters() || chosen || found.gpus < 2 || job.measured) return;
  const auto speed_of = [&](const ResolvedWorkload& workload) {
    const auto speed = estimate_speed(model, workload, card);
    return speed && speed->training ? speed->training->tokens_per_s : 0;
  };
  double best = speed_of(found);
  for (int zero = found.zero + 1; zero <= 3; ++zero) {
    Job other = job;
    other.workload.gpus = found.gpus;
    other.workload.dp = found.gpus;
    other.workload.zero = zero;
    auto layout = find_layout(other, model, sizing.available, found.gpus, found.gpus);
    if (!layout) continue;
    layout->workload.interconnect = found.interconnect;
    layout->workload.nodes_gbps = found.nodes_gbps;
    const double speed = speed_of(layout->workload);
    if (speed <= best) continue;
    best = speed;
    sizing.layout = std::move(*layout);
  }
}

}  // namespace

const Layout* Sizer::layout_for(std::int64_t gpus, Bytes available) {
  const auto [at, fresh] = layouts_.try_emplace({gpus, available.count()});
  if (fresh) at->second = find_layout(*job_, *model_, available, gpus, gpus);
  return at->second ? &*at->second : nullptr;
}

Sizing Sizer::compute(const Offer& offer, const Card& card, std::int64_t gpus) {
  Sizing sizing{.card = &card};
  const Bytes memory = memory_of(offer, card);
  const Bytes used = job_->memory_used.value_or(Bytes{});
  sizing.available = used < memory ? memory - used : Bytes{};
  const bool stated_time = job_->work.run_hours.has_value();
  if (!wanted_.empty() && !wanted_.contains(&card))
    sizing.reasons.push_back({"card", "only " + join(job_->cards, ", ") + " was asked for"});
  if (card.card_class == CardClass::accelerator && !wanted_.contains(&card))
    sizing.reasons.push_back(
        {"not_a_gpu", fmt::format("{} is no GPU: what is written for CUDA or ROCm does not run on it; "
                                  "--card \"{}\" takes it all the same",
                                  card.name, card.name)});
  const std::int64_t wanted = job_->workload.gpus;
  const auto joined = joined_machines(*job_, offer, card);
  if (joined)
    tell_joined(*joined, offer, sizing);
  else if (offer.gpus < wanted && shards_over_machines(*job_, offer.gpus))
    sizing.machines = wanted / offer.gpus;
  else if (offer.gpus < wanted)
    sizing.reasons.push_back(
        {"gpus", fmt::format("the job wants {} cards in one machine, it has {}", wanted,
                             offer.gpus)});
  const Layout* layout = layout_for(gpus, sizing.available);
  if (layout == nullptr) {
    Job bare = *job_;
    bare.headroom = Decimal::of(1);
    const auto least = find_layout(bare, *model_, Bytes::of(INT64_MAX), gpus, gpus);
    const Bytes needs =
        least ? with_headroom(least->memory.per_gpu.total, job_->headroom) : Bytes{};
    sizing.reasons.push_back(memory_reason(card, gpus, needs, sizing.available,
                                           with_recomputation(*job_, *model_, gpus, sizing.available)));
    return sizing;
  }
  sizing.layout = *layout;
  if (offer.interconnect) sizing.layout->workload.interconnect = offer.interconnect;
  if (offer.nodes_gbps) sizing.layout->workload.nodes_gbps = offer.nodes_gbps->approximate();
  take_fastest_stage(*job_, *model_, card, sizing);
  ResolvedWorkload& workload = sizing.layout->workload;
  if (workload.concurrency_max) set_users(*model_, card, sizing);
  auto speed = estimate_speed(*model_, workload, card);
  if (!speed) {
    const Diagnostic& why = speed.errors().front();
    // What a card cannot do it does not do in the stated time either.
    if (!runs_a_model(workload.mode))
      sizing.reasons.push_back({std::string(unit_of(workload.mode)), why.message});
    else if (!stated_time)
      sizing.reasons.push_back({"speed_unknown", why.message});
    else
      sizing.run = job_->work.run_hours;
    return sizing;
  }
  const auto run = work_time(*job_, *model_, workload, card, *speed, *tables_.cards);
  if (run) {
    sizing.run = *run;
    follow_measured_run(*job_, workload, *run, *speed);
  }
  add_speed_warnings(sizing, *speed);
  if (!stated_time) slow_down(offer, sizing);
  if (joined && sizing.run && !stated_time) sizing.run = *sizing.run * *joined;  // which they share
  add_replicas(*job_, *speed, sizing);
  sizing.speed = std::move(*speed);
  // Asked what a budget buys, the speed alone tells the amount.
  const bool amount_known = asks_what_a_budget_buys(*job_) && (sizing.speed->rate || sizing.speed->samples_per_s);
  if (!sizing.run && !amount_known)
    sizing.reasons.push_back({"work_unknown", "the time of the work cannot be told for this card"});
  return sizing;
}

std::int64_t given_share(const Offer& offer) {
  const auto& factor = offer.rules->service.performance_factor;
  if (factor) return factor->times(kMillion).value_or(0);
  return offer.share ? offer.share->times(kMillion).value_or(0) : 0;
}

}  // namespace gpuplan::detail
