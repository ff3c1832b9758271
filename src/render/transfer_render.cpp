// Routes for data, with what each takes and costs.
#include <fmt/format.h>

#include "render/documents.hpp"
#include "render/text_table.hpp"

namespace gpuplan {
namespace {

std::string money(const std::optional<Money>& amount, const std::string& currency) {
  return amount ? to_string(*amount, minor_digits(currency)) : "not known";
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
  write_warnings(json, plan.warnings);
  return json.end_object().take();
}

std::string heading(const TransferPlan& plan) {
  const TransferRequest& request = plan.request;
  std::string text =
      fmt::format("{} of {}", request.home ? "Download" : "Upload", show_bytes(request.size));
  if (request.files) text += fmt::format(" in {} files", *request.files);
  if (request.offer != nullptr)
    text += fmt::format(" {} {}/{}", request.home ? "from" : "to",
                        safe(request.catalog->platforms[request.offer->platform].id),
                        safe(request.offer->id));
  return text;
}

}  // namespace

std::string render(const TransferPlan& plan, const RenderOptions& options) {
  if (options.format == Format::json) return as_json(plan, options);
  const bool people = options.format == Format::table;
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
                                      : to_string(Money::nanos(Wide{route.time->count()} * 1'000));
    std::vector<std::string> cells{route.route, time, route.bound};
    if (priced)
      for (const auto& amount : {route.cost, route.gpu_idle, route.total})
        cells.push_back(money(amount, plan.currency));
    table.add(std::move(cells));
  }
  const std::string text = table.in(options);
  if (!people) return text;
  std::string out = wrap(heading(plan), options.width - 2, 2) + "\n\n" + text;
  out += "\nTake " + plan.routes.front().route + ":\n";
  for (const std::string& command : plan.routes.front().commands) out += "  " + safe(command) + "\n";
  if (!plan.rules.empty()) out += "\n";
  for (const TransferRule& rule : plan.rules)
    out += "Rule  " + wrap(rule.message, options.width - 8, 6) + "\n";
  return out;
}

}  // namespace gpuplan
