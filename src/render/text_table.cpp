#include "render/text_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/text.hpp"
#include "render/picture.hpp"

namespace gpuplan {
namespace {

constexpr std::size_t kLeastCell = 6;  // of a word that is cut

std::string pad(const std::string& cell, std::size_t width, bool right) {
  const std::size_t own = display_width(cell);
  const std::string blanks(width > own ? width - own : 0, ' ');
  return right ? blanks + cell : cell + blanks;
}

std::string csv_cell(const std::string& cell) {
  // What begins like a formula would be run by a spreadsheet; a negative number is none.
  const bool formula =
      !cell.empty() && (std::string_view("=+@").find(cell.front()) != std::string_view::npos ||
                        (cell.front() == '-' &&
                         cell.find_first_not_of("0123456789.", 1) != std::string::npos));
  if (!formula && cell.find_first_of(",\"\n\r") == std::string::npos) return cell;
  std::string quoted = formula ? "\"'" : "\"";
  for (const char c : cell) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

std::string markdown_text(std::string_view plain) {
  std::string text;
  for (const char c : plain) {
    if (std::string_view("|<`[\\").find(c) != std::string_view::npos) text += '\\';
    text += c;
  }
  return text;
}

namespace {

std::string visible(std::string_view text, std::size_t most) {
  const std::string with_quotes = quote(text, most);
  std::string plain;
  for (std::size_t i = 1; i + 1 < with_quotes.size(); ++i) {
    if (with_quotes[i] == '\\' && (with_quotes[i + 1] == '"' || with_quotes[i + 1] == '\\')) ++i;
    plain += with_quotes[i];
  }
  return plain;
}

// A line at a time: an end of line is no sign that would have to be shown.
std::string visible_lines(std::string_view text) {
  std::string out;
  for (;;) {
    const auto end = std::min(text.find('\n'), text.size());
    out += visible(text.substr(0, end), text.size());
    if (end == text.size()) return out;
    out += '\n';
    text.remove_prefix(end + 1);
  }
}

}  // namespace

std::string safe(std::string_view text) { return visible(text, 1000); }

std::string bar(double share, int cells) {
  constexpr std::array<std::string_view, 8> kEighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const auto eighths = std::lround(std::clamp(share, 0.0, 1.0) * cells * 8);
  std::string text;
  for (long i = 0; i < eighths / 8; ++i) text += "█";
  text += kEighths[static_cast<std::size_t>(eighths % 8)];
  return text.empty() && share > 0 ? "▏" : text;
}

namespace {

// The next piece that is not broken: a word, or one wide character with what may not begin a line.
std::string_view next_piece(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && text[end] != ' ') {
    std::size_t bytes = 1;
    while (end + bytes < text.size() &&
           (static_cast<unsigned char>(text[end + bytes]) & 0xc0U) == 0x80U)
      ++bytes;
    const std::string_view sign = text.substr(end, bytes);
    const bool is_wide = display_width(sign) == 2;
    constexpr std::string_view kNeverFirst = "，。；：！？、）》」";
    const bool closes = is_wide && kNeverFirst.find(sign) != std::string_view::npos;
    if (is_wide && !closes && end > 0) return text.substr(0, end);
    end += bytes;
    if (is_wide && !closes &&
        (end >= text.size() || kNeverFirst.find(text.substr(end, 3)) == std::string_view::npos))
      return text.substr(0, end);
  }
  return text.substr(0, end);
}

}  // namespace

std::string wrap(std::string_view any_text, int width, int indent) {
  const std::string shown = visible_lines(any_text);  // names of documents stand in sentences
  std::string_view text = shown;
  std::string out;
  int column = 0;
  // `width` is what the first line has left; the further lines lose their indent from the same
  // room.
  const int limit = std::max(width, 20);
  bool blank = false;  // stands before the next piece
  while (!text.empty()) {
    const std::string_view piece = next_piece(text);
    const int length = static_cast<int>(display_width(piece));
    if (column > 0 && column + (blank ? 1 : 0) + length > limit) {
      out += "\n" + std::string(static_cast<std::size_t>(indent), ' ');
      column = 0;
    } else if (column > 0 && blank) {
      out += ' ';
      ++column;
    }
    out += piece;
    column += length;
    text.remove_prefix(piece.size());
    blank = !text.empty() && text.front() == ' ';
    if (blank) text.remove_prefix(1);
  }
  return out;
}

void TextTable::add(std::vector<std::string> cells) {
  for (std::string& cell : cells) cell = safe(cell);
  cells.resize(columns_.size());
  rows_.push_back(std::move(cells));
}

TextTable TextTable::translated(Language language) const {
  // Words of these columns are names, whatever they look like.
  constexpr std::array<std::string_view, 9> kNames{"platform", "card", "offer", "region", "name",
                                                   "model", "project", "member", "file"};
  TextTable other(columns_);
  other.rows_ = rows_;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const bool names = std::ranges::find(kNames, columns_[c].title) != kNames.end();
    other.columns_[c].title = gpuplan::translated(columns_[c].title, language);
    if (names) continue;
    // In a column of numbers stand words too: "not known", "from 115.79 h".
    const auto word = [&](const std::string& cell) {
      return !columns_[c].right || cell.find_first_of("abcdefghijklmnopqrstuvwxyz") != std::string::npos;
    };
    for (auto& row : other.rows_)
      if (word(row[c])) row[c] = gpuplan::translated(row[c], language);
  }
  return other;
}

std::string TextTable::text(int width, bool color, Language language) const {
  std::vector<std::size_t> widths(columns_.size());
  std::vector<bool> shown(columns_.size(), true);
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    widths[c] = display_width(columns_[c].title);
    for (const auto& row : rows_) widths[c] = std::max(widths[c], display_width(row[c]));
  }
  const auto total = [&] {
    std::size_t sum = 0;
    for (std::size_t c = 0; c < columns_.size(); ++c)
      if (shown[c]) sum += widths[c] + 2;
    return sum < 2 ? 0 : sum - 2;
  };
  std::vector<std::string> left_out;
  while (total() > static_cast<std::size_t>(std::max(width, 0))) {
    std::size_t worst = columns_.size();
    for (std::size_t c = 0; c < columns_.size(); ++c)
      if (shown[c] && columns_[c].priority > 0 &&
          (worst == columns_.size() || columns_[c].priority >= columns_[worst].priority))
        worst = c;
    if (worst == columns_.size()) break;
    shown[worst] = false;
  }
  // What was dropped before a wide column may have room again: the most wanted first.
  for (int priority = 1; priority < 10; ++priority)
    for (std::size_t c = 0; c < columns_.size(); ++c)
      if (!shown[c] && columns_[c].priority == priority &&
          total() + 2 + widths[c] <= static_cast<std::size_t>(std::max(width, 0)))
        shown[c] = true;
  for (std::size_t c = 0; c < columns_.size(); ++c)
    if (!shown[c]) left_out.push_back(columns_[c].title);
  // What is still too wide loses the ends of its longest words, with an ellipsis in their place.
  while (total() > static_cast<std::size_t>(std::max(width, 0))) {
    std::size_t widest = columns_.size();
    for (std::size_t c = 0; c < columns_.size(); ++c)
      if (shown[c] && !columns_[c].right && widths[c] > kLeastCell &&
          (widest == columns_.size() || widths[c] > widths[widest]))
        widest = c;
    if (widest == columns_.size()) break;
    --widths[widest];
  }
  // No room for a table at all: each row as lines of its own, which have room for every column.
  if (total() > static_cast<std::size_t>(std::max(width, 0)) && width > 0) {
    std::string blocks;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      if (r > 0) blocks += "\n";
      for (std::size_t c = 0; c < columns_.size(); ++c)
        if (!rows_[r][c].empty())
          blocks += wrap((columns_[c].title.empty() ? "" : columns_[c].title + ": ") + rows_[r][c],
                         width - 2, 2) +
                    "\n";
    }
    return blocks;
  }
  std::string out;
  const auto line = [&](const std::vector<std::string>& cells) {
    std::string text;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (!shown[c]) continue;
      if (!text.empty()) text += "  ";
      text += pad(shortened(cells[c], widths[c]), widths[c], columns_[c].right);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out += text + "\n";
  };
  std::vector<std::string> titles;
  for (const Column& column : columns_) titles.push_back(column.title);
  line(titles);
  if (color) out = "\x1b[1m" + out.substr(0, out.size() - 1) + "\x1b[0m\n";
  for (const auto& row : rows_) line(row);
  if (!left_out.empty())
    out += wrap(gpuplan::translated("(not shown at this width: " + join(left_out, ", ") + ")", language),
                width - 1, 1) +
           "\n";
  return out;
}

std::string TextTable::csv() const {
  std::string out;
  for (std::size_t c = 0; c < columns_.size(); ++c)
    out += (c > 0 ? "," : "") + csv_cell(columns_[c].title);
  out += "\n";
  for (const auto& row : rows_) {
    for (std::size_t c = 0; c < columns_.size(); ++c) out += (c > 0 ? "," : "") + csv_cell(row[c]);
    out += "\n";
  }
  return out;
}

std::string TextTable::markdown() const {
  std::string out = "|";
  for (const Column& column : columns_) out += " " + markdown_text(column.title) + " |";
  out += "\n|";
  for (const Column& column : columns_) out += column.right ? " --: |" : " :-- |";
  out += "\n";
  for (const auto& row : rows_) {
    out += "|";
    for (const std::string& cell : row) out += " " + markdown_text(cell) + " |";
    out += "\n";
  }
  return out;
}

std::string TextTable::in(Format format, int width) const {
  if (format == Format::csv) return csv();
  if (format == Format::markdown) return markdown();
  if (format == Format::html) return html({});
  return text(width);
}

std::string TextTable::in(const RenderOptions& options) const {
  if (options.format == Format::csv) return csv();
  const TextTable said = options.language == Language::english ? *this : translated(options.language);
  return options.format == Format::table ? said.text(options.width, options.color, options.language)
                                         : said.in(options.format, options.width);
}

}  // namespace gpuplan
