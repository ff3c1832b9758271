#include "spec/cards_read.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "core/builtin.hpp"
#include "core/text.hpp"
#include "spec/card_names.hpp"
#include "spec/card_rates.hpp"

namespace gpuplan {
namespace {

constexpr std::array<std::string_view, 5> kClasses{"datacenter", "workstation", "consumer",
                                                   "accelerator", "slice"};
constexpr std::array<std::string_view, 3> kEcc{"on", "off", "none"};
constexpr std::array<std::string_view, 10> kLinks{
    "none", "pcie",       "nvlink", "nvswitch", "infinity_fabric",
    "ici",  "neuronlink", "hccs",   "roce",     "other"};
constexpr std::array<std::string_view, 10> kPrecisions{"fp64", "fp32", "tf32", "fp16", "bf16",
                                                       "fp8",  "fp6",  "fp4",  "int8", "int4"};

// Limits far beyond any card: what exceeds them is a mistake of unit.
constexpr double kMostGbps = 1e6;
constexpr double kMostTflops = 1e6;
constexpr std::int64_t kMostMib = std::int64_t{1} << 24;  // 16 TiB

// Plain lists of texts make up most of the file; only a wrong one is worth the reader with its
// addresses.
std::vector<std::string> texts(const JsonReader& list) {
  std::vector<std::string> values;
  const JsonNode& node = list.node();
  const bool plain = node.is(JsonNode::Kind::array) &&
                     std::ranges::all_of(node.children, [](const JsonNode& child) {
                       return child.is(JsonNode::Kind::string);
                     });
  if (plain)
    for (const JsonNode& child : node.children) values.emplace_back(child.text);
  else
    for (const JsonReader& item : list.items()) values.push_back(item.text());
  return values;
}

std::string text_or_nothing(const JsonReader& parent, std::string_view key) {
  const auto member = parent.find(key);
  return member ? member->text() : std::string{};
}

int small_integer(const JsonReader& parent, std::string_view key, int otherwise, int low,
                  int high) {
  const auto member = parent.find(key);
  return member ? static_cast<int>(member->integer(low, high)) : otherwise;
}

std::optional<Bandwidth> gigabytes_a_second(const JsonReader& parent, std::string_view key) {
  const auto member = parent.find(key);
  if (!member) return std::nullopt;
  const double value = member->number(0, kMostGbps);
  if (value <= 0) member->complain("a bandwidth of 0 means unknown: leave the key out");
  return Bandwidth::per_second(value * 1e9);
}

void read_memory(const JsonReader& reader, Card& card) {
  reader.allow({"nominal_gb", "reported_mib", "estimated", "estimated_from", "other_readings_mib",
                "labels_gb", "type", "ecc"});
  const bool stated = reader.has("reported_mib");
  const auto nominal = reader.find("nominal_gb");
  if (nominal) card.memory_nominal = Bytes::gib(nominal->integer(1, kMostMib / 1024));
  if (stated) card.memory = Bytes::mib(reader.at("reported_mib").integer(1, kMostMib));
  if (!nominal && !stated) reader.at("nominal_gb");  // complains
  if (!nominal) card.memory_nominal = card.memory;
  if (!stated) {  // a driver keeps back about that much: see data/README.md
    card.memory = Bytes::mib((card.memory_nominal.count() >> 20) * 985 / 1000);
    card.memory_estimated = true;
    card.memory_estimated_from = "nominal less 1.5 %";
  }
  if (const auto estimated = reader.find("estimated")) card.memory_estimated = estimated->boolean();
  if (reader.has("estimated_from")) card.memory_estimated_from = reader.at("estimated_from").text();
  if (const auto labels = reader.find("labels_gb"))
    for (const JsonReader& label : labels->items())
      card.memory_labels_gb.push_back(static_cast<int>(label.integer(1, 9999)));
  if (const auto others = reader.find("other_readings_mib"))
    for (const JsonReader& other : others->items()) other.integer(1, kMostMib);
  card.memory_type = text_or_nothing(reader, "type");
  if (const auto ecc = reader.find("ecc")) card.ecc = kEcc[ecc->choice(kEcc)];
}

CardRates read_rates(const JsonReader& reader) {
  CardRates rates;
  std::vector<std::string_view> keys;
  for (const RateName& entry : kRateNames) {
    keys.push_back(entry.key);
    const auto member = reader.find(entry.key);
    if (!member) continue;
    const double tflops = member->number(0, kMostTflops);
    if (tflops <= 0) member->complain("a rate of 0 means unknown: leave the key out");
    rates.*entry.rate = FlopRate::per_second(tflops * 1e12);
  }
  reader.allow(keys);
  return rates;
}

Link link_of(std::string_view name) {
  if (name == "none") return Link::none;
  if (name == "pcie") return Link::pcie;
  if (name == "nvlink") return Link::nvlink;
  if (name == "nvswitch") return Link::nvswitch;
  return Link::other;
}

void read_interconnect(const JsonReader& reader, Card& card) {
  reader.allow({"link", "total_gbps", "link_cards", "bridge_gbps", "bridge_cards", "pcie_gen",
                "pcie_lanes"});
  if (const auto link = reader.find("link")) {
    card.link_name = kLinks[link->choice(kLinks)];
    card.link = link_of(card.link_name);
  }
  card.link_total = gigabytes_a_second(reader, "total_gbps");
  card.link_cards = small_integer(reader, "link_cards", 0, 2, 10000);
  card.bridge_total = gigabytes_a_second(reader, "bridge_gbps");
  card.bridge_cards = small_integer(reader, "bridge_cards", 0, 2, 100);
  card.pcie_gen = small_integer(reader, "pcie_gen", 0, 1, 9);
  card.pcie_lanes = small_integer(reader, "pcie_lanes", 0, 1, 32);
}

std::vector<CardSource> read_sources(const JsonReader& list) {
  std::vector<CardSource> sources;
  for (const JsonReader& item : list.items()) {
    item.allow({"fields", "source"});
    sources.push_back({.fields = texts(item.at("fields")), .source = item.at("source").text()});
  }
  return sources;
}

void read_notes(const JsonReader& reader, Card& card) {
  if (const auto native = reader.find("native"))
    for (const JsonReader& item : native->items())
      card.native.emplace_back(kPrecisions[item.choice(kPrecisions)]);
  if (const auto traps = reader.find("traps")) card.traps = texts(*traps);
  if (const auto sources = reader.find("sources")) card.sources = read_sources(*sources);
  if (const auto derived = reader.find("derived"))
    for (const auto& [field, rule] : derived->members())
      card.derived.push_back({.fields = {field}, .source = rule.text()});
  if (const auto unsourced = reader.find("unsourced")) card.unsourced = texts(*unsourced);
}

}  // namespace

Card read_card(const JsonReader& reader) {
  Card card;
  reader.allow(
      {"name",    "aliases", "vendor",         "architecture", "year",         "class",
       "devices", "memory",  "bandwidth_gbps", "tflops",       "interconnect", "compute_capability",
       "tdp_w",   "nvenc",   "nvdec",          "graphics",     "mig",          "native",
       "traps",   "sources", "derived",        "unsourced"});
  const JsonReader name = reader.at("name");
  card.name = name.text();
  if (name.node().is(JsonNode::Kind::string) && parse_card_name(card.name).base.empty())
    name.complain("a card needs a name with more than a brand and a memory size");
  if (const auto aliases = reader.find("aliases")) card.aliases = texts(*aliases);
  card.vendor = text_or_nothing(reader, "vendor");
  card.architecture = text_or_nothing(reader, "architecture");
  card.year = small_integer(reader, "year", 0, 1990, 2100);
  card.devices = small_integer(reader, "devices", 1, 1, 64);
  if (const auto kind = reader.find("class"))
    card.card_class = static_cast<CardClass>(kind->choice(kClasses));
  read_memory(reader.at("memory"), card);
  card.bandwidth = gigabytes_a_second(reader, "bandwidth_gbps");
  if (const auto rates = reader.find("tflops")) card.rates = read_rates(*rates);
  if (const auto link = reader.find("interconnect")) read_interconnect(*link, card);
  card.compute_capability = text_or_nothing(reader, "compute_capability");
  card.watts = small_integer(reader, "tdp_w", 0, 1, 100000);
  if (reader.has("nvenc")) card.encoders = small_integer(reader, "nvenc", 0, 0, 100);
  if (reader.has("nvdec")) card.decoders = small_integer(reader, "nvdec", 0, 0, 100);
  if (const auto graphics = reader.find("graphics")) card.graphics = graphics->boolean();
  card.mig = text_or_nothing(reader, "mig");
  read_notes(reader, card);
  return card;
}

namespace {

Result<CardTable> read_table(std::string_view text, const std::string& source, JsonLimits limits) {
  const auto root = parse_json(text, source, limits);
  if (!root) return root.errors();
  Diagnostics faults;
  const JsonContext context{.source = source, .faults = &faults};
  const JsonReader reader(root->root(), context);
  reader.allow({"schema", "as_of", "cards"});
  constexpr std::array<std::string_view, 1> kSchemas{"gpuplan.cards/1"};
  reader.at("schema").choice(kSchemas);
  if (const auto as_of = reader.find("as_of")) as_of->date();
  std::vector<Card> cards;
  std::set<std::string> seen;
  for (const JsonReader& item : reader.at("cards").items()) {
    cards.push_back(read_card(item));
    if (!seen.insert(parse_card_name(cards.back().name).whole).second)
      item.at("name").complain("a second card named " + quote(cards.back().name));
  }
  if (!faults.empty()) return faults;
  return CardTable(std::move(cards));
}

}  // namespace

Result<CardTable> read_cards(std::string_view text, const std::string& source) {
  return read_table(text, source, {});
}

Result<CardTable> builtin_card_figures() {
  constexpr std::array<std::string_view, 4> kWords{"sources", "derived", "traps", "unsourced"};
  return read_table(builtin_cards(), "built-in cards.json", {.skip = kWords});
}

Result<CardTable> builtin_card_table() {
  return read_cards(builtin_cards(), "built-in cards.json");
}

}  // namespace gpuplan
