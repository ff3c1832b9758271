#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpuplan {

enum class CardForm { unstated, sxm, pcie, oam };

// A card's name taken apart: lower case, without blanks, hyphens and other separators.
struct CardName {
  std::string whole;          // every word
  std::string unbranded;      // without NVIDIA, GeForce, Tesla, Quadro, AMD, ...
  std::string formless;       // also without form factors
  std::string base;           // also without memory sizes
  std::vector<int> sizes_gb;  // "80GB", "24G", "48 GiB"
  CardForm form = CardForm::unstated;
  std::vector<std::string> words;
};

CardName parse_card_name(std::string_view text);

}  // namespace gpuplan
