#include "render/json_writer.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace gpuplan {

void JsonWriter::separate() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (closers_.empty()) return;
  out_ += first_ ? "\n" : ",\n";
  out_.append(closers_.size() * 2, ' ');
  first_ = false;
}

JsonWriter& JsonWriter::raw(std::string_view text) {
  separate();
  out_ += text;
  return *this;
}

JsonWriter& JsonWriter::begin_object() {
  raw("{");
  closers_ += '}';
  first_ = true;
  return *this;
}

JsonWriter& JsonWriter::begin_array() {
  raw("[");
  closers_ += ']';
  first_ = true;
  return *this;
}

JsonWriter& JsonWriter::end_object() {
  const char closer = closers_.back();
  closers_.pop_back();
  if (!first_) {
    out_ += '\n';
    out_.append(closers_.size() * 2, ' ');
  }
  out_ += closer;
  first_ = false;
  return *this;
}

JsonWriter& JsonWriter::end_array() { return end_object(); }

JsonWriter& JsonWriter::key(std::string_view name) {
  separate();
  out_ += '"';
  out_ += name;
  out_ += "\": ";
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::null() { return raw("null"); }

JsonWriter& JsonWriter::value(std::string_view text) {
  using Error = nlohmann::json::error_handler_t;
  std::string quoted = nlohmann::json(std::string(text)).dump(-1, ' ', false, Error::replace);
  // JSON allows it raw, terminals act upon it.
  for (std::size_t at = quoted.find('\x7f'); at != std::string::npos; at = quoted.find('\x7f', at)) quoted.replace(at, 1, "\\u007f");
  return raw(quoted);
}

JsonWriter& JsonWriter::value(bool truth) { return raw(truth ? "true" : "false"); }
JsonWriter& JsonWriter::value(std::int64_t number) { return raw(std::to_string(number)); }
JsonWriter& JsonWriter::value(double number) {
  return std::isfinite(number) ? raw(fmt::format("{:.9g}", number)) : null();
}
JsonWriter& JsonWriter::value(Money money) { return raw(to_string(money)); }
JsonWriter& JsonWriter::value(const Decimal& decimal) { return raw(decimal.to_string()); }

JsonWriter& JsonWriter::value(Duration duration) {
  std::string text = std::to_string(duration.count() / 1'000'000);
  if (const auto micros = duration.count() % 1'000'000; micros != 0) {
    text += fmt::format(".{:06}", micros);
    while (text.back() == '0') text.pop_back();
  }
  return raw(text);
}

std::string JsonWriter::take() {
  out_ += '\n';
  return std::move(out_);
}

void write_warnings(JsonWriter& json, const Warnings& warnings) {
  json.key("warnings").begin_array();
  for (const Warning& warning : warnings) {
    json.begin_object().field("code", warning.code).field("message", warning.message);
    json.key("where");
    if (warning.where.empty())
      json.null();
    else
      json.value(warning.where);
    json.end_object();
  }
  json.end_array();
}

}  // namespace gpuplan
