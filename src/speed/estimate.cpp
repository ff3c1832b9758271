#include <fmt/format.h>

#include <algorithm>

#include "speed/inference.hpp"
#include "speed/range.hpp"
#include "speed/training.hpp"

namespace gpuplan {
namespace {

using namespace detail;

double real(std::int64_t n) { return static_cast<double>(std::max<std::int64_t>(1, n)); }

// Kinds of work for which there is no model of speed, with the reason.
std::optional<Diagnostic> not_modelled(const ModelShape& model, const ResolvedWorkload& work) {
  std::string what;
  if (work.mode == Mode::render || work.mode == Mode::video || work.mode == Mode::fp64)
    what = fmt::format("mode {}", name_of(work.mode));
  else if (model.unet || model.kind == ModelKind::diffusion || work.mode == Mode::diffusion)
    what = "diffusion models";
  else if (model.kind == ModelKind::vision && model.patch_size <= 0)
    what = "convolutional image models";
  else if (model.kind == ModelKind::state_space)
    what = "state-space models";
  if (what.empty()) return std::nullopt;
  return Diagnostic{ErrorCode::invalid, "--mode", "",
                    "the speed of " + what + " is not modelled yet",
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
  estimate.range = range_of(t);
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
  estimate.range = range_of(s);
}

void finish_inference(const Server& s, const Card& card, SpeedEstimate& estimate) {
  if (counts_samples(s.model)) return finish_samples(s, estimate);
  Step round;
  estimate.inference = serve(s, fitting_users(s, card), round, estimate.explain);
  estimate.bound = dominant(round);
  estimate.range = range_of(s);
}

}  // namespace

Result<SpeedEstimate> estimate_speed(const ModelShape& model, const ResolvedWorkload& workload,
                                     const Card& card) {
  if (auto error = not_modelled(model, workload)) return *error;
  ResolvedWorkload work = workload;
  work.sequence = tokens_of_sample(model, workload);
  SpeedEstimate estimate;
  const auto figures = figures_of(card, work, estimate.warnings);
  if (!figures) return figures.errors();
  const Wiring wiring = wiring_of(card, *figures->kind, work, estimate.warnings);
  if (work.training())
    finish_training(training_of(model, work, *figures, wiring), estimate);
  else
    finish_inference(server_of(model, work, *figures, wiring), card, estimate);
  return estimate;
}

}  // namespace gpuplan
