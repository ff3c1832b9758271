#pragma once

#include <string>

#include "catch.hpp"
#include "core/builtin.hpp"
#include "gpuplan/memory.hpp"
#include "gpuplan/models.hpp"

// What the specifications of memory share: models by name, and an estimate that must succeed.
namespace gpuplan::memory_help {

inline const ModelShape& shape(const std::string& name) {
  static const ModelTable table = *read_models(builtin_models(), "models.json");
  const ModelShape* found = table.find(name);
  INFO(name);
  REQUIRE(found != nullptr);
  return *found;
}

inline MemoryEstimate estimate(const ModelShape& model, const Workload& workload) {
  const auto resolved = resolve(workload, model);
  REQUIRE(resolved);
  return estimate_memory(model, *resolved);
}

inline MemoryEstimate estimate(const std::string& name, const Workload& workload) {
  return estimate(shape(name), workload);
}

// A cache that is laid out once, as llama.cpp does: no block rounding, no growing copies.
inline Workload llama_cpp(Precision precision, std::int64_t tokens, std::int64_t users = 1) {
  Workload w;
  w.framework = Framework::llamacpp;
  w.precision = precision;
  w.sequence = tokens;
  w.batch = users;
  return w;
}

inline Workload training(Mode mode, Framework framework = Framework::automatic) {
  Workload w;
  w.mode = mode;
  w.framework = framework;
  return w;
}

// Weights, gradients, optimizer and adapters: what stays from step to step.
inline double states(const MemoryEstimate& e) {
  return (e.per_gpu.weights + e.per_gpu.gradients + e.per_gpu.optimizer + e.per_gpu.adapter)
      .as_double();
}

inline double gib(Bytes bytes) { return bytes.as_double() / (1024.0 * 1024 * 1024); }

}  // namespace gpuplan::memory_help
