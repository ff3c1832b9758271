// The monthly bill of three ways, and which to take.
#include <fmt/format.h>

#include <array>

#include "gpuplan/edge.hpp"
#include "render/documents.hpp"
#include "render/text_table.hpp"

namespace gpuplan {
namespace {

struct Way {
  std::string_view key, name;
  EdgeBill EdgePlan::*bill;
};
constexpr std::array kWays{Way{"cloud_only", "cloud only (raw)", &EdgePlan::cloud_only},
                           Way{"edge_first", "edge first", &EdgePlan::edge_first},
                           Way{"two_stage", "two-stage", &EdgePlan::two_stage}};

// GB of 10^9 bytes, exact.
Decimal gigabytes(Bytes bytes) { return Decimal::of(bytes.count(), 9); }

void write_inputs(JsonWriter& json, const EdgePlan& plan) {
  const EdgeRequest& r = plan.request;
  json.key("inputs").begin_object();
  json.field("per_day_bytes", r.per_day).field("keep_share", r.keep_share);
  json.field("retention_days", r.retention_days).field("edge_cost", r.edge_cost);
  json.field("edge_compute_cost", r.edge_compute_cost).field("compute_hours", r.compute_hours);
  json.field("back_per_day_bytes", r.back_per_day).field("latency_ms", r.latency_ms);
  json.field("round_trip_ms", r.round_trip_ms).field("private", r.private_data);
  json.key("line_bits_per_s");
  r.line ? json.value(bits_per_second(*r.line)) : json.null();
  json.key("offer");
  plan.offer != nullptr ? json.value(plan.offer->id) : json.null();
  json.field("plan", r.plan).field("storage_price", r.storage_price);
  json.field("ingress_price", r.ingress_price).field("egress_price", r.egress_price);
  json.field("compute_price", r.compute_price).field("catalog_sha256", r.catalog->sha256);
  json.end_object();
}

std::string as_json(const EdgePlan& plan, const RenderOptions& options) {
  JsonWriter json;
  json.begin_object().field("schema", "gpuplan.edge/1").field("version", options.program_version);
  write_inputs(json, plan);
  json.field("currency", plan.currency).field("line_needed_bits_per_s", plan.line_needed);
  for (const Way& way : kWays) {
    const EdgeBill& bill = plan.*way.bill;
    json.key(way.key).begin_object();
    json.field("upload_gb_month", gigabytes(bill.upload)).field("stored_gb", gigabytes(bill.stored));
    json.field("network", bill.network).field("storage", bill.storage);
    json.field("compute", bill.compute).field("edge", bill.edge).field("total", bill.total);
    json.key("excluded");
    bill.excluded.empty() ? json.null() : json.value(bill.excluded);
    json.end_object();
  }
  json.field("edge_cost_break_even", plan.edge_cost_break_even).key("verdict");
  plan.verdict.empty() ? json.null() : json.value(plan.verdict);
  json.texts("why", plan.why);
  write_warnings(json, plan.warnings);
  return json.end_object().take();
}

}  // namespace

std::string render(const EdgePlan& plan, const RenderOptions& options) {
  if (options.format == Format::json) return as_json(plan, options);
  const bool people = options.format == Format::table;
  const auto money = [&](const std::optional<Money>& amount) {
    return amount ? to_string(*amount, minor_digits(plan.currency)) : std::string("not known");
  };
  TextTable table({{"way"},
                   {people ? "upload" : "upload GB a month", true, 1},
                   {"network", true},
                   {"storage", true},
                   {"compute", true},
                   {"edge", true},
                   {"total " + plan.currency, true},
                   {"closed by", false}});
  for (const Way& way : kWays) {
    const EdgeBill& bill = plan.*way.bill;
    table.add({std::string(way.name),
               people ? show_bytes(bill.upload) : gigabytes(bill.upload).to_string(),
               money(bill.network), money(bill.storage), money(bill.compute), money(bill.edge),
               money(bill.total), bill.excluded});
  }
  const std::string text = table.in(options);
  if (!people) return text;
  std::string out = fmt::format("{} a day, {} kept for {} days", show_bytes(plan.request.per_day),
                                show_bytes(plan.two_stage.stored),
                                plan.request.retention_days.to_string());
  if (plan.offer != nullptr)
    out += fmt::format(", prices of {}/{}",
                       safe(plan.request.catalog->platforms[plan.offer->platform].id),
                       safe(plan.offer->id));
  out = wrap(out + "; a month of 30 days", options.width - 2, 2) + "\n\n" + text;
  out += fmt::format("\nVerdict  {}\n", plan.verdict.empty() ? "undecided" : plan.verdict);
  for (const std::string& why : plan.why) out += "  " + wrap(safe(why), options.width - 4, 4) + "\n";
  return out;
}

}  // namespace gpuplan
