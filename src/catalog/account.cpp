// Rules of the account: fees, credits, discounts.
#include "catalog/fields.hpp"
#include "catalog/names.hpp"
#include "catalog/parts.hpp"

namespace gpuplan::detail {
namespace {

// Items of the ledger that a discount can name.
constexpr std::array<std::string_view, 8> kItemNames{"compute", "startup", "transfer", "idle",
                                                     "lost_work", "storage", "network", "fees"};

std::vector<std::string> plans(const JsonReader& reader) { return words(reader, "all"); }
std::vector<std::string> who(const JsonReader& reader) { return words(reader, "any"); }

std::vector<std::string> item_names(const JsonReader& reader) {
  if (reader.node().is(JsonNode::Kind::array)) {
    std::vector<std::string> names;
    for (const JsonReader& item : reader.items())
      if (item.node().text != "all") names.emplace_back(kItemNames[item.choice(kItemNames)]);
    return names.size() == reader.node().children.size() ? names : std::vector<std::string>{};
  }
  if (reader.node().text == "all") return {};
  return {std::string(kItemNames[reader.choice(kItemNames)])};
}

std::vector<Credit> read_credits(const JsonReader& reader) {
  std::vector<Credit> credits;
  for (const JsonReader& item : reader.items()) {
    Fields fields(item);
    Credit& credit = credits.emplace_back();
    credit.amount = positive(fields.at("amount"));
    fields.set("every", credit.monthly, [](const JsonReader& r) { return choice(r, kEvery); });
    fields.set("expires_days", credit.expires_days, days);
    fields.set("plans", credit.plans, plans);
    fields.set("who", credit.who, who);
  }
  return credits;
}

std::vector<Discount> read_discounts(const JsonReader& reader) {
  std::vector<Discount> discounts;
  for (const JsonReader& item : reader.items()) {
    Fields fields(item);
    Discount& discount = discounts.emplace_back();
    discount.percent = percent(fields.at("percent"));
    fields.set("plans", discount.plans, plans);
    fields.set("items", discount.items, item_names);
    fields.set("who", discount.who, who);
    fields.set("above_spend", discount.above_spend, price);
  }
  return discounts;
}

}  // namespace

AccountRules read_account(const JsonReader& reader) {
  AccountRules account;
  Fields fields(reader);
  fields.set("fee_month", account.fee_month, price);
  fields.set("credits", account.credits, read_credits);
  fields.set("discounts", account.discounts, read_discounts);
  fields.set("minimum_topup", account.minimum_topup, price);
  fields.set("host_down_factor", account.host_down_factor, fraction);
  if (const auto sla = fields.find("sla")) {
    Fields parts(*sla);
    parts.set("uptime_percent", account.sla_uptime_percent, percent);
    parts.set("credit_percent", account.sla_credit_percent, percent);
  }
  return account;
}

}  // namespace gpuplan::detail
