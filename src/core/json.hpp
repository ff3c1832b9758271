#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpuplan/date.hpp"
#include "gpuplan/money.hpp"
#include "gpuplan/result.hpp"
#include "gpuplan/units.hpp"

namespace gpuplan {

// A JSON value as it was written: numbers keep their own text, objects their order.
struct JsonNode {
  enum class Kind : unsigned char { null, boolean, number, string, array, object };
  Kind kind = Kind::null;
  bool truth = false;
  std::string text;                   // of a number or string
  std::vector<std::string> keys;      // of an object, one for each child
  std::vector<JsonNode> children;     // of an array or object
  std::string origin;                 // "--gpus" when an option put it here; else empty

  const JsonNode* find(std::string_view key) const;
  bool is(Kind wanted) const { return kind == wanted; }
};

struct JsonLimits {
  int depth = 64;
  std::size_t text_bytes = 1 << 20;  // of one string
};

// Strict JSON (RFC 8259): duplicate keys, broken text, too deep nesting and bytes behind the value
// are errors with line:column. A UTF-8 byte order mark is skipped.
Result<JsonNode> parse_json(std::string_view text, const std::string& source, JsonLimits limits = {});

// Values that are handed over, and left out of the tree, as soon as they are complete: for lists
// that are too long to be kept.
struct JsonStream {
  std::vector<std::string_view> path;  // {"platforms", "*", "offers", "*"}; "*": any of a list
  std::function<void(std::span<const std::size_t> indices, JsonNode value)> take;
};
// The same, with the faults put into a list. Behind a duplicate key the reading goes on, so that
// the other faults are found too; nothing is returned when the text is broken.
std::optional<JsonNode> parse_json(std::string_view text, const std::string& source,
                                   Diagnostics& faults, const JsonStream& stream,
                                   JsonLimits limits = {});
// A value as JSON text on one line; numbers as they were written.
std::string to_json(const JsonNode& node);

// A value together with where it stands. It complains into a list and goes on: every getter gives a
// neutral value after it has reported what was found and what is wanted.
class JsonReader {
 public:
  JsonReader(const JsonNode& node, std::string source, Diagnostics& faults);
  // Of a value that was taken out of a larger document: it stands at `pointer` there.
  JsonReader(const JsonNode& node, std::shared_ptr<const std::string> source, std::string pointer,
             Diagnostics& faults);

  const JsonNode& node() const { return *node_; }
  std::string where() const { return pointer_; }
  bool has(std::string_view key) const;  // present and not null
  // A required member; an absent one is reported and reads as null without further complaint.
  JsonReader at(std::string_view key) const;
  // An optional member.
  std::optional<JsonReader> find(std::string_view key) const;
  // Members of an array or object, in order; a wrong kind is reported.
  std::vector<JsonReader> items() const;
  std::vector<std::pair<std::string, JsonReader>> members() const;
  bool is_object() const;  // reports otherwise
  // Reports every key that is not in the list and does not start with "x_", with "did you mean".
  void allow(std::span<const std::string_view> keys) const;
  void allow(std::initializer_list<std::string_view> keys) const;
  void complain(std::string message, std::string hint = {}) const;
  void complain_expected(std::string_view wanted, std::string hint = {}) const;

  std::string text() const;
  bool boolean() const;
  std::int64_t integer(std::int64_t low, std::int64_t high) const;   // number or decimal string
  std::int64_t count(std::int64_t low, std::int64_t high) const;     // also "7B", "50M"
  double number(double low, double high) const;                      // for estimates, never money
  Decimal decimal() const;      // number or decimal string, at least 0
  Bytes bytes(Bytes unit) const;  // a bare number counts in `unit`; strings may carry a unit
  Duration duration(Duration unit) const;
  Bandwidth bandwidth() const;  // "100Mbps"
  Date date() const;
  Moment moment() const;
  std::size_t choice(std::span<const std::string_view> allowed) const;  // index; 0 when wrong
  // "got true", "got 17 (a number)": what stands there, shortened.
  std::string found() const;

 private:
  JsonReader(const JsonNode& node, std::shared_ptr<const std::string> source, std::string pointer,
             Diagnostics* faults, bool silent);
  const JsonNode* node_;
  std::shared_ptr<const std::string> source_;
  std::string pointer_;
  Diagnostics* faults_;
  bool silent_ = false;
};

// Escapes one reference token of a JSON pointer (RFC 6901).
std::string pointer_token(std::string_view key);

}  // namespace gpuplan
