// `gpuplan.simulate/1`.
#include <algorithm>

#include "render/documents.hpp"
#include "render/inputs_json.hpp"

namespace gpuplan {
namespace {

void write_totals(JsonWriter& json, const std::map<Item, Money>& totals) {
  json.key("totals").begin_object();
  for (const auto& [item, amount] : totals) json.field(name_of(item), amount);
  json.end_object();
}

void write_time(JsonWriter& json, const TimeLine& time) {
  json.key("time")
      .begin_object()
      .field("wall_s", time.wall)
      .field("queue_s", time.queue)
      .field("startup_s", time.startup)
      .field("transfer_s", time.transfer)
      .field("run_s", time.run)
      .end_object();
}

void write_expected(JsonWriter& json, const Expected& expected) {
  json.key("expected").begin_object();
  json.field("start_tries", expected.start_tries)
      .field("queue_s", expected.queue)
      .field("allowed_down_s", expected.allowed_down)
      .field("credit_if_missed", expected.credit_if_missed);
  json.end_object();
}

void write_text_or_null(JsonWriter& json, std::string_view key, const std::string& text) {
  json.key(key);
  text.empty() ? json.null() : json.value(text);
}

void write_job(JsonWriter& json, const Job& job) {
  json.field("model", job.model).field("mode", name_of(job.workload.mode));
  write_job_inputs(json, job);
}

void write_inputs(JsonWriter& json, const SimulateResult& result) {
  json.key("inputs").begin_object();
  if (result.jobs.size() == 1) {
    write_job(json, result.jobs.front().job);
  } else {
    json.key("jobs").begin_array();
    for (const SimulatedJob& done : result.jobs) {
      write_job(json.begin_object(), done.job);
      json.end_object();
    }
    json.end_array();
  }
  json.field("catalog_sha256", result.catalog->sha256).end_object();
}

void write_jobs(JsonWriter& json, const SimulateResult& result) {
  json.key("jobs").begin_array();
  for (const SimulatedJob& done : result.jobs) {
    json.begin_object();
    write_text_or_null(json, "name", done.job.name);
    write_text_or_null(json, "project", done.job.project);
    write_text_or_null(json, "member", done.job.member);
    write_totals(json, done.bill.totals);
    json.field("total", done.bill.total).field("complete", done.bill.complete);
    json.field("billed_s", done.bill.billed);
    json.key("unit_cost");
    if (done.unit_cost)
      json.begin_object()
          .field("per", done.unit_cost->per)
          .field("amount", done.unit_cost->amount)
          .end_object();
    else
      json.null();
    json.key("blocks").begin_array();
    for (const Block& block : done.bill.blocks)
      json.begin_object()
          .field("term", block.term)
          .field("count", block.count)
          .field("price", block.price)
          .end_object();
    json.end_array();
    write_time(json, done.bill.time);
    write_expected(json, done.bill.expected);
    if (result.jobs.size() > 1) {
      write_trials(json, done.trials);
      write_checkpoint(json, done.checkpoint);
    }
    json.end_object();
  }
  json.end_array();
}

// Of several jobs: the longest wall time, and sums.
TimeLine time_of(const SimulateResult& result) {
  TimeLine all;
  for (const SimulatedJob& done : result.jobs) {
    const TimeLine& time = done.bill.time;
    all.wall = std::max(all.wall, time.wall);
    all.queue += time.queue;
    all.startup += time.startup;
    all.transfer += time.transfer;
    all.run += time.run;
  }
  return all;
}

}  // namespace

void write_shares(JsonWriter& json, std::string_view key, std::string_view name,
                  const std::vector<BillShare>& shares, bool quota) {
  json.key(key).begin_array();
  for (const BillShare& share : shares) {
    json.begin_object();
    write_text_or_null(json, name, share.name);
    json.field("jobs", share.jobs);
    write_totals(json, share.totals);
    json.field("total", share.total).field("card_s", share.card_time);
    json.field("budget", share.budget);
    if (quota) json.field("quota_s", share.quota);
    json.end_object();
  }
  json.end_array();
}

void write_gates(JsonWriter& json, std::span<const Gate> gates) {
  json.key("gates").begin_array();
  for (const Gate& gate : gates) {
    json.begin_object().field("name", gate.name);
    if (!gate.of.empty()) json.field("of", gate.of);
    json.key("limit").value(Decimal::parse(gate.limit));
    json.key("value").value(Decimal::parse(gate.value));
    json.field("passed", gate.passed);
    if (!gate.why.empty()) json.field("why", gate.why);
    json.end_object();
  }
  json.end_array();
}

std::string render_simulate_json(const SimulateResult& result, const RenderOptions& options) {
  JsonWriter json;
  json.begin_object()
      .field("schema", "gpuplan.simulate/1")
      .field("version", options.program_version);
  write_inputs(json, result);
  json.field("offer", result.offer->id)
      .field("platform", result.catalog->platforms[result.offer->platform].id);
  json.field("plan", result.plan).field("currency", result.currency);
  LedgerView view{.catalog = result.catalog, .offer = result.offer};
  std::vector<Unpriced> unpriced;
  Warnings warnings = result.warnings;
  for (const SimulatedJob& done : result.jobs) {
    const Bill& bill = done.bill;
    view.bills.push_back(&bill);
    unpriced.insert(unpriced.end(), bill.unpriced.begin(), bill.unpriced.end());
    for (const Warning& warning : bill.warnings)
      if (std::ranges::find(warnings, warning) == warnings.end()) warnings.push_back(warning);
  }
  write_ledger(json, view, options);
  write_totals(json, result.totals);
  json.field("total", result.total).field("complete", result.complete);
  write_unpriced(json, unpriced);
  write_time(json, time_of(result));
  write_jobs(json, result);
  write_shares(json, "by_project", "project", result.by_project, false);
  write_shares(json, "by_member", "member", result.by_member, true);
  write_gates(json, result.gates);
  const bool one = result.jobs.size() == 1;
  write_trials(json, one ? result.jobs.front().trials : std::nullopt);
  write_checkpoint(json, one ? result.jobs.front().checkpoint : std::nullopt);
  write_outlook(json, one ? result.jobs.front().outlook : SpotOutlook{});
  write_warnings(json, warnings);
  return json.end_object().take();
}

}  // namespace gpuplan
