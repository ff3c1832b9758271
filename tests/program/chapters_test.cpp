// The chapters of the method: their examples are run, their sums are done again, and what they
// name exists. The Chinese chapters have the same examples.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "catch.hpp"
#include "run_program.hpp"

namespace {

struct Chapter {
  std::string name;
  std::vector<std::string> lines;
};

std::vector<Chapter> chapters_of(const std::string& file) {
  std::vector<Chapter> chapters;
  for (const std::string& line : lines_of(read_text(GPUPLAN_SOURCE_DIR "/data/" + file))) {
    if (line.starts_with("## ")) {
      chapters.push_back({line.substr(3, line.find(':') - 3), {}});
    } else {
      REQUIRE_FALSE(chapters.empty());
      chapters.back().lines.push_back(line);
    }
  }
  return chapters;
}

// A command of an example with what its JSON must have, "a/b/0 = value".
struct Example {
  std::string command;
  std::vector<std::pair<std::string, std::string>> values;
};

std::vector<Example> examples_of(const Chapter& chapter) {
  std::vector<Example> examples;
  bool open = false;
  for (const std::string& line : chapter.lines) {
    if (line.starts_with("    $ gpuplan ")) {
      examples.push_back({line.substr(6), {}});
      open = true;
    } else if (open && examples.back().command.ends_with("\\")) {
      examples.back().command.replace(examples.back().command.size() - 1, 1, line.substr(6));
    } else if (open && line.starts_with("    ") && line.find(" = ") != std::string::npos &&
               line.find_first_not_of("abcdefghijklmnopqrstuvwxyz_/0123456789", 4) ==
                   line.find(" = ")) {
      const auto equal = line.find(" = ");
      examples.back().values.emplace_back(line.substr(4, equal - 4), line.substr(equal + 3));
    } else {
      open = false;
    }
  }
  return examples;
}

std::vector<std::string> words_of(const std::string& command) {
  std::vector<std::string> words(1);
  bool quoted = false;
  for (const char c : command) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ' ' && !quoted)
      words.emplace_back();
    else
      words.back() += c;
  }
  words.erase(words.begin());  // gpuplan
  std::erase(words, "");
  return words;
}

// "(0.9 - 0.35 x 0.3)": numbers, + - x /, parentheses.
class Sum {
 public:
  explicit Sum(std::string_view text) : text_(text) {}
  double value() {
    double sum = product();
    for (;;) {
      if (take(" + "))
        sum += product();
      else if (take(" - "))
        sum -= product();
      else
        return sum;
    }
  }
  bool done() const { return at_ == text_.size(); }

 private:
  double product() {
    double value = factor();
    for (;;) {
      if (take(" x "))
        value *= factor();
      else if (take(" / "))
        value /= factor();
      else
        return value;
    }
  }
  double factor() {
    if (take("(")) {
      const double inside = value();
      REQUIRE(take(")"));
      return inside;
    }
    std::size_t end = at_;
    while (end < text_.size() && std::string_view("0123456789.").find(text_[end]) != std::string_view::npos)
      ++end;
    REQUIRE(end > at_);
    const double number = std::stod(std::string(text_.substr(at_, end - at_)));
    at_ = end;
    return number;
  }
  bool take(std::string_view sign) {
    if (!text_.substr(at_).starts_with(sign)) return false;
    at_ += sign.size();
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

bool is_sum(const std::string& line) {
  const auto equal = line.find(" = ");
  if (!line.starts_with("    ") || equal == std::string::npos) return false;
  const std::string left = line.substr(4, equal - 4);
  return left.find_first_not_of("0123456789.+-x/() ") == std::string::npos &&
         left.find_first_of("+-x/") != std::string::npos;
}

void check_sum(const std::string& line) {
  const auto equal = line.find(" = ");
  Sum sum(std::string_view(line).substr(4, equal - 4));
  const double value = sum.value();
  CHECK(sum.done());
  const std::string right = line.substr(equal + 3);
  const auto end = std::min(right.find_first_not_of("0123456789."), right.size());
  REQUIRE(end > 0);
  const std::string number = right.substr(0, end);
  const auto point = number.find('.');
  const double digits =
      point == std::string::npos ? 0 : static_cast<double>(number.size() - point - 1);
  CAPTURE(line, value);
  // One in the last place: what goes into a sum is itself rounded.
  CHECK(std::abs(value - std::stod(number)) <= 1.001 * std::pow(10.0, -digits));
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

}  // namespace

TEST_CASE("the examples of the chapters are what the program answers") {
  const Folder folder;
  REQUIRE(run({"init", "catalog", "-o", folder.path("catalog.json")}).code == 0);
  int commands = 0, values = 0;
  for (const Chapter& chapter : chapters_of("explain.md"))
    for (const Example& example : examples_of(chapter)) {
      auto words = words_of(example.command);
      words.insert(words.end(), {"-q", "--json"});
      const Ran ran = run(words, {.folder = folder.path()});
      CAPTURE(chapter.name, example.command, ran.err);
      REQUIRE(ran.code == 0);
      ++commands;
      REQUIRE_FALSE(example.values.empty());
      const auto json = json_of(ran.out);
      for (const auto& [pointer, value] : example.values) {
        CAPTURE(pointer);
        CHECK(at(json.root(), pointer).text == value);
        ++values;
      }
    }
  CHECK(commands >= 10);
  CHECK(values >= 25);
}

TEST_CASE("the sums of the chapters come out, in both languages") {
  for (const std::string file : {"explain.md", "explain_zh.md"}) {
    int sums = 0;
    for (const Chapter& chapter : chapters_of(file))
      for (const std::string& line : chapter.lines)
        if (is_sum(line)) {
          check_sum(line);
          ++sums;
        }
    CAPTURE(file);
    CHECK(sums >= 35);
  }
}

TEST_CASE("the Chinese chapters tell of the same topics with the same examples") {
  const auto english = chapters_of("explain.md"), chinese = chapters_of("explain_zh.md");
  REQUIRE(english.size() == chinese.size());
  for (std::size_t i = 0; i < english.size(); ++i) {
    CAPTURE(english[i].name);
    CHECK(english[i].name == chinese[i].name);
    const auto a = examples_of(english[i]), b = examples_of(chinese[i]);
    REQUIRE(a.size() == b.size());
    for (std::size_t e = 0; e < a.size(); ++e) {
      CHECK(a[e].command == b[e].command);
      CHECK(a[e].values == b[e].values);
    }
    const Ran ran = run({"explain", english[i].name, "--lang", "zh"});
    CHECK(ran.code == 0);
    // Of another language than the English one, and drawn for 80 columns.
    CHECK(ran.out != run({"explain", english[i].name}).out);
    CHECK_THAT(run({"man", "method", "--lang", "zh"}).out, Catch::Contains(lines_of(ran.out)[0]));
    // JSON is the same in every language.
    CHECK(run({"explain", english[i].name, "--json", "--lang", "zh"}).out ==
          run({"explain", english[i].name, "--json"}).out);
  }
}

TEST_CASE("every chapter has an example, says what it cannot do where it matters, and leads on") {
  const std::set<std::string> of_forms{"catalogs", "exit-codes", "colors"};
  std::set<std::string> names;
  for (const Chapter& chapter : chapters_of("explain.md")) {
    CAPTURE(chapter.name);
    names.insert(chapter.name);
    const std::string text = joined(chapter.lines);
    CHECK_THAT(text, Catch::Contains("\nCode: src/"));
    const bool sums = std::ranges::any_of(chapter.lines, is_sum);
    CHECK((sums || of_forms.contains(chapter.name)));
  }
  for (const std::string name :
       {"memory", "kv-cache", "headroom", "ranges", "speed", "billing", "storage", "egress",
        "stop-rules", "spot", "break-even", "reserved", "ranking", "flips", "catalogs", "units",
        "exit-codes"})
    CHECK(names.contains(name));
}

TEST_CASE("files and chapters that chapters lead to exist") {
  for (const std::string file : {"explain.md", "explain_zh.md"}) {
    std::set<std::string> names;
    for (const Chapter& chapter : chapters_of(file)) names.insert(chapter.name);
    for (const Chapter& chapter : chapters_of(file))
      for (const std::string& line : chapter.lines) {
        for (auto from = line.find("src/"); from != std::string::npos;
             from = line.find("src/", from + 1)) {
          const auto end = std::min(line.find_first_of(", "), line.size());
          const auto stop = std::min(line.find_first_of(", ", from), line.size());
          const std::string path = line.substr(from, stop - from);
          CAPTURE(file, chapter.name, path, end);
          CHECK(std::filesystem::exists(std::string(GPUPLAN_SOURCE_DIR "/") + path));
        }
        if (!line.starts_with("See also: ")) continue;
        std::string word;
        for (const char c : line.substr(10) + ",") {
          if (c != ',' && c != '.' && c != ' ') {
            word += c;
          } else if (c != ' ' && !word.empty()) {
            const bool other = word.find('`') != std::string::npos || word.find('/') != std::string::npos;
            CAPTURE(chapter.name, word);
            CHECK((other || names.contains(word) || word == "md"));
            word.clear();
          }
        }
      }
  }
}
