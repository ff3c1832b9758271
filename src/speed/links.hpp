#pragma once

#include "gpuplan/cards.hpp"
#include "gpuplan/result.hpp"
#include "gpuplan/workload.hpp"
#include "speed/classes.hpp"

namespace gpuplan::detail {

// How the cards of a job reach each other.
struct Wiring {
  bool fast = false;         // NVLink, NVSwitch, Infinity Fabric and the like; else PCIe
  double one_way = 0;        // bytes a second of one card, one direction
  double share = 0;          // of it that an all-reduce gets
  double machine_cards = 8;
  double network = 0;        // bytes a second of one card to other machines
  double host = 0;           // bytes a second between a card and its host
  bool assumed = false;      // nobody said how, the slow reading holds
};
Wiring wiring_of(const Card& card, const CardKind& kind, const ResolvedWorkload& work,
                 Warnings& warnings);

// Seconds of an all-reduce of `bytes` over `cards`.
double all_reduce_s(const Wiring& wiring, double cards, double bytes);
// Bytes a second at which each card gathers weights that are sharded over `cards`.
double gather_rate(const Wiring& wiring, double cards);
// Seconds in which each of `cards` sends `bytes` of routed tokens, each token to `active` experts.
double all_to_all_s(const Wiring& wiring, double cards, double active, double token_bytes,
                    double tokens);

}  // namespace gpuplan::detail
