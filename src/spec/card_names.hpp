#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpuplan/cards.hpp"

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

// "24 GB GPU", "GPU 80GB": how much memory the card has, and not which card it is. In GB; nothing for
// any other name.
std::optional<int> only_a_size(std::string_view name);

// The slowest of the GPUs with so much memory that compute bf16, and how many these are.
struct SlowestOf {
  const Card* card = nullptr;
  std::size_t of = 0;
};
std::optional<SlowestOf> slowest_with(const CardTable& cards, int memory_gb);

}  // namespace gpuplan
