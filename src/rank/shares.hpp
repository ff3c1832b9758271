#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "core/text.hpp"
#include "gpuplan/rank.hpp"

namespace gpuplan::detail {

// The share of this name, added behind the others when it is new.
BillShare& share_of(std::vector<BillShare>& shares, const std::string& name);
void add_bill(const Bill& bill, Duration card_time, BillShare& share);

// The gates of a share: what it may spend, and card hours.
void share_gates(const BillShare& share, const std::string& kind, std::vector<Gate>& gates);

// A limit for somebody who has no job would hold nobody: most likely a slip of the pen. `names`: of those
// who have one.
template <class Limits>
void refuse_strangers(const Limits& limits, const std::vector<std::string>& names, const std::string& kind,
                      const std::string& option, Diagnostics& faults) {
  const std::vector<std::string_view> known(names.begin(), names.end());
  for (const auto& [name, limit] : limits) {
    if (std::ranges::find(names, name) != names.end()) continue;
    std::string hint = did_you_mean(name, known);
    if (hint.empty())
      hint = known.empty() ? "\"" + kind + "\" in a job document says whose job it is"
                           : "the jobs name " + join(names, ", ");
    faults.push_back({ErrorCode::unknown_name, option, "", "no job names the " + kind + " " + quote(name), hint});
  }
}
// The same for all three kinds of limits.
template <class Limits>
Diagnostics strangers_in(const Limits& limits, std::span<const JobModel> jobs) {
  std::vector<std::string> projects, members;
  const auto add = [](const std::string& name, std::vector<std::string>& names) {
    if (!name.empty() && std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  for (const JobModel& one : jobs) {
    add(one.job.project, projects);
    add(one.job.member, members);
  }
  Diagnostics faults;
  refuse_strangers(limits.project_budgets, projects, "project", "--project-budget", faults);
  refuse_strangers(limits.member_budgets, members, "member", "--member-budget", faults);
  refuse_strangers(limits.member_quotas, members, "member", "--member-quota", faults);
  return faults;
}

}  // namespace gpuplan::detail
