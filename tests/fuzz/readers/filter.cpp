// Words that choose rows of a table, one on each line.
#include "../shared.hpp"
#include "gpuplan/catalog_tools.hpp"
#include "spec/table_filter.hpp"

namespace gpuplan::fuzz {
namespace {

// Without the last word there are as many rows or more.
void choose_offers(const std::vector<std::string>& words) {
  static const Catalog catalog = *gpuplan::read_catalog(
      R"({"schema": "gpuplan.catalog/1", "platforms": [{"id": "p", "currency": "USD", "stop": "released", "offers": [
        {"id": "a", "card": "H100", "gpus": 8, "region": "us-east-1", "price": {"on_demand": 27.92, "spot": 11}},
        {"id": "b", "card": "RTX 4090", "price": {"on_demand": 0.69}}, {"id": "c", "card": "L4", "price": {}}]}]})", "known");
  const auto chosen = select_offers(catalog, cards(), {.filters = words});
  if (!chosen) return look_at(chosen.errors());
  demand(chosen->offers.size() <= chosen->all, "more rows than there are");
  if (words.empty()) return;
  const std::vector<std::string> fewer(words.begin(), words.end() - 1);
  const auto more = select_offers(catalog, cards(), {.filters = fewer});
  demand(bool(more) && more->offers.size() >= chosen->offers.size(), "a filter more gives more rows");
}

}  // namespace

void feed_filter(std::string_view bytes) {
  std::vector<std::string> words;
  while (!bytes.empty() && words.size() < 8) {
    const std::string_view line = bytes.substr(0, bytes.find('\n'));
    bytes.remove_prefix(std::min(bytes.size(), line.size() + 1));
    (void)is_filter(line);
    words.emplace_back(line);
  }
  choose_offers(words);
  if (const auto chosen = select_cards(cards(), words); !chosen) look_at(chosen.errors());
  if (const auto chosen = select_models(models(), words); !chosen) look_at(chosen.errors());
}

}  // namespace gpuplan::fuzz
