// The verdict on an environment: findings with their fixes, cards, machines.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "gpuplan/check.hpp"
#include "core/text.hpp"
#include "render/answer_explain.hpp"
#include "render/documents.hpp"
#include "render/html.hpp"
#include "render/markdown.hpp"
#include "render/page_parts.hpp"
#include "render/text_table.hpp"

namespace gpuplan {
namespace {

std::string_view verdict_of(const CheckResult& result) {
  return result.verdict() == Severity::note ? "ok" : name_of(result.verdict());
}

void version(JsonWriter& json, std::string_view key, const std::optional<Version>& value) {
  json.key(key);
  value ? json.value(value->to_string()) : json.null();
}

void text_or_null(JsonWriter& json, std::string_view key, const std::string& text) {
  json.key(key);
  text.empty() ? json.null() : json.value(text);
}

void write_framework(JsonWriter& json, const SeenFramework& framework) {
  json.begin_object().field("name", framework.name);
  version(json, "release", framework.release);
  text_or_null(json, "build", framework.build);
  version(json, "cuda", framework.cuda);
  json.field("available", framework.available);
  json.key("capabilities").begin_array();
  for (const Version& capability : framework.capabilities) json.value(capability.to_string());
  json.end_array().end_object();
}

// By what rule findings are made; the first whose prefix fits.
struct FindingRule {
  std::string_view prefix, formula, table;
};
constexpr std::array kFindingRules{
    FindingRule{"driver_too_old", "CUDA that the program was built with <= CUDA that the driver knows",
                "compat.json"},
    FindingRule{"minor_version", "the same major version of CUDA, a newer minor one", "compat.json"},
    FindingRule{"driver_", "first and last driver of the card's generation, and the driver's branch",
                "compat.json"},
    FindingRule{"cuda_", "first and last CUDA that compiles for the card's generation",
                "compat.json"},
    FindingRule{"build_", "compute capabilities that the build was compiled for hold the card's",
                "compat.json"},
    FindingRule{"cpu_only", "a build has a CUDA of its own or none", "compat.json"},
    FindingRule{"framework_", "what the release asks of CUDA, torch and the card", "compat.json"},
    FindingRule{"rate_", "measured rate / published dense rate of the card", "cards.json"},
    FindingRule{"card_", "name and memory that are shown, against the table's", "cards.json"},
    FindingRule{"memory_in_use", "memory in use without a process of one's own", "what was passed in"},
    FindingRule{"machine", "cards in use of all cards of each machine x price of an hour",
                "what was passed in"},
    FindingRule{"cards_", "busy: computes; held: memory in use only; idle: neither",
                "what was passed in"},
    FindingRule{"", "what was passed in says it", "what was passed in"}};

std::vector<Explained> explained(const CheckResult& result) {
  std::vector<Explained> lines;
  for (const Finding& finding : result.findings) {
    const auto* rule = std::ranges::find_if(
        kFindingRules, [&](const FindingRule& r) { return finding.code.starts_with(r.prefix); });
    lines.push_back({.part = finding.code,
                     .formula = std::string(rule->formula),
                     .inputs = finding.message,
                     .source = rule->table == "compat.json"
                                   ? dated(rule->table, result.compat_as_of)
                                   : std::string(rule->table)});
  }
  return lines;
}

void write_inputs(JsonWriter& json, const CheckResult& result) {
  const CheckRequest& request = result.request;
  json.key("inputs").begin_object();
  version(json, "driver", result.driver);
  version(json, "driver_cuda", result.driver_cuda);
  json.key("driver_cuda_from");
  !result.driver_cuda       ? json.null()
  : result.driver_cuda_told ? json.value("driver")
                            : json.value("table");
  version(json, "cuda", request.cuda);
  json.key("frameworks").begin_array();
  for (const SeenFramework& framework : request.frameworks) write_framework(json, framework);
  json.end_array().texts("cards", request.cards);
  json.field("measured_tflops", request.measured_tflops).field("precision", request.rate);
  json.texts("from", request.sources);
  json.field("as_of", request.as_of).field("compat_as_of", result.compat_as_of);
  json.key("offers").begin_array();
  for (const HostOffer& entry : request.offers) {
    json.begin_object();
    text_or_null(json, "host", entry.host);
    json.field("offer", entry.offer->id).end_object();
  }
  json.end_array().key("catalog_sha256");
  request.catalog != nullptr ? json.value(request.catalog->sha256) : json.null();
  json.end_object();
}

void write_card(JsonWriter& json, const CheckedCard& card) {
  json.begin_object();
  text_or_null(json, "host", card.host);
  text_or_null(json, "index", card.index);
  text_or_null(json, "name", card.name);
  json.key("card");
  card.card != nullptr ? json.value(card.card->name) : json.null();
  version(json, "capability", card.capability);
  json.field("memory_bytes", card.memory).field("used_bytes", card.used);
  json.key("card_memory_bytes");
  card.card != nullptr ? json.value(card.card->memory) : json.null();
  json.key("utilisation_percent");
  card.utilisation ? json.value(*card.utilisation) : json.null();
  json.field("processes", card.processes).end_object();
}

std::string as_json(const CheckResult& result, const RenderOptions& options) {
  JsonWriter json;
  json.begin_object()
      .field("schema", "gpuplan.check/1")
      .field("version", options.program_version);
  write_inputs(json, result);
  json.field("verdict", verdict_of(result)).key("findings").begin_array();
  for (const Finding& finding : result.findings) {
    json.begin_object().field("code", finding.code).field("severity", name_of(finding.severity));
    json.field("message", finding.message);
    text_or_null(json, "fix", finding.fix);
    json.end_object();
  }
  json.end_array().key("cards").begin_array();
  for (const CheckedCard& card : result.cards) write_card(json, card);
  json.end_array().key("machines").begin_array();
  for (const CheckedMachine& machine : result.machines) {
    json.begin_object();
    text_or_null(json, "host", machine.host);
    json.key("offer");
    machine.offer != nullptr ? json.value(machine.offer->id) : json.null();
    json.field("cards", machine.cards).field("busy", machine.busy).field("held", machine.held);
    json.field("idle", machine.idle).field("cost_per_hour", machine.cost_per_hour);
    json.field("idle_cost_per_hour", machine.idle_cost_per_hour);
    json.field("release", machine.release).end_object();
  }
  json.end_array().key("machines_needed");
  result.machines.empty() ? json.null() : json.value(result.machines_needed);
  text_or_null(json, "currency", result.currency);
  json.field("idle_cost_per_hour", result.idle_cost_per_hour);
  write_explain(json, explained(result), options);
  write_warnings(json, result.warnings);
  return json.end_object().take();
}

std::string in_memory(const CheckedCard& card) {
  if (!card.memory) return {};
  return (card.used ? show_gib(*card.used) : "unknown") + " of " + show_gib(*card.memory);
}

TextTable card_table(const CheckResult& result) {
  TextTable table({{"host", false, result.machines.empty() ? 3 : 0},
                   {"gpu"},
                   {"card"},
                   {"capability", false, 1},
                   {"memory in use", true},
                   {"busy", true},
                   {"processes", true, 2}});
  for (const CheckedCard& card : result.cards)
    table.add({safe(card.host), safe(card.index), safe(card.name),
               card.capability ? card.capability->to_string() : "", in_memory(card),
               card.utilisation ? fmt::format("{} %", *card.utilisation) : "",
               std::to_string(card.processes)});
  return table;
}

TextTable machine_table(const CheckResult& result, bool people) {
  const auto money = [&](const std::optional<Money>& amount) {
    return !amount  ? std::string("not known")
           : people ? to_string(*amount, minor_digits(result.currency))
                    : to_string(*amount);
  };
  TextTable table({{"host"},
                   {"offer", false, 1},
                   {"cards", true},
                   {"busy", true},
                   {"held", true},
                   {"idle", true},
                   {"idle an hour" + (result.currency.empty() ? "" : " " + result.currency), true},
                   {"release"}});
  for (const CheckedMachine& machine : result.machines)
    table.add({machine.host.empty() ? "(this)" : safe(machine.host),
               machine.offer != nullptr ? safe(machine.offer->id) : "",
               std::to_string(machine.cards), std::to_string(machine.busy),
               std::to_string(machine.held), std::to_string(machine.idle),
               money(machine.idle_cost_per_hour), machine.release ? "yes" : "no"});
  return table;
}

TextTable finding_table(const CheckResult& result) {
  TextTable table({{"severity"}, {"code"}, {"message"}, {"fix"}});
  for (const Finding& finding : result.findings)
    table.add({std::string(name_of(finding.severity)), finding.code, safe(finding.message),
               safe(finding.fix)});
  return table;
}

std::string facts(const CheckResult& result) {
  std::vector<std::string> parts;
  if (result.driver) parts.push_back("driver " + result.driver->to_string());
  if (result.driver_cuda)
    parts.push_back(fmt::format("CUDA up to {}{}", result.driver_cuda->to_string(),
                                result.driver_cuda_told ? "" : " (by the table)"));
  for (const SeenFramework& framework : result.request.frameworks) {
    std::string text = framework.name;
    if (framework.release) text += " " + framework.release->to_string();
    if (framework.cuda) text += fmt::format(" for CUDA {}", framework.cuda->to_string());
    parts.push_back(std::move(text));
  }
  if (result.request.frameworks.empty() && result.request.cuda)
    parts.push_back("built with CUDA " + result.request.cuda->to_string());
  if (result.cards.size() == 1) {
    const CheckedCard& card = result.cards.front();
    parts.push_back(card.card != nullptr ? card.card->name : card.name);
  }
  return safe(fmt::format("{}", fmt::join(parts, " · ")));
}

std::string findings_text(const CheckResult& result, const RenderOptions& options) {
  const int width = options.width;
  std::string text;
  for (const Finding& finding : result.findings) {
    const std::string severity = translated(name_of(finding.severity), options.language);
    text += "\n" + severity + std::string(5 - std::min<std::size_t>(display_width(severity), 4), ' ') +
            finding.code + "\n";
    text += "     " + wrap(safe(translated(finding.message, options.language)), width - 6, 5) + "\n";
    if (!finding.fix.empty())
      text += "     " + wrap("> " + safe(translated(finding.fix, options.language)), width - 6, 7) +
              "\n";
  }
  return text;
}

bool several(const CheckResult& result) {
  return result.cards.size() > 1 || !result.machines.empty();
}

std::string findings_html(const CheckResult& result) {
  if (result.findings.empty()) return {};
  std::string out = html_section("Findings") + "<dl id=\"findings\">\n";
  for (const Finding& finding : result.findings) {
    out += fmt::format("<dt class=\"{}\">{} <code>{}</code></dt><dd>{}",
                       finding.severity == Severity::fail   ? "bad"
                       : finding.severity == Severity::note ? "good"
                                                            : "",
                       name_of(finding.severity), html(finding.code), html(finding.message));
    if (!finding.fix.empty()) out += "<br><strong>" + html(finding.fix) + "</strong>";
    out += "</dd>\n";
  }
  return out + "</dl>\n";
}

std::string page(const CheckResult& result, const RenderOptions& options) {
  std::string out = html_head("Does it go together?", facts(result)) +
                    html_decision(fmt::format("Verdict: {}", verdict_of(result))) +
                    findings_html(result);
  if (several(result)) out += html_section("Cards") + card_table(result).html("Cards that were found");
  if (!result.machines.empty()) {
    const TextTable exact = machine_table(result, false);
    out += html_section("Machines") + machine_table(result, true).html("Machines, and what idles", &exact);
  }
  out += explained_html(explained(result), options) + html_warnings(result.warnings);
  if (result.request.catalog != nullptr) out += html_catalog(*result.request.catalog);
  RenderOptions json = options;
  json.format = Format::json;
  json.explain = false;
  return out + html_inputs(as_json(result, json));
}

}  // namespace

std::string render(const CheckResult& result, const RenderOptions& options) {
  if (options.format == Format::json) return as_json(result, options);
  if (options.format == Format::html) return page(result, options);
  if (options.format == Format::csv) return finding_table(result).in(options);
  const auto say = [&](std::string_view text) { return translated(text, options.language); };
  if (options.format == Format::markdown) {
    std::string text = markdown_head("Does it go together?", facts(result), options) +
                       markdown_decision(fmt::format("Verdict: {}", verdict_of(result)), options);
    if (!result.findings.empty()) text += finding_table(result).in(options) + "\n";
    if (!result.machines.empty()) text += machine_table(result, true).in(options) + "\n";
    return text + markdown_warnings(result.warnings, options);
  }
  std::string text = say(fmt::format("Verdict  {}", verdict_of(result))) + "\n";
  if (const std::string line = facts(result); !line.empty())
    text += wrap(translated_parts(line, " · ", options.language), options.width - 2, 2) + "\n";
  if (several(result)) text += "\n" + card_table(result).in(options);
  if (!result.machines.empty()) text += "\n" + machine_table(result, true).in(options);
  return text + findings_text(result, options) + explained_text(explained(result), options);
}

}  // namespace gpuplan
