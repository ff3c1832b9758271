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

double divided_heads(const MemoryJob& job, std::int64_t heads) {
  // With more GPUs than KV heads the heads are copied: at least one stays on each.
  return std::max(1.0, std::ceil(static_cast<double>(std::max<std::int64_t>(heads, 1)) / job.tensor));
}

// Bytes of one token in one layer with its own keys and values.
double head_bytes(const MemoryJob& job, std::int64_t heads, std::int64_t key, std::int64_t value) {
  const auto width = static_cast<double>(key + (value > 0 ? value : key));
  return divided_heads(job, heads) * width * kv_bits(job.work.kv_precision) / 8;
}

// Layers of this pipeline stage by what they keep of a token.
struct LayerGroup {
  double layers = 0;
  double token_bytes = 0;
};
struct LayerGroups {
  LayerGroup growing, sliding;
};

LayerGroups layer_groups(const MemoryJob& job) {
  const ModelShape& m = job.model;
  const double share =
      job.layers / static_cast<double>(std::max<std::int64_t>(m.layers, 1));
  const auto attention = static_cast<double>(std::max<std::int64_t>(0, m.attention_blocks()));
  // A model with a window and no list of layers slides in all of them.
  const double listed = m.sliding_layers > 0 ? static_cast<double>(m.sliding_layers) : attention;
  const double sliding = m.sliding_window > 0 ? std::min(listed, attention) : 0;
  double bytes = head_bytes(job, m.kv_heads, m.head_dim, m.v_head_dim);
  if (m.latent)
    // One compressed vector serves keys and values of all heads; every GPU keeps its own copy.
    bytes = static_cast<double>(m.latent->kv_lora_rank + m.latent->qk_rope_head_dim) *
            kv_bits(job.work.kv_precision) / 8;
  if (m.indexer)
    bytes += static_cast<double>(m.indexer->head_dim) * kv_bits(job.work.kv_precision) / 8;
  const double windowed =
      m.window ? head_bytes(job, m.window->kv_heads, m.window->head_dim, m.window->v_head_dim)
               : bytes;
  LayerGroups groups;
  groups.growing = {(attention - sliding) * share, bytes};
  groups.sliding = {sliding * share, windowed};
  if (m.decoder) {
    // The decoder caches its own tokens and, once, what it reads of the encoder.
    groups.growing = {static_cast<double>(m.decoder->layers) * 2 * share, bytes};
    groups.sliding = {};
  }
  return groups;
}

bool caches_tokens(const MemoryJob& job) {
  return job.model.kind == ModelKind::decoder || job.model.kind == ModelKind::encoder_decoder;
}

}  // namespace

std::int64_t kv_bytes_per_token(const MemoryJob& job) {
  if (!caches_tokens(job)) return 0;
  const LayerGroups groups = layer_groups(job);
  return std::llround(groups.growing.layers * groups.growing.token_bytes +
                      groups.sliding.layers * groups.sliding.token_bytes);
}

double kv_of_sequence(const MemoryJob& job, double tokens) {
  const double share =
      job.layers / static_cast<double>(std::max<std::int64_t>(job.model.layers, 1));
  const double state = static_cast<double>(job.model.state_bytes) * share / job.tensor;
  if (!caches_tokens(job)) return state;
  const LayerGroups groups = layer_groups(job);
  const double window = std::min(tokens, static_cast<double>(job.model.sliding_window));
  return groups.growing.layers * groups.growing.token_bytes * tokens +
         groups.sliding.layers * groups.sliding.token_bytes * window + state;
}

double kv_without_windows(const MemoryJob& job) {
  MemoryJob whole = job;
  whole.model.sliding_window = 0;
  whole.model.sliding_layers = 0;
  whole.model.window.reset();
  return kv_cache(whole).bytes;
}

Term kv_cache(const MemoryJob& job) {
  Term term;
  if (job.work.training()) return term;
  double tokens = static_cast<double>(job.work.sequence);
  // Paged engines hand out blocks of 16 tokens.
  if (job.work.kv_cache == KvCache::paged) tokens = std::ceil(tokens / 16) * 16;
  const auto users = static_cast<double>(job.work.batch);
  // A common start is kept once for all (only whole blocks can be shared).
  const double common = std::floor(static_cast<double>(job.work.shared_prefix) / 16) * 16;
  const double once = common > 0 ? kv_of_sequence(job, common) : 0;
  term.bytes = (kv_of_sequence(job, tokens) - once) * users + once;
  // llama.cpp keeps the cache of a layer where its weights are.
  if (job.work.offload == OffloadKind::layers && job.traits->serving == Serving::graph)
    term.bytes *= 1 - std::min(1.0, static_cast<double>(job.work.offload_layers) / job.layers);
  const double whole = term.bytes;
  std::string extra;
  if (common > 0) extra = fmt::format(", {} tokens of them once for all users", number(common));
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
