// Changes of texts by their tokens.
#include <algorithm>
#include <array>
#include <cctype>
#include <random>
#include <string>
#include <vector>

#include "readers.hpp"

namespace gpuplan::fuzz {
namespace {

struct Token {
  std::size_t from, size;
};

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' || c == '_';
}

// Strings in quotes, words and numbers, single signs.
std::vector<Token> tokens_of(std::string_view text) {
  std::vector<Token> tokens;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    if (text[i] == '"') {
      while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, text.size());
    } else if (is_word(text[i])) {
      while (end < text.size() && is_word(text[end])) ++end;
    }
    if (std::isspace(static_cast<unsigned char>(text[i])) == 0) tokens.push_back({i, end - i});
    i = end;
  }
  return tokens;
}

// The value that begins at a token: with all that its brackets hold.
Token value_at(std::string_view text, const std::vector<Token>& tokens, std::size_t first) {
  int depth = 0;
  for (std::size_t i = first; i < tokens.size(); ++i) {
    const char sign = text[tokens[i].from];
    if (sign == '{' || sign == '[') ++depth;
    if (sign == '}' || sign == ']') --depth;
    if (depth <= 0) return {tokens[first].from, tokens[i].from + tokens[i].size - tokens[first].from};
  }
  return {tokens[first].from, text.size() - tokens[first].from};
}

constexpr std::array<const char*, 40> kValues{
    "0", "1", "-1", "2", "0.5", "1e3", "1e-3", "1e400", "0.000000001", "999999999999999999",
    "9223372036854775807", "-9223372036854775808", "18446744073709551616", "1000000000000", "NaN",
    "Infinity", "null", "true", "false", "[]", "{}", "\"\"", "\"x\"", "\"0\"", "\"1h\"",
    "\"3d12h\"", "\"80GiB\"", "\"40GB\"", "\"100Mbps\"", "\"2026-11-01\"", "\"auto\"", "\"all\"",
    "\"USD\"", "\"CNY\"", "\"H100\"", "\"RTX 4090\"", "\"\\u0000\"", "\"\\ud83d\\ude00\"",
    "[1, 2, 3]", "{\"x_a\": 1}"};

}  // namespace

std::size_t change_tokens(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  std::string text(reinterpret_cast<const char*>(data), size);
  const std::vector<Token> tokens = tokens_of(text);
  if (tokens.empty()) return size;
  std::minstd_rand random(seed);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
  const std::size_t at = below(tokens.size()), other = below(tokens.size());
  const Token value = value_at(text, tokens, at), source = value_at(text, tokens, other);
  const std::string copy = text.substr(source.from, source.size);
  switch (below(6)) {
    case 0:
      text.replace(tokens[at].from, tokens[at].size, kValues[below(kValues.size())]);
      break;
    case 1:
      text.replace(value.from, value.size, copy);
      break;
    case 2:
      text.insert(value.from, copy + (text.find('\n') < text.find('{') ? "" : ", "));
      break;
    case 3:
      text.erase(value.from, value.size);
      break;
    case 4:
      text.replace(value.from, value.size, kValues[below(kValues.size())]);
      break;
    default:
      text.replace(tokens[at].from, tokens[at].size,
                   text.substr(tokens[other].from, tokens[other].size));
  }
  text.resize(std::min(text.size(), most));
  std::ranges::copy(text, data);
  return text.size();
}

}  // namespace gpuplan::fuzz
