// The page of a ranking: the decision, pictures, the table, and what it was made from.
#include <fmt/format.h>

#include <algorithm>

#include "catalog/offer_name.hpp"
#include "core/text.hpp"
#include "render/compare_parts.hpp"
#include "render/documents.hpp"
#include "render/html.hpp"
#include "render/page_parts.hpp"
#include "render/pictures.hpp"

namespace gpuplan {
namespace {

constexpr std::size_t kMostRows = 500;      // of the ranking on a page
constexpr std::size_t kMostRejected = 200;

std::string decision(const Ranking& ranking) {
  std::string out = "<dl id=\"decision\">\n";
  for (const NamedLine& line : decision_lines(ranking))
    out += "<dt>" + html(line.name) + "</dt><dd>" + html(line.text) + "</dd>\n";
  return out + "</dl>\n";
}

std::string offers(const Ranking& ranking, const RenderOptions& options) {
  if (ranking.ranked.empty()) return {};
  const std::size_t top = options.top_stated ? options.top : kMostRows;
  const std::size_t shown = std::min(top, ranking.listed);
  const TextTable exact = ranking_rows(ranking, shown, RowsFor::exact);
  std::string out = html_section("Offers");
  out += ranking_rows(ranking, shown, RowsFor::people)
             .html(fmt::format("{} of {} offers, in the order of the ranking; amounts in {}{}",
                               shown, ranking.ranked_total, ranking.currency,
                               ranking.ranked.front().unit_cost
                                   ? "; per unit: " + ranking.ranked.front().unit_cost->per
                                   : ""),
                   &exact);
  if (shown < ranking.ranked_total)
    out += html_paragraph(fmt::format("{} more: --top {}", ranking.ranked_total - shown,
                                      ranking.ranked_total));
  return out;
}

std::string rejected(const Ranking& ranking, const RenderOptions& options) {
  if (ranking.rejected.empty()) return {};
  TextTable table({{"offer"}, {"reason"}, {"what is wrong"}});
  const std::size_t shown = options.rejected ? ranking.rejected.size()
                                             : std::min(kMostRejected, ranking.rejected.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const RejectedOffer& offer = ranking.rejected[i];
    for (const Reason& reason : offer.reasons)
      table.add({offer_name(offer.platform->id, offer.offer->id), reason.code, reason.message});
  }
  return html_section("Not in the table") + html_paragraph(rejected_line(ranking, true)) +
         "<details><summary>Reasons</summary>\n" +
         table.html(fmt::format("{} of {} offers", shown, ranking.rejected_total)) +
         "</details>\n";
}

}  // namespace

std::string render_ranking_html(const Ranking& ranking, const RenderOptions& options) {
  std::string out = "<h1>Which offer to take</h1>\n<p class=\"soft\">" +
                    html(ranking_heading(ranking)) + "</p>\n";
  out += decision(ranking) + offers(ranking, options) + rejected(ranking, options);
  if (const Pictures pictures = pictures_of(ranking); !pictures.empty())
    out += html_section("Pictures") + pictures_html(pictures);
  if (options.explain && ranking.primary)
    out += html_section("Why the bill is what it is") +
           html_preformatted(render_bill(ranking, ranking.ranked[*ranking.primary],
                                         plain_options(options)));
  out += html_warnings(ranking.warnings);
  RenderOptions json = options;
  json.format = Format::json;
  return out + html_catalog(*ranking.catalog) + html_inputs(render_ranking_json(ranking, json));
}

}  // namespace gpuplan
