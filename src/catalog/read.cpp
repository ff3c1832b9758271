#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "catalog/fields.hpp"
#include "catalog/merge.hpp"
#include "catalog/offer_taker.hpp"
#include "catalog/parts.hpp"
#include "core/large_pages.hpp"
#include "core/sha256.hpp"
#include "core/text.hpp"
#include "gpuplan/catalog.hpp"
#include "spec/cards_read.hpp"

namespace gpuplan {
namespace detail {
namespace {

constexpr std::string_view kSchema = "gpuplan.catalog/1";

const JsonNode kNothing{};

// Rules that stand in many offers are kept once.
class LayerPool {
 public:
  std::shared_ptr<const RuleLayer> shared(std::shared_ptr<const RuleLayer> layer) {
    if (!layer) return layer;
    const auto [entry, fresh] = layers_.try_emplace(layer->json, nullptr);
    if (fresh) entry->second = std::move(layer);
    return entry->second;
  }

 private:
  std::unordered_map<std::string, std::shared_ptr<const RuleLayer>> layers_;
};

// The ids of one platform's offers: those that are written first, then those made from the card. The
// offers keep the texts.
class Ids {
 public:
  // False when the id is taken.
  bool take(std::string_view id) { return taken_.insert(id).second; }
  // Numbers the id until it is free; it must then be kept where it stands.
  void number(std::string& id) {
    if (!taken_.contains(id)) return;
    for (std::size_t& n = ++last_[id];; ++n)
      if (std::string next = id + "#" + std::to_string(n + 1); !taken_.contains(next)) {
        id = std::move(next);
        return;
      }
  }

 private:
  std::unordered_set<std::string_view> taken_;
  std::unordered_map<std::string, std::size_t> last_;
};

// What a platform says may stand behind its offers, so ids, dates and rules are added at the end.
class CatalogReader {
 public:
  explicit CatalogReader(std::string source)
      : source_(std::move(source)), context_{.source = source_, .faults = &faults_} {}
  CatalogReader(const CatalogReader&) = delete;
  CatalogReader& operator=(const CatalogReader&) = delete;

  Result<Catalog> read(const LongText& long_text) {
    const std::string_view text = long_text.text;
    // Most of a short text's hash is done before a thread has begun.
    constexpr std::size_t kShort = std::size_t{1} << 20;
    auto hash = std::async(text.size() < kShort ? std::launch::deferred : std::launch::async, long_text.hash);
    bytes_ = text.size();
    const JsonStream stream{.path = {"platforms", "*", "offers", "*"},
                            .begin = [this] { return begin(); },
                            .end = [this](std::unique_ptr<JsonTaker> taker) { append(std::move(taker)); },
                            .again = [this] { forget_offers(); },
                            .passed = [&](std::size_t bytes) {
                              read_ = bytes;
                              if (long_text.passed) long_text.passed(bytes);
                            }};
    const auto document = parse_json(text, source_, faults_, stream);
    if (document && !finish(document->root())) return std::move(faults_);
    if (Diagnostics all = all_faults(); !all.empty()) return all;
    catalog_.sha256 = hash.get();
    return std::move(catalog_);
  }

 private:
  // One that was used before has room for its offers, and knows the texts that come again and again.
  std::unique_ptr<JsonTaker> begin() {
    if (idle_.empty()) return std::make_unique<OfferTaker>(source_);
    auto taker = std::move(idle_.back());
    idle_.pop_back();
    return taker;
  }

  void append(std::unique_ptr<JsonTaker> back) {
    auto& taker = static_cast<OfferTaker&>(*back);
    make_room(taker.offers().size());
    for (Offer& offer : taker.offers()) {
      if (offer.layer) offer.layer = layers_.shared(std::move(offer.layer));
      catalog_.offers.push_back(std::move(offer));
    }
    places_.insert(places_.end(), taker.places().begin(), taker.places().end());
    offer_faults_.insert(offer_faults_.end(), taker.faults().begin(), taker.faults().end());
    untold_ += taker.untold();
    trim(offer_faults_, untold_);
    taker.clear();
    idle_.push_back(std::move(back));
  }

  // Growing step by step would hold all offers twice: what has been read tells how many will come.
  void make_room(std::size_t more) {
    const std::size_t wanted = catalog_.offers.size() + more;
    if (wanted <= catalog_.offers.capacity()) return;
    const std::size_t offer_bytes = std::max<std::size_t>(read_ / std::max<std::size_t>(catalog_.offers.size(), 1), 32);
    const std::size_t room = std::max(wanted, read_ == 0 ? wanted : bytes_ / offer_bytes + bytes_ / offer_bytes / 16);
    catalog_.offers.reserve(room);
    places_.reserve(room);
    in_large_pages(catalog_.offers.data(), catalog_.offers.capacity() * sizeof(Offer));
  }

  void forget_offers() {
    catalog_.offers.clear();
    places_.clear();
    offer_faults_.clear();
    untold_ = 0;
  }

  // False when the document is of another kind, of which nothing more is worth saying.
  bool finish(const JsonNode& root) {
    const JsonReader reader(root, context_);
    if (!reader.is_object() || !is_catalog(reader)) return false;
    Fields fields(reader);
    fields.known("schema");
    fields.set("name", catalog_.name, [](const JsonReader& r) { return r.text(); });
    fields.set("as_of", catalog_.as_of, [](const JsonReader& r) { return r.date(); });
    if (const auto value = fields.find("currency")) catalog_.currency = currency_code(*value);
    fields.set("fx", catalog_.fx, [this](const JsonReader& r) { return read_fx(r); });
    if (const auto list = fields.find("cards"))
      for (const JsonReader& card : list->items()) {
        catalog_.cards.push_back(read_card(card));
        catalog_.card_texts.push_back({catalog_.cards.back().name, to_json(card.node())});
      }
    auto defaults = std::make_shared<Rules>();
    if (const auto value = fields.find("defaults"); value && value->is_object()) {
      value->allow(kRuleKeys);
      lay_rules(*value, *defaults);
      catalog_.layer = layers_.shared(layer_of(*value));
    }
    if (const auto list = fields.find("contract"))
      for (const JsonReader& term : list->items()) catalog_.contract.push_back(read_contract_term(term));
    catalog_.own = own_keys(root);
    if (const auto list = fields.find("platforms")) read_platforms(*list, *defaults);
    return true;
  }

  static bool is_catalog(const JsonReader& reader) {
    const std::string fix = fmt::format("write \"schema\": \"{}\"", kSchema);
    const auto schema = reader.find("schema");
    if (!schema) {
      reader.complain("the key \"schema\" is missing", fix);
      return true;
    }
    if (schema->node().is(JsonNode::Kind::string) && schema->node().text == kSchema) return true;
    schema->complain_expected(quote(kSchema),
                              schema->node().text.starts_with("gpuplan.") ? "this is another kind of document" : fix);
    return false;
  }

  std::map<std::string, Decimal> read_fx(const JsonReader& reader) {
    std::map<std::string, Decimal> fx;
    for (const auto& [currency, rate] : reader.members()) {
      if (currency.starts_with("x_")) continue;
      JsonNode code;
      code.kind = JsonNode::Kind::string;
      code.text = currency;
      const JsonContext here{.source = source_, .faults = &faults_, .prefix = rate.where()};
      currency_code(JsonReader(code, here));
      fx[currency] = positive(rate);
      if (currency == catalog_.currency && Decimal::parse(rate.node().text) != Decimal::of(1))
        rate.complain_expected("1, since it is the catalog's own currency");
    }
    return fx;
  }

  void read_platforms(const JsonReader& list, const Rules& defaults) {
    std::unordered_set<std::string> ids;
    std::size_t next = 0;  // the first offer of the platform
    for (const JsonReader& reader : list.items()) {
      Platform platform = read_platform(reader, defaults);
      if (!platform.id.empty() && !ids.insert(platform.id).second)
        reader.at("id").complain("the platform " + quote(platform.id) + " stands twice",
                                 "put its offers into one platform");
      std::size_t end = next;
      while (end < places_.size() && places_[end].platform == catalog_.platforms.size()) ++end;
      complete_offers(platform, reader, next, end);
      catalog_.platforms.push_back(std::move(platform));
      next = end;
    }
  }

  Platform read_platform(const JsonReader& reader, const Rules& defaults) {
    Platform platform;
    platform.currency = catalog_.currency;
    auto rules = std::make_shared<Rules>(defaults);
    platform.rules = rules;
    Fields fields(reader);
    if (!reader.node().is(JsonNode::Kind::object)) return platform;
    fields.known(kRuleKeys);
    platform.id = name(fields.at("id"));
    if (platform.id.find('/') != std::string::npos)
      reader.at("id").complain("the id of a platform cannot contain \"/\"", "offers are named PLATFORM/ID");
    fields.set("name", platform.name, name);
    fields.set("url", platform.url, name);
    fields.set("market", platform.market, name);
    if (const auto value = fields.find("currency")) platform.currency = currency_code(*value);
    fields.set("as_of", platform.as_of, [](const JsonReader& r) { return r.date(); });
    fields.set("source", platform.source, [](const JsonReader& r) { return r.text(); });
    fields.set("tax_percent", platform.tax_percent, percent);
    if (const auto value = fields.find("account")) {
      platform.account_stated = true;
      platform.account = read_account(*value);
    }
    if (const auto offers = fields.find("offers"); offers) (void)offers->items();
    lay_rules(reader, *rules);
    platform.layer = layers_.shared(layer_of(reader));
    platform.own = own_keys(reader.node());
    return platform;
  }

  // Gives offers [begin, end) what only their platform decides.
  void complete_offers(const Platform& platform, const JsonReader& holder, std::size_t begin, std::size_t end) {
    OfferRules merger(platform.rules);
    bool platform_checked = false, named_in_order = true;
    if (begin == end) check_merged(*platform.rules, holder);
    for (std::size_t i = begin; i < end; ++i) {
      Offer& offer = catalog_.offers[i];
      named_in_order = named_in_order && places_[i].named && (i == begin || stands_behind(catalog_.offers[i - 1].id, offer.id));
      if (!offer.as_of) offer.as_of = platform.as_of ? platform.as_of : catalog_.as_of;
      if (!offer.layer && platform_checked) {
        offer.rules = platform.rules;
        continue;
      }
      auto [rules, first] = merger.of(offer.layer.get());
      offer.rules = std::move(rules);
      platform_checked = platform_checked || !offer.layer;
      if (!first) continue;
      const JsonContext here{.source = source_,
                             .faults = &faults_,
                             .prefix = offer.layer ? places_[i].pointer() : holder.where()};
      check_merged(*offer.rules, JsonReader(kNothing, here));
    }
    if (!named_in_order) name_offers(platform, begin, end);
  }

  void name_offers(const Platform& platform, std::size_t begin, std::size_t end) {
    Ids ids;
    for (std::size_t i = begin; i < end; ++i) {
      const Offer& offer = catalog_.offers[i];
      if (places_[i].named && !offer.id.empty() && !ids.take(offer.id))
        faults_.push_back({ErrorCode::invalid, source_, places_[i].pointer() + "/id",
                           "the id " + quote(offer.id) + " stands twice in its platform",
                           "leave the id out to have one made"});
    }
    for (std::size_t i = begin; i < end; ++i) {
      Offer& offer = catalog_.offers[i];
      if (places_[i].named) continue;
      offer.id = default_id(platform.id, offer);
      ids.number(offer.id);
      ids.take(offer.id);
    }
  }

  // Ids that a program numbered rise, and what rises stands once: "m-9", "m-10".
  static bool stands_behind(const std::string& before, const std::string& id) {
    return id.size() > before.size() || (id.size() == before.size() && id > before);
  }

  // Each fault once, those of the document and its platforms first, up to the cap.
  Diagnostics all_faults() {
    Diagnostics all = std::move(faults_);
    all.insert(all.end(), offer_faults_.begin(), offer_faults_.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    if (all.size() > kMostFaults) {
      untold_ += all.size() - kMostFaults;
      all.resize(kMostFaults);
    }
    if (untold_ > 0)
      all.push_back({ErrorCode::invalid, source_, {}, fmt::format("{} more faults are not shown", untold_), {}});
    return all;
  }

  std::string source_;
  Diagnostics faults_, offer_faults_;
  JsonContext context_;
  std::size_t untold_ = 0;
  std::size_t bytes_ = 0, read_ = 0;  // of the text
  LayerPool layers_;
  std::vector<std::unique_ptr<JsonTaker>> idle_;
  Catalog catalog_;
  std::vector<Place> places_;  // of each offer
};

}  // namespace
}  // namespace detail

Result<Catalog> read_catalog(std::string_view text, const std::string& source) {
  return read_catalog(LongText{text, [text] { return sha256_hex(text); }, {}}, source);
}

Result<Catalog> read_catalog(const LongText& text, const std::string& source) {
  return detail::CatalogReader(source).read(text);
}

}  // namespace gpuplan
