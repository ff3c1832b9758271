#pragma once

#include "gpuplan/speed.hpp"
#include "speed/demand.hpp"
#include "speed/engines.hpp"
#include "speed/figures.hpp"
#include "speed/links.hpp"
#include "speed/step.hpp"

namespace gpuplan::detail {

// A training job laid out on its cards.
struct Training {
  const ModelShape& model;
  const ResolvedWorkload& work;
  const Trainer& trainer;
  Demand demand;
  Figures figures;
  Storage storage;
  Wiring wiring;
  double adapter_width = 0;  // 0: all weights are trained
  double tensor = 1, stages = 1, context = 1, replicas = 1, experts_over = 1;

  bool adapters() const { return adapter_width > 0; }
  double recompute() const;       // forward passes that are run again
  double tokens() const;          // of one micro-batch, on one card
  double micro_batches() const;
  double micro_batch_size() const;
  double layers() const { return demand.layers / stages; }
  // Weights of one card's slice before any sharding, and those of them that are trained.
  double slice_weights() const;
  double trained_weights() const;
  double stored_bytes() const;    // of the slice
  double product_rate() const;    // of linear layers
  double sixteen_rate() const;
};

// One forward and backward pass of a micro-batch on one card, communication inside it included.
Step micro_batch(const Training& training);
// All of an optimizer step.
Step optimizer_step(const Training& training);

TrainingSpeed train(const Training& training, Step& step, std::vector<Explained>& explain);

}  // namespace gpuplan::detail
