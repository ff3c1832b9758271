// Single values as people write them. What is accepted reads back as the same.
#include <string>

#include "../shared.hpp"
#include "gpuplan/catalog_tools.hpp"
#include "gpuplan/date.hpp"
#include "gpuplan/environment.hpp"
#include "gpuplan/money.hpp"
#include "gpuplan/spot.hpp"
#include "gpuplan/units.hpp"

namespace gpuplan::fuzz {
namespace {

void read_numbers(std::string_view text) {
  if (const auto value = Decimal::parse(text)) {
    demand(value->digits() >= 0, "a decimal below nothing");
    const auto again = Decimal::parse(value->to_string());
    demand(again && *again == *value, "a decimal reads back differently");
  }
  if (const auto value = Money::parse(text)) {
    demand(*value >= Money{}, "money below nothing");
    const auto again = Money::parse(to_string(*value));
    demand(again && *again == *value, "money reads back differently");
    demand(Money::rounded(*Decimal::parse(text)) == *value, "two roads to money");
  }
  if (const auto value = parse_count(text)) demand(*value >= 0, "a count below nothing");
}

void read_units(std::string_view text) {
  if (const auto value = parse_bytes(text)) {
    demand(*value >= Bytes{}, "bytes below nothing");
    demand(parse_bytes(std::to_string(value->count()) + "B") == *value, "bytes read back differently");
  }
  if (const auto value = parse_duration(text)) demand(value->count() >= 0, "time below nothing");
  if (const auto value = parse_bandwidth(text)) demand(value->per_second() >= 0, "a rate below nothing");
  for (const UnitKind kind : {UnitKind::bytes, UnitKind::duration, UnitKind::count, UnitKind::bandwidth,
                              UnitKind::decimal, UnitKind::integer})
    (void)unit_hint(text, kind);
}

void read_dates(std::string_view text) {
  if (const auto date = parse_date(text)) demand(to_string(*date) == text, "a date reads back differently");
  (void)parse_moment(text);
}

void read_small_languages(std::string_view text) {
  if (const auto version = Version::parse(text)) demand(!version->parts.empty(), "a version of nothing");
  constexpr std::string_view kKnown[] = {"torch", "vllm", "flash-attn"};
  (void)parse_framework(text, kKnown);
  (void)parse_policy(text);
  if (const auto gate = read_diff_gate(text); !gate) look_at(gate.errors());
  static const Catalog known = *gpuplan::read_catalog(
      R"({"schema": "gpuplan.catalog/1", "fx": {"CNY": 0.14}, "platforms": [{"id": "p", "currency": "CNY", "stop": "released"}]})", "known");
  Catalog catalog = known;
  if (const auto fault = add_own_price(catalog, cards(), text, std::nullopt))
    look_at(Diagnostics{*fault});
  else
    look_at(catalog);
}

}  // namespace

void feed_values(std::string_view bytes) {
  if (bytes.size() > 200) return;
  read_numbers(bytes);
  read_units(bytes);
  read_dates(bytes);
  read_small_languages(bytes);
}

}  // namespace gpuplan::fuzz
