#include "speed/links.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "speed/constants.hpp"

namespace gpuplan::detail {
namespace {

constexpr double kGB = 1e9;

// One direction of a slot with 16 lanes.
struct Slot {
  int generation;
  double gb_s;
};
constexpr std::array kSlots{Slot{1, 4}, Slot{2, 8}, Slot{3, 16}, Slot{4, 32}, Slot{5, 64}, Slot{6, 128}};

double pcie_rate(const Card& card) {
  const int generation = card.pcie_gen > 0 ? card.pcie_gen : 3;  // not stated: the slow reading
  const int lanes = card.pcie_lanes > 0 ? card.pcie_lanes : 16;
  const auto slot = std::ranges::find(kSlots, generation, &Slot::generation);
  return (slot == kSlots.end() ? 64 : slot->gb_s) * kGB * lanes / 16;
}

double rate(const std::optional<Bandwidth>& bandwidth) {
  return bandwidth ? bandwidth->per_second() : 0;
}

// Both directions of the link that joins `cards` of these, by what the card table knows.
double link_total(const Card& card, double cards, bool with_bridge) {
  if (card.link == Link::nvlink || card.link == Link::nvswitch || card.link == Link::other) {
    const double own = rate(card.link_total);
    if (own > 0) return own;
  }
  if (with_bridge && cards <= card.bridge_cards) return rate(card.bridge_total);
  return 0;
}

void warn(Warnings& warnings, std::string_view code, const Card& card, std::string message) {
  warnings.push_back({std::string(code), std::move(message), card.name});
}

void warn_unknown(const Card& card, const ResolvedWorkload& work, Warnings& warnings) {
  if (work.interconnect)
    warn(warnings, "interconnect_unknown", card,
         fmt::format("the card table knows no {} of {} for {} cards: PCIe is taken",
                     name_of(*work.interconnect), card.name, work.gpus));
  else if (rate(card.bridge_total) > 0)
    warn(warnings, "interconnect_unknown", card,
         fmt::format("{} may have an NVLink bridge between {} cards, which clouds often leave out: "
                     "PCIe is taken; --interconnect nvlink says otherwise",
                     card.name, card.bridge_cards));
  else
    warn(warnings, "interconnect_unknown", card,
         fmt::format("how {} cards of {} are joined is not known: PCIe is taken, the slow reading",
                     work.gpus, card.name));
}

}  // namespace

Wiring wiring_of(const Card& card, const CardKind& kind, const ResolvedWorkload& work,
                 Warnings& warnings) {
  Wiring w;
  w.machine_cards = card.link_cards > 0 ? card.link_cards : kMachineCards.value;
  w.network = work.nodes_gbps ? *work.nodes_gbps * kGB / 8 / w.machine_cards : kind.node_gbps * kGB;
  w.host = kHostCopyShare.value * pcie_rate(card);
  const auto cards = static_cast<double>(work.gpus);
  const bool asked = work.interconnect == Wire::nvlink || work.interconnect == Wire::nvswitch;
  const bool refused = work.interconnect == Wire::pcie || work.interconnect == Wire::none;
  const double total = refused ? 0 : link_total(card, cards, asked);
  if (total > 0) {
    w.fast = true;
    w.one_way = total / 2;
    w.share = kNvlinkShare.value;
    return w;
  }
  const bool consumer = card.card_class == CardClass::consumer;
  w.one_way = pcie_rate(card);
  w.share = consumer || work.interconnect == Wire::none ? kPcieShareConsumer.value
                                                        : kPcieShare.value;
  if (work.gpus < 2) return w;
  const bool known = refused || (!asked && card.link == Link::none && rate(card.bridge_total) <= 0) ||
                     (!asked && card.link == Link::pcie);
  w.assumed = !known;
  if (w.assumed) warn_unknown(card, work, warnings);
  if (consumer && work.tp > 1)
    warn(warnings, "pcie_tensor_parallel", card,
         fmt::format("tensor parallelism over PCIe between {} cards waits for {} all-reduces a token "
                     "and layer: splitting the layers (--pp {}) or one larger card is often faster",
                     card.name, 2, work.tp));
  return w;
}

double all_reduce_s(const Wiring& w, double cards, double bytes) {
  if (cards < 2) return 0;
  const double latency = w.fast ? kNvlinkLatency.value + kNvlinkLatencyEach.value * cards
                                : kPcieLatency.value + kPcieLatencyEach.value * cards;
  double bandwidth = w.share * w.one_way;
  if (cards > w.machine_cards)
    bandwidth = std::min(bandwidth, kNetworkShare.value * w.network * w.machine_cards);
  return latency + 2 * (cards - 1) / cards * bytes / bandwidth;
}

double gather_rate(const Wiring& w, double cards) {
  const double inside = (w.fast ? kShardShare.value : w.share) * w.one_way;
  if (cards <= w.machine_cards) return inside;
  return std::min(inside, kNetworkShare.value * w.network * w.machine_cards);
}

double all_to_all_s(const Wiring& w, double cards, double active, double token_bytes,
                    double tokens) {
  if (cards < 2) return 0;
  const double inside =
      active * (1 - 1 / cards) * tokens * token_bytes / (w.share * w.one_way);
  if (cards <= w.machine_cards) return inside;
  // Across machines each token goes once to each machine that holds one of its experts.
  const double machines = std::ceil(cards / w.machine_cards);
  const double away = (machines - 1) * (1 - std::pow(1 - 1 / machines, active));
  return std::max(inside, away * tokens * token_bytes / (kNetworkAllToAll.value * w.network));
}

}  // namespace gpuplan::detail
