#include <nlohmann/json.hpp>

#include <algorithm>
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

struct Place {
  std::size_t line = 1, column = 1;
};

Place place_of(std::string_view text, std::size_t offset) {
  Place place;
  for (const char c : text.substr(0, offset)) {
    if (c == '\n') {
      ++place.line;
      place.column = 1;
    } else if ((static_cast<unsigned char>(c) & 0xc0U) != 0x80U) {
      ++place.column;
    }
  }
  return place;
}

// Builds the tree from the events of the library's parser, which hands over each number's own text.
class Builder : public nlohmann::json_sax<nlohmann::json> {
 public:
  Builder(JsonLimits limits) : limits_(limits) {}

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
    JsonNode& object = *open_.back().node;
    if (!open_.back().seen.insert(text).second) return refuse("the key " + quote(text) + " stands twice in one object");
    object.keys.push_back(std::move(text));
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
  struct Level {
    JsonNode* node;
    std::unordered_set<std::string> seen;
  };

  JsonNode& place(JsonNode::Kind kind) {
    if (open_.empty()) {
      root.kind = kind;
      return root;
    }
    JsonNode& child = open_.back().node->children.emplace_back();
    child.kind = kind;
    return child;
  }
  bool leaf(JsonNode::Kind kind, std::string text, bool truth) {
    JsonNode& node = place(kind);
    node.text = std::move(text);
    node.truth = truth;
    return true;
  }
  bool open(JsonNode::Kind kind) {
    if (static_cast<int>(open_.size()) >= limits_.depth)
      return refuse("nested deeper than " + std::to_string(limits_.depth) + " levels");
    // A node's address is stable while it is the last child of its parent, that is until it closes.
    open_.push_back({&place(kind), {}});
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }
  bool refuse(std::string why) {
    refused_ = std::move(why);
    return false;
  }

  JsonLimits limits_;
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
  friend bool operator!=(const Counter& a, const Counter& b) { return a.at_ != b.at_; }

 private:
  const char* at_;
  const char** furthest_;
};

std::string syntax_message(std::string_view text, std::size_t offset, std::string_view last) {
  if (text.empty()) return "the file is empty: a JSON document is expected";
  if (offset >= text.size()) return "the document ends too early: something is not closed";
  std::string token(last);
  // The library repeats all of an unfinished string; its end says enough.
  if (token.size() > 24) token = "..." + token.substr(token.size() - 24);
  return "this is not JSON: unexpected " + quote(token.empty() ? std::string_view{text.substr(offset, 1)} : std::string_view{token});
}

std::string syntax_hint(std::string_view text, std::size_t offset, std::string_view last) {
  const std::string_view rest = text.substr(std::min(offset == 0 ? 0 : offset - 1, text.size()));
  if (rest.starts_with("NaN") || last.starts_with("N") || last.starts_with("Infinity") || last.starts_with("-I"))
    return "NaN and Infinity are not JSON: leave an unknown value out";
  if (rest.starts_with("'")) return "strings take double quotes";
  if (last.ends_with("}") || last.ends_with("]")) return "is there a comma before it?";
  if (rest.starts_with("/")) return "JSON has no comments: use a key that starts with x_";
  return {};
}

}  // namespace

Result<JsonNode> parse_json(std::string_view text, const std::string& source, JsonLimits limits) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  Builder builder(limits);
  const char* furthest = text.data();
  const bool fine = nlohmann::json::sax_parse(Counter{text.data(), &furthest},
                                              Counter{text.data() + text.size(), &furthest}, &builder);
  if (fine) return std::move(builder.root);
  const auto taken = static_cast<std::size_t>(furthest - text.data());
  const std::size_t offset = builder.position() > 0 ? builder.position() - 1 : taken;
  const Place place = place_of(text, std::min(builder.refused().empty() || taken == 0 ? offset : taken - 1, text.size()));
  const std::string where = std::to_string(place.line) + ":" + std::to_string(place.column);
  if (!builder.refused().empty())
    return Diagnostic{ErrorCode::syntax, source, where, builder.refused(), {}};
  return Diagnostic{ErrorCode::syntax, source, where,
                    syntax_message(text, builder.position() > text.size() ? text.size() : offset, builder.last()),
                    syntax_hint(text, offset, builder.last())};
}

}  // namespace gpuplan
