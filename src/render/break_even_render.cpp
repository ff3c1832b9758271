// Break-even points: pairs of plans, and a table that can be plotted.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "catalog/offer_name.hpp"
#include "core/exact_time.hpp"
#include "render/documents.hpp"
#include "render/html.hpp"
#include "render/inputs_json.hpp"
#include "render/markdown.hpp"
#include "render/page_parts.hpp"
#include "render/pictures.hpp"
#include "render/text_table.hpp"

namespace gpuplan {
namespace {

// At most two decimals, for people.
std::string rounded(const Decimal& value) { return to_string(Money::rounded(value), 2); }

std::string name_of(const BreakEven& answer, const Offer& offer) {
  return offer_name(*answer.catalog, offer);
}

void write_inputs(JsonWriter& json, const BreakEven& answer) {
  json.key("inputs").begin_object();
  write_job_inputs(json, answer.job);
  json.key("buy");
  if (answer.purchase)
    json.begin_object()
        .field("price", answer.purchase->price)
        .field("power_price", answer.purchase->power_price)
        .field("years", answer.purchase->years)
        .end_object();
  else
    json.null();
  json.field("catalog_sha256", answer.catalog->sha256).end_object();
}

void write_offer(JsonWriter& json, const BreakEven& answer, const Offer& offer) {
  json.field("offer", offer.id).field("platform", answer.catalog->platforms[offer.platform].id);
}

std::string as_json(const BreakEven& answer, const RenderOptions& options) {
  JsonWriter json;
  json.begin_object()
      .field("schema", "gpuplan.breakeven/1")
      .field("version", options.program_version);
  write_inputs(json, answer);
  json.field("currency", answer.currency);
  json.key("pairs").begin_array();
  for (const BreakEvenPair& pair : answer.pairs) {
    write_offer(json.begin_object(), answer, *pair.offer);
    json.field("a", pair.a).field("b", pair.b).field("hours", pair.hours);
    json.field("utilisation", pair.utilisation).field("hours_a_day", pair.hours_a_day);
    json.field("verdict", pair.verdict).field("formula", pair.formula).end_object();
  }
  json.end_array().key("table").begin_array();
  for (const BreakEvenRow& row : answer.table) {
    write_offer(json.begin_object(), answer, *row.offer);
    json.key("hours").value(Decimal::parse(exact_hours(row.time)));
    json.key("costs").begin_object();
    for (const BreakEvenCost& cost : row.costs) json.field(cost.plan, cost.cost);
    json.end_object().field("cheapest", row.cheapest).end_object();
  }
  json.end_array().key("bills").begin_array();
  for (const PlanBill& bill : answer.bills) {
    write_offer(json.begin_object(), answer, *bill.offer);
    json.field("plan", bill.plan).field("total", bill.total).field("complete", bill.complete);
    json.end_object();
  }
  json.end_array().key("reclaims").begin_array();
  for (const BreakEvenReclaims& reclaims : answer.reclaims) {
    write_offer(json.begin_object(), answer, *reclaims.offer);
    json.field("verdict", reclaims.verdict).field("price_ratio", reclaims.price_ratio);
    json.field("load", reclaims.load).field("mean_life_hours", reclaims.mean_life_hours);
    json.field("percent_hour", reclaims.percent_hour);
    json.field("percent_month", reclaims.percent_month).end_object();
  }
  json.end_array();
  write_warnings(json, answer.warnings);
  return json.end_object().take();
}

std::string verdict_text(const BreakEvenPair& pair) {
  if (pair.verdict == "always") return "always";
  if (pair.verdict == "never" || !pair.hours) return "never";
  return "from " + rounded(*pair.hours) + " h";
}

TextTable pairs_table(const BreakEven& answer, bool several, bool explain) {
  TextTable table({{"offer", false, several ? 0 : 4},
                   {"plan"},
                   {"against"},
                   {"is cheaper", true},
                   {"h a day", true, 1},
                   {"use %", true, 2},
                   {"how", false, explain ? 0 : 3}});
  for (const BreakEvenPair& pair : answer.pairs) {
    const bool from = pair.verdict == "from" && pair.hours_a_day;
    const auto percent = pair.utilisation ? Decimal::parse(to_string(Money::nanos(
                                                Money::rounded(*pair.utilisation).nanos() * 100)))
                                          : std::nullopt;
    table.add({safe(name_of(answer, *pair.offer)), safe(pair.b), safe(pair.a), verdict_text(pair),
               from ? rounded(*pair.hours_a_day) : "", from && percent ? rounded(*percent) : "",
               safe(pair.formula)});
  }
  return table;
}

// One row for each number of hours; one offer at a time, since its plans are the columns.
std::string cost_table(const BreakEven& answer, const Offer& offer, const RenderOptions& options) {
  std::vector<Column> columns{{"hours", true}};
  TextTable* table = nullptr;
  std::optional<TextTable> held;
  const int digits = minor_digits(answer.currency);
  const bool people = options.format == Format::table || options.format == Format::html;
  for (const BreakEvenRow& row : answer.table) {
    if (row.offer != &offer) continue;
    if (table == nullptr) {
      for (const BreakEvenCost& cost : row.costs) columns.push_back({safe(cost.plan), true});
      columns.push_back({"cheapest", false, 1});
      table = &held.emplace(columns);
    }
    std::vector<std::string> cells{people ? exact_hours(row.time, 2)
                                          : exact_hours(row.time)};
    for (const BreakEvenCost& cost : row.costs)
      cells.push_back(people ? to_string(cost.cost, digits) : to_string(cost.cost));
    cells.push_back(safe(row.cheapest));
    table->add(std::move(cells));
  }
  return table == nullptr ? std::string{} : table->in(options);
}

// For plotting: offer, hours, plan and cost in every line.
std::string plot_csv(const BreakEven& answer, const RenderOptions& options) {
  TextTable table({{"offer"}, {"hours", true}, {"plan"}, {"cost " + answer.currency, true}});
  for (const BreakEvenRow& row : answer.table)
    for (const BreakEvenCost& cost : row.costs)
      table.add(
          {name_of(answer, *row.offer), exact_hours(row.time), cost.plan, to_string(cost.cost)});
  return table.in(options);
}

// How often machines may be taken back until on demand is the cheaper way to rent.
std::string reclaims_text(const BreakEvenReclaims& reclaims, const RenderOptions& options) {
  std::string text;
  if (reclaims.verdict == "never") {
    text = "Reclaims: an hour on spot is not cheaper than on demand, however rarely machines are "
           "taken back";
  } else if (reclaims.verdict == "always") {
    text = "Reclaims: spot costs less card time than on demand, however often machines are taken back";
  } else if (reclaims.mean_life_hours) {
    text = fmt::format(
        "Reclaims: spot costs less card time than on demand where a machine lives longer than {} on "
        "average ({:.3g} % of machines taken back an hour, {:.3g} % a month)",
        show_duration(Duration{std::llround(*reclaims.mean_life_hours * 3600) * 1'000'000}),
        *reclaims.percent_hour, *reclaims.percent_month);
  } else {
    text = fmt::format(
        "Reclaims: without checkpoints spot costs less card time than on demand for work of up to "
        "{:.4g} mean lives of a machine; --run-hours says from which life on",
        *reclaims.load);
  }
  return "\n" + wrap(translated(text, options.language), options.width - 2, 2) + "\n";
}

std::string bills_text(const BreakEven& answer, const RenderOptions& options) {
  if (answer.bills.empty()) return {};
  const auto say = [&](std::string_view text) { return translated(text, options.language); };
  std::string out = "\n" +
                    say(fmt::format("The whole bill of {}",
                                    show_duration(answer.job.work.run_hours.value_or(Duration{0})))) +
                    "\n";
  for (const PlanBill& bill : answer.bills)
    out += fmt::format("  {:<12}{:>14} {}{}\n", safe(bill.plan),
                       to_string(bill.total, minor_digits(answer.currency)), answer.currency,
                       bill.complete ? "" : " " + say("at least: a price is missing"));
  return out;
}

std::vector<const Offer*> offers_of(const BreakEven& answer) {
  std::vector<const Offer*> offers;
  for (const BreakEvenRow& row : answer.table)
    if (offers.empty() || offers.back() != row.offer) offers.push_back(row.offer);
  return offers;
}

std::string title_of(const BreakEven& answer, const Offer& offer) {
  return "Card time of " + safe(name_of(answer, offer)) + " in " + answer.currency + ", by plan";
}

std::string bills_html(const BreakEven& answer) {
  if (answer.bills.empty()) return {};
  std::vector<Column> columns{{"offer"}, {"plan"}, {"total " + answer.currency, true}, {"note"}};
  TextTable shown(columns), exact(columns);
  for (const PlanBill& bill : answer.bills) {
    const std::string note = bill.complete ? "" : "at least: a price is missing";
    shown.add({name_of(answer, *bill.offer), bill.plan,
               to_string(bill.total, minor_digits(answer.currency)), note});
    exact.add({name_of(answer, *bill.offer), bill.plan, to_string(bill.total), note});
  }
  return html_section("The whole bill of the job") + shown.html("Whole bills", &exact);
}

std::string asked_of(const BreakEven& answer) {
  const auto offers = offers_of(answer);
  return offers.size() == 1 ? title_of(answer, *offers.front())
                            : fmt::format("{} offers, in {}", offers.size(), answer.currency);
}

std::string page(const BreakEven& answer, const RenderOptions& options) {
  const auto offers = offers_of(answer);
  const Pictures pictures = pictures_of(answer);
  std::string out = html_head("From how many hours which plan is cheaper", asked_of(answer));
  if (!pictures.empty()) out += html_decision(pictures.front().summary) + pictures_html(pictures);
  out += html_section("Pairs of plans") +
         pairs_table(answer, true, true).html("From where the plan is cheaper than the other");
  if (offers.size() == 1)
    out += html_section("What so many hours cost") + cost_table(answer, *offers.front(), options);
  out += bills_html(answer) + html_warnings(answer.warnings) + html_catalog(*answer.catalog);
  RenderOptions json = options;
  json.format = Format::json;
  return out + html_inputs(as_json(answer, json));
}

}  // namespace

std::string render(const BreakEven& answer, const RenderOptions& options) {
  if (options.format == Format::json) return as_json(answer, options);
  if (options.format == Format::csv) return plot_csv(answer, options);
  if (options.format == Format::html) return page(answer, options);
  const auto offers = offers_of(answer);
  std::string out;
  if (offers.size() == 1 && options.format == Format::table)
    out = wrap(translated(title_of(answer, *offers.front()), options.language), options.width - 2,
               2) +
          "\n\n";
  if (options.format == Format::markdown)
    out = markdown_head("From how many hours which plan is cheaper", asked_of(answer), options);
  out += pairs_table(answer, offers.size() > 1, options.explain).in(options);
  if (offers.size() == 1) out += "\n" + cost_table(answer, *offers.front(), options);
  if (options.format == Format::table) {
    if (offers.size() == 1)
      for (const BreakEvenReclaims& reclaims : answer.reclaims) out += reclaims_text(reclaims, options);
    out += bills_text(answer, options);
  }
  if (options.chart && options.format == Format::table)
    out += pictures_text(pictures_of(answer), options);
  return out;
}

}  // namespace gpuplan
