// The bill of one offer for people: the ledger, its sums, and who pays them.
#include <fmt/format.h>

#include <algorithm>

#include "catalog/offer_name.hpp"
#include "core/exact_time.hpp"
#include "core/text.hpp"
#include "render/documents.hpp"
#include "render/markdown.hpp"
#include "render/pictures.hpp"
#include "render/text_table.hpp"

namespace gpuplan {
namespace {

std::string totals_text(const SimulateResult& result, Language language) {
  const int digits = minor_digits(result.currency);
  const auto line = [&](std::string_view name, Money amount) {
    const std::string label = translated(name, language);
    const std::size_t own = std::min<std::size_t>(display_width(label), 12);
    return label + std::string(12 - own, ' ') + fmt::format("{:>14}", to_string(amount, digits));
  };
  std::string out;
  for (const auto& [item, amount] : result.totals) out += line(name_of(item), amount) + "\n";
  out += line("total", result.total) + " " + result.currency;
  if (!result.complete) out += " " + translated("at least: a price is missing", language);
  return out + "\n";
}

std::string jobs_text(const SimulateResult& result, const RenderOptions& options) {
  const int digits = minor_digits(result.currency);
  TextTable table({{"job", true},
                   {"name", false},
                   {"project", false, 1},
                   {"member", false, 1},
                   {"done in", true},
                   {"total " + result.currency, true}});
  for (std::size_t i = 0; i < result.jobs.size(); ++i) {
    const SimulatedJob& done = result.jobs[i];
    table.add({std::to_string(i + 1), safe(done.job.name), safe(done.job.project),
               safe(done.job.member), show_duration(done.bill.time.wall),
               to_string(done.bill.total, digits)});
  }
  return "\n" + table.in(options);
}

std::string expected_text(const Bill& bill, const std::string& currency,
                          const RenderOptions& options) {
  const Expected& e = bill.expected;
  std::string out;
  const auto say = [&](const std::string& line) {
    out += wrap(translated(line, options.language), options.width - 2, 2) + "\n";
  };
  if (e.start_tries)
    say(fmt::format("expected start: {} requests{}", e.start_tries->to_string(),
                    e.queue ? ", " + show_duration(*e.queue) + " of waiting" : ""));
  if (e.credit_if_missed && e.allowed_down)
    say(fmt::format("uptime: {} {} come back when the host is down for more than {}",
                    to_string(*e.credit_if_missed, minor_digits(currency)), currency,
                    show_duration(*e.allowed_down)));
  return out;
}

// What a page and a comment on a merge request say first.
std::string comment(const SimulateResult& result, const std::string& ledger, const RenderOptions& options) {
  std::string text = markdown_head(bill_title(result), "", options) + markdown_decision(bill_decision(result), options);
  for (const Gate& gate : result.gates)
    if (!gate.passed) text += "- " + markdown_text(safe(gates_text({&gate, 1}, result.currency, options.language))) + "\n";
  return text + (result.gates.empty() ? "" : "\n") + ledger + "\n" + markdown_warnings(bill_warnings(result), options);
}

std::string heading(const SimulateResult& result, const RenderOptions& options) {
  const Platform& platform = result.catalog->platforms[result.offer->platform];
  const std::string name =
      fmt::format("{}, {}", safe(offer_name(platform.id, result.offer->id)),
                  translated(result.plan == "on_demand" ? "on demand" : safe(result.plan),
                             options.language));
  const bool never = result.jobs.size() == 1 && !result.jobs.front().bill.finished;
  const std::string done = never ? "never done"
                           : result.jobs.size() == 1
                               ? "done in " + show_duration(result.jobs.front().bill.time.wall)
                               : std::to_string(result.jobs.size()) + " jobs of one account";
  return wrap(name + ": " + translated(done, options.language), options.width - 2, 2) + "\n\n";
}

}  // namespace

std::string shares_text(const std::string& kind, const std::vector<BillShare>& shares,
                        const std::string& currency, const RenderOptions& options) {
  if (std::ranges::all_of(shares, [](const BillShare& s) { return s.name.empty(); })) return {};
  const int digits = minor_digits(currency);
  TextTable table({{kind},
                   {"jobs", true, 2},
                   {"card hours", true, 1},
                   {"of quota", true, 3},
                   {"total " + currency, true},
                   {"of budget", true},
                   {"", false}});
  for (const BillShare& share : shares) {
    const bool over = (share.budget && share.total > *share.budget) ||
                      (share.quota && share.card_time > *share.quota);
    table.add({share.name.empty() ? "(none)" : safe(share.name), std::to_string(share.jobs),
               exact_hours(share.card_time), share.quota ? exact_hours(*share.quota) : "",
               to_string(share.total, digits), share.budget ? to_string(*share.budget, digits) : "",
               over ? "over" : ""});
  }
  return "\n" + table.in(options);
}


std::string gate_amount(std::string_view gate, const std::string& text, std::string_view currency) {
  const auto number = Decimal::parse(text);
  if (!number) return "not known";
  if (gate == "max_age") return text + (text == "1" ? " day" : " days");
  if (gate == "deadline" || gate == "quota")
    return show_duration(Duration{number->times(1'000'000).value_or(INT64_MAX)});
  // Four decimals tell a limit from what just misses it.
  const auto money = Money::parse(text);
  std::string amount = money ? to_string(*money, 4) : text;
  if (amount.find('.') != std::string::npos) amount.erase(amount.find_last_not_of('0') + 1);
  if (amount.ends_with('.')) amount.pop_back();
  return amount + " " + std::string(currency);
}

std::string gates_text(std::span<const Gate> gates, std::string_view currency, Language language) {
  std::string out;
  for (const Gate& gate : gates)
    if (!gate.passed)
      out += translated(fmt::format("not met: {} of {}{}: it is {}", gate.name,
                                    gate_amount(gate.name, gate.limit, currency),
                                    gate.of.empty() ? "" : " for " + safe(gate.of),
                                    gate_amount(gate.name, gate.value, currency)),
                        language) +
             (gate.why.empty() ? "" : "; " + translated(gate.why, language)) + "\n";
  return out;
}

std::string render(const SimulateResult& result, const RenderOptions& options) {
  if (options.format == Format::json) return render_simulate_json(result, options);
  if (options.format == Format::html) return render_simulate_html(result, options);
  LedgerView view{.catalog = result.catalog, .offer = result.offer};
  for (const SimulatedJob& done : result.jobs) view.bills.push_back(&done.bill);
  const std::string ledger = ledger_table(view, options);
  if (options.format == Format::markdown) return comment(result, ledger, options);
  if (options.format != Format::table) return ledger;
  std::string out = heading(result, options) + ledger + "\n" + totals_text(result, options.language);
  for (const SimulatedJob& done : result.jobs)
    for (const Unpriced& u : done.bill.unpriced)
      out += wrap(translated(fmt::format("not priced: {} {} of {} ({} is not stated)", u.quantity,
                                         u.unit, u.item, u.key),
                             options.language),
                  options.width - 2, 2) +
             "\n";
  for (const SimulatedJob& done : result.jobs) {
    if (!done.trials) continue;
    out += trials_text(*done.trials, result.currency, options);
    out += outlook_text(done.outlook, options);
    if (done.checkpoint) out += checkpoint_text(*done.checkpoint, result.currency, options);
  }
  if (result.jobs.size() == 1)
    out += expected_text(result.jobs.front().bill, result.currency, options);
  else
    out += jobs_text(result, options);
  out += shares_text("project", result.by_project, result.currency, options);
  out += shares_text("member", result.by_member, result.currency, options);
  out += gates_text(result.gates, result.currency, options.language);
  if (options.explain) out += "\n" + translated("Why each line is what it is", options.language) + "\n" + ledger_explained(view, options);
  if (options.chart) out += pictures_text(pictures_of(result), options);
  return out;
}

}  // namespace gpuplan
