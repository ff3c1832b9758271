#pragma once

#include "gpuplan/speed.hpp"
#include "speed/demand.hpp"
#include "speed/engines.hpp"
#include "speed/figures.hpp"
#include "speed/links.hpp"
#include "speed/step.hpp"

namespace gpuplan::detail {

// One replica of a model on its cards, ready to answer.
struct Server {
  const ModelShape& model;
  const ResolvedWorkload& work;
  const Engine& engine;
  Demand demand;
  Figures figures;
  Storage storage;
  Wiring wiring;
  double tensor = 1, stages = 1, replicas = 1;

  // Layers one after the other on several cards, one user at a time: what llama.cpp and
  // device_map do. Engines for many users keep all stages busy instead.
  bool layer_split() const;
  // Attention of mixtures of experts runs on whole users, not on shares of heads.
  bool data_parallel_attention() const;
  // Bytes of cache of one user with that many tokens, on one card (all stages together).
  double kv_bytes_of(double tokens) const;
  // How often a step moves the cache: once, or for each copy that eager code makes of it.
  double cache_passes() const;
  // FLOPs a second in large products, experts apart.
  double product_rate() const;
  double expert_rate() const;
  double pass_tokens(double prompt) const;
};

// One step that makes a token for each of `users`, all at `context` tokens.
Step decode_step(const Server& server, double users, double context);
// Its parts: reading weights, arithmetic, and all that stays the same however they overlap.
Step decode_weights(const Server& server, double users);
Step decode_products(const Server& server, double users);
Step decode_rest(const Server& server, double users, double context);

void add_offloaded_layers(const Server& server, double passes, Step& step);

// The prompt of one user, alone.
Step prefill(const Server& server, double prompt);
// Parts of a prompt that is computed together with others' decoding.
Step prefill_products(const Server& server, double prompt);
Step prefill_rest(const Server& server, double prompt);

// The most users at once, up to `most`, for whom the targets for time are kept; 0: not even one.
std::int64_t users_in_time(const Server& server, std::int64_t most);

// What the server gives its users.
InferenceSpeed serve(const Server& server, std::int64_t fitting, Step& round,
                     std::vector<Explained>& explain);

}  // namespace gpuplan::detail
