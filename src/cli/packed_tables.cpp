#include "cli/packed_tables.hpp"

#include "core/builtin.hpp"
#include "spec/cards_read.hpp"
#include "spec/packed.hpp"

extern "C" {
extern const char gpuplan_data_packed_cards[], gpuplan_data_packed_cards_end[];
extern const char gpuplan_data_packed_models[], gpuplan_data_packed_models_end[];
}

namespace gpuplan::cli {

Result<CardTable> packed_cards() {
  auto cards = unpack_cards({gpuplan_data_packed_cards, gpuplan_data_packed_cards_end});
  if (!cards) return builtin_card_figures();
  return std::move(*cards);
}

Result<ModelTable> packed_models() {
  auto models = unpack_models({gpuplan_data_packed_models, gpuplan_data_packed_models_end});
  if (!models) return read_models(builtin_models(), "built-in models.json");
  return std::move(*models);
}

}  // namespace gpuplan::cli
