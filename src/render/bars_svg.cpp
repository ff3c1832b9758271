// Rows: bars of parts, and the spread of many runs.
#include <fmt/format.h>

#include <algorithm>

#include "render/html.hpp"
#include "render/svg.hpp"

namespace gpuplan {
namespace {

constexpr double kLabels = 226, kNotes = 110, kRow = 26, kBar = 17, kTop = 22, kAxis = 40;
constexpr double kPlot = kDrawingWidth - kLabels - kNotes;

double x_of(const Scale& scale, double value) { return kLabels + kPlot * scale.at(value); }

std::string axis(const Scale& scale, double bottom, const std::string& unit) {
  std::string out;
  for (const double tick : scale.ticks()) {
    const double x = x_of(scale, tick);
    out += svg_line(x, kTop - 4, x, bottom, "grid");
    out += svg_text(x, bottom + 15, "middle", tick_text(tick), "soft");
  }
  return out + svg_text(kLabels + kPlot / 2, bottom + 32, "middle", unit, "soft");
}

std::string bar_rect(const Bars& bars, const std::string& unit, const Bars::Row& row, const Bars::Part& part,
                     const Scale& scale, double from, double to, double y) {
  const double left = x_of(scale, std::min(from, to));
  const std::string& name = bars.series[part.series];
  return fmt::format(
      "<rect class=\"s{}\" x=\"{:.2f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"{}\" "
      "data-row=\"{}\" data-part=\"{}\" data-value=\"{}\"><title>{}: {} {} {}</title></rect>\n",
      part.series % 12, left, y, x_of(scale, std::max(from, to)) - left, kBar,
      html_attribute(row.label), html_attribute(name), html_attribute(part.value.exact),
      html(row.label), html(name), html(part.value.exact), html(unit));
}

Scale scale_for(const Bars& bars) {
  double low = 0, high = 0;
  for (const Bars::Row& row : bars.rows) {
    double below = 0, above = 0;
    for (const Bars::Part& part : row.parts)
      (part.value.size < 0 ? below : above) += part.value.size;
    low = std::min(low, below);
    high = std::max(high, above);
  }
  for (const Mark& mark : bars.marks) high = std::max(high, mark.at.size);
  return scale_of(low, high, 6);
}

}  // namespace

std::string bars_svg(const Picture& picture, const Bars& bars) {
  const Scale scale = scale_for(bars);
  const double bottom = kTop + kRow * static_cast<double>(bars.rows.size());
  const double marks = 16 * static_cast<double>(bars.marks.size());
  std::string out = svg_open(picture, bottom + kAxis + marks) + axis(scale, bottom, picture.unit);
  for (std::size_t i = 0; i < bars.rows.size(); ++i) {
    const Bars::Row& row = bars.rows[i];
    const double y = kTop + kRow * static_cast<double>(i) + (kRow - kBar) / 2;
    double above = 0, below = 0;
    out += svg_text(kLabels - 8, y + kBar - 4, "end", shortened(row.label, 28));
    for (const Bars::Part& part : row.parts) {
      double& end = part.value.size < 0 ? below : above;
      out += bar_rect(bars, picture.exact_unit, row, part, scale, end, end + part.value.size, y);
      end += part.value.size;
    }
    out += svg_text(x_of(scale, above) + 6, y + kBar - 4, "start", row.note);
  }
  for (std::size_t i = 0; i < bars.marks.size(); ++i) {
    const Mark& mark = bars.marks[i];
    const double x = x_of(scale, mark.at.size);
    const double y = bottom + kAxis + 16 * static_cast<double>(i) + 8;
    out += fmt::format("<g data-mark=\"{}\" data-value=\"{}\">", html_attribute(mark.label),
                       html_attribute(mark.at.exact));
    out += svg_line(x, kTop - 8, x, y - 8, "mark");
    out += svg_text(x, y + 3, x > kDrawingWidth * 0.7 ? "end" : "middle", mark.label) + "</g>\n";
  }
  return out + "</svg>\n";
}

std::string spread_svg(const Picture& picture, const Spread& spread) {
  double low = 0, high = 0;
  for (const Spread::Row& row : spread.rows) {
    low = std::min(low, row.p5.size);
    high = std::max(high, row.p95.size);
  }
  const Scale scale = scale_of(low, high, 6);
  const double bottom = kTop + kRow * static_cast<double>(spread.rows.size());
  std::string out = svg_open(picture, bottom + kAxis) + axis(scale, bottom, picture.unit);
  for (std::size_t i = 0; i < spread.rows.size(); ++i) {
    const Spread::Row& row = spread.rows[i];
    const double y = kTop + kRow * static_cast<double>(i) + kRow / 2;
    out += svg_text(kLabels - 8, y + 4, "end", shortened(row.label, 28));
    out += fmt::format(
        "<g data-row=\"{}\" data-p5=\"{}\" data-p10=\"{}\" data-p50=\"{}\" data-p90=\"{}\" "
        "data-p95=\"{}\">",
        html_attribute(row.label), row.p5.exact, row.p10.exact, row.p50.exact, row.p90.exact,
        row.p95.exact);
    out += svg_line(x_of(scale, row.p5.size), y, x_of(scale, row.p95.size), y, "edge");
    out += fmt::format(
        "<rect class=\"s0\" x=\"{:.2f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"12\"/>",
        x_of(scale, row.p10.size), y - 6, x_of(scale, row.p90.size) - x_of(scale, row.p10.size));
    const double middle = x_of(scale, row.p50.size);
    out += fmt::format("<line x1=\"{0:.2f}\" y1=\"{1:.1f}\" x2=\"{0:.2f}\" y2=\"{2:.1f}\" "
                       "class=\"middle edge\"/>",
                       middle, y - 9, y + 9);
    out += svg_text(x_of(scale, row.p95.size) + 6, y + 4, "start", row.note) + "</g>\n";
  }
  return out + "</svg>\n";
}

}  // namespace gpuplan
