#include "render/answer_explain.hpp"

#include "gpuplan/origins.hpp"
#include "render/html.hpp"
#include "render/page_parts.hpp"
#include "render/parts.hpp"

namespace gpuplan {

std::string dated(std::string_view source, const std::optional<Date>& day) {
  std::string text(source.empty() ? "no source is stated" : source);
  return day ? text + ", " + to_string(*day) : text;
}

std::string origin_text(const Catalog& catalog, const Offer& offer, std::string_view key) {
  const RuleOrigin origin = RuleOrigins(catalog, offer).of(key);
  std::string text = std::string(key) + " (" + origin.level;
  if (!origin.source.empty()) text += ": " + origin.source;
  if (origin.as_of) text += ", " + to_string(*origin.as_of);
  return text + ")";
}

std::string explained_text(const std::vector<Explained>& lines, const RenderOptions& options) {
  if (!options.explain || lines.empty()) return {};
  return "\n" + translated("How it was computed", options.language) + "\n" +
         explain_text(lines, options.width);
}

std::string explained_html(const std::vector<Explained>& lines, const RenderOptions& options) {
  if (!options.explain || lines.empty()) return {};
  return html_section("How it was computed") +
         html_preformatted(explain_text(lines, plain_options(options).width));
}

void write_explain(JsonWriter& json, const std::vector<Explained>& lines,
                   const RenderOptions& options) {
  if (!options.explain) return;
  json.key("explain");
  write_explained(json, lines);
}

}  // namespace gpuplan
