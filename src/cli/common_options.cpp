#include "cli/common_options.hpp"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>

#include "cli/language.hpp"
#include "cli/terminal.hpp"
#include "core/text.hpp"

namespace gpuplan::cli {
namespace {

constexpr std::array<std::string_view, 4> kLevels{"error", "warn", "info", "debug"};
constexpr std::array<std::string_view, 3> kColors{"auto", "always", "never"};
constexpr std::array<std::string_view, 2> kLanguages{"en", "zh"};

void expect_one_of(std::span<const std::string_view> allowed, std::string_view option,
                   const std::string& value, Diagnostics& faults) {
  if (std::ranges::find(allowed, value) != allowed.end()) return;
  const std::vector<std::string> names(allowed.begin(), allowed.end());
  faults.push_back({ErrorCode::usage, std::string(option), "",
                    "expected one of " + join(names, ", ") + ", got " + quote(value),
                    did_you_mean(value, allowed)});
}

}  // namespace

void declare_common(CLI::App& app, Common& common) {
  const auto option = [&](const char* name, std::string& target, const char* type,
                          const char* help) {
    app.add_option(name, target, help)->group("Answer")->type_name(type);
  };
  const auto flag = [&](const char* name, bool& target, const char* help) {
    app.add_flag(name, target, help)->group("Answer");
  };
  option("--format", common.format_name, "table|json|csv|markdown|html", "form of the answer");
  flag("--json", common.json, "the same as --format json");
  option("-o,--output", common.output, "FILE", "file for the answer; - is standard output");
  flag("--explain", common.explain, "formula, inputs and source of every line");
  flag("--chart", common.chart, "pictures below the table, of block characters");
  option("--as-of", common.as_of, "DATE", "the day from which ages are counted");
  option("--data", common.data_folder, "DIR", "other built-in tables");
  option("--lang", common.language, "en|zh", "language of tables and messages, never of JSON or CSV");
  option("--color", common.color, "auto|always|never", "colours; NO_COLOR switches them off too");
  option("--seed", common.seed, "N", "of simulations: the same seed, the same numbers");
  option("--threads", common.threads, "N", "of simulations (all of the machine, up to 8); no result depends on it");
  flag("-q,--quiet", common.quiet, "no warnings on standard error");
  flag("-v,--verbose", common.verbose, "more on standard error");
  option("--log-level", common.log_level, "error|warn|info|debug",
         "what goes to standard error: this and worse");
}

std::size_t before_command(const std::vector<std::string>& words) {
  std::size_t at = 0;
  if (words.front().starts_with("-")) {
    CLI::App app{"", "gpuplan"};
    Common common;
    declare_common(app, common);
    while (at < words.size() && words[at].starts_with("-") && words[at].size() > 1) {
      const auto options = app.get_options();
      const bool takes_value = std::ranges::any_of(options, [&](const CLI::Option* option) {
        return option->get_expected_max() > 0 && option->get_type_size() > 0 &&
               option->check_name(words[at]);
      });
      at += takes_value ? 2 : 1;
    }
  }
  return at;
}

void start_log() {
  spdlog::set_default_logger(spdlog::stderr_color_mt("gpuplan"));
  spdlog::set_pattern("%n: %^%l%$: %v");
}

Diagnostics settle_messages(Common& common) {
  Diagnostics faults;
  expect_one_of(kColors, "--color", common.color, faults);
  if (!common.language.empty()) expect_one_of(kLanguages, "--lang", common.language, faults);
  if (!common.log_level.empty()) expect_one_of(kLevels, "--log-level", common.log_level, faults);
  if (!faults.empty()) return faults;
  if (common.language.empty()) common.language = language_of_terminal(common);
  speak(language_of(common));
  for (const auto& sink : spdlog::default_logger()->sinks())
    if (auto* colors = dynamic_cast<spdlog::sinks::stderr_color_sink_mt*>(sink.get()))
      colors->set_color_mode(colored(common, 2) ? spdlog::color_mode::always
                                                : spdlog::color_mode::never);
  spdlog::set_level(!common.log_level.empty()
                        ? spdlog::level::from_str(common.log_level == "error" ? "err" : common.log_level)
                    : common.quiet   ? spdlog::level::err
                    : common.verbose ? spdlog::level::debug
                                     : spdlog::level::info);
  return {};
}

}  // namespace gpuplan::cli
