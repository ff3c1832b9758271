#pragma once

#include <optional>
#include <string_view>

#include "gpuplan/cards.hpp"
#include "gpuplan/catalog.hpp"
#include "gpuplan/date.hpp"
#include "gpuplan/result.hpp"

namespace gpuplan {

struct LintOptions {
  std::optional<Date> as_of;  // the day of the check; absent: the age of prices is not judged
  int most_days = 90;         // older prices are told
  // A price of one card that is so many times the median of its card, or its inverse, is told.
  int outlier = 10;
  // Prices that are known from elsewhere: they tell what is usual of a card of which the catalog has
  // few prices itself.
  const Catalog* known = nullptr;
  std::size_t most_each = 20;  // warnings of one code; the rest is counted in one more
};

// What a catalog may say and probably does not mean. `cards` includes the catalog's own. `where` is
// PLATFORM/OFFER or PLATFORM. Codes: price_missing, price_zero, price_outlier,
// price_not_growing, spot_above_on_demand, spot_implausible, term_above_on_demand, duplicate_offer, duplicate_prices_differ, card_vague,
// card_unknown, card_ambiguous, card_form_factor, card_memory_differs, memory_of_all_cards,
// share_without_memory, interconnect_not_stated, price_undated, price_old, price_in_future,
// stop_not_stated, fx_missing, plan_unknown.
Warnings lint_catalog(const Catalog& catalog, const CardTable& cards, const LintOptions& options = {});

}  // namespace gpuplan
