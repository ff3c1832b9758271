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
    for (auto item : items) {
      ondemand::value child;
      if (item.get(child) != simdjson::SUCCESS || !walk(child)) return false;
    }
    return builder_->close();
  }
  bool string(ondemand::value& value) {
    std::string_view text;
    if (value.get_string().get(text) != simdjson::SUCCESS) return false;
    return builder_->leaf(JsonNode::Kind::string, text, false);
  }
  static std::string_view token(ondemand::value& value) {
    const std::string_view text = value.raw_json_token();
    return text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
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
