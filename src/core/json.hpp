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

// A JSON value as it was written: numbers keep their own text, objects their order. It lives in its
// document, and so does all that it points to.
struct JsonNode {
  enum class Kind : unsigned char { null, boolean, number, string, array, object };
  Kind kind = Kind::null;
  bool truth = false;
  std::string_view text = {};                // of a number or string
  std::string_view key = {};                 // under which it stands in an object
  std::span<const JsonNode> children = {};   // of an array or object
  const JsonNode* parent = nullptr;          // null: the root of what was read
  std::string_view origin = {};              // "--gpus" when an option put it here

  const JsonNode* find(std::string_view name) const;
  bool is(Kind wanted) const { return kind == wanted; }
};

// What a text said. Moving it leaves its nodes where they are.
class JsonDocument {
 public:
  // Texts and nodes, kept as long as the document.
  struct Store;
  JsonDocument();
  JsonDocument(JsonDocument&&) noexcept;
  JsonDocument& operator=(JsonDocument&&) noexcept;
  ~JsonDocument();

  const JsonNode& root() const { return *root_; }

 private:
  friend class JsonBuilder;
  friend JsonDocument document_of(const struct JsonDraft& draft);
  std::unique_ptr<Store> store_;
  const JsonNode* root_;
};

// A value that can be changed: a job's document, over which options are laid.
struct JsonDraft {
  JsonNode::Kind kind = JsonNode::Kind::null;
  bool truth = false;
  std::string text = {};
  std::vector<std::string> keys = {};  // of an object, one for each child
  std::vector<JsonDraft> children = {};
  std::string origin = {};
};
JsonDraft draft_of(const JsonNode& node);
JsonDocument document_of(const JsonDraft& draft);

struct JsonLimits {
  int depth = 64;
  std::size_t text_bytes = 1 << 20;  // of one string
  // Keys of objects whose values nobody will ask for: they may be left out unread. Only for texts
  // that have been checked before, such as those that were built in.
  std::span<const std::string_view> skip = {};
  std::size_t values = SIZE_MAX;     // of the whole document
};

// Strict JSON (RFC 8259): duplicate keys, broken text, too deep nesting and bytes behind the value
// are errors with line:column. A UTF-8 byte order mark is skipped.
Result<JsonDocument> parse_json(std::string_view text, const std::string& source,
                                JsonLimits limits = {});

// Takes the values of one stretch of a text, one after the other.
class JsonTaker {
 public:
  JsonTaker() = default;
  JsonTaker(const JsonTaker&) = delete;
  JsonTaker& operator=(const JsonTaker&) = delete;
  virtual ~JsonTaker() = default;
  virtual void take(std::span<const std::size_t> indices, const JsonNode& value) = 0;
};

// Values that are handed over, and left out of the tree, as soon as they are complete: for lists
// that are too long to be kept. Stretches of a long text are read by several threads, each by one.
struct JsonStream {
  std::vector<std::string_view> path;  // {"platforms", "*", "offers", "*"}; "*": any of a list
  std::function<std::unique_ptr<JsonTaker>()> begin;  // of a stretch
  // A stretch is complete: its taker comes back in the order of the text, to the thread that called.
  std::function<void(std::unique_ptr<JsonTaker>)> end;
  // The reading starts again: what was taken is to be forgotten.
  std::function<void()> again = {};
  // So many bytes from the begin have been read; they are read again only after `again`.
  std::function<void(std::size_t)> passed = {};
  unsigned threads = 0;  // 0: as many as the machine has; the answer does not depend on it
};
// The same, with the faults put into a list. Behind a duplicate key the reading goes on, so that
// the other faults are found too; nothing is returned when the text is broken.
std::optional<JsonDocument> parse_json(std::string_view text, const std::string& source,
                                       Diagnostics& faults, const JsonStream& stream,
                                       JsonLimits limits = {});
// A value as JSON text on one line; numbers as they were written.
std::string to_json(const JsonNode& node);
void write_json(const JsonNode& node, std::string& out);
void write_json_text(std::string_view text, std::string& out);

// What all readers of one document share; it must outlive them.
struct JsonContext {
  std::string source;                // as messages name it
  Diagnostics* faults = nullptr;
  std::string prefix = {};           // where the root stands in a larger document
};

// A value together with where it stands. It complains into a list and goes on: every getter gives a
// neutral value after it has reported what was found and what is wanted.
class JsonReader {
 public:
  JsonReader(const JsonNode& node, const JsonContext& context) : node_(&node), context_(&context) {}

  const JsonNode& node() const { return is_absent() ? kNothing : *node_; }
  const std::string& source() const { return context_->source; }
  // The JSON pointer (RFC 6901); that of an absent member is where it would stand.
  std::string where() const;
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
  static const JsonNode kNothing;
  // A member that is not there: reads as null, and complains no more.
  JsonReader(const JsonReader& parent, std::string_view absent)
      : node_(parent.node_), context_(parent.context_), absent_(absent) {}
  bool is_absent() const { return absent_.data() != nullptr; }

  const JsonNode* node_;  // of an absent member: its parent
  const JsonContext* context_;
  std::string_view absent_ = {};
};

// Escapes one reference token of a JSON pointer (RFC 6901).
std::string pointer_token(std::string_view key);

}  // namespace gpuplan
