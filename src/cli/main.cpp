#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <system_error>

#include "cli/commands.hpp"
#include "cli/common_options.hpp"
#include "cli/files.hpp"
#include "cli/help.hpp"
#include "cli/terminal.hpp"
#include "cli/memory_limit.hpp"
#include "cli/progress_bar.hpp"
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
    Command{"check", "do driver, CUDA, framework and card go together; is the card whole; who idles",
            "  nvidia-smi | gpuplan check --framework torch=2.9+cu128 --from -\n"
            "  gpuplan check --driver 550.127 --framework torch=2.9 --card \"RTX 5090\"\n"
            "  gpuplan check --from hosts.csv --offer compshare/RTX-4090-x1\n",
            declare_check},
    Command{"checklist", "what to do before, during and after, with what it costs when forgotten",
            "  gpuplan checklist --offer compshare/RTX-4090-x1 --run-hours 10 --disk 200GB\n"
            "  gpuplan checklist mine.json --offer ID --mode inference --requests 1M --machines 4\n",
            declare_checklist},
    Command{"edge", "data of every day: send it raw, or work on it where it arises",
            "  gpuplan edge --per-day 500GB --keep-share 0.1 --edge-cost 300 --retention-days 30\n"
            "  gpuplan edge mine.json --offer ID --per-day 80GB --latency-ms 50 --private\n",
            declare_edge},
    Command{"catalog", "checks, shows, compares and merges catalogs, and reads the lists of others",
            "  gpuplan catalog validate --strict --as-of 2026-12-01 mine.json\n"
            "  gpuplan catalog import --from skypilot aws.csv gcp.csv -o clouds.json\n"
            "  gpuplan catalog show clouds.json card=H100 'gpus>=8' --sort per_card\n"
            "  gpuplan catalog diff old.json new.json --fail-on up:10%\n",
            declare_catalog},
    Command{"cards", "the table of cards: the four columns that matter, native precisions, traps",
            "  gpuplan cards \"RTX 4090\" L40S\n  gpuplan cards memory>=40 class=datacenter\n",
            declare_cards},
    Command{"models", "the table of models with their exact sizes",
            "  gpuplan models 7b 8b\n  gpuplan models name~qwen parameters<=8B\n", declare_models},
    Command{"schema", "JSON Schema of a document or answer",
            "  gpuplan schema catalog > catalog.schema.json\n  gpuplan schema compare\n", declare_schema},
    Command{"explain", "chapters of the method: how memory, speed and bills come about",
            "  gpuplan explain\n  gpuplan explain kv-cache\n", declare_explain},
    Command{"init", "a starter document with notes: a job, a catalog or a model",
            "  gpuplan init job -o job.json\n  gpuplan init catalog -o catalog.json\n",
            declare_init},
    Command{"completion", "completion script of a shell",
            "  source <(gpuplan completion bash)\n"
            "  gpuplan completion fish -o ~/.config/fish/completions/gpuplan.fish\n",
            declare_completion},
    Command{"man", "manual pages, made from the options",
            "  gpuplan man compare -o gpuplan-compare.1\n  gpuplan man method -o gpuplan.7\n",
            declare_man}};

std::string command_list() {
  std::string list;
  for (const Command& command : kCommands)
    list += (list.empty() ? "" : ", ") + std::string(command.name);
  return list;
}

const Command* find_command(std::string_view name) {
  const auto at = std::ranges::find(kCommands, name, &Command::name);
  return at == kCommands.end() ? nullptr : &*at;
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

// Of help, which is asked for before the options are read: --lang, else that of the terminal.
Language asked_language(const std::vector<std::string>& words, const Common& common) {
  std::string name = language_of_terminal(common);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].starts_with("--lang=")) name = words[i].substr(7);
    if (words[i] == "--lang" && i + 1 < words.size()) name = words[i + 1];
  }
  return name == "zh" ? Language::chinese : Language::english;
}

void print(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

// As one would type it again: words with blanks or marks of the shell stand in quotes. Not with the
// number of threads, which shows in no result.
std::string command_line(int argc, char** argv) {
  std::string line = "gpuplan";
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word.starts_with("--threads")) {
      i += word == "--threads" ? 1 : 0;
      continue;
    }
    const bool plain = !word.empty() && word.find_first_not_of(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=./:,+%@~") ==
        std::string_view::npos;
    line += ' ';
    if (plain) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char c : word) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return line;
}

ExitCode print_version() {
  print("gpuplan " + std::string(version()) + "\n");
  return ExitCode::done;
}

ExitCode run_command(const Command& entry, std::vector<std::string> words, Common common) {
  CLI::App command{"", std::string(entry.name)};
  command.set_help_flag("-h,--help", "this text");
  command.allow_extras();
  const bool json = common.json;
  const Run run = entry.declare(command);
  declare_common(command, common);
  const Language language = asked_language(words, common);
  std::reverse(words.begin(), words.end());  // the parser takes them from the back
  try {
    command.parse(words);
  } catch (const CLI::CallForHelp&) {
    print(command_help(command, entry, output_width(common), language));
    return ExitCode::done;
  } catch (const CLI::ParseError& error) {
    return fail({parser_fault(error)}, json);
  }
  common.json = json;
  common.command = entry.name;
  if (const auto left = command.remaining(true); !left.empty()) {
    if (std::ranges::find(left, "--version") != left.end()) return print_version();
    (void)settle_messages(common);  // for the language of what is said
    return fail(unknown_words(left, command, true), json);
  }
  if (const auto faults = settle_messages(common); !faults.empty()) return fail(faults, json);
  const ProgressBar bar(common);
  try {
    return run(common);
  } catch (const std::bad_alloc&) {
    return fail({out_of_memory()}, json);
  } catch (const std::system_error& why) {
    if (why.code() != std::errc::resource_unavailable_try_again) throw;
    return fail({out_of_memory()}, json);  // not even for the stack of a thread
  }
}

// No command: the version, help, or what is wrong.
ExitCode run_without_command(const std::vector<std::string>& words, bool json) {
  if (std::ranges::find(words, "--version") != words.end()) return print_version();
  if (std::ranges::find(words, "--help") != words.end() || std::ranges::find(words, "-h") != words.end()) {
    print(general_help(asked_language(words, {})));
    return ExitCode::done;
  }
  CLI::App app{"", "gpuplan"};
  Common common;
  declare_common(app, common);
  app.add_flag("--version");  // of the program, like --help
  std::vector<std::string> unknown;
  for (const std::string& word : words)
    if (word.starts_with("-") && !is_option(app, word)) unknown.push_back(word);
  if (!unknown.empty()) return fail(unknown_words(unknown, app, false), json);
  return fail({{ErrorCode::usage, "", "", "a command is missing", command_list()}}, json);
}

ExitCode start(int argc, char** argv) {
  const std::vector<std::string> words = joined_negatives(argc, argv);
  Common common;
  common.json = wants_json(words);
  if (words.empty()) {
    print(short_help(asked_language(words, common)));
    return ExitCode::done;
  }
  common.command_line = command_line(argc, argv);
  const std::size_t at = before_command(words);
  if (at >= words.size()) return run_without_command(words, common.json);
  std::vector<std::string> rest = words;
  rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(at));
  const std::string& name = words[at];
  if (name == "help") {
    const Command* topic = rest.empty() ? nullptr : find_command(rest.front());
    if (topic != nullptr) {
      rest.front() = "--help";
      return run_command(*topic, std::move(rest), std::move(common));
    }
    if (!rest.empty() && !rest.front().starts_with("-"))
      return fail(unknown_words({rest.front()}, CLI::App{"", "help"}, false), common.json);
    print(general_help(asked_language(rest, common)));
    return ExitCode::done;
  }
  const Command* command = find_command(name);
  if (command == nullptr) return fail(unknown_words({name}, CLI::App{"", ""}, false), common.json);
  return run_command(*command, std::move(rest), std::move(common));
}

// Nothing stays behind half written; what was asked to stop says so by its exit code.
void interrupted(int signal) {
  remove_half_written();
  clear_progress_line();
  std::_Exit(signal == SIGINT ? static_cast<int>(ExitCode::interrupted) : 128 + signal);
}

void watch_signals() {
  std::signal(SIGPIPE, SIG_IGN);  // NOLINT: a closed pipe is told by write
  std::signal(SIGXFSZ, SIG_IGN);  // NOLINT: so is a file that may not grow
  for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    // Who starts us with the signal ignored, as nohup does, wants it ignored.
    if (std::signal(signal, interrupted) == SIG_IGN) std::signal(signal, SIG_IGN);
}

}  // namespace

std::span<const Command> all_commands() { return kCommands; }

}  // namespace gpuplan::cli

int main(int argc, char** argv) {
  using namespace gpuplan;
  cli::watch_signals();
  cli::limit_memory();
  cli::start_log();
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
