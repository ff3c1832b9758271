#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

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

std::string who(const RankedOffer& r) {
  return fmt::format("{} {}, {}", r.platform->name.empty() ? r.platform->id : r.platform->name,
                     r.sizing->card->name, plan_words(r.plan));
}

// The parts of the score in which it is better than the next, the weightiest first.
std::string better_parts(const Ranking& ranking, const RankedOffer& first, const RankedOffer& next) {
  std::vector<std::pair<double, std::string>> parts;
  for (const auto& [part, weight] : ranking.weights) {
    const double own = first.scores.at(part), other = next.scores.at(part);
    if (weight > 0 && own > other)
      parts.emplace_back(weight * (own - other), fmt::format("{} {:.2f} to {:.2f}", part, own, other));
  }
  std::ranges::stable_sort(parts, std::greater{}, [](const auto& part) { return part.first; });
  std::string text;
  for (const auto& [gain, words] : parts) text += (text.empty() ? ": " : ", ") + words;
  return text;
}

// What put it before the next, by the key of the ranking.
std::string against_next(const Ranking& ranking, const RankedOffer& first, const RankedOffer& next) {
  if (first.affords && next.affords)
    return fmt::format("{} for the money against {} for the next, {}", show_amount(*first.affords),
                       show_amount(*next.affords), who(next));
  if (ranking.sort == SortKey::score)
    return fmt::format("a score of {:.3f} against {:.3f} for the next, {}{}", first.score, next.score, who(next),
                       better_parts(ranking, first, next));
  if (ranking.sort == SortKey::time)
    return fmt::format("done in {} against {} for the next, {}", show_duration(first.bill.time.wall),
                       show_duration(next.bill.time.wall), who(next));
  return fmt::format("{} against {} for the next, {}", money(first.bill.total, ranking),
                     money(next.bill.total, ranking), who(next));
}

// Without what is given back: a credit makes the bill less than its items.
Money charged(const Bill& bill) {
  Money sum;
  for (const auto& [item, amount] : bill.totals)
    if (amount > Money{}) sum += amount;
  return sum;
}

void say_why(Ranking& ranking) {
  const RankedOffer& first = ranking.ranked[*ranking.primary];
  const Sizing& sizing = *first.sizing;
  if (ranking.ranked_total == 1)
    ranking.why.push_back("it is the only offer that can do the job");
  else if (const RankedOffer* next = next_best(ranking))
    ranking.why.push_back(against_next(ranking, first, *next));
  const Item item = largest_item(first.bill);
  if (const auto at = first.bill.totals.find(item);
      at != first.bill.totals.end() && at->second > Money{})
    ranking.why.push_back(fmt::format("{:.0f} % of the bill is {}",
                                      100 * approximate(at->second) / approximate(charged(first.bill)),
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
  if (!ranking.primary) return;
  // Another platform is another failure domain: account, control plane, stock.
  for (std::size_t i = 0; i < ranked.size() && !ranking.backup; ++i)
    if (ranked[i].platform->id != ranked[*ranking.primary].platform->id &&
        may_be_primary(ranked[i]))
      ranking.backup = i;
  say_why(ranking);
}

}  // namespace gpuplan::detail
