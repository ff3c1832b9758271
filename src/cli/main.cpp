#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <array>
#include <csignal>
#include <cstdio>
#include <exception>

#include "cli/commands.hpp"
#include "core/text.hpp"
#include "gpuplan/version.hpp"

namespace gpuplan::cli {
namespace {

constexpr std::array kCommands{
    Command{"estimate", "how much memory, which cards, how many, how fast",
            "  gpuplan estimate --model 7b --mode lora\n"
            "  gpuplan estimate --model 70b --precision int4 --card \"RTX 4090\" --gpus 2\n",
            declare_estimate},
    Command{"compare", "which offer to take, what the bill will be, what else there is",
            "  gpuplan compare --model 7b --mode lora --samples 50k --epochs 3 --upload 12GB\n"
            "  gpuplan compare catalog.json --budget 50 --json\n",
            declare_compare},
    Command{
        "simulate", "the bill of one offer, line by line",
        "  gpuplan simulate catalog.json --offer acme/L40S-x1 --plan on_demand --run-hours 10\n",
        declare_simulate},
    Command{"breakeven", "from how many hours or what utilisation each plan wins",
            "  gpuplan breakeven catalog.json --offer acme/L40S-x1\n"
            "  gpuplan breakeven --offer compshare/RTX-4090-x1 --buy-price 1800 --power-price 0.3\n",
            declare_breakeven},
    Command{"transfer", "routes for data: how long, what it costs, the commands",
            "  gpuplan transfer --size 40GB --line 100Mbps\n"
            "  gpuplan transfer catalog.json --offer acme/L40S-x1 --size 500GB --files 2M --line "
            "40Mbps\n",
            declare_transfer},
    Command{"catalog", "checks catalogs: what is wrong, and what is probably not meant",
            "  gpuplan catalog validate mine.json\n"
            "  gpuplan catalog validate --strict --as-of 2026-12-01 mine.json --json\n",
            declare_catalog},
    Command{"cards", "the table of cards: the four columns that matter, native precisions, traps",
            "  gpuplan cards \"RTX 4090\" L40S\n  gpuplan cards memory>=40 class=datacenter\n",
            declare_cards},
    Command{"models", "the table of models with their exact sizes",
            "  gpuplan models 7b 8b\n  gpuplan models name~qwen parameters<=8B\n", declare_models}};

constexpr std::string_view kShortHelp =
    "gpuplan plans GPU rentals: does the job fit, how long does it take, what will the bill be.\n\n"
    "  gpuplan compare --model 7b --mode lora --samples 50k --epochs 3\n\n"
    "Commands: estimate, compare, simulate, breakeven, transfer, catalog, cards, models. "
    "`gpuplan COMMAND --help`\ntells more.\n";

std::vector<std::string_view> command_names() {
  std::vector<std::string_view> names;
  for (const Command& command : kCommands) names.push_back(command.name);
  names.push_back("help");
  return names;
}

const Command* find_command(std::string_view name) {
  for (const Command& command : kCommands)
    if (command.name == name) return &command;
  return nullptr;
}

// "--headroom -1": the parser would take -1 for an option and the message would mislead.
std::vector<std::string> joined_negatives(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string& value = words[i + 1];
    const bool negative =
        value.size() > 1 && value[0] == '-' &&
        (std::isdigit(static_cast<unsigned char>(value[1])) != 0 || value[1] == '.');
    if (!negative || !words[i].starts_with("--") || words[i].find('=') != std::string::npos)
      continue;
    words[i] += "=" + value;
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }
  return words;
}

bool wants_json(const std::vector<std::string>& words) {
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i] == "--json" || words[i] == "--format=json" ||
        (words[i] == "--format" && i + 1 < words.size() && words[i + 1] == "json"))
      return true;
  return false;
}

void declare_common(CLI::App& command, Common& common) {
  const std::string group = "Answer";
  command.add_option("--format", common.format_name, "table, json, csv or markdown")
      ->group(group)
      ->type_name("NAME");
  command.add_flag("--json", common.json, "the same as --format json")->group(group);
  command.add_option("-o,--output", common.output, "file for the answer; - is standard output")
      ->group(group)
      ->type_name("FILE");
  command.add_flag("--explain", common.explain, "formula, inputs and source of every line")
      ->group(group);
  command.add_option("--as-of", common.as_of, "the day from which ages are counted")
      ->group(group)
      ->type_name("DATE");
  command.add_option("--data", common.data_folder, "other built-in tables")
      ->group(group)
      ->type_name("DIR");
  command.add_option("--seed", common.seed, "of simulations: the same seed, the same numbers")
      ->group(group)
      ->type_name("N");
  command.add_option("--threads", common.threads, "of simulations; no result depends on it")
      ->group(group)
      ->type_name("N");
  command.add_flag("-q,--quiet", common.quiet, "no warnings on standard error")->group(group);
  command.add_flag("-v,--verbose", common.verbose, "more on standard error")->group(group);
  command.add_option("--log-level", common.log_level, "error, warn, info or debug")
      ->group(group)
      ->type_name("NAME");
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

Diagnostics unknown_words(const std::vector<std::string>& words, const CLI::App& command,
                          bool has_command) {
  Diagnostics faults;
  const auto owned = option_names(command);
  const std::vector<std::string_view> options(owned.begin(), owned.end());
  for (const std::string& word : words) {
    if (word.starts_with("-") && word.size() > 1) {
      const std::string name = word.substr(0, word.find('='));
      const std::string guess = did_you_mean(name, options);
      faults.push_back(
          {ErrorCode::usage, name, "", "unknown option",
           guess.empty() ? "`gpuplan " + command.get_name() + " --help` lists them" : guess});
    } else if (!has_command) {
      const std::string guess = did_you_mean(word, command_names());
      faults.push_back(
          {ErrorCode::usage, word, "", "unknown command",
           guess.empty() ? "commands: estimate, compare, simulate, breakeven, transfer, catalog, cards, models"
                         : guess});
      break;  // what follows belongs to a command that we do not know
    } else {
      faults.push_back({ErrorCode::usage, word, "", "this word is not expected here",
                        "put names with blanks in quotes"});
    }
  }
  return faults;
}

// The parser's own text, without its class names: "--gpus: 1 required TEXT missing".
Diagnostic parser_fault(const CLI::ParseError& error) {
  std::string text = error.what();
  std::string option;
  if (const auto colon = text.find(": "); colon != std::string::npos && text.starts_with("-")) {
    option = text.substr(0, colon);
    text = text.substr(colon + 2);
  }
  if (text.find("required") != std::string::npos && text.find("missing") != std::string::npos)
    text = "a value is missing";
  if (error.get_name() == "ArgumentMismatch" && text.find("missing") == std::string::npos)
    text = "is given more than once, or with more than one value";
  return {ErrorCode::usage, option, "", text, ""};
}

ExitCode set_log_level(const Common& common) {
  constexpr std::array<std::string_view, 4> kLevels{"error", "warn", "info", "debug"};
  if (!common.log_level.empty()) {
    for (const std::string_view level : kLevels)
      if (level == common.log_level) {
        spdlog::set_level(
            spdlog::level::from_str(common.log_level == "error" ? "err" : common.log_level));
        return ExitCode::done;
      }
    return fail({{ErrorCode::usage, "--log-level", "",
                  "expected one of error, warn, info, debug, got " + quote(common.log_level),
                  did_you_mean(common.log_level, kLevels)}},
                common.json);
  }
  spdlog::set_level(common.quiet     ? spdlog::level::err
                    : common.verbose ? spdlog::level::debug
                                     : spdlog::level::info);
  return ExitCode::done;
}

void print(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

std::string help_text(const CLI::App& command, const Command& entry) {
  std::string text = "gpuplan " + std::string(entry.name) + ": " + std::string(entry.summary) +
                     "\n\nExamples:\n" + std::string(entry.examples) + "\n";
  return text + command.help("gpuplan", CLI::AppFormatMode::Normal);
}

std::string general_help() {
  std::string text =
      "gpuplan plans GPU rentals: does the job fit, how long does it take, what will the bill "
      "be.\n\nExamples:\n"
      "  gpuplan estimate --model 7b --mode lora\n  gpuplan compare --model 7b --mode lora "
      "--samples 50k --epochs 3\n\nCommands:\n";
  for (const Command& command : kCommands) {
    std::string name(command.name);
    name.resize(10, ' ');
    text += "  " + name + std::string(command.summary) + "\n";
  }
  return text +
         "\n`gpuplan COMMAND --help` lists the options of a command. `gpuplan --version` prints "
         "the version.\n"
         "Exit codes: 0 done, 1 a fault of the program, 2 wrong use, 3 bad input file, 4 nothing "
         "fits,\n"
         "5 a gate such as --budget is not met, 130 interrupted.\n";
}

ExitCode run_command(const Command& entry, std::vector<std::string> words, bool json) {
  Common common;
  CLI::App command{"", std::string(entry.name)};
  command.set_help_flag("-h,--help", "this text");
  command.allow_extras();
  const Run run = entry.declare(command);
  declare_common(command, common);
  std::reverse(words.begin(), words.end());  // the parser takes them from the back
  try {
    command.parse(words);
  } catch (const CLI::CallForHelp&) {
    print(help_text(command, entry));
    return ExitCode::done;
  } catch (const CLI::ParseError& error) {
    return fail({parser_fault(error)}, json);
  }
  common.json = json;
  if (const auto left = command.remaining(true); !left.empty())
    return fail(unknown_words(left, command, true), json);
  if (const ExitCode level = set_log_level(common); level != ExitCode::done) return level;
  return run(common);
}

ExitCode start(int argc, char** argv) {
  const std::vector<std::string> words = joined_negatives(argc, argv);
  const bool json = wants_json(words);
  if (words.empty()) {
    print(kShortHelp);
    return ExitCode::done;
  }
  // Options before the command are the command's own: "gpuplan --json compare".
  std::size_t at = 0;
  while (at < words.size() && words[at].starts_with("-") && words[at].size() > 1) {
    const bool takes_value = words[at] == "--format" || words[at] == "-o" ||
                             words[at] == "--output" || words[at] == "--as-of" ||
                             words[at] == "--data" || words[at] == "--log-level" ||
                             words[at] == "--seed" || words[at] == "--threads";
    at += takes_value ? 2 : 1;
  }
  if (at >= words.size()) {
    if (words[0] == "--version") {
      print("gpuplan " + std::string(version()) + "\n");
      return ExitCode::done;
    }
    if (words[0] == "--help" || words[0] == "-h") {
      print(general_help());
      return ExitCode::done;
    }
    Common common;
    CLI::App app{"", "gpuplan"};
    declare_common(app, common);
    std::vector<std::string> unknown;
    const auto names = option_names(app);
    for (const std::string& word : words)
      if (word.starts_with("-") &&
          std::ranges::find(names, word.substr(0, word.find('='))) == names.end())
        unknown.push_back(word);
    if (!unknown.empty()) return fail(unknown_words(unknown, app, false), json);
    return fail({{ErrorCode::usage, "", "", "a command is missing",
                  "commands: estimate, compare, simulate, breakeven, transfer, catalog, cards, models"}},
                json);
  }
  std::vector<std::string> rest = words;
  rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(at));
  const std::string& name = words[at];
  if (name == "help") {
    const Command* topic = rest.empty() ? nullptr : find_command(rest.front());
    if (topic != nullptr) return run_command(*topic, {"--help"}, json);
    if (!rest.empty()) {
      return fail(unknown_words({rest.front()}, CLI::App{"", "help"}, false), json);
    }
    print(general_help());
    return ExitCode::done;
  }
  const Command* command = find_command(name);
  if (command == nullptr) return fail(unknown_words({name}, CLI::App{"", ""}, false), json);
  return run_command(*command, std::move(rest), json);
}

void interrupted(int) { std::_Exit(static_cast<int>(ExitCode::interrupted)); }

}  // namespace
}  // namespace gpuplan::cli

int main(int argc, char** argv) {
  using namespace gpuplan;
  std::signal(SIGPIPE, SIG_IGN);  // NOLINT: a closed pipe is told by write
  std::signal(SIGINT, cli::interrupted);
  spdlog::set_default_logger(spdlog::stderr_color_mt("gpuplan"));
  spdlog::set_pattern("%n: %^%l%$: %v");
  try {
    return static_cast<int>(cli::start(argc, argv));
  } catch (const std::bad_alloc&) {
    spdlog::critical("out of memory");
  } catch (const std::exception& why) {
    spdlog::debug("{}", why.what());
    spdlog::critical("a fault of gpuplan {}: please report it with the command line and its files",
                     version());
  }
  return static_cast<int>(cli::ExitCode::internal);
}
