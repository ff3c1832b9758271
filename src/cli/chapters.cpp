#include "cli/chapters.hpp"

#include <algorithm>

#include "core/builtin.hpp"
#include "render/text_table.hpp"

namespace gpuplan::cli {

std::vector<Chapter> chapters(Language language) {
  std::vector<Chapter> found;
  std::string_view text =
      language == Language::chinese ? builtin_explain_zh() : builtin_explain();
  constexpr std::string_view kHead = "## ";
  while (text.starts_with(kHead)) {
    const auto end = text.find('\n');
    const std::string_view head = text.substr(kHead.size(), end - kHead.size());
    const auto colon = head.find(": ");
    const auto next = text.find("\n## ", end);
    found.push_back({.name = head.substr(0, colon),
                     .title = head.substr(colon + 2),
                     .text = text.substr(end + 1, next == text.npos ? text.npos : next - end)});
    text = next == text.npos ? std::string_view{} : text.substr(next + 1);
  }
  return found;
}

std::vector<std::string> paragraphs(const Chapter& chapter) {
  std::vector<std::string> found;
  std::string paragraph;
  std::string_view text = chapter.text;
  const auto close = [&] {
    if (!paragraph.empty()) found.push_back(std::move(paragraph));
    paragraph.clear();
  };
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) {
      close();
    } else if (line.starts_with("    ")) {
      paragraph += (paragraph.empty() ? "" : "\n") + std::string(line);
    } else {
      paragraph += (paragraph.empty() ? "" : " ") + std::string(line);
    }
  }
  close();
  return found;
}

std::string chapter_text(const Chapter& chapter, int width) {
  std::string out(chapter.title);
  out += "\n";
  for (const std::string& paragraph : paragraphs(chapter))
    out += "\n" + (paragraph.starts_with(' ') ? paragraph : wrap(paragraph, width, 0)) + "\n";
  return out;
}

}  // namespace gpuplan::cli
