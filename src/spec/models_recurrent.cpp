#include "spec/models_count.hpp"

namespace gpuplan {
namespace {

struct LayerParts {
  Count matrices;
  Count vectors;
};

// Mamba: in, x, dt and out projections; convolution, dt bias, A and D (arXiv 2312.00752).
LayerParts mamba(Count hidden, const Recurrent& r) {
  const Count inner = r.inner;
  return {.matrices = hidden * inner * 3 + inner * (Count{r.dt_rank} + Count{2} * r.state) +
                      inner * r.dt_rank,
          .vectors = inner * (Count{r.convolution} + 1) + inner + inner * r.state + inner};
}

// Mamba-2: one projection for z, x, B, C and dt; a gated norm before the output (arXiv 2405.21060).
LayerParts mamba2(Count hidden, const Recurrent& r) {
  const Count inner = r.inner;
  const Count convolved = inner + Count{2} * r.groups * r.state;
  return {.matrices = hidden * (inner + convolved + r.heads) + inner * hidden,
          .vectors = convolved * (Count{r.convolution} + 1) + Count{3} * r.heads + inner};
}

// Gated delta rule (Qwen3-Next): query, key, value, gate; beta and decay for each value head.
LayerParts gated_delta(Count hidden, const Recurrent& r) {
  const Count keys = Count{r.key_heads} * r.key_head_dim;
  const Count values = Count{r.heads} * r.value_head_dim;
  return {.matrices = hidden * (keys * 2 + values * 2 + Count{2} * r.heads) + values * hidden,
          .vectors = (keys * 2 + values) * r.convolution + Count{2} * r.heads + r.value_head_dim};
}

// Lightning attention (MiniMax-01): query, key, value, output gate; a norm over the heads.
LayerParts lightning(Count hidden, const Recurrent& r) {
  return {.matrices = hidden * r.inner * 5, .vectors = r.inner};
}

// LFM2's gated short convolution: one projection in (three parts), one out.
LayerParts short_convolution(Count hidden, const Recurrent& r) {
  return {.matrices = hidden * r.inner * 4, .vectors = Count{r.inner} * r.convolution};
}

LayerParts parts_of(Count hidden, const Recurrent& recurrent) {
  switch (recurrent.kind) {
    case Recurrence::mamba: return mamba(hidden, recurrent);
    case Recurrence::mamba2: return mamba2(hidden, recurrent);
    case Recurrence::gated_delta: return gated_delta(hidden, recurrent);
    case Recurrence::lightning: return lightning(hidden, recurrent);
    case Recurrence::short_convolution: return short_convolution(hidden, recurrent);
  }
  return {};
}

// Numbers that one layer keeps for one sequence: the state proper and the convolution's window.
// Mamba's cache holds the whole window, the others all but the newest entry.
Count state_of(const Recurrent& r) {
  const Count window = r.convolution > 0 ? r.convolution - 1 : 0;
  switch (r.kind) {
    case Recurrence::mamba: return Count{r.inner} * (Count{r.state} + r.convolution);
    case Recurrence::mamba2:
      return Count{r.inner} * r.state + (Count{r.inner} + Count{2} * r.groups * r.state) * window;
    case Recurrence::gated_delta: {
      const Count keys = Count{r.key_heads} * r.key_head_dim;
      const Count values = Count{r.heads} * r.value_head_dim;
      return values * r.key_head_dim + (keys * 2 + values) * window;
    }
    case Recurrence::lightning: return r.heads > 0 ? Count{r.inner} * (r.inner / r.heads) : Count{0};
    case Recurrence::short_convolution: return Count{r.inner} * window;
  }
  return 0;
}

}  // namespace

void count_recurrent(const ModelShape& shape, const Recurrent& recurrent, CountedParts& parts) {
  const LayerParts layer = parts_of(shape.hidden, recurrent);
  parts.attention += layer.matrices * shape.recurrent_layers;
  parts.norms += layer.vectors * shape.recurrent_layers;
}

Count recurrent_state_bytes(const ModelShape& shape, const Recurrent& recurrent) {
  return state_of(recurrent) * shape.recurrent_layers * 4;
}

}  // namespace gpuplan
