#include "speed/range.hpp"

#include <algorithm>
#include <array>

namespace gpuplan::detail {
namespace {

// p10 and p90 of measured / estimated over the public rows, widened to what sources showed that were
// left out of the fit.
enum class Kind {
  llama_decode, engine_decode, eager_decode, tensor_nvlink, tensor_pcie, layer_split,
  serving_fixed, serving_saturated, serving_experts, dense_machine, dense_machines,
  experts_training, adapters_one, adapters_many
};
struct Row {
  Kind kind;
  double low, high;
};
constexpr std::array kRows{
    Row{Kind::llama_decode, 0.85, 1.25},      Row{Kind::engine_decode, 0.65, 1.15},
    Row{Kind::eager_decode, 0.75, 1.35},      Row{Kind::tensor_nvlink, 0.65, 1.10},
    Row{Kind::tensor_pcie, 0.55, 1.20},       Row{Kind::layer_split, 0.80, 1.15},
    Row{Kind::serving_fixed, 0.70, 1.25},     Row{Kind::serving_saturated, 0.80, 1.30},
    Row{Kind::serving_experts, 0.60, 1.40},   Row{Kind::dense_machine, 0.85, 1.15},
    Row{Kind::dense_machines, 0.80, 1.12},    Row{Kind::experts_training, 0.60, 1.30},
    Row{Kind::adapters_one, 0.80, 1.20},      Row{Kind::adapters_many, 0.60, 1.15}};

// What no row of this kind of card, of host memory at work, or of an unknown network adds.
constexpr double kUnseen = 1.3;

SpeedRange range_of_kind(Kind kind, bool unseen) {
  const Row& row = *std::ranges::find(kRows, kind, &Row::kind);
  const double wider = unseen ? kUnseen : 1;
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

SpeedRange range_of(const Server& s) {
  return range_of_kind(kind_of_server(s), s.work.offload != OffloadKind::none || s.wiring.assumed);
}

SpeedRange range_of(const Training& t) {
  const bool unseen = !t.figures.kind->trained || t.work.offload != OffloadKind::none ||
                      t.wiring.assumed;
  return range_of_kind(kind_of_training(t), unseen);
}

}  // namespace gpuplan::detail
