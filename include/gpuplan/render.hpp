#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpuplan/advice.hpp"
#include "gpuplan/catalog_tools.hpp"
#include "gpuplan/plan.hpp"
#include "gpuplan/rank.hpp"
#include "gpuplan/team.hpp"

namespace gpuplan {

struct Against;      // against.hpp
struct CheckResult;  // check.hpp
struct Checklist;    // checklist.hpp
struct EdgePlan;     // edge.hpp

enum class Format { table, json, csv, markdown, html };
// Of what people read; JSON and CSV are the same in all of them.
enum class Language { english, chinese };

struct RenderOptions {
  Format format = Format::table;
  Language language = Language::english;
  int width = 80;        // columns of the terminal; results never depend on it otherwise
  bool explain = false;  // formula, inputs and source of each line
  bool chart = false;    // pictures of block characters below a table
  bool color = false;    // for a terminal that has colours
  bool rejected = false;  // every rejected offer, not only the counts
  std::size_t top = 10;  // rows of a table; JSON has them all unless top was asked for
  bool top_stated = false;
  std::string_view program_version;
  std::string_view typed_job = {};  // the options of the job as they were typed, for the next command
  const Against* against = nullptr;  // of a ranking: how it differs from an earlier answer
};

// Each turns a result into the whole text of an answer, newline at the end. Of HTML it is what
// stands between the heading and the foot of a page, see `render_page`.
std::string render(const Estimate& estimate, const RenderOptions& options);
std::string render(const Ranking& ranking, const RenderOptions& options);
std::string render_bill(const Ranking& ranking, const RankedOffer& offer, const RenderOptions& options);
std::string render_cards(std::span<const Card* const> cards, const RenderOptions& options);
std::string render_models(std::span<const ModelShape* const> models, const RenderOptions& options);
// The ledger of one offer and who pays it, `gpuplan.simulate/1`.
std::string render(const SimulateResult& result, const RenderOptions& options);
// Who runs what where, `gpuplan.team/1`.
std::string render(const TeamPlan& plan, const RenderOptions& options);
// From how many hours which plan is cheaper, `gpuplan.breakeven/1`.
std::string render(const BreakEven& answer, const RenderOptions& options);
// Routes for data, `gpuplan.transfer/1`.
std::string render(const TransferPlan& plan, const RenderOptions& options);

// What goes together and what does not, `gpuplan.check/1`.
std::string render(const CheckResult& result, const RenderOptions& options);
// What to do before, during and after a run, `gpuplan.checklist/1`.
std::string render(const Checklist& list, const RenderOptions& options);
// Raw upload against work at the edge, `gpuplan.edge/1`.
std::string render(const EdgePlan& plan, const RenderOptions& options);

// What the check of one catalog file found.
struct CheckedCatalog {
  std::string file;
  std::optional<Date> as_of = {};
  std::size_t platforms = 0, offers = 0;  // 0 when the file cannot be read
  Diagnostics errors = {};                // it is no catalog, or says what is not allowed
  Warnings lint = {};                     // it probably does not mean what it says
};
// `gpuplan.validate/1` of the checked files, or their findings as a table.
std::string render(std::span<const CheckedCatalog> checked, const RenderOptions& options);
// Offers of a catalog, or groups of them, `gpuplan.show/1`.
struct CatalogView {
  const Catalog* catalog = nullptr;
  SelectOptions options = {};
  const Selection* selection = nullptr;
};
std::string render(const CatalogView& view, const RenderOptions& options);
// What differs between two catalogs, `gpuplan.diff/1`.
struct DiffView {
  std::string from, to;  // as they were named
  std::vector<std::string> fail_on = {};
  const CatalogDiff* diff = nullptr;
  std::vector<DiffGate> gates = {};
};
std::string render(const DiffView& view, const RenderOptions& options);
// A page that stands alone: nothing is loaded from elsewhere.
struct Page {
  std::string title;
  std::string command_line;  // that made it
  std::string_view program_version;
  Language language = Language::english;
};
std::string render_page(const Page& page, std::string_view body);
// A sentence that the program made, in that language; unchanged where it is not known there.
std::string translated(std::string_view text, Language language);
// The same for each part of a list that is joined by the separator.
std::string translated_parts(std::string_view text, std::string_view separator, Language language);
// One object on standard error: {"schema":"gpuplan.error/1","errors":[...]}.
std::string render_errors_json(const Diagnostics& errors);

}  // namespace gpuplan
