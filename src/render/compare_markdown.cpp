// A ranking as a comment on a merge request: it says what was asked, when, and with which command.
#include <fmt/format.h>

#include "catalog/offer_name.hpp"
#include "gpuplan/render.hpp"
#include "render/compare_parts.hpp"
#include "render/documents.hpp"
#include "render/markdown.hpp"
#include "render/page_parts.hpp"
#include "render/text_table.hpp"

namespace gpuplan {
namespace {

// Before the table, a line each: what a reader wants to know first.
std::string decision(const Ranking& ranking, const RenderOptions& options) {
  std::string text;
  for (const NamedLine& line : decision_lines(ranking))
    text += (line.name.empty() ? "" : "**" + translated(line.name, options.language) + "** ") +
            markdown_text(safe(translated(line.text, options.language))) + "\n\n";
  return text;
}

std::string rejected(const Ranking& ranking, const RenderOptions& options) {
  TextTable table({{"offer"}, {"reason"}, {"what is wrong"}});
  for (const RejectedOffer& offer : ranking.rejected)
    for (const Reason& reason : offer.reasons)
      table.add({offer_name(offer.platform->id, offer.offer->id), reason.code, reason.message});
  const std::string title = fmt::format("Rejected, with every reason: {} of {} offers", ranking.rejected.size(),
                                        ranking.rejected_total);
  return table.empty() ? "" : markdown_details(translated(title, options.language), table.in(options));
}

}  // namespace

std::string render_ranking_markdown(const Ranking& ranking, const RenderOptions& options) {
  std::string text = markdown_head("Which offer to take", ranking_heading(ranking), options) +
                     decision(ranking, options);
  if (!ranking.ranked.empty())
    text += ranking_rows(ranking, options.top, RowsFor::people, true).in(options) + "\n";
  for (const std::string& note : below_ranking(ranking, options))
    text += markdown_text(translated(note, options.language)) + "\n\n";
  if (options.against != nullptr)
    text += markdown_fence(against_text(*options.against, ranking.currency, options).substr(1));
  if (options.rejected) text += rejected(ranking, options);
  if (options.explain && ranking.primary)
    text += markdown_details(
        translated("Why the bill is what it is", options.language),
        markdown_fence(render_bill(ranking, ranking.ranked[*ranking.primary], plain_options(options))));
  return text + markdown_warnings(ranking.warnings, options) +
         fmt::format("{} `{}`\n", translated("SHA-256 of the catalog:", options.language), ranking.catalog->sha256);
}

}  // namespace gpuplan
