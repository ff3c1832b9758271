#pragma once

#include <functional>
#include <optional>

#include "core/shell.hpp"  // what a catalog writes may hold anything
#include "gpuplan/checklist.hpp"

namespace gpuplan::detail {

// What the items of a checklist are made from.
class ChecklistFacts {
 public:
  ChecklistFacts(const Checklist& list, const Job& job) : list_(&list), job_(&job) {}

  const Checklist& list() const { return *list_; }
  const Job& job() const { return *job_; }
  const Offer& offer() const { return *list_->request.offer; }
  const Rules& rules() const { return *offer().rules; }
  const Platform& platform() const { return list_->request.catalog->platforms[offer().platform]; }
  bool term() const;
  bool spot() const { return list_->request.plan == "spot"; }

  struct Variant {
    Job job;
    Duration run;
    std::string plan;
  };
  using Change = std::function<void(Variant&)>;
  // The bill with something else; nothing when it cannot be made.
  std::optional<Bill> bill(const Change& change) const;
  // What it costs more; nothing when a price that it needs is missing.
  std::optional<Money> extra(const Change& change) const;
  std::optional<Money> extra_idle(std::chrono::hours hours) const;
  std::optional<Money> extra_run(Duration run) const;
  std::string money(Money amount) const;

 private:
  const Checklist* list_;
  const Job* job_;
};

std::vector<ChecklistItem> checklist_items(const ChecklistFacts& facts);
std::optional<TrialPlan> trial_plan(const ChecklistFacts& facts);
std::optional<MachinePlan> machine_plan(const ChecklistFacts& facts);

}  // namespace gpuplan::detail
