// Offers of a catalog by filters, in order, in groups.
#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <unordered_map>

#include "catalog/import/builder.hpp"
#include "core/text.hpp"
#include "core/trim.hpp"
#include "gpuplan/catalog_tools.hpp"

namespace gpuplan {
namespace {

enum class Field { card, platform, region, gpus, price, spot, memory, interconnect, tier };
struct FieldName {
  Field field;
  std::string_view name;
  bool number;
};
constexpr std::array kFields{FieldName{Field::card, "card", false},     FieldName{Field::platform, "platform", false},
                             FieldName{Field::region, "region", false}, FieldName{Field::gpus, "gpus", true},
                             FieldName{Field::price, "price", true},    FieldName{Field::spot, "spot", true},
                             FieldName{Field::memory, "memory", true},  FieldName{Field::interconnect, "interconnect", false},
                             FieldName{Field::tier, "tier", false}};
constexpr std::array<std::string_view, 7> kOperators{"!=", "<=", ">=", "=", "<", ">", "~"};
constexpr std::array<std::string_view, 9> kSorts{"price", "per_card", "spot", "memory", "gpus", "card", "platform", "region", "file"};
constexpr std::array<std::string_view, 3> kGroups{"card", "platform", "region"};

struct Filter {
  Field field = Field::card;
  std::string_view op;
  std::string text;            // lower case
  Decimal number;              // of memory: GiB
  std::set<std::string> cards;  // that the name can mean
};

std::optional<std::size_t> operator_at(std::string_view word) {
  const auto at = word.find_first_of("!<>=~");
  return at == std::string_view::npos || at == 0 ? std::nullopt : std::optional(at);
}

Diagnostic wrong(std::string_view word, std::string message, std::string hint) {
  return {ErrorCode::usage, std::string(word), "", std::move(message), std::move(hint)};
}

std::optional<Decimal> gib(std::string_view text) {
  if (const auto number = Decimal::parse(text)) return number;
  const auto bytes = parse_bytes(text);
  return bytes ? detail::over(Decimal::of(bytes->count()), std::int64_t{1} << 30) : std::nullopt;
}

class FilterReader {
 public:
  FilterReader(const Catalog& catalog, const CardTable& cards) : catalog_(&catalog), cards_(&cards) {}

  Result<Filter> read(std::string_view word) const {
    Filter filter;
    const auto at = operator_at(word);
    if (!at) return wrong(word, "is not a filter", "write FIELD OP VALUE, with one of = != < <= > >= ~");
    for (const std::string_view op : kOperators)
      if (filter.op.empty() && word.substr(*at).starts_with(op)) filter.op = op;
    if (filter.op.empty()) return wrong(word, "is not a filter", "write FIELD OP VALUE, with one of = != < <= > >= ~");
    const std::string name = lower(trimmed(word.substr(0, *at)));
    const auto field = std::ranges::find(kFields, name, &FieldName::name);
    if (field == kFields.end()) {
      std::vector<std::string_view> names;
      for (const FieldName& entry : kFields) names.push_back(entry.name);
      const std::string guess = did_you_mean(name, names);
      return wrong(word, "no field is named " + quote(name),
                   guess.empty() ? "fields: card, platform, region, gpus, price, spot, memory, interconnect, tier" : guess);
    }
    filter.field = field->field;
    const std::string_view value = trimmed(word.substr(*at + filter.op.size()));
    return field->number ? read_number(word, name, value, std::move(filter)) : read_text(word, name, value, std::move(filter));
  }

 private:
  static Result<Filter> read_number(std::string_view word, const std::string& name, std::string_view value, Filter filter) {
    const auto number = filter.field == Field::memory ? gib(value) : Decimal::parse(value);
    if (!number || filter.op == "~")
      return wrong(word, quote(name) + " is a number, got " + quote(value), filter.field == Field::memory ? "write GiB of one card such as 40, or a size such as 80GB or 24GiB" : "write a number such as 8 or 1.5");
    filter.number = *number;
    return filter;
  }
  Result<Filter> read_text(std::string_view word, const std::string& name, std::string_view value, Filter filter) const {
    if (filter.op != "=" && filter.op != "!=" && filter.op != "~")
      return wrong(word, quote(name) + " is a text", "compare it with =, != or ~ (contains)");
    filter.text = lower(value);
    if (filter.op != "~")
      if (auto unknown = unknown_value(word, value, filter)) return *unknown;
    if (filter.field != Field::card || filter.op == "~") return filter;
    if (const auto found = cards_->find(value)) {
      filter.cards.insert(found->card->name);
      for (const Card* other : found->others) filter.cards.insert(other->name);
    } else if (std::ranges::none_of(catalog_->offers, [&](const Offer& o) { return lower(o.card) == filter.text; })) {
      Diagnostic unknown = cards_->unknown(value, std::string(word));
      unknown.code = ErrorCode::unknown_name;
      return unknown;
    }
    return filter;
  }

  // Of what there is only some: a misspelt one would silently find nothing.
  std::optional<Diagnostic> unknown_value(std::string_view word, std::string_view value, const Filter& filter) const {
    constexpr std::array<std::string_view, 4> kWires{"nvlink", "nvswitch", "pcie", "none"};
    std::vector<std::string_view> there;
    if (filter.field == Field::interconnect) there.assign(kWires.begin(), kWires.end());
    if (filter.field == Field::platform)
      for (const Platform& platform : catalog_->platforms) there.push_back(platform.id);
    if (there.empty() || std::ranges::any_of(there, [&](std::string_view known) { return lower(known) == filter.text; }))
      return std::nullopt;
    if (filter.field == Field::interconnect)
      return wrong(word, "expected one of nvlink, nvswitch, pcie, none, got " + quote(value), did_you_mean(value, there));
    const std::string guess = did_you_mean(value, there);
    return Diagnostic{ErrorCode::unknown_name, std::string(word), "", "no platform " + quote(value) + " in the catalog",
                      guess.empty() ? "`gpuplan catalog show --group platform` lists them" : guess};
  }

  const Catalog* catalog_;
  const CardTable* cards_;
};

bool holds(const Decimal& a, std::string_view op, const Decimal& b) {
  if (op == "=") return a == b;
  if (op == "!=") return a != b;
  if (op == "<") return a < b;
  if (op == "<=") return a <= b;
  return op == ">" ? a > b : a >= b;
}

bool holds(std::string_view own, const Filter& filter) {
  const std::string text = lower(own);
  if (filter.op == "=") return text == filter.text;
  if (filter.op == "!=") return text != filter.text;
  return text.find(filter.text) != std::string::npos;
}

bool card_holds(const OfferView& view, const Filter& filter) {
  const bool meant = lower(view.offer->card) == filter.text || (view.card != nullptr && filter.cards.contains(view.card->name));
  if (filter.op == "=") return meant;
  if (filter.op == "!=") return !meant;
  return holds(view.offer->card, filter) || (view.card != nullptr && holds(view.card->name, filter));
}

// What is not known meets no comparison.
bool number_holds(const std::optional<Decimal>& value, const Filter& filter) {
  return value && holds(*value, filter.op, filter.number);
}

bool matches(const OfferView& view, const Filter& filter) {
  switch (filter.field) {
    case Field::card: return card_holds(view, filter);
    case Field::platform: return holds(view.platform->id, filter);
    case Field::region: return holds(view.offer->region, filter);
    case Field::gpus: return holds(Decimal::of(view.offer->gpus), filter.op, filter.number);
    case Field::price: return number_holds(view.common, filter);
    case Field::spot: return number_holds(view.common_spot, filter);
    case Field::memory:
      return number_holds(view.memory ? detail::over(Decimal::of(view.memory->count()), std::int64_t{1} << 30) : std::nullopt, filter);
    case Field::interconnect: return holds(view.offer->interconnect ? name_of(*view.offer->interconnect) : std::string_view{}, filter);
    case Field::tier: return holds(view.offer->tier, filter);
  }
  return false;
}

std::optional<Decimal> hour_of(const std::optional<Decimal>& price, PriceUnit per) {
  if (!price) return std::nullopt;
  switch (per) {
    case PriceUnit::second: return detail::times(*price, Decimal::of(3600));
    case PriceUnit::hour: return price;
    case PriceUnit::day: return detail::over(*price, 24);
    case PriceUnit::month: return detail::over(*price, 730);
  }
  return std::nullopt;
}

// The sum of the parts; nothing when one of them has no price.
std::optional<Decimal> sum_of_parts(const Offer& offer, std::optional<Decimal> Component::* price) {
  std::optional<Decimal> sum = Decimal{};
  for (const Component& part : offer.components) {
    const auto one = hour_of(part.*price, part.per);
    const Decimal count = part.what == "gpu"    ? Decimal::of(offer.gpus)
                          : part.what == "vcpu" ? offer.vcpus.value_or(Decimal{})
                          : part.what == "fee"  ? Decimal::of(1)
                                                : offer.ram_gb.value_or(Decimal{});
    const auto all = one ? detail::times(*one, count) : std::nullopt;
    sum = sum && all ? detail::plus(*sum, *all) : std::nullopt;
  }
  return offer.components.empty() ? std::nullopt : sum;
}

std::optional<Decimal> price_or_parts(const Offer& offer, const MaybeDecimal& price,
                                      std::optional<Decimal> Component::* parts) {
  return price ? std::optional<Decimal>(*price) : sum_of_parts(offer, parts);
}

class Viewer {
 public:
  Viewer(const Catalog& catalog, const CardTable& cards) : catalog_(&catalog), cards_(&cards) {}

  OfferView view(const Offer& offer) {
    OfferView view{.offer = &offer, .platform = &catalog_->platforms[offer.platform]};
    const auto [entry, fresh] = known_.try_emplace(offer.card, nullptr);
    if (fresh)
      if (const auto found = cards_->find(offer.card)) entry->second = found->card;
    view.card = entry->second;
    if (offer.memory) view.memory = offer.memory;
    else if (view.card != nullptr) view.memory = view.card->memory;
    view.price = known(price_or_parts(offer, offer.price.on_demand, &Component::price), offer);
    view.spot = known(price_or_parts(offer, offer.price.spot, &Component::spot), offer);
    view.common = in_common(view.price, *view.platform);
    view.common_spot = in_common(view.spot, *view.platform);
    if (view.common) view.per_card = detail::over(*view.common, offer.gpus);
    if (view.per_card && offer.share) view.per_card.reset();  // a part of a card compares with no whole one
    return view;
  }

 private:
  static std::optional<Decimal> known(std::optional<Decimal> price, const Offer& offer) {
    if (price && price->is_zero() && !offer.free) price.reset();
    return price;
  }
  std::optional<Decimal> in_common(const std::optional<Decimal>& price, const Platform& platform) const {
    if (!price || platform.currency == catalog_->currency) return price;
    const auto rate = catalog_->fx.find(platform.currency);
    return rate == catalog_->fx.end() ? std::nullopt : detail::times(*price, rate->second);
  }

  const Catalog* catalog_;
  const CardTable* cards_;
  std::unordered_map<std::string, const Card*> known_;
};

// Smaller first; what has no value last; ties by platform and id.
template <class Value>
int compare(const std::optional<Value>& a, const std::optional<Value>& b) {
  if (!a || !b) return static_cast<int>(b.has_value()) - static_cast<int>(a.has_value());
  return *a < *b ? -1 : *b < *a ? 1 : 0;
}

int compare(const OfferView& a, const OfferView& b, std::string_view key) {
  const auto text = [](const std::string& x, const std::string& y) { return x < y ? -1 : y < x ? 1 : 0; };
  if (key == "price") return compare(a.common, b.common);
  if (key == "per_card") return compare(a.per_card, b.per_card);
  if (key == "spot") return compare(a.common_spot, b.common_spot);
  if (key == "memory") return compare(a.memory, b.memory);
  if (key == "gpus") return compare(std::optional(a.offer->gpus), std::optional(b.offer->gpus));
  if (key == "card") return text(a.offer->card, b.offer->card);
  if (key == "platform") return text(a.platform->id, b.platform->id);
  if (key == "region") return text(a.offer->region, b.offer->region);
  return 0;
}

void sort(std::vector<OfferView>& offers, std::string_view key) {
  std::ranges::stable_sort(offers, [&](const OfferView& a, const OfferView& b) {
    if (key == "file") return false;
    if (const int order = compare(a, b, key); order != 0) return order < 0;
    if (const int price = compare(a.common, b.common); price != 0) return price < 0;
    return std::pair(std::string_view(a.platform->id), std::string_view(a.offer->id)) <
           std::pair(std::string_view(b.platform->id), std::string_view(b.offer->id));
  });
}

std::vector<OfferGroup> grouped(const std::vector<OfferView>& offers, std::string_view by) {
  std::map<std::string, std::vector<const OfferView*>> members;
  for (const OfferView& view : offers) {
    const std::string& card = view.card != nullptr ? view.card->name : view.offer->card.str();
    members[by == "card" ? card : by == "platform" ? view.platform->id : view.offer->region.str()].push_back(&view);
  }
  std::vector<OfferGroup> groups;
  for (const auto& [key, views] : members) {
    OfferGroup group{.key = key, .offers = views.size()};
    std::vector<Decimal> prices;
    for (const OfferView* view : views) {
      if (view->per_card) prices.push_back(*view->per_card);
      else ++group.unpriced;
      const auto spot = view->common_spot && !view->offer->share ? detail::over(*view->common_spot, view->offer->gpus) : std::nullopt;
      if (spot && (!group.spot_low || *spot < *group.spot_low)) group.spot_low = spot;
    }
    std::ranges::sort(prices);
    if (!prices.empty()) {
      group.low = prices.front();
      group.middle = prices[(prices.size() - 1) / 2];
      group.high = prices.back();
    }
    groups.push_back(std::move(group));
  }
  std::ranges::stable_sort(groups, [](const OfferGroup& a, const OfferGroup& b) { return compare(a.low, b.low) < 0; });
  return groups;
}

}  // namespace

std::span<const std::string_view> sort_keys() { return kSorts; }

bool is_filter(std::string_view word) { return operator_at(word).has_value(); }

Result<Selection> select_offers(const Catalog& catalog, const CardTable& cards, const SelectOptions& options) {
  Diagnostics faults;
  std::vector<Filter> filters;
  const FilterReader reader(catalog, cards);
  for (const std::string& word : options.filters) {
    auto filter = reader.read(word);
    if (filter) filters.push_back(std::move(*filter));
    else faults.insert(faults.end(), filter.errors().begin(), filter.errors().end());
  }
  if (std::ranges::find(kSorts, options.sort) == kSorts.end())
    faults.push_back({ErrorCode::usage, "--sort", "", "expected one of price, per_card, spot, memory, gpus, card, platform, region, file, got " + quote(options.sort), did_you_mean(options.sort, kSorts)});
  if (!options.group.empty() && std::ranges::find(kGroups, options.group) == kGroups.end())
    faults.push_back({ErrorCode::usage, "--group", "", "expected card, platform or region, got " + quote(options.group), did_you_mean(options.group, kGroups)});
  if (!faults.empty()) return faults;

  Selection selection{.offers = {}, .groups = {}, .all = catalog.offers.size()};
  Viewer viewer(catalog, cards);
  for (const Offer& offer : catalog.offers) {
    OfferView view = viewer.view(offer);
    if (std::ranges::all_of(filters, [&](const Filter& f) { return matches(view, f); })) selection.offers.push_back(std::move(view));
  }
  sort(selection.offers, options.sort);
  if (!options.group.empty()) selection.groups = grouped(selection.offers, options.group);
  return selection;
}

}  // namespace gpuplan
