#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/json.hpp"
#include "gpuplan/catalog.hpp"

// What single values of a catalog may be. Every function complains and gives a neutral value when
// something else stands there; figures that cannot be (negative, above 100 %) are complaints too.
namespace gpuplan::detail {

std::string name(const JsonReader& reader);         // a text that says something, on one line
// The path of a file that stands beside the catalog or below its folder: nobody who writes a catalog
// can have other files of its reader opened.
std::string file_beside(const JsonReader& reader);
// The same as it is opened: in the folder of the catalog, from where the program runs.
std::string path_beside(const JsonReader& reader);
std::string any_text(const JsonReader& reader);     // a text, or a number as it is written
// "USD": three capital letters.
bool is_currency(std::string_view text);
std::string currency_code(const JsonReader& reader);
Decimal price(const JsonReader& reader);            // at least 0
Decimal positive(const JsonReader& reader);         // above 0
Decimal within(const JsonReader& reader, const Decimal& low, const Decimal& high);
Decimal percent(const JsonReader& reader);          // 0 to 100
Decimal fraction(const JsonReader& reader);         // 0 to 1
std::int64_t whole_seconds(const JsonReader& reader, std::int64_t least);  // 90 or "90s"
Decimal seconds(const JsonReader& reader);          // 0.5 or "500ms"
Decimal hours(const JsonReader& reader);            // above 0: 8 or "8h"
Decimal days(const JsonReader& reader);             // above 0: 30 or "30d"
Duration hour_span(const JsonReader& reader);       // 8 or "8h"
Decimal gigabytes(const JsonReader& reader, bool gib);  // 500 or "500GB", in GB or GiB
Bytes sized(const JsonReader& reader);              // "24GiB": the unit must be said
// A list of texts; `everything` ("all", "any") and a single text are short for a list.
std::vector<std::string> words(const JsonReader& reader, std::string_view everything);

template <class Enum, std::size_t n>
Enum choice(const JsonReader& reader, const std::array<Named<Enum>, n>& names) {
  std::array<std::string_view, n> allowed;
  for (std::size_t i = 0; i < n; ++i) allowed[i] = names[i].name;
  return names[reader.choice(allowed)].value;
}

// A share of one card: above 0, at most 1.
Decimal share(const JsonReader& reader);

// An object of which every key must be known. Keys are the ones that were asked for.
class Fields {
 public:
  explicit Fields(const JsonReader& reader) : reader_(&reader), usable_(reader.is_object()) {}
  Fields(const Fields&) = delete;
  Fields& operator=(const Fields&) = delete;
  ~Fields() {
    if (usable_) reader_->allow(keys_);
  }

  const JsonReader& reader() const { return *reader_; }
  // Allows a key that is read elsewhere.
  void known(std::string_view key) { keys_.push_back(key); }
  void known(std::span<const std::string_view> keys) {
    keys_.insert(keys_.end(), keys.begin(), keys.end());
  }
  std::optional<JsonReader> find(std::string_view key) {
    known(key);
    return usable_ ? reader_->find(key) : std::nullopt;
  }
  // A key that must be there.
  JsonReader at(std::string_view key) {
    known(key);
    return reader_->at(key);
  }
  bool is_null(std::string_view key) const {
    const JsonNode* node = usable_ ? reader_->node().find(key) : nullptr;
    return node != nullptr && node->is(JsonNode::Kind::null);
  }
  // What stands there replaces the field; null sets it back to what is not stated.
  template <class Field, class Read>
  void set(std::string_view key, Field& field, Read read) {
    if (is_null(key)) field = Field{};
    if (const auto value = find(key)) field = read(*value);
  }
  // What stands there is laid over the group key by key; null sets it back to what is not stated.
  template <class Group, class Apply>
  void lay(std::string_view key, Group& group, Apply apply) {
    if (is_null(key)) group = Group{};
    if (const auto value = find(key)) apply(*value, group);
  }
  // Of keys that exclude each other, those that have a value; more than one is a complaint.
  std::vector<std::string_view> one_of(std::span<const std::string_view> keys) const;

 private:
  const JsonReader* reader_;
  bool usable_;
  std::vector<std::string_view> keys_;
};

// A word of a list, of which some values may also be written as an object (`also` says how).
std::size_t word(const JsonReader& reader, std::span<const std::string_view> words, std::string_view also);
inline bool truth(const JsonReader& reader) { return reader.boolean(); }

}  // namespace gpuplan::detail
