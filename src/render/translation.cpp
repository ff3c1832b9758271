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

// "the price of {}, {#} days old": pieces of text that stand still, with something between them; in
// the place of {#} only a number, as "12", "39.2 GiB" or "1 d 2 h", in that of {=} what is typed and
// stays as it is.
struct Pattern {
  std::vector<std::string> pieces;
  std::string kinds;  // of each gap: '}', '#' or '='
  std::string to;     // the same with {0}, {1}, ...
};

Pattern pattern_of(std::string_view text, std::string_view to) {
  Pattern pattern{.pieces = {}, .kinds = {}, .to = std::string(to)};
  const auto gap = [&] { return std::min({text.find("{}"), text.find("{#}"), text.find("{=}")}); };
  for (auto at = gap(); at != std::string_view::npos; at = gap()) {
    pattern.pieces.emplace_back(text.substr(0, at));
    pattern.kinds += text[at + 1];
    text.remove_prefix(at + (text[at + 1] == '}' ? 2 : 3));
  }
  pattern.pieces.emplace_back(text);
  return pattern;
}

bool is_number(std::string_view text) {
  const std::string_view digits = text.substr(text.starts_with('-') || text.starts_with('~') ? 1 : 0);
  return !digits.empty() && digits.front() >= '0' && digits.front() <= '9' &&
         std::ranges::count(digits, ' ') < 4 &&
         digits.find_first_of(",:;()") == std::string_view::npos;
}

class Table {
 public:
  explicit Table(std::string_view json) {
    const auto document = parse_json(json, "messages");
    if (!document) return;
    const JsonNode* messages = document->root().find("messages");
    if (messages == nullptr) return;
    for (const JsonNode& entry : messages->children) {
      auto pattern = pattern_of(entry.key, entry.text);
      if (pattern.kinds.empty())
        exact_.emplace(entry.key, entry.text);
      else
        patterns_.push_back(std::move(pattern));
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
      if (match(pattern, text, gaps)) return filled(pattern, gaps);
    // Headings are joined by points, reasons by semicolons: each by itself.
    if (const auto next = text.find(kPoint); next != std::string_view::npos)
      return of(text.substr(0, next)) + std::string(kPoint) + of(text.substr(next + kPoint.size()));
    if (const auto next = text.find("; "); next != std::string_view::npos) return joined(text, next);
    if (std::string other = list(text); !other.empty()) return other;
    // A sentence may end with a stop.
    if (text.ends_with('.')) {
      const std::string_view plain = text.substr(0, text.size() - 1);
      if (std::string other = of(plain); other != plain) return other + "。";
    }
    return std::string(text);
  }

 private:
  static constexpr std::string_view kPoint = " · ";

  // What stands in the gaps, when the text has this form. A gap is as short as it can be.
  bool match(const Pattern& pattern, std::string_view text,
             std::vector<std::string_view>& gaps) const {
    const std::vector<std::string>& pieces = pattern.pieces;
    if (!text.starts_with(pieces.front()) || !text.ends_with(pieces.back())) return false;
    gaps.clear();
    std::size_t at = pieces.front().size();
    for (std::size_t i = 1; i < pieces.size(); ++i) {
      const bool last = i + 1 == pieces.size();
      const auto next = last ? text.size() - pieces.back().size() : text.find(pieces[i], at);
      if (next == std::string_view::npos || next < at || (next == at && !pieces[i].empty()))
        return false;
      const std::string_view gap = text.substr(at, next - at);
      // Two sentences are not what one pattern was written for.
      const bool typed = pattern.kinds[i - 1] == '=';
      const bool several = gap.find("; ") != std::string_view::npos && !exact_.contains(gap);
      if (!typed && (several || gap.find(kPoint) != std::string_view::npos)) return false;
      if (pattern.kinds[i - 1] == '#' && !is_number(gap)) return false;
      gaps.push_back(gap);
      at = next + pieces[i].size();
    }
    return true;
  }

  // "incomplete, whole machine": where each is known by itself, or nothing.
  std::string list(std::string_view text) const {
    if (text.find(", ") == std::string_view::npos) return {};
    std::string out;
    for (;;) {
      const auto end = std::min(text.find(", "), text.size());
      const auto known = exact_.find(text.substr(0, end));
      if (known == exact_.end()) return {};
      out += (out.empty() ? "" : "，") + known->second;
      if (end == text.size()) return out;
      text.remove_prefix(end + 2);
    }
  }

  // Two clauses with a semicolon between them: that of the language, when a clause is in it.
  std::string joined(std::string_view text, std::size_t at) const {
    const std::string_view first = text.substr(0, at), second = text.substr(at + 2);
    const std::string before = of(first), after = of(second);
    return before + (before == first && after == second ? "; " : "；") + after;
  }

  std::string word(std::string_view value) const {
    const auto known = exact_.find(value);
    return known != exact_.end() ? known->second : std::string(value);
  }

  std::string filled(const Pattern& pattern, const std::vector<std::string_view>& gaps) const {
    const std::string& to = pattern.to;
    std::string out;
    for (std::size_t i = 0; i < to.size(); ++i) {
      const bool gap = to[i] == '{' && i + 2 < to.size() && to[i + 2] == '}' && to[i + 1] >= '0' &&
                       static_cast<std::size_t>(to[i + 1] - '0') < gaps.size();
      if (!gap) {
        out += to[i];
        continue;
      }
      const auto number = static_cast<std::size_t>(to[i + 1] - '0');
      const std::string_view value = gaps[number];
      if (pattern.kinds[number] == '=')
        out += value;
      else
        out += value.find(' ') == std::string_view::npos ? word(value) : of(value);
      i += 2;
      // Wide signs have their blank within.
      if (out.ends_with("）") && i + 1 < to.size() && to[i + 1] == ' ') ++i;
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
