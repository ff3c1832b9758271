#include <fmt/format.h>

#include "render/html.hpp"
#include "render/picture.hpp"
#include "render/svg.hpp"
#include "render/text_table.hpp"

namespace gpuplan {
namespace {

std::string drawing(const Picture& picture) {
  if (const auto* bars = std::get_if<Bars>(&picture.content)) return bars_svg(picture, *bars);
  if (const auto* dots = std::get_if<Dots>(&picture.content)) return dots_svg(picture, *dots);
  if (const auto* lines = std::get_if<Lines>(&picture.content)) return lines_svg(picture, *lines);
  return spread_svg(picture, std::get<Spread>(picture.content));
}

std::vector<std::string> series_of(const Picture& picture) {
  if (const auto* bars = std::get_if<Bars>(&picture.content)) return bars->series;
  if (const auto* dots = std::get_if<Dots>(&picture.content)) return dots->series;
  std::vector<std::string> names;
  if (const auto* lines = std::get_if<Lines>(&picture.content))
    for (const Lines::Line& line : lines->lines) names.push_back(line.label);
  return names;
}

std::string legend(const Picture& picture) {
  const std::vector<std::string> names = series_of(picture);
  if (names.size() < 2) return {};
  std::string out = "<ul class=\"legend\">";
  for (std::size_t i = 0; i < names.size(); ++i)
    out += fmt::format(
        "<li><svg viewBox=\"0 0 10 10\" aria-hidden=\"true\"><rect class=\"s{}\" width=\"10\" "
        "height=\"10\"/></svg>{}</li>",
        i % 12, html(names[i]));
  return out + "</ul>\n";
}

// The same numbers for those who do not see the picture.
TextTable values_of(const Picture& picture) {
  if (const auto* bars = std::get_if<Bars>(&picture.content)) {
    TextTable table({{"row"}, {"part"}, {picture.exact_unit, true}});
    for (const Bars::Row& row : bars->rows)
      for (const Bars::Part& part : row.parts)
        table.add({row.label, bars->series[part.series], part.value.exact});
    for (const Mark& mark : bars->marks) table.add({mark.label, "", mark.at.exact});
    return table;
  }
  if (const auto* dots = std::get_if<Dots>(&picture.content)) {
    TextTable table({{"row"}, {dots->x_exact, true}, {dots->y_exact, true}, {"frontier"}});
    for (const Dots::Dot& dot : dots->dots)
      table.add({dot.label, dot.x.exact, dot.y.exact, dot.edge ? "yes" : ""});
    return table;
  }
  if (const auto* lines = std::get_if<Lines>(&picture.content)) {
    TextTable table({{"row"}, {lines->x_exact, true}, {lines->y_exact, true}});
    for (const Lines::Line& line : lines->lines)
      for (const Lines::Point& point : line.points)
        table.add({line.label, point.x.exact, point.y.exact});
    for (const Mark& mark : lines->marks) table.add({mark.label, mark.at.exact, ""});
    return table;
  }
  TextTable table({{"row"}, {"p5", true}, {"p10", true}, {"p50", true}, {"p90", true},
                   {"p95", true}});
  for (const Spread::Row& row : std::get<Spread>(picture.content).rows)
    table.add(
        {row.label, row.p5.exact, row.p10.exact, row.p50.exact, row.p90.exact, row.p95.exact});
  return table;
}

}  // namespace

std::string picture_html(const Picture& picture) {
  return "<figure>\n<figcaption>" + html(picture.title) + "<small>" + html(picture.summary) +
         "</small></figcaption>\n" + legend(picture) +
         "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"" +
         html_attribute(picture.title) + "\">\n" + drawing(picture) +
         "</div>\n<details><summary>Values</summary>\n" +
         values_of(picture).html(picture.title + ", values") + "</details>\n</figure>\n";
}

std::string pictures_html(const Pictures& pictures) {
  std::string out;
  for (const Picture& picture : pictures) out += picture_html(picture);
  return out;
}

}  // namespace gpuplan
