#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "gpuplan/compact.hpp"
#include "gpuplan/date.hpp"
#include "gpuplan/money.hpp"
#include "gpuplan/result.hpp"
#include "gpuplan/units.hpp"

namespace gpuplan {

// Writes one indented JSON document front to back. Our own, since money must be printed from its
// own digits: no library of ours prints a number that is not a binary fraction.
class JsonWriter {
 public:
  JsonWriter& begin_object();
  JsonWriter& end_object();
  JsonWriter& begin_array();
  JsonWriter& end_array();
  JsonWriter& key(std::string_view name);

  JsonWriter& null();
  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(bool truth);
  JsonWriter& value(std::int64_t number);
  JsonWriter& value(int number) { return value(static_cast<std::int64_t>(number)); }
  JsonWriter& value(std::size_t number) { return value(static_cast<std::int64_t>(number)); }
  JsonWriter& value(double number);  // nine significant digits; null when not finite
  JsonWriter& value(Money money);
  JsonWriter& value(const Decimal& decimal);
  JsonWriter& value(Bytes bytes) { return value(bytes.count()); }
  JsonWriter& value(Duration duration);  // in seconds, exact
  JsonWriter& value(Seconds seconds) { return value(seconds.count()); }
  JsonWriter& value(Date date) { return value(to_string(date)); }
  JsonWriter& value(const MaybeDecimal& maybe) { return maybe ? value(*maybe) : null(); }
  template <class T>
  JsonWriter& value(const std::optional<T>& maybe) {
    return maybe ? value(*maybe) : null();
  }
  template <class T>
  JsonWriter& field(std::string_view name, const T& content) {
    key(name);
    return value(content);
  }
  template <class List>
  JsonWriter& texts(std::string_view name, const List& list) {
    key(name).begin_array();
    for (const auto& text : list) value(std::string_view(text));
    return end_array();
  }

  std::string take();  // the document with its newline

 private:
  void separate();
  JsonWriter& raw(std::string_view text);
  std::string out_;
  std::string closers_;  // one for each open level
  bool first_ = true, after_key_ = false;
};

void write_warnings(JsonWriter& json, const Warnings& warnings);

}  // namespace gpuplan
