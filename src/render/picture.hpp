#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "gpuplan/render.hpp"

namespace gpuplan {

// A number of a picture: what is drawn, and the digits that JSON prints for the same thing.
struct Drawn {
  double size = 0;
  std::string exact;
};

// A value that all rows of a picture are held against: the memory of a card.
struct Mark {
  std::string label;
  Drawn at;
};

// Rows of bars, each made of parts that stand one behind the other; what is below zero goes to the
// left of it.
struct Bars {
  struct Part {
    std::size_t series = 0;
    Drawn value;
  };
  struct Row {
    std::string label;
    std::vector<Part> parts;
    std::string note;  // written behind the bar: its sum
  };
  std::vector<std::string> series;
  std::vector<Row> rows;
  std::vector<Mark> marks;
};

// Points in a plane; those that nothing beats in both directions are joined.
struct Dots {
  struct Dot {
    std::string label;
    Drawn x, y;
    bool edge = false;
    std::size_t series = 0;
  };
  std::string x_title, y_title;  // of the axes: "hours until it is done"
  std::string x_exact, y_exact;  // of the exact values: "wall_s"
  std::vector<std::string> series;
  std::vector<Dot> dots;
};

// One line for each series over a common x; `marks` are crossings, by x.
struct Lines {
  struct Point {
    Drawn x, y;
  };
  struct Line {
    std::string label;
    std::vector<Point> points;
  };
  std::string x_title, y_title;
  std::string x_exact, y_exact;
  std::vector<Line> lines;
  std::vector<Mark> marks;
};

// Where the values of many runs lie: p5 to p95 as a line, p10 to p90 as a box, p50 as a stroke.
struct Spread {
  struct Row {
    std::string label;
    Drawn p5, p10, p50, p90, p95;
    std::string note;  // written behind the line: p50 for people
  };
  std::vector<Row> rows;
};

// One picture of a result; SVG and block characters are drawn from the same.
struct Picture {
  std::string key;      // stable: "bill-by-part"
  std::string title;
  std::string summary;  // what it shows, for those who do not see it
  std::string unit;        // of the axis: "GiB"
  std::string exact_unit;  // of the exact values: "bytes"
  std::variant<Bars, Dots, Lines, Spread> content;
};
using Pictures = std::vector<Picture>;

std::string picture_html(const Picture& picture);
// At most `width` columns.
std::string picture_text(const Picture& picture, int width);
std::string pictures_html(const Pictures& pictures);
std::string pictures_text(const Pictures& pictures, const RenderOptions& options);

// Round numbers between which a scale stands: about `count` steps from at most `low` to at least
// `high`.
struct Scale {
  double low = 0, high = 1, step = 1;
  double at(double value) const { return (value - low) / (high - low); }  // 0 to 1
  std::vector<double> ticks() const;
};
Scale scale_of(double low, double high, int count);
std::string tick_text(double value);
// At most `cells` columns; what was cut is told by an ellipsis.
std::string shortened(std::string_view text, std::size_t cells);

}  // namespace gpuplan
