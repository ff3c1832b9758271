#include <fmt/format.h>

#include <algorithm>

#include "rank/steps.hpp"
#include "spec/modes.hpp"

namespace gpuplan::detail {
namespace {

std::string money(Money amount, const Ranking& ranking) {
  return to_string(amount, minor_digits(ranking.currency)) + " " + ranking.currency;
}

Item largest_item(const Bill& bill) {
  Item largest = Item::compute;
  for (const auto& [item, amount] : bill.totals)
    if (const auto at = bill.totals.find(largest); at == bill.totals.end() || amount > at->second)
      largest = item;
  return largest;
}

const RankedOffer* next_best(const Ranking& ranking) {
  for (std::size_t i = *ranking.primary + 1; i < ranking.ranked.size(); ++i)
    if (may_be_primary(ranking.ranked[i])) return &ranking.ranked[i];
  return nullptr;
}

void say_why(Ranking& ranking) {
  const RankedOffer& first = ranking.ranked[*ranking.primary];
  const Sizing& sizing = *first.sizing;
  if (ranking.ranked_total == 1) {
    ranking.why.push_back("it is the only offer that can do the job");
  } else if (const RankedOffer* next = next_best(ranking)) {
    ranking.why.push_back(
        fmt::format("{} against {} for the next, {} {}, {}", money(first.bill.total, ranking),
                    money(next->bill.total, ranking),
                    next->platform->name.empty() ? next->platform->id : next->platform->name,
                    next->sizing->card->name, plan_words(next->plan)));
  }
  const Item item = largest_item(first.bill);
  if (const auto at = first.bill.totals.find(item);
      at != first.bill.totals.end() && first.bill.total > Money{})
    ranking.why.push_back(fmt::format("{:.0f} % of the bill is {}",
                                      100 * approximate(at->second) / approximate(first.bill.total),
                                      name_of(item)));
  if (const auto at = first.bill.totals.find(Item::credit);
      at != first.bill.totals.end() && at->second < Money{})
    ranking.why.push_back(fmt::format("{} of credit is counted; without it the bill is {}",
                                      money(-at->second, ranking),
                                      money(first.bill.total - at->second, ranking)));
  if (sizing.layout) {
    const Bytes required = with_headroom(sizing.layout->memory.per_gpu.total, ranking.job.headroom);
    const bool judged = runs_a_model(ranking.job.workload.mode) || ranking.job.measured;
    ranking.why.push_back(
        judged ? fmt::format("the job fits with headroom: {} of {} on each GPU", show_gib(required),
                             show_gib(sizing.available))
               : fmt::format("whether {} is enough memory is not judged: --measured-peak does",
                             show_gib(sizing.available)));
  }
}

}  // namespace

std::string plan_words(std::string_view plan) {
  return plan == "on_demand" ? "on demand" : std::string(plan);
}

bool may_be_recommended(const Warnings& warnings) {
  return std::ranges::none_of(warnings, [](const Warning& warning) {
    return warning.code == "spot_reclaims_unknown" || warning.code == "card_name_vague";
  });
}

bool may_be_primary(const RankedOffer& offer) { return may_be_recommended(offer.warnings); }

void decide(Ranking& ranking) {
  const auto& ranked = ranking.ranked;
  for (std::size_t i = 0; i < ranked.size() && !ranking.primary; ++i)
    if (may_be_primary(ranked[i])) ranking.primary = i;
  if (!ranking.primary && !ranked.empty()) ranking.primary = 0;
  if (!ranking.primary) return;
  // Another platform is another failure domain: account, control plane, stock.
  for (std::size_t i = 0; i < ranked.size() && !ranking.backup; ++i)
    if (ranked[i].platform->id != ranked[*ranking.primary].platform->id &&
        may_be_primary(ranked[i]))
      ranking.backup = i;
  say_why(ranking);
}

}  // namespace gpuplan::detail
