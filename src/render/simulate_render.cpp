#include <fmt/format.h>

#include "core/text.hpp"
#include "gpuplan/render.hpp"
#include "render/documents.hpp"
#include "render/inputs_json.hpp"
#include "render/json_writer.hpp"
#include "render/text_table.hpp"

namespace gpuplan {

void write_ledger(JsonWriter& json, const Bill& bill) {
  json.key("ledger").begin_array();
  for (const LedgerLine& line : bill.ledger) {
    json.begin_object()
        .field("from_s", line.from)
        .field("to_s", line.to)
        .field("instance", line.instance);
    json.field("state", line.state).field("item", name_of(line.item));
    json.key("quantity").value(Decimal::parse(line.quantity));
    json.field("unit", line.unit).key("unit_price").value(Decimal::parse(line.unit_price));
    json.field("amount", line.amount)
        .field("note", line.note)
        .field("rule", line.rule)
        .end_object();
  }
  json.end_array();
}

std::string ledger_table(const Bill& bill, const RenderOptions& options) {
  TextTable table({{"from", true},
                   {"to", true},
                   {"#", true, 3},
                   {"state", false, 2},
                   {"item"},
                   {"quantity", true, 1},
                   {"unit", false, 1},
                   {"unit price", true, 4},
                   {"amount " + bill.currency, true},
                   {"note", false, 5},
                   {"rule", false, options.explain ? 0 : 6}});
  const bool people = options.format == Format::table;
  for (const LedgerLine& line : bill.ledger) {
    const auto time = [&](Duration d) {
      return people ? show_duration(d) : fmt::format("{}", static_cast<double>(d.count()) * 1e-6);
    };
    table.add({time(line.from), time(line.to), std::to_string(line.instance), line.state,
               std::string(name_of(line.item)), line.quantity, line.unit, line.unit_price,
               to_string(line.amount), line.note, line.rule});
  }
  return table.in(options.format, options.width);
}

namespace {

std::string simulate_json(const SimulateResult& result, const RenderOptions& options) {
  JsonWriter json;
  json.begin_object()
      .field("schema", "gpuplan.simulate/1")
      .field("version", options.program_version);
  json.key("inputs")
      .begin_object()
      .field("model", result.job.model)
      .field("mode", name_of(result.job.workload.mode));
  write_job_inputs(json, result.job);
  json.field("catalog_sha256", result.catalog->sha256).end_object();
  json.field("offer", result.offer->id)
      .field("platform", result.catalog->platforms[result.offer->platform].id);
  json.field("plan", result.plan).field("currency", result.bill.currency);
  write_ledger(json, result.bill);
  json.key("totals").begin_object();
  for (const auto& [item, amount] : result.bill.totals) json.field(name_of(item), amount);
  json.end_object().field("total", result.bill.total);
  write_unpriced(json, result.bill);
  json.key("time")
      .begin_object()
      .field("wall_s", result.bill.time.wall)
      .field("queue_s", result.bill.time.queue)
      .field("startup_s", result.bill.time.startup)
      .field("transfer_s", result.bill.time.transfer)
      .field("run_s", result.bill.time.run)
      .end_object();
  json.key("trials").null().key("checkpoint").null();
  Warnings all = result.warnings;
  all.insert(all.end(), result.bill.warnings.begin(), result.bill.warnings.end());
  write_warnings(json, all);
  return json.end_object().take();
}

}  // namespace

std::string render(const SimulateResult& result, const RenderOptions& options) {
  if (options.format == Format::json) return simulate_json(result, options);
  std::string text = ledger_table(result.bill, options);
  if (options.format != Format::table) return text;
  const Platform& platform = result.catalog->platforms[result.offer->platform];
  std::string out = wrap(fmt::format("{}/{}, {}: done in {}", platform.id, result.offer->id,
                                     result.plan, show_duration(result.bill.time.wall)),
                         options.width - 2, 2) +
                    "\n\n" + text + "\n";
  const int digits = minor_digits(result.bill.currency);
  for (const auto& [item, amount] : result.bill.totals)
    out += fmt::format("{:<12}{:>14}\n", name_of(item), to_string(amount, digits));
  out += fmt::format("{:<12}{:>14} {}{}\n", "total", to_string(result.bill.total, digits),
                     result.bill.currency,
                     result.bill.complete ? "" : " at least: a price is missing");
  for (const Unpriced& u : result.bill.unpriced)
    out += wrap(fmt::format("not priced: {} {} of {} ({} is not stated)", u.quantity, u.unit,
                            u.item, u.key),
                options.width - 2, 2) +
           "\n";
  return out;
}

}  // namespace gpuplan
