#include <fmt/format.h>

#include <algorithm>

#include "core/text.hpp"
#include "rank/steps.hpp"

namespace gpuplan::detail {
namespace {

// Without --gpus the job takes every card of the machine.
std::int64_t gpus_used(const Job& job, const Offer& offer) {
  return job.workload.gpus > 1 ? std::min(job.workload.gpus, offer.gpus) : offer.gpus;
}

Bytes memory_of(const Offer& offer, const Card& card) {
  if (offer.memory) return *offer.memory;
  if (!offer.share) return card.memory;
  const auto part = offer.share->times(card.memory.count());
  return Bytes::of(part.value_or(card.memory.count()));
}

Reason memory_reason(const Card& card, std::int64_t gpus, Bytes required, Bytes available) {
  return {"memory",
          fmt::format("the job asks for {} on each of {} {}, {} has {}", show_gib(required), gpus,
                      gpus == 1 ? "card" : "cards", card.name, show_gib(available))};
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

}  // namespace

Sizer::Sizer(const Job& job, const ModelShape& model, const Catalog& catalog, const Tables& tables)
    : job_(&job), model_(&model), tables_(tables), own_cards_(catalog.cards) {}

const Sizer::Name& Sizer::card_of(const std::string& name) {
  const auto known = names_.find(name);
  if (known != names_.end()) return known->second;
  auto found = own_cards_.find(name);
  if (!found) found = tables_.cards->find(name);
  Name entry;
  if (found) {
    entry.card = found->card;
    entry.warning = ambiguity_warning(name, *found);
  }
  return names_.emplace(name, std::move(entry)).first->second;
}

std::shared_ptr<const Sizing> Sizer::size(const Offer& offer) {
  const Name& name = card_of(offer.card);
  if (name.card == nullptr) {
    auto sizing = std::make_shared<Sizing>();
    const Diagnostic why = tables_.cards->unknown(offer.card, "catalog");
    sizing->reasons.push_back(
        {"card_unknown", why.message + (why.hint.empty() ? "" : "; " + why.hint)});
    return sizing;
  }
  const std::int64_t gpus = gpus_used(*job_, offer);
  const Key key{name.card, gpus, memory_of(offer, *name.card).count(),
                offer.interconnect ? static_cast<int>(*offer.interconnect) : -1};
  auto& sizing = sizings_[key];
  if (!sizing) {
    Sizing computed = compute(offer, *name.card, gpus);
    if (name.warning) computed.warnings.push_back(*name.warning);
    sizing = std::make_shared<const Sizing>(std::move(computed));
  }
  return sizing;
}

const Layout* Sizer::layout_for(std::int64_t gpus, Bytes available) {
  auto& layouts = layouts_[gpus];
  for (const Layout& layout : layouts)
    if (with_headroom(layout.memory.per_gpu.total, job_->headroom) <= available) return &layout;
  // Not among those that were needed so far: the smallest that the job can be made into.
  if (auto layout = find_layout(*job_, *model_, available, gpus, gpus)) {
    layouts.push_back(std::move(*layout));
    return &layouts.back();
  }
  return nullptr;
}

Sizing Sizer::compute(const Offer& offer, const Card& card, std::int64_t gpus) {
  Sizing sizing{.card = &card};
  const Bytes memory = memory_of(offer, card);
  const Bytes used = job_->memory_used.value_or(Bytes{});
  sizing.available = used < memory ? memory - used : Bytes{};
  const bool stated_time = job_->work.run_hours.has_value();
  if (offer.gpus < job_->workload.gpus)
    sizing.reasons.push_back(
        {"gpus", fmt::format("the job wants {} cards in one machine, it has {}",
                             job_->workload.gpus, offer.gpus)});
  const Layout* layout = layout_for(gpus, sizing.available);
  if (layout == nullptr) {
    Job bare = *job_;
    bare.headroom = Decimal::of(1);
    const auto least = find_layout(bare, *model_, Bytes::of(INT64_MAX), gpus, gpus);
    const Bytes needs =
        least ? with_headroom(least->memory.per_gpu.total, job_->headroom) : Bytes{};
    sizing.reasons.push_back(memory_reason(card, gpus, needs, sizing.available));
    return sizing;
  }
  sizing.layout = *layout;
  ResolvedWorkload& workload = sizing.layout->workload;
  if (offer.interconnect) workload.interconnect = offer.interconnect;
  if (workload.concurrency_max)
    workload.batch = max_concurrency(*model_, workload, sizing.available);
  auto speed = estimate_speed(*model_, workload, card);
  if (!speed) {
    if (!stated_time)
      sizing.reasons.push_back({"speed_unknown", speed.errors().front().message});
    else
      sizing.run = job_->work.run_hours;
    return sizing;
  }
  add_speed_warnings(sizing, *speed);
  const auto run = work_time(*job_, *model_, workload, card, *speed, *tables_.cards);
  if (run) sizing.run = *run;
  sizing.speed = std::move(*speed);
  if (!sizing.run)
    sizing.reasons.push_back({"work_unknown", "the time of the work cannot be told for this card"});
  return sizing;
}

}  // namespace gpuplan::detail
