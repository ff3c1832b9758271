#include <algorithm>

#include "core/text.hpp"
#include "gpuplan/plan.hpp"
#include "memory/explain.hpp"
#include "plan/advice.hpp"
#include "plan/layouts.hpp"
#include "plan/measured_speed.hpp"
#include "spec/modes.hpp"

namespace gpuplan {
namespace {

Bytes available_on(const Card& card, const Job& job) {
  const Bytes used = job.memory_used.value_or(Bytes{});
  return used >= card.memory ? Bytes{} : card.memory - used;
}

struct NamedCard {
  const Card* card;
  Warnings warnings;
};

Result<std::vector<NamedCard>> named_cards(const Job& job, const CardTable& cards) {
  std::vector<NamedCard> found;
  Diagnostics faults;
  for (const std::string& name : job.cards) {
    const auto card = cards.find(name);
    if (!card) {
      faults.push_back(cards.unknown(name, "--card"));
      continue;
    }
    NamedCard entry{card->card, {}};
    if (auto warning = ambiguity_warning(name, *card))
      entry.warnings.push_back(std::move(*warning));
    found.push_back(std::move(entry));
  }
  if (!faults.empty()) return faults;
  return found;
}

// The job on cards of one size: serving engines batch less on small cards, so they need less.
struct Side {
  Bytes total, required;
  ResolvedWorkload workload;
  detail::Layouts layouts;
};

Job on_card_of(const Job& job, Bytes memory) {
  Job copy = job;
  copy.workload.card_memory = memory;
  return copy;
}

class Sides {
 public:
  explicit Sides(const Estimate& estimate)
      : small_(side(estimate, kLargeCard - Bytes::of(1))), large_(side(estimate, kLargeCard)) {}
  Side& of(const Card& card) { return card.memory < kLargeCard ? small_ : large_; }

 private:
  static Side side(const Estimate& estimate, Bytes memory) {
    const Job job = on_card_of(estimate.job, memory);
    Side side{estimate.memory.per_gpu.total, estimate.required, estimate.memory.workload,
              detail::Layouts(job, estimate.model, 1, detail::kMostGpus)};
    auto resolved = resolve(job.workload, estimate.model);
    if (estimate.measured || !resolved || resolved->max_seqs == side.workload.max_seqs) return side;
    if (resolved->concurrency_max) resolved->batch = side.workload.batch;
    side.total = estimate_memory(estimate.model, *resolved).per_gpu.total;
    side.required = with_headroom(side.total, job.headroom);
    side.workload = std::move(*resolved);
    return side;
  }

  Side small_, large_;
};

// The figure that is printed is that of another size of card.
void tell_other_batch(CardFit& fit, const Side& side, const Estimate& estimate) {
  if (side.total == estimate.memory.per_gpu.total) return;
  fit.warnings.push_back({"engine_batches_by_card",
                          "on " + fit.card->name + " the engine batches " +
                              std::to_string(side.workload.max_batched_tokens.value_or(0)) +
                              " tokens of " + std::to_string(side.workload.max_seqs.value_or(0)) +
                              " sequences by default: " + show_gib(side.total) + " instead of " +
                              show_gib(estimate.memory.per_gpu.total),
                          fit.card->name});
}

void judge(CardFit& fit, const Estimate& estimate, Sides& sides) {
  const Card& card = *fit.card;
  Side& side = sides.of(card);
  fit.available = available_on(card, estimate.job);
  fit.fits = side.required <= fit.available;
  fit.total_fits = side.total <= fit.available;
  fit.used_fraction =
      fit.available.count() > 0 ? side.required.as_double() / fit.available.as_double() : 0;
  if (estimate.measured) {
    fit.gpus_needed = fit.fits ? std::optional{estimate.gpus} : std::nullopt;
  } else if (const Layout* layout =
                 side.layouts.first_that_fits(fit.available, estimate.job.headroom)) {
    fit.gpus_needed = layout->workload.gpus;
  }
  tell_other_batch(fit, side, estimate);
  if (!fit.fits && fit.total_fits)
    fit.warnings.push_back({"memory_headroom_thin",
                            "the peak of " + show_gib(side.total) + " fits " +
                                card.name + ", the headroom does not: short by " +
                                show_gib(side.required - fit.available),
                            card.name});
  if (card.memory_estimated)
    fit.warnings.push_back(
        {"card_memory_estimated",
         "no reading of the driver is known for " + card.name + ": its " + show_gib(card.memory) +
             " are estimated" +
             (card.memory_estimated_from.empty() ? "" : " (" + card.memory_estimated_from + ")"),
         card.name});
}

// `--concurrency max`: as many users as the first named card holds, and as the targets for time
// allow.
void settle_users(ResolvedWorkload& workload, const ModelShape& model, const Job& job,
                  const std::vector<NamedCard>& named, Warnings& warnings) {
  if (!workload.concurrency_max) return;
  if (named.empty()) {
    warnings.push_back({"concurrency_needs_card",
                        "as many users as fit can only be told for a card: one user is assumed; "
                        "name it with --card",
                        "--concurrency"});
    return;
  }
  const Card& card = *named.front().card;
  workload.batch = max_concurrency(model, workload, available_on(card, job));
  if (!workload.ttft && !workload.tpot && !workload.answer) return;
  const auto kept = users_within_targets(model, workload, card, workload.batch);
  if (kept) workload.batch = std::max<std::int64_t>(1, *kept);
}

Result<CardFit> judge_named(const NamedCard& named, const Estimate& estimate,
                            Sides& sides, const Tables& tables) {
  CardFit fit{.card = named.card};
  fit.warnings = named.warnings;
  judge(fit, estimate, sides);
  const ResolvedWorkload& workload = sides.of(*named.card).workload;
  auto speed = estimate_speed(estimate.model, workload, *named.card);
  if (!speed) {
    for (const Diagnostic& why : speed.errors())
      fit.warnings.push_back({"speed_unknown", why.message, named.card->name});
    return fit;
  }
  auto time = work_time(estimate.job, estimate.model, workload, *named.card, *speed,
                        *tables.cards);
  if (!time) return time.errors();
  if (*time) fit.work = Seconds(**time);
  detail::follow_measured_run(estimate.job, workload, *time, *speed);
  for (const Warning& warning : speed->warnings) fit.warnings.push_back(warning);
  fit.speed = std::move(*speed);
  return fit;
}

}  // namespace

Result<Estimate> make_estimate(const Job& job, const ModelShape& model, const Tables& tables) {
  auto named = named_cards(job, *tables.cards);
  Diagnostics faults = named ? Diagnostics{} : named.errors();
  // The figures that are printed are those of the first named card, else of a large one.
  const bool on_named = named && !named->empty();
  auto resolved = resolve(
      on_card_of(job, on_named ? named->front().card->memory : kLargeCard).workload, model);
  if (!resolved) faults.insert(faults.end(), resolved.errors().begin(), resolved.errors().end());
  if (!faults.empty()) return faults;

  Warnings about_users;
  settle_users(*resolved, model, job, *named, about_users);
  Estimate estimate{.job = job, .model = model, .memory = estimate_memory(model, *resolved)};
  estimate.gpus = resolved->gpus;
  estimate.measured = job.measured.has_value();
  estimate.required = with_headroom(job.measured.value_or(estimate.memory.per_gpu.total), job.headroom);
  if (job.measured) estimate.memory.per_gpu.total = *job.measured;
  estimate.warnings = estimate.memory.warnings;
  if (on_named)
    for (Warning& warning : estimate.warnings)
      if (warning.code == "engine_takes_share")
        warning = detail::engine_share_warning(estimate.memory.per_gpu.total,
                                               named->front().card->memory,
                                               named->front().card->name);
  estimate.warnings.insert(estimate.warnings.end(), about_users.begin(), about_users.end());

  Sides sides(estimate);
  if (!named->empty()) {
    for (const NamedCard& entry : *named) {
      auto fit = judge_named(entry, estimate, sides, tables);
      if (!fit) return fit.errors();
      estimate.cards.push_back(std::move(*fit));
    }
  } else {
    for (const Card& card : tables.cards->all()) {
      CardFit fit{.card = &card};
      judge(fit, estimate, sides);
      estimate.cards.push_back(std::move(fit));
    }
  }
  if (!estimate.measured && runs_a_model(resolved->mode))
    estimate.advice = detail::give_advice(estimate, tables);
  return estimate;
}

}  // namespace gpuplan
