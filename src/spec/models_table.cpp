#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "core/text.hpp"
#include "gpuplan/models.hpp"

namespace gpuplan {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return c >= 'a' && c <= 'z'; }

// Small letters and digits; what stands between two figures becomes one point, so that "1.5b" is not
// "15b" and "Llama 2 7B" is "llama-2-7b" but not "llama-27b". Other separators vanish; '/' stays.
std::string key_of(std::string_view name) {
  std::string key;
  key.reserve(name.size());
  bool apart = false;
  for (char c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    const bool other_script = (static_cast<unsigned char>(c) & 0x80U) != 0;
    if (c == '/' || is_letter(c) || is_digit(c) || other_script) {
      if (apart && !key.empty() && is_digit(key.back()) && is_digit(c)) key += '.';
      key += c;
      apart = false;
    } else {
      apart = true;
    }
  }
  return key;
}

std::string_view last_part(std::string_view name) {
  const std::size_t slash = name.rfind('/');
  return slash == std::string_view::npos ? name : name.substr(slash + 1);
}

// Words in a name that say how a model was tuned or packed, not what shape it has.
constexpr std::array<std::string_view, 27> kVariants{
    "hf",    "base",  "instruct", "chat", "it",    "pt",       "sft",   "dpo",  "fp8",
    "nvfp4", "mxfp4", "bf16",     "fp16", "awq",   "gptq",     "gguf",  "int4", "int8",
    "4bit",  "8bit",  "dynamic",  "bnb",  "w4a16", "w8a8",     "quantized", "thinking", "fp4"};

constexpr std::string_view kSeparators = "-_ .:";

// "7b", "135m", "8x7b"
bool is_size(std::string_view word) {
  return word.size() >= 2 && (word.back() == 'b' || word.back() == 'm') &&
         is_digit(word[word.size() - 2]);
}

// "base" is a size where no figure gives it: "bart-base" is not "bart".
bool is_variant(std::string_view word, bool sized) {
  return std::ranges::find(kVariants, word) != kVariants.end() && (word != "base" || sized);
}

std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words;
  std::size_t at = 0;
  while (at < name.size()) {
    const std::size_t begin = name.find_first_not_of(kSeparators, at);
    if (begin == std::string_view::npos) break;
    at = std::min(name.find_first_of(kSeparators, begin), name.size());
    words.push_back(lower(name.substr(begin, at - begin)));
  }
  return words;
}

// "Llama-3.3-70B-Instruct-FP8-dynamic (4-bit)" is "Llama-3.3-70B" in shape.
std::string without_variants(std::string_view name) {
  const auto words = words_of(name.substr(0, std::min(name.find(" ("), name.size())));
  const bool sized = std::ranges::any_of(words, is_size);
  std::string kept;
  for (const std::string& word : words)
    if (!is_variant(word, sized)) kept += (kept.empty() ? "" : "-") + word;
  return kept;
}

}  // namespace

ModelTable::ModelTable(std::vector<ModelShape> models) : models_(std::move(models)) {
  // A whole name stands before the last part of another, so that it wins.
  for (std::size_t i = 0; i < models_.size(); ++i) {
    index_.push_back({key_of(models_[i].name), i});
    for (const std::string& alias : models_[i].aliases) index_.push_back({key_of(alias), i});
  }
  const std::size_t whole = index_.size();
  for (std::size_t i = 0; i < whole; ++i) {
    const std::string_view part = last_part(index_[i].key);
    if (part.size() < index_[i].key.size())
      index_.push_back({std::string(part), index_[i].model});
  }
  std::ranges::stable_sort(index_, {}, &Key::key);
  const auto same = [](const Key& a, const Key& b) { return a.key == b.key; };
  index_.erase(std::unique(index_.begin(), index_.end(), same), index_.end());
}

const ModelShape* ModelTable::exact(std::string_view key) const {
  const auto at = std::ranges::lower_bound(index_, key, {}, [](const Key& entry) {
    return std::string_view{entry.key};
  });
  if (key.empty() || at == index_.end() || at->key != key) return nullptr;
  return &models_[at->model];
}

const ModelShape* ModelTable::find(std::string_view name) const {
  if (const ModelShape* found = exact(key_of(name))) return found;
  if (const ModelShape* found = exact(key_of(last_part(name)))) return found;
  const std::string plain = key_of(without_variants(last_part(name)));
  if (const ModelShape* found = exact(plain)) return found;
  // The table may itself name a variant: "Qwen3-Next-80B-A3B" is its "...-Instruct".
  for (const ModelShape& model : models_)
    if (!plain.empty() && key_of(without_variants(last_part(model.name))) == plain) return &model;
  for (const ModelShape& model : models_)
    for (const std::string& alias : model.aliases)
      if (!plain.empty() && key_of(without_variants(last_part(alias))) == plain) return &model;
  return nullptr;
}

std::vector<std::string> ModelTable::similar(std::string_view name, std::size_t most) const {
  std::vector<std::string_view> names;
  for (const ModelShape& model : models_) {
    names.push_back(last_part(model.name));
    names.insert(names.end(), model.aliases.begin(), model.aliases.end());
  }
  return similar_words(without_variants(last_part(name)), names, most);
}

}  // namespace gpuplan
