// Every error, warning, rejection and finding has an entry in tests/codes/codes.json with a run that
// brings it about; examples/CODES.md is made from it. GPUPLAN_UPDATE=1 writes that file anew.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "catch.hpp"
#include "core/json.hpp"
#include "core/text.hpp"
#include "run_program.hpp"

namespace {

using gpuplan::JsonDraft;
using gpuplan::JsonNode;

const std::string kCodes = GPUPLAN_SOURCE_DIR "/tests/codes/codes.json";
const std::string kPage = GPUPLAN_SOURCE_DIR "/examples/CODES.md";

// What the catalogs of the entries have in common.
const std::string kBase = R"({"schema": "gpuplan.catalog/1", "name": "acme", "as_of": "2026-11-01",
 "currency": "USD", "platforms": [{"id": "acme", "source": "made up for this example",
 "stop": "released", "meter": {"quantum_s": 1, "round": "up", "minimum_s": 0,
 "billed_from": "provisioning"}, "storage": {"data": {"per_gb_month": 0.1}},
 "network": {"egress_per_gb": 0.05, "up_mbps": 1000},
 "offers": [{"id": "l40s", "card": "L40S", "price": {"on_demand": 0.9}}]}]})";

JsonDraft& member(JsonDraft& object, const std::string& key) {
  const auto at = std::ranges::find(object.keys, key);
  REQUIRE(at != object.keys.end());
  return object.children[static_cast<std::size_t>(at - object.keys.begin())];
}

// Lays the keys of one object over another; null takes a key out.
void lay_over(JsonDraft& object, const JsonNode* changes) {
  if (changes == nullptr) return;
  for (const JsonNode& change : changes->children) {
    const std::string key(change.key);
    const auto at = std::ranges::find(object.keys, key);
    const auto index = at - object.keys.begin();
    if (at != object.keys.end()) {
      object.keys.erase(at);
      object.children.erase(object.children.begin() + index);
    }
    if (change.is(JsonNode::Kind::null)) continue;
    object.keys.push_back(key);
    object.children.push_back(gpuplan::draft_of(change));
  }
}

std::string catalog_of(const JsonNode& entry) {
  JsonDraft catalog = gpuplan::draft_of(json_of(kBase).root());
  JsonDraft& platforms = member(catalog, "platforms");
  JsonDraft& offers = member(platforms.children[0], "offers");
  lay_over(offers.children[0], entry.find("offer"));
  if (const JsonNode* more = entry.find("more"))
    for (const JsonNode& offer : more->children)
      offers.children.push_back(gpuplan::draft_of(offer));
  lay_over(platforms.children[0], entry.find("platform"));
  if (const JsonNode* second = entry.find("catalog2"))
    platforms.children.push_back(gpuplan::draft_of(*second));
  lay_over(catalog, entry.find("catalog"));
  return gpuplan::to_json(gpuplan::document_of(catalog).root());
}

std::string text_of(const JsonNode& entry, const std::string& key) {
  return std::string(at(entry, key).text);
}

Ran run_entry(const JsonNode& entry, const std::vector<std::string>& more) {
  const Folder folder;
  folder.write("catalog.json", catalog_of(entry));
  if (const JsonNode* files = entry.find("files"))
    for (const JsonNode& file : files->children)
      folder.write(std::string(file.key), std::string(file.text));
  std::vector<std::string> words;
  for (const JsonNode& word : at(entry, "run").children) words.emplace_back(word.text);
  words.insert(words.end(), more.begin(), more.end());
  return run(words, {.folder = folder.path()});
}

// In the JSON, or behind a warning: an imported catalog has its findings in another form.
bool has_code(const std::string& text, const std::string& code) {
  return text.find("\"code\": \"" + code + "\"") != std::string::npos ||
         text.find(" [" + code + "]\n") != std::string::npos;
}

bool has_chinese(const std::string& text) {
  for (std::size_t i = 0; i + 2 < text.size(); ++i)
    if (static_cast<unsigned char>(text[i]) >= 0xe4 && static_cast<unsigned char>(text[i]) <= 0xe9 &&
        gpuplan::display_width(std::string_view(text).substr(i, 3)) == 2)
      return true;
  return false;
}

std::string shell_words(const JsonNode& entry) {
  std::string line = "gpuplan";
  for (const JsonNode& word : at(entry, "run").children) {
    const std::string text(word.text);
    line += text.find(' ') == std::string::npos ? " " + text : " \"" + text + "\"";
  }
  return line;
}

// "platform.meter left out; offer.price = {...}": what the entry changes in the catalog.
std::string changes_of(const JsonNode& entry) {
  std::string list;
  const auto add = [&](const std::string& change) { list += (list.empty() ? "" : "; ") + change; };
  for (const std::string where : {"catalog", "platform", "offer"})
    if (const JsonNode* changes = entry.find(where))
      for (const JsonNode& change : changes->children)
        add(where + "." + std::string(change.key) +
            (change.is(JsonNode::Kind::null) ? " left out" : " = " + gpuplan::to_json(change)));
  if (const JsonNode* more = entry.find("more"))
    add(std::to_string(more->children.size()) + " more offers such as " +
        gpuplan::to_json(more->children.back()));
  if (const JsonNode* second = entry.find("catalog2")) add("a platform " + gpuplan::to_json(*second));
  if (const JsonNode* files = entry.find("files"))
    for (const JsonNode& file : files->children)
      add("a file " + std::string(file.key) +
          (file.text.size() < 120 && file.text.find('\0') == std::string_view::npos
               ? ": " + std::string(file.text)
               : " of " + std::to_string(file.text.size()) + " bytes"));
  return list;
}

std::string cell(std::string text) {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '|') text.insert(i++, "\\");
  return text;
}

std::string page_of(const JsonNode& root) {
  std::string out =
      "# Codes of errors, warnings, rejections and findings\n\n"
      "Codes are stable: they stand in the JSON as `code`, behind a warning on standard error in "
      "brackets,\nand in the table of `gpuplan catalog validate`. Each run below brings its code "
      "about, and a test runs them\nall. This page is made from `tests/codes/codes.json`.\n\n"
      "The runs read this `catalog.json`, changed as the last column says:\n\n```json\n" +
      kBase + "\n```\n";
  const std::vector<std::pair<std::string, std::string>> kinds{
      {"error", "Errors"},
      {"warning", "Warnings"},
      {"rejection", "Why an offer is not in the ranking"},
      {"finding", "Findings of `gpuplan check`"},
      {"lint", "Findings of `gpuplan catalog validate`"},
      {"import", "Findings of `gpuplan catalog import`"}};
  for (const auto& [kind, title] : kinds) {
    out += "\n## " + title + "\n\n| code | what it means | what to do | run | with |\n"
           "| :-- | :-- | :-- | :-- | :-- |\n";
    for (const JsonNode& entry : at(root, "codes").children)
      if (text_of(entry, "kind") == kind) {
        const std::string changes = changes_of(entry);
        out += "| `" + text_of(entry, "code") + "` | " + cell(text_of(entry, "means")) + " | " +
               cell(text_of(entry, "do")) + " | `" + cell(shell_words(entry)) + "` | " +
               (changes.empty() ? "" : "`" + cell(changes) + "`") + " |\n";
      }
  }
  out += "\n## Further codes\n\nNo run on files brings these about.\n\n| code | what it means |\n| :-- | :-- |\n";
  for (const JsonNode& entry : at(root, "others").children)
    out += "| `" + text_of(entry, "code") + "` | " + cell(text_of(entry, "means")) + " |\n";
  return out;
}

}  // namespace

TEST_CASE("every code of the catalogue comes out of its run, and nothing crashes") {
  const auto codes = json_of(read_text(kCodes));
  for (const JsonNode& entry : at(codes.root(), "codes").children) {
    const Ran ran = run_entry(entry, {"--json"});
    CAPTURE(text_of(entry, "code"), ran.code, ran.err);
    CHECK(ran.code != 1);
    CHECK(ran.code < 6);
    CHECK(has_code(ran.out + ran.err, text_of(entry, "code")));
  }
}

TEST_CASE("what a warning or an error is told in words has its code or place beside it") {
  const auto codes = json_of(read_text(kCodes));
  for (const JsonNode& entry : at(codes.root(), "codes").children) {
    const Ran ran = run_entry(entry, {});
    CAPTURE(text_of(entry, "code"), ran.err);
    if (text_of(entry, "kind") == "error") CHECK_THAT(ran.err, Catch::Contains("gpuplan: error: "));
  }
}

TEST_CASE("every warning is told in Chinese where that is asked for, and JSON stays as it is") {
  const auto codes = json_of(read_text(kCodes));
  for (const JsonNode& entry : at(codes.root(), "codes").children) {
    const std::string code = text_of(entry, "code");
    const std::string kind = text_of(entry, "kind");
    if (kind != "warning" && kind != "import") continue;
    for (const std::string& line : lines_of(run_entry(entry, {"--lang", "zh"}).err)) {
      if (!line.ends_with("[" + code + "]")) continue;
      CAPTURE(code, line);
      CHECK(has_chinese(line));
    }
    CHECK(run_entry(entry, {"--json", "-q"}).out == run_entry(entry, {"--json", "-q", "--lang", "zh"}).out);
  }
}

TEST_CASE("examples/CODES.md is what the catalogue of codes says") {
  const auto codes = json_of(read_text(kCodes));
  const std::string page = page_of(codes.root());
  if (std::getenv("GPUPLAN_UPDATE") != nullptr) std::ofstream(kPage) << page;
  CHECK(read_text(kPage) == page);
}

TEST_CASE("no code of the sources is missing in the catalogue") {
  const auto codes = json_of(read_text(kCodes));
  std::set<std::string> known;
  for (const std::string list : {"codes", "others"})
    for (const JsonNode& entry : at(codes.root(), list).children)
      known.insert(text_of(entry, "code"));
  // How the sources make an error, a warning, a reason or a finding: its code is in what comes first.
  const std::regex made(R"re((?:warn\((?:warnings,)?|(?:warnings_?|reasons)\.push_back\(\s*\{|)re"
                        R"re(Warnings \w+\{\{|findings\.add\(|Severity::\w+,|fail\(|refused\(\w+, \{|)re"
                        R"re((?:Warning|Refusal|Row)\{|(?:Warning|Reason|Refusal) \w+\([^{}]*\)\s*\{[^{}]*return \{|)re"
                        R"re(Reason\{Find::\w+, \w+,|\{Trouble::\w+,|Key\{"\w+",|case ErrorCode::\w+:|)re"
                        R"re(kCode =|\.hint =)([^,;]*))re");
  const std::regex quoted("\"([a-z0-9_]+)\"");
  std::set<std::string> seen;
  for (const auto& file : std::filesystem::recursive_directory_iterator(GPUPLAN_SOURCE_DIR "/src")) {
    const std::string name = file.path().string();
    if (!name.ends_with(".cpp") && !name.ends_with(".hpp")) continue;
    const std::string text = read_text(name);
    for (std::sregex_iterator it(text.begin(), text.end(), made), end; it != end; ++it) {
      const std::string first = (*it)[1];
      for (std::sregex_iterator code(first.begin(), first.end(), quoted); code != end; ++code)
        seen.insert((*code)[1]);
    }
  }
  CHECK(seen.size() > 200);
  for (const std::string& code : seen) {
    if (code.ends_with('_')) continue;  // the begin of several: no_such_project, no_such_member
    INFO("tests/codes/codes.json lacks " << code << ": add an entry with a run that brings it about");
    CHECK(known.contains(code));
  }
}
