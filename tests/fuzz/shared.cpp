#include "shared.hpp"

#include "core/builtin.hpp"
#include "gpuplan/catalog_tools.hpp"
#include "gpuplan/import.hpp"
#include "gpuplan/lint.hpp"
#include "gpuplan/memory.hpp"

namespace gpuplan::fuzz {

const CardTable& cards() {
  static const CardTable table = *builtin_card_table();
  return table;
}

const ModelTable& models() {
  static const ModelTable table = *read_models(builtin_models(), "models.json");
  return table;
}

const CardTable& few_cards() {
  static const CardTable few = [] {
    std::vector<Card> chosen;
    for (const char* name : {"H100", "A100", "L4", "L40S", "T4", "V100", "RTX 4090", "RTX 3090", "MI300X"})
      chosen.push_back(*cards().find(name)->card);
    return CardTable(std::move(chosen));
  }();
  return few;
}

const CardTable& cards_for(const Catalog& catalog, std::optional<CardTable>& own) {
  if (catalog.cards.empty()) return cards();
  return own.emplace(few_cards().with(catalog.cards));
}

void look_at(const Diagnostics& errors) {
  demand(!errors.empty(), "refused without an error");
  for (const Diagnostic& error : errors) {
    demand(!error.message.empty(), "an error without a message");
    // The pointer has the keys of the document as they are; whoever prints it makes them visible.
    for (const char c : error.message + error.hint)
      demand(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f, "a control character in an error");
  }
}

void look_at(const Catalog& catalog) {
  for (const Offer& offer : catalog.offers) {
    demand(offer.rules != nullptr && offer.gpus >= 1 && !offer.id.empty(), "an offer is not whole");
    demand(offer.platform < catalog.platforms.size(), "an offer without a platform");
  }
  std::optional<CardTable> own;
  const CardTable& all = cards_for(catalog, own);
  demand(bool(select_offers(catalog, all, {.filters = {"price>=0"}, .sort = "per_card", .group = "card"})),
         "an accepted catalog cannot be shown");
  (void)lint_catalog(catalog, all);
  if (!writing_faults(catalog).empty()) return;
  const std::string written = write_catalog(catalog);
  const auto again = read_catalog(written, "written");
  if (!again) broken("what was written is refused: " + to_text(again.errors().front()) + "\n" + written);
  demand(again->offers.size() == catalog.offers.size(), "offers were lost in writing");
  const CatalogDiff diff = diff_catalogs(catalog, *again);
  if (!diff.changed.empty())
    broken("writing changed " + diff.changed.front().key + " from " + diff.changed.front().from + " to " +
           diff.changed.front().to);
  demand(write_catalog(*again) == written, "written twice, a catalog differs");
}

void look_at(const ModelShape& shape) {
  const ParameterCount count = count_parameters(shape);
  demand(count.total() > 0, "a model without parameters");
  demand(count.active() <= count.total(), "more parameters at work than there are");
  if (shape.stored) demand(shape.stored->loaded() <= shape.stored->bytes, "more loaded than stored");
  for (const Mode mode : {Mode::inference, Mode::lora, Mode::full}) {
    Workload workload;
    workload.mode = mode;
    if (const auto resolved = resolve(workload, shape))
      demand(estimate_memory(shape, *resolved).per_gpu.total > Bytes{}, "a model without memory");
    else
      look_at(resolved.errors());
  }
}

}  // namespace gpuplan::fuzz
