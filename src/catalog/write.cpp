// A catalog as a document: one platform after the other, one offer a line.
#include <algorithm>
#include <utility>

#include "catalog/names.hpp"
#include "catalog/rules.hpp"
#include "catalog/terms.hpp"
#include "core/json.hpp"
#include "gpuplan/import.hpp"

namespace gpuplan {
namespace {

template <class Enum, std::size_t n>
std::string_view word(const std::array<Named<Enum>, n>& names, Enum value) {
  for (const auto& entry : names)
    if (entry.value == value) return entry.name;
  return {};
}

// Members of one object, separated as they come.
class Members {
 public:
  explicit Members(std::string& out, std::string_view separator = ",") : out_(&out), separator_(separator) { out += '{'; }
  std::string& key(std::string_view name) {
    if (!first_) *out_ += separator_;
    first_ = false;
    write_json_text(name, *out_);
    return *out_ += ':';
  }
  void text(std::string_view name, std::string_view value) {
    if (!value.empty()) write_json_text(value, key(name));
  }
  void raw(std::string_view name, std::string_view json) { key(name) += json; }
  void number(std::string_view name, const std::optional<Decimal>& value) {
    if (value) key(name) += value->to_string();
  }
  void flag(std::string_view name, bool value) { key(name) += value ? "true" : "false"; }
  template <class List>
  void own(const List& keys) {
    for (const OwnKey& entry : keys) raw(entry.key, entry.json);
  }
  // Rule groups, which stand as members of the object itself.
  void rules(const std::shared_ptr<const RuleLayer>& layer) {
    if (!layer) return;
    const std::string json = detail::flattened(*layer);
    if (json.size() <= 2) return;
    if (!first_) *out_ += separator_;
    first_ = false;
    *out_ += json.substr(1, json.size() - 2);
  }
  void close() { *out_ += '}'; }

 private:
  std::string* out_;
  std::string_view separator_;
  bool first_ = true;
};

void write_texts(std::string& out, const std::vector<std::string>& list) {
  out += '[';
  for (const std::string& text : list) {
    if (!out.ends_with('[')) out += ',';
    write_json_text(text, out);
  }
  out += ']';
}

void write_refund(std::string& out, const Refund& refund) {
  switch (refund.kind) {
    case Refund::Kind::none: out += "\"none\""; return;
    case Refund::Kind::pro_rata: out += "\"pro_rata\""; return;
    case Refund::Kind::service_credit: out += "\"service_credit\""; return;
    case Refund::Kind::multiplier: out += "{\"multiplier\":" + refund.value.to_string() + "}"; return;
    case Refund::Kind::clawback: out += "{\"clawback_percent\":" + refund.value.to_string() + "}"; return;
  }
}

void write_commitment(std::string& out, const Commitment& term) {
  Members members(out);
  members.text("name", term.name);
  members.number("hours", term.hours);
  members.number("price", term.price);
  members.number("hourly", term.hourly);
  if (term.hourly_used) members.flag("hourly_used", true);
  if (term.refund) write_refund(members.key("refund"), *term.refund);
  if (term.covers_gpu_only) members.text("covers", word(detail::kCovers, *term.covers_gpu_only));
  if (term.at_end) members.text("at_end", word(detail::kAtEnds, *term.at_end));
  members.close();
}

// A day, week, month or year that says nothing but its price: its key alone says the rest.
bool is_plain_term(const Commitment& term) {
  return !term.hourly && !term.refund && !term.covers_gpu_only && !term.at_end &&
         detail::is_usual_term(term.name, term.hours);
}

void write_price(std::string& out, const Prices& price) {
  Members members(out);
  members.number("on_demand", price.on_demand);
  members.number("spot", price.spot);
  for (const Commitment& term : price.commitments)
    if (is_plain_term(term)) members.number(term.name, term.price);
  if (!std::ranges::all_of(price.commitments, is_plain_term)) {
    std::string& list = members.key("commitments") += '[';
    for (const Commitment& term : price.commitments) {
      if (is_plain_term(term)) continue;
      if (!list.ends_with('[')) list += ',';
      write_commitment(list, term);
    }
    list += ']';
  }
  if (price.spot_series) {
    std::string& series = members.key("spot_series");
    Members parts(series);
    parts.text("file", price.spot_series->file);
    parts.close();
  }
  members.close();
}

void write_components(std::string& out, const Few<Component>& components) {
  out += '[';
  for (const Component& part : components) {
    if (!out.ends_with('[')) out += ',';
    Members members(out);
    members.text("what", part.what);
    members.number("price", part.price);
    members.number("spot", part.spot);
    if (part.per != PriceUnit::hour) members.text("per", word(detail::kPriceUnits, part.per));
    members.close();
  }
  out += ']';
}

// In whole GiB or MiB where it is that; else in bytes.
std::string size_text(Bytes bytes) {
  constexpr std::int64_t kMiB = std::int64_t{1} << 20;
  const std::int64_t n = bytes.count();
  if (n % (kMiB << 10) == 0) return std::to_string(n / (kMiB << 10)) + "GiB";
  if (n % kMiB == 0) return std::to_string(n / kMiB) + "MiB";
  return std::to_string(n) + "B";
}

void write_offer(std::string& out, const Offer& offer, const Platform& platform, const Catalog& catalog) {
  Members members(out);
  members.text("id", offer.id);
  members.text("card", offer.card);
  if (offer.gpus != 1) members.key("gpus") += std::to_string(offer.gpus);
  if (offer.node_only) members.flag("node_only", true);
  members.number("share", offer.share);
  if (offer.memory) members.text("memory", size_text(*offer.memory));
  if (offer.interconnect) members.text("interconnect", word(detail::kWireNames, *offer.interconnect));
  if (offer.nodes_gbps) members.key("nodes_interconnect") += "{\"gbps\":" + offer.nodes_gbps->to_string() + "}";
  members.number("vcpus", offer.vcpus);
  members.number("ram_gb", offer.ram_gb);
  members.number("disk_gb", offer.disk_gb);
  members.text("tier", offer.tier);
  members.text("region", offer.region);
  members.text("zone", offer.zone);
  members.text("stock", offer.stock);
  if (offer.free) members.flag("free", true);
  if (offer.quote) members.text("price_kind", "quote");
  const Prices& price = offer.price;
  if (offer.components.empty() || price.on_demand || price.spot || !price.commitments.empty() || price.spot_series != nullptr)
    write_price(members.key("price"), price);
  if (!offer.components.empty()) write_components(members.key("components"), offer.components);
  members.rules(offer.layer);
  if (offer.as_of && offer.as_of != (platform.as_of ? platform.as_of : catalog.as_of)) members.text("as_of", to_string(*offer.as_of));
  members.text("source", offer.source);
  members.text("note", offer.note);
  members.own(offer.own);
  members.close();
}

void write_account(std::string& out, const AccountRules& account) {
  const auto lists = [](Members& members, const std::vector<std::string>& plans, const std::vector<std::string>& who) {
    if (!plans.empty()) write_texts(members.key("plans"), plans);
    if (!who.empty()) write_texts(members.key("who"), who);
  };
  Members members(out);
  members.number("fee_month", account.fee_month);
  if (!account.credits.empty()) {
    std::string& list = members.key("credits") += '[';
    for (const Credit& credit : account.credits) {
      if (!list.ends_with('[')) list += ',';
      Members parts(list);
      parts.number("amount", credit.amount);
      if (credit.monthly) parts.text("every", "month");
      parts.number("expires_days", credit.expires_days);
      lists(parts, credit.plans, credit.who);
      parts.close();
    }
    list += ']';
  }
  if (!account.discounts.empty()) {
    std::string& list = members.key("discounts") += '[';
    for (const Discount& discount : account.discounts) {
      if (!list.ends_with('[')) list += ',';
      Members parts(list);
      parts.number("percent", discount.percent);
      if (!discount.items.empty()) write_texts(parts.key("items"), discount.items);
      parts.number("above_spend", discount.above_spend);
      lists(parts, discount.plans, discount.who);
      parts.close();
    }
    list += ']';
  }
  members.number("minimum_topup", account.minimum_topup);
  members.number("host_down_factor", account.host_down_factor);
  if (account.sla_uptime_percent || account.sla_credit_percent) {
    Members sla(members.key("sla"));
    sla.number("uptime_percent", account.sla_uptime_percent);
    sla.number("credit_percent", account.sla_credit_percent);
    sla.close();
  }
  members.close();
}

void write_platform(std::string& out, const Catalog& catalog, std::size_t index) {
  const Platform& platform = catalog.platforms[index];
  out += "    ";
  Members members(out, ",\n     ");
  members.text("id", platform.id);
  members.text("name", platform.name);
  members.text("url", platform.url);
  members.text("market", platform.market);
  if (platform.currency != catalog.currency) members.text("currency", platform.currency);
  if (platform.as_of) members.text("as_of", to_string(*platform.as_of));
  members.text("source", platform.source);
  members.number("tax_percent", platform.tax_percent);
  members.own(platform.own);
  members.rules(platform.layer);
  if (platform.account_stated) write_account(members.key("account"), platform.account);
  std::string& list = members.key("offers") += '[';
  bool first = true;
  for (const Offer& offer : catalog.offers) {
    if (offer.platform != index) continue;
    list += first ? "\n       " : ",\n       ";
    first = false;
    write_offer(list, offer, platform, catalog);
  }
  list += ']';
  members.close();
}

}  // namespace

std::string write_catalog(const Catalog& catalog, std::span<const OwnKey> extra) {
  std::string out;
  Members members(out, ",\n  ");
  members.text("schema", "gpuplan.catalog/1");
  members.text("name", catalog.name);
  if (catalog.as_of) members.text("as_of", to_string(*catalog.as_of));
  members.text("currency", catalog.currency);
  const bool own_only = catalog.fx.size() == 1 && catalog.fx.contains(catalog.currency);
  if (!catalog.fx.empty() && !own_only) {
    Members fx(members.key("fx"));
    for (const auto& [currency, rate] : catalog.fx)
      if (currency != catalog.currency) fx.number(currency, rate);
    fx.close();
  }
  if (!catalog.card_texts.empty()) {
    std::string& list = members.key("cards") += '[';
    for (const OwnKey& card : catalog.card_texts) {
      list += list.ends_with('[') ? "\n    " : ",\n    ";
      list += card.json;
    }
    list += ']';
  }
  if (catalog.layer) members.raw("defaults", detail::flattened(*catalog.layer));
  members.own(catalog.own);
  for (const OwnKey& entry : extra) members.raw(entry.key, entry.json);
  std::string& list = members.key("platforms") += '[';
  for (std::size_t i = 0; i < catalog.platforms.size(); ++i) {
    list += i == 0 ? "\n" : ",\n";
    write_platform(list, catalog, i);
  }
  list += ']';
  members.close();
  return out + "\n";
}

}  // namespace gpuplan
