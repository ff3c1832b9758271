#include "../shared.hpp"
#include "gpuplan/catalog_tools.hpp"

namespace gpuplan::fuzz {

void feed_catalog(std::string_view bytes) {
  auto catalog = gpuplan::read_catalog(bytes, "fuzz.json");
  if (!catalog) return look_at(catalog.errors());
  look_at(*catalog);
  look_at(overlay(*catalog, *catalog));
  apply_contract(*catalog, cards().with(catalog->cards));
}

}  // namespace gpuplan::fuzz
