#pragma once

#include <string_view>

#include "gpuplan/cards.hpp"

namespace gpuplan::detail {

// What cards of one kind have in common beyond the figures of their data sheets. A kind is an
// architecture, and within it the memory type or the class of the board, since boards of one
// architecture differ in power and in how their tensor units accumulate.
struct CardKind {
  std::string_view name;
  std::string_view architecture;  // prefix of Card::architecture
  enum class Memory { any, hbm, gddr } memory = Memory::any;
  enum class Board { any, consumer, professional } board = Board::any;

  double gemm_share;       // of the 16-bit peak that large matrix products reach
  double tflops_per_watt;  // of the boards that `gemm_share` was seen on; 0: power does not matter
  double attention_share;  // of the 16-bit peak that fused attention reaches
  double attention_gain;   // of attention kernels made for this architecture, where an engine has them
  double fp4_share;        // of the FP4 peak, against `gemm_share` of the 16-bit peak
  double sm_flops;         // 32-bit operations that an SM does in a clock
  double llama_tflops_per_watt;  // like tflops_per_watt, for llama.cpp's own kernels
  double node_gbps;        // network of one card in machines of its time, GB/s one way
  bool trained;            // a training row of this kind was seen
  std::string_view source;
};

const CardKind& kind_of(const Card& card);
bool has_hbm(const Card& card);

}  // namespace gpuplan::detail
