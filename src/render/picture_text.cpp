// Pictures of block characters, for `--chart`.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/text.hpp"
#include "render/picture.hpp"
#include "render/text_table.hpp"

namespace gpuplan {
namespace {

// Told apart without colours.
constexpr std::array<std::string_view, 8> kFills{"█", "▒", "░", "▓", "▚", "=", "+", ":"};
constexpr std::array<std::string_view, 10> kSigns{"o", "x", "+", "#", "@",
                                                  "%", "&", "a", "b", "c"};
constexpr int kRows = 14;

std::string padded(const std::string& text, std::size_t cells) {
  const std::size_t own = display_width(text);
  return text + std::string(cells > own ? cells - own : 0, ' ');
}

template <class Rows>
std::size_t label_cells(const Rows& rows, int width) {
  std::size_t widest = 0;
  for (const auto& row : rows) widest = std::max(widest, display_width(row.label));
  return std::min(widest, static_cast<std::size_t>(width / 3));
}

std::string legend(const std::vector<std::string>& names, std::span<const std::string_view> signs,
                   int width) {
  if (names.size() < 2) return {};
  std::string line;
  for (std::size_t i = 0; i < names.size(); ++i)
    line += fmt::format("{}{} {}", i > 0 ? "   " : "", signs[i % signs.size()], safe(names[i]));
  return "  " + wrap(line, width - 2, 2) + "\n";
}

std::string draw(const Picture& picture, const Bars& bars, int width) {
  const std::size_t labels = label_cells(bars.rows, width);
  std::size_t notes = 0;
  double most = 0;
  for (const Bars::Row& row : bars.rows) {
    double above = 0;
    for (const Bars::Part& part : row.parts) above += std::max(part.value.size, 0.0);
    most = std::max(most, above);
    notes = std::max(notes, display_width(row.note));
  }
  for (const Mark& mark : bars.marks) most = std::max(most, mark.at.size);
  const int cells = std::max(width - static_cast<int>(labels + notes) - 5, 8);
  std::string out;
  for (const Bars::Row& row : bars.rows) {
    std::string line;
    double end = 0;
    long drawn = 0;
    for (const Bars::Part& part : row.parts) {
      end += std::max(part.value.size, 0.0);
      const long to = most > 0 ? std::lround(end / most * cells) : 0;
      for (; drawn < to; ++drawn) line += kFills[part.series % kFills.size()];
    }
    out += "  " + padded(shortened(safe(row.label), labels), labels) + " " + line + " " +
           row.note + "\n";
  }
  for (const Mark& mark : bars.marks) {
    const long at = most > 0 ? std::lround(mark.at.size / most * cells) : 0;
    const std::size_t column = labels + 3 + static_cast<std::size_t>(std::max(at - 1, 0L));
    const std::string label = shortened(safe(mark.label), static_cast<std::size_t>(width) - 4);
    const std::size_t length = display_width(label) + 2;
    const bool behind = column + length <= static_cast<std::size_t>(width);
    const std::size_t blanks = behind ? column : column + 1 > length ? column + 1 - length : 0;
    out += std::string(blanks, ' ') + (behind ? "^ " + label : label + " ^") + "\n";
  }
  const auto credit = std::ranges::any_of(bars.rows, [](const Bars::Row& row) {
    return std::ranges::any_of(row.parts,
                               [](const Bars::Part& part) { return part.value.size < 0; });
  });
  if (credit) out += "  (credits and discounts are taken off the sums; they are not drawn)\n";
  std::vector<std::string> used;
  std::vector<std::string_view> signs;
  for (std::size_t i = 0; i < bars.series.size(); ++i) {
    used.push_back(bars.series[i]);
    signs.push_back(kFills[i % kFills.size()]);
  }
  return out + legend(used, kFills, width) + "  " + picture.unit + "\n";
}

// A field of characters with its axes.
class Field {
 public:
  Field(int width, Scale x, Scale y)
      : x_(x), y_(y), columns_(static_cast<std::size_t>(std::max(width - 12, 16))),
        rows_(kRows, std::vector<std::string_view>(columns_, " ")) {}
  void put(double x, double y, std::string_view sign, bool over = true) {
    const auto column = static_cast<std::size_t>(
        std::lround(std::clamp(x_.at(x), 0.0, 1.0) * static_cast<double>(columns_ - 1)));
    const auto row = static_cast<std::size_t>(
        std::lround((1 - std::clamp(y_.at(y), 0.0, 1.0)) * (kRows - 1)));
    if (over || rows_[row][column] == " ") rows_[row][column] = sign;
  }
  std::string text(const std::string& x_title, const std::string& y_title) const {
    std::string out = "  " + safe(y_title) + "\n";
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      const bool edge = r == 0 || r + 1 == rows_.size();
      out += fmt::format("{:>9} |", edge ? tick_text(r == 0 ? y_.high : y_.low) : "");
      std::string line;
      for (const std::string_view cell : rows_[r]) line += cell;
      line.erase(line.find_last_not_of(' ') + 1);
      out += line + "\n";
    }
    out += std::string(10, ' ') + "+" + std::string(columns_, '-') + "\n";
    const std::string right = tick_text(x_.high);
    const std::string low = tick_text(x_.low);
    return out + std::string(11, ' ') + low +
           std::string(columns_ - std::min(columns_, low.size() + right.size()), ' ') + right +
           "\n" + std::string(11, ' ') + safe(x_title) + "\n";
  }

 private:
  Scale x_, y_;
  std::size_t columns_;
  std::vector<std::vector<std::string_view>> rows_;
};

std::string draw(const Picture&, const Dots& dots, int width) {
  double right = 0, high = 0, low = 0;
  for (const Dots::Dot& dot : dots.dots) {
    right = std::max(right, dot.x.size);
    high = std::max(high, dot.y.size);
    low = std::min(low, dot.y.size);
  }
  Field field(width, scale_of(0, right, 7), scale_of(low, high, 6));
  for (const Dots::Dot& dot : dots.dots)
    if (!dot.edge) field.put(dot.x.size, dot.y.size, "·", false);
  for (const Dots::Dot& dot : dots.dots)
    if (dot.edge) field.put(dot.x.size, dot.y.size, "●");
  return field.text(dots.x_title, dots.y_title) + "  ● nothing is both cheaper and faster\n";
}

std::string draw(const Picture&, const Lines& lines, int width) {
  double right = 0, high = 0;
  for (const Lines::Line& line : lines.lines)
    for (const Lines::Point& point : line.points) {
      right = std::max(right, point.x.size);
      high = std::max(high, point.y.size);
    }
  Field field(width, scale_of(0, right, 7), scale_of(0, high, 6));
  std::vector<std::string> names;
  for (std::size_t i = 0; i < lines.lines.size(); ++i) {
    const auto& points = lines.lines[i].points;
    names.push_back(lines.lines[i].label);
    for (std::size_t p = 0; p + 1 < points.size(); ++p)
      for (int step = 0; step < 100; ++step) {
        const double share = step / 100.0;
        field.put(points[p].x.size + share * (points[p + 1].x.size - points[p].x.size),
                  points[p].y.size + share * (points[p + 1].y.size - points[p].y.size),
                  kSigns[i % kSigns.size()], false);
      }
  }
  std::string out = field.text(lines.x_title, lines.y_title) + legend(names, kSigns, width);
  for (const Mark& mark : lines.marks)
    out += "  " + wrap(safe(mark.label), width - 2, 2) + "\n";
  return out;
}

std::string draw(const Picture& picture, const Spread& spread, int width) {
  const std::size_t labels = label_cells(spread.rows, width);
  double most = 0;
  std::size_t notes = 0;
  for (const Spread::Row& row : spread.rows) {
    most = std::max(most, row.p95.size);
    notes = std::max(notes, display_width(row.note));
  }
  const int cells = std::max(width - static_cast<int>(labels + notes) - 5, 8);
  const auto at = [&](const Drawn& value) {
    return most > 0 ? std::lround(value.size / most * (cells - 1)) : 0;
  };
  std::string out;
  for (const Spread::Row& row : spread.rows) {
    std::string line;
    for (long c = 0; c < cells; ++c)
      line += c == at(row.p50)                           ? "┃"
              : c >= at(row.p10) && c <= at(row.p90)     ? "▒"
              : c >= at(row.p5) && c <= at(row.p95)      ? "─"
                                                         : " ";
    out += "  " + padded(shortened(safe(row.label), labels), labels) + " " + line + " " +
           row.note + "\n";
  }
  return out + "  ─ 5 to 95, ▒ 10 to 90, ┃ 50 of 100 runs; " + picture.unit + "\n";
}

}  // namespace

namespace {

void translate(Bars& bars, Language language) {
  for (std::string& name : bars.series) name = translated(name, language);
  for (Bars::Row& row : bars.rows) {
    row.label = translated(row.label, language);
    row.note = translated(row.note, language);
  }
}

void translate(Dots& dots, Language language) {
  for (std::string* title : {&dots.x_title, &dots.y_title}) *title = translated(*title, language);
}

void translate(Lines& lines, Language language) {
  for (Lines::Line& line : lines.lines) line.label = translated(line.label, language);
  for (std::string* title : {&lines.x_title, &lines.y_title}) *title = translated(*title, language);
  for (Mark& mark : lines.marks) mark.label = translated(mark.label, language);
}

void translate(Spread& spread, Language language) {
  for (Spread::Row& row : spread.rows) row.label = translated(row.label, language);
}

// What was said in English below a drawing; its lines of bars and names stay as they are.
std::string with_notes(const std::string& drawing, Language language) {
  std::string out;
  for (std::size_t from = 0; from < drawing.size();) {
    const auto end = std::min(drawing.find('\n', from), drawing.size());
    const std::string line = drawing.substr(from, end - from);
    const bool note = line.starts_with("  (") || line.starts_with("  ●") || line.starts_with("  ─ 5");
    out += (note ? "  " + translated(line.substr(2), language) : line) + "\n";
    from = end + 1;
  }
  return out;
}

}  // namespace

std::string picture_text(const Picture& picture, int width) {
  std::string out = wrap(picture.title, width, 0) + "\n";
  return out + std::visit([&](const auto& content) { return draw(picture, content, width); },
                          picture.content);
}

std::string pictures_text(const Pictures& pictures, const RenderOptions& options) {
  std::string out;
  for (Picture picture : pictures) {
    if (options.language == Language::english) {
      out += "\n" + picture_text(picture, options.width);
      continue;
    }
    picture.title = translated(picture.title, options.language);
    picture.unit = translated(picture.unit, options.language);
    std::visit([&](auto& content) { translate(content, options.language); }, picture.content);
    out += "\n" + with_notes(picture_text(picture, options.width), options.language);
  }
  return out;
}

}  // namespace gpuplan
