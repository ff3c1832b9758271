#include "render/html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/builtin.hpp"
#include "gpuplan/render.hpp"
#include "render/picture.hpp"
#include "render/text_table.hpp"

namespace gpuplan {

std::string html(std::string_view text) {
  std::string out;
  for (const char c : safe(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string html_attribute(std::string_view text) { return html(text); }

std::string html_paragraph(std::string_view text) { return "<p>" + html(text) + "</p>\n"; }

std::string html_preformatted(std::string_view text) {
  // A line at a time: escaping makes an end of line visible.
  std::string out = "<pre>";
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    out += html(text.substr(0, end)) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out + "</pre>\n";
}

std::string html_section(std::string_view title) { return "<h2>" + html(title) + "</h2>\n"; }

namespace {

std::string unescaped(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, char>, 5> kEntities{
      {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#39;", '\''}}};
  std::string out;
  while (!text.empty()) {
    const auto entity = std::ranges::find_if(
        kEntities, [&](const auto& entry) { return text.starts_with(entry.first); });
    const bool found = entity != kEntities.end();
    out += found ? entity->second : text.front();
    text.remove_prefix(found ? entity->first.size() : 1);
  }
  return out;
}

// The whole of a label of a picture that was cut: rows carry it, the first of them behind it.
std::string whole_label(std::string_view text, std::string_view behind) {
  constexpr std::string_view kCut = "…", kRow = "data-row=\"";
  const auto row = text.ends_with(kCut) ? behind.find(kRow) : std::string_view::npos;
  if (row == std::string_view::npos) return {};
  behind.remove_prefix(row + kRow.size());
  std::string label = unescaped(behind.substr(0, behind.find('"')));
  return label.starts_with(text.substr(0, text.size() - kCut.size())) ? label : std::string{};
}

// A text between two tags; the blanks around it are no part of a sentence.
std::string translated_text(std::string_view escaped, std::string_view behind, Language language) {
  constexpr std::string_view kBlanks = " \n";
  constexpr std::size_t kLabelCells = 28;  // as many as a cut label had
  const auto first = escaped.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return std::string(escaped);
  const auto end = escaped.find_last_not_of(kBlanks) + 1;
  const std::string text = unescaped(escaped.substr(first, end - first));
  const std::string label = whole_label(text, behind);
  const std::string other = label.empty() ? translated(text, language)
                                          : shortened(translated(label, language), kLabelCells);
  return std::string(escaped.substr(0, first)) + html(other) + std::string(escaped.substr(end));
}

// Every text between two tags by itself; what is typed or quoted stays as it is.
std::string translated_body(std::string_view body, Language language) {
  std::string out;
  bool literal = false;
  while (!body.empty()) {
    const auto open = std::min(body.find('<'), body.size());
    const std::string_view text = body.substr(0, open);
    body.remove_prefix(open);
    out += literal ? std::string(text) : translated_text(text, body, language);
    const auto close = body.find('>');
    if (close == std::string_view::npos) break;
    const std::string_view tag = body.substr(0, close + 1);
    if (tag.starts_with("<code") || tag.starts_with("<pre")) literal = true;
    if (tag == "</code>" || tag == "</pre>") literal = false;
    out += tag;
    body.remove_prefix(close + 1);
  }
  return out;
}

}  // namespace

std::string render_page(const Page& page, std::string_view english) {
  const bool chinese = page.language == Language::chinese;
  const std::string body =
      chinese ? translated_body(english, page.language) : std::string(english);
  // A reader of mail or of build artifacts may open the page anywhere: the policy forbids it to
  // load or send anything.
  return fmt::format(
      "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; form-action 'none'; "
      "base-uri 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n"
      "<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n<main>\n{}{}</main>\n<footer>\n"
      "<p>{} {}</p>\n<pre><code>{}</code></pre>\n</footer>\n<script>\n{}"
      "</script>\n</body>\n</html>\n",
      chinese ? "zh-CN" : "en", html(page.title), builtin_page_style(),
      body.find("<h1") == std::string::npos ? "<h1>" + html(page.title) + "</h1>\n" : "", body,
      html(translated("Made with this command by gpuplan", page.language)),
      html(page.program_version), html(page.command_line), builtin_page_script());
}

std::string TextTable::html(std::string_view caption, const TextTable* exact) const {
  std::string out = "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"" +
                    html_attribute(caption.empty() ? "table" : caption) +
                    "\">\n<table class=\"sort\">\n";
  if (!caption.empty()) out += "<caption>" + gpuplan::html(caption) + "</caption>\n";
  const auto open = [&](std::string_view tag, std::size_t column) {
    return fmt::format("<{}{}{}", tag, tag == "th" ? " scope=\"col\"" : "",
                       columns_[column].right ? " class=\"n\"" : "");
  };
  out += "<thead><tr>";
  for (std::size_t c = 0; c < columns_.size(); ++c)
    out += open("th", c) + ">" + gpuplan::html(columns_[c].title) + "</th>";
  out += "</tr></thead>\n<tbody>\n";
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    out += "<tr>";
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      out += open("td", c);
      if (exact != nullptr && exact->rows_[r][c] != rows_[r][c])
        out += " data-value=\"" + html_attribute(exact->rows_[r][c]) + "\"";
      out += ">" + gpuplan::html(rows_[r][c]) + "</td>";
    }
    out += "</tr>\n";
  }
  return out + "</tbody>\n</table>\n</div>\n";
}

}  // namespace gpuplan
