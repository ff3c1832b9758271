// Two catalogs side by side.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "catalog/lint.hpp"
#include "catalog/names.hpp"
#include "catalog/rules.hpp"
#include "core/text.hpp"
#include "gpuplan/catalog_tools.hpp"

namespace gpuplan {
namespace {

// A price that doubles or halves from one list to the next is rather a mistake in one of them.
constexpr double kJump = 2;

struct Stated {
  std::string text;
  std::optional<Decimal> price = {};  // of prices only
};
using Facts = std::map<std::string, Stated>;

std::string text_of(const std::optional<Decimal>& value) { return value ? value->to_string() : std::string{}; }

void put_price(Facts& facts, const std::string& key, const std::optional<Decimal>& price) {
  if (price) facts[key] = {price->to_string(), price};
}
void put_text(Facts& facts, const std::string& key, const std::string& text) {
  if (!text.empty()) facts[key] = {text};
}

std::string refund_text(const Refund& refund) {
  switch (refund.kind) {
    case Refund::Kind::none: return "none";
    case Refund::Kind::pro_rata: return "pro_rata";
    case Refund::Kind::service_credit: return "service_credit";
    case Refund::Kind::multiplier: return "multiplier " + refund.value.to_string();
    case Refund::Kind::clawback: return "clawback_percent " + refund.value.to_string();
  }
  return {};
}

void put_rules(Facts& facts, const std::shared_ptr<const RuleLayer>& layer) {
  if (!layer) return;
  const auto document = parse_json(detail::spelled_out(*layer), {});
  if (!document) return;
  for (const JsonNode& group : document->root().children) {
    // People read the short form: "released" instead of {"stop": "released"}.
    const bool brief = group.children.size() == 1 && group.children.front().key == group.key;
    put_text(facts, std::string(group.key), to_json(brief ? group.children.front() : group));
  }
}

Facts facts_of(const Offer& offer, const Platform& platform) {
  Facts facts;
  put_price(facts, "price.on_demand", offer.price.on_demand);
  put_price(facts, "price.spot", offer.price.spot);
  for (const Commitment& term : offer.price.commitments) {
    put_price(facts, "price." + term.name, term.price);
    put_price(facts, "price." + term.name + ".hourly", term.hourly);
    put_text(facts, "price." + term.name + ".hours", term.hours.to_string());
    if (term.refund) put_text(facts, "price." + term.name + ".refund", refund_text(*term.refund));
  }
  for (const Component& part : offer.components) {
    put_price(facts, "components." + part.what + ".price", part.price);
    put_price(facts, "components." + part.what + ".spot", part.spot);
  }
  put_text(facts, "card", offer.card);
  put_text(facts, "gpus", std::to_string(offer.gpus));
  put_text(facts, "share", text_of(offer.share));
  put_text(facts, "memory", offer.memory ? std::to_string(offer.memory->count()) : std::string{});
  put_text(facts, "vcpus", text_of(offer.vcpus));
  put_text(facts, "ram_gb", text_of(offer.ram_gb));
  put_text(facts, "disk_gb", text_of(offer.disk_gb));
  put_text(facts, "interconnect", offer.interconnect ? std::string(name_of(*offer.interconnect)) : std::string{});
  put_text(facts, "tier", offer.tier);
  put_text(facts, "region", offer.region);
  put_text(facts, "zone", offer.zone);
  put_text(facts, "stock", offer.stock);
  put_text(facts, "free", offer.free ? "true" : "");
  put_text(facts, "price_kind", offer.quote ? "quote" : "");
  put_text(facts, "currency", platform.currency);
  put_rules(facts, offer.layer);
  return facts;
}

Facts facts_of(const Platform& platform) {
  Facts facts;
  put_text(facts, "tax_percent", text_of(platform.tax_percent));
  put_rules(facts, platform.layer);
  return facts;
}

class Differ {
 public:
  void compare(const std::string& name, const Facts& from, const Facts& to) {
    std::map<std::string, bool> keys;
    for (const auto& [key, stated] : from) keys[key] = true;
    for (const auto& [key, stated] : to) keys[key] = true;
    for (const auto& [key, unused] : keys) {
      const Stated a = at(from, key), b = at(to, key);
      if (a.price && b.price ? *a.price == *b.price : a.text == b.text) continue;
      // A term that is new or gone is told by its price.
      if (key.ends_with(".hours") && (a.text.empty() || b.text.empty())) continue;
      OfferChange change{name, key, a.text, b.text, {}};
      if (a.price && b.price && !a.price->is_zero() && !b.price->is_zero()) {
        const double ratio = b.price->approximate() / a.price->approximate();
        change.percent = (ratio - 1) * 100;
        if (ratio >= kJump || ratio <= 1 / kJump)
          diff_.warnings.push_back({"suspicious_jump", fmt::format("{} goes from {} to {}: is one of them for another number of cards, or another unit?", key, a.text, b.text), name});
      } else if (a.price && !a.price->is_zero()) {
        diff_.warnings.push_back({"price_lost", fmt::format("{} was {}, now it is {}", key, a.text, b.price ? "0" : "not stated"), name});
      }
      if (key == "currency")
        diff_.warnings.push_back({"currency_changed", fmt::format("prices were in {}, now they are in {}", a.text, b.text), name});
      diff_.changed.push_back(std::move(change));
    }
  }
  CatalogDiff& diff() { return diff_; }

 private:
  static Stated at(const Facts& facts, const std::string& key) {
    const auto found = facts.find(key);
    return found == facts.end() ? Stated{} : found->second;
  }
  CatalogDiff diff_;
};

std::map<std::string, const Offer*> by_name(const Catalog& catalog) {
  std::map<std::string, const Offer*> offers;
  for (const Offer& offer : catalog.offers) offers[detail::place(catalog, offer)] = &offer;
  return offers;
}

}  // namespace

CatalogDiff diff_catalogs(const Catalog& from, const Catalog& to) {
  Differ differ;
  const auto before = by_name(from), after = by_name(to);
  for (const Platform& platform : to.platforms) {
    const auto old = std::ranges::find(from.platforms, platform.id, &Platform::id);
    if (old != from.platforms.end()) differ.compare(platform.id, facts_of(*old), facts_of(platform));
  }
  for (const auto& [name, offer] : before) {
    const auto now = after.find(name);
    if (now == after.end()) differ.diff().gone.push_back(name);
    else differ.compare(name, facts_of(*offer, from.platforms[offer->platform]), facts_of(*now->second, to.platforms[now->second->platform]));
  }
  for (const auto& [name, offer] : after)
    if (!before.contains(name)) differ.diff().added.push_back(name);
  return std::move(differ.diff());
}

Result<DiffGate> read_diff_gate(std::string_view text) {
  constexpr std::array<std::string_view, 3> kMoves{"up", "down", "change"}, kKinds{"new", "gone", "changed"};
  DiffGate gate;
  const auto colon = text.find(':');
  gate.name = text.substr(0, colon);
  if (colon == std::string_view::npos && std::ranges::find(kKinds, gate.name) != kKinds.end()) return gate;
  if (colon != std::string_view::npos && std::ranges::find(kMoves, gate.name) != kMoves.end()) {
    std::string_view limit = text.substr(colon + 1);
    if (limit.ends_with('%')) limit.remove_suffix(1);
    gate.percent = Decimal::parse(limit);
    if (gate.percent && *gate.percent <= Decimal::of(100'000)) return gate;
  }
  return Diagnostic{ErrorCode::usage, "--fail-on", "", "expected up:10%, down:10%, change:10%, new, gone or changed, got " + quote(text), ""};
}

void judge(DiffGate& gate, const CatalogDiff& diff) {
  if (!gate.percent) {
    const std::size_t count = gate.name == "new" ? diff.added.size() : gate.name == "gone" ? diff.gone.size() : diff.changed.size();
    gate.value = std::to_string(count);
    gate.passed = count == 0;
    return;
  }
  double worst = 0;
  for (const OfferChange& change : diff.changed) {
    if (!change.percent) continue;
    const bool up = *change.percent > 0;
    if ((gate.name == "up" && !up) || (gate.name == "down" && up)) continue;
    worst = std::max(worst, up ? *change.percent : -*change.percent);
    // Exactly: the move in percent is |to - from| x 100 / from.
    const Decimal from = *Decimal::parse(change.from), to = *Decimal::parse(change.to);
    const auto scaled = [](const Decimal& value) {
      Wide digits = value.digits();
      for (int i = value.scale(); i < 9; ++i) digits *= 10;
      for (int i = value.scale(); i > 9; --i) digits /= 10;
      return digits;
    };
    const Wide a = scaled(from), b = scaled(to);
    const Wide move = a > b ? a - b : b - a;
    Wide unit = 1;
    for (int i = 0; i < std::min(gate.percent->scale(), 4); ++i) unit *= 10;
    Wide limit = gate.percent->digits();
    for (int i = 4; i < gate.percent->scale(); ++i) limit /= 10;
    if (move * 100 * unit > a * limit) gate.passed = false;
  }
  gate.value = fmt::format("{:.9g}", worst);
}

}  // namespace gpuplan
