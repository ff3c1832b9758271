// The tables of a folder that --data names, and a model of one's own.
#include "../shared.hpp"
#include "gpuplan/compat.hpp"

namespace gpuplan::fuzz {

void feed_model(std::string_view bytes) {
  const auto shape = gpuplan::read_model(bytes, "fuzz.json");
  if (!shape) return look_at(shape.errors());
  look_at(*shape);
}

void feed_models(std::string_view bytes) {
  const auto table = gpuplan::read_models(bytes, "fuzz.json");
  if (!table) return look_at(table.errors());
  for (const ModelShape& shape : table->all()) look_at(shape);
}

void feed_cards(std::string_view bytes) {
  const auto table = gpuplan::read_cards(bytes, "fuzz.json");
  if (!table) return look_at(table.errors());
  for (const Card& card : table->all()) {
    demand(card.memory > Bytes{} && card.devices >= 1, "a card without memory");
    demand(table->find(card.name).has_value(), "a card that is not found by its own name");
  }
}

void feed_compat(std::string_view bytes) {
  const auto table = gpuplan::read_compat(bytes, "fuzz.json");
  if (!table) return look_at(table.errors());
  for (const std::string_view name : table->framework_names())
    (void)table->framework(name, *Version::parse("2.9"));
}

}  // namespace gpuplan::fuzz
