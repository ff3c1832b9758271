#pragma once

#include <string>
#include <vector>

#include "gpuplan/team.hpp"

namespace CLI {
class App;
}

namespace gpuplan::cli {

// --member-budget, --project-budget and --member-quota.
struct LimitOptions {
  std::vector<std::string> member_budgets, project_budgets, member_quotas;
  void declare(CLI::App& command);
  Result<TeamLimits> read() const;
};

}  // namespace gpuplan::cli
