#include "cli/help.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "core/text.hpp"
#include "gpuplan/render.hpp"
#include "render/text_table.hpp"

namespace gpuplan::cli {
namespace {

std::vector<std::string_view> command_names() {
  std::vector<std::string_view> names;
  for (const Command& command : all_commands()) names.push_back(command.name);
  names.push_back("help");
  return names;
}

constexpr std::string_view kPurpose =
    "gpuplan plans GPU rentals: does the job fit, how long does it take, what will the bill be.";

}  // namespace

std::string command_list() {
  std::string list;
  for (const Command& command : all_commands())
    list += (list.empty() ? "commands: " : ", ") + std::string(command.name);
  return list;
}

std::string short_help(Language language) {
  const auto say = [&](std::string_view text) { return translated(text, language); };
  return wrap(say(kPurpose), 79, 0) + "\n\n  gpuplan compare --model 7b --mode lora --samples 50k --epochs 3\n\n" +
         wrap(say("Commands") + command_list().substr(8) + ".", 78, 0) + "\n" +
         say("`gpuplan COMMAND --help` tells more.") + "\n";
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

namespace {

// "-q" and its like.
std::vector<std::string> short_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  return names;
}

// Which text lists the options. The program itself has a few of its own.
std::string help_that_lists(const CLI::App& app) {
  const std::string& name = app.get_name();
  return name.empty() || name == "gpuplan" ? "`gpuplan --help`" : "`gpuplan " + name + " --help`";
}

}  // namespace

bool is_option(const CLI::App& app, std::string_view word) {
  const std::string_view name = word.substr(0, word.find('='));
  const auto is_name = [&](const std::vector<std::string>& names) {
    return std::ranges::find(names, name) != names.end();
  };
  return is_name(option_names(app)) || is_name(short_names(app));
}

Diagnostics unknown_words(const std::vector<std::string>& words, const CLI::App& app,
                          bool has_command) {
  Diagnostics faults;
  const auto owned = option_names(app);
  const std::vector<std::string_view> options(owned.begin(), owned.end());
  for (const std::string& word : words) {
    if (word.starts_with("-") && word.size() > 1) {
      const std::string name = word.substr(0, word.find('='));
      const std::string guess = did_you_mean(name, options);
      faults.push_back(
          {ErrorCode::usage, name, "", "unknown option",
           guess.empty() ? help_that_lists(app) + " lists them" : guess});
    } else if (!has_command) {
      const std::string guess = did_you_mean(word, command_names());
      faults.push_back(
          {ErrorCode::usage, word, "", "unknown command",
           guess.empty() ? command_list() : guess});
      break;  // what follows belongs to a command that we do not know
    } else {
      faults.push_back({ErrorCode::usage, word, "", "this word is not expected here",
                        "put names with blanks in quotes"});
    }
  }
  return faults;
}

std::string general_help(Language language) {
  const auto say = [&](std::string_view text) { return translated(text, language); };
  const std::string colon = language == Language::chinese ? "：" : ":";
  std::string text = wrap(say(kPurpose), 79, 0) + "\n\n" + say("Examples") + colon +
                     "\n  gpuplan estimate --model 7b --mode lora\n  gpuplan compare --model 7b --mode lora "
                     "--samples 50k --epochs 3\n\n" +
                     say("Commands") + colon + "\n";
  for (const Command& command : all_commands()) {
    std::string name(command.name);
    name.resize(11, ' ');
    text += "  " + name + say(command.summary) + "\n";
  }
  return text + "\n" +
         wrap(say("`gpuplan COMMAND --help` lists the options of a command. `gpuplan --version` prints the version."), 79, 0) +
         "\n" +
         wrap(say("Exit codes: 0 done, 1 a fault of the program, 2 wrong use, 3 bad input file, 4 nothing fits, "
                  "5 a gate such as --budget is not met, 130 interrupted."), 79, 0) +
         "\n";
}

namespace {

// A list of values without blanks, "a|b|c", goes on in further lines.
std::string broken_at_bars(std::string_view line, std::size_t width) {
  constexpr std::string_view kIndent = "\n      ";
  std::string out;
  std::size_t column = 0;
  while (!line.empty()) {
    const auto end = std::min(line.find('|'), line.size() - 1) + 1;
    if (column > 0 && column + end > width) {
      out += kIndent;
      column = kIndent.size() - 1;
    }
    out += line.substr(0, end);
    column += end;
    line.remove_prefix(end);
  }
  return out;
}

// Options stand in the first column, what they mean in the second: only that is wrapped.
std::string wrapped_columns(std::string_view text, int width) {
  constexpr std::size_t kSecond = 30;  // where the parser's library begins it
  std::string out;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const bool columns = line.starts_with("  ") && line.size() > kSecond && line[kSecond - 1] == ' ';
    if (columns)
      out += std::string(line.substr(0, kSecond)) +
             wrap(line.substr(kSecond), std::max(width - static_cast<int>(kSecond), 20), kSecond);
    else
      out += broken_at_bars(line, static_cast<std::size_t>(width));
    out += '\n';
  }
  return out;
}

// "of the weights: fp32 bf16": the values stay as they are typed.
std::string said(const std::string& help, Language language) {
  if (std::string whole = translated(help, language); whole != help) return whole;
  const auto values = help.rfind(": ");
  if (values == std::string::npos) return help;
  return translated(help.substr(0, values), language) + "：" + help.substr(values + 2);
}

void translate(CLI::App& app, Language language) {
  if (language == Language::english) return;
  for (CLI::Option* option : app.get_options()) {
    option->description(said(option->get_description(), language));
    option->group(translated(option->get_group(), language));
  }
  for (const char* label : {"Usage", "OPTIONS", "Positionals"})
    app.get_formatter()->label(label, translated(label, language));
}

}  // namespace

std::string command_help(CLI::App& app, const Command& entry, int width, Language language) {
  translate(app, language);
  const bool chinese = language == Language::chinese;
  return wrap("gpuplan " + std::string(entry.name) + (chinese ? "：" : ": ") + translated(entry.summary, language),
              width - 2, 2) +
         "\n\n" + translated("Examples", language) + (chinese ? "：" : ":") + "\n" + std::string(entry.examples) + "\n" +
         wrapped_columns(app.help("gpuplan", CLI::AppFormatMode::Normal), width);
}

}  // namespace gpuplan::cli
