#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "gpuplan/cards.hpp"

namespace gpuplan {

// The rates of a card as files and answers name them.
struct RateName {
  std::string_view key;
  std::optional<FlopRate> CardRates::*rate;
};
inline constexpr std::array<RateName, 13> kRateNames{{{"fp64", &CardRates::fp64},
                                          {"fp64_tensor", &CardRates::fp64_tensor},
                                          {"fp32", &CardRates::fp32},
                                          {"tf32", &CardRates::tf32},
                                          {"fp16", &CardRates::fp16},
                                          {"fp16_acc16", &CardRates::fp16_acc16},
                                          {"bf16", &CardRates::bf16},
                                          {"fp8", &CardRates::fp8},
                                          {"fp8_acc16", &CardRates::fp8_acc16},
                                          {"fp6", &CardRates::fp6},
                                          {"fp4", &CardRates::fp4},
                                          {"int8", &CardRates::int8},
                                          {"int4", &CardRates::int4}}};

}  // namespace gpuplan
