// A checklist with its amounts, the trial, and the work on several machines.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "catalog/offer_name.hpp"
#include "core/exact_time.hpp"
#include "gpuplan/checklist.hpp"
#include "render/answer_explain.hpp"
#include "render/documents.hpp"
#include "render/html.hpp"
#include "render/inputs_json.hpp"
#include "render/markdown.hpp"
#include "render/page_parts.hpp"
#include "render/pictures.hpp"
#include "render/text_table.hpp"

namespace gpuplan {
namespace {

struct Heading {
  ChecklistTime when;
  std::string_view text;
};
constexpr std::array kHeadings{Heading{ChecklistTime::before, "Before the start"},
                               Heading{ChecklistTime::during, "While it runs"},
                               Heading{ChecklistTime::stop, "Before stopping"},
                               Heading{ChecklistTime::after, "The day after"}};

std::string say(std::string_view text, const RenderOptions& options) {
  return translated(text, options.language);
}

std::string name_of_offer(const Checklist& list) {
  return offer_name(*list.request.catalog, *list.request.offer);
}

std::string money(const Checklist& list, Money amount) {
  return to_string(amount, minor_digits(list.currency)) + " " + list.currency;
}

void write_trial(JsonWriter& json, const std::optional<TrialPlan>& trial) {
  json.key("trial");
  if (!trial) {
    json.null();
    return;
  }
  json.begin_object().field("plan", trial->plan).field("run_s", trial->run);
  json.field("upload_bytes", trial->upload).field("download_bytes", trial->download);
  json.field("wall_s", trial->wall).field("total", trial->total);
  json.field("complete", trial->complete).texts("steps", trial->steps).end_object();
}

void write_machines(JsonWriter& json, const std::optional<MachinePlan>& plan) {
  json.key("machines");
  if (!plan) {
    json.null();
    return;
  }
  json.begin_object().field("machines", plan->machines).field("needed", plan->needed);
  json.field("why", plan->why).key("unit");
  plan->unit.empty() ? json.null() : json.value(plan->unit);
  json.key("shards").begin_array();
  for (const Shard& shard : plan->shards)
    json.begin_object()
        .field("shard", shard.number)
        .field("from", shard.from)
        .field("to", shard.to)
        .end_object();
  json.end_array().key("costs").begin_array();
  for (const MachineCost& cost : plan->costs)
    json.begin_object()
        .field("machines", cost.machines)
        .field("wall_s", cost.wall)
        .field("total", cost.total)
        .field("complete", cost.complete)
        .field("in_time", cost.in_time)
        .end_object();
  json.end_array().field("rerun_s", plan->rerun_time).field("rerun_cost", plan->rerun_cost);
  json.texts("commands", plan->commands).end_object();
}

std::vector<Explained> explained(const Checklist& list) {
  const Offer& offer = *list.request.offer;
  const Platform& platform = list.request.catalog->platforms[offer.platform];
  std::vector<Explained> lines{
      {.part = "total",
       .formula = "the bill of the job as it is planned: gpuplan simulate has its lines",
       .inputs = money(list, list.bill.total),
       .source = dated(offer.source.empty() ? std::string_view(platform.source)
                                            : std::string_view(offer.source.str()),
                       offer.as_of ? offer.as_of : platform.as_of)}};
  for (const ChecklistItem& item : list.items)
    if (item.costs_if_forgotten)
      lines.push_back({.part = item.code,
                       .formula = "the bill with " + item.costs_what + ", less the bill without it",
                       .inputs = to_string(*item.costs_if_forgotten) + " " + list.currency,
                       .source = dated(platform.source, platform.as_of)});
  return lines;
}

std::string as_json(const Checklist& list, const RenderOptions& options) {
  JsonWriter json;
  json.begin_object()
      .field("schema", "gpuplan.checklist/1")
      .field("version", options.program_version);
  json.key("inputs").begin_object();
  write_job_inputs(json, list.job);
  json.field("offer", list.request.offer->id);
  json.field("platform", list.request.catalog->platforms[list.request.offer->platform].id);
  json.field("plan", list.request.plan).field("as_of", list.request.as_of);
  json.field("catalog_sha256", list.request.catalog->sha256).end_object();
  json.field("currency", list.currency).field("run_s", list.run);
  json.field("total", list.bill.total).field("complete", list.bill.complete);
  json.key("items").begin_array();
  for (const ChecklistItem& item : list.items) {
    json.begin_object().field("when", name_of(item.when)).field("code", item.code);
    json.field("do", item.what).field("why", item.why);
    json.field("costs_if_forgotten", item.costs_if_forgotten).key("costs_what");
    item.costs_if_forgotten ? json.value(item.costs_what) : json.null();
    json.end_object();
  }
  json.end_array();
  write_trial(json, list.trial);
  write_machines(json, list.machines);
  write_explain(json, explained(list), options);
  write_warnings(json, list.warnings);
  return json.end_object().take();
}

std::string heading(const Checklist& list) {
  return fmt::format("{}, {}: {} of work, {}{}", safe(name_of_offer(list)),
                     list.request.plan == "on_demand" ? "on demand" : list.request.plan,
                     show_duration(list.run), money(list, list.bill.total),
                     list.bill.complete ? "" : " at least");
}

std::string items_text(const Checklist& list, const RenderOptions& options) {
  const int width = options.width;
  std::string text;
  for (const Heading& heading : kHeadings) {
    text += "\n" + say(heading.text, options) + "\n";
    for (const ChecklistItem& item : list.items) {
      if (item.when != heading.when) continue;
      text += "  [ ] " + wrap(safe(say(item.what, options)), width - 8, 6) + "\n";
      text += "      " +
              wrap(say("why:", options) + " " + safe(say(item.why, options)), width - 8, 8) + "\n";
      if (item.costs_if_forgotten)
        text += "      " +
                wrap(say(fmt::format("forgotten: {} ({})", money(list, *item.costs_if_forgotten),
                                     item.costs_what),
                         options),
                     width - 8, 8) +
                "\n";
    }
  }
  return text;
}

TextTable items_table(const Checklist& list, bool people) {
  TextTable table({{"when"}, {"do"}, {"why"}, {"forgotten " + list.currency, true}, {"which is"}});
  for (const ChecklistItem& item : list.items)
    table.add({std::string(name_of(item.when)), item.what, item.why,
               !item.costs_if_forgotten ? ""
               : people ? to_string(*item.costs_if_forgotten, minor_digits(list.currency))
                        : to_string(*item.costs_if_forgotten),
               item.costs_if_forgotten ? item.costs_what : ""});
  return table;
}

std::string trial_heading(const Checklist& list) {
  return fmt::format("Trial of a platform that you do not know: {}{}, {}",
                     money(list, list.trial->total), list.trial->complete ? "" : " at least",
                     show_duration(list.trial->wall));
}

std::string trial_text(const Checklist& list, const RenderOptions& options) {
  if (!list.trial) return {};
  std::string text = "\n" + wrap(say(trial_heading(list), options), options.width - 2, 2) + "\n";
  int number = 1;
  for (const std::string& step : list.trial->steps)
    text += fmt::format("  {}. ", number++) +
            wrap(safe(say(step, options)), options.width - 7, 5) + "\n";
  return text;
}

TextTable costs_table(const Checklist& list, const MachinePlan& plan, bool people) {
  TextTable table({{"machines", true}, {"done in", true}, {"total " + list.currency, true},
                   {"in time", false, 1}});
  for (const MachineCost& cost : plan.costs)
    table.add({std::to_string(cost.machines),
               people ? show_duration(cost.wall)
                      : exact_seconds(cost.wall),
               people ? to_string(cost.total, minor_digits(list.currency)) : to_string(cost.total),
               cost.in_time ? "yes" : "no"});
  return table;
}

TextTable shards_table(const MachinePlan& plan) {
  TextTable table({{"shard", true}, {"first", true}, {"last", true}, {plan.unit, true}});
  for (const Shard& shard : plan.shards)
    table.add({std::to_string(shard.number), std::to_string(shard.from), std::to_string(shard.to),
               std::to_string(shard.to - shard.from + 1)});
  return table;
}

std::string machines_heading(const MachinePlan& plan) {
  return fmt::format("Several machines: {}; {}", plan.needed ? "needed" : "not needed", plan.why);
}

std::string again_text(const Checklist& list, const MachinePlan& plan) {
  return fmt::format("A shard done again: {}, {}", money(list, *plan.rerun_cost),
                     show_duration(*plan.rerun_time));
}

std::string machines_text(const Checklist& list, const RenderOptions& options) {
  if (!list.machines) return {};
  const MachinePlan& plan = *list.machines;
  const int width = options.width;
  std::string text =
      "\n" + wrap(say(machines_heading(plan), options), width - 2, 2) + "\n\n";
  text += costs_table(list, plan, true).in(options);
  if (!plan.shards.empty()) text += "\n" + shards_table(plan).in(options);
  if (plan.rerun_cost)
    text += "\n" + wrap(say(again_text(list, plan), options), width - 2, 2) + "\n";
  text += "\n";
  for (const std::string& command : plan.commands) text += "  " + safe(command) + "\n";
  return text;
}

// ---- the page ----

std::string items_html(const Checklist& list) {
  std::string out;
  for (const Heading& heading : kHeadings) {
    std::string items;
    for (const ChecklistItem& item : list.items) {
      if (item.when != heading.when) continue;
      items += "<li><span>" + html(item.what) + "</span><br><small class=\"soft\">" +
               html(item.why) + "</small>";
      if (item.costs_if_forgotten)
        items += fmt::format("<br><small class=\"bad\" data-value=\"{}\">{}</small>",
                             to_string(*item.costs_if_forgotten),
                             html(fmt::format("forgotten: {} ({})",
                                              money(list, *item.costs_if_forgotten),
                                              item.costs_what)));
      items += "</li>\n";
    }
    if (!items.empty())
      out += html_section(heading.text) + "<ul class=\"tasks\">\n" + items + "</ul>\n";
  }
  return out;
}

std::string machines_html(const Checklist& list) {
  if (!list.machines) return {};
  const MachinePlan& plan = *list.machines;
  const TextTable exact = costs_table(list, plan, false);
  std::string out = html_section("Several machines") + html_paragraph(machines_heading(plan)) +
                    costs_table(list, plan, true).html("What each number of machines costs", &exact);
  if (!plan.shards.empty()) out += shards_table(plan).html("Shards");
  if (plan.rerun_cost) out += html_paragraph(again_text(list, plan));
  std::string commands;
  for (const std::string& command : plan.commands) commands += command + "\n";
  return commands.empty() ? out : out + html_preformatted(commands);
}

std::string page(const Checklist& list, const RenderOptions& options) {
  std::string out = html_head("Before, during and after the run", heading(list));
  if (const Pictures pictures = pictures_of(list); !pictures.empty())
    out += html_decision("What is dearest when it is forgotten: " +
                         std::get<Bars>(pictures.front().content).rows.front().note) +
           pictures_html(pictures);
  out += items_html(list);
  if (list.trial) {
    out += html_section("A trial") + html_paragraph(trial_heading(list)) + "<ol>\n";
    for (const std::string& step : list.trial->steps) out += "<li>" + html(step) + "</li>\n";
    out += "</ol>\n";
  }
  RenderOptions json = options;
  json.format = Format::json;
  json.explain = false;
  return out + machines_html(list) + explained_html(explained(list), options) +
         html_warnings(list.warnings) +
         html_catalog(*list.request.catalog) + html_inputs(as_json(list, json));
}

}  // namespace

Pictures pictures_of(const Checklist& list) {
  std::vector<const ChecklistItem*> items;
  for (const ChecklistItem& item : list.items)
    if (item.costs_if_forgotten && !item.costs_if_forgotten->is_zero()) items.push_back(&item);
  if (items.empty()) return {};
  std::ranges::stable_sort(items, [](auto* a, auto* b) {
    return *a->costs_if_forgotten > *b->costs_if_forgotten;
  });
  Bars bars{.series = {"forgotten"}, .rows = {}, .marks = {}};
  for (const ChecklistItem* item : items)
    bars.rows.push_back({.label = item->what,
                         .parts = {{0, drawn(*item->costs_if_forgotten)}},
                         .note = money(list, *item->costs_if_forgotten)});
  return {{.key = "cost-of-forgetting",
           .title = "What it costs to forget",
           .summary = "Each is the difference of two bills; they do not add up.",
           .unit = list.currency,
           .exact_unit = list.currency,
           .content = std::move(bars)}};
}

std::string render(const Checklist& list, const RenderOptions& options) {
  switch (options.format) {
    case Format::json:
      return as_json(list, options);
    case Format::html:
      return page(list, options);
    case Format::csv:
      return items_table(list, false).in(options);
    case Format::markdown:
      return markdown_head("Before, during and after the run", heading(list), options) +
             items_table(list, true).in(options) +
             (list.machines ? "\n" + costs_table(list, *list.machines, true).in(options) : "") + "\n" +
             markdown_warnings(list.warnings, options);
    case Format::table:
      break;
  }
  std::string text = wrap(say(heading(list), options), options.width - 2, 2) + "\n" +
                     items_text(list, options) + trial_text(list, options) +
                     machines_text(list, options) + explained_text(explained(list), options);
  if (options.chart) text += pictures_text(pictures_of(list), options);
  return text;
}

}  // namespace gpuplan
