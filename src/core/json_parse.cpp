#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include "core/json_tree.hpp"
#include "core/text.hpp"

namespace gpuplan {

namespace {

// Line and column of ever later places, found without starting again.
class Places {
 public:
  explicit Places(std::string_view text) : text_(text) {}
  std::string at(std::size_t offset) {
    for (offset = std::min(offset, text_.size()); done_ < offset; ++done_) {
      const char c = text_[done_];
      if (c == '\n') {
        ++line_;
        column_ = 1;
      } else if ((static_cast<unsigned char>(c) & 0xc0U) != 0x80U) {
        ++column_;
      }
    }
    return std::to_string(line_) + ":" + std::to_string(column_);
  }

 private:
  std::string_view text_;
  std::size_t done_ = 0, line_ = 1, column_ = 1;
};

// The events of the library's parser, which hands over each number's own text.
class Events : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit Events(JsonBuilder& builder) : builder_(&builder) {}

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
  bool string(string_t& text) override { return leaf(JsonNode::Kind::string, text, false); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return builder_->open(JsonNode::Kind::object); }
  bool start_array(std::size_t) override { return builder_->open(JsonNode::Kind::array); }
  bool end_object() override { return builder_->close(); }
  bool end_array() override { return builder_->close(); }
  bool key(string_t& text) override { return builder_->key(builder_->keep(text)); }
  bool parse_error(std::size_t position, const std::string& last,
                   const nlohmann::detail::exception&) override {
    position_ = position;
    last_ = last;
    return false;
  }

  std::size_t position() const { return position_; }
  const std::string& last() const { return last_; }

 private:
  bool leaf(JsonNode::Kind kind, std::string_view text, bool truth) {
    return builder_->leaf(kind, builder_->keep(text), truth);
  }

  JsonBuilder* builder_;
  std::string last_;
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
  friend bool operator!=(const Counter& a, const Counter& b) { return !(a == b); }

 private:
  const char* at_;
  const char** furthest_;
};

// The word or number that stands around a place; empty when a sign or blank stands there.
std::string_view token_at(std::string_view text, std::size_t offset) {
  const auto part_of_word = [&](std::size_t i) {
    const char c = text[i];
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' ||
           c == '+' || c == '-' || c == '_';
  };
  std::size_t begin = offset, end = offset;
  while (end < text.size() && part_of_word(end)) ++end;
  while (end > offset && begin > 0 && part_of_word(begin - 1)) --begin;
  return text.substr(begin, end - begin);
}

std::string syntax_message(std::string_view text, std::size_t offset, std::string_view last) {
  if (text.empty()) return "the file is empty: a JSON document is expected";
  if (offset >= text.size()) return "the document ends too early: something is not closed";
  constexpr std::string_view kSays = "this is not JSON: unexpected ";
  if (const std::string_view token = token_at(text, offset); !token.empty())
    return std::string(kSays) + quote(token, 24);
  std::string token(last.empty() ? text.substr(offset, 1) : last);
  // The library repeats all of an unfinished string; its end says enough.
  if (token.size() > 24) token = "..." + token.substr(token.size() - 24);
  return std::string(kSays) + quote(token);
}

std::string number_hint(std::string_view token) {
  if (token.front() == '+') return "leave the plus sign out";
  if (token.find_first_of("eE") != std::string_view::npos) return "the number is too large";
  if (token.front() == '0') return "leading zeros are not read";
  return "is there a comma or colon before it?";
}

std::string syntax_hint(std::string_view text, std::size_t offset, std::string_view last) {
  constexpr std::array<std::string_view, 5> kNotNumbers{"NaN", "nan", "Infinity", "-Infinity", "inf"};
  constexpr std::array<std::string_view, 5> kPython{"True", "False", "None", "undefined", "NULL"};
  const std::string_view token = token_at(text, std::min(offset, text.size()));
  if (std::ranges::find(kNotNumbers, token) != kNotNumbers.end())
    return "NaN and Infinity are not JSON: leave an unknown value out";
  if (std::ranges::find(kPython, token) != kPython.end()) return "JSON writes true, false and null";
  if (!token.empty() && (token.front() == '+' || (token.front() >= '0' && token.front() <= '9')))
    return number_hint(token);
  if (!token.empty() && token.front() != '-' && token != "true" && token != "false" && token != "null")
    return "texts and keys take double quotes";
  const std::string_view rest = text.substr(std::min(offset, text.size()));
  if (rest.starts_with("'")) return "strings take double quotes";
  if (rest.starts_with("}") || rest.starts_with("]")) return "is there a comma before it?";
  if (rest.starts_with("/") || last.ends_with("/")) return "JSON has no comments: use a key that starts with x_";
  return {};
}

}  // namespace

namespace {

// Slower, and able to say what is wrong and where.
std::optional<JsonDocument> parse_carefully(std::string_view text, const std::string& source,
                                            Diagnostics& faults, const JsonStream& stream,
                                            JsonLimits limits) {
  const char* furthest = text.data();
  Places places(text);
  const auto taken = [&] { return static_cast<std::size_t>(furthest - text.data()); };
  const auto report = [&](std::size_t offset, std::string message, std::string hint) {
    faults.push_back({ErrorCode::syntax, source, places.at(offset), std::move(message),
                      std::move(hint)});
  };
  const auto before = [&] { return taken() == 0 ? 0 : taken() - 1; };
  JsonBuilder builder(limits, stream,
                      [&](std::string message) { report(before(), std::move(message), {}); });
  Events events(builder);
  const bool fine = nlohmann::json::sax_parse(Counter{text.data(), &furthest},
                                              Counter{text.data() + text.size(), &furthest}, &events);
  if (fine) return builder.finish();
  if (!builder.refused().empty()) {
    report(before(), builder.refused(), {});
    return std::nullopt;
  }
  const std::size_t offset =
      std::min(events.position() > 0 ? events.position() - 1 : taken(), text.size());
  report(offset,
         syntax_message(text, events.position() > text.size() ? text.size() : offset, events.last()),
         syntax_hint(text, offset, events.last()));
  return std::nullopt;
}

}  // namespace

std::optional<JsonDocument> parse_json(std::string_view text, const std::string& source,
                                       Diagnostics& faults, const JsonStream& stream,
                                       JsonLimits limits) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  constexpr std::size_t kLong = std::size_t{1} << 20;
  if (text.size() >= kLong && !stream.path.empty() && limits.values == SIZE_MAX) {
    if (auto document = parse_in_parts(text, stream, limits)) return document;
    if (stream.again) stream.again();
  }
  {
    JsonBuilder builder(limits, stream, nullptr);
    if (parse_fast(text, limits.skip, builder)) return builder.finish();
  }
  if (stream.again) stream.again();
  return parse_carefully(text, source, faults, stream, limits);
}

Result<JsonDocument> parse_json(std::string_view text, const std::string& source,
                                JsonLimits limits) {
  Diagnostics faults;
  auto document = parse_json(text, source, faults, JsonStream{}, limits);
  if (!faults.empty()) return faults;
  return std::move(*document);
}

}  // namespace gpuplan
