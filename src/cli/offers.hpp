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

// What stands beside the offers: the series of spot prices that they name, the contract in an overlay,
// and --price. `catalogs`: the files that were read, beside which a series lies.
struct Beside {
  const std::vector<std::string>& catalogs;
  std::vector<std::string> prices;
};
Diagnostics lay_prices(Catalog& catalog, const CardTable& cards, const Beside& beside, const Common& common);
// Where a path of a catalog leads: beside one of the catalogs that were read, the last first.
std::string file_of(const std::string& name, const std::vector<std::string>& catalogs);

}  // namespace gpuplan::cli
