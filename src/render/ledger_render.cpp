// The ledger: lines as table and JSON, and why each of them is what it is.
#include <fmt/format.h>

#include "core/exact_time.hpp"
#include "core/text.hpp"
#include "render/parts.hpp"
#include "render/documents.hpp"
#include "render/text_table.hpp"

namespace gpuplan {
namespace {

// "offer price.on_demand": who states the rule, and its key. Lines repeat a few rules.
class RuleNames {
 public:
  explicit RuleNames(const LedgerView& view) : origins_(*view.catalog, *view.offer) {}
  const std::string& of(const std::string& key) {
    const auto [entry, added] = names_.try_emplace(key);
    if (added && !key.empty()) entry->second = origins_.of(key).level + " " + key;
    return entry->second;
  }
  const RuleOrigins& origins() const { return origins_; }

 private:
  RuleOrigins origins_;
  std::map<std::string, std::string> names_;
};

void write_explanation(JsonWriter& json, const LineExplanation& why) {
  json.field("formula", why.formula).key("rules").begin_array();
  for (const LineRule& rule : why.rules) {
    json.begin_object().field("key", rule.key).field("value", rule.value);
    json.field("level", rule.origin.level).key("source");
    rule.origin.source.empty() ? json.null() : json.value(rule.origin.source);
    json.field("as_of", rule.origin.as_of).end_object();
  }
  json.end_array();
}

void write_line(JsonWriter& json, const LedgerLine& line, std::size_t job, RuleNames& names) {
  json.field("from_s", line.from)
      .field("to_s", line.to)
      .field("job", job)
      .field("instance", line.instance);
  json.field("state", line.state).field("item", name_of(line.item));
  json.key("quantity").value(Decimal::parse(line.quantity));
  json.field("unit", line.unit).key("unit_price").value(Decimal::parse(line.unit_price));
  json.key("per");
  line.per.empty() ? json.null() : json.value(line.per);
  json.field("amount", line.amount).field("note", line.note).field("rule", names.of(line.rule));
}

// Prices stand as the platform writes them; amounts are in the currency of the answer.
const std::string& priced_in(const LedgerView& view) {
  return view.catalog->platforms[view.offer->platform].currency;
}

}  // namespace

void write_ledger(JsonWriter& json, const LedgerView& view, const RenderOptions& options) {
  RuleNames names(view);
  json.key("ledger").begin_array();
  for (std::size_t job = 0; job < view.bills.size(); ++job) {
    const Bill& bill = *view.bills[job];
    for (const LedgerLine& line : bill.ledger) {
      json.begin_object();
      write_line(json, line, job, names);
      json.field("unit_price_currency", priced_in(view));
      if (options.explain)
        write_explanation(
            json, explain_line(line, *view.catalog, *view.offer, names.origins(), bill.currency));
      json.end_object();
    }
  }
  json.end_array();
}

std::string ledger_table(const LedgerView& view, const RenderOptions& options) {
  const bool several = view.bills.size() > 1;
  RuleNames names(view);
  std::vector<Column> columns{{"from", true},     {"to", true},
                              {"#", true, 3},     {"state", false, 2},
                              {"item"},           {"quantity", true, 1},
                              {"unit", false, 1}, {"unit price " + priced_in(view), true, 4},
                              {"per", false, 4},  {"amount " + view.bills.front()->currency, true},
                              {"note", false, 5}, {"rule", false, 6}};
  if (several) columns.insert(columns.begin(), Column{"job", true});
  TextTable table(std::move(columns));
  const auto time = [&](Duration d) {
    return options.format == Format::table
               ? show_duration(d)
               : exact_seconds(d);
  };
  for (std::size_t job = 0; job < view.bills.size(); ++job)
    for (const LedgerLine& line : view.bills[job]->ledger) {
      std::vector<std::string> cells{time(line.from),
                                     time(line.to),
                                     std::to_string(line.instance),
                                     line.state,
                                     std::string(name_of(line.item)),
                                     line.quantity,
                                     line.unit,
                                     line.unit_price,
                                     line.per,
                                     to_string(line.amount),
                                     line.note,
                                     names.of(line.rule)};
      if (several) cells.insert(cells.begin(), std::to_string(job + 1));
      table.add(std::move(cells));
    }
  return table.in(options);
}

std::string ledger_explained(const LedgerView& view, const RenderOptions& options) {
  const RuleOrigins origins(*view.catalog, *view.offer);
  std::string out;
  std::size_t number = 0;
  for (const Bill* bill : view.bills)
    for (const LedgerLine& line : bill->ledger) {
      const LineExplanation why =
          explain_line(line, *view.catalog, *view.offer, origins, bill->currency);
      out += fmt::format(
          "{:>3}  {}\n", ++number,
          wrap(fmt::format("{}: {}", name_of(line.item), safe(why.formula)), options.width - 5, 7));
      for (const LineRule& rule : why.rules) {
        std::string text =
            fmt::format("{} = {} ({}", rule.key, safe(rule.value), rule.origin.level);
        if (!rule.origin.source.empty()) text += ": " + safe(rule.origin.source);
        if (rule.origin.as_of) text += ", " + to_string(*rule.origin.as_of);
        out += "       " + wrap(text + ")", options.width - 7, 9) + "\n";
      }
    }
  return out;
}

}  // namespace gpuplan
