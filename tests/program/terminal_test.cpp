// What a person at a terminal sees: widths, colours, and what a pipe gets instead.
#include <unistd.h>

#include <cstdlib>

#include "catch.hpp"
#include "core/text.hpp"
#include "run_program.hpp"

namespace {

const std::string kEscape = "\x1b[";

// One run of each command that prints a table.
std::vector<std::vector<std::string>> table_runs() {
  return {{"estimate", "--model", "7b", "--mode", "lora"},
          {"estimate", "--model", "7b", "--card", "RTX 4090", "--explain", "--chart"},
          {"compare", "--model", "7b", "--mode", "lora", "--tokens", "10M", "--chart"},
          {"compare", "tests/golden/compare-csv/acme.json", "--rejected"},
          {"simulate", "tests/golden/compare-csv/acme.json", "--offer", "acme/l40s",
           "--run-hours", "10", "--explain", "--chart"},
          {"breakeven", "tests/golden/compare-csv/acme.json", "--offer", "acme/l40s",
           "--buy-price", "1800", "--chart"},
          {"transfer", "--size", "40GB", "--line", "100Mbps"},
          {"catalog", "validate", "data/catalog.json"},
          {"cards", "RTX 4090", "L40S"},
          {"cards"},
          {"models"}};
}

std::vector<std::string> quiet(std::vector<std::string> words) {
  words.push_back("-q");
  return words;
}

}  // namespace

TEST_CASE("no line is wider than the terminal, on 40, 80 and 200 columns") {
  const int columns = GENERATE(40, 80, 200);
  for (const auto& words : table_runs()) {
    const Ran ran = run_on_terminal(columns, quiet(words), {.environment = {{"TERM", "dumb"}}});
    CAPTURE(columns, words);
    CHECK(ran.code == 0);
    CHECK_FALSE(ran.out.empty());
    for (const std::string& line : lines_of(ran.out)) {
      // A name, an address or a command is not broken: it would no longer be one.
      const auto first = line.find_first_not_of(' ');
      if (first != std::string::npos && line.find(' ', first) == std::string::npos) continue;
      if (line.find("://") != std::string::npos || line.find("  gpuplan ") != std::string::npos ||
          line.starts_with("  rsync ") || line.starts_with("  ssh "))
        continue;
      INFO(line);
      CHECK(gpuplan::display_width(line) <= static_cast<std::size_t>(columns));
    }
  }
}

TEST_CASE("a wider terminal shows more columns") {
  const std::vector<std::string> words{"compare", "-q"};
  const How how{.environment = {{"TERM", "dumb"}}};
  CHECK_THAT(run_on_terminal(40, words, how).out, Catch::Contains("not shown at this width"));
  CHECK_THAT(run_on_terminal(200, words, how).out, Catch::Contains("region"));
  CHECK_FALSE(run_on_terminal(40, words, how).out.find("region  ") != std::string::npos);
}

TEST_CASE("colours are for terminals that have them") {
  // Quietly: a bar of long work is no colour.
  const std::vector<std::string> words{"compare", "-q"};
  CHECK_THAT(run_on_terminal(80, words, {.environment = {{"TERM", "xterm-256color"}}}).out,
             Catch::Contains(kEscape));
  CHECK_THAT(run_on_terminal(80, words, {.environment = {{"TERM", "dumb"}}}).out,
             !Catch::Contains(kEscape));
  CHECK_THAT(run_on_terminal(80, words, {.environment = {{"TERM", "xterm"}, {"NO_COLOR", "1"}}}).out,
             !Catch::Contains(kEscape));
  CHECK_THAT(run_on_terminal(80, {"compare", "-q", "--color", "never"},
                             {.environment = {{"TERM", "xterm"}}}).out,
             !Catch::Contains(kEscape));
  // NO_COLOR that is empty is not set.
  CHECK_THAT(run_on_terminal(80, words, {.environment = {{"TERM", "xterm"}, {"NO_COLOR", ""}}}).out,
             Catch::Contains(kEscape));
  const Ran piped = run(words);
  CHECK_THAT(piped.out + piped.err, !Catch::Contains(kEscape));
}

TEST_CASE("asked for always, --color colours a pipe, but never a form for machines") {
  const Ran table = run({"compare", "--color", "always", "-q"});
  CHECK_THAT(table.out, Catch::Contains(kEscape));
  for (const char* format : {"json", "csv", "markdown", "html"})
    CHECK_THAT(run({"compare", "--color", "always", "-q", "--format", format}).out,
               !Catch::Contains(kEscape));
}

TEST_CASE("colours change no letter of a table") {
  std::string colored = run({"compare", "--color", "always", "-q"}).out;
  for (const std::string& mark : {kEscape + "1m", kEscape + "0m"})
    for (auto from = colored.find(mark); from != std::string::npos; from = colored.find(mark))
      colored.erase(from, mark.size());
  CHECK(colored == run({"compare", "-q"}).out);
}

TEST_CASE("a pipe gets what a terminal of 80 columns shows") {
  for (const auto& words : table_runs())
    CHECK(run(quiet(words)).out ==
          run_on_terminal(80, quiet(words), {.environment = {{"TERM", "dumb"}}}).out);
}

TEST_CASE("names with wide characters keep the columns straight") {
  std::string catalog = small_catalog();
  const auto from = catalog.find("acme");
  REQUIRE(from != std::string::npos);
  for (auto i = catalog.find("\"id\": \"acme\""); i != std::string::npos;
       i = catalog.find("\"id\": \"acme\""))
    catalog.replace(i, 12, "\"id\": \"智星云\"");
  const Ran ran = run({"compare", "-", "-q", "--run-hours", "10"}, {.input = catalog});
  CAPTURE(ran.out, ran.err);
  const auto lines = lines_of(ran.out);
  std::size_t head = 0;
  while (head < lines.size() && !lines[head].starts_with("#")) ++head;
  REQUIRE(head + 1 < lines.size());
  const auto column = [](const std::string& line, const std::string& word) {
    const auto byte = line.find(word);
    return byte == std::string::npos ? std::string::npos
                                     : gpuplan::display_width(line.substr(0, byte));
  };
  CHECK_THAT(lines[head + 1], Catch::Contains("智星云"));
  CHECK(column(lines[head], "card") == column(lines[head + 1], "L40S"));
}

TEST_CASE("a colour or language that does not exist is wrong use") {
  const Ran ran = run({"cards", "--color", "alwys", "--lang", "fr"});
  CHECK(ran.code == 2);
  CHECK_THAT(ran.err, Catch::Contains("did you mean \"always\"?"));
  CHECK_THAT(ran.err, Catch::Contains("expected one of en, zh"));
}

TEST_CASE("a file that is long to read shows on a terminal how much of it is read") {
  const Folder folder;
  // Enough offers that reading them takes longer than a bar's patience.
  std::string offers;
  for (int i = 0; i < 400'000; ++i)
    offers += std::string(i > 0 ? "," : "") + "{\"id\":\"o" + std::to_string(i) +
              "\",\"card\":\"L40S\",\"price\":{\"on_demand\":" + std::to_string(1 + i % 7) + "." +
              std::to_string(i % 89) + "},\"region\":\"r" + std::to_string(i) + "\"}";
  folder.write("long.json", "{\"schema\":\"gpuplan.catalog/1\",\"as_of\":\"2026-11-01\",\"platforms\":[{"
                            "\"id\":\"p\",\"source\":\"made up for this test\",\"stop\":\"released\","
                            "\"offers\":[" + offers + "]}]}");
  const std::vector<std::string> words{"catalog", "show", folder.path("long.json"), "--color", "never"};
  const Ran live = run_on_terminal(80, words, {.environment = {{"TERM", "xterm"}}});
  CHECK(live.code == 0);
  // A machine that reads it within half a second needs no bar.
  const auto bar = live.out.find(" %  ");
  if (live.out.find(" s\x1b[K") == std::string::npos) {
    WARN("read before a bar was due");
  } else if (bar == std::string::npos) {
    WARN("read before the bar was drawn; only what follows was shown");
  } else {
    const int share = std::stoi(live.out.substr(bar - 3, 3));
    CHECK(share >= 0);
    CHECK(share <= 100);
  }
  CHECK_THAT(run(words).err, !Catch::Contains("\x1b"));
}

TEST_CASE("long work shows on a terminal that it goes on, and the line is gone when it is done") {
  // The catalog comes by a pipe, after more than a second.
  How how{.environment = {{"TERM", "xterm"}}};
  const std::string catalog = small_catalog();
  how.in_child = [&catalog] {
    int ends[2];
    if (::pipe(ends) != 0) return;
    if (::fork() == 0) {
      ::close(ends[0]);
      ::usleep(1'200'000);
      [[maybe_unused]] const auto written = ::write(ends[1], catalog.data(), catalog.size());
      std::_Exit(0);
    }
    ::close(ends[1]);
    ::dup2(ends[0], 0);
  };
  const std::vector<std::string> words{"compare", "-", "--run-hours", "10", "--color", "never"};
  const Ran live = run_on_terminal(80, words, how);
  CHECK(live.code == 0);
  CHECK_THAT(live.out, Catch::Contains(" s\x1b[K"));
  // What is left on the screen behind the last clearing is the answer alone.
  const std::string left = live.out.substr(live.out.rfind("\x1b[K") + 3);
  CHECK_THAT(left, Catch::Contains("Take"));
  CHECK_THAT(left, !Catch::Contains("\x1b"));

  how.environment = {{"TERM", "dumb"}};
  CHECK_THAT(run_on_terminal(80, words, how).out, !Catch::Contains("\x1b"));
  CHECK_THAT(run(words, {.input = catalog}).err, !Catch::Contains("\x1b"));
}
