#include "../shared.hpp"
#include "gpuplan/catalog_tools.hpp"

namespace gpuplan::fuzz {

void feed_catalog(std::string_view bytes) {
  auto catalog = gpuplan::read_catalog(bytes, "fuzz.json");
  if (!catalog) return look_at(catalog.errors());
  look_at(*catalog);
  look_at(overlay(*catalog, *catalog));
  std::optional<CardTable> own;
  apply_contract(*catalog, cards_for(*catalog, own));
}

}  // namespace gpuplan::fuzz
