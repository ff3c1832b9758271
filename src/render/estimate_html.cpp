// The page of an estimate: the need, the picture of it, cards, and what it was made from.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "render/documents.hpp"
#include "render/estimate_parts.hpp"
#include "render/html.hpp"
#include "render/page_parts.hpp"
#include "render/parts.hpp"
#include "render/pictures.hpp"
#include "render/text_table.hpp"
#include "spec/modes.hpp"

namespace gpuplan {
namespace {

std::string need(const Estimate& estimate) {
  return memory_known(estimate) ? html_decision(estimate_decision(estimate))
                                : html_paragraph(estimate_decision(estimate));
}

}  // namespace

std::string estimate_decision(const Estimate& estimate) {
  if (!memory_known(estimate))
    return "Memory is not known: it depends on the scene or the data; --measured-peak judges cards.";
  const MemoryRange& range = estimate.memory.range;
  std::string text = fmt::format("{} needs {}, with {}x headroom {}.",
                                 estimate.gpus == 1 ? "One GPU" : "Each GPU",
                                 show_gib(estimate.memory.per_gpu.total, 2),
                                 estimate.job.headroom.to_string(), show_gib(estimate.required, 2));
  if (!estimate.measured && range.high > Bytes{} && range.rows == 0)
    text += fmt::format(" No measurement is like it: a guess between {} and {}.", show_gib(range.low, 2),
                        show_gib(range.high, 2));
  else if (!estimate.measured && range.high > Bytes{})
    text += fmt::format(" {:.0f} % of like measurements lie between {} and {}.",
                        100 * range.coverage, show_gib(range.low, 2), show_gib(range.high, 2));
  return text;
}

namespace {

std::string parts(const Estimate& estimate) {
  TextTable shown({{"part"}, {"GiB", true}}), exact({{"part"}, {"GiB", true}});
  const auto add = [&](std::string_view label, std::string_view key, Bytes bytes) {
    shown.add({std::string(label), fmt::format("{:.2f}", bytes.as_double() / (1 << 30))});
    exact.add({std::string(key), std::to_string(bytes.count())});
  };
  for (const MemoryPart& part : kMemoryParts)
    if (const Bytes bytes = estimate.memory.per_gpu.*part.member; bytes > Bytes{})
      add(part.label, part.key, bytes);
  add("with headroom", "required", estimate.required);
  return html_section("Memory of each GPU") + shown.html("By part", &exact);
}

std::string fits_text(const CardFit& fit) {
  return fit.fits ? "fits" : fit.total_fits ? "headroom too thin" : "does not fit";
}

std::string cards(const Estimate& estimate) {
  if (!memory_known(estimate)) return {};
  std::vector<Column> columns{{"card"},          {"memory GiB", true}, {"verdict"},
                              {"used %", true}, {"GPUs at least", true}};
  TextTable shown(columns), exact(columns);
  for (const CardFit& fit : estimate.cards) {
    const std::string least = fit.gpus_needed ? std::to_string(*fit.gpus_needed) : "";
    shown.add({fit.card->name, fmt::format("{:.2f}", fit.card->memory.as_double() / (1 << 30)),
               fits_text(fit), fmt::format("{:.0f}", 100 * fit.used_fraction),
               least.empty() ? "more than 64" : least});
    exact.add({fit.card->name, std::to_string(fit.card->memory.count()), fits_text(fit),
               fmt::format("{:.9g}", fit.used_fraction), least});
  }
  return html_section("Cards") + shown.html("What each card makes of it", &exact);
}

std::string speeds(const Estimate& estimate) {
  std::string out;
  for (const CardFit& fit : estimate.cards)
    if (fit.speed)
      out += "<dt>" + html(fit.card->name) + "</dt><dd>" + html(speed_line(*fit.speed)) +
             (fit.work ? "; the work takes " +
                             html(show_duration(Duration{
                                 std::llround(share_of_machine(estimate.job, *fit.work).count() *
                                              1e6)}))
                       : "") +
             "</dd>\n";
  return out.empty() ? "" : html_section("Speed") + "<dl>\n" + out + "</dl>\n";
}

std::string advice(const Estimate& estimate) {
  if (estimate.advice.empty()) return {};
  std::string out = html_section("Less memory") + "<ul>\n";
  for (const Advice& one : estimate.advice) out += "<li>" + html(one.message) + "</li>\n";
  return out + "</ul>\n";
}

}  // namespace

std::string render_estimate_html(const Estimate& estimate, const RenderOptions& options) {
  std::string out = "<h1>" + html(estimate_heading(estimate)) + "</h1>\n";
  if (runs_a_model(estimate.memory.workload.mode))
    out += "<p class=\"soft\">" + html(settings_line(estimate.memory.workload)) + "</p>\n";
  out += need(estimate) + pictures_html(pictures_of(estimate));
  if (memory_known(estimate)) out += parts(estimate);
  out += speeds(estimate) + advice(estimate) + cards(estimate);
  if (options.explain)
    out += html_section("How it was computed") +
           html_preformatted(explain_text(estimate.memory.explain, plain_options(options).width));
  out += html_warnings(estimate.warnings);
  RenderOptions json = options;
  json.format = Format::json;
  return out + html_section("Made from") + html_inputs(render_estimate_json(estimate, json));
}

}  // namespace gpuplan
