#include "gpuplan/catalog.hpp"

namespace gpuplan {

std::vector<const Offer*> find_offers(const Catalog& catalog, std::string_view id) {
  std::vector<const Offer*> found;
  for (const Offer& offer : catalog.offers) {
    const std::string& platform = catalog.platforms[offer.platform].id;
    const bool whole = id.size() == platform.size() + 1 + offer.id.size() && id.starts_with(platform) &&
                       id[platform.size()] == '/' && id.ends_with(offer.id);
    if (offer.id == id || whole) found.push_back(&offer);
  }
  return found;
}

}  // namespace gpuplan
