// What the first screen of the README says leads a newcomer to a ranking and to a page.
#include <algorithm>

#include "catch.hpp"
#include "html_reader.hpp"
#include "run_program.hpp"

namespace {

std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words(1);
  for (const char c : line)
    if (c == ' ')
      words.emplace_back();
    else
      words.back() += c;
  words.erase(words.begin());  // gpuplan
  std::erase(words, "");
  return words;
}

}  // namespace

TEST_CASE("the first screen of the README leads to a ranking and to a page") {
  const auto lines = lines_of(read_text(GPUPLAN_SOURCE_DIR "/README.md"));
  const auto end = std::ranges::find(lines, std::string("## Which offer?"));
  REQUIRE(end != lines.end());
  const Folder folder;
  int rankings = 0, pages = 0;
  bool quickstart = false;
  for (auto line = lines.begin(); line != end; ++line) {
    quickstart = quickstart || line->starts_with("./examples/quickstart.sh");
    const auto command = line->starts_with("$ gpuplan ") ? line->substr(2)
                         : line->starts_with("    gpuplan ") ? line->substr(4)
                                                            : std::string{};
    if (command.empty()) continue;
    const Ran ran = run(words_of(command), {.folder = folder.path()});
    CAPTURE(command, ran.err);
    CHECK(ran.code == 0);
    if (command.find(" compare ") == std::string::npos) continue;
    if (command.find("-o report.html") != std::string::npos) {
      const HtmlPage page = read_html(read_text(folder.path("report.html")));
      CHECK(page.unbalanced.empty());
      CHECK(std::ranges::any_of(page.elements, [](const Element& e) { return e.name == "svg"; }));
      ++pages;
    } else {
      CHECK_THAT(ran.out, Catch::Contains("\nTake "));
      ++rankings;
    }
  }
  CHECK(quickstart);
  CHECK(rankings >= 1);
  CHECK(pages == 1);
  // It is a screen: what comes before the first command is no longer than one.
  const auto first = std::ranges::find_if(
      lines, [](const std::string& line) { return line.starts_with("$ gpuplan "); });
  CHECK(first - lines.begin() < 25);
}
