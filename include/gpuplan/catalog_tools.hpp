#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpuplan/cards.hpp"
#include "gpuplan/catalog.hpp"
#include "gpuplan/date.hpp"
#include "gpuplan/result.hpp"

namespace gpuplan {

// What one looks at in an offer. Prices are those of an hour of the whole instance.
struct OfferView {
  const Offer* offer = nullptr;
  const Platform* platform = nullptr;
  const Card* card = nullptr;               // null: the table has none of this name
  std::optional<Bytes> memory = {};              // of one card
  std::optional<Decimal> price = {}, spot = {};  // in the platform's currency; 0 is unknown unless free
  std::optional<Decimal> common = {}, common_spot = {};  // in the catalog's; absent without a rate
  std::optional<Decimal> per_card = {};     // `common` for one whole card
};

struct OfferGroup {
  std::string key;
  std::size_t offers = 0, unpriced = 0;
  std::optional<Decimal> low = {}, middle = {}, high = {};  // per card an hour, in the catalog's currency
  std::optional<Decimal> spot_low = {};      // spot, per card an hour
};

struct SelectOptions {
  std::vector<std::string> filters;  // "card=H100", "gpus>=8", "price<30", "region~us"
  std::string sort = "price";        // see sort_keys()
  std::string group = {};            // card, platform, region; empty: none
};

struct Selection {
  std::vector<OfferView> offers = {};   // in order; what has no value of the key stands last
  std::vector<OfferGroup> groups = {};  // in order of `low`
  std::size_t all = 0;             // offers before the filters
};

std::span<const std::string_view> sort_keys();
bool is_filter(std::string_view word);
// Catalog and cards must outlive the selection. Every wrong filter, key or card is reported.
Result<Selection> select_offers(const Catalog& catalog, const CardTable& cards, const SelectOptions& options);

// What became of offers between two catalogs, by platform and id.
struct OfferChange {
  std::string offer, key;
  std::string from, to;           // as written; empty: not stated
  std::optional<double> percent;  // of prices that both state and that are not 0
};
struct CatalogDiff {
  std::vector<std::string> added, gone;
  std::vector<OfferChange> changed;
  Warnings warnings;  // suspicious_jump, price_lost, currency_changed
};
CatalogDiff diff_catalogs(const Catalog& from, const Catalog& to);

// When a difference is too much: "up:10%", "down:5%", "change:10%", "new", "gone", "changed".
struct DiffGate {
  std::string name;                // up, down, change, new, gone, changed
  std::optional<Decimal> percent;  // exactly at it passes
  std::string value;               // the worst that was found
  bool passed = true;
};
Result<DiffGate> read_diff_gate(std::string_view text);
void judge(DiffGate& gate, const CatalogDiff& diff);

// Adds an offer of the user's own price, "PLATFORM/CARD=1.98 CNY" or "PLATFORM/CARD x4=7.92": the price
// of an hour of the instance, under the rules of that platform. Nothing is returned when it is done.
std::optional<Diagnostic> add_own_price(Catalog& catalog, const CardTable& cards, std::string_view text,
                                        std::optional<Date> as_of);
// What stands in the way of writing this catalog as one document.
Diagnostics writing_faults(const Catalog& catalog);

}  // namespace gpuplan
