#include <fmt/format.h>

#include <algorithm>

#include "core/text.hpp"
#include "gpuplan/render.hpp"
#include "render/html.hpp"
#include "render/json_writer.hpp"
#include "render/markdown.hpp"
#include "render/page_parts.hpp"
#include "render/text_table.hpp"
#include "spec/card_rates.hpp"

namespace gpuplan {
namespace {

std::string tera(const std::optional<FlopRate>& rate) {
  return rate ? fmt::format("{:.4g}", rate->per_second() * 1e-12) : "?";
}

std::string_view link_name(Link link) {
  switch (link) {
    case Link::none:
      return "none";
    case Link::pcie:
      return "pcie";
    case Link::nvlink:
      return "nvlink";
    case Link::nvswitch:
      return "nvswitch";
    case Link::other:
      return "other";
    case Link::unknown:
      break;
  }
  return "?";
}

std::string_view class_name(CardClass card_class) {
  switch (card_class) {
    case CardClass::datacenter:
      return "datacenter";
    case CardClass::workstation:
      return "workstation";
    case CardClass::consumer:
      return "consumer";
    case CardClass::accelerator:
      return "accelerator";
    case CardClass::slice:
      return "slice";
  }
  return "";
}

std::string link_text(const Card& card) {
  std::string text;
  if (card.link != Link::none && card.link != Link::unknown && card.link != Link::pcie) {
    text = card.link == Link::other && !card.link_name.empty() ? card.link_name : link_name(card.link);
    std::ranges::replace(text, '_', ' ');
    if (card.link_total) text += fmt::format(" {:.0f} GB/s", card.link_total->per_second() * 1e-9);
  } else if (card.pcie_gen > 0) {
    text = fmt::format("PCIe {}.0 x{}", card.pcie_gen, card.pcie_lanes);
  } else {
    text = link_name(card.link);
  }
  return text;
}

void write_card(JsonWriter& json, const Card& card) {
  json.begin_object().field("name", card.name).field("vendor", card.vendor);
  json.field("architecture", card.architecture).field("class", class_name(card.card_class));
  json.key("year");
  card.year > 0 ? json.value(card.year) : json.null();
  json.field("memory_bytes", card.memory).field("memory_nominal_bytes", card.memory_nominal);
  json.field("memory_estimated", card.memory_estimated).field("memory_type", card.memory_type);
  json.key("bandwidth_bytes_per_s");
  card.bandwidth ? json.value(card.bandwidth->per_second()) : json.null();
  json.key("flops_per_s").begin_object();
  for (const RateName& rate : kRateNames) {
    json.key(rate.key);
    const auto& value = card.rates.*rate.rate;
    value ? json.value(value->per_second()) : json.null();
  }
  json.end_object();
  json.field("interconnect", link_name(card.link));
  json.key("interconnect_bytes_per_s");
  card.link_total ? json.value(card.link_total->per_second()) : json.null();
  json.field("compute_capability", card.compute_capability);
  json.key("watts");
  card.watts > 0 ? json.value(card.watts) : json.null();
  json.field("graphics", card.graphics);
  json.texts("native", card.native).texts("traps", card.traps).texts("aliases", card.aliases);
  json.key("sources").begin_array();
  for (const CardSource& source : card.sources)
    json.begin_object().texts("fields", source.fields).field("source", source.source).end_object();
  json.end_array().texts("unsourced", card.unsourced).end_object();
}

std::string cards_json(std::span<const Card* const> cards, const RenderOptions& options) {
  JsonWriter json;
  json.begin_object()
      .field("schema", "gpuplan.cards_view/1")
      .field("version", options.program_version);
  json.key("inputs").begin_object().end_object();
  json.key("cards").begin_array();
  for (const Card* card : cards) write_card(json, *card);
  json.end_array();
  write_warnings(json, {});
  return json.end_object().take();
}

std::string details(const Card& card, const RenderOptions& options) {
  std::string text =
      "\n" +
      wrap(fmt::format("{} ({}, {}{})", card.name, card.architecture, class_name(card.card_class),
                       card.year > 0 ? fmt::format(", {}", card.year) : ""),
           options.width - 2, 2) +
      "\n";
  const auto line = [&](std::string_view name, const std::string& content) {
    std::string label = translated(name, options.language);
    label.resize(label.size() + 12 - std::min<std::size_t>(display_width(label), 11), ' ');
    text += "  " + label + wrap(translated(content, options.language), options.width - 14, 14) + "\n";
  };
  line("native", card.native.empty() ? std::string("not known") : join(card.native, ", "));
  const std::string estimated =
      !card.memory_estimated                ? std::string{}
      : card.memory_estimated_from.empty()  ? std::string(" (estimated)")
                                            : " (estimated, " + card.memory_estimated_from + ")";
  line("memory", show_gib(card.memory, 2) + " as the driver reports it" + estimated);
  if (card.rates.fp64) line("FP64", tera(card.rates.fp64) + " TFLOPS");
  if (card.encoders) line("encoders", std::to_string(*card.encoders));
  for (const std::string& trap : card.traps) line("mind", trap);
  if (!options.explain) return text;
  for (const CardSource& source : card.sources)
    line("source", join(source.fields, ", ") + ": " + source.source);
  if (!card.unsourced.empty()) line("unsourced", join(card.unsourced, ", "));
  return text;
}

}  // namespace

namespace {

TextTable cards_table(std::span<const Card* const> cards) {
  TextTable table({{"card"},
                   {"memory GiB", true},
                   {"16-bit TFLOPS", true},
                   {"GB/s", true},
                   {"interconnect", false, 1},
                   {"native", false, 3},
                   {"watts", true, 2}});
  for (const Card* card : cards)
    table.add({card->name,
               fmt::format("{:.2f}{}", card->memory.as_double() / (1 << 30),
                           card->memory_estimated ? "~" : ""),
               tera(card->rates.bf16 ? card->rates.bf16 : card->rates.fp16),
               card->bandwidth ? fmt::format("{:.0f}", card->bandwidth->per_second() * 1e-9) : "?",
               link_text(*card), join(card->native, " "),
               card->watts > 0 ? std::to_string(card->watts) : "?"});
  return table;
}

std::string cards_text(std::span<const Card* const> cards) {
  return fmt::format("{} cards; rates are dense, accumulating in 32 bits; ~ estimated", cards.size());
}

std::string page(std::span<const Card* const> cards, const RenderOptions& options) {
  std::string out = html_head("Cards", cards_text(cards)) +
                    cards_table(cards).html("The four columns that matter, precisions and power");
  if (cards.size() > 4 && !options.explain) return out;
  RenderOptions english = plain_options(options);
  english.language = Language::english;
  for (const Card* card : cards) out += html_preformatted(details(*card, english));
  return out;
}

}  // namespace

std::string render_cards(std::span<const Card* const> cards, const RenderOptions& options) {
  if (options.format == Format::json) return cards_json(cards, options);
  if (options.format == Format::html) return page(cards, options);
  std::string text = cards_table(cards).in(options);
  if (options.format == Format::markdown) return markdown_head("Cards", cards_text(cards), options) + text;
  if (options.format != Format::table) return text;
  if (cards.size() <= 4)
    for (const Card* card : cards) text += details(*card, options);
  else
    text += "\n" +
            wrap(translated(fmt::format("{} cards; rates are dense, accumulating in 32 bits; ~ "
                                        "estimated; name up to four to see their traps",
                                        cards.size()),
                            options.language),
                 options.width - 2, 2) +
            "\n";
  return text;
}

}  // namespace gpuplan
