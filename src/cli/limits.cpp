#include "cli/limits.hpp"

#include <CLI/CLI.hpp>

#include "core/text.hpp"

namespace gpuplan::cli {
namespace {

// "ann=100": a name and what it may have.
template <class Value, class Parse>
void read_limits(const std::vector<std::string>& texts, const std::string& option,
                 const std::string& example, Parse parse, std::map<std::string, Value>& limits,
                 Diagnostics& faults) {
  for (const std::string& text : texts) {
    const auto equals = text.rfind('=');
    const auto value = equals == std::string::npos || equals == 0
                           ? std::optional<Value>{}
                           : parse(std::string_view(text).substr(equals + 1));
    if (!value)
      faults.push_back({ErrorCode::usage, option, "",
                        "expected NAME=VALUE such as " + example + ", got " + quote(text), ""});
    else if (!limits.try_emplace(text.substr(0, equals), *value).second)
      faults.push_back({ErrorCode::usage, option, "",
                        quote(text.substr(0, equals)) + " is given a limit twice", ""});
  }
}

}  // namespace

void LimitOptions::declare(CLI::App& command) {
  const auto list = [&](const char* name, std::vector<std::string>& target, const char* help) {
    command.add_option(name, target, help)
        ->delimiter(',')
        ->group("Limits")
        ->type_name("NAME=VALUE")
        ->expected(1)
        ->take_all();
  };
  list("--member-budget", member_budgets, "most that a member may spend (repeatable)");
  list("--project-budget", project_budgets, "most that a project may spend (repeatable)");
  list("--member-quota", member_quotas, "card hours that a member has (repeatable)");
}

Result<TeamLimits> LimitOptions::read() const {
  TeamLimits limits;
  Diagnostics faults;
  const auto money = [](std::string_view text) { return Money::parse(text); };
  // Bare numbers are hours; 2d and 90m are fine as well.
  const auto hours = [](std::string_view text) {
    return Decimal::parse(text) ? parse_duration(std::string(text) + "h") : parse_duration(text);
  };
  read_limits(member_budgets, "--member-budget", "ann=100", money, limits.member_budgets, faults);
  read_limits(project_budgets, "--project-budget", "vision=500", money, limits.project_budgets,
              faults);
  read_limits(member_quotas, "--member-quota", "ann=40", hours, limits.member_quotas, faults);
  if (!faults.empty()) return faults;
  return limits;
}

}  // namespace gpuplan::cli
