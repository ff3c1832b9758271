#pragma once

#include "gpuplan/cards.hpp"
#include "gpuplan/models.hpp"
#include "gpuplan/result.hpp"
#include "gpuplan/workload.hpp"
#include "speed/classes.hpp"

namespace gpuplan::detail {

// How the numbers of a precision are multiplied on a card.
enum class Arithmetic { fp32, tf32, sixteen, fp8, fp4 };

// What a card gives for one precision, in plain numbers a second.
struct Figures {
  const CardKind* kind = nullptr;
  bool consumer = false;
  double bandwidth = 0;      // bytes
  double sixteen = 0;        // FLOPs in 16 bit with 32-bit accumulation
  double sixteen_acc16 = 0;  // the same with 16-bit accumulation
  double plain = 0;          // FLOPs in 32 bit
  double linear = 0;         // FLOPs of the linear layers' arithmetic
  Arithmetic arithmetic = Arithmetic::sixteen;
  bool unpacks = false;      // weights are stored narrower than they are multiplied
  double sm_clocks = 0;      // SMs x clock
  double gemm_share = 0;     // of `sixteen` that large products reach, power included
  double excess_power = 1;   // TFLOPS for each watt against the boards that `gemm_share` is from
  double watts = 0;
};
Result<Figures> figures_of(const Card& card, const ResolvedWorkload& work, Warnings& warnings);

// What the power limit leaves of a share that was seen at `reference` TFLOPS a watt.
double power_factor(const Figures& figures, double reference);

// Stored bytes of a weight, by kind of matrix.
struct Storage {
  double block = 2, expert = 2, head = 2;
  double bits = 16;  // of a weight in a block
};
Storage storage_of(const ResolvedWorkload& work, bool quantises_head);

}  // namespace gpuplan::detail
