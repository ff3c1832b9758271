#include "memory/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace gpuplan::detail {
namespace {

// Widths that one token passes in the feed-forward part, averaged over the layers.
double mean_mlp_width(const ModelShape& model) {
  const auto layers = static_cast<double>(std::max<std::int64_t>(model.layers, 1));
  const auto blocks = static_cast<double>(std::max<std::int64_t>(model.mlp_blocks(), 0));
  const double plain = model.intermediate_sum > 0
                           ? static_cast<double>(model.intermediate_sum) / std::max(blocks, 1.0)
                           : static_cast<double>(model.intermediate);
  if (!model.moe) return plain * blocks / layers;
  const auto& moe = *model.moe;
  const double shared = moe.shared_intermediate > 0
                            ? static_cast<double>(moe.shared_intermediate)
                            : static_cast<double>(moe.shared * moe.intermediate);
  const double routed = static_cast<double>(moe.active * moe.intermediate);
  const double dense = std::min(static_cast<double>(moe.dense_layers), blocks);
  return (dense * plain + (blocks - dense) * (routed + shared)) / layers;
}

// Tokens of one sample: the sequence, or the patches of an image and its class token.
double sample_tokens(const ModelShape& model, const ResolvedWorkload& workload) {
  if (model.kind != ModelKind::vision || model.patch_size <= 0)
    return static_cast<double>(workload.sequence) /
           static_cast<double>(std::max<std::int64_t>(workload.cp, 1));
  const auto side = static_cast<double>(std::max<std::int64_t>(workload.image_size, 1)) /
                    static_cast<double>(model.patch_size);
  return std::ceil(side * side) + (model.class_token ? 1 : 0);
}

// A stated size that is all that is known, divided as the typical shape divides it.
void spread_over_typical(MemoryJob& job) {
  ParameterCount& count = job.count;
  const std::int64_t table = job.model.vocab * job.model.hidden;
  const std::int64_t all = count.total();
  const bool room = all > 2 * table;
  count = {};
  count.embedding = count.head = room ? table : 0;
  count.mlp = room ? all - 2 * table : all;
}

}  // namespace

std::optional<Version> parse_version(std::string_view text) {
  Version version;
  const char* const end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, version.major);
  if (error != std::errc{}) return std::nullopt;
  if (rest == end) return version;
  if (*rest != '.') return std::nullopt;
  const auto minor = std::from_chars(rest + 1, end, version.minor);
  if (minor.ec != std::errc{}) return std::nullopt;
  if (minor.ptr != end && *minor.ptr != '.') return std::nullopt;
  return version;
}

ModelShape typical_decoder(std::int64_t parameters) {
  // 12 L h^2 parameters in the blocks and L = h / 128, the proportions of Llama-2 7B and 13B.
  ModelShape shape;
  shape.name = "decoder of " + std::to_string(parameters) + " parameters";
  const double width = std::cbrt(static_cast<double>(parameters) * 128 / 12);
  shape.hidden = std::max<std::int64_t>(128, std::llround(width / 128) * 128);
  shape.layers = std::max<std::int64_t>(1, shape.hidden / 128);
  shape.heads = shape.hidden / 128;
  shape.kv_heads = shape.heads;
  shape.head_dim = 128;
  shape.intermediate = shape.hidden * 8 / 3;
  shape.vocab = 32000;
  shape.parameters_stated = parameters;
  return shape;
}

bool MemoryJob::quantised() const { return precision_info(work.precision).bits_per_weight < 16; }

bool MemoryJob::text() const {
  return model.kind == ModelKind::decoder || model.kind == ModelKind::encoder_decoder ||
         model.kind == ModelKind::state_space;
}

bool MemoryJob::convolutional() const {
  return model.unet.has_value() || (model.kind == ModelKind::vision && model.layers <= 0) ||
         (model.kind == ModelKind::diffusion && model.layers <= 0);
}

MemoryJob make_job(const ModelShape& model, const ResolvedWorkload& workload) {
  MemoryJob job;
  job.count = count_parameters(model);
  const bool unknown_decoder = model.size_only() && model.kind == ModelKind::decoder;
  job.model = unknown_decoder ? typical_decoder(job.count.total()) : model;
  if (unknown_decoder) {
    spread_over_typical(job);
    // Its weights may be known all the same, to the byte.
    job.model.stored = model.stored;
    job.model.source = model.source;
  }
  job.work = workload;
  job.traits = &traits_of(workload.framework);
  job.version = parse_version(workload.engine_version).value_or(Version{});

  const ModelShape& m = job.model;
  job.hidden = static_cast<double>(m.hidden);
  job.query_width = static_cast<double>(m.heads * m.head_dim);
  job.kv_width = static_cast<double>(m.kv_heads * m.head_dim);
  if (m.latent) {
    // Expanded keys and values: every head has its own.
    job.query_width = static_cast<double>(
        m.heads * (m.latent->qk_nope_head_dim + m.latent->qk_rope_head_dim));
    job.kv_width = job.query_width;
  }
  job.mlp_width = mean_mlp_width(m);
  job.expert_copies = m.moe ? static_cast<double>(m.moe->active) : 0;
  job.tensor = static_cast<double>(std::max<std::int64_t>(workload.tp, 1));
  job.ranks = static_cast<double>(std::max<std::int64_t>(
      workload.gpus / std::max<std::int64_t>(1, workload.tp * workload.pp), 1));
  job.layers = std::max(1.0, std::ceil(static_cast<double>(m.layers) /
                                       static_cast<double>(std::max<std::int64_t>(workload.pp, 1))));
  // A decoder layer beside an encoder has a second attention: half as much again.
  job.depth = job.layers + (m.decoder ? 1.5 * static_cast<double>(m.decoder->layers) : 0);
  job.tokens = static_cast<double>(workload.batch) * sample_tokens(m, workload);
  return job;
}

double compute_bytes(Precision precision) {
  return precision == Precision::fp32 || precision == Precision::tf32 ? 4 : 2;
}

std::string number(double value) {
  if (std::abs(value - std::round(value)) < 1e-9 && std::abs(value) < 1e15)
    return fmt::format("{:.0f}", value);
  return fmt::format("{:.4g}", value);
}

std::string gib(double bytes) { return fmt::format("{:.2f} GiB", bytes / kGiB); }

}  // namespace gpuplan::detail
