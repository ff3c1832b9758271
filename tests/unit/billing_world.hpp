#pragma once

#include <memory>
#include <string>

#include "catch.hpp"
#include "gpuplan/billing.hpp"

// A renter, a platform with one offer, and the question what the bill will be.
namespace gpuplan::test {

inline Decimal dec(const std::string& text) { return *Decimal::parse(text); }
inline Money usd(const std::string& text) {
  return text.front() == '-' ? -*Money::parse(text.substr(1)) : *Money::parse(text);
}

struct World {
  Catalog catalog;
  Rules rules;
  Offer offer;
  Job job;
  Duration run{0};
  std::string currency = "USD";

  World() {
    Platform& acme = catalog.platforms.emplace_back();
    acme.id = "acme";
    acme.currency = "USD";
    offer.id = "o";
    offer.card = "RTX 4090";
    offer.price.on_demand = dec("1");
    rules.stop.stop = State::released;
  }

  Platform& platform() { return catalog.platforms.front(); }
  StorageRule& storage(StorageKind kind, const std::string& price) {
    StorageRule& rule = rules.storage[kind];
    rule.price = dec(price);
    return rule;
  }
  Commitment& term(const std::string& name, const std::string& hours, const std::string& price) {
    Commitment& added = offer.price.commitments.emplace_back();
    added.name = name;
    added.hours = dec(hours);
    added.price = dec(price);
    return added;
  }

  Result<Bill> try_bill(const std::string& plan = "on_demand", bool ledger = true) {
    offer.rules = std::make_shared<const Rules>(rules);
    BillRequest request;
    request.catalog = &catalog;
    request.offer = &offer;
    request.job = &job;
    request.run = run;
    request.plan = plan;
    request.currency = currency;
    request.ledger = ledger;
    return simulate_bill(request);
  }
  Bill bill(const std::string& plan = "on_demand") {
    auto made = try_bill(plan);
    REQUIRE(made);
    return *std::move(made);
  }
  std::string total(const std::string& plan = "on_demand") { return to_string(bill(plan).total); }
};

inline std::string part(const Bill& bill, Item item) {
  const auto found = bill.totals.find(item);
  return found == bill.totals.end() ? "none" : to_string(found->second);
}
inline bool warns(const Bill& bill, const std::string& code) {
  for (const Warning& warning : bill.warnings)
    if (warning.code == code) return true;
  return false;
}
inline Money sum_of(const Bill& bill) {
  Money sum;
  for (const LedgerLine& line : bill.ledger) sum += line.amount;
  return sum;
}

}  // namespace gpuplan::test
