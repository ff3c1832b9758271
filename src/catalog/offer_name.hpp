#pragma once

#include <string>
#include <string_view>

#include "gpuplan/catalog.hpp"

namespace gpuplan {

// "acme/l40s" of the platform acme and its offer l40s. An id that the catalog did not state is made
// of the platform already, "acme/L40S-x1", and stays as it is: that is the word for --offer.
inline std::string offer_name(std::string_view platform, std::string_view id) {
  const bool whole = id.size() > platform.size() && id.starts_with(platform) && id[platform.size()] == '/';
  return whole ? std::string(id) : std::string(platform) + "/" + std::string(id);
}

inline std::string offer_name(const Catalog& catalog, const Offer& offer) {
  return offer_name(catalog.platforms[offer.platform].id, offer.id);
}

}  // namespace gpuplan
