// A checklist with its amounts, the trial, and the work on several machines.
#include <fmt/format.h>

#include <array>

#include "gpuplan/checklist.hpp"
#include "render/documents.hpp"
#include "render/inputs_json.hpp"
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

std::string name_of_offer(const Checklist& list) {
  const Offer& offer = *list.request.offer;
  return list.request.catalog->platforms[offer.platform].id + "/" + offer.id;
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
  write_warnings(json, list.warnings);
  return json.end_object().take();
}

std::string items_text(const Checklist& list, int width) {
  std::string text;
  for (const Heading& heading : kHeadings) {
    text += fmt::format("\n{}\n", heading.text);
    for (const ChecklistItem& item : list.items) {
      if (item.when != heading.when) continue;
      text += "  [ ] " + wrap(safe(item.what), width - 8, 6) + "\n";
      text += "      " + wrap("why: " + safe(item.why), width - 8, 8) + "\n";
      if (item.costs_if_forgotten)
        text += "      " +
                wrap(fmt::format("forgotten: {} ({})", money(list, *item.costs_if_forgotten),
                                 item.costs_what),
                     width - 8, 8) +
                "\n";
    }
  }
  return text;
}

TextTable items_table(const Checklist& list) {
  TextTable table({{"when"}, {"do"}, {"why"}, {"forgotten " + list.currency, true}, {"which is"}});
  for (const ChecklistItem& item : list.items)
    table.add({std::string(name_of(item.when)), safe(item.what), safe(item.why),
               item.costs_if_forgotten
                   ? to_string(*item.costs_if_forgotten, minor_digits(list.currency))
                   : "",
               item.costs_if_forgotten ? item.costs_what : ""});
  return table;
}

std::string trial_text(const Checklist& list, int width) {
  if (!list.trial) return {};
  std::string text = "\n" + wrap(fmt::format("Trial of a platform that you do not know: {}{}, {}",
                                             money(list, list.trial->total),
                                             list.trial->complete ? "" : " at least",
                                             show_duration(list.trial->wall)),
                                 width - 2, 2) +
                     "\n";
  int number = 1;
  for (const std::string& step : list.trial->steps)
    text += fmt::format("  {}. ", number++) + wrap(safe(step), width - 7, 5) + "\n";
  return text;
}

TextTable costs_table(const Checklist& list, const MachinePlan& plan) {
  TextTable table({{"machines", true}, {"done in", true}, {"total " + list.currency, true},
                   {"in time", false, 1}});
  for (const MachineCost& cost : plan.costs)
    table.add({std::to_string(cost.machines), show_duration(cost.wall),
               to_string(cost.total, minor_digits(list.currency)), cost.in_time ? "yes" : "no"});
  return table;
}

TextTable shards_table(const MachinePlan& plan) {
  TextTable table({{"shard", true}, {"first", true}, {"last", true}, {plan.unit, true}});
  for (const Shard& shard : plan.shards)
    table.add({std::to_string(shard.number), std::to_string(shard.from), std::to_string(shard.to),
               std::to_string(shard.to - shard.from + 1)});
  return table;
}

std::string machines_text(const Checklist& list, const RenderOptions& options) {
  if (!list.machines) return {};
  const MachinePlan& plan = *list.machines;
  const int width = options.width;
  std::string text = "\n" + wrap(fmt::format("Several machines: {}; {}",
                                             plan.needed ? "needed" : "not needed", plan.why),
                                 width - 2, 2) +
                     "\n\n";
  text += costs_table(list, plan).in(options.format, width);
  if (!plan.shards.empty()) text += "\n" + shards_table(plan).in(options.format, width);
  if (plan.rerun_cost)
    text += "\n" + wrap(fmt::format("A shard done again: {}, {}", money(list, *plan.rerun_cost),
                                    show_duration(*plan.rerun_time)),
                        width - 2, 2) +
            "\n";
  text += "\n";
  for (const std::string& command : plan.commands) text += "  " + safe(command) + "\n";
  return text;
}

}  // namespace

std::string render(const Checklist& list, const RenderOptions& options) {
  if (options.format == Format::json) return as_json(list, options);
  if (options.format != Format::table) {
    std::string text = items_table(list).in(options);
    if (options.format == Format::markdown && list.machines)
      text += "\n" + costs_table(list, *list.machines).in(options);
    return text;
  }
  std::string text =
      wrap(fmt::format("{}, {}: {} of work, {}{}", safe(name_of_offer(list)), list.request.plan,
                       show_duration(list.run), money(list, list.bill.total),
                       list.bill.complete ? "" : " at least"),
           options.width - 2, 2) +
      "\n";
  return text + items_text(list, options.width) + trial_text(list, options.width) +
         machines_text(list, options);
}

}  // namespace gpuplan
