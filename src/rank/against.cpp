#include "gpuplan/against.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "catalog/offer_name.hpp"
#include "core/json.hpp"
#include "core/text.hpp"
#include "rank/steps.hpp"

namespace gpuplan {
namespace {

using Totals = std::map<std::string, Money>;

using Reasons = std::map<std::string, std::string>;  // codes of the rejected, by platform/offer

// Amounts of the work by their names in the document; what is not stated is not there.
using Amounts = std::map<std::string, Decimal, std::less<>>;

struct Earlier {
  std::string currency, model, mode, sha256;
  Amounts work;
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

Amounts amounts_of(const Job& job) {
  const Work& work = job.work;
  Amounts amounts{{"machines", Decimal::of(job.machines)}, {"splits", Decimal::of(job.splits)}};
  const auto add = [&](const char* name, const auto& amount) {
    if (amount) amounts.emplace(name, Decimal::of(static_cast<std::int64_t>(*amount)));
  };
  add("tokens", work.tokens);
  add("samples", work.samples);
  add("tokens_per_sample", work.tokens_per_sample);
  add("steps", work.steps);
  add("requests", work.requests);
  if (work.epochs) amounts.emplace("epochs", *work.epochs);
  if (work.run_hours) amounts.emplace("run_s", Decimal::of(work.run_hours->count(), 6));
  return amounts;
}

// Of the same names in an earlier document.
Amounts amounts_in(const JsonReader& inputs) {
  Amounts amounts;
  const auto add = [&](const JsonReader& parent, const char* name) {
    const auto member = parent.find(name);
    if (!member || !member->node().is(JsonNode::Kind::number)) return;
    if (const auto number = Decimal::parse(member->node().text)) amounts.emplace(name, *number);
  };
  for (const char* name : {"machines", "splits"}) add(inputs, name);
  if (const auto work = inputs.find("work"); work && work->node().is(JsonNode::Kind::object))
    for (const char* name : {"tokens", "samples", "tokens_per_sample", "steps", "requests", "epochs", "run_s"})
      add(*work, name);
  return amounts;
}

std::string words(const Amounts& amounts) {
  std::string text;
  for (const auto& [name, amount] : amounts)
    if (name != "machines" && name != "splits") text += ", " + name + " " + amount.to_string();
  for (const char* name : {"machines", "splits"})
    if (const auto at = amounts.find(name); at != amounts.end() && at->second != Decimal::of(1))
      text += ", " + std::string(name) + " " + at->second.to_string();
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
  earlier.work = amounts_in(inputs);
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
  const Amounts work = amounts_of(now.job);
  if (earlier.model != now.job.model || earlier.mode != mode || earlier.work != work)
    warnings.push_back({"against_other_job",
                        "the earlier answer is about " +
                            quote(earlier.model + ", " + earlier.mode + words(earlier.work), 200) +
                            ", this one about " + quote(now.job.model + ", " + mode + words(work), 200),
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
