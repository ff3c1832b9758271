// Names that say how much memory a card has, and not which card it is.
#include <algorithm>
#include <array>

#include "core/text.hpp"
#include "spec/card_names.hpp"

namespace gpuplan {

std::optional<int> only_a_size(std::string_view name) {
  constexpr std::array<std::string_view, 8> kFillers{"gpu", "gb", "gib", "g", "vram", "card", "nvidia", "memory"};
  std::string word;
  bool any = false;
  const auto filler = [&] {
    const bool known = word.empty() || std::ranges::find(kFillers, word) != kFillers.end();
    word.clear();
    return known;
  };
  for (const char c : lower(name)) {
    if (c >= 'a' && c <= 'z') {
      word += c;
      any = true;
    } else if (!filler()) {
      return std::nullopt;
    }
  }
  if (!any || !filler()) return std::nullopt;
  const auto sizes = parse_card_name(name).sizes_gb;
  return sizes.size() == 1 ? std::optional(sizes.front()) : std::nullopt;
}

std::optional<SlowestOf> slowest_with(const CardTable& cards, int memory_gb) {
  SlowestOf found;
  for (const Card& card : cards.all()) {
    const bool gpu = card.card_class != CardClass::accelerator && card.card_class != CardClass::slice;
    if (!gpu || !card.bandwidth || !card.rates.bf16 || card.memory_nominal != Bytes::gib(memory_gb)) continue;
    ++found.of;
    if (found.card == nullptr || *card.bandwidth < *found.card->bandwidth) found.card = &card;
  }
  return found.of == 0 ? std::nullopt : std::optional(found);
}

}  // namespace gpuplan
