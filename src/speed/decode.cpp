#include <fmt/format.h>

#include <algorithm>

#include "speed/constants.hpp"
#include "speed/inference.hpp"

namespace gpuplan::detail {
namespace {

constexpr std::string_view kRoofline = "roofline: all weights are read for each step";

// Weights that a step of `users` touches, by kind of matrix.
struct Touched {
  double shared = 0, experts = 0, head = 0;
};
Touched touched(const Demand& d, double users) {
  Touched t{d.shared_weights, 0, d.head_weights};
  if (d.moe()) t.experts = d.expert_weights * d.distinct_experts(users) / d.experts;
  return t;
}

// Weights a clock and SM that the engine fetches and unpacks, by their size.
double fetch_rate(const Engine& engine, double bits) {
  if (bits >= 12) return engine.rate_16;
  return bits > 7 ? engine.rate_8 : engine.rate_4;
}

double streaming_s(const Server& s, const Touched& t) {
  const double bytes =
      t.shared * s.storage.block + t.experts * s.storage.expert + t.head * s.storage.head;
  return bytes / s.tensor / (s.engine.stream_share * s.figures.bandwidth);
}

double fetching_s(const Server& s, const Touched& t) {
  const auto seconds = [&](double weights, double bytes) {
    return weights / s.tensor / (fetch_rate(s.engine, 8 * bytes) * s.figures.sm_clocks);
  };
  return seconds(t.shared, s.storage.block) + seconds(t.experts, s.storage.expert) +
         seconds(t.head, s.storage.head);
}

// Launches of one layer that do nothing but unpack weights, in ms.
double host_unpacking(const Server& s) {
  switch (s.work.precision) {
    case Precision::nf4:
    case Precision::nf4dq:
      return s.engine.host_unpack_ms;
    case Precision::int8:
      return s.engine.host_unpack_8_ms;
    default:
      return 0;
  }
}

}  // namespace

// Layers that stay with the host come over its bus for every pass.
void add_offloaded_layers(const Server& s, double passes, Step& step) {
  if (s.work.offload != OffloadKind::layers && s.work.offload != OffloadKind::all) return;
  const Demand& d = s.demand;
  const double moved = s.work.offload == OffloadKind::all
                           ? d.layers
                           : std::min(d.layers, static_cast<double>(s.work.offload_layers));
  const double bytes = moved / d.layers / s.tensor *
                       (d.shared_weights * s.storage.block + d.expert_weights * s.storage.expert);
  step.add({"offloaded_layers", passes * bytes / s.wiring.host, Bound::interconnect,
            "passes x bytes of the layers with the host / PCIe",
            fmt::format("{} x {} / {}", passes, show_amount(bytes, "B"),
                        show_amount(s.wiring.host, "B/s")),
            kHostCopyShare.source});
}

Step decode_weights(const Server& s, double users) {
  Step step;
  const Touched t = touched(s.demand, users);
  const double streaming = streaming_s(s, t);
  const double bytes = streaming * s.engine.stream_share * s.figures.bandwidth;
  std::string inputs = fmt::format("{} a card / ({:.2g} x {})", show_amount(bytes, "B"),
                                   s.engine.stream_share, show_amount(s.figures.bandwidth, "B/s"));
  std::string formula = "weight bytes / (share x bandwidth)";
  step.add({"weights", streaming, Bound::memory, formula, inputs, kRoofline});
  const double fetching = fetching_s(s, t);
  // With many users their arithmetic runs beside the fetching and hides it bit by bit.
  const double few = std::min(users, kFewUsers.value);
  const double hidden = decode_products(s, users).seconds() - decode_products(s, few).seconds();
  step.add(
      {"unpacking", std::max(0.0, soft_max(streaming, fetching) - streaming - hidden),
       s.storage.bits < 12 ? Bound::compute : Bound::memory,
       "weights / (weights a clock and SM x SM clocks): soft maximum with reading, less reading",
       fmt::format("{} in {} alone", show_amount((t.shared + t.experts + t.head) / s.tensor, ""),
                   show_time(fetching)),
       s.engine.source});
  return step;
}

Step decode_products(const Server& s, double users) {
  Step step;
  if (users <= 1) return step;
  const Demand& d = s.demand;
  const double plain = 2 * users * (d.shared_weights + d.head_weights) / s.tensor;
  const double experts = 2 * users * d.active_expert_weights / s.tensor;
  step.add({"arithmetic", plain / s.product_rate() + experts / s.expert_rate(), Bound::compute,
            "2 x active weights x users / (share x peak)",
            fmt::format("{} / {}", show_amount(plain + experts, "FLOP"),
                        show_amount(s.product_rate(), "FLOP/s")),
            s.figures.kind->source});
  return step;
}

Step decode_rest(const Server& s, double users, double context) {
  Step step;
  const Demand& d = s.demand;
  const double cache = users * s.kv_bytes_of(context) * s.cache_passes();
  step.add({"kv_cache", cache / (s.engine.kv_share * s.figures.bandwidth), Bound::memory,
            "users x KV bytes at the mean context x times it is moved / (share x bandwidth)",
            fmt::format("{} / ({:.2g} x {})", show_amount(cache, "B"), s.engine.kv_share,
                        show_amount(s.figures.bandwidth, "B/s")),
            s.engine.source});
  const double gap = s.engine.gap_us + (s.figures.unpacks ? s.engine.unpack_gap_us : 0);
  step.add({"launch_gaps", d.layers * gap * 1e-6, Bound::host, "layers x gap",
            fmt::format("{} x {} us", d.layers, gap), s.engine.source});
  const double payload = users * d.hidden * 2;
  const double traffic = s.data_parallel_attention() ? kDataParallelAttention.value : 1;
  step.add({"all_reduce", traffic * 2 * d.layers * all_reduce_s(s.wiring, s.tensor, payload),
            Bound::interconnect, "2 x layers x (latency + 2 (n-1)/n x bytes / link)",
            fmt::format("2 x {} x {} over {} cards", d.layers, show_amount(payload, "B"), s.tensor),
            s.wiring.fast ? kNvlinkLatency.source : kPcieLatency.source});
  step.add({"scheduling", s.engine.step_ms * 1e-3 + users * s.engine.user_us * 1e-6, Bound::host,
            "a step + users x sampling",
            fmt::format("{} ms + {:.4g} x {} us", s.engine.step_ms, users, s.engine.user_us),
            s.engine.source});
  return step;
}

Step decode_step(const Server& s, double users, double context) {
  Step step = decode_weights(s, users);
  step.append(decode_products(s, users));
  step.append(decode_rest(s, users, context));
  if (s.engine.host_ms > 0) {
    const double each = s.engine.host_ms + host_unpacking(s);
    step.add_beside({"host_launches", s.demand.layers * each * 1e-3, Bound::host,
                     "layers x launches of one layer, a soft maximum with the card's time",
                     fmt::format("{} x {} ms", s.demand.layers, each), s.engine.source});
  }
  add_offloaded_layers(s, 1, step);
  if (s.layer_split())
    step.add({"layer_split", (s.stages - 1) * kLayerSplitHop.value, Bound::interconnect,
              "boundaries x hop: the cards work one after the other",
              fmt::format("{} x {}", s.stages - 1, show_time(kLayerSplitHop.value)),
              kLayerSplitHop.source});
  return step;
}

}  // namespace gpuplan::detail
