#include "cli/options_list.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/common_options.hpp"
#include "gpuplan/plan.hpp"

namespace gpuplan::cli {
namespace {

// "table|json|csv": a type that lists its values.
std::vector<std::string> values_of(const std::string& option, const std::string& type) {
  std::vector<std::string> values;
  for (const JobField& field : job_fields())
    if (field.option == option)
      for (const std::string_view choice : field.choices) values.emplace_back(choice);
  if (!values.empty() || type.find('|') == std::string::npos) return values;
  std::size_t from = 0;
  while (from <= type.size()) {
    const auto end = std::min(type.find('|', from), type.size());
    values.push_back(type.substr(from, end - from));
    from = end + 1;
  }
  return values;
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
    info.values = values_of(info.long_name, info.type);
    if (info.long_name == "--help") info.group = "Answer";
    list.push_back(std::move(info));
  }
  return list;
}

}  // namespace gpuplan::cli
