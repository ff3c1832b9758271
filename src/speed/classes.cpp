#include "speed/classes.hpp"

#include <algorithm>
#include <array>

namespace gpuplan::detail {
namespace {

using Memory = CardKind::Memory;
using Board = CardKind::Board;

constexpr std::string_view kUnseen =
    "no published row: the share of AMD's CDNA, the lowest that was seen";

// The share falls as a card has more TFLOPS for each watt: large products run into the power limit.
// Best products on record: A100 SXM 0.87, H100 SXM 0.80, B200 0.78, MI300X 0.51 of the data sheet
// (stas00/ml-engineering, compute/accelerator).
constexpr std::array kKinds{
    CardKind{"Volta", "Volta", Memory::any, Board::any, 0.70, 0, 0.55, 1, 1, 128, 0, 12.5, false,
             "general knowledge: V100 training reports of 2019; no row that tests it"},
    CardKind{"Turing", "Turing", Memory::any, Board::any, 0.70, 0, 0.55, 1, 1, 128, 0, 12.5, false,
             "as Volta, whose tensor units it has; no row that tests it"},
    CardKind{"Ampere GA100", "Ampere GA100", Memory::any, Board::any, 0.80, 0.78, 0.45, 1, 1, 128,
             1.04, 25, true, "llm-foundry and NeMo training on A100 SXM, 400 W"},
    CardKind{"GeForce Ampere", "Ampere GA10x", Memory::any, Board::consumer, 0.93, 0, 0.55, 1, 1,
             256, 0, 25, true,
             "fsdp_qlora on RTX 3090; the peak is that with 32-bit accumulation"},
    CardKind{"Ampere GA10x", "Ampere GA10x", Memory::any, Board::professional, 0.84, 0.52, 0.55, 1,
             1, 256, 0, 25, true, "fsdp_qlora on RTX A5000, llama-bench on A6000 and A40"},
    CardKind{"GeForce Ada", "Ada Lovelace", Memory::any, Board::consumer, 0.93, 0, 0.55, 1, 1, 256,
             0, 25, true, "torchtune on RTX 4090; the peak is that with 32-bit accumulation"},
    CardKind{"Ada", "Ada Lovelace", Memory::any, Board::professional, 0.50, 1.2, 0.55, 1, 1, 256,
             1.0, 25, false, "one row: fsdp_qlora on RTX 6000 Ada"},
    CardKind{"Hopper", "Hopper", Memory::any, Board::any, 0.68, 1.41, 0.20, 2.4, 1, 256, 1.41, 50,
             true, "llm-foundry and NeMo training on H100 SXM, 700 W"},
    CardKind{"Blackwell HBM", "Blackwell", Memory::hbm, Board::any, 0.74, 2.25, 0.20, 2.4, 0.57,
             256, 2.25, 50, true, "Megatron-Bridge training on B200 and GB200"},
    CardKind{"GeForce Blackwell", "Blackwell", Memory::gddr, Board::consumer, 0.93, 0, 0.55, 1, 1,
             256, 0, 50, false, "as GeForce Ada, whose accumulation it has; no training row"},
    CardKind{"Blackwell GDDR", "Blackwell", Memory::gddr, Board::professional, 0.85, 0.78, 0.55, 1,
             1.1, 256, 0.78, 50, false, "TensorRT-LLM serving on RTX PRO 6000 (FP4 rows only)"},
    CardKind{"CDNA", "CDNA", Memory::any, Board::any, 0.54, 1.75, 0.55, 1, 0.57, 256, 1.75, 50,
             false, "dstack serving on MI300X: a whole engine, not products alone"},
    CardKind{"RDNA", "RDNA", Memory::any, Board::any, 0.54, 0, 0.55, 1, 1, 256, 0, 25, false,
             kUnseen},
    // Pascal and older: plain arithmetic without tensor units comes close to its peak.
    CardKind{"Pascal", "Pascal", Memory::any, Board::any, 0.80, 0, 0.40, 1, 1, 256, 0, 12.5, false,
             "as Ampere GA100: no tensor units, so products of plain arithmetic; no row"},
    CardKind{"other", "", Memory::any, Board::any, 0.54, 0, 0.40, 1, 0.57, 256, 0, 25, false,
             kUnseen},
};

bool fits(const CardKind& kind, const Card& card) {
  if (!std::string_view(card.architecture).starts_with(kind.architecture)) return false;
  if (kind.memory == Memory::hbm && !has_hbm(card)) return false;
  if (kind.memory == Memory::gddr && has_hbm(card)) return false;
  const bool consumer = card.card_class == CardClass::consumer;
  if (kind.board == Board::consumer && !consumer) return false;
  return !(kind.board == Board::professional && consumer);
}

}  // namespace

bool has_hbm(const Card& card) { return card.memory_type.starts_with("HBM"); }

const CardKind& kind_of(const Card& card) {
  // The last row takes every card.
  return *std::ranges::find_if(kKinds, [&](const CardKind& kind) { return fits(kind, card); });
}

}  // namespace gpuplan::detail
