// Routes for data, with what each takes and costs.
#include <fmt/format.h>

#include "catalog/offer_name.hpp"
#include "core/exact_time.hpp"
#include "render/answer_explain.hpp"
#include "render/documents.hpp"
#include "render/html.hpp"
#include "render/markdown.hpp"
#include "render/page_parts.hpp"
#include "render/pictures.hpp"
#include "render/text_table.hpp"

namespace gpuplan {
namespace {

// Where the speed that decides, and the prices, were read.
std::string source_of(const TransferPlan& plan, const Route& route) {
  const TransferRequest& request = plan.request;
  std::string text = route.bound == "line" ? "--line, or the line of the job" : "";
  if (request.offer == nullptr) return text.empty() ? "no speed is stated" : text;
  const auto add = [&](std::string_view key) {
    text += (text.empty() ? "" : "; ") + origin_text(*request.catalog, *request.offer, key);
  };
  if (route.bound == "platform") add(request.home ? "network.down_mbps" : "network.up_mbps");
  if (route.bound == "disk") add("storage.data");
  add(request.home ? "network.egress_per_gb" : "network.ingress_per_gb");
  if (route.route == "object_storage") add("storage.object");
  add("price.on_demand");
  return text;
}

std::vector<Explained> explained(const TransferPlan& plan) {
  std::vector<Explained> lines;
  for (const Route& route : plan.routes) {
    std::string inputs = show_bytes(plan.request.size) +
                         (route.route == "compressed"
                              ? " x " + plan.request.compression.to_string()
                              : std::string{}) +
                         " at the speed of the " + route.bound + " = " +
                         (route.time ? exact_seconds(*route.time) + " s"
                                     : std::string("not known"));
    if (route.total)
      inputs += fmt::format("; {} + {} = {} {}", to_string(*route.cost), to_string(*route.gpu_idle),
                            to_string(*route.total), plan.currency);
    lines.push_back({.part = route.route,
                     .formula = "size x what packing leaves / slowest speed on the way; traffic and "
                                "storage + card time while it waits",
                     .inputs = std::move(inputs),
                     .source = source_of(plan, route)});
  }
  return lines;
}

std::string as_json(const TransferPlan& plan, const RenderOptions& options) {
  const TransferRequest& request = plan.request;
  JsonWriter json;
  json.begin_object()
      .field("schema", "gpuplan.transfer/1")
      .field("version", options.program_version);
  json.key("inputs").begin_object().field("size_bytes", request.size).field("files", request.files);
  const auto& line = request.home ? request.line_down : request.line_up;
  json.key("line_bits_per_s");
  line ? json.value(bits_per_second(*line)) : json.null();
  json.field("compression", request.compression)
      .field("direction", request.home ? "down" : "up")
      .key("offer");
  request.offer != nullptr ? json.value(request.offer->id) : json.null();
  json.key("public");
  request.public_name.empty() ? json.null() : json.value(request.public_name);
  json.field("plan", request.plan).key("catalog_sha256");
  request.catalog != nullptr ? json.value(request.catalog->sha256) : json.null();
  json.end_object().key("currency");
  plan.currency.empty() ? json.null() : json.value(plan.currency);
  json.key("routes").begin_array();
  for (const Route& route : plan.routes) {
    json.begin_object().field("route", route.route).field("seconds", route.time);
    json.field("cost", route.cost).field("gpu_idle_cost", route.gpu_idle);
    json.field("total", route.total).field("bound", route.bound);
    json.field("resumable", route.resumable);
    json.texts("commands", route.commands).end_object();
  }
  json.end_array().field("best", plan.routes.front().route);
  json.key("rules").begin_array();
  for (const TransferRule& rule : plan.rules) {
    json.begin_object().field("code", rule.code).field("message", rule.message);
    json.field("size_bytes", rule.size).key("bytes_per_s");
    rule.speed ? json.value(rule.speed->per_second()) : json.null();
    json.end_object();
  }
  json.end_array();
  write_explain(json, explained(plan), options);
  write_warnings(json, plan.warnings);
  return json.end_object().take();
}

std::string heading(const TransferPlan& plan) {
  const TransferRequest& request = plan.request;
  std::string text =
      fmt::format("{} of {}", request.home ? "Download" : "Upload", show_bytes(request.size));
  if (request.files) text += fmt::format(" in {} file{}", show_count(static_cast<double>(*request.files)), *request.files == 1 ? "" : "s");
  if (request.offer != nullptr)
    text += fmt::format(" {} {}", request.home ? "from" : "to",
                        safe(offer_name(*request.catalog, *request.offer)));
  return text;
}

TextTable routes_table(const TransferPlan& plan, bool people) {
  const bool priced = plan.request.offer != nullptr;
  std::vector<Column> columns{
      {"route"}, {people ? "time" : "seconds", true}, {"slowest", false, 1}};
  if (priced)
    for (const char* title : {"traffic, storage", "card waits", "total"})
      columns.push_back({title + (" " + plan.currency), true});
  TextTable table(std::move(columns));
  for (const Route& route : plan.routes) {
    const std::string time = !route.time ? "not known"
                             : people    ? show_duration(*route.time)
                                      : exact_seconds(*route.time);
    std::vector<std::string> cells{route.route, time, route.bound};
    if (priced)
      for (const auto& amount : {route.cost, route.gpu_idle, route.total})
        cells.push_back(!amount  ? "not known"
                        : people ? to_string(*amount, minor_digits(plan.currency))
                                 : to_string(*amount));
    table.add(std::move(cells));
  }
  return table;
}

std::string commands_text(const Route& route) {
  std::string text;
  for (const std::string& command : route.commands) text += safe(command) + "\n";
  return text;
}

std::string decision_of(const TransferPlan& plan) {
  const Route& best = plan.routes.front();
  std::string decision = fmt::format("Take {}", best.route);
  if (best.time) decision += ": " + show_duration(*best.time);
  if (best.total)
    decision += fmt::format("{}{} {}", best.time ? ", " : ": ",
                            to_string(*best.total, minor_digits(plan.currency)), plan.currency);
  return decision;
}

std::string comment(const TransferPlan& plan, const RenderOptions& options) {
  return markdown_head("Routes for data", heading(plan), options) + markdown_decision(decision_of(plan), options) +
         routes_table(plan, true).in(options) + "\n" + markdown_fence(commands_text(plan.routes.front())) +
         markdown_warnings(plan.warnings, options);
}

std::string page(const TransferPlan& plan, const RenderOptions& options) {
  const Route& best = plan.routes.front();
  std::vector<std::string> rules;
  for (const TransferRule& rule : plan.rules) rules.push_back(rule.message);
  const TextTable exact = routes_table(plan, false);
  std::string out = html_head("Routes for data", heading(plan)) + html_decision(decision_of(plan)) +
                    pictures_html(pictures_of(plan)) + html_section("Routes") +
                    routes_table(plan, true).html("Routes, the best first", &exact) +
                    html_list("Rules", rules) + html_section("Commands");
  for (const Route& route : plan.routes)
    out += "<details" + std::string(&route == &best ? " open" : "") + "><summary>" +
           html(route.route) + "</summary>\n" + html_preformatted(commands_text(route)) +
           "</details>\n";
  out += explained_html(explained(plan), options) + html_warnings(plan.warnings);
  if (plan.request.catalog != nullptr) out += html_catalog(*plan.request.catalog);
  RenderOptions json = options;
  json.format = Format::json;
  json.explain = false;
  return out + html_inputs(as_json(plan, json));
}

Picture routes_picture(std::string key, std::string title, std::string unit, std::string exact) {
  return {.key = std::move(key),
          .title = std::move(title),
          .summary = "A route of which it is not known is not drawn.",
          .unit = std::move(unit),
          .exact_unit = std::move(exact),
          .content = Bars{}};
}

}  // namespace

Pictures pictures_of(const TransferPlan& plan) {
  Bars times{.series = {"time"}, .rows = {}, .marks = {}};
  Bars costs{.series = {"traffic, storage", "card waits"}, .rows = {}, .marks = {}};
  for (const Route& route : plan.routes) {
    if (route.time)
      times.rows.push_back({.label = route.route,
                            .parts = {{0, drawn(*route.time)}},
                            .note = show_duration(*route.time)});
    if (!route.total) continue;
    Bars::Row row{.label = route.route,
                  .parts = {},
                  .note = fmt::format("{} {}", to_string(*route.total, minor_digits(plan.currency)),
                                      plan.currency)};
    if (route.cost && !route.cost->is_zero()) row.parts.push_back({0, drawn(*route.cost)});
    if (route.gpu_idle && !route.gpu_idle->is_zero())
      row.parts.push_back({1, drawn(*route.gpu_idle)});
    costs.rows.push_back(std::move(row));
  }
  Pictures pictures;
  if (!times.rows.empty()) {
    pictures.push_back(routes_picture("time-of-routes", "How long each route takes", "hours", "s"));
    pictures.back().content = std::move(times);
  }
  if (!costs.rows.empty()) {
    pictures.push_back(routes_picture("cost-of-routes", "What each route costs", plan.currency,
                                      plan.currency));
    pictures.back().content = std::move(costs);
  }
  return pictures;
}

std::string render(const TransferPlan& plan, const RenderOptions& options) {
  if (options.format == Format::json) return as_json(plan, options);
  if (options.format == Format::html) return page(plan, options);
  if (options.format == Format::csv) return routes_table(plan, false).in(options);
  if (options.format == Format::markdown) return comment(plan, options);
  const std::string text = routes_table(plan, true).in(options);
  const auto say = [&](std::string_view line) { return translated(line, options.language); };
  std::string out = wrap(say(heading(plan)), options.width - 2, 2) + "\n\n" + text;
  out += "\n" + say("Take " + plan.routes.front().route + ":") + "\n";
  for (const std::string& command : plan.routes.front().commands) out += "  " + safe(command) + "\n";
  if (!plan.rules.empty()) out += "\n";
  const std::string label = say("Rule") + "  ";
  for (const TransferRule& rule : plan.rules)
    out += label + wrap(say(rule.message), options.width - 8, 6) + "\n";
  out += explained_text(explained(plan), options);
  if (options.chart) out += pictures_text(pictures_of(plan), options);
  return out;
}

}  // namespace gpuplan
