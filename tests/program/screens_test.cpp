// What stands on the screen, to the letter: screens/NAME-COLUMNS.txt. GPUPLAN_UPDATE=1 writes them anew;
// read the difference before you keep it.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "catch.hpp"
#include "run_program.hpp"

namespace {

using Words = std::vector<std::string>;

struct Screen {
  std::string name;
  Words words;
};

const std::string kShop = "examples/shop.json";

const std::vector<Screen>& screens() {
  static const std::vector<Screen> all{
      {"estimate", {"estimate", "--model", "7b", "--mode", "lora", "--card", "RTX 4090", "--card", "L40S"}},
      {"compare", {"compare", kShop, "--model", "7b", "--mode", "lora", "--run-hours", "10", "--disk", "100GB"}},
      {"simulate", {"simulate", kShop, "--offer", "acme/l40s", "--run-hours", "10", "--disk", "100GB"}},
      {"breakeven", {"breakeven", kShop, "--offer", "acme/l40s", "--buy-price", "8000"}},
      {"checklist", {"checklist", kShop, "--offer", "acme/l40s", "--run-hours", "10"}},
      {"transfer", {"transfer", "--size", "40GB", "--line", "100Mbps"}},
      {"cards", {"cards", "RTX 4090", "L40S"}},
      {"show", {"catalog", "show", kShop, "--group", "card"}}};
  return all;
}

Words quiet(Words words) {
  words.push_back("-q");
  return words;
}

void check_screen(const std::string& file, const std::string& seen) {
  const std::string path = GPUPLAN_SOURCE_DIR "/tests/program/screens/" + file + ".txt";
  if (std::getenv("GPUPLAN_UPDATE") != nullptr) std::ofstream(path) << seen;
  INFO(path);
  CHECK(seen == read_text(path));
}

const How kDumb{.environment = {{"TERM", "dumb"}}};

}  // namespace

TEST_CASE("screens of 40, 80 and 200 columns stay as they are") {
  for (const Screen& screen : screens())
    for (const int columns : {40, 80, 200}) {
      const Ran ran = run_on_terminal(columns, quiet(screen.words), kDumb);
      CHECK(ran.code == 0);
      check_screen(screen.name + "-" + std::to_string(columns), ran.out);
    }
}

TEST_CASE("a dumb terminal, NO_COLOR and a pipe show one text, a terminal with colours its own") {
  const Words compare = quiet(screens()[1].words);
  const std::string dumb = run_on_terminal(80, compare, kDumb).out;
  CHECK(run_on_terminal(80, compare, {.environment = {{"TERM", "xterm"}, {"NO_COLOR", "1"}}}).out == dumb);
  CHECK(run(compare).out == dumb);
  check_screen("compare-colours", run_on_terminal(80, compare, {.environment = {{"TERM", "xterm-256color"}}}).out);
}
