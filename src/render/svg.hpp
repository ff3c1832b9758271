#pragma once

#include <string>

#include "render/picture.hpp"

namespace gpuplan {

// The drawings alone, `<svg>` to `</svg>`.
std::string bars_svg(const Picture& picture, const Bars& bars);
std::string dots_svg(const Picture& picture, const Dots& dots);
std::string lines_svg(const Picture& picture, const Lines& lines);
std::string spread_svg(const Picture& picture, const Spread& spread);

// Opens a drawing of that height with its title and description; all are as wide.
inline constexpr double kDrawingWidth = 760;
std::string svg_open(const Picture& picture, double height);
std::string svg_text(double x, double y, std::string_view anchor, std::string_view text,
                     std::string_view style = {});
std::string svg_line(double x1, double y1, double x2, double y2, std::string_view style);

}  // namespace gpuplan
