#include <fmt/format.h>

#include <map>

#include "cli/manual.hpp"
#include "cli/options_list.hpp"
#include "core/text.hpp"

namespace gpuplan::cli {
namespace {

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const Command& command : all_commands()) names.emplace_back(command.name);
  names.emplace_back("help");
  return names;
}

// Words that may stand where an option does not: actions, topics, shells.
std::vector<std::string> words_of(const std::vector<OptionInfo>& options) {
  std::vector<std::string> words;
  for (const OptionInfo& option : options)
    if (option.word()) words.insert(words.end(), option.values.begin(), option.values.end());
  return words;
}

std::vector<std::string> names_of(const std::vector<OptionInfo>& options) {
  std::vector<std::string> names;
  for (const OptionInfo& option : options) {
    if (!option.long_name.empty()) names.push_back(option.long_name);
    if (!option.short_name.empty()) names.push_back(option.short_name);
  }
  return names;
}

// Inside single quotes of a shell, and inside brackets of zsh's lists.
std::string quoted(std::string_view text, std::string_view also = {}) {
  std::string out;
  for (const char c : text) {
    if (also.find(c) != std::string_view::npos) out += '\\';
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return out;
}

}  // namespace

std::string bash_completion() {
  // Values by option; where two commands differ in them, the command decides.
  std::string values, words;
  std::map<std::string, std::string> seen;
  for (const Command& command : all_commands()) {
    const auto options = options_of(command);
    for (const OptionInfo& option : options) {
      if (option.word() || option.type.empty()) continue;
      std::string reply = "return";
      if (!option.values.empty())
        reply = fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$cur\")); return",
                            join(option.values, " "));
      else if (option.takes_file())
        reply = "COMPREPLY=($(compgen -f -- \"$cur\")); return";
      else if (option.type == "DIR")
        reply = "COMPREPLY=($(compgen -d -- \"$cur\")); return";
      for (const std::string& name : {option.long_name, option.short_name}) {
        if (name.empty()) continue;
        const auto [entry, added] = seen.try_emplace(name, reply);
        if (!added && entry->second == reply) continue;
        values = fmt::format("    {}:{}) {};;\n", command.name, name, reply) + values;
        if (added) values += fmt::format("    *:{}) {};;\n", name, reply);
      }
    }
    words += fmt::format("    {}) words='{}'; actions='{}';;\n", command.name,
                         join(names_of(options), " "), join(words_of(options), " "));
  }
  const std::string commands = join(command_names(), " ");
  return fmt::format(
      "# gpuplan completion bash\n_gpuplan() {{\n"
      "  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}}\n"
      "  local command= word words= actions=\n"
      "  for word in \"${{COMP_WORDS[@]:1:COMP_CWORD-1}}\"; do\n"
      "    case \" {0} \" in *\" $word \"*) command=$word; break;; esac\n  done\n"
      "  COMPREPLY=()\n"
      "  case $command:$prev in\n{1}  esac\n"
      "  if [ -z \"$command\" ]; then\n"
      "    COMPREPLY=($(compgen -W '{0} --version --help' -- \"$cur\")); return\n  fi\n"
      "  case $command in\n{2}    help) actions='{0}';;\n  esac\n"
      "  if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
      "  elif [ -n \"$actions\" ]; then COMPREPLY=($(compgen -W \"$actions\" -- \"$cur\"))\n  fi\n"
      "}}\ncomplete -o default -F _gpuplan gpuplan\n",
      commands, values, words);
}

std::string zsh_completion() {
  std::string list, cases;
  for (const Command& command : all_commands()) {
    list += fmt::format("    '{}:{}'\n", command.name, quoted(command.summary, ":"));
    cases += fmt::format("    {})\n      _arguments \\\n", command.name);
    for (const OptionInfo& option : options_of(command)) {
      std::string action = option.takes_file()      ? "_files"
                           : option.type == "DIR"   ? "_files -/"
                           : option.values.empty()  ? ""
                                                    : "(" + join(option.values, " ") + ")";
      if (option.word()) {
        cases += fmt::format("        '*:{}:{}' \\\n", quoted(lower(option.type), ":[]|"),
                             action.empty() ? "_files" : action);
        continue;
      }
      const std::string value =
          option.type.empty() ? "" : fmt::format(":{}:{}", quoted(lower(option.type), ":[]"), action);
      for (const std::string& name : {option.long_name, option.short_name})
        if (!name.empty())
          cases += fmt::format("        '*{}[{}]{}' \\\n", name, quoted(option.help, ":[]"), value);
    }
    cases += "        && return\n      ;;\n";
  }
  return fmt::format(
      "#compdef gpuplan\n# gpuplan completion zsh\n_gpuplan() {{\n  local -a commands\n"
      "  commands=(\n{}    'help:this text'\n  )\n"
      "  if (( CURRENT == 2 )); then _describe command commands; return; fi\n"
      "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in\n{}"
      "    help) _describe command commands;;\n  esac\n}}\n"
      "if [ \"$funcstack[1]\" = _gpuplan ]; then _gpuplan \"$@\"; else compdef _gpuplan gpuplan; fi\n",
      list, cases);
}

std::string fish_completion() {
  std::string out = "# gpuplan completion fish\ncomplete -c gpuplan -f\n";
  for (const Command& command : all_commands())
    out += fmt::format("complete -c gpuplan -n __fish_use_subcommand -a {} -d '{}'\n", command.name,
                       quoted(command.summary));
  out += "complete -c gpuplan -n __fish_use_subcommand -l version -d 'the version'\n";
  for (const Command& command : all_commands()) {
    for (const OptionInfo& option : options_of(command)) {
      std::string line = fmt::format("complete -c gpuplan -n '__fish_seen_subcommand_from {}'",
                                     command.name);
      const bool files = option.takes_file() || option.type == "DIR";
      if (option.word()) {
        out += line + (option.values.empty() ? " -F\n"
                                             : fmt::format(" -a '{}'\n", join(option.values, " ")));
        continue;
      }
      if (!option.long_name.empty()) line += " -l " + option.long_name.substr(2);
      if (!option.short_name.empty()) line += " -s " + option.short_name.substr(1);
      line += fmt::format(" -d '{}'", quoted(option.help));
      if (!option.values.empty())
        line += fmt::format(" -xa '{}'", join(option.values, " "));
      else if (!option.type.empty())
        line += files ? " -rF" : " -x";
      out += line + "\n";
    }
  }
  return out;
}

}  // namespace gpuplan::cli
