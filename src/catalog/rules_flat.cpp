// Layers of rules as one text.
#include <algorithm>
#include <array>
#include <utility>

#include "catalog/rules.hpp"

namespace gpuplan::detail {
namespace {

// Forms of one thing that exclude each other: what the upper layer says drives the others out.
using Forms = std::array<std::string_view, 4>;
constexpr std::array kForms{Forms{"per_gb_hour", "per_gb_day", "per_gb_month", "tiers"},
                            Forms{"ip", "ip_per_hour"},
                            Forms{"weibull", "uniform", "mixture"},
                            Forms{"interruption_percent_hour", "interruption_percent_month"},
                            Forms{"multiplier", "clawback_percent"}};

bool exclude(std::string_view a, std::string_view b) {
  return a != b && std::ranges::any_of(kForms, [&](const Forms& forms) {
           return std::ranges::find(forms, a) != forms.end() && std::ranges::find(forms, b) != forms.end();
         });
}

// "stop": "released" is short for {"stop": "released"}.
JsonDraft written_out(std::string_view key, JsonDraft value) {
  if (key != "stop" || value.kind != JsonNode::Kind::string) return value;
  JsonDraft object{.kind = JsonNode::Kind::object};
  object.keys = {"stop"};
  object.children.push_back(std::move(value));
  return object;
}

void erase(JsonDraft& object, std::size_t at) {
  object.keys.erase(object.keys.begin() + static_cast<std::ptrdiff_t>(at));
  object.children.erase(object.children.begin() + static_cast<std::ptrdiff_t>(at));
}

// An object is laid over an object key by key; anything else replaces. `group`: the members are
// groups of rules, which have short forms.
void lay_over(JsonDraft& lower, JsonDraft upper, bool group) {
  for (std::size_t i = 0; i < upper.keys.size(); ++i) {
    const std::string& key = upper.keys[i];
    for (std::size_t at = lower.keys.size(); at-- > 0;)
      if (exclude(lower.keys[at], key)) erase(lower, at);
    JsonDraft value = std::move(upper.children[i]);
    if (group) value = written_out(key, std::move(value));
    const auto found = std::ranges::find(lower.keys, key);
    if (found == lower.keys.end()) {
      lower.keys.push_back(key);
      lower.children.push_back(std::move(value));
      continue;
    }
    JsonDraft& below = lower.children[static_cast<std::size_t>(found - lower.keys.begin())];
    if (group) below = written_out(key, std::move(below));
    if (below.kind == JsonNode::Kind::object && value.kind == JsonNode::Kind::object)
      lay_over(below, std::move(value), false);
    else
      below = std::move(value);
  }
}

JsonDraft merged(const RuleLayer& layer) {
  JsonDraft result{.kind = JsonNode::Kind::object};
  if (layer.below) result = merged(*layer.below);
  if (const auto document = parse_json(layer.json, {})) lay_over(result, draft_of(document->root()), true);
  return result;
}

void sort_keys(JsonDraft& value) {
  for (JsonDraft& child : value.children) sort_keys(child);
  if (value.kind != JsonNode::Kind::object) return;
  std::vector<std::pair<std::string, JsonDraft>> members;
  for (std::size_t i = 0; i < value.keys.size(); ++i)
    members.emplace_back(std::move(value.keys[i]), std::move(value.children[i]));
  std::ranges::sort(members, {}, &std::pair<std::string, JsonDraft>::first);
  for (std::size_t i = 0; i < members.size(); ++i) {
    value.keys[i] = std::move(members[i].first);
    value.children[i] = std::move(members[i].second);
  }
}

}  // namespace

std::string spelled_out(const RuleLayer& layer) {
  JsonDraft rules = merged(layer);
  sort_keys(rules);
  return to_json(document_of(rules).root());
}

std::string flattened(const RuleLayer& layer) {
  return layer.below ? to_json(document_of(merged(layer)).root()) : layer.json;
}

}  // namespace gpuplan::detail
