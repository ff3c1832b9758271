#pragma once

#include <memory>
#include <string_view>
#include <unordered_map>

#include "catalog/rules.hpp"

namespace gpuplan::detail {

// Rules of one platform's offers. Offers that state the same share the same merged rules.
class OfferRules {
 public:
  explicit OfferRules(std::shared_ptr<const Rules> platform) : platform_(std::move(platform)) {}
  const std::shared_ptr<const Rules>& platform() const { return platform_; }

  struct Found {
    std::shared_ptr<const Rules> rules;
    bool first;  // nobody asked for these before
  };
  // `layer` may be null: the platform's own. It must live as long as this object.
  Found of(const RuleLayer* layer) {
    const std::string_view key = layer == nullptr ? std::string_view{} : layer->json;
    const std::string_view source = layer == nullptr ? std::string_view{} : layer->source;
    const auto [entry, first] = merged_[source].try_emplace(key);
    if (first) entry->second = layer == nullptr ? platform_ : laid_over(*layer);
    return {entry->second, first};
  }

 private:
  std::shared_ptr<const Rules> laid_over(const RuleLayer& layer) const {
    auto rules = std::make_shared<Rules>(*platform_);
    lay_rules(layer, *rules);
    return rules;
  }

  std::shared_ptr<const Rules> platform_;
  // By the catalog, where they name a file beside it, and by what they say.
  std::unordered_map<std::string_view, std::unordered_map<std::string_view, std::shared_ptr<const Rules>>> merged_;
};

// Fills in the rules of every platform and offer from what the levels state.
void merge_rules(Catalog& catalog);

}  // namespace gpuplan::detail
