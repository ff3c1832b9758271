#include "spec/card_names.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace gpuplan {
namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return c >= 'a' && c <= 'z'; }
constexpr char lowered(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool all_digits(std::string_view word) {
  return !word.empty() && std::ranges::all_of(word, is_digit);
}

// Words that say who makes the card or to which family it belongs, never which card it is.
bool is_brand(std::string_view word) {
  constexpr std::array<std::string_view, 12> kBrands{"nvidia", "geforce", "tesla",    "quadro",
                                                     "amd",    "radeon",  "instinct", "intel",
                                                     "habana", "google",  "aws",      "huawei"};
  return std::ranges::find(kBrands, word) != kBrands.end();
}

std::optional<CardForm> form_of(std::string_view word) {
  if (word == "pcie") return CardForm::pcie;
  if (word == "oam") return CardForm::oam;
  if (word == "hgx") return CardForm::sxm;  // HGX boards carry SXM cards only
  if (word == "sxm" || (word.size() == 4 && word.starts_with("sxm") && is_digit(word[3])))
    return CardForm::sxm;
  return std::nullopt;
}

bool is_size_unit(std::string_view word) { return word == "g" || word == "gb" || word == "gib"; }

// "80gb" -> 80; more than four digits is no card.
std::optional<int> size_of(std::string_view word) {
  const auto unit = std::ranges::find_if_not(word, is_digit);
  const std::string_view digits(word.begin(), unit);
  const std::string_view rest = word.substr(digits.size());
  if (digits.empty() || digits.size() > 4 || !is_size_unit(rest)) return std::nullopt;
  int size = 0;
  for (const char c : digits) size = size * 10 + (c - '0');
  return size;
}

// Everything that is not an ASCII letter or digit separates, but for the point of "1.5".
std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = lowered(text[i]);
    const bool point =
        c == '.' && i > 0 && i + 1 < text.size() && is_digit(text[i - 1]) && is_digit(text[i + 1]);
    if (is_digit(c) || is_letter(c) || point)
      words.back() += c;
    else if (!words.back().empty())
      words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

// "80 GB" -> "80gb", "PCI-E" -> "pcie".
std::vector<std::string> join_pairs(std::vector<std::string> words) {
  std::vector<std::string> joined;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool last = i + 1 == words.size();
    const bool size = !last && all_digits(words[i]) && is_size_unit(words[i + 1]);
    const bool pcie = !last && words[i] == "pci" && words[i + 1] == "e";
    joined.push_back(words[i]);
    if (size || pcie) joined.back() += words[++i];
  }
  return joined;
}

}  // namespace

CardName parse_card_name(std::string_view text) {
  CardName name;
  name.words = join_pairs(split_words(text));
  for (const std::string& word : name.words) {
    name.whole += word;
    if (is_brand(word)) continue;
    name.unbranded += word;
    if (const auto form = form_of(word)) {
      name.form = *form;
      continue;
    }
    name.formless += word;
    if (const auto size = size_of(word))
      name.sizes_gb.push_back(*size);
    else
      name.base += word;
  }
  return name;
}

}  // namespace gpuplan
