// Who runs what where: one table or document for several jobs.
#include <fmt/format.h>

#include <algorithm>

#include "core/exact_time.hpp"
#include "core/text.hpp"
#include "render/parts.hpp"
#include "render/documents.hpp"
#include "render/html.hpp"
#include "render/inputs_json.hpp"
#include "render/markdown.hpp"
#include "render/page_parts.hpp"
#include "render/pictures.hpp"
#include "render/text_table.hpp"

namespace gpuplan {
namespace {

const RankedOffer* offer_of(const TeamJob& job) {
  return job.taken ? &job.ranking.ranked[*job.taken] : nullptr;
}

std::string name_of_job(const Job& job, std::size_t index) {
  return job.name.empty() ? "job " + std::to_string(index + 1) : safe(job.name);
}

std::string first_reason(const TeamJob& job) {
  const Ranking& ranking = job.ranking;
  if (!job.reasons.empty()) return "no room in the quota";
  if (!ranking.ranked.empty()) return "none to recommend: reclaims or the card are not stated";
  std::string most;
  std::size_t count = 0;
  for (const auto& [code, offers] : ranking.rejected_by_reason)
    if (offers > count) most = code, count = offers;
  return most.empty() ? "the catalog has no offers"
                      : fmt::format("no offer: {} of {} miss {}", count, ranking.rejected_total, most);
}

TextTable table_of(const TeamPlan& plan, bool people) {
  TextTable table({{"job"},
                   {"project", false, 3},
                   {"member", false, 2},
                   {"platform"},
                   {"card"},
                   {"plan", false, 1},
                   {"wall", true, 4},
                   {"card hours", true, 5},
                   {"total " + plan.currency, true},
                   {"offer", false, 6}});
  for (std::size_t i = 0; i < plan.jobs.size(); ++i) {
    const TeamJob& job = plan.jobs[i];
    const Job& asked = job.ranking.job;
    std::vector<std::string> row{name_of_job(asked, i), safe(asked.project), safe(asked.member)};
    if (const RankedOffer* offer = offer_of(job)) {
      const auto time = [&](Duration d) {
        return people ? show_duration(d) : exact_seconds(d);
      };
      row.insert(row.end(),
                 {safe(offer->platform->id),
                  fmt::format("{} x{}{}", offer->sizing->card->name, offer->offer->gpus,
                              offer->machines > 1 ? fmt::format(" x{} machines", offer->machines)
                                                  : ""),
                  offer->plan == "on_demand" ? "on demand" : offer->plan,
                  time(offer->bill.time.wall), people ? exact_hours(job.card_time, 2) : exact_hours(job.card_time),
                  people ? to_string(offer->bill.total, minor_digits(plan.currency))
                         : to_string(offer->bill.total),
                  safe(offer->offer->id)});
    } else {
      row.insert(row.end(), {"", first_reason(job), "", "", "", "", ""});
    }
    table.add(std::move(row));
  }
  return table;
}

Warnings warnings_of(const TeamPlan& plan) {
  Warnings warnings = plan.warnings;
  for (const TeamJob& job : plan.jobs)
    for (const Warning& warning :
         job.taken ? job.ranking.ranked[*job.taken].warnings : job.ranking.warnings)
      if (std::ranges::find(warnings, warning) == warnings.end()) warnings.push_back(warning);
  return warnings;
}

std::string total_line(const TeamPlan& plan) {
  return fmt::format("total {} {}{}", to_string(plan.total, minor_digits(plan.currency)),
                     plan.currency, plan.complete ? "" : " for the jobs that have an offer");
}

// Jobs that a quota has no room for, each with the reason.
std::vector<std::string> left_out(const TeamPlan& plan, Language language) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < plan.jobs.size(); ++i)
    for (const Reason& reason : plan.jobs[i].reasons)
      lines.push_back(name_of_job(plan.jobs[i].ranking.job, i) + ": " + translated(reason.message, language));
  return lines;
}

std::string comment(const TeamPlan& plan, const RenderOptions& options) {
  std::string text = markdown_head("Who runs what where", fmt::format("{} jobs", plan.jobs.size()), options) +
                     markdown_decision(total_line(plan), options) + table_of(plan, true).in(options);
  text += shares_text("project", plan.by_project, plan.currency, options);
  text += shares_text("member", plan.by_member, plan.currency, options) + "\n";
  for (const Gate& gate : plan.gates)
    if (!gate.passed) text += "- " + markdown_text(safe(gates_text({&gate, 1}, plan.currency, options.language))) + "\n";
  for (const std::string& line : left_out(plan, options.language)) text += "- " + markdown_text(line) + "\n";
  return text + markdown_warnings(warnings_of(plan), options);
}

std::string team_table(const TeamPlan& plan, const RenderOptions& options) {
  if (options.format == Format::markdown) return comment(plan, options);
  if (options.format == Format::csv) return table_of(plan, false).in(options);
  std::string text = table_of(plan, true).in(options);
  text += translated(total_line(plan), options.language) + "\n";
  for (const std::string& line : left_out(plan, options.language)) text += wrap(line, options.width - 2, 2) + "\n";
  text += shares_text("project", plan.by_project, plan.currency, options);
  text += shares_text("member", plan.by_member, plan.currency, options);
  text += gates_text(plan.gates, plan.currency, options.language);
  if (options.explain)
    for (const TeamJob& job : plan.jobs)
      if (const RankedOffer* offer = offer_of(job))
        text += "\n" + render_bill(job.ranking, *offer, options);
  if (options.chart) text += pictures_text(pictures_of(plan), options);
  return text;
}

void write_taken(JsonWriter& json, const TeamJob& job, const RenderOptions& options) {
  const RankedOffer* offer = offer_of(job);
  json.key("taken");
  if (offer == nullptr) {
    json.null();
    return;
  }
  json.begin_object()
      .field("offer", offer->offer->id)
      .field("platform", offer->platform->id)
      .field("card", offer->sizing->card->name)
      .field("gpus", offer->offer->gpus)
      .field("machines", offer->machines)
      .field("plan", offer->plan)
      .field("rank", *job.taken + 1)
      .field("total", offer->bill.total)
      .field("wall_s", offer->bill.time.wall)
      .field("card_s", job.card_time);
  if (options.explain)
    write_ledger(json, {.catalog = job.ranking.catalog, .offer = offer->offer, .bills = {&offer->bill}},
                 options);
  json.end_object();
}

void write_text_or_null(JsonWriter& json, std::string_view key, const std::string& text) {
  json.key(key);
  text.empty() ? json.null() : json.value(text);
}

std::string team_json(const TeamPlan& plan, const RenderOptions& options) {
  JsonWriter json;
  json.begin_object()
      .field("schema", "gpuplan.team/1")
      .field("version", options.program_version);
  json.key("inputs").begin_object().key("jobs").begin_array();
  for (const TeamJob& job : plan.jobs) {
    json.begin_object()
        .field("model", job.ranking.job.model)
        .field("mode", name_of(job.ranking.job.workload.mode));
    write_job_inputs(json, job.ranking.job);
    json.end_object();
  }
  json.end_array().field("catalog_sha256", plan.catalog->sha256).end_object();
  json.field("currency", plan.currency).key("jobs").begin_array();
  for (const TeamJob& job : plan.jobs) {
    json.begin_object();
    write_text_or_null(json, "name", job.ranking.job.name);
    write_text_or_null(json, "project", job.ranking.job.project);
    write_text_or_null(json, "member", job.ranking.job.member);
    write_taken(json, job, options);
    json.field("ranked_total", job.ranking.ranked_total)
        .field("rejected_total", job.ranking.rejected_total);
    json.key("reasons").begin_array();
    for (const Reason& reason : job.reasons)
      json.begin_object().field("code", reason.code).field("message", reason.message).end_object();
    json.end_array();
    json.key("rejected_by_reason").begin_object();
    for (const auto& [code, count] : job.ranking.rejected_by_reason) json.field(code, count);
    json.end_object();
    write_warnings(json, job.taken ? job.ranking.ranked[*job.taken].warnings
                                   : job.ranking.warnings);
    json.end_object();
  }
  json.end_array().field("total", plan.total).field("complete", plan.complete);
  write_shares(json, "by_project", "project", plan.by_project, false);
  write_shares(json, "by_member", "member", plan.by_member, true);
  write_gates(json, plan.gates);
  write_warnings(json, plan.warnings);
  return json.end_object().take();
}

std::string page(const TeamPlan& plan, const RenderOptions& options) {
  const TextTable exact = table_of(plan, false);
  std::string out = html_head("Who runs what where", fmt::format("{} jobs", plan.jobs.size())) +
                    html_decision(total_line(plan)) + html_gates(plan.gates, plan.currency) +
                    pictures_html(pictures_of(plan)) + html_section("Jobs") +
                    table_of(plan, true).html("Each job with the offer that it takes", &exact);
  out += html_list("Jobs without a machine", left_out(plan, options.language));
  RenderOptions table = options;
  table.format = Format::html;
  out += shares_text("project", plan.by_project, plan.currency, table);
  out += shares_text("member", plan.by_member, plan.currency, table);
  table.format = Format::json;
  return out + html_warnings(warnings_of(plan)) + html_catalog(*plan.catalog) +
         html_inputs(team_json(plan, table));
}

}  // namespace

Pictures pictures_of(const TeamPlan& plan) {
  Bars bars{.series = {"total"}, .rows = {}, .marks = {}};
  for (std::size_t i = 0; i < plan.jobs.size(); ++i)
    if (const RankedOffer* offer = offer_of(plan.jobs[i]))
      bars.rows.push_back({.label = name_of_job(plan.jobs[i].ranking.job, i),
                           .parts = {{0, drawn(offer->bill.total)}},
                           .note = to_string(offer->bill.total, minor_digits(plan.currency)) + " " +
                                   plan.currency});
  if (bars.rows.empty()) return {};
  return {{.key = "cost-of-jobs",
           .title = "What each job costs",
           .summary = "Each job as if it were alone in its account.",
           .unit = plan.currency,
           .exact_unit = plan.currency,
           .content = std::move(bars)}};
}

std::string render(const TeamPlan& plan, const RenderOptions& options) {
  if (options.format == Format::json) return team_json(plan, options);
  return options.format == Format::html ? page(plan, options) : team_table(plan, options);
}

}  // namespace gpuplan
