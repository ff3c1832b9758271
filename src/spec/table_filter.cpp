#include "spec/table_filter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>

#include "core/text.hpp"
#include "core/trim.hpp"
#include "gpuplan/money.hpp"
#include "gpuplan/units.hpp"

namespace gpuplan {
namespace {

// A field of a row: texts (a name and its other spellings), a number, or neither when the row does
// not say.
struct Value {
  std::vector<std::string> texts;
  std::optional<double> number;
};

// What the value of a filter is compared as.
enum class Kind { text, choice, count, memory, rate };

template <class Row>
struct Field {
  std::string_view name;
  Kind kind;
  Value (*get)(const Row&);
  std::span<const std::string_view> choices = {};
};

Value text_of(std::string text) { return {.texts = {std::move(text)}, .number = {}}; }
Value text_of(std::string_view text) { return text_of(std::string(text)); }
Value number_of(double number) { return {.texts = {}, .number = number}; }
Value number_if(double number) { return number > 0 ? number_of(number) : Value{}; }
Value tera(const std::optional<FlopRate>& rate) { return rate ? number_of(rate->per_second() * 1e-12) : Value{}; }
Value named(const std::string& name, const std::vector<std::string>& aliases) {
  Value value{.texts = {name}, .number = {}};
  value.texts.insert(value.texts.end(), aliases.begin(), aliases.end());
  return value;
}

// In the order of their enumerations.
constexpr std::array<std::string_view, 5> kClasses{"datacenter", "workstation", "consumer", "accelerator", "slice"};
constexpr std::array<std::string_view, 6> kKinds{"decoder", "encoder", "encoder_decoder", "vision", "diffusion", "state_space"};
constexpr std::array<std::string_view, 6> kLinks{"unknown", "none", "pcie", "nvlink", "nvswitch", "other"};
constexpr std::array<std::string_view, 2> kYesNo{"no", "yes"};

template <class Names, class Enum>
Value choice_of(const Names& names, Enum value) {
  return text_of(names[static_cast<std::size_t>(value)]);
}

const std::array kCardFields{
    Field<Card>{"card", Kind::text, [](const Card& c) { return named(c.name, c.aliases); }},
    Field<Card>{"name", Kind::text, [](const Card& c) { return named(c.name, c.aliases); }},
    Field<Card>{"vendor", Kind::text, [](const Card& c) { return text_of(c.vendor); }},
    Field<Card>{"architecture", Kind::text, [](const Card& c) { return text_of(c.architecture); }},
    Field<Card>{"class", Kind::choice, [](const Card& c) { return choice_of(kClasses, c.card_class); }, kClasses},
    Field<Card>{"interconnect", Kind::choice, [](const Card& c) { return choice_of(kLinks, c.link); }, kLinks},
    Field<Card>{"native", Kind::text, [](const Card& c) { return text_of(join(c.native, " ")); }},
    Field<Card>{"graphics", Kind::choice, [](const Card& c) { return c.graphics ? choice_of(kYesNo, *c.graphics) : Value{}; }, kYesNo},
    Field<Card>{"memory", Kind::memory, [](const Card& c) { return number_of(c.memory.as_double()); }},
    Field<Card>{"bandwidth", Kind::rate, [](const Card& c) { return c.bandwidth ? number_of(c.bandwidth->per_second()) : Value{}; }},
    Field<Card>{"fp64", Kind::count, [](const Card& c) { return tera(c.rates.fp64); }},
    Field<Card>{"fp32", Kind::count, [](const Card& c) { return tera(c.rates.fp32); }},
    Field<Card>{"bf16", Kind::count, [](const Card& c) { return tera(c.rates.bf16); }},
    Field<Card>{"fp16", Kind::count, [](const Card& c) { return tera(c.rates.fp16); }},
    Field<Card>{"fp8", Kind::count, [](const Card& c) { return tera(c.rates.fp8); }},
    Field<Card>{"int8", Kind::count, [](const Card& c) { return tera(c.rates.int8); }},
    Field<Card>{"watts", Kind::count, [](const Card& c) { return number_if(c.watts); }},
    Field<Card>{"year", Kind::count, [](const Card& c) { return number_if(c.year); }}};

const std::array kModelFields{
    Field<ModelShape>{"model", Kind::text, [](const ModelShape& m) { return named(m.name, m.aliases); }},
    Field<ModelShape>{"name", Kind::text, [](const ModelShape& m) { return named(m.name, m.aliases); }},
    Field<ModelShape>{"family", Kind::text, [](const ModelShape& m) { return text_of(m.family); }},
    Field<ModelShape>{"kind", Kind::choice, [](const ModelShape& m) { return choice_of(kKinds, m.kind); }, kKinds},
    Field<ModelShape>{"parameters", Kind::count, [](const ModelShape& m) { return number_of(static_cast<double>(count_parameters(m).total())); }},
    Field<ModelShape>{"active", Kind::count, [](const ModelShape& m) { return number_of(static_cast<double>(count_parameters(m).active())); }},
    Field<ModelShape>{"layers", Kind::count, [](const ModelShape& m) { return number_if(static_cast<double>(m.layers)); }},
    Field<ModelShape>{"hidden", Kind::count, [](const ModelShape& m) { return number_if(static_cast<double>(m.hidden)); }},
    Field<ModelShape>{"heads", Kind::count, [](const ModelShape& m) { return number_if(static_cast<double>(m.heads)); }},
    Field<ModelShape>{"vocab", Kind::count, [](const ModelShape& m) { return number_if(static_cast<double>(m.vocab)); }},
    Field<ModelShape>{"context", Kind::count, [](const ModelShape& m) { return number_if(static_cast<double>(m.max_positions)); }}};

constexpr std::array<std::string_view, 7> kOperators{"!=", "<=", ">=", "=", "<", ">", "~"};

struct Filter {
  std::size_t field;
  std::string_view op;
  std::string wanted;
  double number;
  std::vector<std::string> rows = {};  // by name, that a name as people write it can mean
};

bool holds(double a, std::string_view op, double b) {
  if (op == "=") return a == b;
  if (op == "!=") return a != b;
  if (op == "<") return a < b;
  if (op == "<=") return a <= b;
  if (op == ">") return a > b;
  return a >= b;
}

bool matches(const Value& value, const Filter& filter) {
  if (value.number) return holds(*value.number, filter.op, filter.number);
  const std::string wanted = lower(filter.wanted);
  const auto any = [&](auto test) {
    return std::ranges::any_of(value.texts, [&](const std::string& text) { return test(lower(text)); });
  };
  if (filter.op == "~") return any([&](const std::string& own) { return own.find(wanted) != std::string::npos; });
  const bool same = filter.rows.empty()
                        ? any([&](const std::string& own) { return own == wanted; })
                        : std::ranges::find(filter.rows, value.texts.front()) != filter.rows.end();
  return filter.op == "=" ? same : !same && !value.texts.empty();
}

// A value of a numeric field in the unit of the field; nothing when it is none.
std::optional<double> number_in(std::string_view text, Kind kind) {
  if (const auto plain = Decimal::parse(text)) {
    constexpr double kGiB = 1 << 30, kGiga = 1e9;
    return plain->approximate() * (kind == Kind::memory ? kGiB : kind == Kind::rate ? kGiga : 1);
  }
  if (kind == Kind::memory) {
    const auto bytes = parse_bytes(text);
    return bytes ? std::optional(bytes->as_double()) : std::nullopt;
  }
  if (kind == Kind::rate) {
    const auto rate = parse_bandwidth(text);
    return rate ? std::optional(rate->per_second()) : std::nullopt;
  }
  const auto count = parse_count(text);
  return count ? std::optional(static_cast<double>(*count)) : std::nullopt;
}

std::string_view example_of(Kind kind) {
  if (kind == Kind::memory) return "write GiB of one card such as 40, or a size such as 80GB or 24GiB";
  return kind == Kind::rate ? "write GB/s such as 900, or 3.35TB/s" : "write a number such as 40, 0.5 or 8B";
}

// "memory >= 40": the same without blanks, when it is one word of the shell.
Filter split(std::string_view word, std::size_t at, std::string& name) {
  Filter filter{.field = 0, .op = {}, .wanted = {}, .number = 0};
  for (const std::string_view op : kOperators)
    if (filter.op.empty() && word.substr(at).starts_with(op)) filter.op = op;
  name = lower(trimmed(word.substr(0, at)));
  filter.wanted = trimmed(word.substr(at + filter.op.size()));
  return filter;
}

// Splits "memory>=40"; nothing when the word has no operator.
template <class Fields>
std::optional<Filter> read_filter(const std::string& word, const Fields& fields, Diagnostics& faults) {
  const auto at = word.find_first_of("!<>=~");
  if (at == std::string::npos) return std::nullopt;
  std::string name;
  Filter filter = split(word, at, name);
  const auto fault = [&](std::string message, std::string hint) {
    faults.push_back({ErrorCode::usage, word, "", std::move(message), std::move(hint)});
    return std::optional{filter};
  };
  if (filter.op.empty() || name.empty())
    return fault("is not a filter", "write FIELD OP VALUE as one word, with one of = != < <= > >= ~: 'memory>=40'");
  std::vector<std::string_view> names;
  std::vector<std::string> listed;
  for (const auto& field : fields) names.push_back(field.name), listed.emplace_back(field.name);
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) {
    const std::string guess = did_you_mean(name, names);
    return fault("no field is named " + quote(name), guess.empty() ? "fields: " + join(listed, ", ") : guess);
  }
  filter.field = static_cast<std::size_t>(found - names.begin());
  const auto& field = fields[filter.field];
  if (field.kind == Kind::text || field.kind == Kind::choice) {
    if (filter.op != "=" && filter.op != "!=" && filter.op != "~")
      return fault(quote(name) + " is a text", "compare it with =, != or ~ (contains)");
    const bool known = std::ranges::find(field.choices, lower(filter.wanted)) != field.choices.end();
    if (field.kind == Kind::choice && filter.op != "~" && !known)
      return fault(fmt::format("expected one of {}, got {}", fmt::join(field.choices, ", "), quote(filter.wanted)),
                   did_you_mean(filter.wanted, field.choices));
    return filter;
  }
  const auto number = number_in(filter.wanted, field.kind);
  if (!number || filter.op == "~")
    return fault(quote(name) + " is a number, got " + quote(filter.wanted), std::string(example_of(field.kind)));
  filter.number = *number;
  return filter;
}

// `find`: the row that a word names; `meant`: the names of all that it can mean. Both complain.
template <class Row, class Fields, class Find, class Meant>
Result<std::vector<const Row*>> select(const std::vector<Row>& all, const Fields& fields,
                                       std::span<const std::string> words, Find find, Meant meant) {
  Diagnostics faults;
  std::vector<Filter> filters;
  std::vector<const Row*> named;
  bool names = false;
  for (const std::string& word : words) {
    if (auto filter = read_filter(word, fields, faults)) {
      filters.push_back(*filter);
      continue;
    }
    names = true;
    if (const Row* row = find(word, faults)) named.push_back(row);
  }
  if (!faults.empty()) return faults;
  // A card or model is meant by any spelling of its name, as everywhere else.
  for (Filter& filter : filters)
    if (const auto name = fields[filter.field].name; (name == "card" || name == "model") && filter.op != "~")
      filter.rows = meant(filter.wanted, faults);
  if (!faults.empty()) return faults;
  std::vector<const Row*> rows;
  if (names) rows = named;
  else
    for (const Row& row : all) rows.push_back(&row);
  std::erase_if(rows, [&](const Row* row) {
    return !std::ranges::all_of(filters, [&](const Filter& f) { return matches(fields[f.field].get(*row), f); });
  });
  return rows;
}

}  // namespace

Result<std::vector<const Card*>> select_cards(const CardTable& table, std::span<const std::string> words,
                                              Warnings* warnings) {
  const auto find = [&](const std::string& name, Diagnostics& faults) -> const Card* {
    if (const auto found = table.find(name)) {
      auto doubt = ambiguity_warning(name, *found);
      if (doubt && warnings != nullptr) warnings->push_back(std::move(*doubt));
      return found->card;
    }
    faults.push_back(table.unknown(name, "cards"));
    return nullptr;
  };
  const auto meant = [&](const std::string& name, Diagnostics& faults) {
    std::vector<std::string> names;
    const auto found = table.find(name);
    if (!found) {
      faults.push_back(table.unknown(name, "card"));
      return names;
    }
    names.push_back(found->card->name);
    for (const Card* other : found->others) names.push_back(other->name);
    return names;
  };
  return select(table.all(), kCardFields, words, find, meant);
}

Result<std::vector<const ModelShape*>> select_models(const ModelTable& table, std::span<const std::string> words) {
  const auto find = [&](const std::string& name, Diagnostics& faults) -> const ModelShape* {
    if (const ModelShape* found = table.find(name)) return found;
    const auto similar = table.similar(name);
    faults.push_back({ErrorCode::unknown_name, name, "", "unknown model " + quote(name),
                      similar.empty() ? "`gpuplan models` lists all" : "did you mean \"" + similar.front() + "\"?"});
    return nullptr;
  };
  const auto meant = [&](const std::string& name, Diagnostics& faults) {
    const ModelShape* found = find(name, faults);
    return found == nullptr ? std::vector<std::string>{} : std::vector{found->name};
  };
  return select(table.all(), kModelFields, words, find, meant);
}

}  // namespace gpuplan
