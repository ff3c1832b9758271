#include "cli/outcome.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "cli/files.hpp"
#include "cli/language.hpp"
#include "cli/progress_bar.hpp"
#include "core/text.hpp"
#include "gpuplan/render.hpp"
#include "gpuplan/version.hpp"
#include "render/markdown.hpp"
#include "render/text_table.hpp"

namespace gpuplan::cli {
namespace {

bool is_usage(ErrorCode code) {
  return code == ErrorCode::usage || code == ErrorCode::unknown_name;
}

ExitCode exit_code(const Diagnostics& errors) {
  const auto any = [&](auto test) {
    return std::ranges::any_of(errors, [&](const Diagnostic& d) { return test(d.code); });
  };
  if (any([](ErrorCode c) { return c == ErrorCode::internal; })) return ExitCode::internal;
  return any([](ErrorCode c) { return !is_usage(c); }) ? ExitCode::invalid_input : ExitCode::usage;
}

// Messages go to one terminal, as the logger does; it is settled before a command runs.
Language spoken = Language::english;

}  // namespace

void speak(Language language) { spoken = language; }

ExitCode fail(const Diagnostics& errors, bool json) {
  stop_progress();
  if (json) {
    const std::string text = render_errors_json(errors);
    std::fwrite(text.data(), 1, text.size(), stderr);
    return exit_code(errors);
  }
  for (Diagnostic error : errors) {
    error.message = translated(error.message, spoken);
    error.hint = translated(error.hint, spoken);
    spdlog::error("{}", safe(to_text(error)));
  }
  if (exit_code(errors) == ExitCode::internal)
    spdlog::error(
        "this is a fault of gpuplan {}: please report it with the command line and its files",
        version());
  return exit_code(errors);
}

Language language_of(const Common& common) {
  return common.language == "zh" ? Language::chinese : Language::english;
}

void log_warnings(const Warnings& warnings, const Common& common) {
  stop_progress();
  if (common.quiet) return;
  for (const Warning& warning : warnings)
    spdlog::warn("{} [{}]", safe(translated(warning.message, language_of(common))), warning.code);
}

namespace {

// A page, or a comment on a merge request, is read without the command line that made it.
std::string dressed(const std::string& answer, const Common& common) {
  const bool text_of_our_own = common.command == "man" || common.command == "explain";
  const bool page = common.format_name == "html";
  const bool comment = common.format_name == "markdown" && !text_of_our_own;
  if (common.json || (!page && !comment)) return answer;
  const Page about{.title = "gpuplan " + common.command,
                   .command_line = common.command_line,
                   .program_version = version(),
                   .language = language_of(common)};
  return page ? render_page(about, answer) : markdown_page(about, answer);
}

}  // namespace

ExitCode deliver(const std::string& answer, const Common& common, ExitCode code) {
  stop_progress();
  const std::string text = dressed(answer, common);
  if (!common.output.empty() && common.output != "-") {
    const auto written = write_file(common.output, text);
    return written ? code : fail(written.errors(), common.json);
  }
  const bool whole =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  // A reader that has seen enough, such as `head`, is no fault.
  if (whole || errno == EPIPE) return code;
  return fail({{ErrorCode::unreadable, "<stdout>", "",
                "the answer cannot be written: the disk may be full", ""}},
              common.json);
}

}  // namespace gpuplan::cli
