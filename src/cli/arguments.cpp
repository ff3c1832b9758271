#include <array>

#include "cli/answer.hpp"
#include "cli/document.hpp"
#include "cli/terminal.hpp"
#include "core/text.hpp"
#include "gpuplan/version.hpp"

namespace gpuplan::cli {

Result<RenderOptions> render_options(const Common& common) {
  constexpr std::array<std::string_view, 5> kFormats{"table", "json", "csv", "markdown", "html"};
  RenderOptions options;
  options.width = output_width(common);
  options.language = language_of(common);
  options.explain = common.explain;
  options.chart = common.chart;
  options.color = colored(common, 1);
  options.program_version = version();
  for (std::size_t i = 0; i < kFormats.size(); ++i) {
    if (kFormats[i] != common.format_name) continue;
    options.format = common.json ? Format::json : static_cast<Format>(i);
    return options;
  }
  return Diagnostic{ErrorCode::usage, "--format", "",
                    "expected one of table, json, csv, markdown, html, got " + quote(common.format_name),
                    did_you_mean(common.format_name, kFormats)};
}

ExitCode deliver_document(const std::string& text, const Common& common) {
  const auto how = render_options(common);
  if (!how) return fail(how.errors(), common.json);
  if (how->format != Format::table && how->format != Format::json)
    return fail({{ErrorCode::usage, "--format", "",
                  "this answer has one form only, got " + quote(common.format_name),
                  "leave --format out"}},
                common.json);
  return deliver(text, common, ExitCode::done);
}

Result<std::optional<Date>> as_of(const Common& common) {
  if (common.as_of.empty()) return std::optional<Date>{};
  if (const auto date = parse_date(common.as_of)) return std::optional{*date};
  return Diagnostic{ErrorCode::usage, "--as-of", "",
                    "expected a day such as 2026-11-30, got " + quote(common.as_of), ""};
}

}  // namespace gpuplan::cli
