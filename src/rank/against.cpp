#include "gpuplan/against.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "catalog/offer_name.hpp"
#include "core/json.hpp"
#include "core/text.hpp"
#include "rank/afford.hpp"
#include "rank/steps.hpp"

namespace gpuplan {
namespace {

using Totals = std::map<std::string, Money>;

using Reasons = std::map<std::string, std::string>;  // codes of the rejected, by platform/offer

// What was asked, by the names of the document; what is not stated is not there.
using Facts = std::map<std::string, std::string, std::less<>>;
constexpr std::array<std::string_view, 6> kAmounts{"tokens", "samples", "tokens_per_sample", "steps", "requests", "epochs"};

struct Earlier {
  std::string currency, model, mode, sha256;
  Facts work;
  Totals rows;
  Reasons rejected;
  std::optional<Choice> choice;
  bool cut = false;  // it listed fewer rows than it had
};

std::string name_of(std::string_view platform, std::string_view offer, std::string_view plan) {
  return offer_name(platform, offer) + ", " + detail::plan_words(plan);
}

Money money_of(const JsonReader& reader) {
  if (const auto money = Money::parse(reader.node().text)) return *money;
  reader.complain_expected("an amount of money");
  return {};
}

std::string name_in(const JsonReader& row) {
  return name_of(row.at("platform").text(), row.at("offer").text(), row.at("plan").text());
}

std::string text_in(const JsonReader& parent, std::string_view key) {
  const auto member = parent.find(key);
  return member && member->node().is(JsonNode::Kind::string) ? member->text() : std::string{};
}

std::string run_text(std::string_view seconds, std::string_view gpus, std::string_view card) {
  return std::string(seconds) + " s on " + (gpus == "1" ? "" : std::string(gpus) + "x ") + std::string(card);
}

Facts facts_of(const Job& job, const std::string& currency) {
  const Work& work = job.work;
  Facts facts{{"machines", std::to_string(job.machines)},
              {"splits", std::to_string(job.splits)},
              {"task", job.workload.training() ? "train" : "inference"}};
  // Asked what a budget buys, the amount of the work is not part of the question.
  if (detail::asks_what_a_budget_buys(job)) {
    facts.emplace("budget", to_string(*job.budget) + " " + currency);
    return facts;
  }
  const auto add = [&](std::string_view name, const auto& amount) {
    if (amount) facts.emplace(name, Decimal::of(static_cast<std::int64_t>(*amount)).to_string());
  };
  add("tokens", work.tokens);
  add("samples", work.samples);
  add("tokens_per_sample", work.tokens_per_sample);
  add("steps", work.steps);
  add("requests", work.requests);
  if (work.epochs) facts.emplace("epochs", work.epochs->to_string());
  if (work.run_hours) facts.emplace("run_s", Decimal::of(work.run_hours->count(), 6).to_string());
  if (const auto& run = work.measured)
    facts.emplace("measured", run_text(Decimal::of(run->time.count(), 6).to_string(), std::to_string(run->gpus), run->card));
  return facts;
}

bool is(const JsonReader& reader, JsonNode::Kind kind) { return reader.node().is(kind); }

// Whether the rows of an earlier answer say what a budget buys, and not what the work costs.
bool told_what_a_budget_buys(const JsonReader& root) {
  const auto ranking = root.find("ranking");
  if (!ranking || ranking->node().children.empty()) return false;
  const auto affords = ranking->items().front().find("affords");
  return affords && !is(*affords, JsonNode::Kind::null);
}

// Of the same names in an earlier document.
Facts facts_in(const JsonReader& root, const std::string& currency) {
  Facts facts;
  const JsonReader inputs = root.at("inputs");
  const auto add = [&](const JsonReader& parent, std::string_view name) {
    const auto member = parent.find(name);
    if (!member || !is(*member, JsonNode::Kind::number)) return;
    if (const auto number = Decimal::parse(member->node().text)) facts.emplace(name, number->to_string());
  };
  for (const char* name : {"machines", "splits"}) add(inputs, name);
  if (const auto workload = inputs.find("workload"); workload && is(*workload, JsonNode::Kind::object))
    if (const std::string task = text_in(*workload, "task"); !task.empty()) facts.emplace("task", task);
  if (told_what_a_budget_buys(root)) {
    if (const auto budget = inputs.find("budget"); budget && is(*budget, JsonNode::Kind::number))
      if (const auto amount = Money::parse(budget->node().text))
        facts.emplace("budget", to_string(*amount) + " " + currency);
    return facts;
  }
  const auto work = inputs.find("work");
  if (!work || !is(*work, JsonNode::Kind::object)) return facts;
  for (const std::string_view name : kAmounts) add(*work, name);
  add(*work, "run_s");
  if (const auto run = work->find("measured"); run && is(*run, JsonNode::Kind::object))
    facts.emplace("measured", run_text(run->at("time_s").node().text, run->at("gpus").node().text, run->at("card").text()));
  return facts;
}

// Documents of older programs name fewer facts: what one of them does not know is no difference.
bool same_question(const Facts& earlier, const Facts& now) {
  if (earlier.contains("task") && earlier.at("task") != now.at("task")) return false;
  Facts a = earlier, b = now;
  a.erase("task"), b.erase("task");
  return a == b;
}

std::string words(const Facts& facts, bool with_task) {
  std::string text;
  for (const auto& [name, fact] : facts)
    if (name == "budget") text += ", what " + fact + " buys";
    else if (name != "machines" && name != "splits" && name != "task") text += ", " + name + " " + fact;
  for (const char* name : {"machines", "splits"})
    if (const auto at = facts.find(name); at != facts.end() && at->second != "1")
      text += ", " + std::string(name) + " " + at->second;
  if (const auto at = facts.find("task"); with_task && at != facts.end()) text += ", task " + at->second;
  return text;
}

Result<Earlier> read(std::string_view text, const std::string& source) {
  const auto document = parse_json(text, source);
  if (!document) return document.errors();
  Diagnostics faults;
  const JsonContext context{.source = source, .faults = &faults};
  const JsonReader root(document->root(), context);
  constexpr std::array<std::string_view, 1> kSchemas{"gpuplan.compare/1"};
  root.at("schema").choice(kSchemas);
  if (!faults.empty()) return faults;
  Earlier earlier;
  earlier.currency = root.at("currency").text();
  const JsonReader inputs = root.at("inputs");
  earlier.model = text_in(inputs, "model");
  earlier.mode = text_in(inputs, "mode");
  earlier.work = facts_in(root, earlier.currency);
  earlier.sha256 = text_in(root.at("catalog"), "sha256");
  for (const JsonReader& row : root.at("ranking").items())
    earlier.rows.try_emplace(name_in(row), money_of(row.at("cost").at("total")));
  if (const auto list = root.find("rejected"))
    for (const JsonReader& offer : list->items()) {
      std::vector<std::string> codes;
      for (const JsonReader& reason : offer.at("reasons").items()) codes.push_back(reason.at("code").text());
      earlier.rejected.try_emplace(offer_name(offer.at("platform").text(), offer.at("offer").text()), join(codes, ", "));
    }
  if (const auto primary = root.at("recommendation").find("primary"))
    earlier.choice = Choice{name_in(*primary), money_of(primary->at("total"))};
  if (const auto total = root.find("ranked_total"))
    earlier.cut = total->integer(0, INT64_MAX) > std::ssize(earlier.rows);
  if (const auto total = root.find("rejected_total"))
    earlier.cut = earlier.cut || total->integer(0, INT64_MAX) > std::ssize(earlier.rejected);
  if (!faults.empty()) return faults;
  return earlier;
}

void add_change(const std::string& name, Money from, Money to, CatalogDiff& diff) {
  if (from == to) return;
  OfferChange change;
  change.offer = name;
  change.key = "total";
  change.from = to_string(from);
  change.to = to_string(to);
  if (from > Money{}) change.percent = 100 * (approximate(to) / approximate(from) - 1);
  diff.changed.push_back(std::move(change));
}

std::string plan_of(const RankedOffer& row) {
  return row.plan == "on_demand" || row.plan == "spot" ? row.plan : "reserved";
}

Totals rows_of(const Ranking& ranking) {
  Totals rows;
  for (std::size_t i = 0; i < ranking.listed; ++i) {
    const RankedOffer& row = ranking.ranked[i];
    rows.try_emplace(name_of(row.platform->id, row.offer->id, plan_of(row)), row.bill.total);
  }
  return rows;
}

Reasons rejected_of(const Ranking& ranking) {
  Reasons rejected;
  for (const RejectedOffer& offer : ranking.rejected) {
    std::vector<std::string> codes;
    for (const Reason& reason : offer.reasons) codes.push_back(reason.code);
    rejected.try_emplace(offer_name(offer.platform->id, offer.offer->id), join(codes, ", "));
  }
  return rejected;
}

void compare_rejected(const Reasons& before, const Reasons& now, const Catalog& catalog,
                      std::vector<Rejection>& changes) {
  std::set<std::string> there;
  for (const Offer& offer : catalog.offers) there.insert(offer_name(catalog, offer));
  const auto reasons = [](const Reasons& of, const std::string& offer) {
    const auto at = of.find(offer);
    return at == of.end() ? std::string{} : at->second;
  };
  Reasons all = before;
  all.insert(now.begin(), now.end());
  for (const auto& [offer, unused] : all)
    if (reasons(before, offer) != reasons(now, offer))
      changes.push_back({offer, reasons(before, offer),
                         there.contains(offer) ? reasons(now, offer) : "no longer in the catalog"});
}

void compare_rows(const Totals& before, const Totals& now, CatalogDiff& diff) {
  for (const auto& [name, total] : before) {
    const auto at = now.find(name);
    if (at == now.end()) diff.gone.push_back(name);
    else add_change(name, total, at->second, diff);
  }
  for (const auto& [name, total] : now)
    if (!before.contains(name)) diff.added.push_back(name);
}

void warn_of_other_questions(const Earlier& earlier, const Ranking& now, Warnings& warnings) {
  const std::string mode(name_of(now.job.workload.mode));
  const Facts work = facts_of(now.job, now.currency);
  const auto task = earlier.work.find("task");
  const bool other_task = task != earlier.work.end() && task->second != work.at("task");
  if (earlier.model != now.job.model || earlier.mode != mode || !same_question(earlier.work, work))
    warnings.push_back({"against_other_job",
                        "the earlier answer is about " +
                            quote(earlier.model + ", " + earlier.mode + words(earlier.work, other_task), 200) +
                            ", this one about " + quote(now.job.model + ", " + mode + words(work, other_task), 200),
                        "--against"});
  if (earlier.cut || now.listed < now.ranked_total || now.rejected.size() < now.rejected_total)
    warnings.push_back({"against_cut_rows",
                        "not all rows are listed: what is behind them counts as new or gone "
                        "(--top lists more)",
                        "--against"});
}

}  // namespace

bool Against::passed() const {
  return std::ranges::all_of(gates, [](const DiffGate& gate) { return gate.passed; });
}

Result<Against> compare_with(const Ranking& now, std::string_view text, const std::string& source,
                             std::vector<DiffGate> gates) {
  const auto earlier = read(text, source);
  if (!earlier) return earlier.errors();
  if (earlier->currency != now.currency)
    return Diagnostic{ErrorCode::usage, "--against", "",
                      "the earlier answer is in " + earlier->currency + ", this one in " +
                          now.currency,
                      "--currency " + earlier->currency};
  Against against;
  against.source = source;
  against.before = earlier->choice;
  against.gates = std::move(gates);
  if (now.primary) {
    const RankedOffer& first = now.ranked[*now.primary];
    against.now =
        Choice{name_of(first.platform->id, first.offer->id, plan_of(first)), first.bill.total};
  }
  compare_rows(earlier->rows, rows_of(now), against.rows);
  compare_rejected(earlier->rejected, rejected_of(now), *now.catalog, against.rejected);
  if (against.before && against.now)
    add_change(against.now->name, against.before->total, against.now->total, against.recommended);
  for (DiffGate& gate : against.gates)
    judge(gate, gate.percent ? against.recommended : against.rows);
  warn_of_other_questions(*earlier, now, against.warnings);
  return against;
}

}  // namespace gpuplan
