#include "catalog/offer_taker.hpp"

#include <fmt/format.h>

#include <utility>

namespace gpuplan::detail {

void trim(Diagnostics& faults, std::size_t& untold) {
  if (faults.size() <= kMostFaults) return;
  untold += faults.size() - kMostFaults;
  faults.resize(kMostFaults);
}

SharedText TextPool::shared(std::string_view text) {
  if (text.empty()) return {};
  if (const auto known = texts_.find(text); known != texts_.end()) return known->second;
  SharedText fresh(text);
  const std::string_view key = fresh.str();
  return texts_.emplace(key, std::move(fresh)).first->second;
}

void OfferTaker::take(std::span<const std::size_t> indices, const JsonNode& value) {
  Place place{static_cast<std::uint32_t>(indices[0]), false, indices[1]};
  Offer& plain = offers_.emplace_back();
  if (!read_plain_offer(value, texts_, plain)) {
    offers_.pop_back();
    return take_any(place, value);
  }
  place.named = !plain.id.empty();
  plain.platform = place.platform;
  places_.push_back(place);
}

void OfferTaker::take_any(Place place, const JsonNode& node) {
  const JsonContext context{.source = *source_, .faults = &faults_, .prefix = place.pointer()};
  const JsonReader reader(node, context);
  place.named = reader.has("id");
  if (!reader.is_object()) return trim(faults_, untold_);
  WrittenOffer written = read_offer(reader);
  Offer& offer = written.offer;
  for (SharedText* text : {&offer.card, &offer.region, &offer.tier, &offer.zone, &offer.stock, &offer.source})
    texts_.share(*text);
  if (written.counts.empty()) {
    add(std::move(offer), place);
  } else {
    for (const std::int64_t count : written.counts) {
      Offer counted = offer;
      if (!multiply(counted, count))
        reader.at("gpu_counts").complain(fmt::format("the price of {} cards has too many digits", count));
      if (place.named) counted.id += "-x" + std::to_string(count);
      add(std::move(counted), place);
    }
  }
  trim(faults_, untold_);
}

void OfferTaker::clear() {
  offers_.clear();
  places_.clear();
  faults_.clear();
  untold_ = 0;
}

void OfferTaker::add(Offer offer, const Place& place) {
  offer.platform = place.platform;
  offers_.push_back(std::move(offer));
  places_.push_back(place);
}

}  // namespace gpuplan::detail
