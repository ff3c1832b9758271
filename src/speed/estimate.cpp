#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "speed/constants.hpp"
#include "speed/images.hpp"
#include "speed/inference.hpp"
#include "speed/range.hpp"
#include "speed/tasks.hpp"
#include "speed/training.hpp"
#include "speed/wishes.hpp"

namespace gpuplan {
namespace {

using namespace detail;

double real(std::int64_t n) { return static_cast<double>(std::max<std::int64_t>(1, n)); }

// Kinds of work for which there is no model of speed.
std::optional<Diagnostic> not_modelled(const ModelShape& model, const ResolvedWorkload& work) {
  const bool diffusion =
      model.unet || model.kind == ModelKind::diffusion || work.mode == Mode::diffusion;
  if (!diffusion || image_work(model, work)) return std::nullopt;
  return Diagnostic{ErrorCode::invalid, "--model", "",
                    "the speed of " + model.name +
                        " is not modelled: image models of the families "
                        "Stable Diffusion, FLUX, DiT and PixArt are",
                    "state a run that you have timed: --measured-run \"6h on RTX 4090\""};
}

// Tokens of one sample: of a text its length, of an image its patches.
std::int64_t tokens_of_sample(const ModelShape& model, const ResolvedWorkload& work) {
  if (model.kind != ModelKind::vision) return work.sequence;
  const std::int64_t side =
      (work.image_size > 0 ? work.image_size : model.image_size) / model.patch_size;
  return std::max<std::int64_t>(1, side * side + (model.class_token ? 1 : 0));
}

bool counts_samples(const ModelShape& model) {
  return model.kind == ModelKind::vision || model.kind == ModelKind::encoder;
}

Training training_of(const ModelShape& model, const ResolvedWorkload& work, const Figures& figures,
                     const Wiring& wiring) {
  Training t{.model = model,
             .work = work,
             .trainer = trainer_of(work.framework),
             .demand = demand_of(model),
             .figures = figures,
             .storage = storage_of(work, false),
             .wiring = wiring};
  t.adapter_width = work.adapters() ? adapter_width(model, work.lora_targets) : 0;
  t.tensor = real(work.tp);
  t.stages = real(work.pp);
  t.context = real(work.cp);
  t.experts_over = real(work.ep);
  t.replicas = real(work.ranks());
  return t;
}

Server server_of(const ModelShape& model, const ResolvedWorkload& work, const Figures& figures,
                 const Wiring& wiring) {
  const Engine& engine = engine_of(work.framework);
  Server s{.model = model,
           .work = work,
           .engine = engine,
           .demand = demand_of(model),
           .figures = figures,
           .storage = storage_of(work, engine.quantises_head),
           .wiring = wiring};
  s.tensor = real(work.tp);
  s.stages = real(work.pp);
  s.replicas = real(work.ranks());
  return s;
}

// Users that fit, within what the engine takes on at once.
std::int64_t fitting_users(const Server& s, const Card& card) {
  const std::int64_t fit = max_concurrency(s.model, s.work, card.memory);
  const auto cap = static_cast<std::int64_t>(s.engine.most_users * s.replicas);
  return std::max<std::int64_t>(1, std::min(fit, cap));
}

void finish_training(const Training& t, SpeedEstimate& estimate) {
  Step step;
  estimate.training = train(t, step, estimate.explain);
  estimate.bound = dominant(step);
  estimate.range = range_of(t, estimate.explain);
  if (counts_samples(t.model))
    estimate.samples_per_s = estimate.training->tokens_per_s / real(t.work.sequence);
}

// A forward pass over whole samples: encoders and image models make no tokens one by one.
void finish_samples(const Server& s, SpeedEstimate& estimate) {
  const double tokens = real(s.work.batch) / s.replicas * real(s.work.sequence);
  Server batch = s;
  batch.demand.causal = false;
  Step step = prefill_products(batch, tokens);
  step.append(prefill_rest(batch, real(s.work.sequence)).times(real(s.work.batch) / s.replicas));
  explain_step(step, "forward.", estimate.explain);
  estimate.samples_per_s = real(s.work.batch) / step.seconds();
  estimate.bound = dominant(step);
  estimate.range = range_of(s, estimate.explain);
}

void finish_inference(const Server& s, const Card& card, SpeedEstimate& estimate) {
  if (counts_samples(s.model)) return finish_samples(s, estimate);
  Step round;
  estimate.inference = serve(s, fitting_users(s, card), round, estimate.explain);
  estimate.bound = dominant(round);
  estimate.range = range_of(s, estimate.explain);
}

// Images: each card takes its own, and in training the gradients are added up once a step.
void finish_images(const ImageWork& image, const ModelShape& model, const ResolvedWorkload& work,
                   const Figures& figures, const Wiring& wiring, SpeedEstimate& estimate) {
  Step step = image_step(image, model, work, figures);
  const double batch = real(work.batch);
  if (work.training() && work.gpus > 1) {
    const double bytes = 2 * real(count_parameters(model).total());
    const double traffic =
        all_reduce_s(wiring, real(work.gpus), bytes) / batch / real(work.grad_accum);
    step.add_beside(
        {"gradients", traffic, Bound::interconnect,
         "all-reduce of 16-bit gradients / images of a step, a soft maximum",
         fmt::format("{} over {} cards", show_amount(bytes, "B"), work.gpus),
         wiring.fast ? "ring all-reduce over the card's links" : "ring all-reduce over PCIe"});
  }
  explain_step(step, "image.", estimate.explain);
  estimate.samples_per_s = real(work.gpus) / step.seconds();
  estimate.bound = dominant(step);
  estimate.range = range_of_images(image, estimate.explain);
  if (image.rough)
    estimate.warnings.push_back(
        {"shape_unknown",
         "only the size of " + model.name + " is known: its arithmetic is that of its kind",
         "--model"});
}

Result<SpeedEstimate> one_layout(const ModelShape& model, const ResolvedWorkload& workload,
                                 const Card& card) {
  if (is_plain_task(workload.mode)) return task_speed(workload, card);
  if (auto error = not_modelled(model, workload)) return *error;
  ResolvedWorkload work = workload;
  SpeedEstimate estimate;
  const auto figures = figures_of(card, work, estimate.warnings);
  if (!figures) return figures.errors();
  const Wiring wiring = wiring_of(card, *figures->kind, work, estimate.warnings);
  if (const auto image = image_work(model, work)) {
    finish_images(*image, model, work, *figures, wiring, estimate);
    return estimate;
  }
  work.sequence = tokens_of_sample(model, workload);
  if (work.training())
    finish_training(training_of(model, work, *figures, wiring), estimate);
  else
    finish_inference(server_of(model, work, *figures, wiring), card, estimate);
  return estimate;
}

// Samples a second that the cards would take: texts of the job's length, or images.
double samples_of(const SpeedEstimate& estimate, const ResolvedWorkload& work) {
  if (estimate.samples_per_s) return *estimate.samples_per_s;
  if (estimate.training) return estimate.training->tokens_per_s / real(work.sequence);
  return 0;
}

ResolvedWorkload on_one_card(const ResolvedWorkload& work) {
  ResolvedWorkload alone = work;
  alone.gpus = alone.dp = alone.tp = alone.pp = alone.cp = alone.ep = 1;
  alone.zero = 0;
  alone.interconnect.reset();
  // The users of all replicas are shared out; one card gets its share.
  if (!work.training() && !work.concurrency_max)
    alone.batch = std::max<std::int64_t>(1, work.batch / work.ranks());
  return alone;
}

Result<SpeedEstimate> with_feed(const ModelShape& model, const ResolvedWorkload& work,
                                const Card& card) {
  auto estimate = one_layout(model, work, card);
  if (!estimate) return estimate;
  const double in_machine = card.link_cards > 0 ? card.link_cards : kMachineCards.value;
  const double machines = std::ceil(real(work.gpus) / in_machine);
  apply_feed(work, samples_of(*estimate, work), machines, *estimate);
  return estimate;
}

// The least batch that gives the wished rate. More than a few thousand no card holds.
std::optional<std::int64_t> batch_for(const ModelShape& model, const ResolvedWorkload& work,
                                      const Card& card, double rate) {
  constexpr std::int64_t kLargest = 4096;
  const auto enough = [&](std::int64_t batch) {
    ResolvedWorkload tried = work;
    tried.batch = batch;
    const auto estimate = with_feed(model, tried, card);
    return estimate && estimate->rate_per_s() >= rate;
  };
  std::int64_t high = 1;
  while (high < kLargest && !enough(high)) high *= 2;
  if (!enough(high)) return std::nullopt;
  std::int64_t low = high / 2;  // not enough, or 0
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (enough(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace

Result<SpeedEstimate> estimate_speed(const ModelShape& model, const ResolvedWorkload& workload,
                                     const Card& card) {
  auto estimate = with_feed(model, workload, card);
  if (!estimate) return estimate;
  if (workload.gpus > 1 && !estimate->rate) {
    const auto alone = with_feed(model, on_one_card(workload), card);
    if (alone) add_scaling(workload, alone->rate_per_s(), card, *estimate);
  }
  if (workload.throughput && !workload.concurrency_max && !estimate->rate)
    estimate->batch_for_throughput = batch_for(model, workload, card, *workload.throughput);
  add_targets(workload, *estimate);
  add_replicas(workload, *estimate);
  return estimate;
}

Result<std::int64_t> users_within_targets(const ModelShape& model, const ResolvedWorkload& workload,
                                          const Card& card, std::int64_t most) {
  Warnings ignored;
  const auto figures = figures_of(card, workload, ignored);
  if (!figures) return figures.errors();
  ResolvedWorkload work = workload;
  work.concurrency_max = true;
  const Wiring wiring = wiring_of(card, *figures->kind, work, ignored);
  return users_in_time(server_of(model, work, *figures, wiring), most);
}

}  // namespace gpuplan
