#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "speed/constants.hpp"
#include "speed/training.hpp"

namespace gpuplan::detail {
namespace {

double real(std::int64_t n) { return static_cast<double>(n); }

// What traffic adds to work that it runs beside: the longer of both, and half of the shorter.
double beside(double work, double traffic) {
  return std::max(work, traffic) + kUnhidden.value * std::min(work, traffic) - work;
}

void add_tensor_traffic(const Training& t, Step& step) {
  const double payload = t.tokens() * t.demand.hidden * 2;
  const double count = (4 + 2 * t.recompute()) * t.layers();
  step.add({"all_reduce",
            kExposedTensor.value * count * all_reduce_s(t.wiring, t.tensor, payload),
            Bound::interconnect,
            "exposed share x (4 + 2 recomputed) x layers x all-reduce of the activations",
            fmt::format("{} x {} x {} over {} cards", kExposedTensor.value, count,
                        show_amount(payload, "B"), t.tensor),
            kExposedTensor.source});
}

void add_expert_traffic(const Training& t, Step& step) {
  if (!t.demand.moe() || t.experts_over < 2) return;
  const double each = all_to_all_s(t.wiring, t.experts_over, t.demand.active_experts,
                                   t.demand.hidden * 2, t.tokens() / t.tensor);
  const double count = (4 + 2 * t.recompute()) * t.layers();
  step.add({"all_to_all", count * each, Bound::interconnect,
            "(4 + 2 recomputed) x layers x tokens x hidden x 2 bytes to their experts / link",
            fmt::format("{} x {} over {} cards", count, show_time(each), t.experts_over),
            kNetworkAllToAll.source});
}

// Weights that are gathered for each pass, and their gradients that are scattered.
void add_shard_traffic(const Training& t, Step& step) {
  if (t.work.zero < 3 || t.replicas * t.context < 2) return;
  const double cards = t.replicas * t.context;
  const double times = t.adapters() ? 2 : 3;
  const double bytes = times * t.stored_bytes() * (cards - 1) / cards;
  const double rate = gather_rate(t.wiring, cards);
  step.add({"sharded_weights", beside(step.seconds(), bytes / rate), Bound::interconnect,
            "the longer of work and traffic + half of the shorter; traffic = passes x bytes / link",
            fmt::format("{} / {}", show_amount(bytes, "B"), show_amount(rate, "B/s")),
            t.wiring.fast ? kShardShare.source : kPcieShare.source});
}

// Weights or activations that wait with the host between their uses.
void add_offload_traffic(const Training& t, Step& step) {
  double bytes = 0;
  if (t.work.offload == OffloadKind::all)
    bytes = 2 * t.stored_bytes() / (t.work.zero >= 3 ? t.replicas * t.context : 1);
  if (t.work.offload == OffloadKind::activations)
    bytes = 2 * t.layers() * t.tokens() * t.demand.hidden * 2 / t.tensor;
  if (bytes <= 0) return;
  step.add({"offload", beside(step.seconds(), bytes / t.wiring.host), Bound::interconnect,
            "the longer of work and copies + half of the shorter; copies = bytes / PCIe",
            fmt::format("{} / {}", show_amount(bytes, "B"), show_amount(t.wiring.host, "B/s")),
            kHostCopyShare.source});
}

// Gradients added up over the replicas once a step, beside the last micro-batch.
void add_gradient_traffic(const Training& t, double micro, Step& step) {
  const double cards = t.replicas * t.context;
  if (cards < 2 || t.work.zero >= 3) return;
  const double bytes = kGradientBytes.value * t.trained_weights();
  const double traffic = all_reduce_s(t.wiring, cards, bytes);
  step.add({"gradients", beside(micro, traffic), Bound::interconnect,
            "the longer of a micro-batch and the all-reduce of 4 bytes a trained weight + half of "
            "the shorter",
            fmt::format("{} over {} cards: {} beside {}", show_amount(bytes, "B"), cards,
                        show_time(traffic), show_time(micro)),
            kUnhidden.source});
}

void add_optimizer(const Training& t, Step& step) {
  const bool sharded = t.work.zero >= 1 || t.work.sharding == Sharding::deepspeed;
  const double shards = sharded && t.work.zero >= 1 ? t.replicas * t.context : 1;
  const double weights = t.trained_weights() / shards;
  const bool with_host =
      t.work.offload == OffloadKind::optimizer || t.work.offload == OffloadKind::all;
  if (!with_host) {
    step.add({"optimizer", kOptimizerBytes.value * weights / t.figures.bandwidth, Bound::memory,
              "bytes x trained weights of one card / bandwidth",
              fmt::format("{} x {} / {}", kOptimizerBytes.value, show_amount(weights, ""),
                          show_amount(t.figures.bandwidth, "B/s")),
              kOptimizerBytes.source});
    return;
  }
  const double cards = std::min(real(t.work.gpus), t.wiring.machine_cards);
  step.add({"optimizer", weights * cards / kHostOptimizer.value, Bound::host,
            "trained weights of a machine / weights a second of its CPUs",
            fmt::format("{} / {}", show_amount(weights * cards, ""),
                        show_amount(kHostOptimizer.value, "/s")),
            kHostOptimizer.source});
}

}  // namespace

Step optimizer_step(const Training& t) {
  Step micro = micro_batch(t);
  add_tensor_traffic(t, micro);
  add_expert_traffic(t, micro);
  add_shard_traffic(t, micro);
  add_offload_traffic(t, micro);
  Step step = micro.times(t.micro_batches());
  if (t.stages > 1)
    step.add({"pipeline_bubble", micro.seconds() * (t.stages - 1) / t.trainer.pipeline_chunks,
              Bound::interconnect, "(stages - 1) / chunks micro-batches in which stages wait",
              fmt::format("{} / {} x {}", t.stages - 1, t.trainer.pipeline_chunks,
                          show_time(micro.seconds())),
              t.trainer.source});
  add_gradient_traffic(t, micro.seconds(), step);
  add_optimizer(t, step);
  return step;
}

}  // namespace gpuplan::detail
