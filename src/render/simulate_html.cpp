// The page of a bill: the total, pictures, the ledger, and what it was made from.
#include <fmt/format.h>

#include <algorithm>

#include "catalog/offer_name.hpp"
#include "core/exact_time.hpp"
#include "core/text.hpp"
#include "render/documents.hpp"
#include "render/html.hpp"
#include "render/page_parts.hpp"
#include "render/pictures.hpp"
#include "render/text_table.hpp"

namespace gpuplan {
namespace {

std::string money_text(Money amount, const std::string& currency) {
  return to_string(amount, minor_digits(currency)) + " " + currency;
}

std::string totals(const SimulateResult& result) {
  std::vector<Column> columns{{"item"}, {"amount " + result.currency, true}};
  TextTable shown(columns), exact(columns);
  const auto add = [&](std::string_view name, Money amount) {
    shown.add({std::string(name), to_string(amount, minor_digits(result.currency))});
    exact.add({std::string(name), to_string(amount)});
  };
  for (const auto& [item, amount] : result.totals) add(name_of(item), amount);
  add("total", result.total);
  return html_section("The bill by part") + shown.html("Sums", &exact);
}

std::string jobs(const SimulateResult& result) {
  if (result.jobs.size() < 2) return {};
  std::vector<Column> columns{{"job", true}, {"name"}, {"project"}, {"member"}, {"done in", true},
                              {"total " + result.currency, true}};
  TextTable shown(columns), exact(columns);
  for (std::size_t i = 0; i < result.jobs.size(); ++i) {
    const SimulatedJob& done = result.jobs[i];
    const auto row = [&](std::string time, std::string total) {
      return std::vector<std::string>{std::to_string(i + 1), done.job.name, done.job.project,
                                      done.job.member, std::move(time), std::move(total)};
    };
    shown.add(row(show_duration(done.bill.time.wall),
                  to_string(done.bill.total, minor_digits(result.currency))));
    exact.add(row(exact_seconds(done.bill.time.wall),
                  to_string(done.bill.total)));
  }
  return html_section("Jobs of the account") + shown.html("Jobs", &exact);
}

std::string unpriced(const SimulateResult& result) {
  std::string out;
  for (const SimulatedJob& done : result.jobs)
    for (const Unpriced& u : done.bill.unpriced)
      out += "<li>" +
             html(fmt::format("{} {} of {} ({} is not stated)", u.quantity, u.unit, u.item, u.key)) +
             "</li>\n";
  return out.empty() ? "" : html_section("Not priced") + "<ul>\n" + out + "</ul>\n";
}

}  // namespace

std::string bill_title(const SimulateResult& result) {
  return fmt::format("The bill of {}, {}", offer_name(*result.catalog, *result.offer),
                     result.plan == "on_demand" ? "on demand" : result.plan);
}

std::string bill_decision(const SimulateResult& result) {
  Duration wall{0};
  for (const SimulatedJob& done : result.jobs) wall = std::max(wall, done.bill.time.wall);
  return fmt::format("{}{}, done in {}.", money_text(result.total, result.currency),
                     result.complete ? "" : " at least: a price is missing", show_duration(wall));
}

Warnings bill_warnings(const SimulateResult& result) {
  Warnings warnings = result.warnings;
  for (const SimulatedJob& done : result.jobs)
    for (const Warning& warning : done.bill.warnings)
      if (std::ranges::find(warnings, warning) == warnings.end()) warnings.push_back(warning);
  return warnings;
}

std::string render_simulate_html(const SimulateResult& result, const RenderOptions& options) {
  LedgerView view{.catalog = result.catalog, .offer = result.offer};
  for (const SimulatedJob& done : result.jobs) view.bills.push_back(&done.bill);
  std::string out = html_head(bill_title(result), "") + html_decision(bill_decision(result));
  out += html_gates(result.gates, result.currency) + unpriced(result) + pictures_html(pictures_of(result)) + totals(result) +
         jobs(result);
  out += html_section("Every line of the bill") + ledger_table(view, options);
  if (options.explain)
    out += html_section("Why each line is what it is") +
           html_preformatted(ledger_explained(view, plain_options(options)));
  out += html_warnings(bill_warnings(result)) + html_catalog(*result.catalog);
  RenderOptions json = options;
  json.format = Format::json;
  json.explain = false;
  return out + html_inputs(render_simulate_json(result, json));
}

}  // namespace gpuplan
