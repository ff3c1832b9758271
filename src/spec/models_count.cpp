#include "spec/models_count.hpp"

#include <algorithm>

namespace gpuplan {
namespace {

// Vectors of one norm: RMSNorm scales; LayerNorm also shifts, unless the model dropped that.
Count norm_vectors(const ModelShape& shape) { return shape.layer_norm && shape.norm_bias ? 2 : 1; }

void count_embeddings(const ModelShape& shape, CountedParts& parts) {
  const Count hidden = shape.hidden;
  const Count width = shape.embedding_dim > 0 ? shape.embedding_dim : shape.hidden;
  parts.embedding += Count{shape.vocab} * width;
  parts.embedding += (Count{shape.positions} + shape.token_types) * hidden;
  if (shape.embedding_dim > 0) parts.head += Count{2} * width * hidden;  // projections in and out
  const bool writes_tokens =
      shape.kind != ModelKind::encoder && shape.kind != ModelKind::vision && shape.vocab > 0;
  if (writes_tokens && !shape.tied) parts.head += Count{shape.vocab} * width;
  if (writes_tokens && shape.head_bias) parts.head += shape.vocab;
  if (shape.pooler) parts.head += hidden * hidden + hidden;
  parts.head += hidden * shape.projection;
  if (shape.classes > 0) parts.head += (hidden + 1) * shape.classes;
  if (shape.embedding_norm) parts.norms += norm_vectors(shape) * hidden;
  if (shape.final_norm) parts.norms += norm_vectors(shape) * hidden;
}

void count_patches(const ModelShape& shape, CountedParts& parts) {
  const Count hidden = shape.hidden;
  const std::int64_t side = shape.patch_size > 0 ? shape.image_size / shape.patch_size : 0;
  parts.convolution += Count{3} * shape.patch_size * shape.patch_size * hidden;  // three colours
  if (shape.patch_bias) parts.norms += hidden;
  parts.embedding += Count{side} * side * hidden;  // one position a patch
  if (shape.class_token) parts.embedding += Count{2} * hidden;  // the token and its position
}

WindowAttention full_attention(const ModelShape& shape) {
  return {.heads = shape.heads,
          .kv_heads = shape.kv_heads,
          .head_dim = shape.head_dim,
          .v_head_dim = shape.v_head_dim,
          .qk_norm = shape.qk_norm,
          .sinks = shape.attention_sinks};
}

void count_attention(const ModelShape& shape, const WindowAttention& form, bool value_matrix,
                     Count layers, CountedParts& parts) {
  const Count hidden = shape.hidden;
  const Count query = Count{form.heads} * form.head_dim;
  const Count key = Count{form.kv_heads} * form.head_dim;
  const Count v_dim = form.v_head_dim > 0 ? form.v_head_dim : form.head_dim;
  const Count value = value_matrix ? Count{form.kv_heads} * v_dim : Count{0};
  const Count query_matrix = shape.attention_gate ? Count{2} * query : query;
  const Count output = Count{form.heads} * v_dim;
  parts.attention += layers * hidden * (query_matrix + key + value + output);
  if (shape.qkv_bias)
    parts.norms += layers * (query_matrix + value + (shape.key_bias ? key : Count{0}));
  if (shape.attention_output_bias) parts.norms += layers * hidden;
  if (form.sinks) parts.norms += layers * form.heads;
  parts.norms += layers * form.qk_norm;
}

void count_latent(const ModelShape& shape, const LatentAttention& latent, Count layers,
                  CountedParts& parts) {
  const Count hidden = shape.hidden, heads = shape.heads;
  const Count query_dim = heads * (Count{latent.qk_nope_head_dim} + latent.qk_rope_head_dim);
  const Count query = latent.q_lora_rank > 0
                          ? Count{latent.q_lora_rank} * (hidden + query_dim)
                          : hidden * query_dim;
  const Count down = hidden * (Count{latent.kv_lora_rank} + latent.qk_rope_head_dim);
  const Count up = heads * (Count{latent.qk_nope_head_dim} + latent.v_head_dim) * latent.kv_lora_rank;
  const Count gate = shape.attention_gate ? hidden * heads * latent.v_head_dim : Count{0};
  parts.attention += layers * (query + down + up + gate + heads * latent.v_head_dim * hidden);
  parts.norms += layers * (Count{latent.kv_lora_rank} + latent.q_lora_rank);
}

// The indexer reads the compressed query, has one key a token and weighs its heads.
void count_indexer(const ModelShape& shape, const Indexer& indexer, Count layers,
                   CountedParts& parts) {
  const Count rank = shape.latent ? shape.latent->q_lora_rank : shape.hidden;
  parts.attention += layers * (rank * indexer.heads * indexer.head_dim +
                               Count{shape.hidden} * (Count{indexer.head_dim} + indexer.heads));
  parts.norms += layers * 2 * indexer.head_dim;
}

void count_attention_layers(const ModelShape& shape, CountedParts& parts) {
  const std::int64_t all = std::max<std::int64_t>(0, shape.attention_blocks());
  // Recurrent layers of an unknown kind are taken to be as large as attention.
  const std::int64_t unknown = shape.recurrent ? 0 : shape.recurrent_layers;
  if (shape.latent) {
    count_latent(shape, *shape.latent, all, parts);
  } else {
    const std::int64_t windowed = shape.window ? std::min(shape.sliding_layers, all) : 0;
    count_attention(shape, full_attention(shape), !shape.key_is_value, all - windowed + unknown,
                    parts);
    if (shape.window) count_attention(shape, *shape.window, true, windowed, parts);
  }
  if (shape.indexer) count_indexer(shape, *shape.indexer, all, parts);
}

// Matrices of a feed-forward block for each unit of its width and of the width of the model.
Count mlp_matrices(const ModelShape& shape) { return shape.gated_mlp ? 3 : 2; }
// Its biases: one for each matrix that leads to the inner width, one for that which leads back.
Count inner_biases(const ModelShape& shape) { return shape.gated_mlp ? 2 : 1; }

void count_dense_mlp(const ModelShape& shape, Count layers, CountedParts& parts) {
  const Count width = shape.intermediate_sum > 0 ? Count{shape.intermediate_sum}
                                                 : layers * shape.intermediate;
  parts.mlp += mlp_matrices(shape) * shape.hidden * width;
  if (shape.mlp_bias) parts.norms += inner_biases(shape) * width + layers * shape.hidden;
}

void count_experts(const ModelShape& shape, const Experts& moe, Count layers, CountedParts& parts) {
  const Count hidden = shape.hidden;
  const Count width = moe.latent > 0 ? moe.latent : shape.hidden;
  Count expert = mlp_matrices(shape) * width * moe.intermediate;
  if (moe.expert_bias) expert += inner_biases(shape) * moe.intermediate + width;
  parts.experts += layers * moe.experts * expert;
  parts.active_experts += layers * std::min(moe.active, moe.experts) * expert;
  if (moe.latent > 0) parts.mlp += layers * 2 * hidden * width;
  const Count shared = moe.shared_intermediate > 0 ? Count{moe.shared_intermediate}
                                                   : Count{moe.shared} * moe.intermediate;
  parts.mlp += layers * mlp_matrices(shape) * hidden * shared;
  parts.router += layers * hidden * moe.experts;
  if (moe.router_bias) parts.router += layers * moe.experts;
  if (moe.shared_gate) parts.router += layers * hidden;
}

void count_mlp_layers(const ModelShape& shape, CountedParts& parts) {
  const std::int64_t all = shape.mlp_blocks();
  const std::int64_t dense = shape.moe ? std::min(shape.moe->dense_layers, all) : all;
  count_dense_mlp(shape, dense, parts);
  if (shape.moe) count_experts(shape, *shape.moe, all - dense, parts);
}

// A decoder layer has a second attention, over what the encoder found, and a norm for it.
void count_decoder(const ModelShape& shape, const Decoder& decoder, CountedParts& parts) {
  const Count layers = decoder.layers;
  count_attention(shape, full_attention(shape), true, layers * 2, parts);
  count_dense_mlp(shape, layers, parts);
  parts.norms += layers * (Count{shape.norms_per_layer} + 1) * norm_vectors(shape) * shape.hidden;
  if (shape.final_norm) parts.norms += norm_vectors(shape) * shape.hidden;
  if (shape.embedding_norm) parts.norms += norm_vectors(shape) * shape.hidden;
  parts.embedding += Count{decoder.positions} * shape.hidden;
  parts.embedding += Count{2} * decoder.relative_buckets * shape.heads;
}

void count_transformer(const ModelShape& shape, CountedParts& parts) {
  count_embeddings(shape, parts);
  if (shape.kind == ModelKind::vision) count_patches(shape, parts);
  count_attention_layers(shape, parts);
  if (shape.recurrent) count_recurrent(shape, *shape.recurrent, parts);
  count_mlp_layers(shape, parts);
  if (shape.decoder) count_decoder(shape, *shape.decoder, parts);
  parts.norms += Count{shape.layers} * shape.norms_per_layer * norm_vectors(shape) * shape.hidden;
}

ParameterCount finished(const CountedParts& parts) {
  return {.embedding = parts.embedding.value(),
          .head = parts.head.value(),
          .attention = parts.attention.value(),
          .mlp = parts.mlp.value(),
          .experts = parts.experts.value(),
          .active_experts = parts.active_experts.value(),
          .router = parts.router.value(),
          .norms = parts.norms.value(),
          .convolution = parts.convolution.value(),
          .vision = parts.vision.value(),
          .other = parts.other.value()};
}

std::int64_t scaled(std::int64_t part, std::int64_t to, std::int64_t from) {
  return static_cast<std::int64_t>(static_cast<Wide>(part) * to / from);
}

// The user knows the total better: tables and norms keep their size, the matrices make up the rest.
void scale_to(std::int64_t stated, ParameterCount& count) {
  const std::int64_t matrices = count.attention + count.mlp + count.experts;
  const std::int64_t rest = count.total() - matrices;
  const std::int64_t wanted = stated - rest;
  if (matrices <= 0 || wanted <= 0) {
    count = {.other = stated};
    return;
  }
  for (std::int64_t* part : {&count.attention, &count.mlp, &count.experts, &count.active_experts})
    *part = scaled(*part, wanted, matrices);
  count.other += stated - count.total();  // what the divisions dropped
}

}  // namespace

std::int64_t ParameterCount::total() const {
  return (Count{embedding} + head + attention + mlp + experts + router + norms + convolution + vision +
          other)
      .value();
}

std::int64_t ParameterCount::active() const { return total() - experts + active_experts; }

ParameterCount count_parameters(const ModelShape& shape) {
  if (shape.size_only()) return {.other = shape.parameters_stated.value_or(0)};
  CountedParts parts;
  if (shape.unet) count_unet(shape, *shape.unet, parts);
  else count_transformer(shape, parts);
  parts.vision += shape.vision_parameters;
  parts.other += shape.extra_parameters;
  ParameterCount count = finished(parts);
  if (shape.parameters_stated) scale_to(*shape.parameters_stated, count);
  return count;
}

ModelShape shape_of_size(std::string name, std::int64_t parameters) {
  ModelShape shape;
  shape.name = std::move(name);
  shape.parameters_stated = parameters;
  return shape;
}

std::string_view kind_name(ModelKind kind) {
  switch (kind) {
    case ModelKind::decoder: return "decoder";
    case ModelKind::encoder: return "encoder";
    case ModelKind::encoder_decoder: return "encoder_decoder";
    case ModelKind::vision: return "vision";
    case ModelKind::diffusion: return "diffusion";
    case ModelKind::state_space: return "state_space";
  }
  return {};
}

}  // namespace gpuplan
