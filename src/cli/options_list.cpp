#include "cli/options_list.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <string_view>

#include "cli/common_options.hpp"
#include "core/builtin.hpp"
#include "gpuplan/plan.hpp"

namespace gpuplan::cli {
namespace {

// Values of options and words whose type does not list them, for those who type. Empty: any command,
// a word without a dash.
struct Listed {
  std::string_view command, option, values;
};
constexpr std::string_view kPlans = "on_demand|spot|reserved|day|week|month|year";
constexpr std::array kListed{
    Listed{"catalog", "", "validate|import|show|diff|merge"},
    Listed{"catalog", "--from", "skypilot|gpuhunt|vast|runpod|lambda|azure|aws|gcp|shadeform"},
    Listed{"catalog", "--sort", "price|per_card|spot|memory|gpus|card|platform|region|file"},
    Listed{"catalog", "--group", "card|platform|region"},
    Listed{"compare", "--sort", "cost|time|unit_cost|risk|score"},
    Listed{"compare", "--plans", "on_demand|spot|reserved"},
    Listed{"transfer", "--direction", "up|down"},
    Listed{"", "--plan", kPlans},
    Listed{"", "--policy", "spot|spot_else_on_demand|greedy|progress_line|last_minute|reserve"}};

// "table|json|csv".
std::vector<std::string> parts_of(std::string_view list) {
  std::vector<std::string> parts;
  for (std::size_t from = 0; from <= list.size();) {
    const auto end = std::min(list.find('|', from), list.size());
    parts.emplace_back(list.substr(from, end - from));
    from = end + 1;
  }
  return parts;
}

std::vector<std::string> values_of(std::string_view command, const std::string& option, const std::string& type) {
  for (const JobField& field : job_fields())
    if (field.option == option && !field.choices.empty()) return {field.choices.begin(), field.choices.end()};
  if (type.find('|') != std::string::npos) return parts_of(type);
  if (command == "schema" && option.empty()) {
    const auto names = builtin_schema_names();
    return {names.begin(), names.end()};
  }
  for (const Listed& one : kListed)
    if (one.option == option && (one.command.empty() || one.command == command)) return parts_of(one.values);
  return {};
}

}  // namespace

std::vector<OptionInfo> options_of(const Command& command) {
  CLI::App app{"", std::string(command.name)};
  app.set_help_flag("-h,--help", "this text");
  Common common;
  const Run run = command.declare(app);
  declare_common(app, common);
  std::vector<OptionInfo> list;
  for (const CLI::Option* option : app.get_options()) {
    OptionInfo info;
    if (!option->get_lnames().empty()) info.long_name = "--" + option->get_lnames().front();
    if (!option->get_snames().empty()) info.short_name = "-" + option->get_snames().front();
    if (option->get_type_size() > 0) info.type = option->get_type_name();
    info.group = option->get_group();
    info.help = option->get_description();
    info.values = values_of(command.name, info.long_name, info.type);
    if (info.long_name == "--help") info.group = "Answer";
    list.push_back(std::move(info));
  }
  return list;
}

}  // namespace gpuplan::cli
