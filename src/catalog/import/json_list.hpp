#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "catalog/import/formats.hpp"
#include "core/json.hpp"

// Values of answers in JSON, of which any may be absent, null or of another kind.
namespace gpuplan::detail {

// The member, unless it is absent or null.
inline const JsonNode* member(const JsonNode& object, std::string_view key) {
  const JsonNode* node = object.find(key);
  return node == nullptr || node->is(JsonNode::Kind::null) ? nullptr : node;
}
// A text, or a number as it is written; empty when there is none.
inline std::string_view text_at(const JsonNode& object, std::string_view key) {
  const JsonNode* node = member(object, key);
  const bool scalar = node != nullptr && (node->is(JsonNode::Kind::string) || node->is(JsonNode::Kind::number));
  return scalar ? node->text : std::string_view{};
}
inline std::optional<Decimal> number_at(const JsonNode& object, std::string_view key) {
  return Decimal::parse(text_at(object, key));
}
// The same, without 0.
inline std::optional<Decimal> above_zero_at(const JsonNode& object, std::string_view key) {
  const auto value = number_at(object, key);
  return value && !value->is_zero() ? value : std::nullopt;
}
inline std::optional<bool> truth_at(const JsonNode& object, std::string_view key) {
  const JsonNode* node = member(object, key);
  return node != nullptr && node->is(JsonNode::Kind::boolean) ? std::optional(node->truth) : std::nullopt;
}
// The whole number of cards; nothing for anything else.
inline std::optional<std::int64_t> count_at(const JsonNode& object, std::string_view key) {
  const auto count = whole_number(text_at(object, key));
  return count && *count > 0 && *count <= 100'000 ? count : std::nullopt;
}
inline Diagnostics not_such_a_list(const ImportFile& file, std::string_view wanted) {
  return {{ErrorCode::invalid, file.name, "", "expected " + std::string(wanted), "is --from right?"}};
}

}  // namespace gpuplan::detail
