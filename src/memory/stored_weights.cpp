#include "memory/stored_weights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace gpuplan::detail {
namespace {

enum Class : std::size_t { kLinear, kExperts, kEmbedding, kHead, kRest, kClasses };

Class class_of(TensorKind kind) {
  switch (kind) {
    case TensorKind::attention:
    case TensorKind::mlp:
      return kLinear;
    case TensorKind::experts:
      return kExperts;
    case TensorKind::embedding:
      return kEmbedding;
    case TensorKind::head:
      return kHead;
    default:
      return kRest;
  }
}

using Sums = std::array<double, kClasses>;

Sums parameters_of(const ParameterCount& c) {
  return {static_cast<double>(c.attention + c.mlp), static_cast<double>(c.experts),
          static_cast<double>(c.embedding), static_cast<double>(c.head),
          static_cast<double>(c.router + c.norms + c.convolution + c.other + c.vision)};
}

// Of a model that is known by its size, or by the total of an index, the classes are those of the
// shape that is assumed: the bytes spread over them evenly.
bool by_class(const MemoryJob& job, const StoredWeights& stored) {
  return !stored.by_kind.empty() && !job.model.parameters_stated;
}

Sums bytes_of(const MemoryJob& job, const StoredWeights& stored, const Sums& parameters) {
  Sums bytes{};
  if (!by_class(job, stored)) {
    double all = 0;
    for (const double count : parameters) all += count;
    for (std::size_t i = 0; i < kClasses; ++i)
      bytes[i] = all > 0 ? stored.loaded().as_double() * parameters[i] / all : 0;
    return bytes;
  }
  const auto largest = std::ranges::max_element(parameters) - parameters.begin();
  for (const StoredKind& kind : stored.by_kind) {
    std::size_t into = class_of(kind.kind);
    // What the shape does not count lies beside what it counts most of.
    if (parameters[into] <= 0) into = static_cast<std::size_t>(largest);
    // Scales belong to the matrices that they scale, and are divided with them.
    if (kind.kind == TensorKind::scales)
      into = parameters[kExperts] > parameters[kLinear] ? kExperts : kLinear;
    if (parameters[into] <= 0) into = static_cast<std::size_t>(largest);
    bytes[into] += (kind.bytes - kind.idle).as_double();
  }
  return bytes;
}

}  // namespace

bool uses_stored(const MemoryJob& job) {
  return job.model.stored && !job.work.training() && job.model.stored->loaded() > Bytes{} &&
         job.work.precision == job.model.stored->precision;
}

ClassBits stored_bits(const MemoryJob& job) {
  const Sums parameters = parameters_of(job.count);
  const Sums bytes = bytes_of(job, *job.model.stored, parameters);
  const auto bits = [&](Class part) {
    return parameters[part] > 0 ? 8 * bytes[part] / parameters[part] : 0.0;
  };
  ClassBits result{bits(kLinear), bits(kExperts), bits(kEmbedding), bits(kHead), bits(kRest)};
  // A head that shares the table is kept like it.
  if (parameters[kHead] <= 0) result.head = result.embedding;
  return result;
}

std::string stored_text(const StoredWeights& stored) {
  std::string text = fmt::format("{} {} of {} tensors", stored.files,
                                 stored.files == 1 ? "file" : "files", stored.tensors);
  for (const StoredKind& kind : stored.by_kind)
    if (const Bytes kept = kind.bytes - kind.idle; kept > Bytes{})
      text += fmt::format(", {} {}", name_of(kind.kind), gib(kept.as_double()));
  if (stored.idle > Bytes{})
    text += fmt::format("; {} more are not kept by engines", gib(stored.idle.as_double()));
  return text;
}

}  // namespace gpuplan::detail
