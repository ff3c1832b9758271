#include "gpuplan/origins.hpp"

#include <array>

#include "catalog/rules.hpp"

namespace gpuplan {
namespace {

using Layers = std::vector<JsonDocument>;  // the upper ones first

Layers parsed(const RuleLayer* layer) {
  Layers layers;
  for (; layer != nullptr; layer = layer->below.get())
    if (auto document = parse_json(layer->json, {})) layers.push_back(std::move(*document));
  return layers;
}

enum class Stated { no, null, yes };

// Short forms are whole groups in one value: "stop": "released", "ip_per_hour": 0.005.
bool short_form(const JsonNode& node, std::string_view key) {
  if (key == "ip") return node.find("ip_per_hour") != nullptr;
  return false;
}

Stated stated(const JsonNode& root, std::string_view key) {
  const JsonNode* node = &root;
  while (!key.empty()) {
    const std::string_view part = key.substr(0, key.find('.'));
    key.remove_prefix(std::min(key.size(), part.size() + 1));
    const JsonNode* next = node->find(part);
    if (next == nullptr) return short_form(*node, part) ? Stated::yes : Stated::no;
    if (next->is(JsonNode::Kind::null)) return Stated::null;
    if (!next->is(JsonNode::Kind::object)) {
      // "stop": "released" states the verb stop, and no other key of the group.
      const bool whole = key.empty() || (part == "stop" && key == "stop");
      return whole ? Stated::yes : Stated::no;
    }
    node = next;
  }
  return Stated::yes;
}

Stated stated(const Layers& layers, std::string_view key) {
  for (const JsonDocument& layer : layers)
    if (const Stated found = stated(layer.root(), key); found != Stated::no) return found;
  return Stated::no;
}

}  // namespace

struct RuleOrigins::Levels {
  struct Level {
    RuleOrigin origin;
    Layers layers;
  };
  std::array<Level, 3> levels;  // offer, platform, catalog
};

RuleOrigins::RuleOrigins(const Catalog& catalog, const Offer& offer) {
  const Platform& platform = catalog.platforms[offer.platform];
  const auto platform_date = platform.as_of ? platform.as_of : catalog.as_of;
  auto levels = std::make_shared<Levels>();
  levels->levels = {
      Levels::Level{{"offer", offer.source.empty() ? platform.source : offer.source.str(),
                     offer.as_of ? offer.as_of : platform_date},
                    parsed(offer.layer.get())},
      Levels::Level{{"platform", platform.source, platform_date}, parsed(platform.layer.get())},
      Levels::Level{{"catalog", catalog.name, catalog.as_of}, parsed(catalog.layer.get())}};
  levels_ = std::move(levels);
}

RuleOrigin RuleOrigins::of(std::string_view key) const {
  const auto& levels = levels_->levels;
  if (key.starts_with("price") || key.starts_with("components")) return levels[0].origin;
  if (key.starts_with("account") || key.starts_with("tax_percent")) return levels[1].origin;
  for (const Levels::Level& level : levels) {
    const Stated found = stated(level.layers, key);
    if (found == Stated::yes) return level.origin;
    if (found == Stated::null) break;
  }
  return {.level = "default", .source = {}, .as_of = {}};
}

}  // namespace gpuplan
