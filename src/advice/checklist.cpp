#include "advice/checklist.hpp"

#include <algorithm>
#include <array>

namespace gpuplan {

std::string_view name_of(ChecklistTime when) {
  constexpr std::array<std::string_view, 4> kNames{"before", "during", "stop", "after"};
  return kNames[static_cast<std::size_t>(when)];
}

namespace detail {

bool ChecklistFacts::term() const {
  return list_->request.plan != "on_demand" && list_->request.plan != "spot";
}

std::optional<Bill> ChecklistFacts::bill(const Change& change) const {
  Variant variant{.job = *job_, .run = list_->run, .plan = list_->request.plan};
  change(variant);
  auto bill = simulate_bill({.catalog = list_->request.catalog,
                             .offer = list_->request.offer,
                             .job = &variant.job,
                             .run = variant.run,
                             .plan = variant.plan,
                             .currency = list_->currency,
                             .ledger = false});
  if (!bill) return std::nullopt;
  return std::move(*bill);
}

std::optional<Money> ChecklistFacts::extra(const Change& change) const {
  const auto changed = bill(change);
  // A price that is missing in both is missing in neither difference.
  if (!changed || changed->unpriced.size() > list_->bill.unpriced.size()) return std::nullopt;
  const Money more = changed->total - list_->bill.total;
  return more < Money{} ? Money{} : more;
}

std::optional<Money> ChecklistFacts::extra_idle(std::chrono::hours hours) const {
  return extra([&](Variant& variant) { variant.job.idle += hours; });
}

std::optional<Money> ChecklistFacts::extra_run(Duration run) const {
  return extra([&](Variant& variant) { variant.run += run; });
}

std::string ChecklistFacts::money(Money amount) const {
  return to_string(amount, minor_digits(list_->currency)) + " " + list_->currency;
}

namespace {

// The time of all the work on one such machine: that of a bill without anything around it.
Result<Duration> whole_run(const JobModel& work, const ChecklistRequest& request,
                           const Tables& tables) {
  JobModel plain = work;
  plain.job.machines = plain.job.splits = 1;
  plain.job.schedule.reset();
  plain.job.checkpoint.reset();
  const auto result = simulate_offer(std::array{plain}, *request.catalog, *request.offer,
                                     {.plan = request.plan, .currency = request.currency}, tables);
  if (!result) return result.errors();
  return result->jobs.front().bill.time.run;
}

}  // namespace
}  // namespace detail

Result<Checklist> make_checklist(const JobModel& work, const ChecklistRequest& request,
                                 const Tables& tables) {
  Checklist list{.request = request, .job = work.job};
  list.currency = request.currency.empty() ? request.catalog->currency : request.currency;
  auto simulated = simulate_offer(std::array{work}, *request.catalog, *request.offer,
                                  {.plan = request.plan, .currency = request.currency}, tables);
  if (!simulated) return simulated.errors();
  const auto run = detail::whole_run(work, request, tables);
  if (!run) return run.errors();
  list.run = *run;
  list.bill = std::move(simulated->jobs.front().bill);
  list.warnings = std::move(simulated->warnings);
  for (const Warning& warning : list.bill.warnings)
    if (std::ranges::find(list.warnings, warning) == list.warnings.end())
      list.warnings.push_back(warning);
  const detail::ChecklistFacts facts(list, work.job);
  list.items = detail::checklist_items(facts);
  list.trial = detail::trial_plan(facts);
  list.machines = detail::machine_plan(facts);
  return list;
}

}  // namespace gpuplan
