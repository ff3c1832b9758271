#include "catalog/fields.hpp"

#include <fmt/format.h>

#include "core/text.hpp"

namespace gpuplan::detail {
namespace {

constexpr std::int64_t kSecond = 1'000'000;  // microseconds
constexpr std::int64_t kHour = 3600 * kSecond, kDay = 24 * kHour;
constexpr std::int64_t kMostSeconds = 100LL * 366 * 86400;  // a century: more is a wrong unit

bool is_text(const JsonReader& reader) { return reader.node().is(JsonNode::Kind::string); }

// The number that stands there, if it is one; no complaint.
std::optional<Decimal> number(const JsonReader& reader) {
  if (!is_text(reader) && !reader.node().is(JsonNode::Kind::number)) return std::nullopt;
  return Decimal::parse(reader.node().text);
}

bool has_control(std::string_view text) {
  return std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

// A number of `unit`, or a time with its own unit: exact where it has six decimals of `unit`, else to
// twelve, of which a microsecond is made again. Absent after a complaint.
std::optional<Decimal> time_in(const JsonReader& reader, std::int64_t unit, std::string_view wanted) {
  if (const auto value = number(reader)) return *value;
  const auto time = is_text(reader) ? parse_duration(reader.node().text) : std::nullopt;
  if (!time) {
    reader.complain_expected(wanted, is_text(reader) ? unit_hint(reader.node().text, UnitKind::duration)
                                                     : std::string{});
    return std::nullopt;
  }
  const std::int64_t step = unit / kSecond;
  if (time->count() % step == 0) return Decimal::of(time->count() / step, 6);
  constexpr std::int64_t kFine = 1'000'000;  // six decimals more
  const Wide fine = (Wide{time->count()} * kFine + step / 2) / step;
  if (fine <= 999'999'999'999'999'999) return Decimal::of(static_cast<std::int64_t>(fine), 12);
  reader.complain_expected(wanted);
  return std::nullopt;
}

Decimal time_above_zero(const JsonReader& reader, std::int64_t unit, std::string_view wanted) {
  const auto value = time_in(reader, unit, wanted);
  if (value && value->is_zero()) reader.complain_expected(fmt::format("{} above 0", wanted));
  return value.value_or(Decimal{});
}

// bytes / 2^30 when it has a short decimal.
std::optional<Decimal> in_gib(std::int64_t bytes) {
  std::int64_t digits = bytes;
  int halvings = 30;
  for (; halvings > 0 && digits % 2 == 0; --halvings) digits /= 2;
  for (int i = 0; i < halvings; ++i) {
    if (halvings > 18 || digits > 999'999'999'999'999'999 / 5) return std::nullopt;
    digits *= 5;
  }
  return Decimal::of(digits, halvings);
}

}  // namespace

std::string name(const JsonReader& reader) {
  if (is_text(reader)) {
    const std::string_view text = reader.node().text;
    const bool blank = text.find_first_not_of(" \t\r\n") == std::string_view::npos;
    if (blank || has_control(text) || text.size() > 200) {
      reader.complain_expected("a text of 1 to 200 bytes on one line");
      return {};
    }
  }
  return reader.text();
}

std::string file_beside(const JsonReader& reader) {
  std::string path = name(reader);
  const std::string folders = "/" + path + "/";
  if (path.starts_with('/') || folders.find("/../") != std::string::npos) {
    reader.complain_expected("a file beside the catalog, without \"..\" and not from the root");
    return {};
  }
  return path;
}

std::string path_beside(const JsonReader& reader) {
  const std::string file = file_beside(reader);
  const std::size_t folder = reader.source().rfind('/');
  return file.empty() || folder == std::string::npos ? file : reader.source().substr(0, folder + 1) + file;
}

std::string any_text(const JsonReader& reader) {
  return reader.node().is(JsonNode::Kind::number) ? std::string(reader.node().text)
                                                    : reader.text();
}

bool is_currency(std::string_view text) {
  const auto capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  return text.size() == 3 && std::ranges::all_of(text, capital);
}

std::string currency_code(const JsonReader& reader) {
  const std::string_view text = reader.node().text;
  if (is_text(reader) && is_currency(text)) return std::string(text);
  reader.complain_expected("a currency such as \"USD\"",
                           is_text(reader) && text.size() == 3 ? "three capital letters" : "");
  return {};
}

Decimal price(const JsonReader& reader) {
  if (is_text(reader) && !number(reader) && !std::ranges::any_of(reader.node().text, [](char c) {
        return c >= '0' && c <= '9';
      })) {
    reader.complain_expected("a decimal such as 2.49 or \"2.49\"",
                             "leave a price out that is not known");
    return {};
  }
  return reader.decimal();
}

Decimal positive(const JsonReader& reader) {
  const auto value = number(reader);
  if (value && value->is_zero()) reader.complain_expected("a number above 0");
  return reader.decimal();
}

Decimal within(const JsonReader& reader, const Decimal& low, const Decimal& high) {
  const auto value = number(reader);
  if (value && *value >= low && *value <= high) return *value;
  const bool negative = reader.node().text.starts_with("-");
  reader.complain_expected(fmt::format("a number from {} to {}", low.to_string(), high.to_string()),
                           value || negative || !is_text(reader)
                               ? std::string{}
                               : unit_hint(reader.node().text, UnitKind::decimal));
  return low;
}

Decimal percent(const JsonReader& reader) { return within(reader, Decimal{}, Decimal::of(100)); }

Decimal fraction(const JsonReader& reader) {
  const auto value = number(reader);
  if (value && *value > Decimal::of(1) && *value <= Decimal::of(100)) {
    reader.complain_expected("a number from 0 to 1", "90 % is written 0.9, for example");
    return {};
  }
  return within(reader, Decimal{}, Decimal::of(1));
}

Decimal share(const JsonReader& reader) {
  const auto value = number(reader);
  if (!value || !value->is_zero()) return fraction(reader);
  reader.complain_expected("a part of a card above 0, at most 1");
  return {};
}

std::size_t word(const JsonReader& reader, std::span<const std::string_view> words, std::string_view also) {
  const std::string_view text = reader.node().text;
  const auto found = std::ranges::find(words, text);
  if (is_text(reader) && found != words.end()) return static_cast<std::size_t>(found - words.begin());
  std::vector<std::string> names(words.begin(), words.end());
  names.emplace_back(also);
  reader.complain_expected("one of " + join(names, ", "), is_text(reader) ? did_you_mean(text, words) : "");
  return 0;
}

std::int64_t whole_seconds(const JsonReader& reader, std::int64_t least) {
  const std::string wanted = fmt::format("whole seconds from {}, or a time such as \"90s\"", least);
  const auto value = time_in(reader, kSecond, wanted);
  if (!value) return least;
  const auto whole = value->whole();
  if (whole && *whole >= least && *whole <= kMostSeconds) return *whole;
  reader.complain_expected(wanted, whole && *whole > kMostSeconds ? "that is more than a century" : "");
  return least;
}

Decimal seconds(const JsonReader& reader) {
  return time_in(reader, kSecond, "seconds, or a time such as \"90s\"").value_or(Decimal{});
}

Decimal hours(const JsonReader& reader) {
  return time_above_zero(reader, kHour, "hours, or a time such as \"8h\",");
}

Decimal days(const JsonReader& reader) {
  return time_above_zero(reader, kDay, "days, or a time such as \"30d\",");
}

Duration hour_span(const JsonReader& reader) {
  const auto value = time_in(reader, kHour, "hours, or a time such as \"8h\"");
  const auto time = value ? value->times(kHour) : std::optional<std::int64_t>{0};
  if (time) return Duration{*time};
  reader.complain_expected("hours, or a time such as \"8h\"", "that is too long");
  return {};
}

Decimal gigabytes(const JsonReader& reader, bool gib) {
  if (const auto value = number(reader)) return *value;
  const auto size = is_text(reader) ? parse_bytes(reader.node().text) : std::nullopt;
  const std::string_view unit = gib ? "GiB" : "GB";
  const std::string wanted = fmt::format("{}, or a size such as \"500{}\"", unit, unit);
  if (!size) {
    reader.complain_expected(wanted, is_text(reader) ? unit_hint(reader.node().text, UnitKind::bytes)
                                                     : std::string{});
    return {};
  }
  if (!gib) return Decimal::of(size->count(), 9);
  if (const auto value = in_gib(size->count())) return *value;
  reader.complain_expected(wanted, "sizes of this object are in GiB (\"unit\")");
  return {};
}

Bytes sized(const JsonReader& reader) {
  constexpr std::string_view kWanted = "a size with its unit, such as \"24GiB\"";
  const auto size = is_text(reader) ? parse_bytes(reader.node().text) : std::nullopt;
  if (size && size->count() > 0) return *size;
  const std::string_view text = reader.node().text;
  reader.complain_expected(kWanted, size || text.empty() ? std::string{} : unit_hint(text, UnitKind::bytes));
  return {};
}

std::vector<std::string> words(const JsonReader& reader, std::string_view everything) {
  if (is_text(reader)) {
    const std::string text = name(reader);
    return text == everything ? std::vector<std::string>{} : std::vector<std::string>{text};
  }
  if (!reader.node().is(JsonNode::Kind::array)) {
    reader.complain_expected(fmt::format("a list of texts, or {}", quote(everything)));
    return {};
  }
  std::vector<std::string> texts;
  for (const JsonReader& item : reader.items()) texts.push_back(name(item));
  if (std::ranges::find(texts, everything) != texts.end()) return {};
  if (reader.node().children.empty())
    reader.complain("an empty list fits nothing", fmt::format("write {}, or leave it out", quote(everything)));
  return texts;
}

std::vector<std::string_view> Fields::one_of(std::span<const std::string_view> keys) const {
  std::vector<std::string_view> stated;
  if (!usable_) return stated;
  for (const std::string_view key : keys)
    if (reader_->has(key)) stated.push_back(key);
  if (stated.size() > 1) {
    std::vector<std::string> names(stated.begin(), stated.end());
    reader_->complain("only one of " + join(names, ", ") + " may be stated");
  }
  return stated;
}

}  // namespace gpuplan::detail
