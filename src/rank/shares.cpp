#include "rank/shares.hpp"

#include <algorithm>

#include "core/exact_time.hpp"

namespace gpuplan::detail {

BillShare& share_of(std::vector<BillShare>& shares, const std::string& name) {
  const auto known = std::ranges::find(shares, name, &BillShare::name);
  return known != shares.end() ? *known : shares.emplace_back(BillShare{.name = name});
}

void add_bill(const Bill& bill, Duration card_time, BillShare& share) {
  for (const auto& [item, amount] : bill.totals) share.totals[item] += amount;
  share.total += bill.total;
  share.card_time += card_time;
  ++share.jobs;
}

void share_gates(const BillShare& share, const std::string& kind, std::vector<Gate>& gates) {
  const std::string of = kind + " " + share.name;
  if (share.budget)
    gates.push_back({.name = "budget",
                     .limit = to_string(*share.budget),
                     .value = to_string(share.total),
                     .passed = share.total <= *share.budget,
                     .of = of});
  if (share.quota)
    gates.push_back({.name = "quota",
                     .limit = exact_seconds(*share.quota),
                     .value = exact_seconds(share.card_time),
                     .passed = share.card_time <= *share.quota,
                     .of = of});
}

}  // namespace gpuplan::detail
