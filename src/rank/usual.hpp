#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "gpuplan/catalog.hpp"

namespace gpuplan::detail {

// What an hour of each card costs in most offers of a catalog, to tell prices in another unit or field.
// For questions only, so in doubles: nothing is billed from it.
class UsualPrices {
 public:
  explicit UsualPrices(const Catalog& catalog) : catalog_(&catalog) {}
  // `card` may be null: then the offer counts for none.
  void see(const Offer& offer, const Platform& platform, const Card* card);
  void see(UsualPrices&& others);  // what another has seen
  void close();  // all were seen

  struct Apart {
    double price, median;  // of one card an hour, in the catalog's currency
    std::size_t offers;
    double times() const { return price < median ? median / price : price / median; }
    std::string words() const;
  };
  // Nothing where no price is stated, or too few others are.
  std::optional<Apart> apart(const Offer& offer, const Platform& platform, const Card* card) const;

 private:
  std::optional<double> price_of(const Offer& offer, const Platform& platform) const;

  const Catalog* catalog_;
  struct Prices {
    std::vector<double> seen;
    double median = 0;
  };
  std::unordered_map<const Card*, Prices> cards_;
};

}  // namespace gpuplan::detail
