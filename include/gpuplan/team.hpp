#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gpuplan/rank.hpp"

namespace gpuplan {

// What members and projects may spend, and card hours that members may use, by name.
struct TeamLimits {
  std::map<std::string, Money> member_budgets = {}, project_budgets = {};
  std::map<std::string, Duration> member_quotas = {};
};

// A job with the offer that the plan gives it.
struct TeamJob {
  Ranking ranking = {};              // of this job alone
  std::optional<std::size_t> taken = {};  // into ranking.ranked; empty: no offer can do the job
  Duration card_time{0};             // billed time x cards of what was taken
  std::vector<Reason> reasons = {};  // why nothing was taken, where an offer could do the job
};

// Who runs what where: the cheapest offers for several jobs with which everybody keeps within card
// hours. Each job is billed as if it were alone in its account.
struct TeamPlan {
  const Catalog* catalog = nullptr;
  std::string currency = {};
  std::vector<TeamJob> jobs = {};
  Money total = {};
  std::vector<BillShare> by_project = {}, by_member = {};
  std::vector<Gate> gates = {};
  Warnings warnings = {};
  bool complete = true;  // every job has an offer
};

// Ranks each job by cost, then picks: bills are least where each job takes its first offer, so
// budgets decide nothing but whether they hold; a quota of card hours may ask for a faster card.
Result<TeamPlan> plan_team(std::span<const JobModel> jobs, const Catalog& catalog,
                           const Tables& tables, const RankOptions& options,
                           const TeamLimits& limits);

}  // namespace gpuplan
