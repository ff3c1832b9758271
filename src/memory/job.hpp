#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "gpuplan/memory.hpp"
#include "gpuplan/models.hpp"
#include "gpuplan/workload.hpp"
#include "memory/frameworks.hpp"

namespace gpuplan::detail {

constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;

// "0.19" or "4.46"; {0, 0} stands for the newest.
struct Version {
  int major = 0, minor = 0;
  bool newest() const { return major == 0 && minor == 0; }
  // Older than major.minor; the newest never is.
  bool before(int other_major, int other_minor) const {
    return !newest() && (major < other_major || (major == other_major && minor < other_minor));
  }
};
std::optional<Version> parse_version(std::string_view text);

// An amount with the reason for it. Estimates are added as real numbers and rounded once.
struct Term {
  double bytes = 0;
  std::string formula = {};
  std::string inputs = {};
  std::string source = {};
};

// A job as the parts of the estimate see it: the shape with nothing unknown, and the widths that
// the formulas are written in.
struct MemoryJob {
  ModelShape model;
  ResolvedWorkload work;
  ParameterCount count;
  const FrameworkTraits* traits = nullptr;
  Version version;

  double hidden = 0;        // h
  double query_width = 0;   // a d: heads x head size
  double kv_width = 0;      // kv_heads x head size
  double mlp_width = 0;     // of what one token passes: routed and shared experts together
  double expert_copies = 0; // routed experts a token goes through; 0 in a dense model
  double layers = 0;        // of one pipeline stage
  double depth = 0;         // the same with an encoder's partner, for activations
  double tokens = 0;        // of one micro-batch on one GPU; patches of an image model
  double ranks = 1;         // GPUs that can share states (data and context parallel)
  double tensor = 1;        // GPUs that share every matrix

  bool sharded(int stage) const { return work.training() && work.zero >= stage && ranks > 1; }
  bool trains_all() const { return work.training() && !work.adapters(); }
  bool text() const;  // reads and writes tokens, so it has logits
  bool convolutional() const;  // a UNet or an image model without transformer layers
  bool quantised() const;  // weights in a format below 16 bits
};

MemoryJob make_job(const ModelShape& model, const ResolvedWorkload& workload);

// A dense decoder of that size, for a model of which nothing else is known.
ModelShape typical_decoder(std::int64_t parameters);

// Bytes of a number in the formats that arithmetic is done in.
double compute_bytes(Precision precision);

std::string number(double value);  // for formulas: whole numbers without decimals
std::string gib(double bytes);     // "12.55 GiB"

}  // namespace gpuplan::detail
