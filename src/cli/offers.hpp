#pragma once

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

// What the user says of prices beside the catalog: --price, and the contract in an overlay.
Diagnostics lay_own_prices(Catalog& catalog, const CardTable& cards, const std::vector<std::string>& prices,
                           const Common& common);

}  // namespace gpuplan::cli
