#include <algorithm>

#include "core/text.hpp"
#include "gpuplan/plan.hpp"
#include "plan/advice.hpp"
#include "plan/layouts.hpp"

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

void judge(CardFit& fit, const Estimate& estimate, detail::Layouts& layouts) {
  const Card& card = *fit.card;
  fit.available = available_on(card, estimate.job);
  fit.fits = estimate.required <= fit.available;
  fit.total_fits = estimate.memory.per_gpu.total <= fit.available;
  fit.used_fraction =
      fit.available.count() > 0 ? estimate.required.as_double() / fit.available.as_double() : 0;
  if (estimate.measured) {
    fit.gpus_needed = fit.fits ? std::optional{estimate.gpus} : std::nullopt;
  } else if (const Layout* layout = layouts.first_that_fits(fit.available, estimate.job.headroom)) {
    fit.gpus_needed = layout->workload.gpus;
  }
  if (!fit.fits && fit.total_fits)
    fit.warnings.push_back({"memory_headroom_thin",
                            "the peak of " + show_gib(estimate.memory.per_gpu.total) + " fits " +
                                card.name + ", the headroom does not: short by " +
                                show_gib(estimate.required - fit.available),
                            card.name});
  if (card.memory_estimated)
    fit.warnings.push_back(
        {"card_memory_estimated",
         "no reading of the driver is known for " + card.name + ": its " + show_gib(card.memory) +
             " are estimated" +
             (card.memory_estimated_from.empty() ? "" : " (" + card.memory_estimated_from + ")"),
         card.name});
}

// `--concurrency max`: as many users as the first named card holds.
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
  workload.batch = max_concurrency(model, workload, available_on(*named.front().card, job));
}

Result<CardFit> judge_named(const NamedCard& named, const Estimate& estimate,
                            detail::Layouts& layouts, const Tables& tables) {
  CardFit fit{.card = named.card};
  fit.warnings = named.warnings;
  judge(fit, estimate, layouts);
  auto speed = estimate_speed(estimate.model, estimate.memory.workload, *named.card);
  if (!speed) {
    for (const Diagnostic& why : speed.errors())
      fit.warnings.push_back({"speed_unknown", why.message, named.card->name});
    return fit;
  }
  for (const Warning& warning : speed->warnings) fit.warnings.push_back(warning);
  auto time = work_time(estimate.job, estimate.model, estimate.memory.workload, *named.card, *speed,
                        *tables.cards);
  if (!time) return time.errors();
  if (*time) fit.work = Seconds(**time);
  fit.speed = std::move(*speed);
  return fit;
}

}  // namespace

Result<Estimate> make_estimate(const Job& job, const ModelShape& model, const Tables& tables) {
  auto named = named_cards(job, *tables.cards);
  Diagnostics faults = named ? Diagnostics{} : named.errors();
  auto resolved = resolve(job.workload, model);
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
  estimate.warnings.insert(estimate.warnings.end(), about_users.begin(), about_users.end());

  detail::Layouts layouts(job, model, 1, detail::kMostGpus);
  if (!named->empty()) {
    for (const NamedCard& entry : *named) {
      auto fit = judge_named(entry, estimate, layouts, tables);
      if (!fit) return fit.errors();
      estimate.cards.push_back(std::move(*fit));
    }
  } else {
    for (const Card& card : tables.cards->all()) {
      CardFit fit{.card = &card};
      judge(fit, estimate, layouts);
      estimate.cards.push_back(std::move(fit));
    }
  }
  if (!estimate.measured) estimate.advice = detail::give_advice(estimate, tables);
  return estimate;
}

}  // namespace gpuplan
