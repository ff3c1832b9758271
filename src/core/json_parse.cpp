#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>

#include "core/json.hpp"
#include "core/text.hpp"

namespace gpuplan {

const JsonNode* JsonNode::find(std::string_view key) const {
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (keys[i] == key) return &children[i];
  return nullptr;
}

namespace {

// Line and column of ever later places, found without starting again.
class Places {
 public:
  explicit Places(std::string_view text) : text_(text) {}
  std::string at(std::size_t offset) {
    for (offset = std::min(offset, text_.size()); done_ < offset; ++done_) {
      const char c = text_[done_];
      if (c == '\n') {
        ++line_;
        column_ = 1;
      } else if ((static_cast<unsigned char>(c) & 0xc0U) != 0x80U) {
        ++column_;
      }
    }
    return std::to_string(line_) + ":" + std::to_string(column_);
  }

 private:
  std::string_view text_;
  std::size_t done_ = 0, line_ = 1, column_ = 1;
};

constexpr std::size_t kMostDuplicates = 100;

// Builds the tree from the events of the library's parser, which hands over each number's own text.
class Builder : public nlohmann::json_sax<nlohmann::json> {
 public:
  // `duplicate` is told each key that stands twice.
  Builder(JsonLimits limits, const JsonStream& stream, std::function<void(std::string)> duplicate)
      : limits_(limits), stream_(&stream), duplicate_(std::move(duplicate)) {}

  bool null() override { return leaf(JsonNode::Kind::null, {}, false); }
  bool boolean(bool value) override { return leaf(JsonNode::Kind::boolean, {}, value); }
  bool number_integer(number_integer_t value) override {
    return leaf(JsonNode::Kind::number, std::to_string(value), false);
  }
  bool number_unsigned(number_unsigned_t value) override {
    return leaf(JsonNode::Kind::number, std::to_string(value), false);
  }
  bool number_float(number_float_t, const string_t& text) override {
    return leaf(JsonNode::Kind::number, text, false);
  }
  bool string(string_t& text) override {
    if (text.size() > limits_.text_bytes) return refuse("a string is too long");
    return leaf(JsonNode::Kind::string, std::move(text), false);
  }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(JsonNode::Kind::object); }
  bool start_array(std::size_t) override { return open(JsonNode::Kind::array); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& text) override {
    if (seen_before(open_.back(), text)) {
      duplicate_("the key " + quote(text) + " stands twice in one object");
      if (++duplicates_ == kMostDuplicates) return refuse("too many keys stand twice");
    }
    open_.back().node->keys.push_back(std::move(text));
    return true;
  }
  bool parse_error(std::size_t position, const std::string& last,
                   const nlohmann::detail::exception&) override {
    position_ = position;
    last_ = last;
    return false;
  }

  JsonNode root;
  std::string refused() const { return refused_; }
  std::size_t position() const { return position_; }
  const std::string& last() const { return last_; }

 private:
  static constexpr std::size_t kOff = SIZE_MAX;  // not on the way to what is handed over
  struct Level {
    JsonNode* node;
    std::size_t matched;               // steps of the stream's path that lead here, or kOff
    std::size_t count = 0;             // children that have been begun
    std::unordered_set<std::string> seen = {};  // keys, once there are many
  };

  static bool seen_before(Level& level, const std::string& key) {
    const std::vector<std::string>& keys = level.node->keys;
    constexpr std::size_t kMany = 24;
    if (keys.size() < kMany) return std::ranges::find(keys, key) != keys.end();
    if (level.seen.empty()) level.seen.insert(keys.begin(), keys.end());
    return !level.seen.insert(key).second;
  }
  // Steps of the path that lead to the child that is about to be placed.
  std::size_t matched_child() const {
    if (open_.empty()) return 0;
    const Level& parent = open_.back();
    if (parent.matched >= stream_->path.size()) return kOff;
    const std::string_view step = stream_->path[parent.matched];
    const bool list = parent.node->is(JsonNode::Kind::array);
    const bool same = list == (step == "*") && (list || step == parent.node->keys.back());
    return same ? parent.matched + 1 : kOff;
  }
  JsonNode& place(JsonNode::Kind kind) {
    if (open_.empty()) {
      root.kind = kind;
      return root;
    }
    ++open_.back().count;
    JsonNode& child = open_.back().node->children.emplace_back();
    child.kind = kind;
    return child;
  }
  bool leaf(JsonNode::Kind kind, std::string text, bool truth) {
    const std::size_t matched = matched_child();
    JsonNode& node = place(kind);
    node.text = std::move(text);
    node.truth = truth;
    hand_over(matched);
    return true;
  }
  bool open(JsonNode::Kind kind) {
    if (static_cast<int>(open_.size()) >= limits_.depth)
      return refuse("nested deeper than " + std::to_string(limits_.depth) + " levels");
    const std::size_t matched = matched_child();
    // A node's address is stable while it is the last child of its parent, that is until it closes.
    JsonNode& node = place(kind);
    open_.push_back({&node, matched});
    return true;
  }
  bool close() {
    const std::size_t matched = open_.back().matched;
    open_.pop_back();
    hand_over(matched);
    return true;
  }
  // The last child of the innermost open list, when it is what the stream takes.
  void hand_over(std::size_t matched) {
    if (open_.empty() || matched != stream_->path.size()) return;
    std::vector<std::size_t> indices;
    for (const Level& level : open_)
      if (level.node->is(JsonNode::Kind::array)) indices.push_back(level.count - 1);
    std::vector<JsonNode>& siblings = open_.back().node->children;
    JsonNode value = std::move(siblings.back());
    siblings.pop_back();
    stream_->take(indices, std::move(value));
  }
  bool refuse(std::string why) {
    refused_ = std::move(why);
    return false;
  }

  JsonLimits limits_;
  const JsonStream* stream_;
  std::function<void(std::string)> duplicate_;
  std::size_t duplicates_ = 0;
  std::vector<Level> open_;
  std::string refused_, last_;
  std::size_t position_ = 0;
};

// Counts what the parser has taken, so that a refusal by us has a place too.
class Counter {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  Counter(const char* at, const char** furthest) : at_(at), furthest_(furthest) {}
  reference operator*() const { return *at_; }
  Counter& operator++() {
    ++at_;
    *furthest_ = at_;
    return *this;
  }
  friend bool operator==(const Counter& a, const Counter& b) { return a.at_ == b.at_; }
  friend bool operator!=(const Counter& a, const Counter& b) { return !(a == b); }

 private:
  const char* at_;
  const char** furthest_;
};

// The word or number that stands around a place; empty when a sign or blank stands there.
std::string_view token_at(std::string_view text, std::size_t offset) {
  const auto part_of_word = [&](std::size_t i) {
    const char c = text[i];
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' ||
           c == '+' || c == '-' || c == '_';
  };
  std::size_t begin = offset, end = offset;
  while (end < text.size() && part_of_word(end)) ++end;
  while (end > offset && begin > 0 && part_of_word(begin - 1)) --begin;
  return text.substr(begin, end - begin);
}

std::string syntax_message(std::string_view text, std::size_t offset, std::string_view last) {
  if (text.empty()) return "the file is empty: a JSON document is expected";
  if (offset >= text.size()) return "the document ends too early: something is not closed";
  constexpr std::string_view kSays = "this is not JSON: unexpected ";
  if (const std::string_view token = token_at(text, offset); !token.empty())
    return std::string(kSays) + quote(token, 24);
  std::string token(last.empty() ? text.substr(offset, 1) : last);
  // The library repeats all of an unfinished string; its end says enough.
  if (token.size() > 24) token = "..." + token.substr(token.size() - 24);
  return std::string(kSays) + quote(token);
}

std::string number_hint(std::string_view token) {
  if (token.front() == '+') return "leave the plus sign out";
  if (token.find_first_of("eE") != std::string_view::npos) return "the number is too large";
  if (token.front() == '0') return "leading zeros are not read";
  return "is there a comma or colon before it?";
}

std::string syntax_hint(std::string_view text, std::size_t offset, std::string_view last) {
  constexpr std::array<std::string_view, 5> kNotNumbers{"NaN", "nan", "Infinity", "-Infinity", "inf"};
  constexpr std::array<std::string_view, 5> kPython{"True", "False", "None", "undefined", "NULL"};
  const std::string_view token = token_at(text, std::min(offset, text.size()));
  if (std::ranges::find(kNotNumbers, token) != kNotNumbers.end())
    return "NaN and Infinity are not JSON: leave an unknown value out";
  if (std::ranges::find(kPython, token) != kPython.end()) return "JSON writes true, false and null";
  if (!token.empty() && (token.front() == '+' || (token.front() >= '0' && token.front() <= '9')))
    return number_hint(token);
  if (!token.empty() && token.front() != '-' && token != "true" && token != "false" && token != "null")
    return "texts and keys take double quotes";
  const std::string_view rest = text.substr(std::min(offset, text.size()));
  if (rest.starts_with("'")) return "strings take double quotes";
  if (rest.starts_with("}") || rest.starts_with("]")) return "is there a comma before it?";
  if (rest.starts_with("/") || last.ends_with("/")) return "JSON has no comments: use a key that starts with x_";
  return {};
}

}  // namespace

std::optional<JsonNode> parse_json(std::string_view text, const std::string& source,
                                   Diagnostics& faults, const JsonStream& stream,
                                   JsonLimits limits) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const char* furthest = text.data();
  Places places(text);
  const auto taken = [&] { return static_cast<std::size_t>(furthest - text.data()); };
  const auto report = [&](std::size_t offset, std::string message, std::string hint) {
    faults.push_back({ErrorCode::syntax, source, places.at(offset), std::move(message),
                      std::move(hint)});
  };
  const auto before = [&] { return taken() == 0 ? 0 : taken() - 1; };
  Builder builder(limits, stream,
                  [&](std::string message) { report(before(), std::move(message), {}); });
  const bool fine = nlohmann::json::sax_parse(Counter{text.data(), &furthest},
                                              Counter{text.data() + text.size(), &furthest}, &builder);
  if (fine) return std::move(builder.root);
  if (!builder.refused().empty()) {
    report(before(), builder.refused(), {});
    return std::nullopt;
  }
  const std::size_t offset =
      std::min(builder.position() > 0 ? builder.position() - 1 : taken(), text.size());
  report(offset, syntax_message(text, builder.position() > text.size() ? text.size() : offset, builder.last()),
         syntax_hint(text, offset, builder.last()));
  return std::nullopt;
}

Result<JsonNode> parse_json(std::string_view text, const std::string& source, JsonLimits limits) {
  Diagnostics faults;
  std::optional<JsonNode> root = parse_json(text, source, faults, JsonStream{}, limits);
  if (!faults.empty()) return faults;
  return std::move(*root);
}

namespace {

void write_text(std::string_view text, std::string& out) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      constexpr std::string_view kHex = "0123456789abcdef";
      out += "\\u00";
      out += kHex[static_cast<unsigned char>(c) >> 4U];
      out += kHex[static_cast<unsigned char>(c) & 0xfU];
    } else {
      out += c;
    }
  }
  out += '"';
}

// No deeper than what was read, and that has a limit.
void write(const JsonNode& node, std::string& out) {
  const bool object = node.is(JsonNode::Kind::object);
  switch (node.kind) {
    case JsonNode::Kind::null: out += "null"; return;
    case JsonNode::Kind::boolean: out += node.truth ? "true" : "false"; return;
    case JsonNode::Kind::number: out += node.text; return;
    case JsonNode::Kind::string: write_text(node.text, out); return;
    case JsonNode::Kind::array:
    case JsonNode::Kind::object: break;
  }
  out += object ? '{' : '[';
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    if (i > 0) out += ',';
    if (object) {
      write_text(node.keys[i], out);
      out += ':';
    }
    write(node.children[i], out);
  }
  out += object ? '}' : ']';
}

}  // namespace

std::string to_json(const JsonNode& node) {
  std::string text;
  write(node, text);
  return text;
}

}  // namespace gpuplan
