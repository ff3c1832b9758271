// Offers of a catalog and groups of them, `gpuplan.show/1`; what differs between two, `gpuplan.diff/1`.
#include <fmt/format.h>

#include <algorithm>

#include "catalog/offer_name.hpp"
#include "render/answer_explain.hpp"
#include "render/documents.hpp"
#include "render/html.hpp"
#include "render/json_writer.hpp"
#include "render/page_parts.hpp"
#include "render/pictures.hpp"
#include "render/text_table.hpp"
#include "gpuplan/render.hpp"
#include "render/markdown.hpp"

namespace gpuplan {
namespace {

std::string text_of(const std::optional<Decimal>& value) { return value ? value->to_string() : "-"; }

// Of money at least two decimals, so that prices stand below each other: 0.30, 0.0609.
std::string price_of(const std::optional<Decimal>& value, bool people) {
  std::string text = text_of(value);
  if (!value || !people) return text;
  const auto point = text.find('.');
  const std::size_t decimals = point == std::string::npos ? 0 : text.size() - point - 1;
  if (point == std::string::npos) text += '.';
  return text + std::string(decimals < 2 ? 2 - decimals : 0, '0');
}

std::string memory_text(const std::optional<Bytes>& memory) {
  return memory ? fmt::format("{:.1f}", memory->as_double() / (1 << 30)) : "-";
}

// A text that the catalog keeps under a key of its own; empty: it has none.
std::string own_text(const Offer& offer, std::string_view key) {
  for (const OwnKey& own : offer.own)
    if (own.key == key && own.json.size() >= 2 && own.json.front() == '"') return own.json.substr(1, own.json.size() - 2);
  return {};
}

void text_or_null(JsonWriter& json, std::string_view key, const std::string& text) {
  json.key(key);
  text.empty() ? json.null() : json.value(text);
}

void write_offer(JsonWriter& json, const OfferView& view) {
  const Offer& offer = *view.offer;
  json.begin_object().field("offer", offer_name(view.platform->id, offer.id)).field("platform", view.platform->id);
  json.field("card", view.card != nullptr ? view.card->name : offer.card.str()).field("card_as_listed", offer.card);
  json.field("gpus", offer.gpus).field("share", offer.share).field("memory_bytes", view.memory);
  text_or_null(json, "interconnect", offer.interconnect ? std::string(name_of(*offer.interconnect)) : "");
  text_or_null(json, "tier", offer.tier);
  text_or_null(json, "region", offer.region);
  text_or_null(json, "zone", offer.zone);
  text_or_null(json, "stock", offer.stock);
  json.field("vcpus", offer.vcpus).field("ram_gb", offer.ram_gb);
  json.field("currency", view.platform->currency).field("price", view.price).field("spot", view.spot);
  json.field("price_common", view.common).field("spot_common", view.common_spot).field("per_card", view.per_card);
  json.field("as_of", offer.as_of);
  text_or_null(json, "note", offer.note);
  json.end_object();
}

void write_group(JsonWriter& json, const OfferGroup& group) {
  json.begin_object().field("key", group.key).field("offers", group.offers).field("unpriced", group.unpriced);
  json.key("per_card").begin_object().field("low", group.low).field("median", group.middle).field("high", group.high).end_object();
  json.field("spot_low", group.spot_low).end_object();
}

std::vector<Explained> explained(const CatalogView& view, std::size_t shown) {
  std::vector<Explained> lines;
  const std::string& unit = view.catalog->currency;
  if (!view.options.group.empty()) {
    for (std::size_t i = 0; i < shown; ++i) {
      const OfferGroup& group = view.selection->groups[i];
      lines.push_back({.part = group.key,
                       .formula = "least, middle and greatest price of one card of the group",
                       .inputs = fmt::format("{} offers, {} of them without a price: {} / {} / {} {}",
                                             group.offers, group.unpriced, text_of(group.low),
                                             text_of(group.middle), text_of(group.high), unit),
                       .source = dated(view.catalog->name, view.catalog->as_of)});
    }
    return lines;
  }
  for (std::size_t i = 0; i < shown; ++i) {
    const OfferView& row = view.selection->offers[i];
    const Offer& offer = *row.offer;
    lines.push_back({.part = offer.id,
                     .formula = "price of the machine x rate of exchange / cards",
                     .inputs = fmt::format("{} {} = {} {}; / {} = {}", text_of(row.price),
                                           row.platform->currency, text_of(row.common), unit,
                                           offer.gpus, text_of(row.per_card)),
                     .source = dated(offer.source.empty() ? std::string_view(row.platform->source)
                                                          : std::string_view(offer.source.str()),
                                     offer.as_of ? offer.as_of : row.platform->as_of)});
  }
  return lines;
}

std::string as_json(const CatalogView& view, const RenderOptions& options, std::size_t shown) {
  JsonWriter json;
  json.begin_object().field("schema", "gpuplan.show/1").field("version", options.program_version);
  json.key("inputs").begin_object().texts("filters", view.options.filters).field("sort", view.options.sort);
  text_or_null(json, "group", view.options.group);
  json.end_object();
  json.field("currency", view.catalog->currency);
  json.key("catalog").begin_object().field("name", view.catalog->name).field("as_of", view.catalog->as_of);
  json.field("sha256", view.catalog->sha256).field("platforms", view.catalog->platforms.size());
  json.field("offers", view.catalog->offers.size()).end_object();
  const bool groups = !view.options.group.empty();
  json.key("offers").begin_array();
  if (!groups)
    for (std::size_t i = 0; i < shown; ++i) write_offer(json, view.selection->offers[i]);
  json.end_array().key("groups").begin_array();
  if (groups)
    for (std::size_t i = 0; i < shown; ++i) write_group(json, view.selection->groups[i]);
  json.end_array();
  json.field("matched", view.selection->offers.size());
  write_explain(json, explained(view, shown), options);
  json.field("left_out", (groups ? view.selection->groups.size() : view.selection->offers.size()) - shown);
  write_warnings(json, view.catalog->warnings);
  return json.end_object().take();
}

TextTable group_table(const CatalogView& view, std::size_t shown, bool people) {
  const std::string unit = view.catalog->currency;
  TextTable table({{view.options.group}, {"offers", true}, {"low " + unit, true}, {"median", true}, {"high", true},
                   {"spot from", true, 1}, {"without price", true, 2}});
  for (std::size_t i = 0; i < shown; ++i) {
    const OfferGroup& group = view.selection->groups[i];
    table.add({group.key.empty() ? "-" : group.key, std::to_string(group.offers), price_of(group.low, people),
               price_of(group.middle, people), price_of(group.high, people), price_of(group.spot_low, people), std::to_string(group.unpriced)});
  }
  return table;
}

TextTable offer_table(const CatalogView& view, std::size_t shown, bool people) {
  const std::string unit = view.catalog->currency;
  TextTable table({{"platform"}, {"card"}, {"gpus", true}, {unit + " an hour", true}, {"per card", true, 1}, {"spot", true, 1},
                   {"GiB", true, 4}, {"region", false, 2}, {"as of", false, 5}, {"offer", false, 3}, {"vendor's card", false, 6}});
  for (std::size_t i = 0; i < shown; ++i) {
    const OfferView& row = view.selection->offers[i];
    const Offer& offer = *row.offer;
    const std::string vendor = own_text(offer, "x_card");
    table.add({row.platform->id, row.card != nullptr ? row.card->name : offer.card + " (unknown)", std::to_string(offer.gpus),
               price_of(row.common, people), price_of(row.per_card, people), price_of(row.common_spot, people), memory_text(row.memory),
               offer.region.empty() ? "-" : offer.region.str(), offer.as_of ? to_string(*offer.as_of) : "-", offer.id,
               vendor.empty() ? offer.card.str() : vendor});
  }
  return table;
}

void write_names(JsonWriter& json, std::string_view key, const std::vector<std::string>& names) { json.texts(key, names); }

std::vector<Explained> explained(const DiffView& view) {
  std::vector<Explained> lines;
  for (const OfferChange& change : view.diff->changed)
    if (change.percent)
      lines.push_back({.part = change.offer + " " + change.key,
                       .formula = "(to - from) / from x 100",
                       .inputs = fmt::format("({} - {}) / {} = {:+.1f} %", change.to, change.from,
                                             change.from, *change.percent),
                       .source = view.from + ", " + view.to});
  return lines;
}

std::string diff_json(const DiffView& view, const RenderOptions& options) {
  JsonWriter json;
  json.begin_object().field("schema", "gpuplan.diff/1").field("version", options.program_version);
  json.key("inputs").begin_object().field("from", view.from).field("to", view.to).texts("fail_on", view.fail_on).end_object();
  write_names(json, "new", view.diff->added);
  write_names(json, "gone", view.diff->gone);
  json.key("changed").begin_array();
  for (const OfferChange& change : view.diff->changed) {
    json.begin_object().field("offer", change.offer).field("key", change.key);
    text_or_null(json, "from", change.from);
    text_or_null(json, "to", change.to);
    json.field("percent", change.percent).end_object();
  }
  json.end_array().key("gates").begin_array();
  for (const DiffGate& gate : view.gates)
    json.begin_object().field("name", gate.name).field("limit", gate.percent ? *gate.percent : Decimal{})
        .field("value", Decimal::parse(gate.value)).field("passed", gate.passed).end_object();
  json.end_array();
  write_explain(json, explained(view), options);
  write_warnings(json, view.diff->warnings);
  return json.end_object().take();
}

std::string percent_text(const OfferChange& change, bool people = true) {
  if (!change.percent) return {};
  return people ? fmt::format("{:+.1f} %", *change.percent) : fmt::format("{:.9g}", *change.percent);
}

std::string filters_text(const CatalogView& view) {
  std::string text = fmt::format("{} of {} offers", view.selection->offers.size(), view.selection->all);
  if (!view.options.group.empty())
    text += fmt::format(" in {} groups; prices of one card an hour", view.selection->groups.size());
  return text;
}

std::string asked_of(const CatalogView& view) {
  std::string asked = view.catalog->name.empty() ? "" : view.catalog->name;
  for (const std::string& filter : view.options.filters) asked += (asked.empty() ? "" : " · ") + filter;
  return asked;
}

std::string page(const CatalogView& view, const RenderOptions& options, const TextTable& table,
                 std::size_t shown) {
  RenderOptions json = options;
  json.format = Format::json;
  json.explain = false;
  return html_head("Offers of the catalog", asked_of(view)) + html_decision(filters_text(view)) +
         pictures_html(pictures_of(view)) + html_section("Offers") + table.html("Offers") +
         explained_html(explained(view, shown), options) +
         html_warnings(view.catalog->warnings) + html_catalog(*view.catalog) +
         html_inputs(as_json(view, json, 0));
}

constexpr std::size_t kBars = 12;

}  // namespace

// Of groups the cheapest card hour of each; of offers the price of one card.
Pictures pictures_of(const CatalogView& view) {
  const std::string& unit = view.catalog->currency;
  Bars bars{.series = {"price"}, .rows = {}, .marks = {}};
  const auto row = [&](const std::string& label, const std::optional<Decimal>& price) {
    if (!price || bars.rows.size() == kBars) return;
    bars.rows.push_back({.label = label,
                         .parts = {{0, {price->approximate(), price->to_string()}}},
                         .note = price->to_string() + " " + unit});
  };
  for (const OfferGroup& group : view.selection->groups) row(group.key, group.low);
  if (view.options.group.empty())
    for (const OfferView& offer : view.selection->offers)
      row(offer.platform->id + " " + (offer.card != nullptr ? offer.card->name : offer.offer->card.str()), offer.per_card);
  if (bars.rows.size() < 2) return {};
  return {{.key = "price-of-cards",
           .title = "Price of one card, an hour",
           .summary = view.options.group.empty() ? "The first of the table." : "The lowest of each group.",
           .unit = unit,
           .exact_unit = unit,
           .content = std::move(bars)}};
}

std::string render(const CatalogView& view, const RenderOptions& options) {
  const bool groups = !view.options.group.empty();
  const std::size_t all = groups ? view.selection->groups.size() : view.selection->offers.size();
  const bool cut = options.format == Format::table || options.top_stated;
  const std::size_t shown = cut ? std::min(options.top, all) : all;
  if (options.format == Format::json) return as_json(view, options, shown);
  const bool people = options.format != Format::csv;
  const TextTable table = groups ? group_table(view, shown, people) : offer_table(view, shown, people);
  if (options.format == Format::html) return page(view, options, table, shown);
  if (options.format == Format::markdown)
    return markdown_head("Offers of the catalog", asked_of(view), options) + markdown_decision(filters_text(view), options) +
           table.in(options) + "\n" + markdown_warnings(view.catalog->warnings, options);
  if (options.format != Format::table) return table.in(options);
  std::string text = wrap(translated(filters_text(view), options.language), options.width - 2, 2) + "\n";
  if (shown > 0) text += "\n" + table.in(options);
  if (shown < all)
    text += translated(fmt::format("({} more: --top {})", all - shown, all), options.language) + "\n";
  text += explained_text(explained(view, shown), options);
  if (options.chart) text += pictures_text(pictures_of(view), options);
  return text;
}

std::string render(const DiffView& view, const RenderOptions& options) {
  if (options.format == Format::json) return diff_json(view, options);
  TextTable table({{"what"}, {"offer"}, {"key"}, {"from", true}, {"to", true}, {"percent", true}});
  for (const std::string& name : view.diff->added) table.add({"new", name, "", "", "", ""});
  for (const std::string& name : view.diff->gone) table.add({"gone", name, "", "", "", ""});
  for (const OfferChange& change : view.diff->changed)
    table.add({"changed", change.offer, change.key, change.from.empty() ? "-" : change.from, change.to.empty() ? "-" : change.to, percent_text(change, options.format != Format::csv)});
  const auto say = [&](std::string_view line) { return translated(line, options.language); };
  const std::string counts = fmt::format("{} new, {} gone, {} changed", view.diff->added.size(), view.diff->gone.size(), view.diff->changed.size());
  if (options.format == Format::html) {
    std::vector<std::string> gates;
    for (const DiffGate& gate : view.gates) gates.push_back(judged_line(gate));
    return html_head("What differs between two catalogs", view.from + " · " + view.to) + html_decision(counts) +
           html_list("Limits", gates) + table.html("Offers that differ") + explained_html(explained(view), options) + html_warnings(view.diff->warnings);
  }
  if (options.format == Format::markdown) {
    std::string text = markdown_head("What differs between two catalogs", view.from + " · " + view.to, options) +
                       markdown_decision(counts, options);
    for (const DiffGate& gate : view.gates) text += "- " + markdown_text(say(judged_line(gate))) + "\n";
    return text + (view.gates.empty() ? "" : "\n") + (table.empty() ? "" : table.in(options) + "\n") +
           markdown_warnings(view.diff->warnings, options);
  }
  if (options.format != Format::table) return table.in(options);
  const std::size_t all = view.diff->added.size() + view.diff->gone.size() + view.diff->changed.size();
  std::string text = say(counts) + "\n";
  const auto line = [&](std::string_view sign, const std::string& rest) { text += wrap(fmt::format("{} {}", sign, safe(rest)), options.width - 4, 4) + "\n"; };
  std::size_t left = options.top_stated ? options.top : all;
  for (const std::string& name : view.diff->added)
    if (left > 0) line("+", name), --left;
  for (const std::string& name : view.diff->gone)
    if (left > 0) line("-", name), --left;
  for (const OfferChange& change : view.diff->changed)
    if (left > 0)
      line("~", fmt::format("{}: {} {} -> {} {}", change.offer, change.key, change.from.empty() ? say("not stated") : change.from,
                            change.to.empty() ? say("not stated") : change.to, percent_text(change))),
          --left;
  if (options.top_stated && all > options.top) text += say(fmt::format("({} more: --top {})", all - options.top, all)) + "\n";
  for (const DiffGate& gate : view.gates) text += say(judged_line(gate)) + "\n";
  text += explained_text(explained(view), options);
  return text;
}

}  // namespace gpuplan
