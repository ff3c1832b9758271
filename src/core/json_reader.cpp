#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/json.hpp"
#include "core/text.hpp"

namespace gpuplan {
namespace {

std::string_view kind_name(JsonNode::Kind kind) {
  switch (kind) {
    case JsonNode::Kind::null: return "null";
    case JsonNode::Kind::boolean: return "a truth value";
    case JsonNode::Kind::number: return "a number";
    case JsonNode::Kind::string: return "a string";
    case JsonNode::Kind::array: return "a list";
    case JsonNode::Kind::object: return "an object";
  }
  return {};
}

}  // namespace

std::string pointer_token(std::string_view key) {
  std::string token;
  for (const char c : key) {
    if (c == '~') token += "~0";
    else if (c == '/') token += "~1";
    else token += c;
  }
  return token;
}

const JsonNode JsonReader::kNothing{};

std::string JsonReader::where() const {
  std::vector<std::string> steps;
  if (is_absent()) steps.push_back(pointer_token(absent_));
  for (const JsonNode* at = node_; at->parent != nullptr; at = at->parent)
    steps.push_back(at->parent->is(JsonNode::Kind::array)
                        ? std::to_string(at - at->parent->children.data())
                        : pointer_token(at->key));
  std::string pointer = context_->prefix;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) pointer += "/" + *step;
  return pointer;
}

bool JsonReader::has(std::string_view key) const {
  const JsonNode* child = node().find(key);
  return child != nullptr && child->kind != JsonNode::Kind::null;
}

JsonReader JsonReader::at(std::string_view key) const {
  if (const JsonNode* child = node().find(key)) return {*child, *context_};
  if (is_object()) complain("the key " + quote(key) + " is missing");
  return {*this, key};
}

std::optional<JsonReader> JsonReader::find(std::string_view key) const {
  const JsonNode* child = node().find(key);
  if (child == nullptr || child->kind == JsonNode::Kind::null) return std::nullopt;
  return JsonReader{*child, *context_};
}

std::vector<JsonReader> JsonReader::items() const {
  std::vector<JsonReader> readers;
  if (!node().is(JsonNode::Kind::array)) {
    complain_expected("a list");
    return readers;
  }
  readers.reserve(node().children.size());
  for (const JsonNode& child : node().children) readers.push_back({child, *context_});
  return readers;
}

std::vector<std::pair<std::string, JsonReader>> JsonReader::members() const {
  std::vector<std::pair<std::string, JsonReader>> readers;
  if (!is_object()) return readers;
  for (const JsonNode& child : node().children)
    readers.emplace_back(child.key, JsonReader{child, *context_});
  return readers;
}

bool JsonReader::is_object() const {
  if (node().is(JsonNode::Kind::object)) return true;
  complain_expected("an object");
  return false;
}

void JsonReader::allow(std::span<const std::string_view> keys) const {
  if (!node().is(JsonNode::Kind::object)) return;
  for (const JsonNode& child : node().children) {
    const std::string_view key = child.key;
    if (key.starts_with("x_") || std::ranges::find(keys, key) != keys.end()) continue;
    std::string hint = did_you_mean(key, keys);
    if (hint.empty()) {
      const std::vector<std::string> names(keys.begin(), keys.end());
      hint = "allowed here: " + join(names, ", ") + ", and x_... of your own";
    }
    JsonReader{child, *context_}.complain("unknown key " + quote(key), hint);
  }
}

void JsonReader::allow(std::initializer_list<std::string_view> keys) const {
  allow(std::span<const std::string_view>(keys.begin(), keys.size()));
}

void JsonReader::complain(std::string message, std::string hint) const {
  if (is_absent()) return;
  const bool option = !node().origin.empty();
  context_->faults->push_back({.code = option ? ErrorCode::usage : ErrorCode::invalid,
                               .source = option ? std::string(node().origin) : context_->source,
                               .pointer = option ? std::string{} : where(),
                               .message = std::move(message),
                               .hint = std::move(hint)});
}

void JsonReader::complain_expected(std::string_view wanted, std::string hint) const {
  // What cannot be read at all is not also out of its range.
  const std::string got = ", got " + found();
  complain(fmt::format("expected {}{}", wanted, got), std::move(hint));
  Diagnostics& faults = *context_->faults;
  if (faults.size() < 2) return;
  const Diagnostic &last = faults.back(), &other = faults[faults.size() - 2];
  if (last.source == other.source && last.pointer == other.pointer && other.message.ends_with(got))
    faults.pop_back();
}

std::string JsonReader::found() const {
  switch (node().kind) {
    case JsonNode::Kind::boolean: return node().truth ? "true" : "false";
    case JsonNode::Kind::number: return std::string(node().text.substr(0, 40));
    case JsonNode::Kind::string: return quote(node().text);
    default: return std::string(kind_name(node().kind));
  }
}

std::string JsonReader::text() const {
  if (node().is(JsonNode::Kind::string)) return std::string(node().text);
  complain_expected("a text in quotes");
  return {};
}

bool JsonReader::boolean() const {
  if (node().is(JsonNode::Kind::boolean)) return node().truth;
  if (!node().origin.empty() && node().is(JsonNode::Kind::string)) {
    if (node().text == "on" || node().text == "true") return true;
    if (node().text == "off" || node().text == "false") return false;
    complain_expected("on or off");
    return false;
  }
  complain_expected("true or false");
  return false;
}

namespace {

bool is_numeric(const JsonNode& node) {
  return node.is(JsonNode::Kind::number) || node.is(JsonNode::Kind::string);
}

}  // namespace

std::int64_t JsonReader::integer(std::int64_t low, std::int64_t high) const {
  if (is_numeric(node())) {
    const auto value = Decimal::parse(node().text);
    const auto whole = value ? value->whole() : std::nullopt;
    if (whole && *whole >= low && *whole <= high) return *whole;
    complain_expected(fmt::format("a whole number from {} to {}", low, high),
                      whole ? std::string{} : unit_hint(node().text, UnitKind::integer));
    return low;
  }
  complain_expected(fmt::format("a whole number from {} to {}", low, high));
  return low;
}

std::int64_t JsonReader::count(std::int64_t low, std::int64_t high) const {
  if (node().is(JsonNode::Kind::string)) {
    const auto value = parse_count(node().text);
    if (value && *value >= low && *value <= high) return *value;
    if (!value) {
      complain_expected("a number such as 2048, 50M or 7B",
                        unit_hint(node().text, UnitKind::count));
      return low;
    }
    complain_expected(fmt::format("a number from {} to {}", low, high));
    return low;
  }
  if (node().is(JsonNode::Kind::number)) return integer(low, high);
  complain_expected("a number such as 2048, 50M or 7B");
  return low;
}

double JsonReader::number(double low, double high) const {
  if (is_numeric(node())) {
    const auto value = Decimal::parse(node().text);
    if (value && value->approximate() >= low && value->approximate() <= high)
      return value->approximate();
    complain_expected(fmt::format("a number from {} to {}", low, high),
                      value ? std::string{} : unit_hint(node().text, UnitKind::decimal));
    return low;
  }
  complain_expected("a number");
  return low;
}

Decimal JsonReader::decimal() const {
  if (is_numeric(node())) {
    if (const auto value = Decimal::parse(node().text)) return *value;
    complain_expected("a decimal such as 2.49 or \"2.49\"",
                      unit_hint(node().text, UnitKind::decimal));
    return {};
  }
  complain_expected("a decimal such as 2.49 or \"2.49\"");
  return {};
}

Bytes JsonReader::bytes(Bytes unit) const {
  if (node().is(JsonNode::Kind::number)) {
    const auto value = Decimal::parse(node().text);
    const auto count = value ? value->times(unit.count()) : std::nullopt;
    if (count) return Bytes::of(*count);
    complain_expected("a size such as 500 or \"500GB\"", unit_hint(node().text, UnitKind::bytes));
    return {};
  }
  if (node().is(JsonNode::Kind::string)) {
    if (const auto size = parse_bytes(node().text)) return *size;
    complain_expected("a size such as 40GB or 80GiB", unit_hint(node().text, UnitKind::bytes));
    return {};
  }
  complain_expected("a size such as \"500GB\"");
  return {};
}

Duration JsonReader::duration(Duration unit) const {
  if (is_numeric(node())) {
    const auto value = Decimal::parse(node().text);
    if (value && unit.count() > 0) {
      if (const auto time = value->times(unit.count())) return Duration{*time};
    }
    if (node().is(JsonNode::Kind::string))
      if (const auto time = parse_duration(node().text)) return *time;
    complain_expected("a time such as 8h or 90m", unit_hint(node().text, UnitKind::duration));
    return {};
  }
  complain_expected("a time such as \"8h\"");
  return {};
}

Bandwidth JsonReader::bandwidth() const {
  if (node().is(JsonNode::Kind::string)) {
    if (const auto rate = parse_bandwidth(node().text)) return *rate;
    complain_expected("a line speed such as 100Mbps", unit_hint(node().text, UnitKind::bandwidth));
    return {};
  }
  complain_expected("a line speed such as \"100Mbps\"");
  return {};
}

Date JsonReader::date() const {
  if (node().is(JsonNode::Kind::string))
    if (const auto day = parse_date(node().text)) return *day;
  complain_expected("a day such as \"2026-11-01\"");
  return {};
}

Moment JsonReader::moment() const {
  if (node().is(JsonNode::Kind::string))
    if (const auto time = parse_moment(node().text)) return *time;
  complain_expected("a moment such as \"2026-11-01T08:00:00Z\"");
  return {};
}

std::size_t JsonReader::choice(std::span<const std::string_view> allowed) const {
  const JsonNode& value = node();
  const bool text = value.is(JsonNode::Kind::string);
  if (text)
    if (const auto at = std::ranges::find(allowed, value.text); at != allowed.end())
      return static_cast<std::size_t>(at - allowed.begin());
  const std::vector<std::string> names(allowed.begin(), allowed.end());
  complain_expected("one of " + join(names, ", "),
                    text ? did_you_mean(value.text, allowed) : std::string{});
  return 0;
}

}  // namespace gpuplan
