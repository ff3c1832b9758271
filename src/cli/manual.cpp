#include "cli/manual.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/chapters.hpp"
#include "cli/options_list.hpp"
#include "gpuplan/version.hpp"

namespace gpuplan::cli {
namespace {

// Text of a line of roff: marks of its own are escaped.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  if (out.starts_with('.') || out.starts_with('\'')) out.insert(0, "\\&");
  return out;
}

std::string head(std::string_view name, int section, std::string_view summary) {
  return fmt::format(".TH {} {} \"\" \"gpuplan {}\" \"gpuplan manual\"\n.SH NAME\n{} \\- {}\n", name,
                     section, version(), roff(name), roff(summary));
}

std::string verbatim(std::string_view text) {
  std::string out = ".nf\n";
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    out += roff(text.substr(0, end)) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out + ".fi\n";
}

std::string option_entry(const OptionInfo& option) {
  std::string names = option.word() ? "" : option.short_name;
  if (!option.long_name.empty()) names += (names.empty() ? "" : ", ") + option.long_name;
  std::string out = ".TP\n";
  if (!names.empty()) out += "\\fB" + roff(names) + "\\fR";
  if (!option.type.empty())
    out += (names.empty() ? "\\fI" : " \\fI") + roff(option.type) + "\\fR";
  return out + "\n" + roff(option.help) + "\n";
}

constexpr std::string_view kStreams =
    ".SH EXIT STATUS\n0 done, 1 a fault of the program, 2 wrong use, 3 a bad input file, 4 nothing "
    "fits, 5 a limit that was set is not met, 130 interrupted.\n";

}  // namespace

std::string manual_of_command(const Command& command) {
  const std::string name = "gpuplan-" + std::string(command.name);
  std::string out = head(name, 1, command.summary);
  const auto options = options_of(command);
  out += ".SH SYNOPSIS\n\\fBgpuplan " + roff(command.name) + "\\fR [\\fIoptions\\fR]";
  for (const OptionInfo& option : options)
    if (option.word()) out += " [\\fI" + roff(option.type) + "\\fR]...";
  out += "\n.SH EXAMPLES\n" + verbatim(command.examples) + ".SH OPTIONS\n";
  std::vector<std::string> groups;
  for (const OptionInfo& option : options)
    if (std::ranges::find(groups, option.group) == groups.end()) groups.push_back(option.group);
  for (const std::string& group : groups) {
    out += ".SS " + roff(group) + "\n";
    for (const OptionInfo& option : options)
      if (option.group == group) out += option_entry(option);
  }
  return out + std::string(kStreams) + ".SH SEE ALSO\n\\fBgpuplan\\fR(1), \\fBgpuplan\\fR(7)\n";
}

std::string manual_of_program() {
  std::string out = head("gpuplan", 1, "plans GPU rentals: memory, time, the whole bill");
  out += ".SH SYNOPSIS\n\\fBgpuplan\\fR \\fICOMMAND\\fR [\\fIoptions\\fR]\n.SH COMMANDS\n";
  for (const Command& command : all_commands())
    out += ".TP\n\\fBgpuplan\\-" + roff(command.name) + "\\fR(1)\n" + roff(command.summary) + "\n";
  return out + std::string(kStreams) +
         ".SH ENVIRONMENT\n.TP\nNO_COLOR\nwithout colours when it is set and not empty\n.TP\n"
         "LC_ALL, LC_MESSAGES, LANG\nChinese tables on a terminal when it begins with zh\n"
         ".SH SEE ALSO\n\\fBgpuplan\\fR(7): how memory, speed and bills are computed\n";
}

std::string options_reference() {
  std::string out =
      "# All options of all commands\n\nMade by `gpuplan man --format markdown` from the options that "
      "the parser knows; a test compares the two.\n";
  for (const Command& command : all_commands()) {
    out += fmt::format("\n## gpuplan {}\n\n{}\n\n| option | value | what |\n| :-- | :-- | :-- |\n",
                       command.name, command.summary);
    for (const OptionInfo& option : options_of(command)) {
      std::string names;
      for (const std::string& name : {option.short_name, option.long_name})
        if (!name.empty()) names += (names.empty() ? "`" : ", `") + name + "`";
      std::string type = option.type;
      for (auto at = type.find('|'); at != std::string::npos; at = type.find('|', at + 2))
        type.insert(at, "\\");
      out += fmt::format("| {} | {} | {} |\n", names.empty() ? "(word)" : names, type, option.help);
    }
  }
  return out;
}

std::string manual_of_method(Language language) {
  std::string out = head("gpuplan", 7, "how memory, speed and bills are computed");
  for (const Chapter& chapter : chapters(language)) {
    out += fmt::format(".SH \"{}\"\n", roff(chapter.title));
    bool first = true;
    for (const std::string& paragraph : paragraphs(chapter)) {
      if (!first) out += ".PP\n";
      first = false;
      out += paragraph.starts_with(' ') ? verbatim(paragraph) : roff(paragraph) + "\n";
    }
  }
  return out + ".SH \"SEE ALSO\"\n\\fBgpuplan\\fR(1)\n";
}

}  // namespace gpuplan::cli
