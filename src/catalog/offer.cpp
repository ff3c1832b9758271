#include <algorithm>
#include <array>

#include "catalog/fields.hpp"
#include "catalog/names.hpp"
#include "catalog/parts.hpp"
#include "catalog/rules.hpp"
#include "catalog/terms.hpp"
#include "core/text.hpp"

namespace gpuplan::detail {
namespace {

constexpr std::int64_t kMostCards = 100'000;

// Plans that are no commitment; one cannot be named like them.
constexpr std::array<std::string_view, 3> kPlans{"on_demand", "spot", "reserved"};

Commitment read_commitment(const JsonReader& reader) {
  Commitment term;
  Fields fields(reader);
  term.name = name(fields.at("name"));
  term.hours = hours(fields.at("hours"));
  term.price = price(fields.at("price"));
  fields.set("hourly", term.hourly, price);
  fields.set("hourly_used", term.hourly_used, truth);
  if (term.hourly_used && !term.hourly)
    reader.complain("the key \"hourly\" is missing", "hourly_used says how it is counted");
  fields.set("refund", term.refund, read_refund);
  fields.set("covers", term.covers_gpu_only, [](const JsonReader& r) { return choice(r, kCovers); });
  fields.set("at_end", term.at_end, [](const JsonReader& r) { return choice(r, kAtEnds); });
  return term;
}

void read_commitments(const JsonReader& reader, Few<Commitment>& terms) {
  for (const JsonReader& item : reader.items()) {
    Commitment term = read_commitment(item);
    const bool plan = std::ranges::find(kPlans, term.name) != kPlans.end();
    const bool twice = std::ranges::any_of(terms, [&](const Commitment& t) { return t.name == term.name; });
    if (plan || (twice && !term.name.empty()))
      item.at("name").complain("the name " + quote(term.name) + (plan ? " is a plan of its own" : " stands twice"),
                               "each commitment needs a name of its own");
    terms.push_back(std::move(term));
  }
}

std::shared_ptr<const SpotSeries> read_series(const JsonReader& file) {
  SpotSeries series{.file = file_beside(file)};
  if (!series.file.empty()) series.path = path_beside(file);
  return std::make_shared<const SpotSeries>(std::move(series));
}

Prices read_prices(const JsonReader& reader) {
  Prices prices;
  if (!reader.node().is(JsonNode::Kind::object)) {
    reader.complain_expected("an object", "write {\"on_demand\": 0.69}");
    return prices;
  }
  Fields fields(reader);
  fields.set("on_demand", prices.on_demand, price);
  fields.set("spot", prices.spot, price);
  for (const UsualTerm& term : kUsualTerms)
    if (const auto value = fields.find(term.key)) {
      Commitment& commitment = prices.commitments.emplace_back();
      commitment.name = term.key;
      commitment.hours = Decimal::of(term.hours);
      commitment.price = price(*value);
    }
  if (const auto list = fields.find("commitments")) read_commitments(*list, prices.commitments);
  if (const auto series = fields.find("spot_series")) {
    Fields parts(*series);
    prices.spot_series = read_series(parts.at("file"));
  }
  return prices;
}

std::vector<Component> read_components(const JsonReader& reader) {
  constexpr std::array<std::string_view, 4> kParts{"gpu", "vcpu", "ram_gb", "fee"};
  std::vector<Component> components;
  for (const JsonReader& item : reader.items()) {
    Fields fields(item);
    Component& part = components.emplace_back();
    part.what = kParts[fields.at("what").choice(kParts)];
    fields.set("price", part.price, price);
    fields.set("spot", part.spot, price);
    fields.set("per", part.per, [](const JsonReader& r) { return choice(r, kPriceUnits); });
  }
  if (reader.node().is(JsonNode::Kind::array) && components.empty())
    reader.complain_expected("at least one component");
  return components;
}

void check_components(const JsonReader& reader, const Offer& offer) {
  const auto priced = [&](std::string_view what) {
    return std::ranges::any_of(offer.components, [&](const Component& part) { return part.what == what; });
  };
  if (priced("vcpu") && !reader.has("vcpus"))
    reader.complain("the key \"vcpus\" is missing", "a component has a price for each vCPU");
  if (priced("ram_gb") && !reader.has("ram_gb"))
    reader.complain("the key \"ram_gb\" is missing", "a component has a price for each GB");
}

// Prices, in one of the two forms or both.
void read_money(Fields& fields, Offer& offer) {
  const JsonReader& reader = fields.reader();
  fields.set("free", offer.free, truth);
  fields.set("price_kind", offer.quote, [](const JsonReader& r) { return choice(r, kPriceKinds); });
  const auto prices = fields.find("price");
  const auto components = fields.find("components");
  if (prices) offer.price = read_prices(*prices);
  if (components) {
    offer.components = read_components(*components);
    check_components(reader, offer);
  }
  if (!prices && !components && !offer.free && reader.node().is(JsonNode::Kind::object))
    reader.complain("an offer needs price or components", "write \"price\": {} when it is not known");
}

std::vector<std::int64_t> read_counts(const JsonReader& reader) {
  std::vector<std::int64_t> counts;
  for (const JsonReader& item : reader.items()) {
    const std::int64_t count = item.integer(1, kMostCards);
    if (std::ranges::find(counts, count) != counts.end()) item.complain_expected("each count once");
    else counts.push_back(count);
  }
  if (reader.node().is(JsonNode::Kind::array) && counts.empty())
    reader.complain_expected("a list of card counts such as [1, 2, 4, 8]");
  return counts;
}

void read_machine(Fields& fields, WrittenOffer& written) {
  Offer& offer = written.offer;
  offer.card = name(fields.at("card"));
  const auto counts = fields.find("gpu_counts");
  if (const auto gpus = fields.find("gpus")) {
    const auto count = Decimal::parse(gpus->node().text);
    if (count && !count->whole())
      gpus->complain_expected("a whole number of cards", "a part of a card is \"gpus\": 1 with \"share\"");
    else offer.gpus = gpus->integer(1, kMostCards);
    if (counts) gpus->complain("gpus and gpu_counts exclude each other");
  }
  if (counts) written.counts = read_counts(*counts);
  fields.set("node_only", offer.node_only, truth);
  fields.set("share", offer.share, share);
  fields.set("memory", offer.memory, sized);
  fields.set("interconnect", offer.interconnect, [](const JsonReader& r) { return choice(r, kWireNames); });
  if (const auto nodes = fields.find("nodes_interconnect")) {
    Fields parts(*nodes);
    offer.nodes_gbps = positive(parts.at("gbps"));
  }
  fields.set("vcpus", offer.vcpus, positive);
  fields.set("ram_gb", offer.ram_gb, [](const JsonReader& r) {
    if (Decimal::parse(r.node().text)) return positive(r);
    return gigabytes(r, false);
  });
  fields.set("disk_gb", offer.disk_gb, [](const JsonReader& r) { return gigabytes(r, false); });
}

}  // namespace

WrittenOffer read_offer(const JsonReader& reader) {
  WrittenOffer written;
  Offer& offer = written.offer;
  Fields fields(reader);
  fields.known(kRuleKeys);
  if (!reader.node().is(JsonNode::Kind::object)) return written;
  fields.set("id", offer.id, name);
  read_machine(fields, written);
  fields.set("tier", offer.tier, name);
  fields.set("region", offer.region, name);
  fields.set("zone", offer.zone, name);
  fields.set("stock", offer.stock, any_text);
  fields.set("as_of", offer.as_of, [](const JsonReader& r) { return r.date(); });
  fields.set("source", offer.source, [](const JsonReader& r) { return r.text(); });
  fields.set("note", offer.note, [](const JsonReader& r) { return r.text(); });
  read_money(fields, offer);
  if (reader.node().find("account") != nullptr) {
    fields.known("account");
    reader.at("account").complain("unknown key \"account\"", "account stands on platforms only");
  }
  offer.layer = layer_of(reader);
  if (offer.layer) {  // for its complaints; the platform's rules may still be to come
    Rules alone;
    lay_rules(reader, alone);
  }
  offer.own = own_keys(reader.node());
  return written;
}

bool times(Decimal& value, std::int64_t count) {
  constexpr Wide kMostDigits = 999'999'999'999'999'999;
  const Wide digits = Wide{value.digits()} * count;
  if (digits > kMostDigits) return false;
  value = Decimal::of(static_cast<std::int64_t>(digits), value.scale());
  return true;
}

namespace {

template <class Maybe>  // an optional of either kind
bool times_if_stated(Maybe& value, std::int64_t count) { return !value || times(*value, count); }

}  // namespace

bool multiply(Offer& offer, std::int64_t count) {
  offer.gpus = count;
  bool exact = times_if_stated(offer.price.on_demand, count) && times_if_stated(offer.price.spot, count) &&
               times_if_stated(offer.vcpus, count) && times_if_stated(offer.ram_gb, count);
  for (Commitment& term : offer.price.commitments)
    exact = exact && times(term.price, count) && times_if_stated(term.hourly, count);
  if (const auto& series = offer.price.spot_series)
    offer.price.spot_series = std::make_shared<const SpotSeries>(SpotSeries{.file = series->file, .times = count, .path = series->path});
  return exact;
}

std::vector<OwnKey> own_keys(const JsonNode& object) {
  std::vector<OwnKey> own;
  for (const JsonNode& child : object.children)
    if (child.key.starts_with("x_")) own.push_back({std::string(child.key), to_json(child)});
  return own;
}

std::string default_id(const std::string& platform, const Offer& offer) {
  std::string id = platform + "/" + offer.card + "-x" + std::to_string(offer.gpus);
  if (!offer.region.empty()) id += "@" + offer.region;
  std::ranges::replace(id, ' ', '-');
  return id;
}

}  // namespace gpuplan::detail
