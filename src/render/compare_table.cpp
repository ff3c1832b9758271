#include <fmt/format.h>

#include <algorithm>

#include "catalog/offer_name.hpp"
#include "core/exact_time.hpp"
#include "core/text.hpp"
#include "gpuplan/render.hpp"
#include "render/compare_parts.hpp"
#include "render/documents.hpp"
#include "render/pictures.hpp"
#include "render/parts.hpp"
#include "render/text_table.hpp"
#include "spec/modes.hpp"

namespace gpuplan {
namespace {

std::string money(Money amount, const std::string& currency) {
  // Less than a tenth of the minor unit keeps its digits: 0.0004 is not 0.00.
  const int digits = minor_digits(currency);
  const std::string rounded = to_string(amount, digits);
  return amount != Money{} && rounded.find_first_of("123456789") == std::string::npos
             ? to_string(amount, 4)
             : rounded;
}

std::string title_of(const Platform& platform) { return platform.id; }

bool reclaims_unknown(const RankedOffer& r) { return r.trials && !r.trials->finish_probability; }

std::string note_of(const RankedOffer& offer, const std::string& currency) {
  std::string note;
  const auto add = [&](std::string_view text) {
    note += (note.empty() ? "" : ", ") + std::string(text);
  };
  if (reclaims_unknown(offer)) add("reclaims unknown");
  if (!offer.bill.complete) add("incomplete");
  if (offer.trials && offer.trials->n > 1)
    add(fmt::format("p90 {}, {:.2g} reclaims", money(offer.trials->cost.p90, currency),
                    offer.trials->reclaims_mean));
  if (const auto at = offer.bill.totals.find(Item::credit);
      at != offer.bill.totals.end() && at->second < Money{})
    add("credit " + to_string(-at->second, 2));
  if (offer.sizing->layout && offer.sizing->layout->workload.zero > 0)
    add(fmt::format("ZeRO {}", offer.sizing->layout->workload.zero));
  if (offer.offer->node_only) add("whole machine");
  if (offer.offer->share) add(offer.offer->share->to_string() + " of a card");
  for (const Warning& warning : offer.warnings)
    if (warning.code == "card_ambiguous") add("card?");
    else if (warning.code == "card_name_vague") add("card not named");
  return note;
}

std::string plan_name(const RankedOffer& r) {
  if (reclaims_unknown(r)) return r.plan + " ?";
  return r.plan == "on_demand" ? "on demand" : r.plan;
}

Money item(const Bill& bill, std::initializer_list<Item> items) {
  Money sum;
  for (const Item i : items)
    if (const auto at = bill.totals.find(i); at != bill.totals.end()) sum += at->second;
  return sum;
}

std::string number_of(const std::optional<double>& amount) {
  return amount ? fmt::format("{:.9g}", *amount) : "";
}

// The number that a column of what a budget buys is sorted by.
std::string amount_of(const Affords& affords) {
  for (const auto amount : {&Affords::tokens, &Affords::samples, &Affords::units})
    if (affords.*amount) return number_of(affords.*amount);
  return exact_seconds(affords.run);
}

// "1.692 EFLOP", "600": the unit stands below the table.
std::string short_amount(const Affords& affords) {
  const std::string whole = show_amount(affords);
  if (!affords.units) return whole;
  const auto kind = whole.find(" (");
  return kind != std::string::npos ? whole.substr(0, kind) : whole.substr(0, whole.find(' '));
}

// What a budget buys is a column only where that was the question.
bool shows_amount(const Ranking& ranking) { return !ranking.ranked.empty() && ranking.ranked.front().affords; }

std::vector<Column> columns_of(const Ranking& ranking, RowsFor whom) {
  std::vector<Column> columns{{"#", true}, {"platform"}, {"card"}};
  if (shows_amount(ranking) && whom != RowsFor::csv) columns.push_back({"gets", true});
  if (shows_amount(ranking) && whom == RowsFor::csv)
    for (const char* name : {"affords_tokens", "affords_samples", "affords_units"}) columns.push_back({name, true});
  const std::vector<Column> others{{"plan"},
                                   {"run", true, 5},
                                   {"wall", true, 3},
                                   {"total " + ranking.currency, true},
                                   {"per unit", true, 4},
                                   {"compute", true, 6},
                                   {"storage", true, 7},
                                   {"network", true, 7},
                                   {"other", true, 7},
                                   {"region", false, 8},
                                   {"as of", false, 8},
                                   {"notes", false, 2},
                                   {"offer", false, 9}};
  columns.insert(columns.end(), others.begin(), others.end());
  // A file has no line below its rows that could say it.
  if (whom == RowsFor::csv) columns.push_back({"unit"});
  return columns;
}

std::vector<std::string> cells_of(const Ranking& ranking, const RankedOffer& r, std::size_t number, RowsFor whom) {
  const bool people = whom == RowsFor::people;
  const auto date = r.offer->as_of      ? r.offer->as_of
                    : r.platform->as_of ? r.platform->as_of
                                        : ranking.catalog->as_of;
  const auto time = [&](Duration d) { return people ? show_duration(d) : exact_seconds(d); };
  const auto cash = [&](Money m) { return people ? money(m, ranking.currency) : to_string(m); };
  std::vector<std::string> cells{
      std::to_string(number), title_of(*r.platform),
      fmt::format("{} x{}{}{}", r.sizing->card->name, r.offer->gpus,
                  r.machines > 1 ? fmt::format(" x{} machines", r.machines) : "",
                  r.more_alike > 0 ? fmt::format(" ({} more)", r.more_alike) : "")};
  if (shows_amount(ranking) && whom != RowsFor::csv)
    cells.push_back(!r.affords ? "" : people ? short_amount(*r.affords) : amount_of(*r.affords));
  if (shows_amount(ranking) && whom == RowsFor::csv)
    for (const auto amount : {&Affords::tokens, &Affords::samples, &Affords::units})
      cells.push_back(r.affords ? number_of(*r.affords.*amount) : "");
  const std::vector<std::string> more{
      people ? plan_name(r) : r.plan == "on_demand" ? "on demand" : r.plan,
      time(r.bill.time.run),
      time(r.bill.time.wall),
      cash(r.bill.total),
      r.unit_cost ? (people ? to_string(r.unit_cost->amount, 4) : to_string(r.unit_cost->amount)) : "",
      cash(item(r.bill, {Item::compute, Item::startup, Item::transfer, Item::idle, Item::lost_work})),
      cash(item(r.bill, {Item::storage})),
      cash(item(r.bill, {Item::network})),
      cash(item(r.bill, {Item::fees, Item::refund, Item::discount, Item::credit, Item::tax})),
      r.offer->region,
      date ? to_string(*date) : "",
      note_of(r, ranking.currency),
      r.offer->id};
  cells.insert(cells.end(), more.begin(), more.end());
  if (whom == RowsFor::csv) cells.push_back(r.unit_cost ? r.unit_cost->per : "");
  return cells;
}

}  // namespace

TextTable ranking_rows(const Ranking& ranking, std::size_t top, RowsFor whom, bool with_choice) {
  TextTable table(columns_of(ranking, whom));
  std::size_t row = 0;
  for (std::size_t i = 0; i < ranking.listed; ++i) {
    const RankedOffer& r = ranking.ranked[i];
    if (r.is_alike) continue;
    ++row;
    // What is recommended is shown wherever it stands.
    if (row <= top || (with_choice && ranking.primary == i)) table.add(cells_of(ranking, r, row, whom));
  }
  return table;
}

namespace {

struct Shown {
  std::size_t rows = 0, offers = 0;  // that the rows stand for
};

Shown shown_of(const Ranking& ranking, std::size_t top) {
  Shown shown;
  for (std::size_t i = 0; i < ranking.listed; ++i) {
    if (ranking.ranked[i].is_alike || (shown.rows >= top && ranking.primary != i)) continue;
    ++shown.rows;
    shown.offers += 1 + ranking.ranked[i].more_alike;
  }
  return shown;
}

}  // namespace

std::string ranking_heading(const Ranking& ranking) {
  const Catalog& catalog = *ranking.catalog;
  std::string text(name_of(ranking.job.workload.mode));
  if (runs_a_model(ranking.job.workload.mode)) text += " · " + safe(ranking.model.name);
  const Work& work = ranking.job.work;
  if (ranking.job.work_assumed && ranking.job.budget)
    text += fmt::format(" · what {} {} buys", to_string(*ranking.job.budget), ranking.currency);
  else if (work.tokens)
    text += fmt::format(" · {} tokens", show_count(static_cast<double>(*work.tokens)));
  if (work.samples) text += fmt::format(" · {} samples", *work.samples);
  if (work.requests) text += fmt::format(" · {} requests", *work.requests);
  if (work.epochs && *work.epochs != Decimal::of(1)) text += fmt::format(" · {} epochs", work.epochs->to_string());
  if (work.measured) text += " · as a measured run";
  if (work.run_hours) text += " · " + show_duration(*work.run_hours) + " of work";
  text += fmt::format(" · catalog {}{}: {} platform{}, {} offer{}",
                      quote(catalog.name.empty() ? "without a name" : catalog.name),
                      catalog.as_of ? " of " + to_string(*catalog.as_of) : "",
                      catalog.platforms.size(), catalog.platforms.size() == 1 ? "" : "s",
                      catalog.offers.size(), catalog.offers.size() == 1 ? "" : "s");
  return text;
}

std::string rejected_line(const Ranking& ranking, bool listed) {
  if (ranking.rejected_total == 0) return {};
  std::vector<std::pair<std::size_t, std::string>> reasons;
  for (const auto& [code, count] : ranking.rejected_by_reason) reasons.emplace_back(count, code);
  std::ranges::sort(reasons, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::vector<std::string> parts;
  for (const auto& [count, code] : reasons) parts.push_back(fmt::format("{} {}", code, count));
  return fmt::format("Rejected: {} offer{} (by first reason: {}){}.", ranking.rejected_total,
                     ranking.rejected_total == 1 ? "" : "s", join(parts, " · "),
                     listed                        ? ""
                     : ranking.rejected_total == 1 ? "; --rejected lists it"
                                                   : "; --rejected lists them");
}

namespace {

std::string choice_line(const Ranking& ranking, const RankedOffer& r) {
  return fmt::format("{} {} x{}{}, {}: {} {}, done in {} (offer {}).", title_of(*r.platform),
                     r.sizing->card->name, r.offer->gpus,
                     r.machines > 1 ? fmt::format(", {} machines", r.machines) : "",
                     r.plan == "on_demand" ? "on demand" : r.plan,
                     money(r.bill.total, ranking.currency), ranking.currency,
                     show_duration(r.bill.time.wall), offer_name(r.platform->id, r.offer->id));
}

}  // namespace

namespace {

void add_gates(const Ranking& ranking, std::vector<NamedLine>& lines) {
  for (const Gate& gate : ranking.gates)
    lines.push_back({gate.of.empty() ? gate.name : gate.name + ", " + gate.of,
                     fmt::format("limit {}, best {}: {}{}", gate_amount(gate.name, gate.limit, ranking.currency),
                                 gate_amount(gate.name, gate.value, ranking.currency),
                                 gate.passed ? "passed" : "not met", gate.why.empty() ? "" : "; " + gate.why)});
}

std::vector<NamedLine> nothing_taken(const Ranking& ranking) {
  const bool doubtful = ranking.ranked_total > 0;
  std::vector<NamedLine> lines{
      {"Take", doubtful ? "nothing: of those above none can be recommended; how often spot machines are taken "
                          "back, or which card it is, is not stated."
               : ranking.any_gated ? "nothing: no offer can do the job within the limits; --rejected lists the reasons."
                                   : "nothing: no offer can do the job; --rejected lists the reasons."}};
  add_gates(ranking, lines);
  return lines;
}

}  // namespace

std::vector<NamedLine> decision_lines(const Ranking& ranking) {
  if (!ranking.primary)
    return nothing_taken(ranking);
  std::vector<NamedLine> lines{{"Take", choice_line(ranking, ranking.ranked[*ranking.primary])}};
  lines.push_back({"Backup", ranking.backup
                                 ? choice_line(ranking, ranking.ranked[*ranking.backup])
                                 : "none: no other platform can do it as asked."});
  std::string why;
  for (const std::string& reason : ranking.why) why += (why.empty() ? "" : "; ") + reason;
  lines.push_back({"Why", why + "."});
  for (std::size_t i = 0; i < ranking.flips.size(); ++i)
    lines.push_back({i == 0 ? "Unless" : "", fmt::format("{}: then {}.", safe(ranking.flips[i].when),
                                                         safe(ranking.flips[i].then))});
  const RankedOffer& first = ranking.ranked[*ranking.primary];
  for (std::size_t i = 0; i < std::min<std::size_t>(first.warnings.size(), 3); ++i)
    lines.push_back({i == 0 ? "Watch" : "", safe(first.warnings[i].message)});
  add_gates(ranking, lines);
  return lines;
}

namespace {

std::string decision(const Ranking& ranking, const RenderOptions& options) {
  std::string text;
  for (const NamedLine& line : decision_lines(ranking)) {
    std::string name = translated(line.name, options.language);
    name.resize(name.size() + 9 - std::min<std::size_t>(display_width(name), 8), ' ');
    text += options.color ? "\x1b[1m" + name + "\x1b[0m" : name;
    text += wrap(translated(line.text, options.language), options.width - 9, 9) + "\n";
  }
  return text;
}

std::string rejected_list(const Ranking& ranking, const RenderOptions& options) {
  std::string text = "\n" + translated("Rejected, with every reason:", options.language) + "\n";
  for (const RejectedOffer& rejected : ranking.rejected) {
    std::string reasons;
    for (const Reason& reason : rejected.reasons)
      reasons += (reasons.empty() ? "" : "; ") + reason.code + ": " +
                 translated(reason.message, options.language);
    text += "  " +
            wrap(safe(offer_name(rejected.platform->id, rejected.offer->id)) + ": " + safe(reasons),
                 options.width - 6, 6) +
            "\n";
  }
  return text;
}

}  // namespace

std::vector<std::string> below_ranking(const Ranking& ranking, const RenderOptions& options) {
  const std::size_t top = options.top;
  std::vector<std::string> notes;
  if (!ranking.ranked.empty()) {
    const Shown shown = shown_of(ranking, top);
    if (ranking.ranked_total > shown.offers)
      notes.push_back(fmt::format("({} more: --top {})", ranking.ranked_total - shown.offers, ranking.ranked_total));
    if (shown.offers > shown.rows)
      notes.push_back("(n more): offers that a row would show alike, at the same price or above; "
                      "--format csv lists each");
    if (const auto& bought = ranking.ranked.front().affords; bought && bought->units)
      notes.push_back("gets: " + bought->unit + " for the money");
    if (const auto& unit = ranking.ranked.front().unit_cost) notes.push_back("per unit: " + unit->per);
    const std::span rows(ranking.ranked.data(), std::min(top, ranking.listed));
    if (std::ranges::any_of(rows, reclaims_unknown))
      notes.push_back("spot ?: how often it is taken back is not stated, so this is its bill "
                      "if it never is; --reclaim-mean 6h tries it out");
  }
  if (const std::string rejected = rejected_line(ranking, options.rejected); !rejected.empty()) notes.push_back(rejected);
  return notes;
}

std::string render_ranking_table(const Ranking& ranking, const RenderOptions& options) {
  if (options.format == Format::csv)
    return ranking_rows(ranking, options.top_stated ? options.top : ranking.listed, RowsFor::csv).in(options);
  if (options.format == Format::markdown) return render_ranking_markdown(ranking, options);
  std::string text = wrap(translated_parts(ranking_heading(ranking), " · ", options.language),
                          options.width - 2, 2) +
                     "\n\n";
  if (!ranking.ranked.empty()) text += ranking_rows(ranking, options.top, RowsFor::people, true).in(options);
  for (const std::string& note : below_ranking(ranking, options))
    text += wrap(translated(note, options.language), options.width - 2, 2) + "\n";
  text += "\n" + decision(ranking, options);
  if (options.against != nullptr)
    text += against_text(*options.against, ranking.currency, options);
  if (options.rejected) text += rejected_list(ranking, options);
  if (options.chart) text += pictures_text(pictures_of(ranking), options);
  return text;
}

std::string render(const Ranking& ranking, const RenderOptions& options) {
  if (options.format == Format::html) return render_ranking_html(ranking, options);
  return options.format == Format::json ? render_ranking_json(ranking, options)
                                        : render_ranking_table(ranking, options);
}

}  // namespace gpuplan

namespace gpuplan {

std::string render_bill(const Ranking& ranking, const RankedOffer& offer,
                        const RenderOptions& options) {
  std::string text =
      fmt::format("The bill of {}, {}\n", safe(offer_name(offer.platform->id, offer.offer->id)),
                  offer.plan == "on_demand" ? "on demand" : offer.plan);
  const LedgerView view{
      .catalog = ranking.catalog, .offer = offer.offer, .bills = {&offer.bill}};
  text += ledger_table(view, options) + "\n" + ledger_explained(view, options);
  if (offer.trials && offer.trials->n > 1) {
    text += trials_text(*offer.trials, ranking.currency, options);
    text += fmt::format("expected {} {}\n", to_string(offer.bill.total), ranking.currency);
  } else {
    text += fmt::format("total {} {}\n", to_string(offer.bill.total), ranking.currency);
  }
  if (offer.sizing->layout)
    text += "\nMemory\n" + explain_text(offer.sizing->layout->memory.explain, options.width);
  if (offer.sizing->speed)
    text += "\nSpeed\n" + explain_text(offer.sizing->speed->explain, options.width);
  if (!offer.offer->source.empty())
    text += "\nprice: " + wrap(safe(offer.offer->source), options.width - 7, 7) + "\n";
  return text;
}

}  // namespace gpuplan
