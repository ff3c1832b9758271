// Sentences in another language, by a table of patterns: data/messages_zh.json.
#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/builtin.hpp"
#include "core/json.hpp"
#include "gpuplan/render.hpp"

namespace gpuplan {
namespace {

// "{} of {} offers": pieces of text that stand still, with something between them.
struct Pattern {
  std::vector<std::string> pieces;
  std::string to;  // the same with {0}, {1}, ...
};

std::vector<std::string> pieces_of(std::string_view text) {
  std::vector<std::string> pieces;
  for (auto at = text.find("{}"); at != std::string_view::npos; at = text.find("{}")) {
    pieces.emplace_back(text.substr(0, at));
    text.remove_prefix(at + 2);
  }
  pieces.emplace_back(text);
  return pieces;
}

// What stands in the gaps, when the text has this form. A gap is as short as it can be.
bool match(const std::vector<std::string>& pieces, std::string_view text,
           std::vector<std::string_view>& gaps) {
  if (!text.starts_with(pieces.front()) || !text.ends_with(pieces.back())) return false;
  gaps.clear();
  std::size_t at = pieces.front().size();
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    const bool last = i + 1 == pieces.size();
    const auto next = last ? text.size() - pieces.back().size() : text.find(pieces[i], at);
    if (next == std::string_view::npos || next < at || (next == at && !pieces[i].empty()))
      return false;
    // Two sentences are not what one pattern was written for.
    if (text.substr(at, next - at).find("; ") != std::string_view::npos) return false;
    gaps.push_back(text.substr(at, next - at));
    at = next + pieces[i].size();
  }
  return true;
}

class Table {
 public:
  explicit Table(std::string_view json) {
    const auto document = parse_json(json, "messages");
    if (!document) return;
    const JsonNode* messages = document->root().find("messages");
    if (messages == nullptr) return;
    for (const JsonNode& entry : messages->children) {
      auto pieces = pieces_of(entry.key);
      if (pieces.size() == 1)
        exact_.emplace(entry.key, entry.text);
      else
        patterns_.push_back({.pieces = std::move(pieces), .to = std::string(entry.text)});
    }
    // Of several that fit, the one that says most of the sentence is meant.
    const auto said = [](const Pattern& pattern) {
      std::size_t letters = 0;
      for (const std::string& piece : pattern.pieces) letters += piece.size();
      return letters;
    };
    std::ranges::stable_sort(patterns_, std::ranges::greater{}, said);
  }

  std::string of(std::string_view text) const {
    if (const auto at = exact_.find(text); at != exact_.end()) return at->second;
    std::vector<std::string_view> gaps;
    for (const Pattern& pattern : patterns_)
      if (match(pattern.pieces, text, gaps)) return filled(pattern.to, gaps);
    // Reasons are joined by semicolons: each by itself. A sentence may end with a stop.
    if (const auto next = text.find("; "); next != std::string_view::npos)
      return of(text.substr(0, next)) + "; " + of(text.substr(next + 2));
    if (text.ends_with('.')) {
      const std::string_view plain = text.substr(0, text.size() - 1);
      if (std::string other = of(plain); other != plain) return other + "。";
    }
    return std::string(text);
  }

 private:
  std::string word(std::string_view value) const {
    const auto known = exact_.find(value);
    return known != exact_.end() ? known->second : std::string(value);
  }

  std::string filled(const std::string& to, const std::vector<std::string_view>& gaps) const {
    std::string out;
    for (std::size_t i = 0; i < to.size(); ++i) {
      const bool gap = to[i] == '{' && i + 2 < to.size() && to[i + 2] == '}' && to[i + 1] >= '0' &&
                       static_cast<std::size_t>(to[i + 1] - '0') < gaps.size();
      if (!gap) {
        out += to[i];
        continue;
      }
      const std::string_view value = gaps[static_cast<std::size_t>(to[i + 1] - '0')];
      out += value.find(' ') == std::string_view::npos ? word(value) : of(value);
      i += 2;
    }
    return out;
  }

  std::map<std::string, std::string, std::less<>> exact_;
  std::vector<Pattern> patterns_;
};

}  // namespace

std::string translated(std::string_view text, Language language) {
  if (language == Language::english) return std::string(text);
  static const Table chinese(builtin_messages_zh());
  return chinese.of(text);
}

std::string translated_parts(std::string_view text, std::string_view separator,
                             Language language) {
  if (language == Language::english) return std::string(text);
  std::string out;
  for (;;) {
    const auto end = text.find(separator);
    out += translated(text.substr(0, end), language);
    if (end == std::string_view::npos) return out;
    out += separator;
    text.remove_prefix(end + separator.size());
  }
}

}  // namespace gpuplan
