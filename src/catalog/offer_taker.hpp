#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "catalog/parts.hpp"
#include "core/json.hpp"
#include "gpuplan/catalog.hpp"

namespace gpuplan::detail {

inline constexpr std::size_t kMostFaults = 100;
// A million wrong offers must not become a million kept messages: `untold` counts the rest.
void trim(Diagnostics& faults, std::size_t& untold);

// Where an offer stands in the text.
struct Place {
  std::uint32_t platform;
  bool named;  // the id was written, not made
  std::size_t index;
  std::string pointer() const {
    return "/platforms/" + std::to_string(platform) + "/offers/" + std::to_string(index);
  }
};

// Texts that stand in many offers are kept once.
class TextPool {
 public:
  SharedText shared(std::string_view text);
  void share(SharedText& text) { text = shared(text.str()); }

 private:
  std::unordered_map<std::string_view, SharedText> texts_;  // keys are texts of the values
};

// Converts the offers of one stretch of a catalog while it is read, and drops their trees.
class OfferTaker : public JsonTaker {
 public:
  explicit OfferTaker(const std::string& source) : source_(&source) {}
  void take(std::span<const std::size_t> indices, const JsonNode& value) override;

  void clear();  // but not of its room and texts
  std::vector<Offer>& offers() { return offers_; }
  const std::vector<Place>& places() const { return places_; }  // of each offer
  const Diagnostics& faults() const { return faults_; }
  std::size_t untold() const { return untold_; }

 private:
  void take_any(Place place, const JsonNode& node);
  void add(Offer offer, const Place& place);

  const std::string* source_;
  std::vector<Offer> offers_;
  std::vector<Place> places_;
  Diagnostics faults_;
  std::size_t untold_ = 0;
  TextPool texts_;
};

}  // namespace gpuplan::detail
