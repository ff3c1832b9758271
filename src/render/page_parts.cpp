#include "render/page_parts.hpp"
#include "render/parts.hpp"

#include <fmt/format.h>

#include "core/json.hpp"
#include "render/html.hpp"
#include "render/text_table.hpp"

namespace gpuplan {
namespace {

// "workload.batch" and its value, for every value that is not null or empty.
void flatten(const JsonNode& node, const std::string& name, TextTable& table) {
  if (node.is(JsonNode::Kind::object)) {
    for (const JsonNode& child : node.children)
      flatten(child, (name.empty() ? "" : name + ".") + std::string(child.key), table);
    return;
  }
  const bool says_nothing = node.is(JsonNode::Kind::null) ||
                            (node.is(JsonNode::Kind::array) && node.children.empty());
  if (says_nothing) return;
  table.add({name, node.is(JsonNode::Kind::string) ? std::string(node.text) : to_json(node)});
}

}  // namespace

std::string html_head(std::string_view title, std::string_view asked) {
  return "<h1>" + html(title) + "</h1>\n" +
         (asked.empty() ? "" : "<p class=\"soft\">" + html(asked) + "</p>\n");
}

std::string html_decision(std::string_view text) {
  return "<p id=\"decision\"><strong>" + html(text) + "</strong></p>\n";
}

std::string html_list(std::string_view title, const std::vector<std::string>& lines) {
  if (lines.empty()) return {};
  std::string out = html_section(title) + "<ul>\n";
  for (const std::string& line : lines) out += "<li>" + html(line) + "</li>\n";
  return out + "</ul>\n";
}

std::string html_gates(std::span<const Gate> gates, std::string_view currency) {
  if (gates.empty()) return {};
  std::string out = html_section("Limits") + "<ul>\n";
  for (const Gate& gate : gates)
    out += fmt::format("<li class=\"{}\">{}{}: limit {}, it is {}: {}{}</li>\n",
                       gate.passed ? "good" : "bad", html(gate.name),
                       gate.of.empty() ? "" : " of " + html(gate.of), html(gate_amount(gate.name, gate.limit, currency)),
                       html(gate_amount(gate.name, gate.value, currency)),
                       gate.passed ? "kept" : "not met", gate.why.empty() ? "" : "; " + html(gate.why));
  return out + "</ul>\n";
}

std::string html_warnings(const Warnings& warnings) {
  if (warnings.empty()) return {};
  std::string out = html_section("Warnings") + "<ul id=\"warnings\">\n";
  for (const Warning& warning : warnings)
    out += "<li>" + html(warning.message) + " <code>" + html(warning.code) + "</code></li>\n";
  return out + "</ul>\n";
}

std::string html_catalog(const Catalog& catalog) {
  return html_section("Made from") +
         html_paragraph(fmt::format(
             "Catalog {}{}, {} platform{}, {} offer{}.",
             catalog.name.empty() ? "without a name" : catalog.name,
             catalog.as_of ? " of " + to_string(*catalog.as_of) : ", no date stated",
             catalog.platforms.size(), catalog.platforms.size() == 1 ? "" : "s", catalog.offers.size(),
             catalog.offers.size() == 1 ? "" : "s")) +
         "<p>SHA-256 of the file: <code>" + html(catalog.sha256) + "</code></p>\n";
}

std::string html_inputs(std::string_view document) {
  const auto json = parse_json(document, "answer");
  if (!json) return {};
  const JsonNode* inputs = json->root().find("inputs");
  if (inputs == nullptr) return {};
  TextTable table({{"input"}, {"value"}});
  flatten(*inputs, "", table);
  return "<details id=\"inputs\"><summary>Inputs, with all defaults</summary>\n" +
         table.html("Inputs") + "</details>\n";
}

RenderOptions plain_options(const RenderOptions& options) {
  RenderOptions plain = options;
  plain.format = Format::table;
  plain.width = 100;
  plain.color = plain.chart = false;
  return plain;
}

}  // namespace gpuplan
