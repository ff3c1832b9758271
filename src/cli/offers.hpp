#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/outcome.hpp"
#include "gpuplan/cards.hpp"
#include "gpuplan/catalog.hpp"
#include "gpuplan/result.hpp"

namespace CLI {
class App;
}

namespace gpuplan::cli {

// The words that name catalogs, and --price: the same on every command that has offers.
void declare_catalogs(CLI::App& command, std::vector<std::string>& catalogs);
void declare_own_prices(CLI::App& command, std::vector<std::string>& prices);

// The one offer that --offer names; it may be left out where the catalog has only one.
Result<const Offer*> pick_offer(const Catalog& catalog, const std::string& id);

// What stands beside the offers: the series of spot prices that they name, the contract in an overlay,
// and the texts of --price.
Diagnostics lay_prices(Catalog& catalog, const CardTable& cards, std::span<const std::string> prices,
                       const Common& common);

}  // namespace gpuplan::cli
