// The verdict on an environment: findings with their fixes, cards, machines.
#include <fmt/format.h>

#include <algorithm>

#include "gpuplan/check.hpp"
#include "render/documents.hpp"
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

TextTable machine_table(const CheckResult& result) {
  const auto money = [&](const std::optional<Money>& amount) {
    return amount ? to_string(*amount, minor_digits(result.currency)) : std::string("not known");
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

std::string findings_text(const CheckResult& result, int width) {
  std::string text;
  for (const Finding& finding : result.findings) {
    text += fmt::format("\n{:<5}{}\n", name_of(finding.severity), finding.code);
    text += "     " + wrap(safe(finding.message), width - 6, 5) + "\n";
    if (!finding.fix.empty()) text += "     " + wrap("> " + safe(finding.fix), width - 6, 7) + "\n";
  }
  return text;
}

}  // namespace

std::string render(const CheckResult& result, const RenderOptions& options) {
  if (options.format == Format::json) return as_json(result, options);
  if (options.format == Format::csv) return finding_table(result).in(options);
  if (options.format == Format::markdown) {
    std::string text = fmt::format("**{}**\n\n", verdict_of(result));
    text += finding_table(result).in(options);
    if (!result.machines.empty())
      text += "\n" + machine_table(result).in(options);
    return text;
  }
  std::string text = fmt::format("Verdict  {}\n", verdict_of(result));
  if (const std::string line = facts(result); !line.empty())
    text += wrap(line, options.width - 2, 2) + "\n";
  const bool several = result.cards.size() > 1 || !result.machines.empty();
  if (several) text += "\n" + card_table(result).in(options);
  if (!result.machines.empty())
    text += "\n" + machine_table(result).in(options);
  return text + findings_text(result, options.width);
}

}  // namespace gpuplan
