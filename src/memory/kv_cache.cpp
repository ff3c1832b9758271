#include "memory/kv_cache.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace gpuplan::detail {
namespace {

// Stored bits of a cached number; block types carry a 16-bit scale for 32 numbers.
struct KvFormat {
  KvPrecision precision;
  double bits;
};
constexpr std::array kFormats{KvFormat{KvPrecision::fp32, 32}, KvFormat{KvPrecision::bf16, 16},
                              KvFormat{KvPrecision::fp16, 16}, KvFormat{KvPrecision::fp8, 8},
                              KvFormat{KvPrecision::int8, 8},  KvFormat{KvPrecision::q8_0, 8.5},
                              KvFormat{KvPrecision::q4_0, 4.5}};

double kv_bits(KvPrecision precision) {
  const auto row = std::ranges::find(kFormats, precision, &KvFormat::precision);
  return row == kFormats.end() ? 16 : row->bits;
}

struct LayerKinds {
  double growing = 0, sliding = 0;
};

// Layers of one pipeline stage that cache every token, and those that cache a window.
LayerKinds layer_kinds(const MemoryJob& job) {
  const ModelShape& m = job.model;
  const auto whole = static_cast<double>(std::max<std::int64_t>(m.layers, 1));
  const double share = job.layers / whole;
  // A model with a window and no list of layers slides in all of them.
  const double sliding =
      m.sliding_window > 0
          ? static_cast<double>(m.sliding_layers > 0 ? m.sliding_layers
                                                     : m.layers - m.recurrent_layers)
          : 0;
  const double attention = whole - static_cast<double>(m.recurrent_layers);
  return {(attention - sliding) * share, sliding * share};
}

// Bytes of one token in one layer.
double layer_token_bytes(const MemoryJob& job) {
  const double bytes = kv_bits(job.work.kv_precision) / 8;
  if (job.model.latent)
    // One compressed vector serves keys and values of all heads; every GPU keeps its own copy.
    return static_cast<double>(job.model.latent->kv_lora_rank +
                               job.model.latent->qk_rope_head_dim) *
           bytes;
  const auto heads = static_cast<double>(std::max<std::int64_t>(job.model.kv_heads, 1));
  // With more GPUs than KV heads the heads are copied: at least one stays on each.
  const double per_gpu = std::max(1.0, std::ceil(heads / job.tensor));
  return 2 * per_gpu * static_cast<double>(job.model.head_dim) * bytes;
}

// vLLM reserves whole pages for sliding layers too in most builds; llama.cpp and the others keep
// the window only. 
bool window_is_honoured(const MemoryJob& job) {
  return job.traits->serving != Serving::eager || !job.version.before(4, 42);
}

}  // namespace

std::int64_t kv_bytes_per_token(const MemoryJob& job) {
  if (job.model.kind != ModelKind::decoder && job.model.kind != ModelKind::encoder_decoder) return 0;
  const LayerKinds kinds = layer_kinds(job);
  return std::llround((kinds.growing + kinds.sliding) * layer_token_bytes(job));
}

double kv_of_sequence(const MemoryJob& job, double tokens) {
  if (kv_bytes_per_token(job) == 0) return static_cast<double>(job.model.state_bytes);
  const LayerKinds kinds = layer_kinds(job);
  const double each = layer_token_bytes(job);
  const double window =
      window_is_honoured(job)
          ? std::min(tokens, static_cast<double>(job.model.sliding_window))
          : tokens;
  const double share =
      job.layers / static_cast<double>(std::max<std::int64_t>(job.model.layers, 1));
  return each * (kinds.growing * tokens + kinds.sliding * window) +
         static_cast<double>(job.model.state_bytes) * share / job.tensor;
}

Term kv_cache(const MemoryJob& job) {
  Term term;
  if (job.work.training()) return term;
  double tokens = static_cast<double>(job.work.sequence);
  // Paged engines hand out blocks of 16 tokens.
  if (job.work.kv_cache == KvCache::paged) tokens = std::ceil(tokens / 16) * 16;
  const auto users = static_cast<double>(job.work.batch);
  term.bytes = kv_of_sequence(job, tokens) * users;
  const double whole = term.bytes;
  std::string extra;
  if (job.work.kv_cache == KvCache::legacy) {
    // Tuples of the last step are freed only when the step ends: old and new cache together.
    term.bytes = 2 * whole;
    extra = ", twice (old and new tuples)";
  } else if (job.work.kv_cache == KvCache::dynamic && job.layers > 0) {
    // Each layer's cache is copied when it grows; the old one is freed at once.
    term.bytes = whole * (1 + 1 / job.layers);
    extra = ", and one layer's copy";
  }
  term.formula = job.model.latent
                     ? "layers x (kv_lora_rank + qk_rope_head_dim) x bytes x tokens x users"
                     : "2 x layers x kv_heads x head_dim x bytes x tokens x users";
  term.inputs = fmt::format("{} bytes a token x {} tokens x {} users{}", kv_bytes_per_token(job),
                            number(tokens), number(users), extra);
  term.source = "exact; vLLM pools hold the tokens so computed within 0.1 % (llm-d logs)";
  return term;
}

}  // namespace gpuplan::detail
