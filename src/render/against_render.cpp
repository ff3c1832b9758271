// What became of an earlier answer: a part of the document, and some lines for people.
#include <fmt/format.h>

#include "core/text.hpp"
#include "gpuplan/against.hpp"
#include "render/documents.hpp"
#include "render/text_table.hpp"

namespace gpuplan {
namespace {

void write_choice(JsonWriter& json, std::string_view key, const std::optional<Choice>& choice) {
  json.key(key);
  if (!choice) {
    json.null();
    return;
  }
  json.begin_object().field("offer", choice->name).field("total", choice->total).end_object();
}

std::string percent_text(const OfferChange& change) {
  return change.percent ? fmt::format("{:+.1f} %", *change.percent) : std::string{};
}

}  // namespace

std::string judged_line(const DiffGate& gate) {
  const std::string asked = gate.name + (gate.percent ? ":" + gate.percent->to_string() + "%" : "");
  const std::string found = gate.percent ? "the worst is " + (gate.value.empty() ? "0" : gate.value) + " %"
                            : gate.value.empty() || gate.value == "0" ? "there is none"
                            : gate.value == "1"                       ? "there is 1"
                                                                      : "there are " + gate.value;
  return fmt::format("--fail-on {}: {}, {}", asked, gate.passed ? "passed" : "not met", found);
}

void write_against(JsonWriter& json, const Against& against) {
  json.key("against").begin_object().field("source", against.source);
  write_choice(json, "before", against.before);
  write_choice(json, "now", against.now);
  json.texts("new", against.rows.added).texts("gone", against.rows.gone);
  json.key("changed").begin_array();
  for (const OfferChange& change : against.rows.changed)
    json.begin_object()
        .field("offer", change.offer)
        .field("key", change.key)
        .field("from", Decimal::parse(change.from))
        .field("to", Decimal::parse(change.to))
        .field("percent", change.percent)
        .end_object();
  json.end_array().key("rejected").begin_array();
  for (const Rejection& change : against.rejected)
    json.begin_object()
        .field("offer", change.offer)
        .field("before", change.before)
        .field("now", change.now)
        .end_object();
  json.end_array().key("gates").begin_array();
  for (const DiffGate& gate : against.gates) {
    json.begin_object().field("name", gate.name).field("limit", gate.percent);
    json.field("value", Decimal::parse(gate.value)).field("passed", gate.passed).end_object();
  }
  json.end_array();
  write_warnings(json, against.warnings);
  json.end_object();
}

std::string against_text(const Against& against, const std::string& currency,
                         const RenderOptions& options) {
  const auto say = [&](const std::string& line, int indent) {
    return std::string(static_cast<std::size_t>(indent), ' ') +
           wrap(translated(line, options.language), options.width - 2 - indent, 2 + indent) + "\n";
  };
  std::string text = "\n" + say("Against " + safe(against.source) + ":", 0);
  // Another question first: its totals cannot be held against these.
  for (const Warning& warning : against.warnings)
    if (warning.code == "against_other_job") text += say("another question: " + safe(warning.message), 2);
  const auto choice = [&](std::string_view when, const std::optional<Choice>& c) {
    text += say(c ? fmt::format("{} {}: {} {}", when, safe(c->name), to_string(c->total), currency)
                  : fmt::format("{} nothing was recommended", when),
                2);
  };
  choice("before", against.before);
  choice("now   ", against.now);
  text += say(fmt::format("{} new row{}, {} gone, {} with another total", against.rows.added.size(),
                          against.rows.added.size() == 1 ? "" : "s", against.rows.gone.size(),
                          against.rows.changed.size()),
              2);
  constexpr std::size_t kMostLines = 10;
  for (std::size_t i = 0; i < std::min(kMostLines, against.rows.changed.size()); ++i) {
    const OfferChange& change = against.rows.changed[i];
    text += "  " +
            wrap(fmt::format("{}: {} -> {} {}", safe(change.offer), change.from, change.to,
                             percent_text(change)),
                 options.width - 4, 4) +
            "\n";
  }
  const auto words = [&](const std::string& codes) {
    return codes.empty() ? translated("not rejected", options.language) : codes;
  };
  for (std::size_t i = 0; i < std::min(kMostLines, against.rejected.size()); ++i) {
    const Rejection& change = against.rejected[i];
    text += say(fmt::format("{}: {} -> {}", safe(change.offer), words(change.before), words(change.now)), 2);
  }
  if (against.rejected.size() > kMostLines)
    text += say(fmt::format("... and {} more changes among the rejected", against.rejected.size() - kMostLines), 2);
  for (const DiffGate& gate : against.gates)
    text += say(judged_line(gate), 2);
  return text;
}

}  // namespace gpuplan
