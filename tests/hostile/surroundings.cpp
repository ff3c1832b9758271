// The same bytes whatever surrounds a run: surroundings PROGRAM FOLDER
//
// Locale, time zone, width and kind of the terminal, colours, threads, and the order of offers in a
// catalog where order means nothing. Nothing but the inputs may show in a result.
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "run.hpp"

namespace {

using gpuplan::hostile::run;

int faults = 0;

const std::vector<std::vector<std::string>> kQuestions{
    {"estimate", "--model", "7b", "--mode", "lora", "--card", "RTX 4090", "--json"},
    {"compare", "--model", "7b", "--mode", "lora", "--samples", "50k", "--json"},
    {"compare", "--model", "13b", "--precision", "int8", "--format", "csv"},
    {"breakeven", "--offer", "compshare/RTX-4090-x1", "--json"},
    {"cards", "memory>=40", "--format", "markdown"}};

const std::vector<std::vector<std::string>> kSurroundings{
    {"LC_ALL=de_DE.UTF-8", "LANG=de_DE.UTF-8"},
    {"LC_ALL=tr_TR.UTF-8", "LANG=tr_TR.UTF-8"},
    {"LC_ALL=zh_CN.UTF-8", "LANG=zh_CN.UTF-8"},
    {"LC_ALL=C"},
    {"TZ=Asia/Shanghai"},
    {"TZ=America/St_Johns"},
    {"COLUMNS=200", "TERM=dumb", "NO_COLOR=1"},
    {"COLUMNS=40", "CLICOLOR_FORCE=1"}};

void same_everywhere(const std::string& program) {
  for (std::vector<std::string> words : kQuestions) {
    words.insert(words.begin(), program);
    const std::string usual = run(words).out;
    for (const auto& environment : kSurroundings)
      if (run(words, {.environment = environment}).out != usual) {
        ++faults;
        std::printf("%s %s: other bytes under %s\n", words[1].c_str(), words[2].c_str(),
                    environment.front().c_str());
      }
    if (usual.empty()) {
      ++faults;
      std::printf("%s: no answer\n", words[1].c_str());
    }
  }
}

// A market whose offers and platforms stand in this order or the other way round.
void write_market(const std::filesystem::path& path, bool reversed) {
  constexpr std::array kCards{"RTX 4090", "L40S", "A100 80GB", "H100 SXM"};
  std::ofstream file(path);
  file << R"({"schema":"gpuplan.catalog/1","name":"m","as_of":"2026-11-01","currency":"USD","platforms":[)";
  for (int i = 0; i < 3; ++i) {
    const int p = reversed ? 2 - i : i;
    file << (i == 0 ? "" : ",") << R"({"id":"p)" << p << R"(","offers":[)";
    for (int j = 0; j < 40; ++j) {
      const int o = reversed ? 39 - j : j;
      file << (j == 0 ? "" : ",") << R"({"id":"o)" << o << R"(","card":")" << kCards[static_cast<std::size_t>(o % 4)]
           << R"(","price":{"on_demand":)" << (1 + (o * 7 + p * 3) % 11) << "}}";
    }
    file << "]}";
  }
  file << "]}";
}

// From the ranking on: what stands before it names the catalog by its hash.
std::string decision(const std::string& json) {
  const auto at = json.find("\"ranking\"");
  return at == std::string::npos ? std::string{} : json.substr(at);
}

void same_in_any_order(const std::string& program, const std::filesystem::path& folder) {
  std::string first;
  for (const bool reversed : {false, true}) {
    const auto path = folder / "market.json";
    write_market(path, reversed);
    const auto ended = run({program, "compare", path.string(), "--model", "7b", "--mode", "lora",
                            "--run-hours", "10", "--json"});
    const std::string own = decision(ended.out);
    if (own.empty() || (reversed && own != first)) {
      ++faults;
      std::printf("offers in another order: another decision (exit code %d)\n", ended.exit);
    }
    first = own;
    std::filesystem::remove(path);
  }
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) return 2;
  same_everywhere(words[1]);
  same_in_any_order(words[1], words[2]);
  return faults == 0 ? 0 : 1;
}
