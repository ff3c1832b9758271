#include "catalog/import/builder.hpp"

#include <algorithm>
#include <array>

#include "catalog/import/csv.hpp"
#include "catalog/import/machines.hpp"
#include "catalog/merge.hpp"
#include "catalog/rules.hpp"
#include "core/text.hpp"

namespace gpuplan::detail {
namespace {

// Other tools' names of platforms that the built-in catalog calls otherwise.
struct OtherName {
  std::string_view theirs, ours;
};
constexpr std::array kOtherNames{
    OtherName{"aws", "aws-ec2"},         OtherName{"vast", "vastai"},       OtherName{"vast.ai", "vastai"},
    OtherName{"lambdalabs", "lambda"},   OtherName{"ovh", "ovhcloud"},      OtherName{"datacrunch", "verda"},
    OtherName{"tensordockmarketplace", "tensordock"}, OtherName{"thunder", "thunder-compute"},
    OtherName{"google", "gcp"},          OtherName{"oracle", "oci"},
};

// Rules that hold no price: what is left when the prices are in another currency.
constexpr std::array<std::string_view, 6> kMoneyless{"spot", "terms", "provision", "environment", "service", "quota"};

std::shared_ptr<const RuleLayer> without_money(const RuleLayer& layer) {
  const auto document = parse_json(layer.json, {});
  std::string groups;
  if (document)
    for (const JsonNode& child : document->root().children) {
      const bool plain = std::ranges::find(kMoneyless, child.key) != kMoneyless.end() ||
                         (child.key == "meter" && child.find("cap_month") == nullptr) ||
                         (child.key == "stop" && to_json(child).find("\"flat\"") == std::string::npos);
      if (!plain) continue;
      groups += groups.empty() ? '{' : ',';
      write_json_text(child.key, groups);
      groups += ':';
      write_json(child, groups);
    }
  return groups.empty() ? nullptr : std::make_shared<const RuleLayer>(RuleLayer{groups + "}"});
}

bool has_money(const Platform& platform) {
  if (platform.account_stated) return true;
  if (!platform.layer) return false;
  const auto kept = without_money(*platform.layer);
  return !kept || kept->json.size() != platform.layer->json.size();
}

std::string json_text(std::string_view text) {
  std::string out;
  write_json_text(text, out);
  return out;
}

}  // namespace

std::string platform_id(std::string_view name) {
  const std::string small = lower(name);
  for (const OtherName& other : kOtherNames)
    if (other.theirs == small) return std::string(other.ours);
  return small;
}

std::size_t ImportBuilder::platform(std::string_view name, const std::string& currency,
                                    const std::string& source) {
  std::string id = clean(gpuplan::detail::platform_id(name));
  std::ranges::replace(id, '/', '-');
  std::ranges::replace(id, ' ', '-');
  if (id.empty()) id = "unnamed";
  for (std::size_t i = 0; i < catalog_.platforms.size(); ++i)
    if (catalog_.platforms[i].currency == currency &&
        (catalog_.platforms[i].id == id || catalog_.platforms[i].id == id + "-" + lower(currency)))
      return i;
  Platform platform;
  const auto known = std::ranges::find(known_->platforms, id, &Platform::id);
  if (known != known_->platforms.end()) {
    platform = *known;
    platform.rules.reset();
    const bool foreign = known->currency != currency;
    if (foreign && has_money(*known)) {
      findings_.add(Find::rules_left_out, id, known->currency + " -> " + currency);
      platform.account_stated = false;
      platform.account = {};
    }
    if (foreign && platform.layer) platform.layer = without_money(*platform.layer);
    // Its date is that of the rules, not of these prices.
    if (platform.as_of) platform.own.push_back({"x_rules_as_of", json_text(to_string(*platform.as_of))});
    if (!platform.source.empty()) platform.own.push_back({"x_rules_source", json_text(platform.source)});
    platform.as_of.reset();
  } else {
    platform.id = id;
    findings_.add(Find::rules_unknown, id, {});
  }
  // A document has each id once.
  if (std::ranges::find(catalog_.platforms, id, &Platform::id) != catalog_.platforms.end())
    platform.id += "-" + lower(currency);
  platform.source = source;
  platform.currency = currency;
  catalog_.platforms.push_back(std::move(platform));
  return catalog_.platforms.size() - 1;
}

std::optional<Decimal> ImportBuilder::price(std::string_view text, const ImportRow& row) {
  constexpr std::array<std::string_view, 6> kNone{"", "-", "n/a", "na", "null", "none"};
  if (std::ranges::find(kNone, lower(text)) != kNone.end()) return std::nullopt;
  auto value = Decimal::parse(text);
  if (value) value = times(*value, Decimal::of(1));  // "0.0960000000" has three decimals
  if (!value || *value > Decimal::of(1'000'000'000)) {
    findings_.add(Find::price_not_a_number, row.where, row.type, clean(text));
    return std::nullopt;
  }
  if (value->scale() <= 9) return value;
  findings_.add(Find::price_rounded, row.where, row.type, clean(text));
  return Decimal::parse(to_string(Money::rounded(*value), 6)).value_or(*value);
}

std::optional<Decimal> ImportBuilder::spot_price(std::string_view text, const ImportRow& row) {
  auto value = price(text, row);
  if (value && value->is_zero()) {
    findings_.add(Find::spot_zero, row.where, row.type);
    value.reset();
  }
  return value;
}

void ImportBuilder::note_prices(const ImportRow& row) {
  const Prices& price = row.offer.price;
  if (price.on_demand && price.on_demand->is_zero()) findings_.add(Find::price_zero, row.where, row.type);
  if (!price.on_demand && row.offer.components.empty()) findings_.add(Find::price_missing, row.where, row.type);
  if (row.offer.stock == "none") findings_.add(Find::not_available, row.where, row.type, row.offer.region);
}

// The same machine at the same price stands once; at another price it is kept and told.
bool ImportBuilder::stands_already(std::size_t platform, const ImportRow& row) {
  const Offer& offer = row.offer;
  std::string machine = std::to_string(platform);
  for (const std::string& part :
       {row.type, offer.card.str(), std::to_string(offer.gpus), offer.region.str(), offer.zone.str(), offer.tier.str(), offer.stock.str(),
        std::to_string(offer.memory ? offer.memory->count() : 0), offer.vcpus ? offer.vcpus->to_string() : "",
        offer.ram_gb ? offer.ram_gb->to_string() : "", offer.layer ? offer.layer->json : "", offer.note.str()})
    machine += '\n' + part;
  std::string money;
  const auto put = [&](const std::optional<Decimal>& value) { money += (value ? value->to_string() : "-") + '\n'; };
  put(offer.price.on_demand), put(offer.price.spot);
  for (const Commitment& term : offer.price.commitments) money += term.name, put(term.price), put(term.hourly);
  for (const Component& part : offer.components) money += part.what, put(part.price), put(part.spot);
  std::set<std::string>& seen = prices_[machine];
  if (!seen.insert(money).second) {
    findings_.add(Find::duplicate_row, row.where, row.type);
    return true;
  }
  if (seen.size() > 1) findings_.add(Find::prices_differ, row.where, row.type, offer.region);
  return false;
}

std::string ImportBuilder::id_of(std::size_t platform, const ImportRow& row) {
  const Offer& offer = row.offer;
  std::string id = row.type.empty() ? offer.card + "-x" + std::to_string(offer.gpus) : row.type;
  if (!offer.region.empty() || !offer.zone.empty()) id += "@";
  if (!offer.zone.str().starts_with(offer.region) || offer.zone.empty()) id += offer.region;
  if (!offer.zone.empty()) {
    if (!offer.region.empty() && !offer.zone.str().starts_with(offer.region)) id += "/";
    id += offer.zone.str();
  }
  if (!offer.tier.empty() && lower(id).find(lower(offer.tier)) == std::string::npos) id += "-" + offer.tier;
  std::ranges::replace(id, ' ', '-');
  constexpr std::size_t kRoomForNumber = 20;  // behind the sign # of those that are there already
  id = clean(id, 200 - kRoomForNumber);
  if (ids_.insert({platform, id}).second) return id;
  for (std::size_t& n = repeats_[{platform, id}];;) {
    const std::string next = id + "#" + std::to_string(++n + 1);
    if (ids_.insert({platform, next}).second) return next;
  }
}

void ImportBuilder::add(std::size_t platform, ImportRow row) {
  row.type = clean(row.type);
  for (std::string& card : row.cards) card = clean(card);
  std::erase(row.cards, std::string());
  if (row.cards.empty() && !machine_type(catalog_.platforms[platform].id, row.type))
    return findings_.add(Find::malformed_row, row.where, row.type, "the name of the card is missing");
  row.offer.region = clean(row.offer.region);
  for (SharedText* text : {&row.offer.zone, &row.offer.tier, &row.offer.stock, &row.offer.note}) *text = clean(*text);
  row.offer.platform = platform;
  settle_card(platform, row);
  if (stands_already(platform, row)) return;
  note_prices(row);
  row.offer.id = id_of(platform, row);
  if (!row.type.empty()) row.offer.own.push_back({"x_type", json_text(row.type)});
  if (!row.cards.empty() && row.cards.back() != row.offer.card)
    row.offer.own.push_back({"x_card", json_text(row.cards.back())});
  catalog_.offers.push_back(std::move(row.offer));
}

bool ImportBuilder::add_rule(std::string_view type, std::string_view region, const std::string& json) {
  bool any = false;
  const auto layer = std::make_shared<const RuleLayer>(RuleLayer{json});
  for (Offer& offer : catalog_.offers) {
    const bool typed = offer.id == type || offer.id.starts_with(std::string(type) + "@");
    if (!typed || offer.region != region) continue;
    offer.layer = offer.layer ? std::make_shared<const RuleLayer>(RuleLayer{json, offer.layer}) : layer;
    any = true;
  }
  return any;
}

Imported ImportBuilder::take(const ImportOptions& options) {
  catalog_.name = std::string(gpuplan::name_of(options.format)) + " import";
  if (options.as_of) catalog_.as_of = options.as_of;
  if (!catalog_.platforms.empty()) catalog_.currency = catalog_.platforms.front().currency;
  merge_rules(catalog_);
  // A platform's offers stand together in the document.
  std::ranges::stable_sort(catalog_.offers, {}, &Offer::platform);
  ImportReport report{.rows = rows_, .offers = catalog_.offers.size(), .findings = findings_.take()};
  return {.catalog = std::move(catalog_), .report = std::move(report)};
}

}  // namespace gpuplan::detail
