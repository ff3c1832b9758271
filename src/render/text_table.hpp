#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gpuplan/render.hpp"

namespace gpuplan {

struct Column {
  std::string title;
  bool right = false;  // numbers
  int priority = 0;    // 0 always shown; the highest is left out first when the width is short
};

// Rows of text that become an aligned table, CSV or Markdown: one content, three dresses.
class TextTable {
 public:
  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}
  void add(std::vector<std::string> cells);
  bool empty() const { return rows_.empty(); }

  // At most `width` columns; names what was left out on a last line, in that language.
  std::string text(int width, bool color = false, Language language = Language::english) const;
  // With titles and known words of its cells in that language; names stay as they are.
  TextTable translated(Language language) const;
  std::string csv() const;
  std::string markdown() const;
  // With exact values beside what is shown, for sorting and for those who read the page by program;
  // `exact` has the same rows and columns. The caption is for people and readers of the screen.
  std::string html(std::string_view caption, const TextTable* exact = nullptr) const;
  std::string in(Format format, int width) const;
  std::string in(const RenderOptions& options) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

// Makes text of a file safe for a terminal: no control characters.
std::string safe(std::string_view text);
// Without the signs that Markdown would take for its own.
std::string markdown_text(std::string_view plain);
// A bar of `cells` characters for a share between 0 and 1.
std::string bar(double share, int cells);
// Breaks a line between words; further lines are indented.
std::string wrap(std::string_view text, int width, int indent);

}  // namespace gpuplan
