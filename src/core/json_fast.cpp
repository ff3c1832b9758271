#include <simdjson.h>

#include <algorithm>
#include <memory>

#include "core/json_tree.hpp"

namespace gpuplan {
namespace {

namespace ondemand = simdjson::ondemand;

struct Texts {
  explicit Texts(std::string_view text) : padded(text) {}
  simdjson::padded_string padded;
  ondemand::parser parser;
};

std::size_t digits(std::string_view text, std::size_t& at) {
  const std::size_t from = at;
  while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
  return at - from;
}

// The grammar of a number; the token is handed on as it is written, so nothing else checks it.
bool is_number(std::string_view text) {
  std::size_t at = text.starts_with('-') ? 1 : 0;
  const bool zero = at < text.size() && text[at] == '0';
  const std::size_t whole = digits(text, at);
  if (whole == 0 || (zero && whole > 1)) return false;
  if (at < text.size() && text[at] == '.' && digits(text, ++at) == 0) return false;
  // What has an exponent may be too large: left to the careful parser.
  return at == text.size();
}

std::string_view token(ondemand::value& value) {
  const std::string_view text = value.raw_json_token();
  return text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
}

// Keys of an object that have come, to find one that stands twice.
class Keys {
 public:
  // `nodes` are those that came before.
  bool stands(std::span<const JsonNode> nodes, std::string_view key) {
    const std::uint64_t bit = std::uint64_t{1} << ((key.size() * 31 + (key.empty() ? 0U : static_cast<unsigned char>(key.back()))) % 64);
    const bool maybe = (seen_ & bit) != 0;
    seen_ |= bit;
    return maybe && std::ranges::any_of(nodes, [&](const JsonNode& node) { return node.key == key; });
  }

 private:
  std::uint64_t seen_ = 0;  // of each key the bit of its length and last letter
};

// Makes the tree of a value that is handed over and then forgotten: most of a long text.
class Passing {
 public:
  Passing(std::pmr::memory_resource& room, std::size_t most_text, std::span<const std::string_view> skip)
      : room_(&room), most_text_(most_text), skip_(skip) {}

  // The tree holds until the next one is made. False when something is wrong or unusual.
  bool tree(ondemand::value& value, int depth, JsonNode& node) {
    pending_.clear();
    ondemand::json_type type{};
    if (value.type().get(type) != simdjson::SUCCESS) return false;
    if (!is_list(type)) return leaf(value, type, node);
    if (!list(value, type, depth, node)) return false;
    // What is in the value itself stays where it was made: most values have little below that.
    node.children = pending_;
    for (const JsonNode& child : pending_) adopt(child);
    return true;
  }

 private:
  static bool is_list(ondemand::json_type type) {
    return type == ondemand::json_type::object || type == ondemand::json_type::array;
  }
  bool leaf(ondemand::value& value, ondemand::json_type type, JsonNode& node) const {
    switch (type) {
      case ondemand::json_type::string:
        node.kind = JsonNode::Kind::string;
        return value.get_string().get(node.text) == simdjson::SUCCESS && node.text.size() <= most_text_;
      case ondemand::json_type::number:
        node.kind = JsonNode::Kind::number;
        node.text = token(value);
        return is_number(node.text) && node.text.size() <= most_text_;
      case ondemand::json_type::boolean:
        node.kind = JsonNode::Kind::boolean;
        return value.get_bool().get(node.truth) == simdjson::SUCCESS;
      default: return token(value) == "null";
    }
  }
  // Recursion ends at `depth`. The node's children are left at the end of `pending_`.
  bool list(ondemand::value& value, ondemand::json_type type, int depth, JsonNode& node) {
    if (depth <= 0) return false;
    return type == ondemand::json_type::object ? object(value, depth - 1, node) : array(value, depth - 1, node);
  }
  bool object(ondemand::value& value, int depth, JsonNode& node) {
    ondemand::object members;
    if (value.get_object().get(members) != simdjson::SUCCESS) return false;
    node.kind = JsonNode::Kind::object;
    const std::size_t begin = pending_.size();
    Keys keys;
    for (auto member : members) {
      std::string_view key;
      ondemand::value inner;
      if (member.unescaped_key().get(key) != simdjson::SUCCESS) return false;
      if (!skip_.empty() && std::ranges::find(skip_, key) != skip_.end()) continue;
      const auto before = std::span(pending_).subspan(begin);
      if (before.size() >= kMany || keys.stands(before, key)) return false;
      if (member.value().get(inner) != simdjson::SUCCESS || !add(inner, depth, key)) return false;
    }
    return true;
  }
  bool array(ondemand::value& value, int depth, JsonNode& node) {
    ondemand::array items;
    if (value.get_array().get(items) != simdjson::SUCCESS) return false;
    node.kind = JsonNode::Kind::array;
    for (auto item : items) {
      ondemand::value inner;
      if (item.get(inner) != simdjson::SUCCESS || !add(inner, depth, {})) return false;
    }
    return true;
  }
  // A child at the end of `pending_`, its own children where they stay.
  bool add(ondemand::value& value, int depth, std::string_view key) {
    ondemand::json_type type{};
    if (value.type().get(type) != simdjson::SUCCESS) return false;
    const std::size_t at = pending_.size();
    JsonNode& child = pending_.emplace_back();
    child.key = key;
    if (!is_list(type)) return leaf(value, type, child);
    JsonNode node;  // `pending_` may move
    if (!list(value, type, depth, node)) return false;
    node.key = key;
    settle(at + 1, node);
    pending_[at] = node;
    return true;
  }
  void settle(std::size_t begin, JsonNode& node) {
    const std::size_t count = pending_.size() - begin;
    if (count == 0) return;
    auto* first = static_cast<JsonNode*>(room_->allocate(count * sizeof(JsonNode), alignof(JsonNode)));
    std::uninitialized_copy(pending_.end() - static_cast<std::ptrdiff_t>(count), pending_.end(), first);
    pending_.resize(begin);
    for (const JsonNode& child : std::span(first, count)) adopt(child);
    node.children = {first, count};
  }
  static void adopt(const JsonNode& node) {
    for (const JsonNode& inner : node.children) const_cast<JsonNode&>(inner).parent = &node;
  }

  static constexpr std::size_t kMany = 64;  // keys: more are looked up better than here
  std::pmr::memory_resource* room_;
  std::size_t most_text_;
  std::span<const std::string_view> skip_;
  std::vector<JsonNode> pending_;  // children of values that are not complete
};

class Walker {
 public:
  Walker(JsonBuilder& builder, std::span<const std::string_view> skip)
      : builder_(&builder), skip_(skip) {}

  // Recursion ends at the depth that the builder allows.
  bool walk(ondemand::value& value) {
    ondemand::json_type type{};
    if (value.type().get(type) != simdjson::SUCCESS) return false;
    switch (type) {
      case ondemand::json_type::object: return object(value);
      case ondemand::json_type::array: return array(value);
      case ondemand::json_type::string: return string(value);
      case ondemand::json_type::number: return number(value);
      case ondemand::json_type::boolean: return boolean(value);
      case ondemand::json_type::null: return null(value);
    }
    return false;
  }

 private:
  bool object(ondemand::value& value) {
    ondemand::object members;
    if (value.get_object().get(members) != simdjson::SUCCESS) return false;
    if (!builder_->open(JsonNode::Kind::object)) return false;
    for (auto member : members) {
      std::string_view key;
      ondemand::value child;
      if (member.unescaped_key().get(key) != simdjson::SUCCESS) return false;
      if (std::ranges::find(skip_, key) != skip_.end()) continue;
      if (!builder_->key(key) || member.value().get(child) != simdjson::SUCCESS) return false;
      if (!walk(child)) return false;
    }
    return builder_->close();
  }
  bool array(ondemand::value& value) {
    ondemand::array items;
    if (value.get_array().get(items) != simdjson::SUCCESS) return false;
    if (!builder_->open(JsonNode::Kind::array)) return false;
    if (builder_->hands_over() && !builder_->counts_values()) return hand_over(items) && builder_->close();
    for (auto item : items) {
      ondemand::value child;
      if (item.get(child) != simdjson::SUCCESS || !walk(child)) return false;
    }
    return builder_->close();
  }
  bool hand_over(ondemand::array& items) {
    Passing passing(builder_->room(), builder_->most_text(), skip_);
    for (auto item : items) {
      JsonNode node;
      ondemand::value value;
      if (item.get(value) != simdjson::SUCCESS || !passing.tree(value, builder_->depth_left(), node)) return false;
      builder_->hand_over_next(node);
    }
    return true;
  }
  bool string(ondemand::value& value) {
    std::string_view text;
    if (value.get_string().get(text) != simdjson::SUCCESS) return false;
    return builder_->leaf(JsonNode::Kind::string, text, false);
  }
  bool number(ondemand::value& value) {
    const std::string_view text = token(value);
    return is_number(text) && builder_->leaf(JsonNode::Kind::number, text, false);
  }
  bool boolean(ondemand::value& value) {
    bool truth = false;
    if (value.get_bool().get(truth) != simdjson::SUCCESS) return false;
    return builder_->leaf(JsonNode::Kind::boolean, {}, truth);
  }
  bool null(ondemand::value& value) {
    return token(value) == "null" && builder_->leaf(JsonNode::Kind::null, {}, false);
  }

  JsonBuilder* builder_;
  std::span<const std::string_view> skip_;
};

}  // namespace

namespace {

// An object or list, and nothing behind it.
bool walk_all(ondemand::parser& parser, simdjson::padded_string_view text,
              std::span<const std::string_view> skip, JsonBuilder& builder) {
  ondemand::document document;
  if (parser.iterate(text).get(document) != simdjson::SUCCESS) return false;
  ondemand::value root;  // an error for anything but an object or a list
  if (document.get_value().get(root) != simdjson::SUCCESS) return false;
  if (!Walker(builder, skip).walk(root)) return false;
  const char* rest = nullptr;
  return document.current_location().get(rest) == simdjson::OUT_OF_BOUNDS;
}

}  // namespace

struct FastParser::Parser {
  ondemand::parser parser;
};
FastParser::FastParser() : parser_(std::make_unique<Parser>()) {}
FastParser::~FastParser() = default;

bool FastParser::parse(std::span<const std::string_view> skip, JsonBuilder& builder) {
  const std::size_t size = room_.size();
  room_.resize(size + simdjson::SIMDJSON_PADDING);
  const bool fine = walk_all(parser_->parser, simdjson::padded_string_view(room_.data(), size, room_.size()), skip, builder);
  room_.resize(size);
  return fine;
}

bool parse_fast(std::string_view text, std::span<const std::string_view> skip, JsonBuilder& builder) {
  auto texts = std::make_shared<Texts>(text);
  if (!walk_all(texts->parser, texts->padded, skip, builder)) return false;
  builder.hold(std::move(texts));
  return true;
}

}  // namespace gpuplan
