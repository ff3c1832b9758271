// Rules of what is stored and what goes over the line.
#include "catalog/fields.hpp"
#include "catalog/names.hpp"
#include "catalog/rules.hpp"

namespace gpuplan::detail {
namespace {

constexpr std::array<std::string_view, 3> kGigabytePrices{"per_gb_hour", "per_gb_day", "per_gb_month"};
constexpr std::array kPeriods{PricePer::hour, PricePer::day, PricePer::month};
constexpr std::array<std::string_view, 2> kAddressPrices{"per_hour", "per_month"};

PricePer period_of(std::string_view key) {
  return kPeriods[static_cast<std::size_t>(std::ranges::find(kGigabytePrices, key) - kGigabytePrices.begin())];
}

// The upper edges of price steps: each above the one before, none on the last.
class Edges {
 public:
  std::optional<Decimal> next(const JsonReader& step, Fields& fields, bool last, bool gib) {
    const auto edge = fields.find("up_to_gb");
    if (!edge && !last) step.complain("the key \"up_to_gb\" is missing", "only the last step goes on without end");
    if (!edge) return std::nullopt;
    if (last) edge->complain("the last step has an end: what comes above it has no price", "leave up_to_gb out of it");
    const Decimal value = gigabytes(*edge, gib);
    const bool is_size = Decimal::parse(edge->node().text) || parse_bytes(edge->node().text);
    if (is_size && value <= before_) edge->complain_expected("more than the step before");
    before_ = value;
    return value;
  }

 private:
  Decimal before_;
};

std::vector<StorageTier> read_storage_tiers(const JsonReader& reader, StorageRule& rule) {
  std::vector<StorageTier> tiers;
  const std::vector<JsonReader> steps = reader.items();
  if (reader.node().is(JsonNode::Kind::array) && steps.empty()) reader.complain_expected("at least one price step");
  Edges edges;
  std::optional<PricePer> per;
  for (const JsonReader& step : steps) {
    Fields fields(step);
    fields.known(kGigabytePrices);
    StorageTier& tier = tiers.emplace_back();
    tier.up_to_gb = edges.next(step, fields, tiers.size() == steps.size(), rule.gib);
    const auto stated = fields.one_of(kGigabytePrices);
    if (stated.empty()) {
      if (step.node().is(JsonNode::Kind::object))
        step.complain("a price step needs one of per_gb_hour, per_gb_day, per_gb_month");
      continue;
    }
    tier.price = price(step.at(stated.front()));
    const PricePer here = period_of(stated.front());
    if (per && *per != here) step.complain("all price steps need the same period");
    per = here;
  }
  if (per) rule.per = *per;
  return tiers;
}

// One price, or steps, or neither; what this level states drives out the other forms of the levels
// below.
void lay_price(Fields& fields, StorageRule& rule) {
  fields.known(kGigabytePrices);
  for (const std::string_view key : kGigabytePrices)
    if (fields.is_null(key) && period_of(key) == rule.per) rule.price.reset();
  const auto stated = fields.one_of(kGigabytePrices);
  const auto tiers = fields.find("tiers");
  if (fields.is_null("tiers")) rule.tiers.clear();
  if (!stated.empty() && tiers) tiers->complain("a price and price steps exclude each other");
  for (const std::string_view key : stated) {
    rule.price = price(fields.reader().at(key));
    rule.per = period_of(key);
    rule.tiers.clear();
  }
  if (tiers) {
    rule.tiers = read_storage_tiers(*tiers, rule);
    rule.price.reset();
  }
}

std::vector<Decimal> read_sizes(const JsonReader& reader, bool gib) {
  std::vector<Decimal> sizes;
  for (const JsonReader& item : reader.items()) {
    sizes.push_back(gigabytes(item, gib));
    if (sizes.back().is_zero() && Decimal::parse(item.node().text)) item.complain_expected("a size above 0");
  }
  std::ranges::sort(sizes);
  return sizes;
}

void lay_kind(const JsonReader& reader, StorageRule& rule) {
  Fields fields(reader);
  fields.set("unit", rule.gib, [](const JsonReader& r) { return choice(r, kUnits); });
  const bool gib = rule.gib;
  const auto size = [gib](const JsonReader& r) { return gigabytes(r, gib); };
  lay_price(fields, rule);
  fields.set("included_gb", rule.included_gb, size);
  fields.set("included_per", rule.included_per_account, [](const JsonReader& r) { return choice(r, kIncludedPer); });
  fields.set("basis", rule.basis, [](const JsonReader& r) { return choice(r, kBases); });
  fields.set("quantum", rule.quantum, [](const JsonReader& r) { return choice(r, kQuanta); });
  fields.set("align", rule.align, [](const JsonReader& r) { return choice(r, kAligns); });
  fields.set("cap_month", rule.cap_month, positive);
  fields.set("with_instance", rule.with_instance, truth);
  fields.set("min_gb", rule.min_gb, size);
  fields.set("sizes_gb", rule.sizes_gb, [gib](const JsonReader& r) { return read_sizes(r, gib); });
  fields.set("mb_per_s", rule.mb_per_s, positive);
}

std::vector<TrafficTier> read_traffic_tiers(const JsonReader& reader, bool gib) {
  std::vector<TrafficTier> tiers;
  const std::vector<JsonReader> steps = reader.items();
  if (reader.node().is(JsonNode::Kind::array) && steps.empty()) reader.complain_expected("at least one price step");
  Edges edges;
  for (const JsonReader& step : steps) {
    Fields fields(step);
    TrafficTier& tier = tiers.emplace_back();
    tier.up_to_gb = edges.next(step, fields, tiers.size() == steps.size(), gib);
    tier.per_gb = price(fields.at("per_gb"));
  }
  return tiers;
}

void lay_egress(Fields& fields, NetworkRules& network) {
  const auto tiers = fields.find("egress_tiers");
  if (fields.is_null("egress_tiers")) network.egress_tiers.clear();
  if (tiers && fields.reader().has("egress_per_gb"))
    tiers->complain("egress_per_gb and egress_tiers exclude each other");
  fields.set("egress_per_gb", network.egress_per_gb, price);
  if (fields.reader().has("egress_per_gb")) network.egress_tiers.clear();
  if (!tiers) return;
  network.egress_tiers = read_traffic_tiers(*tiers, network.gib);
  network.egress_per_gb.reset();
}

// The price of an address: an hour or a month; one drives out the other.
void set_hourly_address(const JsonReader& reader, NetworkRules& network) {
  network.ip_per_hour = price(reader);
  network.ip_per_month.reset();
}

void lay_address(const JsonReader& reader, NetworkRules& network) {
  Fields fields(reader);
  fields.known(kAddressPrices);
  if (fields.is_null("per_hour")) network.ip_per_hour.reset();
  if (fields.is_null("per_month")) network.ip_per_month.reset();
  fields.one_of(kAddressPrices);
  if (const auto value = fields.find("per_hour")) set_hourly_address(*value, network);
  if (const auto value = fields.find("per_month")) {
    network.ip_per_month = price(*value);
    network.ip_per_hour.reset();
  }
  fields.set("cap_month", network.ip_cap_month, positive);
}

void lay_addresses(Fields& fields, NetworkRules& network) {
  const auto group = fields.find("ip");
  const auto hourly = fields.find("ip_per_hour");
  if (fields.is_null("ip")) {
    network.ip_per_hour.reset();
    network.ip_per_month.reset();
    network.ip_cap_month.reset();
  }
  if (fields.is_null("ip_per_hour")) network.ip_per_hour.reset();
  if (hourly && group && (group->has("per_hour") || group->has("per_month")))
    hourly->complain("ip_per_hour is short for ip/per_hour: state one of them");
  if (group) lay_address(*group, network);
  if (hourly) set_hourly_address(*hourly, network);
}

}  // namespace

void lay_storage(const JsonReader& reader, std::map<StorageKind, StorageRule>& storage) {
  Fields fields(reader);
  for (const StorageKind kind : kStorageKinds) {
    if (fields.is_null(name_of(kind))) storage.erase(kind);
    if (const auto value = fields.find(name_of(kind))) lay_kind(*value, storage[kind]);
  }
}

void lay_network(const JsonReader& reader, NetworkRules& network) {
  Fields fields(reader);
  fields.set("unit", network.gib, [](const JsonReader& r) { return choice(r, kUnits); });
  const bool gib = network.gib;
  fields.set("ingress_per_gb", network.ingress_per_gb, price);
  lay_egress(fields, network);
  fields.set("egress_included_gb_month", network.egress_included_gb_month,
             [gib](const JsonReader& r) { return gigabytes(r, gib); });
  fields.set("internal_per_gb", network.internal_per_gb, price);
  lay_addresses(fields, network);
  fields.set("up_mbps", network.up_mbps, positive);
  fields.set("down_mbps", network.down_mbps, positive);
  fields.set("internal_mbps", network.internal_mbps, positive);
}

}  // namespace gpuplan::detail
