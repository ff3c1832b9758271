#include "speed/range.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace gpuplan::detail {
namespace {

enum class Kind {
  llama_decode,
  engine_decode,
  eager_decode,
  tensor_nvlink,
  tensor_pcie,
  layer_split,
  serving_fixed,
  serving_saturated,
  serving_experts,
  dense_machine,
  dense_machines,
  experts_training,
  adapters_one,
  adapters_many,
  images
};
// Between which factors of the estimate 86 of 100 published measurements of a kind lay (7th to 93rd
// percentile; a source counts as the root of its measurements, so that none decides alone). With
// each source left out in turn the ranges from the others still held 84 % of it:
// tests/accuracy/speed.
struct Row {
  Kind kind;
  std::string_view name;
  int measurements;
  double low, high;
};
constexpr std::array kRows{
    Row{Kind::llama_decode, "llama.cpp on one card", 157, 0.86, 1.12},
    Row{Kind::engine_decode, "one user of a compiled engine, one card", 172, 0.78, 1.19},
    Row{Kind::eager_decode, "eager PyTorch writing", 95, 0.84, 1.23},
    Row{Kind::tensor_nvlink, "tensor parallel writing over NVLink", 22, 0.83, 1.12},
    Row{Kind::tensor_pcie, "tensor parallel writing over PCIe", 54, 0.60, 1.39},
    Row{Kind::layer_split, "layers spread over cards", 132, 0.80, 1.14},
    Row{Kind::serving_fixed, "a fixed number of users", 25, 0.58, 1.26},
    Row{Kind::serving_saturated, "a saturated server", 99, 0.74, 1.17},
    Row{Kind::serving_experts, "serving a mixture of experts", 92, 0.59, 1.18},
    Row{Kind::dense_machine, "training in one machine", 84, 0.84, 1.12},
    Row{Kind::dense_machines, "training over machines", 55, 0.76, 1.17},
    Row{Kind::experts_training, "training a mixture of experts", 29, 0.73, 1.19},
    Row{Kind::adapters_one, "adapters on one card", 87, 0.84, 1.13},
    Row{Kind::adapters_many, "adapters on several cards", 103, 0.66, 1.19},
    Row{Kind::images, "image models", 47, 0.65, 1.25}};

// What no row of this kind of card, of host memory at work, or of an unknown network adds.
constexpr double kUnseen = 1.3;

SpeedRange range_of_kind(Kind kind, bool unseen, std::vector<Explained>& explain) {
  const Row& row = *std::ranges::find(kRows, kind, &Row::kind);
  const double wider = unseen ? kUnseen : 1;
  explain.push_back(
      {"range", "estimate x the factors between which measurements of its kind lay",
       fmt::format(
           "{:.2f} to {:.2f}: {}{}", row.low / wider, row.high * wider, row.name,
           unseen ? ", wider since no measurement of such a card, link or offload is known" : ""),
       fmt::format("{} published measurements (tests/accuracy/speed)", row.measurements)});
  return {.low = row.low / wider, .high = row.high * wider, .coverage = 0.8};
}

Kind kind_of_server(const Server& s) {
  const bool many = s.work.concurrency_max || static_cast<double>(s.work.batch) > s.replicas;
  if (s.demand.moe() && many) return Kind::serving_experts;
  if (s.work.concurrency_max) return Kind::serving_saturated;
  if (many) return Kind::serving_fixed;
  if (s.layer_split()) return Kind::layer_split;
  if (s.tensor > 1) return s.wiring.fast ? Kind::tensor_nvlink : Kind::tensor_pcie;
  if (s.engine.host_ms > 0) return Kind::eager_decode;
  return s.engine.framework == Framework::llamacpp ? Kind::llama_decode : Kind::engine_decode;
}

Kind kind_of_training(const Training& t) {
  if (t.demand.moe()) return Kind::experts_training;
  if (t.adapters()) return t.work.gpus > 1 ? Kind::adapters_many : Kind::adapters_one;
  return static_cast<double>(t.work.gpus) > t.wiring.machine_cards ? Kind::dense_machines
                                                                   : Kind::dense_machine;
}

}  // namespace

SpeedRange range_of(const Server& s, std::vector<Explained>& explain) {
  // Of tensor parallel cards that nobody says how they are joined there are rows.
  const bool link = s.wiring.assumed && s.tensor <= 1;
  return range_of_kind(kind_of_server(s), s.work.offload != OffloadKind::none || link, explain);
}

SpeedRange range_of(const Training& t, std::vector<Explained>& explain) {
  const bool unseen =
      !t.figures.kind->trained || t.work.offload != OffloadKind::none || t.wiring.assumed;
  return range_of_kind(kind_of_training(t), unseen, explain);
}

SpeedRange range_of_images(const ImageWork& image, std::vector<Explained>& explain) {
  return range_of_kind(Kind::images, image.rough || image.elements <= 0, explain);
}

}  // namespace gpuplan::detail
