#include "render/markdown.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "render/html.hpp"
#include "render/text_table.hpp"

namespace gpuplan {
namespace {

// As many signs in a row as the longest such row in the text has, and one more.
std::string longer_than_in(std::string_view text, char sign, std::size_t least) {
  std::size_t longest = 0, row = 0;
  for (const char c : text) {
    row = c == sign ? row + 1 : 0;
    longest = std::max(longest, row);
  }
  return std::string(std::max(longest + 1, least), sign);
}

}  // namespace

std::string markdown_head(std::string_view title, std::string_view asked, const RenderOptions& options) {
  return "### " + markdown_text(translated(title, options.language)) + "\n\n" +
         (asked.empty() ? ""
                        : markdown_text(safe(translated_parts(asked, " · ", options.language))) + "\n\n");
}

std::string markdown_decision(std::string_view sentence, const RenderOptions& options) {
  return "**" + markdown_text(safe(translated(sentence, options.language))) + "**\n\n";
}

std::string markdown_warnings(const Warnings& warnings, const RenderOptions& options) {
  if (warnings.empty()) return {};
  std::string list;
  for (const Warning& warning : warnings)
    list += fmt::format("- {} `{}`\n", markdown_text(safe(translated(warning.message, options.language))), warning.code);
  return markdown_details(
      translated("Warnings", options.language) + fmt::format(" ({})", warnings.size()), list);
}

std::string markdown_fence(std::string_view text) {
  const std::string fence = longer_than_in(text, '`', 3);
  return fence + "\n" + std::string(text) + (text.ends_with('\n') ? "" : "\n") + fence + "\n\n";
}

std::string markdown_details(std::string_view summary, std::string_view content) {
  return "<details><summary>" + html(summary) + "</summary>\n\n" + std::string(content) +
         (content.ends_with("\n\n") ? "" : "\n") + "</details>\n\n";
}

std::string markdown_page(const Page& page, std::string_view body) {
  body = body.substr(0, body.find_last_not_of('\n') + 1);
  const std::string line = safe(page.command_line), ticks = longer_than_in(line, '`', 1);
  const std::string_view blank = line.find('`') == std::string::npos ? "" : " ";
  return fmt::format("{}\n\n<sub>{} {}: {}{}{}{}{}</sub>\n", body,
                     translated("Made with this command by gpuplan", page.language), page.program_version, ticks,
                     blank, line, blank, ticks);
}

}  // namespace gpuplan
