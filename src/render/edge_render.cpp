// The monthly bill of three ways, and which to take.
#include <fmt/format.h>

#include <array>

#include "catalog/offer_name.hpp"
#include "gpuplan/edge.hpp"
#include "render/answer_explain.hpp"
#include "render/documents.hpp"
#include "render/html.hpp"
#include "render/markdown.hpp"
#include "render/page_parts.hpp"
#include "render/pictures.hpp"
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

std::string verdict_of(const EdgePlan& plan) {
  return plan.verdict.empty() ? "undecided" : plan.verdict;
}

std::vector<Explained> explained(const EdgePlan& plan) {
  const EdgeRequest& r = plan.request;
  const auto origin = [&](bool own, std::string_view option, std::string_view key) {
    if (own) return std::string(option);
    return plan.offer != nullptr ? origin_text(*r.catalog, *plan.offer, key)
                                 : std::string("no price is stated");
  };
  const auto amount = [](const std::optional<Money>& money) {
    return money ? to_string(*money) : std::string("not known");
  };
  // Without object storage a data disk holds it.
  const bool objects = plan.offer != nullptr && plan.offer->rules &&
                       plan.offer->rules->storage.contains(StorageKind::object);
  const std::string_view disk = objects ? "storage.object" : "storage.data";
  std::vector<Explained> lines;
  for (const Way& way : kWays) {
    const EdgeBill& bill = plan.*way.bill;
    const std::string name(way.key);
    const std::string share = &bill == &plan.cloud_only ? "" : " x " + r.keep_share.to_string();
    lines.push_back({.part = name + ".network",
                     .formula = "a day x what is kept of it x 30 days x price of a GB in, and what "
                                "comes back x price of a GB out",
                     .inputs = gigabytes(r.per_day).to_string() + " GB" + share + " x 30 = " +
                               gigabytes(bill.upload).to_string() + " GB, " + amount(bill.network) +
                               " " + plan.currency,
                     .source = origin(r.ingress_price.has_value(), "--ingress-price",
                                      "network.ingress_per_gb")});
    lines.push_back({.part = name + ".storage",
                     .formula = "a day x what is kept of it x days that it is kept x price of a GB "
                                "and month",
                     .inputs = gigabytes(r.per_day).to_string() + " GB" + share + " x " +
                               r.retention_days.to_string() + " = " +
                               gigabytes(bill.stored).to_string() + " GB, " + amount(bill.storage) +
                               " " + plan.currency,
                     .source = origin(r.storage_price.has_value(), "--storage-price", disk)});
    if (r.compute_hours && bill.compute && bill.compute->is_zero())
      lines.push_back({.part = name + ".compute",
                       .formula = "nothing is computed in the cloud",
                       .inputs = "0 " + plan.currency,
                       .source = "--compute-hours are done at the edge"});
    else if (r.compute_hours)
      lines.push_back({.part = name + ".compute",
                       .formula = "30 x the bill of a day: hours x what is kept of the data x price of an hour, "
                                  "and the start of the machine",
                       .inputs = r.compute_hours->to_string() + " h" + share + " x 30, " +
                                 amount(bill.compute) + " " + plan.currency,
                       .source = origin(r.compute_price.has_value(), "--compute-price",
                                        "price.on_demand")});
    lines.push_back({.part = name + ".total",
                     .formula = "network + storage + compute + edge",
                     .inputs = fmt::format("{} + {} + {} + {} = {} {}", amount(bill.network),
                                           amount(bill.storage), amount(bill.compute),
                                           amount(bill.edge), amount(bill.total), plan.currency),
                     .source = "--edge-cost for the hardware at the edge"});
  }
  return lines;
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
  write_explain(json, explained(plan), options);
  write_warnings(json, plan.warnings);
  return json.end_object().take();
}

// With exact amounts and GB, or as people read them.
TextTable bills_table(const EdgePlan& plan, bool people) {
  const auto money = [&](const std::optional<Money>& amount) {
    if (!amount) return std::string("not known");
    return people ? to_string(*amount, minor_digits(plan.currency)) : to_string(*amount);
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
  return table;
}

std::string heading(const EdgePlan& plan) {
  std::string out = fmt::format("{} a day, {} kept for {} days", show_bytes(plan.request.per_day),
                                show_bytes(plan.two_stage.stored),
                                plan.request.retention_days.to_string());
  if (plan.offer != nullptr)
    out += fmt::format(", prices of {}", offer_name(*plan.request.catalog, *plan.offer));
  return out + "; a month of 30 days";
}

std::string comment(const EdgePlan& plan, const RenderOptions& options) {
  std::string text = markdown_head("Raw upload or work at the edge", heading(plan), options) +
                     markdown_decision("Verdict: " + verdict_of(plan), options);
  for (const std::string& why : plan.why) text += "- " + markdown_text(safe(translated(why, options.language))) + "\n";
  return text + "\n" + bills_table(plan, true).in(options) + "\n" + markdown_warnings(plan.warnings, options);
}

std::string page(const EdgePlan& plan, const RenderOptions& options) {
  const TextTable exact = bills_table(plan, false);
  RenderOptions json = options;
  json.format = Format::json;
  json.explain = false;
  return html_head("Raw upload or work at the edge", heading(plan)) +
         html_decision("Verdict: " + verdict_of(plan)) + html_list("Why", plan.why) +
         pictures_html(pictures_of(plan)) + html_section("The monthly bill") +
         bills_table(plan, true).html("Three ways; amounts in " + plan.currency, &exact) +
         explained_html(explained(plan), options) + html_warnings(plan.warnings) + html_catalog(*plan.request.catalog) +
         html_inputs(as_json(plan, json));
}

}  // namespace

Pictures pictures_of(const EdgePlan& plan) {
  Bars bars{.series = {"network", "storage", "compute", "edge"}, .rows = {}, .marks = {}};
  for (const Way& way : kWays) {
    const EdgeBill& bill = plan.*way.bill;
    const std::array parts{bill.network, bill.storage, bill.compute, bill.edge};
    Bars::Row row{.label = std::string(way.name), .parts = {}, .note = "not known"};
    for (std::size_t i = 0; i < parts.size(); ++i)
      if (parts[i] && !parts[i]->is_zero()) row.parts.push_back({i, drawn(*parts[i])});
    if (bill.total)
      row.note = to_string(*bill.total, minor_digits(plan.currency)) + " " + plan.currency;
    bars.rows.push_back(std::move(row));
  }
  return {{.key = "bill-of-ways",
           .title = "The monthly bill of each way, by part",
           .summary = "A part that is not known is not drawn.",
           .unit = plan.currency,
           .exact_unit = plan.currency,
           .content = std::move(bars)}};
}

std::string render(const EdgePlan& plan, const RenderOptions& options) {
  if (options.format == Format::json) return as_json(plan, options);
  if (options.format == Format::html) return page(plan, options);
  if (options.format == Format::csv) return bills_table(plan, false).in(options);
  if (options.format == Format::markdown) return comment(plan, options);
  const std::string text = bills_table(plan, true).in(options);
  const auto say = [&](std::string_view line) { return translated(safe(line), options.language); };
  std::string out = wrap(say(heading(plan)), options.width - 2, 2) + "\n\n" + text + "\n" +
                    say("Verdict  " + verdict_of(plan)) + "\n";
  for (const std::string& why : plan.why) out += "  " + wrap(say(why), options.width - 4, 4) + "\n";
  out += explained_text(explained(plan), options);
  if (options.chart) out += pictures_text(pictures_of(plan), options);
  return out;
}

}  // namespace gpuplan
