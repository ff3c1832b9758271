// Planes: points with their frontier, and lines with their crossings.
#include <fmt/format.h>

#include <algorithm>

#include "render/html.hpp"
#include "render/svg.hpp"

namespace gpuplan {
namespace {

constexpr double kLeft = 70, kRight = 20, kTop = 32, kHeight = 300, kBottom = 48;
constexpr double kPlot = kDrawingWidth - kLeft - kRight;

struct Plane {
  Scale x, y;
  double left(double value) const { return kLeft + kPlot * x.at(value); }
  double top(double value) const { return kTop + kHeight * (1 - y.at(value)); }
};

std::string axes(const Plane& plane, const std::string& x_title, const std::string& y_title) {
  std::string out;
  for (const double tick : plane.x.ticks()) {
    const double x = plane.left(tick);
    out += svg_line(x, kTop, x, kTop + kHeight, "grid");
    out += svg_text(x, kTop + kHeight + 16, "middle", tick_text(tick), "soft");
  }
  for (const double tick : plane.y.ticks()) {
    const double y = plane.top(tick);
    out += svg_line(kLeft, y, kLeft + kPlot, y, "grid");
    out += svg_text(kLeft - 6, y + 4, "end", tick_text(tick), "soft");
  }
  out += svg_text(kLeft + kPlot / 2, kTop + kHeight + 36, "middle", x_title, "soft");
  return out + svg_text(4, kTop - 18, "start", y_title, "soft");
}

}  // namespace

std::string svg_open(const Picture& picture, double height) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" "
      "aria-labelledby=\"{}-t {}-d\" data-picture=\"{}\">\n<title id=\"{}-t\">{}</title>\n"
      "<desc id=\"{}-d\">{}</desc>\n",
      kDrawingWidth, height, picture.key, picture.key, picture.key, picture.key,
      html(picture.title), picture.key, html(picture.summary));
}

std::string svg_text(double x, double y, std::string_view anchor, std::string_view text,
                     std::string_view style) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y,
                     anchor, style.empty() ? "" : fmt::format(" class=\"{}\"", style), html(text));
}

std::string svg_line(double x1, double y1, double x2, double y2, std::string_view style) {
  return fmt::format(
      "<line class=\"{}\" x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\"/>\n", style, x1,
      y1, x2, y2);
}

std::string dots_svg(const Picture& picture, const Dots& dots) {
  double right = 0, high = 0, low = 0;
  for (const Dots::Dot& dot : dots.dots) {
    right = std::max(right, dot.x.size);
    high = std::max(high, dot.y.size);
    low = std::min(low, dot.y.size);
  }
  const Plane plane{scale_of(0, right, 7), scale_of(low, high, 6)};
  std::string out = svg_open(picture, kTop + kHeight + kBottom) +
                    axes(plane, dots.x_title, dots.y_title);
  std::vector<const Dots::Dot*> edge;
  for (const Dots::Dot& dot : dots.dots)
    if (dot.edge) edge.push_back(&dot);
  std::ranges::sort(edge, [](auto* a, auto* b) { return a->x.size < b->x.size; });
  std::string path;
  for (const Dots::Dot* dot : edge)
    path += fmt::format("{}{:.2f},{:.2f}", path.empty() ? "" : " ", plane.left(dot->x.size),
                        plane.top(dot->y.size));
  if (edge.size() > 1) out += fmt::format("<polyline class=\"edge\" points=\"{}\"/>\n", path);
  for (const Dots::Dot& dot : dots.dots)
    out += fmt::format(
        "<circle class=\"s{}\" cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{}\" data-row=\"{}\" data-x=\"{}\" "
        "data-y=\"{}\" data-edge=\"{}\"><title>{}: {} {}, {} {}</title></circle>\n",
        dot.series % 12, plane.left(dot.x.size), plane.top(dot.y.size), dot.edge ? 5 : 3.2,
        html_attribute(dot.label), html_attribute(dot.x.exact), html_attribute(dot.y.exact),
        dot.edge ? 1 : 0, html(dot.label), html(dots.x_exact), html(dot.x.exact),
        html(dots.y_exact), html(dot.y.exact));
  return out + "</svg>\n";
}

std::string lines_svg(const Picture& picture, const Lines& lines) {
  double right = 0, high = 0;
  for (const Lines::Line& line : lines.lines)
    for (const Lines::Point& point : line.points) {
      right = std::max(right, point.x.size);
      high = std::max(high, point.y.size);
    }
  const Plane plane{scale_of(0, right, 7), scale_of(0, high, 6)};
  std::string out = svg_open(picture, kTop + kHeight + kBottom) +
                    axes(plane, lines.x_title, lines.y_title);
  for (std::size_t i = 0; i < lines.lines.size(); ++i) {
    const Lines::Line& line = lines.lines[i];
    std::string path, values;
    for (const Lines::Point& point : line.points) {
      path += fmt::format("{}{:.2f},{:.2f}", path.empty() ? "" : " ", plane.left(point.x.size),
                          plane.top(point.y.size));
      values += (values.empty() ? "" : " ") + point.x.exact + "," + point.y.exact;
    }
    out += fmt::format(
        "<polyline class=\"line l{}\" points=\"{}\" data-row=\"{}\" data-values=\"{}\">"
        "<title>{}</title></polyline>\n",
        i % 12, path, html_attribute(line.label), html_attribute(values), html(line.label));
  }
  for (const Mark& mark : lines.marks) {
    if (mark.at.size > plane.x.high) continue;
    const double x = plane.left(mark.at.size);
    out += fmt::format("<g data-mark=\"{}\" data-value=\"{}\">", html_attribute(mark.label),
                       html_attribute(mark.at.exact));
    out += svg_line(x, kTop, x, kTop + kHeight, "mark");
    out += fmt::format("<title>{}: {}</title></g>\n", html(mark.label), html(mark.at.exact));
  }
  return out + "</svg>\n";
}

}  // namespace gpuplan
