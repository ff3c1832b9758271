// An estimate as a comment on a merge request.
#include "render/documents.hpp"
#include "render/estimate_parts.hpp"
#include "render/markdown.hpp"
#include "spec/modes.hpp"

namespace gpuplan {
namespace {

std::string cards(const Estimate& estimate, const RenderOptions& options) {
  std::string text;
  const auto add = [&](const std::string& line) {
    text += "- " + markdown_text(safe(translated(line, options.language))) + "\n";
  };
  for (const CardFit& fit : estimate.cards) {
    add(verdict_line(estimate, fit));
    if (fit.speed) add(speed_line(*fit.speed));
    if (fit.work) add(work_line(estimate.job, *fit.work));
  }
  return text + "\n";
}

}  // namespace

std::string render_estimate_markdown(const Estimate& estimate, const RenderOptions& options) {
  const bool with_model = runs_a_model(estimate.memory.workload.mode);
  std::string text = markdown_head(estimate_heading(estimate),
                                   with_model ? settings_line(estimate.memory.workload) : "", options) +
                     markdown_decision(estimate_decision(estimate), options);
  if (memory_known(estimate)) text += estimate_rows(estimate).in(options) + "\n";
  if (!estimate.job.cards.empty()) text += cards(estimate, options);
  for (const Advice& advice : estimate.advice)
    text += "- " + markdown_text(safe(translated(advice.message, options.language))) + "\n";
  return text + (estimate.advice.empty() ? "" : "\n") + markdown_warnings(estimate.warnings, options);
}

}  // namespace gpuplan
