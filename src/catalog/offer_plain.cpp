// Offers that say only what most of them say. A machine-made catalog has a million of these: each is
// read in one pass over its keys. Anything else, and anything that is wrong, is left to read_offer().
#include <algorithm>
#include <array>

#include "catalog/offer_taker.hpp"
#include "catalog/parts.hpp"

namespace gpuplan::detail {
namespace {

bool is_name(const JsonNode& node) {
  constexpr std::size_t kMost = 200;
  bool any = false;
  for (const char c : node.text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return false;
    any = any || c != ' ';
  }
  return node.is(JsonNode::Kind::string) && any && node.text.size() <= kMost;
}

std::optional<Decimal> number(const JsonNode& node) {
  return node.is(JsonNode::Kind::number) ? Decimal::parse(node.text) : std::nullopt;
}

bool id_of(const JsonNode& node, TextPool&, Offer& offer) {
  if (!is_name(node)) return false;
  offer.id = node.text;
  return true;
}
template <auto member>
bool text_of(const JsonNode& node, TextPool& texts, Offer& offer) {
  if (!is_name(node)) return false;
  offer.*member = texts.shared(node.text);
  return true;
}
// Above 0.
template <auto member>
bool size_of(const JsonNode& node, TextPool&, Offer& offer) {
  offer.*member = number(node);
  return offer.*member && !(offer.*member)->is_zero();
}

bool gpus_of(const JsonNode& node, TextPool&, Offer& offer) {
  constexpr std::int64_t kMostCards = 100'000;
  const auto count = number(node);
  offer.gpus = count ? count->whole().value_or(0) : 0;
  return offer.gpus >= 1 && offer.gpus <= kMostCards;
}

// A key of the catalog's owner.
bool is_own(const JsonNode& node) { return node.key.starts_with("x_"); }

bool price_of(const JsonNode& node, TextPool&, Offer& offer) {
  if (!node.is(JsonNode::Kind::object)) return false;
  for (const JsonNode& child : node.children) {
    auto* price = child.key == "on_demand" ? &offer.price.on_demand : child.key == "spot" ? &offer.price.spot : nullptr;
    if (price == nullptr) return false;
    *price = number(child);
    if (!*price) return false;
  }
  return true;
}

struct Key {
  std::string_view name;  // none is empty
  bool is(std::string_view key) const {
    return name.size() == key.size() && name.back() == key.back() && name == key;
  }
  bool (*take)(const JsonNode&, TextPool&, Offer&);
};
constexpr std::array kKeys{Key{"id", id_of},                      Key{"card", text_of<&Offer::card>},
                           Key{"gpus", gpus_of},                  Key{"price", price_of},
                           Key{"region", text_of<&Offer::region>}, Key{"zone", text_of<&Offer::zone>},
                           Key{"vcpus", size_of<&Offer::vcpus>},  Key{"ram_gb", size_of<&Offer::ram_gb>},
                           Key{"tier", text_of<&Offer::tier>},    Key{"note", text_of<&Offer::note>}};

}  // namespace

bool read_plain_offer(const JsonNode& node, TextPool& texts, Offer& offer) {
  if (!node.is(JsonNode::Kind::object)) return false;
  bool priced = false;
  for (const JsonNode& child : node.children) {
    const auto key = std::ranges::find_if(kKeys, [&](const Key& known) { return known.is(child.key); });
    if (key == kKeys.end() && is_own(child)) {
      offer.own.push_back({std::string(child.key), to_json(child)});
      continue;
    }
    if (key == kKeys.end() || !key->take(child, texts, offer)) return false;
    priced = priced || key->name == "price";
  }
  return priced && !offer.card.empty();
}

}  // namespace gpuplan::detail
