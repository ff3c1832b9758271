// One content in three dresses: what a narrow terminal, Markdown and another language show of it.
#include "catch.hpp"
#include "render/text_table.hpp"

using namespace gpuplan;

namespace {

TextTable prices() {
  TextTable table({{"offer"}, {"price of an hour", true}, {"cheaper", true, 1}, {"seen", false, 2}});
  table.add({"acme/l40s", "0.95", "from 115.79 h", "2026-11-01"});
  table.add({"bolt/h100", "not known", "always", "2026-11-02"});
  return table;
}

RenderOptions wide(Language language) {
  RenderOptions options;
  options.language = language;
  options.width = 200;
  return options;
}

}  // namespace

TEST_CASE("a table says which columns had no room, and a cut cell ends with a mark", "[table]") {
  const std::string narrow = prices().text(44);
  CHECK_THAT(narrow, Catch::Contains("(not shown at this width: seen)"));
  TextTable names({{"name"}, {"hours", true}});
  names.add({"a name that is far too long", "1"});
  CHECK_THAT(names.text(20), Catch::Contains("…"));
}

TEST_CASE("where a table has no room each row stands on its own lines, with all its columns", "[table]") {
  const std::string text = prices().text(20);
  for (const char* title : {"offer: acme/l40s", "price of an hour:", "cheaper: from", "seen: 2026-11-01"})
    CHECK_THAT(text, Catch::Contains(title));
  CHECK_THAT(text, !Catch::Contains("not shown"));
}

TEST_CASE("words in columns of numbers are said in the reader's language, numbers are not touched", "[table]") {
  const std::string text = prices().in(wide(Language::chinese));
  CHECK_THAT(text, Catch::Contains("未知") && Catch::Contains("总是") && Catch::Contains("从 115.79 小时起"));
  CHECK_THAT(text, !Catch::Contains("not known") && !Catch::Contains("always") && Catch::Contains("0.95"));
}

TEST_CASE("the note of left-out columns is one sentence in the reader's language", "[table]") {
  RenderOptions options = wide(Language::chinese);
  options.width = 44;
  CHECK_THAT(prices().in(options), Catch::Contains("此宽度下未显示") && !Catch::Contains("not shown"));
}
