#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "core/text.hpp"
#include "gpuplan/cards.hpp"
#include "spec/card_names.hpp"

namespace gpuplan {
namespace {

bool is_number(std::string_view word) {
  return !word.empty() && std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
}

std::string without_word(const CardName& name, std::size_t gone) {
  std::vector<std::string> words = name.words;
  words.erase(words.begin() + static_cast<std::ptrdiff_t>(gone));
  return join(words, " ");
}

std::string quoted_list(const std::vector<std::string>& names) {
  std::vector<std::string> quoted;
  for (const std::string& name : names) quoted.push_back("\"" + name + "\"");
  return join(quoted, " or ");
}

// "8x H100": the card, and what the number is.
std::optional<std::string> count_hint(const CardTable& table, const CardName& name) {
  if (name.words.size() < 2 || !name.words.front().ends_with('x')) return std::nullopt;
  const std::string count = name.words.front().substr(0, name.words.front().size() - 1);
  const std::string card = without_word(name, 0);
  if (!is_number(count) || !table.find(card)) return std::nullopt;
  return fmt::format("write the card alone, \"{}\", and {} as the number of GPUs",
                     table.find(card)->card->name, count);
}

// "tpu-v3-8": a slice of a pod; the number counts cores or chips.
std::optional<std::string> slice_hint(const CardTable& table, const CardName& name) {
  if (name.words.size() < 2 || !is_number(name.words.back())) return std::nullopt;
  const std::string chip = without_word(name, name.words.size() - 1);
  auto found = table.find(chip);
  if (!found) found = table.find("TPU " + chip);
  if (!found || found->card->architecture != "TPU") return std::nullopt;
  return fmt::format("this is a slice of several chips: write \"{}\" and how many chips it has",
                     found->card->name);
}

}  // namespace

Diagnostic CardTable::unknown(std::string_view text, const std::string& source) const {
  const CardName name = parse_card_name(text);
  Diagnostic fault{.code = ErrorCode::unknown_name,
                   .source = source,
                   .pointer = {},
                   .message = "unknown card " + quote(text),
                   .hint = {}};
  std::vector<const Card*> family = cards_of("3" + name.base);
  if (!name.sizes_gb.empty() && !family.empty()) {
    std::set<std::int64_t> sizes;
    for (const Card* card : family) sizes.insert(card->memory_nominal.count() >> 30);
    std::vector<std::string> shown;
    for (const auto size : sizes) shown.push_back(std::to_string(size) + " GB");
    fault.message =
        fmt::format("{}: there is no such card with {} GB", quote(text), name.sizes_gb.front());
    fault.hint =
        fmt::format("it exists with {}: {}", join(shown, " and "), quoted_list(similar(text)));
    return fault;
  }
  if (name.base.empty() || (name.base == "gpu" && !name.sizes_gb.empty())) {
    fault.message += ": this does not say which card it is";
    fault.hint = "`gpuplan cards` lists the names";
    return fault;
  }
  if (const auto hint = count_hint(*this, name))
    fault.hint = *hint;
  else if (const auto slice = slice_hint(*this, name))
    fault.hint = *slice;
  else if (const auto names = similar(text); !names.empty())
    fault.hint = "did you mean " + quoted_list(names) + "?";
  else
    fault.hint = "`gpuplan cards` lists the names";
  return fault;
}

}  // namespace gpuplan
