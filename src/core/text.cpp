#include "core/text.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

namespace gpuplan {
namespace {

struct CodePoint {
  char32_t value;
  std::size_t bytes;  // 0: not UTF-8
};

CodePoint decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
  if (length == 0 || lead > 0xf4 || text.size() < length) return {0, 0};
  char32_t value = lead & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80U) return {0, 0};
    value = (value << 6) | (byte(i) & 0x3fU);
  }
  const std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
  if (value < least[length] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000))
    return {0, 0};
  return {value, length};
}

// C0, DEL, C1 and the marks that reorder a line: what could move the cursor or hide text.
bool unsafe(char32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x200b && c <= 0x200f) ||
         (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

bool combining(char32_t c) {
  return (c >= 0x300 && c <= 0x36f) || (c >= 0xfe00 && c <= 0xfe0f) ||
         (c >= 0x200b && c <= 0x200f);
}

bool wide(char32_t c) {
  return (c >= 0x1100 && c <= 0x115f) || (c >= 0x2e80 && c <= 0x303e) ||
         (c >= 0x3041 && c <= 0xa4cf) || (c >= 0xac00 && c <= 0xd7a3) ||
         (c >= 0xf900 && c <= 0xfaff) || (c >= 0xfe30 && c <= 0xfe6f) ||
         (c >= 0xff00 && c <= 0xff60) || (c >= 0xffe0 && c <= 0xffe6) ||
         (c >= 0x1f300 && c <= 0x1f64f) || (c >= 0x1f900 && c <= 0x1f9ff) ||
         (c >= 0x20000 && c <= 0x3fffd);
}

std::string visible(char32_t c) {
  std::array<char, 16> buffer{};
  std::snprintf(buffer.data(), buffer.size(), c < 0x100 ? "\\x%02x" : "\\u%04x",
                static_cast<unsigned>(c));
  return buffer.data();
}

}  // namespace

int edit_distance(std::string_view a, std::string_view b, int limit) {
  const std::size_t longer = std::max(a.size(), b.size());
  const std::size_t shorter = std::min(a.size(), b.size());
  if (longer - shorter > static_cast<std::size_t>(limit)) return limit + 1;
  std::vector<int> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int replace = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        now[j] = std::min(now[j], before[j - 2] + 1);
    }
    if (*std::min_element(now.begin(), now.end()) > limit) return limit + 1;
    before.swap(last);
    last.swap(now);
  }
  return last[b.size()];
}

std::vector<std::string> similar_words(std::string_view word,
                                       std::span<const std::string_view> candidates,
                                       std::size_t most) {
  // A third of the letters may be wrong: "intrence" finds "inference", "h200" does not find "a10".
  const int limit = std::max(1, static_cast<int>(word.size()) / 3);
  const std::string wanted = lower(word.substr(0, 80));
  std::vector<std::pair<int, std::string>> found;
  for (const std::string_view candidate : candidates) {
    if (candidate.size() > 120) continue;
    const std::string name = lower(candidate);
    int distance = edit_distance(wanted, name, limit);
    if (distance > limit && wanted.size() >= 3 && name.starts_with(wanted)) distance = limit;
    if (distance <= limit) found.emplace_back(distance, std::string(candidate));
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  std::vector<std::string> names;
  for (auto& entry : found)
    if (names.size() < most) names.push_back(std::move(entry.second));
  return names;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates) {
  const auto names = similar_words(word, candidates, 1);
  return names.empty() ? std::string{} : "did you mean \"" + names.front() + "\"?";
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
  std::string result;
  for (const std::string& part : parts) {
    if (!result.empty()) result += separator;
    result += part;
  }
  return result;
}

std::string quote(std::string_view text, std::size_t most) {
  std::string result = "\"";
  std::size_t shown = 0;
  while (!text.empty()) {
    if (shown++ == most) {
      result += "...";
      break;
    }
    const CodePoint c = decode(text);
    if (c.bytes == 0) {
      result += visible(static_cast<unsigned char>(text.front()));
      text.remove_prefix(1);
      continue;
    }
    if (unsafe(c.value)) {
      result += visible(c.value);
    } else {
      if (c.value == '"' || c.value == '\\') result += '\\';
      result += text.substr(0, c.bytes);
    }
    text.remove_prefix(c.bytes);
  }
  return result + "\"";
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const CodePoint c = decode(text);
    text.remove_prefix(std::max<std::size_t>(c.bytes, 1));
    if (c.bytes == 0 || !combining(c.value)) width += c.bytes != 0 && wide(c.value) ? 2 : 1;
  }
  return width;
}

}  // namespace gpuplan
