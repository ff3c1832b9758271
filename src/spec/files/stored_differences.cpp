#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/text.hpp"
#include "spec/files/stored.hpp"

namespace gpuplan::files {
namespace {

// Why a tensor of the file is no parameter of the shape, or not one for one.
enum class Reason { none, buffer, tied_copy, prediction, scale, packed };

struct Sum {
  std::int64_t tensors = 0;
  std::int64_t elements = 0;
  std::int64_t extra = 0;  // in the file beyond what the shape counts
  Bytes bytes;
};

bool is_tied_copy(const Tensor& tensor, const TensorName& name, const NamedTensors& named,
                  const ModelShape& shape) {
  if (!shape.tied) return false;
  // T5 keeps its one table three times.
  if (tensor.name == "encoder.embed_tokens.weight" || tensor.name == "decoder.embed_tokens.weight")
    return named.roles.has("shared.weight");
  const bool head = name.kind == TensorKind::head && tensor.shape.size() == 2;
  return head && shape.vocab > 0 && tensor.elements >= shape.vocab && name.role == "output.weight";
}

Reason reason_of(std::size_t i, const NamedTensors& named, const ModelShape& shape) {
  const Tensor& tensor = named.tensors[i];
  const TensorName& name = named.names[i];
  if (name.buffer) return Reason::buffer;
  const bool behind = name.layer && shape.layers > 0 && *name.layer >= shape.layers &&
                      !shape.decoder && name.kind != TensorKind::vision;
  if (name.prediction || behind) return Reason::prediction;
  if (is_tied_copy(tensor, name, named, shape)) return Reason::tied_copy;
  if (name.kind == TensorKind::scales) return Reason::scale;
  return named.packing[i].known ? Reason::packed : Reason::none;
}

// What engines do not keep: buffers are computed, a tied head is the table, and the layers that
// predict further tokens are loaded only for speculative decoding.
bool is_idle(Reason reason) {
  return reason == Reason::buffer || reason == Reason::tied_copy || reason == Reason::prediction;
}

struct Text {
  Reason reason;
  std::string_view code, message;
};
constexpr std::array kTexts{
    Text{
        Reason::tied_copy, "tied_head_stored",
        "{} with {} numbers: the head is the embedding table, and is stored a second time; engines "
        "keep it once"},
    Text{Reason::buffer, "buffers",
         "{} with {} numbers that are no parameters (rotary tables, masks, position numbers); "
         "engines "
         "compute them"},
    Text{Reason::prediction, "prediction_layers",
         "{} with {} numbers of extra layers that predict further tokens; engines load them for "
         "speculative decoding only"},
    Text{Reason::scale, "scales", "{} with {} scales and zeros of quantised weights"},
    Text{Reason::packed, "packed_values", "{} with {} elements hold several weights each"}};

std::string tensors_text(std::int64_t count) {
  return count == 1 ? "1 tensor" : fmt::format("{} tensors", count);
}

// What is left, by the kinds in which it lies.
struct KindCount {
  TensorKind kind;
  std::int64_t shape;
};
std::vector<KindCount> kinds_of(const ModelShape& shape) {
  const ParameterCount count = count_parameters(shape);
  return {{TensorKind::embedding, count.embedding},
          {TensorKind::head, count.head},
          {TensorKind::attention, count.attention},
          {TensorKind::mlp, count.mlp},
          {TensorKind::experts, count.experts},
          {TensorKind::router, count.router},
          {TensorKind::norms, count.norms},
          {TensorKind::vision, count.vision},
          {TensorKind::other, count.convolution + count.other}};
}

std::string signed_text(std::int64_t number) {
  return fmt::format("{}{}", number > 0 ? "+" : "", number);
}

using KindSums = std::array<std::int64_t, 10>;

std::string where_text(const KindSums& found, const ModelShape& shape) {
  std::string text;
  for (const KindCount& kind : kinds_of(shape)) {
    const std::int64_t more = found[static_cast<std::size_t>(kind.kind)] - kind.shape;
    if (more == 0) continue;
    if (!text.empty()) text += ", ";
    text += fmt::format("{} {}", name_of(kind.kind), signed_text(more));
  }
  return text;
}

void add_head_missing(const KindSums& found, const ModelShape& shape, StoredWeights& stored,
                      std::int64_t& left) {
  const ParameterCount count = count_parameters(shape);
  const bool none = found[static_cast<std::size_t>(TensorKind::head)] == 0;
  if (shape.tied || count.head == 0 || !none || left > -count.head) return;
  stored.differences.push_back(
      {"head_not_stored",
       fmt::format("the shape has a head of its own with {} parameters, the files have none",
                   count.head),
       -count.head, Bytes{}});
  left += count.head;
}

void add_unexplained(const KindSums& found, const ModelShape& shape, StoredWeights& stored) {
  const ParameterCount count = count_parameters(shape);
  std::int64_t left = stored.parameters - count.total();
  if (left != 0) add_head_missing(found, shape, stored, left);
  if (left == 0) return;
  std::string where = shape.size_only() || shape.parameters_stated ? "" : where_text(found, shape);
  if (!where.empty()) where = ": " + where;
  stored.differences.push_back(
      {"unexplained",
       fmt::format(
           "the files hold {} parameters {} than the shape counts, and it is not known why{}",
           left > 0 ? left : -left, left > 0 ? "more" : "fewer", where),
       left, Bytes{}});
}

}  // namespace

void explain_differences(const NamedTensors& named, const ModelShape& shape,
                         StoredWeights& stored) {
  std::array<Sum, kTexts.size() + 1> sums;
  KindSums found{};
  stored.differences.clear();
  stored.idle = Bytes{};
  stored.parameters = 0;
  for (StoredKind& kind : stored.by_kind) kind.idle = Bytes{};
  for (std::size_t i = 0; i < named.tensors.size(); ++i) {
    const Tensor& tensor = named.tensors[i];
    const Reason reason = reason_of(i, named, shape);
    const bool counts = reason == Reason::none || reason == Reason::packed;
    const std::int64_t weights = counts ? named.packing[i].weights(tensor.elements) : 0;
    Sum& sum = sums[static_cast<std::size_t>(reason)];
    ++sum.tensors;
    sum.elements += tensor.elements;
    sum.extra += tensor.elements - weights;
    sum.bytes += Bytes::of(tensor.bytes);
    stored.parameters += weights;
    found[static_cast<std::size_t>(named.names[i].kind)] += weights;
    if (!is_idle(reason)) continue;
    stored.idle += Bytes::of(tensor.bytes);
    const auto kind = std::ranges::find(stored.by_kind, named.names[i].kind, &StoredKind::kind);
    kind->idle += Bytes::of(tensor.bytes);
  }
  for (const Text& text : kTexts) {
    const Sum& sum = sums[static_cast<std::size_t>(text.reason)];
    if (sum.tensors == 0) continue;
    stored.differences.push_back(
        {std::string(text.code),
         fmt::format(fmt::runtime(text.message), tensors_text(sum.tensors), sum.elements),
         sum.extra, sum.bytes});
  }
  add_unexplained(found, shape, stored);
}

}  // namespace gpuplan::files
