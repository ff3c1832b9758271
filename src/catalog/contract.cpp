// One's own contract: discounts, mark-ups and what is paid already, laid over list prices.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "catalog/fields.hpp"
#include "catalog/parts.hpp"
#include "core/text.hpp"
#include "gpuplan/catalog.hpp"

namespace gpuplan {
namespace detail {

ContractTerm read_contract_term(const JsonReader& reader) {
  ContractTerm term;
  Fields fields(reader);
  fields.set("platform", term.platform, name);
  fields.set("card", term.card, name);
  fields.set("region", term.region, name);
  fields.set("plans", term.plans, [](const JsonReader& r) { return words(r, "all"); });
  fields.set("discount_percent", term.discount_percent, percent);
  fields.set("markup_percent", term.markup_percent, price);
  fields.set("prepaid", term.prepaid, truth);
  fields.set("note", term.note, [](const JsonReader& r) { return r.text(); });
  const int said = (term.discount_percent ? 1 : 0) + (term.markup_percent ? 1 : 0) + (term.prepaid ? 1 : 0);
  if (reader.node().is(JsonNode::Kind::object) && said != 1)
    reader.complain("a term of the contract needs one of discount_percent, markup_percent and prepaid");
  return term;
}

namespace {

constexpr Wide kMost = 999'999'999'999'999'999;

// price x (100 + percent) / 100, to nine decimals; as it was when that has too many digits.
Decimal scaled(const Decimal& price, const Decimal& percent, bool less) {
  Wide hundred = 100;
  for (int i = 0; i < percent.scale(); ++i) hundred *= 10;
  const Wide factor = less ? hundred - percent.digits() : hundred + percent.digits();
  Wide digits = Wide{price.digits()} * factor;
  int scale = price.scale() + percent.scale() + 2;
  while (scale > 9) digits = (digits + (scale == 10 ? 5 : 0)) / 10, --scale;
  while (scale > 0 && digits % 10 == 0) digits /= 10, --scale;
  return digits > kMost ? price : Decimal::of(static_cast<std::int64_t>(digits), scale);
}

class Contract {
 public:
  Contract(Catalog& catalog, const CardTable& cards) : catalog_(&catalog), cards_(&cards) {}

  void apply(const ContractTerm& term, std::size_t place) {
    const std::set<std::string> wanted = cards_named(term.card);
    std::size_t met = 0;
    for (Offer& offer : catalog_->offers) {
      if (!meets(offer, term, wanted)) continue;
      ++met;
      change(offer, term);
      offer.note += (offer.note.empty() ? "own contract: " : "; own contract: ") + said(term);
    }
    catalog_->warnings.push_back(
        {met == 0 ? "contract_unused" : term.prepaid ? "contract_prepaid" : "contract_applied",
         fmt::format("own contract: {} for {} offers{}", said(term), met, met == 0 ? ": nothing in the catalog is meant by it" : ""),
         fmt::format("contract/{}", place)});
  }

 private:
  static std::string said(const ContractTerm& term) {
    std::string text = term.prepaid            ? "paid already, counted as 0"
                       : term.discount_percent ? term.discount_percent->to_string() + " % less"
                                               : term.markup_percent->to_string() + " % more";
    if (!term.note.empty()) text += " (" + term.note + ")";
    return text;
  }

  // The cards that a name can mean; none: it is compared as text.
  std::set<std::string> cards_named(const std::string& name) const {
    std::set<std::string> names;
    const auto found = name.empty() ? std::nullopt : cards_->find(name);
    if (!found) return names;
    names.insert(found->card->name);
    for (const Card* other : found->others) names.insert(other->name);
    return names;
  }

  bool meets(const Offer& offer, const ContractTerm& term, const std::set<std::string>& wanted) {
    const Platform& platform = catalog_->platforms[offer.platform];
    if (!term.platform.empty() && lower(platform.id) != lower(term.platform)) return false;
    if (!term.region.empty() && lower(offer.region) != lower(term.region)) return false;
    if (term.card.empty() || lower(offer.card) == lower(term.card)) return true;
    const auto [entry, fresh] = known_.try_emplace(offer.card);
    if (fresh)
      if (const auto found = cards_->find(offer.card)) entry->second = found->card->name;
    return wanted.contains(entry->second);
  }

  static bool named(const ContractTerm& term, std::string_view plan) {
    return term.plans.empty() || std::ranges::find(term.plans, plan) != term.plans.end();
  }

  template <class Price>  // an optional of either kind
  static void change(Price& price, const ContractTerm& term) {
    if (!price) return;
    if (term.prepaid) price = Decimal{};
    else price = scaled(*price, term.discount_percent ? *term.discount_percent : *term.markup_percent, term.discount_percent.has_value());
  }

  static void change_series(Prices& price, const ContractTerm& term) {
    if (!price.spot_series || price.spot_series->prices.steps.empty()) return;
    SpotSeries series = *price.spot_series;
    for (PriceStep& step : series.prices.steps) {
      std::optional<Decimal> changed = step.price;
      change(changed, term);
      step.price = *changed;
    }
    price.spot_series = std::make_shared<const SpotSeries>(std::move(series));
  }

  static void change(Offer& offer, const ContractTerm& term) {
    if (named(term, "on_demand")) {
      change(offer.price.on_demand, term);
      for (Component& part : offer.components) change(part.price, term);
      // A price of 0 is otherwise an unknown one.
      if (term.prepaid) offer.free = true;
    }
    if (named(term, "spot")) {
      change(offer.price.spot, term);
      for (Component& part : offer.components) change(part.spot, term);
      change_series(offer.price, term);
    }
    for (Commitment& commitment : offer.price.commitments) {
      if (!named(term, "reserved") && !named(term, commitment.name)) continue;
      std::optional<Decimal> once = commitment.price;
      change(once, term);
      commitment.price = *once;
      change(commitment.hourly, term);
    }
  }

  Catalog* catalog_;
  const CardTable* cards_;
  std::map<std::string, std::string> known_;
};

}  // namespace
}  // namespace detail

void apply_contract(Catalog& catalog, const CardTable& cards) {
  if (catalog.contract.empty()) return;
  const CardTable all = cards.with(catalog.cards);
  detail::Contract contract(catalog, all);
  for (std::size_t i = 0; i < catalog.contract.size(); ++i) contract.apply(catalog.contract[i], i);
}

}  // namespace gpuplan
