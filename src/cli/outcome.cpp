#include "cli/outcome.hpp"

#include <spdlog/spdlog.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "cli/files.hpp"
#include "core/text.hpp"
#include "gpuplan/render.hpp"
#include "gpuplan/version.hpp"
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

}  // namespace

ExitCode fail(const Diagnostics& errors, bool json) {
  if (json) {
    const std::string text = render_errors_json(errors);
    std::fwrite(text.data(), 1, text.size(), stderr);
    return exit_code(errors);
  }
  for (const Diagnostic& error : errors) spdlog::error("{}", safe(to_text(error)));
  if (exit_code(errors) == ExitCode::internal)
    spdlog::error(
        "this is a fault of gpuplan {}: please report it with the command line and its files",
        version());
  return exit_code(errors);
}

void log_warnings(const Warnings& warnings, const Common& common) {
  if (common.quiet) return;
  for (const Warning& warning : warnings)
    spdlog::warn("{} [{}]", safe(warning.message), warning.code);
}

ExitCode deliver(const std::string& text, const Common& common, ExitCode code) {
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

int output_width(const Common& common) {
  winsize size{};
  const bool terminal = (common.output.empty() || common.output == "-") && ::isatty(1) != 0;
  if (!terminal || ::ioctl(1, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return std::clamp<int>(size.ws_col, 40, 250);
}

}  // namespace gpuplan::cli
