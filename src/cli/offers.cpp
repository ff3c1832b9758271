#include "cli/offers.hpp"

#include <CLI/CLI.hpp>

#include "catalog/offer_name.hpp"
#include "cli/answer.hpp"
#include "cli/files.hpp"
#include "core/text.hpp"
#include "gpuplan/catalog_tools.hpp"

namespace gpuplan::cli {

void declare_catalogs(CLI::App& command, std::vector<std::string>& catalogs) {
  command
      .add_option("catalog", catalogs, "catalog files, - for standard input; the later win")
      ->type_name("CATALOG");
}

void declare_own_prices(CLI::App& command, std::vector<std::string>& prices) {
  command.add_option("--price", prices, "a price of your own: 'PLATFORM/CARD=1.98 CNY'")
      ->group("Choice")
      ->type_name("PRICE")
      ->expected(1)
      ->take_all();
}

Result<const Offer*> pick_offer(const Catalog& catalog, const std::string& id) {
  if (id.empty() && catalog.offers.size() == 1) return &catalog.offers.front();
  if (id.empty())
    return Diagnostic{
        ErrorCode::usage, "--offer", "",
        "say which of the " + std::to_string(catalog.offers.size()) + " offers is meant",
        "ids stand in the JSON of `gpuplan compare`"};
  const auto found = find_offers(catalog, id);
  if (found.size() == 1) return found.front();
  std::vector<std::string> names;
  std::vector<std::string_view> ids;
  for (const Offer* offer : found)
    names.push_back(offer_name(catalog, *offer));
  for (const Offer& offer : catalog.offers) ids.push_back(offer.id);
  if (found.empty())
    return Diagnostic{ErrorCode::unknown_name, "--offer", "",
                      "the catalog has no offer " + quote(id), did_you_mean(id, ids)};
  return Diagnostic{ErrorCode::unknown_name, "--offer", "", quote(id) + " fits several offers",
                    "write one of " + join(names, ", ")};
}

Diagnostics lay_prices(Catalog& catalog, const CardTable& cards, std::span<const std::string> prices,
                       const Common& common) {
  const auto date = as_of(common);
  if (!date) return date.errors();
  Diagnostics faults = lay_spot_series(catalog, [](const std::string& path) -> Result<PriceSeries> {
    const auto text = read_file(path);
    if (!text) {
      Diagnostics unread = text.errors();
      for (Diagnostic& fault : unread) fault.hint += " The catalog names it in price.spot_series, beside itself";
      return unread;
    }
    return read_price_series(*text, path);
  });
  apply_contract(catalog, cards);  // a price of one's own is already the one that is paid
  const CardTable all = cards.with(catalog.cards);
  for (const std::string& text : prices)
    if (auto fault = add_own_price(catalog, all, text, *date)) faults.push_back(std::move(*fault));
  return faults;
}

}  // namespace gpuplan::cli
