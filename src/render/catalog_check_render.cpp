// What the check of catalogs found.
#include <fmt/format.h>

#include "render/answer_explain.hpp"
#include "render/documents.hpp"
#include "render/html.hpp"
#include "render/markdown.hpp"
#include "render/page_parts.hpp"
#include "render/text_table.hpp"

namespace gpuplan {
namespace {

std::vector<Explained> explained(std::span<const CheckedCatalog> checked) {
  std::vector<Explained> lines;
  for (const CheckedCatalog& catalog : checked)
    for (const Warning& finding : catalog.lint)
      lines.push_back({.part = finding.code + " " + finding.where,
                       .formula = "what the code stands for and what to do: examples/CODES.md",
                       .inputs = finding.message,
                       .source = dated(catalog.file, catalog.as_of)});
  return lines;
}

std::string as_json(std::span<const CheckedCatalog> checked, const RenderOptions& options) {
  JsonWriter json;
  json.begin_object()
      .field("schema", "gpuplan.validate/1")
      .field("version", options.program_version);
  json.key("files").begin_array();
  for (const CheckedCatalog& catalog : checked) {
    json.begin_object().field("file", catalog.file).field("valid", catalog.errors.empty());
    json.field("as_of", catalog.as_of);
    json.field("platforms", catalog.platforms).field("offers", catalog.offers);
    json.key("errors").begin_array();
    for (const Diagnostic& error : catalog.errors)
      json.begin_object()
          .field("code", code_name(error.code))
          .field("message", error.message)
          .field("pointer", error.pointer)
          .field("hint", error.hint)
          .end_object();
    json.end_array().key("lint").begin_array();
    for (const Warning& finding : catalog.lint)
      json.begin_object()
          .field("code", finding.code)
          .field("message", finding.message)
          .field("where", finding.where)
          .end_object();
    json.end_array().end_object();
  }
  json.end_array();
  write_explain(json, explained(checked), options);
  write_warnings(json, {});
  return json.end_object().take();
}

std::string summary(const CheckedCatalog& catalog) {
  if (!catalog.errors.empty())
    return fmt::format("{}: {} error{}, see standard error", safe(catalog.file),
                       catalog.errors.size(), catalog.errors.size() == 1 ? "" : "s");
  return fmt::format("{}: valid, {} platform{}, {} offer{}, {} finding{}", safe(catalog.file),
                     catalog.platforms, catalog.platforms == 1 ? "" : "s", catalog.offers,
                     catalog.offers == 1 ? "" : "s", catalog.lint.size(),
                     catalog.lint.size() == 1 ? "" : "s");
}

std::string findings(const CheckedCatalog& catalog, const RenderOptions& options) {
  std::string text;
  for (const Warning& finding : catalog.lint)
    text += "  " +
            wrap(fmt::format("{}: {} [{}]", safe(finding.where),
                             safe(translated(finding.message, options.language)), finding.code),
                 options.width - 4, 4) +
            "\n";
  return text;
}

TextTable findings_table(std::span<const CheckedCatalog> checked) {
  TextTable table({{"file"}, {"kind"}, {"code"}, {"where"}, {"message"}});
  for (const CheckedCatalog& catalog : checked) {
    for (const Diagnostic& error : catalog.errors)
      table.add({catalog.file, "error", std::string(code_name(error.code)), error.pointer,
                 error.message});
    for (const Warning& finding : catalog.lint)
      table.add({catalog.file, "lint", finding.code, finding.where, finding.message});
  }
  return table;
}

std::string page(std::span<const CheckedCatalog> checked, const RenderOptions& options) {
  std::string out = html_head("Check of catalogs", "");
  for (const CheckedCatalog& catalog : checked)
    out += fmt::format("<p class=\"{}\">{}</p>\n", catalog.errors.empty() ? "good" : "bad",
                       html(summary(catalog)));
  const TextTable table = findings_table(checked);
  if (table.empty()) return out;
  return out + html_section("Findings") + table.html("Findings") +
         explained_html(explained(checked), options);
}

}  // namespace

std::string render(std::span<const CheckedCatalog> checked, const RenderOptions& options) {
  if (options.format == Format::json) return as_json(checked, options);
  if (options.format == Format::table) {
    std::string text;
    for (const CheckedCatalog& catalog : checked)
      text += wrap(translated(summary(catalog), options.language), options.width - 2, 2) + "\n" +
              findings(catalog, options);
    return text + explained_text(explained(checked), options);
  }
  if (options.format == Format::html) return page(checked, options);
  const TextTable table = findings_table(checked);
  if (options.format != Format::markdown) return table.in(options);
  std::string text = markdown_head("Check of catalogs", "", options);
  for (const CheckedCatalog& catalog : checked)
    text += markdown_text(safe(translated(summary(catalog), options.language))) + "\n\n";
  return text + (table.empty() ? "" : table.in(options));
}

}  // namespace gpuplan
