#include "plan/advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace gpuplan::detail {
namespace {

// A change that a user could make, and how the option reads.
struct Change {
  std::string_view code;
  std::string_view option;
  bool (*applies)(const ResolvedWorkload&);
  void (*make)(Workload&);
};

bool trains(const ResolvedWorkload& w) { return w.training(); }
bool serves_16_bit(const ResolvedWorkload& w) {
  return !w.training() && (w.precision == Precision::bf16 || w.precision == Precision::fp16);
}

constexpr std::array kChanges{
    Change{"recompute_activations", "--checkpointing full",
           [](const ResolvedWorkload& w) {
             return trains(w) && w.checkpointing == Checkpointing::none;
           },
           [](Workload& w) { w.checkpointing = Checkpointing::full; }},
    Change{"quantise_base", "--mode qlora",
           [](const ResolvedWorkload& w) { return w.mode == Mode::lora; },
           [](Workload& w) {
             w.mode = Mode::qlora;
             w.precision = Precision::nf4;
           }},
    Change{"adapters_only", "--mode lora",
           [](const ResolvedWorkload& w) { return w.mode == Mode::full; },
           [](Workload& w) {
             w.mode = Mode::lora;
             w.master_weights.reset();
           }},
    Change{"optimizer_8bit", "--optimizer adamw8bit",
           [](const ResolvedWorkload& w) {
             return trains(w) && !w.adapters() && w.optimizer == Optimizer::adamw;
           },
           [](Workload& w) { w.optimizer = Optimizer::adamw8bit; }},
    Change{"quantise_int8", "--precision int8", serves_16_bit,
           [](Workload& w) { w.precision = Precision::int8; }},
    Change{"quantise_int4", "--precision int4",
           [](const ResolvedWorkload& w) {
             return serves_16_bit(w) || (!w.training() && w.precision == Precision::int8);
           },
           [](Workload& w) { w.precision = Precision::int4; }},
    Change{"kv_cache_fp8", "--kv-precision fp8",
           [](const ResolvedWorkload& w) {
             return !w.training() &&
                    (w.kv_precision == KvPrecision::bf16 || w.kv_precision == KvPrecision::fp16);
           },
           [](Workload& w) { w.kv_precision = KvPrecision::fp8; }},
    Change{"chunked_loss", "--loss chunked",
           [](const ResolvedWorkload& w) { return trains(w) && w.loss == Loss::plain; },
           [](Workload& w) { w.loss = Loss::chunked; }},
    Change{"offload_to_cpu", "--offload all",
           [](const ResolvedWorkload& w) { return w.offload == OffloadKind::none; },
           [](Workload& w) { w.offload = OffloadKind::all; }},
};

bool usual(const Card& card) {
  return card.bandwidth && card.rates.fp16 && card.vendor == "NVIDIA" &&
         card.card_class != CardClass::slice && card.year >= 2020;
}

// Speeds are compared on one card: the first that was named, else the smallest that holds the job.
const Card* reference_card(const Estimate& estimate, const Tables& tables) {
  if (!estimate.job.cards.empty()) return estimate.cards.front().card;
  const Card* best = nullptr;
  for (const CardFit& fit : estimate.cards)
    if (fit.fits && usual(*fit.card) && (best == nullptr || fit.card->memory < best->memory))
      best = fit.card;
  if (best != nullptr) return best;
  for (const Card& card : tables.cards->all())
    if (usual(card) && (best == nullptr || best->memory < card.memory)) best = &card;
  return best;
}

double rate(const ModelShape& model, ResolvedWorkload workload, const Card& card) {
  // Memory that becomes free is not filled with further users: the same ones are served.
  workload.concurrency_max = false;
  const auto speed = estimate_speed(model, workload, card);
  if (!speed) return 0;
  if (speed->training) return speed->training->tokens_per_s;
  return speed->inference ? speed->inference->output_tokens_per_s : 0;
}

std::string describe(const Change& change, const Advice& advice, Bytes total, const Card* card) {
  std::string text = fmt::format("{}: {} instead of {}", change.option,
                                 show_gib(total - advice.saves), show_gib(total));
  if (card == nullptr || advice.slowdown <= 0) return text;
  if (advice.slowdown >= 1.05)
    return text + fmt::format(", about {:.1f}x the time (on {})", advice.slowdown, card->name);
  if (advice.slowdown <= 0.95)
    return text + fmt::format(", about {:.1f}x the speed (on {})", 1 / advice.slowdown, card->name);
  return text + ", at the same speed";
}

}  // namespace

std::vector<Advice> give_advice(const Estimate& estimate, const Tables& tables) {
  std::vector<Advice> list;
  const ResolvedWorkload& now = estimate.memory.workload;
  const Card* card = reference_card(estimate, tables);
  const double rate_now = card == nullptr ? 0 : rate(estimate.model, now, *card);
  for (const Change& change : kChanges) {
    if (!change.applies(now)) continue;
    Workload workload = estimate.job.workload;
    workload.card_memory = estimate.cards.empty() || estimate.job.cards.empty()
                               ? kLargeCard
                               : estimate.cards.front().card->memory;
    change.make(workload);
    auto resolved = resolve(workload, estimate.model);
    if (!resolved) continue;
    if (now.concurrency_max) resolved->batch = now.batch;
    const MemoryEstimate memory = estimate_memory(estimate.model, *resolved);
    if (memory.per_gpu.total >= estimate.memory.per_gpu.total) continue;
    Advice advice{.code = std::string(change.code)};
    advice.saves = estimate.memory.per_gpu.total - memory.per_gpu.total;
    const double rate_then = card == nullptr ? 0 : rate(estimate.model, *resolved, *card);
    if (rate_now > 0 && rate_then > 0) advice.slowdown = rate_now / rate_then;
    advice.message = describe(change, advice, estimate.memory.per_gpu.total, card);
    list.push_back(std::move(advice));
  }
  std::ranges::stable_sort(list, {}, &Advice::slowdown);
  add_limits(estimate, list);
  return list;
}

}  // namespace gpuplan::detail
