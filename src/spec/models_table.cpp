#include <algorithm>
#include <array>
#include <string>
#include <utility>

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
  bool apart = false;
  for (const char c : lower(name)) {
    if (c == '/' || is_letter(c) || is_digit(c) || (static_cast<unsigned char>(c) & 0x80U) != 0) {
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

// Words behind a name that say how a model was tuned or packed, not what shape it has.
constexpr std::array<std::string_view, 26> kVariants{
    "hf",       "base",  "instruct", "chat",  "it",    "pt",       "sft",   "dpo",     "fp8",
    "nvfp4",    "mxfp4", "bf16",     "fp16",  "awq",   "gptq",     "gguf",  "int4",    "int8",
    "4bit",     "8bit",  "dynamic",  "bnb",   "w4a16", "w8a8",     "quantized", "thinking"};

constexpr std::string_view kSeparators = "-_ .:";

// "Llama-3.3-70B-Instruct-FP8-dynamic" is "Llama-3.3-70B" in shape.
std::string_view without_variants(std::string_view name) {
  name = name.substr(0, std::min(name.find(" ("), name.size()));  // a remark
  while (true) {
    const std::size_t end = name.find_last_not_of(kSeparators);
    if (end == std::string_view::npos) return name;
    name = name.substr(0, end + 1);
    const std::size_t before = name.find_last_of(kSeparators);
    if (before == std::string_view::npos) return name;
    const std::string word = lower(name.substr(before + 1));
    if (std::ranges::find(kVariants, word) == kVariants.end()) return name;
    name = name.substr(0, before);
  }
}

}  // namespace

ModelTable::ModelTable(std::vector<ModelShape> models) : models_(std::move(models)) {
  // Names and aliases stand before what is derived from them, so that they win.
  for (std::size_t i = 0; i < models_.size(); ++i) {
    index_.push_back({key_of(models_[i].name), i});
    for (const std::string& alias : models_[i].aliases) index_.push_back({key_of(alias), i});
  }
  for (std::size_t i = 0; i < models_.size(); ++i)
    index_.push_back({key_of(last_part(models_[i].name)), i});
  for (std::size_t i = 0; i < models_.size(); ++i)
    index_.push_back({key_of(without_variants(last_part(models_[i].name))), i});
  std::ranges::stable_sort(index_, {}, &Key::key);
  const auto rest = std::ranges::unique(index_, {}, &Key::key);
  index_.erase(rest.begin(), rest.end());
}

const ModelShape* ModelTable::exact(std::string_view key) const {
  const auto at = std::ranges::lower_bound(index_, key, {}, [](const Key& entry) {
    return std::string_view{entry.key};
  });
  if (key.empty() || at == index_.end() || at->key != key) return nullptr;
  return &models_[at->model];
}

const ModelShape* ModelTable::find(std::string_view name) const {
  for (const std::string_view form : {name, without_variants(name), last_part(name),
                                      without_variants(last_part(name))})
    if (const ModelShape* found = exact(key_of(form))) return found;
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
