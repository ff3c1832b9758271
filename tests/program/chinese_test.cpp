// What people read is Chinese where Chinese is asked for: no English sentence is left but names,
// units, codes, commands and formulas. JSON and CSV never change.
#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <set>

#include "catch.hpp"
#include "core/json.hpp"
#include "core/text.hpp"
#include "html_reader.hpp"
#include "run_program.hpp"

namespace {

using Words = std::vector<std::string>;

const std::string kAcme = "tests/golden/compare-csv/acme.json";
const std::string kPlans = "tests/golden/compare-jobs-table/plans.json";
const std::string kShop = "tests/golden/checklist-table/shop.json";

std::vector<Words> runs() {
  const std::string jobs = "tests/golden/compare-jobs-table/";
  return {
      {"estimate", "--model", "7b", "--mode", "lora"},
      {"estimate", "--model", "7b", "--mode", "lora", "--gpus", "2"},
      {"estimate", "--model", "7b", "--card", "RTX 4090", "--card", "L40S", "--chart"},
      {"estimate", "--model", "8b", "--mode", "inference", "--card", "L40S", "--concurrency", "max",
       "--ttft", "500ms", "--rate", "5"},
      {"compare", kAcme, "--model", "7b", "--mode", "lora", "--tokens", "10M", "--chart"},
      {"compare", kAcme, "--model", "70b", "--mode", "full", "--rejected"},
      {"compare", kPlans, "--model", "7b", "--mode", "lora", "--run-hours", "10", "--reclaim-mean",
       "5h", "--budget", "4", "--rejected"},
      {"compare", kPlans, "--model", "7b", "--mode", "lora", "--samples", "50k", "--epochs", "3"},
      {"compare", kPlans, "--job", jobs + "a.json", "--job", jobs + "b.json", "--job",
       jobs + "c.json"},
      {"simulate", kAcme, "--offer", "acme/l40s", "--run-hours", "10", "--disk", "200GB",
       "--keep-days", "7", "--budget", "1", "--chart"},
      {"simulate", kPlans, "--offer", "acme/l40s", "--plan", "spot", "--run-hours", "10",
       "--reclaim-mean", "5h", "--deadline", "30h"},
      {"simulate", kPlans, "--offer", "acme/l40s", "--plan", "spot", "--run-hours", "10",
       "--reclaim-mean", "5h", "--chart"},
      {"simulate", kPlans, "--offer", "acme/l40s", "--plan", "spot", "--run-hours", "100",
       "--reclaim-mean", "1h", "--chart"},
      {"breakeven", kAcme, "--offer", "acme/l40s", "--buy-price", "1800", "--run-hours", "10"},
      {"breakeven", kPlans, "--offer", "acme/l40s", "--run-hours", "10", "--chart"},
      {"transfer", kShop, "--offer", "acme/l40s", "--size", "500GB", "--line", "40Mbps",
       "--compression", "0.6", "--chart"},
      {"transfer", "--size", "40GB", "--files", "2M"},
      {"edge", kAcme, "--offer", "acme/l40s", "--per-day", "500GB", "--edge-cost", "150",
       "--latency-ms", "20", "--private", "--line", "20Mbps", "--chart"},
      {"check", "--driver", "550.127", "--framework", "torch=2.9", "--card", "RTX 5090",
       "--card", "L40S"},
      {"check", "--from", "tests/golden/check-hosts/hosts.csv"},
      {"check", "--card", "A10", "--measured-tflops", "30"},
      {"checklist", kShop, "--offer", "acme/l40s", "--run-hours", "10", "--upload", "50GB",
       "--line", "50Mbps", "--disk", "200GB"},
      {"checklist", kShop, "--offer", "acme/l40s", "--mode", "inference", "--requests", "1M",
       "--seconds-per-request", "1", "--machines", "4"},
      {"catalog", "show", kAcme},
      {"catalog", "show", "--group", "card", "--chart"},
      {"catalog", "validate", kAcme},
      {"catalog", "diff", "tests/golden/diff-table/market.json", "tests/golden/diff-table/newer.json",
       "--fail-on", "up:10%"},
      {"cards", "class=datacenter"},
      {"models", "7b", "8b"},
      {"explain"},
      // Wrong use.
      {"estimate", "--model", "7b", "--headrom", "1.2"},
      {"estimate", "--model", "nothing-like-this", "--card", "RTX4091"},
      {"compare", "no-such-catalog.json"},
      {"simulate", kPlans, "--offer", "nosuch", "--run-hours", "10"},
      {"simulate", kPlans, "--offer", "acme/l40s", "--plan", "spot", "--run-hours", "10",
       "--reclaim-mean", "5h", "--policy", "foo"},
      {"estimate", "--model", "7b", "--seq", "many", "--batch", "0", "--headroom", "9"},
      {"edge"},
      {"check"},
      {"catalog", "shw"}};
}

// Words that may stand in a row though they are English: names, and what one types.
bool is_name(const std::string& word) {
  static const std::set<std::string> names{
      "lora", "qlora", "adamw", "bf16", "flash", "token", "tokens", "logits", "memory", "network",
      "compute", "storage", "edge", "spot", "total", "gpuplan", "built", "in", "catalog", "python",
      "torch", "import", "print"};
  return names.contains(word);
}

// "take a newer driver": four plain English words or more, outside quotes and commands.
std::string english_sentence(const std::string& line) {
  for (const std::string command :
       {"gpuplan ", "rsync ", "rclone ", "ssh ", "nvidia-smi", "pip install", "tar ", "zstd ", "mkdir ",
        "http", "while read", "printf ", "hf download", "# "})
    if (line.find(command) != std::string::npos) return {};
  std::string sentence, word;
  int plain = 0;
  bool quoted = false;
  const auto close = [&] {
    if (word.empty()) return;
    const bool lower = word.size() > 1 && std::ranges::all_of(word, [](char c) {
                         return std::islower(static_cast<unsigned char>(c)) != 0 || c == '\'';
                       });
    if (lower && !is_name(word)) {
      ++plain;
      sentence += word + " ";
    } else {
      plain = 0;
      sentence.clear();
    }
    word.clear();
  };
  for (const char c : line + " ") {
    if (c == '"' || c == '`') quoted = !quoted;
    if (quoted) continue;
    if (c == ' ') {
      if (word.empty()) plain = 0, sentence.clear();  // the next cell of a table
      close();
      if (plain >= 4) return sentence;
    } else if (std::string(",;:.()").find(c) != std::string::npos) {
      close();
      if (plain >= 4) return sentence;
    } else {
      word += c;
    }
  }
  return {};
}

// Texts that a file holds are not the program's: notes of cards, names of offers, sources.
bool of_a_file(const std::string& line) { return line.find("made up for") != std::string::npos; }

void check_line(const Words& words, const std::string& line) {
  if (of_a_file(line)) return;
  CAPTURE(words, line);
  CHECK(english_sentence(line).empty());
}

}  // namespace

TEST_CASE("in Chinese no English sentence is left, in answers and in messages") {
  for (Words words : runs()) {
    words.insert(words.end(), {"--lang", "zh"});
    const Ran ran = run(words);
    CAPTURE(ran.code);
    CHECK(ran.code != 1);
    for (const std::string& line : lines_of(ran.out)) check_line(words, line);
    for (const std::string& line : lines_of(ran.err)) check_line(words, line);
  }
}

TEST_CASE("in Chinese no English sentence is left on a page") {
  int pages = 0;
  for (Words words : runs()) {
    words.insert(words.end(), {"--format", "html", "-q", "--lang", "zh"});
    const Ran ran = run(words);
    if (ran.out.find("<main>") == std::string::npos) continue;
    ++pages;
    // What is typed or quoted stays as it is.
    static const std::set<std::string> kLeft{"code", "pre", "script", "style"};
    for (const Element& element : read_html(ran.out).elements)
      if (!kLeft.contains(element.name)) check_line(words, element.text);
  }
  CHECK(pages > 20);
}

TEST_CASE("in Chinese facts and what is typed stay as they are, and warnings of a page do not") {
  // Facts of cards are data: they stay as they are.
  CHECK_THAT(run({"cards", "H100", "--lang", "zh", "-q"}).out,
             Catch::Contains("Only two of its processor groups"));
  // A sentence on a page has its code behind it.
  const std::string out = run({"compare", kAcme, "--model", "7b", "--mode", "lora", "--lang", "zh",
                               "-q", "--format", "html"})
                              .out;
  const auto warnings = out.find("id=\"warnings\"");
  REQUIRE(warnings != std::string::npos);
  const std::string listed = out.substr(warnings, out.find("</ul>", warnings) - warnings);
  CHECK_THAT(listed, Catch::Contains("未说明工作量"));
  CHECK_THAT(listed, !Catch::Contains("is assumed"));
  // Names of plans in a hint.
  const Ran plan = run({"simulate", kAcme, "--offer", "acme/l40s", "--plan", "week", "--run-hours",
                        "10", "--lang", "zh"});
  CHECK_THAT(plan.err, Catch::Contains("on_demand"));
}

TEST_CASE("JSON and CSV are the same bytes in every language") {
  for (Words words : runs())
    for (const char* format : {"json", "csv"}) {
      Words english = words, chinese = words;
      english.insert(english.end(), {"-q", "--format", format});
      chinese.insert(chinese.end(), {"-q", "--format", format, "--lang", "zh"});
      CAPTURE(words);
      const Ran a = run(english), b = run(chinese);
      CHECK(a.out == b.out);
      CHECK(a.code == b.code);
    }
}

TEST_CASE("Chinese tables keep their columns straight and their lines within the width") {
  for (const int columns : {80, 200})
    for (Words words : runs()) {
      words.insert(words.end(), {"--lang", "zh", "-q"});
      const Ran ran = run_on_terminal(columns, words, {.environment = {{"TERM", "dumb"}}});
      for (const std::string& line : lines_of(ran.out)) {
        const auto first = line.find_first_not_of(' ');
        const bool one_word = first != std::string::npos && line.find(' ', first) == std::string::npos;
        bool typed = false;
        for (const char* command : {"gpuplan ", "rsync ", "ssh ", "ssh-keygen", "rclone ", "nvidia-smi",
                                    "://", "tar ", "hosts.txt"})
          typed = typed || line.find(command) != std::string::npos;
        if (one_word || typed || ran.code == 2 || ran.code == 3) continue;
        CAPTURE(columns, words, line);
        CHECK(gpuplan::display_width(line) <= static_cast<std::size_t>(columns));
      }
    }
  // A column of numbers ends at the same place in every row.
  const auto lines = lines_of(run({"catalog", "show", kAcme, "--lang", "zh", "-q"}).out);
  REQUIRE(lines.size() > 4);
  const auto place = [](const std::string& line, const std::string& word) {
    return gpuplan::display_width(line.substr(0, line.find(word)));
  };
  CHECK(place(lines[2], "显卡") == place(lines[3], "24 GB GPU"));
}

// ---- nothing is forgotten: what the sources say in words is in the table ----

namespace {

// The pieces of every text of a source file between the gaps that values fill.
std::vector<std::string> pieces_of(const std::string& file) {
  std::string text;
  for (const std::string& line : lines_of(read_text(file))) {
    const auto note = line.find("//");
    const bool in_text = std::count(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(
                                                                   std::min(note, line.size())),
                                    '"') %
                             2 ==
                         1;
    text += (note == std::string::npos || in_text ? line : line.substr(0, note)) + "\n";
  }
  std::vector<std::string> pieces;
  std::string literal;
  bool open = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && open) {
      literal += text[++i] == 'n' ? ' ' : text[i];
    } else if (text[i] == '"') {
      // Two texts with nothing between them are one.
      if (open) {
        const auto next = text.find_first_not_of(" \n", i + 1);
        if (next != std::string::npos && text[next] == '"') {
          i = next;
          continue;
        }
        std::size_t from = 0;
        while (from <= literal.size()) {
          const auto gap = std::min(literal.find('{', from), literal.size());
          pieces.push_back(literal.substr(from, gap - from));
          const auto end = literal.find('}', gap);
          if (end == std::string::npos) break;
          from = end + 1;
        }
        literal.clear();
      }
      open = !open;
    } else if (open) {
      literal += text[i];
    }
  }
  return pieces;
}

int words_in(const std::string& piece) {
  int words = 0, letters = 0;
  for (const char c : piece + " ") {
    if (std::isalpha(static_cast<unsigned char>(c)) != 0) {
      ++letters;
    } else {
      words += letters > 1 ? 1 : 0;
      letters = 0;
    }
  }
  return words;
}

}  // namespace

TEST_CASE("every sentence of the advice, of warnings and of reasons has its Chinese") {
  const auto messages = json_of(read_text(GPUPLAN_SOURCE_DIR "/data/messages_zh.json"));
  std::string all;
  for (const gpuplan::JsonNode& entry : at(messages.root(), "messages").children)
    all += std::string(entry.key) + "\n";
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(GPUPLAN_SOURCE_DIR "/src/advice"))
    if (entry.path().extension() == ".cpp") files.push_back(entry.path().string());
  for (const char* file : {"rank/watch.cpp", "rank/reject.cpp", "catalog/lint.cpp",
                           "catalog/lint_prices.cpp", "spot/warnings.cpp", "memory/warnings.cpp",
                           "billing/setup.cpp", "plan/estimate.cpp", "speed/wishes.cpp"})
    files.push_back(std::string(GPUPLAN_SOURCE_DIR "/src/") + file);
  // What one types stays as it is; formulas are the same in every language.
  const std::array typed{"ssh",     "rsync",  "rclone", "tar -C",  "hf download", "hosts.txt",
                         "--query", "SHARD",  "zstd",   "gpuplan check --card",   "--framework torch",
                         "--measured-tflops", "# ",     "an hour beside",         "loader do",
                         "an answer over",    "--disk-speed, --loader-rate",      "gains nothing",
                         "a faster disk helps", "wait > limit",                "an hour for"};
  int pieces = 0;
  for (const std::string& file : files)
    for (std::string piece : pieces_of(file)) {
      if (words_in(piece) < 3 || piece.find(' ') == std::string::npos) continue;
      if (std::ranges::any_of(typed, [&](const char* t) { return piece.find(t) != std::string::npos; }))
        continue;
      const auto from = piece.find_first_not_of(" ,;:.");
      const auto to = piece.find_last_not_of(" ,;:.");
      piece = piece.substr(from, to - from + 1);
      ++pieces;
      CAPTURE(file);
      INFO("data/messages_zh.json has nothing for: " << piece);
      CHECK(all.find(piece) != std::string::npos);
    }
  CHECK(pieces > 300);
}

TEST_CASE("help is Chinese where Chinese is asked for: every option of every command") {
  const auto has_wide_sign = [](const std::string& text) {
    return std::ranges::any_of(text, [](char c) { return (static_cast<unsigned char>(c) & 0x80U) != 0; });
  };
  for (const char* command : {"estimate", "compare", "simulate", "breakeven", "transfer", "check", "checklist", "edge",
                              "catalog", "cards", "models", "schema", "explain", "init", "completion", "man"}) {
    const Ran ran = run({command, "--help", "--lang", "zh"});
    CHECK(ran.code == 0);
    std::vector<std::string> options;  // each with all its lines
    for (const std::string& line : lines_of(ran.out)) {
      if (line.starts_with("  -")) options.push_back(line);
      else if (line.starts_with("      ") && !options.empty()) options.back() += line;
    }
    CHECK(options.size() > 10);
    for (const std::string& option : options) {
      CAPTURE(command, option);
      CHECK(has_wide_sign(option));
    }
  }
  CHECK_THAT(run({"--help", "--lang", "zh"}).out, Catch::Contains("命令：") && Catch::Contains("退出码："));
  CHECK_THAT(run({"help", "cards", "--lang=zh"}).out, Catch::Contains("显卡表"));
  CHECK_THAT(run({"cards", "--help"}).out, Catch::Contains("the table of cards"));
}
