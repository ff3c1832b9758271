#include "spec/table_filter.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>

#include "core/text.hpp"
#include "gpuplan/money.hpp"
#include "gpuplan/units.hpp"

namespace gpuplan {
namespace {

// A field of a row: a text, a number, or neither when the row does not say.
struct Value {
  std::optional<std::string> text;
  std::optional<double> number;
};

template <class Row>
struct Field {
  std::string_view name;
  bool numeric;
  Value (*get)(const Row&);
};

Value text_of(std::string text) { return {.text = std::move(text), .number = {}}; }
Value number_of(double number) { return {.text = {}, .number = number}; }

std::string class_text(CardClass c) {
  constexpr std::array<std::string_view, 5> kNames{"datacenter", "workstation", "consumer", "accelerator", "slice"};
  return std::string(kNames[static_cast<std::size_t>(c)]);
}

std::string kind_text(ModelKind k) {
  constexpr std::array<std::string_view, 6> kNames{"decoder", "encoder", "encoder_decoder", "vision", "diffusion", "state_space"};
  return std::string(kNames[static_cast<std::size_t>(k)]);
}

const std::array kCardFields{
    Field<Card>{"name", false, [](const Card& c) { return text_of(c.name); }},
    Field<Card>{"vendor", false, [](const Card& c) { return text_of(c.vendor); }},
    Field<Card>{"architecture", false, [](const Card& c) { return text_of(c.architecture); }},
    Field<Card>{"class", false, [](const Card& c) { return text_of(class_text(c.card_class)); }},
    Field<Card>{"native", false, [](const Card& c) { return text_of(join(c.native, " ")); }},
    Field<Card>{"memory", true, [](const Card& c) { return number_of(c.memory.as_double() / (1 << 30)); }},
    Field<Card>{"bandwidth", true, [](const Card& c) { return c.bandwidth ? number_of(c.bandwidth->per_second() * 1e-9) : Value{}; }},
    Field<Card>{"fp16", true, [](const Card& c) { return c.rates.fp16 ? number_of(c.rates.fp16->per_second() * 1e-12) : Value{}; }},
    Field<Card>{"fp64", true, [](const Card& c) { return c.rates.fp64 ? number_of(c.rates.fp64->per_second() * 1e-12) : Value{}; }},
    Field<Card>{"watts", true, [](const Card& c) { return c.watts > 0 ? number_of(c.watts) : Value{}; }},
    Field<Card>{"year", true, [](const Card& c) { return c.year > 0 ? number_of(c.year) : Value{}; }}};

const std::array kModelFields{
    Field<ModelShape>{"name", false, [](const ModelShape& m) { return text_of(m.name); }},
    Field<ModelShape>{"family", false, [](const ModelShape& m) { return text_of(m.family); }},
    Field<ModelShape>{"kind", false, [](const ModelShape& m) { return text_of(kind_text(m.kind)); }},
    Field<ModelShape>{"parameters", true, [](const ModelShape& m) { return number_of(static_cast<double>(count_parameters(m).total())); }},
    Field<ModelShape>{"active", true, [](const ModelShape& m) { return number_of(static_cast<double>(count_parameters(m).active())); }},
    Field<ModelShape>{"layers", true, [](const ModelShape& m) { return number_of(static_cast<double>(m.layers)); }},
    Field<ModelShape>{"hidden", true, [](const ModelShape& m) { return number_of(static_cast<double>(m.hidden)); }},
    Field<ModelShape>{"vocab", true, [](const ModelShape& m) { return number_of(static_cast<double>(m.vocab)); }}};

constexpr std::array<std::string_view, 7> kOperators{"!=", "<=", ">=", "=", "<", ">", "~"};

struct Filter {
  std::size_t field;
  std::string_view op;
  std::string wanted;
  double number;
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
  if (!value.text) return false;
  const std::string own = lower(*value.text), wanted = lower(filter.wanted);
  if (filter.op == "=") return own == wanted;
  if (filter.op == "!=") return own != wanted;
  return own.find(wanted) != std::string::npos;
}

// Splits "memory>=40"; nothing when the word has no operator.
template <class Fields>
std::optional<Filter> read_filter(const std::string& word, const Fields& fields, Diagnostics& faults) {
  const auto at = word.find_first_of("!<>=~");
  if (at == std::string::npos) return std::nullopt;
  Filter filter{.field = 0, .op = {}, .wanted = {}, .number = 0};
  for (const std::string_view op : kOperators)
    if (filter.op.empty() && word.compare(at, op.size(), op) == 0) filter.op = op;
  const auto fault = [&](std::string message, std::string hint) {
    faults.push_back({ErrorCode::usage, word, "", std::move(message), std::move(hint)});
    return std::optional{filter};
  };
  if (filter.op.empty()) return fault("is not a filter", "write FIELD OP VALUE, with one of = != < <= > >= ~");
  const std::string name = lower(word.substr(0, at));
  std::vector<std::string_view> names;
  std::vector<std::string> listed;
  for (const auto& field : fields) names.push_back(field.name), listed.emplace_back(field.name);
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) {
    const std::string guess = did_you_mean(name, names);
    return fault("no field is named " + quote(name), guess.empty() ? "fields: " + join(listed, ", ") : guess);
  }
  filter.field = static_cast<std::size_t>(found - names.begin());
  filter.wanted = word.substr(at + filter.op.size());
  const bool numeric = fields[filter.field].numeric;
  if (!numeric) {
    if (filter.op != "=" && filter.op != "!=" && filter.op != "~")
      return fault(quote(name) + " is a text", "compare it with =, != or ~ (contains)");
    return filter;
  }
  const auto number = Decimal::parse(filter.wanted);
  const auto count = parse_count(filter.wanted);
  if ((!number && !count) || filter.op == "~")
    return fault(quote(name) + " is a number, got " + quote(filter.wanted), "write a number such as 40, 0.5 or 8B");
  filter.number = number ? number->approximate() : static_cast<double>(*count);
  return filter;
}

template <class Row, class Fields, class Find>
Result<std::vector<const Row*>> select(const std::vector<Row>& all, const Fields& fields,
                                       std::span<const std::string> words, Find find) {
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

Result<std::vector<const Card*>> select_cards(const CardTable& table, std::span<const std::string> words) {
  return select(table.all(), kCardFields, words, [&](const std::string& name, Diagnostics& faults) -> const Card* {
    if (const auto found = table.find(name)) return found->card;
    faults.push_back(table.unknown(name, "cards"));
    return nullptr;
  });
}

Result<std::vector<const ModelShape*>> select_models(const ModelTable& table, std::span<const std::string> words) {
  return select(table.all(), kModelFields, words, [&](const std::string& name, Diagnostics& faults) -> const ModelShape* {
    if (const ModelShape* found = table.find(name)) return found;
    const auto similar = table.similar(name);
    faults.push_back({ErrorCode::unknown_name, name, "", "unknown model " + quote(name),
                      similar.empty() ? "`gpuplan models` lists all" : "did you mean \"" + similar.front() + "\"?"});
    return nullptr;
  });
}

}  // namespace gpuplan
