// Help, manual pages, completion scripts and the reference of options: all from one definition.
#include <algorithm>
#include <cstdlib>
#include <set>

#include "catch.hpp"
#include "run_program.hpp"

namespace {

std::vector<std::string> commands() {
  std::vector<std::string> names;
  bool listed = false;
  for (const std::string& line : lines_of(run({"--help"}).out)) {
    if (line == "Commands:") listed = true;
    else if (line.empty()) listed = false;
    else if (listed) names.push_back(line.substr(2, line.find(' ', 2) - 2));
  }
  return names;
}

// Options as help names them: "--format", "-o".
std::set<std::string> options_in_help(const std::string& command) {
  std::set<std::string> names;
  for (const std::string& line : lines_of(run({command, "--help"}).out)) {
    const auto first = line.find_first_not_of(' ');
    if (first != 2 || line[first] != '-') continue;
    std::string list = line.substr(first, line.find(' ', first) - first);
    for (std::size_t from = 0; from < list.size();) {
      const auto end = std::min(list.find(',', from), list.size());
      names.insert(list.substr(from, end - from));
      from = end + 1;
    }
  }
  return names;
}

std::string without_escapes(std::string text) {
  for (auto at = text.find("\\-"); at != std::string::npos; at = text.find("\\-", at))
    text.erase(at, 1);
  return text;
}

bool has_program(const std::string& name) {
  return std::system(("command -v " + name + " >/dev/null 2>&1").c_str()) == 0;
}

int shell(const std::string& command) { return std::system(command.c_str()); }

// What bash would offer for these words, the last one unfinished.
std::vector<std::string> offered(const std::string& script, const std::vector<std::string>& words) {
  const Folder folder;
  folder.write("complete.sh", script);
  std::string list;
  for (const std::string& word : words) list += " '" + word + "'";
  folder.write("ask.sh", "source '" + folder.path("complete.sh") + "'\nCOMP_WORDS=(gpuplan" + list +
                             ")\nCOMP_CWORD=" + std::to_string(words.size()) +
                             "\n_gpuplan\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n");
  REQUIRE(shell("bash '" + folder.path("ask.sh") + "' > '" + folder.path("said") + "'") == 0);
  return lines_of(read_text(folder.path("said")));
}

bool contains(const std::vector<std::string>& list, const std::string& word) {
  return std::ranges::find(list, word) != list.end();
}

}  // namespace

TEST_CASE("help lists the commands, and each of them tells of itself with an example first") {
  const auto names = commands();
  CHECK(names.size() >= 12);
  for (const std::string& name : names) {
    const Ran ran = run({name, "--help"});
    CAPTURE(name);
    CHECK(ran.code == 0);
    CHECK(ran.err.empty());
    CHECK(ran.out.starts_with("gpuplan " + name + ": "));
    CHECK(ran.out.find("Examples:") < ran.out.find("--format"));
    CHECK(run({"help", name}).out == ran.out);
    CHECK(options_in_help(name).contains("--format"));
  }
}

TEST_CASE("every option stands in the manual page of its command") {
  for (const std::string& name : commands()) {
    const std::string page = without_escapes(run({"man", name}).out);
    CAPTURE(name);
    CHECK(page.starts_with(".TH gpuplan-" + name + " 1"));
    for (const std::string& option : options_in_help(name)) {
      CAPTURE(option);
      CHECK((page.find(option + "\\fR") != std::string::npos ||
             page.find(option + ",") != std::string::npos));
    }
  }
}

TEST_CASE("every option stands in the reference that the README leads to") {
  const std::string reference = read_text(GPUPLAN_SOURCE_DIR "/examples/OPTIONS.md");
  CHECK_THAT(read_text(GPUPLAN_SOURCE_DIR "/README.md"), Catch::Contains("examples/OPTIONS.md"));
  for (const std::string& name : commands()) {
    CAPTURE(name);
    CHECK_THAT(reference, Catch::Contains("## gpuplan " + name + "\n"));
    for (const std::string& option : options_in_help(name)) {
      CAPTURE(option);
      CHECK_THAT(reference, Catch::Contains("`" + option + "`"));
    }
  }
}

TEST_CASE("the reference of options is what the program makes of its own options") {
  CHECK(read_text(GPUPLAN_SOURCE_DIR "/examples/OPTIONS.md") ==
        run({"man", "--format", "markdown"}).out);
}

TEST_CASE("manual pages are good roff") {
  if (!has_program("mandoc") && !has_program("groff")) {
    WARN("skipped: neither mandoc nor groff is installed");
    return;
  }
  const Folder folder;
  auto pages = commands();
  pages.push_back("method");
  for (const std::string& name : pages) {
    folder.write("page", run({"man", name}).out);
    const std::string check = has_program("mandoc")
                                  ? "mandoc -T lint -W error '"
                                  : "groff -man -ww -z -T utf8 2>&1 '";
    CAPTURE(name);
    CHECK(shell(check + folder.path("page") + "' > '" + folder.path("said") + "'") == 0);
    CHECK(read_text(folder.path("said")).empty());
  }
}

TEST_CASE("bash is offered commands, options, values and topics") {
  if (!has_program("bash")) return;
  const std::string script = run({"completion", "bash"}).out;
  CHECK(offered(script, {"comp"}) == std::vector<std::string>{"compare", "completion"});
  CHECK(offered(script, {"estimate", "--head"}) == std::vector<std::string>{"--headroom"});
  CHECK(offered(script, {"estimate", "--mode", "q"}) == std::vector<std::string>{"qlora"});
  CHECK(offered(script, {"cards", "--format", ""}) ==
        std::vector<std::string>{"table", "json", "csv", "markdown", "html"});
  CHECK(offered(script, {"explain", "kv"}) == std::vector<std::string>{"kv-cache"});
  CHECK(offered(script, {"completion", ""}) == std::vector<std::string>{"bash", "zsh", "fish"});
  CHECK(offered(script, {"catalog", "val"}) == std::vector<std::string>{"validate"});
  CHECK(contains(offered(script, {"schema", ""}), "catalog"));
  // What is offered is what is taken.
  for (const std::string& sort : offered(script, {"compare", "--sort", ""}))
    CHECK(run({"compare", "--run-hours", "1", "--sort", sort, "-q"}).code == 0);
  for (const std::string& plan : offered(script, {"compare", "--plans", ""}))
    CHECK(run({"compare", "--run-hours", "1", "--plans", plan, "-q"}).code != 2);
  for (const std::string& key : offered(script, {"catalog", "show", "--sort", ""}))
    CHECK(run({"catalog", "show", "--sort", key, "-q"}).code == 0);
  for (const std::string& key : offered(script, {"catalog", "show", "--group", ""}))
    CHECK(run({"catalog", "show", "--group", key, "-q"}).code == 0);
  for (const std::string& name : commands())
    for (const std::string& option : options_in_help(name)) {
      CAPTURE(name, option);
      CHECK(contains(offered(script, {name, option}), option));
      break;  // one each: a shell is started for every question
    }
}

TEST_CASE("help is no wider than eighty columns, however long the list of an option's values") {
  for (const std::string& name : commands())
    for (const std::string& line : lines_of(run({name, "--help"}).out)) {
      // Examples are lines to be typed.
      if (line.starts_with("  gpuplan ")) continue;
      CAPTURE(name, line);
      CHECK(line.size() <= 80);
    }
}

TEST_CASE("completion scripts have every option and are good scripts of their shells") {
  const Folder folder;
  for (const std::string shell_name : {"bash", "zsh", "fish"}) {
    const Ran ran = run({"completion", shell_name});
    CHECK(ran.code == 0);
    for (const std::string& name : commands())
      for (const std::string& option : options_in_help(name)) {
        CAPTURE(shell_name, name, option);
        const std::string plain = option.substr(option.find_first_not_of('-'));
        const std::string wanted =
            shell_name != "fish" ? option : (option[1] == '-' ? "-l " : "-s ") + plain;
        CHECK(ran.out.find(wanted) != std::string::npos);
      }
    if (!has_program(shell_name)) {
      WARN("not parsed: no " << shell_name << " is installed");
      continue;
    }
    folder.write("script", ran.out);
    CHECK(shell(shell_name + " -n '" + folder.path("script") + "'") == 0);
  }
}

TEST_CASE("chapters are the same text in the terminal and in the manual") {
  const std::string page = without_escapes(run({"man", "method"}).out);
  int chapters = 0;
  for (const std::string& line : lines_of(run({"explain", "--format", "csv"}).out)) {
    const std::string name = line.substr(0, line.find(','));
    if (name == "topic") continue;
    const Ran ran = run({"explain", name});
    CAPTURE(name);
    CHECK(ran.code == 0);
    const auto lines = lines_of(ran.out);
    REQUIRE(lines.size() > 4);
    CHECK_THAT(page, Catch::Contains(lines[0]));
    CHECK_THAT(page, Catch::Contains(lines[2]));  // the first line of the first paragraph
    for (const std::string& text : lines) CHECK(text.size() <= 100);
    ++chapters;
  }
  CHECK(chapters >= 10);
}

TEST_CASE("commands that chapters name exist") {
  const auto known = commands();
  const std::string text = read_text(GPUPLAN_SOURCE_DIR "/data/explain.md");
  for (auto at = text.find("`gpuplan "); at != std::string::npos;
       at = text.find("`gpuplan ", at + 1)) {
    const auto from = at + 9;
    const std::string name = text.substr(from, text.find_first_of("` \n", from) - from);
    CAPTURE(name);
    CHECK(contains(known, name));
  }
}

TEST_CASE("starter documents are read by the commands that they are for, without a complaint") {
  const Folder folder;
  for (const std::string name : {"job", "catalog", "model"}) {
    CHECK(run({"init", name, "-o", folder.path(name + ".json")}).code == 0);
    CHECK_THAT(read_text(folder.path(name + ".json")), Catch::Contains("\"x_note\""));
  }
  const Ran job = run({"estimate", "--job", folder.path("job.json")});
  CHECK(job.code == 0);
  CHECK(job.err.empty());
  CHECK(run({"estimate", "--model", folder.path("model.json")}).code == 0);
  const Ran checked = run({"catalog", "validate", "--strict", "--as-of", "2026-11-30",
                           folder.path("catalog.json")});
  CAPTURE(checked.out);
  CHECK(checked.code == 0);
  CHECK(run({"compare", folder.path("catalog.json"), "--job", folder.path("job.json")}).code == 0);
}

TEST_CASE("an unknown topic, shell or document is told with what was meant") {
  CHECK_THAT(run({"explain", "kvcache"}).err, Catch::Contains("did you mean \"kv-cache\"?"));
  CHECK_THAT(run({"completion", "powershell"}).err, Catch::Contains("bash, zsh, fish"));
  CHECK_THAT(run({"init", "jobs"}).err, Catch::Contains("did you mean \"job\"?"));
  CHECK(run({"explain", "nothing-of-the-kind"}).code == 2);
  CHECK(run({"completion"}).code == 2);
}
