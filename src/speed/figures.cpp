#include "speed/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "speed/constants.hpp"

namespace gpuplan::detail {
namespace {

double value(const std::optional<FlopRate>& rate) { return rate ? rate->per_second() : 0; }

Diagnostic unknown(const Card& card, std::string_view what) {
  return {ErrorCode::invalid, "--card", "",
          fmt::format("the card table knows no {} of {}", what, card.name),
          "add the figure with --data, or name another card"};
}

void warn(Warnings& warnings, const Card& card, const ResolvedWorkload& work,
          std::string_view instead) {
  warnings.push_back({"precision_not_native",
                      fmt::format("{} does not compute {} natively: {}", card.name,
                                  name_of(work.precision), instead),
                      std::string(card.name)});
}

// The 16-bit rate that a job gets: the type it asks for, else the other one, else plain 32 bit.
double sixteen_rate(const Card& card, const ResolvedWorkload& work, Warnings& warnings) {
  const double bf16 = value(card.rates.bf16), fp16 = value(card.rates.fp16);
  const bool wants_bf16 = work.precision == Precision::bf16;
  if (wants_bf16 && bf16 > 0) return bf16;
  if (wants_bf16 && fp16 > 0) {
    warn(warnings, card, work, "the estimate is for fp16, of the same size and with tensor units");
    return fp16;
  }
  if (fp16 > 0 || bf16 > 0) return fp16 > 0 ? fp16 : bf16;
  if (value(card.rates.fp32) > 0)
    warn(warnings, card, work, "no 16-bit tensor rate is known, the estimate computes in fp32");
  return value(card.rates.fp32);
}

struct Narrow {
  Precision precision;
  Arithmetic arithmetic;
};
constexpr std::array kNarrow{Narrow{Precision::fp8, Arithmetic::fp8},
                             Narrow{Precision::fp4, Arithmetic::fp4},
                             Narrow{Precision::mxfp4, Arithmetic::fp4}};

void choose_arithmetic(const Card& card, const ResolvedWorkload& work, Figures& f,
                       Warnings& warnings) {
  f.arithmetic = Arithmetic::sixteen;
  f.linear = f.sixteen;
  if (work.precision == Precision::fp32 || work.precision == Precision::tf32) {
    const double tf32 = value(card.rates.tf32);
    const bool tensor = work.precision == Precision::tf32 && tf32 > 0;
    if (work.precision == Precision::tf32 && !tensor)
      warn(warnings, card, work, "plain fp32 is taken");
    f.arithmetic = tensor ? Arithmetic::tf32 : Arithmetic::fp32;
    f.linear = tensor ? tf32 : f.plain;
    return;
  }
  f.unpacks = precision_info(work.precision).bits_per_weight < 16;
  const auto narrow = std::ranges::find(kNarrow, work.precision, &Narrow::precision);
  if (narrow == kNarrow.end()) return;
  const double rate =
      value(narrow->arithmetic == Arithmetic::fp8 ? card.rates.fp8 : card.rates.fp4);
  if (rate > 0) {
    f.arithmetic = narrow->arithmetic;
    f.linear = rate;
    f.unpacks = false;
    return;
  }
  warn(warnings, card, work,
       work.training() ? "products are computed in 16 bit"
                       : "weights stay that small and are unpacked to 16 bit before each product");
}

}  // namespace

double power_factor(const Figures& f, double reference) {
  if (reference <= 0 || f.watts <= 0) return 1;
  const double excess = f.sixteen / 1e12 / f.watts / reference;
  return excess > kPowerSlack.value ? std::pow(excess, -kPowerSlope.value) : 1;
}

Result<Figures> figures_of(const Card& card, const ResolvedWorkload& work, Warnings& warnings) {
  Diagnostics errors;
  Figures f;
  f.kind = &kind_of(card);
  f.consumer = card.card_class == CardClass::consumer;
  f.watts = card.watts;
  f.plain = value(card.rates.fp32);
  f.sixteen = sixteen_rate(card, work, warnings);
  if (f.sixteen <= 0) errors.push_back(unknown(card, "16-bit rate"));
  if (!card.bandwidth || card.bandwidth->per_second() <= 0)
    errors.push_back(unknown(card, "memory bandwidth"));
  choose_arithmetic(card, work, f, warnings);
  if (f.sixteen > 0 && f.linear <= 0) errors.push_back(unknown(card, "32-bit rate"));
  if (!errors.empty()) return errors;

  f.bandwidth = card.bandwidth->per_second();
  f.sixteen_acc16 = std::max(f.sixteen, value(card.rates.fp16_acc16));
  // A card without a plain rate (an accelerator): a data-center SM makes 2,048 16-bit FLOPs a clock.
  f.sm_clocks = f.plain > 0 ? f.plain / f.kind->sm_flops : f.sixteen / 2048;
  f.gemm_share = f.kind->gemm_share * power_factor(f, f.kind->tflops_per_watt);
  return f;
}

Storage storage_of(const ResolvedWorkload& work, bool quantises_head) {
  const PrecisionInfo& info = precision_info(work.precision);
  Storage s;
  s.bits = info.bits_per_weight;
  // A scale and a zero for each group; the table's figure is for groups of 128.
  if (work.precision == Precision::int4 && work.group_size > 0)
    s.bits += 20.0 / static_cast<double>(work.group_size) - 20.0 / 128;
  s.block = s.bits / 8;
  const double whole = s.bits > 16 ? 4 : 2;
  s.expert = work.quantise_experts || s.bits >= 16 ? s.block : whole;
  s.head = info.whole_file || quantises_head || s.bits > 16 ? s.block : whole;
  if (info.whole_file && info.head_bits > 0) s.head = info.head_bits / 8;
  return s;
}

}  // namespace gpuplan::detail
