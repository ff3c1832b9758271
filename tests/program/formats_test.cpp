// One answer in every dress: the numbers of CSV, Markdown, table and page are those of the JSON of
// the same run. They are read back from what the program printed.
#include <algorithm>
#include <cmath>
#include <set>

#include "catch.hpp"
#include "html_reader.hpp"
#include "run_program.hpp"

namespace {

using Words = std::vector<std::string>;
using Rows = std::vector<std::vector<std::string>>;

// How a cell stands for a value: as it is, or as people write it.
enum class As { text, number, seconds, bytes, gib, tera, giga, gb };

struct Field {
  std::string title;    // of the column; several may do, parted by |
  std::string pointer;  // of the value, within its row of the JSON
  As as = As::text;
};

struct Answer {
  std::string name;
  Words words;
  std::string list;  // of rows in the JSON; several lists parted by | stand one behind the other
  std::vector<Field> fields;
  int code = 0;
};

const std::string kAcme = "tests/golden/compare-csv/acme.json";
const std::string kPlans = "tests/golden/compare-jobs-table/plans.json";
const std::string kJobs = "tests/golden/compare-jobs-table/";

std::vector<Answer> answers() {
  return {
      {"compare",
       {"compare", "--model", "7b", "--mode", "lora", "--samples", "50k", "--epochs", "3",
        "--upload", "12GB", "--disk", "100GB", "--top", "40"},
       "ranking",
       {{"#", "rank", As::number},
        {"platform", "platform"},
        {"offer", "offer"},
        {"region", "region"},
        {"run", "time/run_s", As::seconds},
        {"wall", "time/wall_s", As::seconds},
        {"total USD", "cost/total", As::number},
        {"per unit", "unit_cost/amount", As::number},
        {"storage", "cost/storage", As::number},
        {"network", "cost/network", As::number}}},
      {"compare with spot",
       {"compare", kPlans, "--model", "7b", "--mode", "lora", "--run-hours", "10",
        "--reclaim-mean", "5h", "--checkpoint-every", "30m"},
       "ranking",
       {{"#", "rank", As::number},
        {"wall", "time/wall_s", As::seconds},
        {"total USD", "cost/total", As::number},
        {"per unit", "unit_cost/amount", As::number}}},
      {"team",
       {"compare", kPlans, "--job", kJobs + "a.json", "--job", kJobs + "b.json", "--job",
        kJobs + "c.json"},
       "jobs",
       {{"job", "name"},
        {"project", "project"},
        {"member", "member"},
        {"platform", "taken/platform"},
        {"wall", "taken/wall_s", As::seconds},
        {"total USD", "taken/total", As::number},
        {"offer", "taken/offer"}}},
      {"simulate",
       {"simulate", kAcme, "--offer", "acme/l40s", "--run-hours", "10", "--disk", "200GB",
        "--keep-days", "7"},
       "ledger",
       {{"from", "from_s", As::seconds},
        {"to", "to_s", As::seconds},
        {"#", "instance", As::number},
        {"state", "state"},
        {"item", "item"},
        {"quantity", "quantity", As::number},
        {"unit", "unit"},
        {"unit price USD", "unit_price", As::number},
        {"amount USD", "amount", As::number},
        {"rule", "rule"}}},
      {"transfer",
       {"transfer", kAcme, "--offer", "acme/l40s", "--size", "500GB", "--line", "40Mbps",
        "--compression", "0.6"},
       "routes",
       {{"route", "route"},
        {"seconds|time", "seconds", As::seconds},
        {"slowest", "bound"},
        {"traffic, storage USD", "cost", As::number},
        {"card waits USD", "gpu_idle_cost", As::number},
        {"total USD", "total", As::number}}},
      {"edge",
       {"edge", kAcme, "--offer", "acme/l40s", "--per-day", "500GB", "--keep-share", "0.1",
        "--edge-cost", "150", "--edge-compute-cost", "900", "--retention-days", "30",
        "--compute-hours", "10", "--storage-price", "0.02"},
       "cloud_only|edge_first|two_stage",
       {{"upload GB a month|upload", "upload_gb_month", As::gb},
        {"network", "network", As::number},
        {"storage", "storage", As::number},
        {"compute", "compute", As::number},
        {"edge", "edge", As::number},
        {"total USD", "total", As::number}}},
      {"check",
       {"check", "--driver", "550.127", "--framework", "torch=2.9", "--card", "RTX 5090"},
       "findings",
       {{"severity", "severity"}, {"code", "code"}, {"message", "message"}, {"fix", "fix"}},
       4},
      {"checklist",
       {"checklist", kAcme, "--offer", "acme/l40s", "--run-hours", "10", "--disk", "200GB"},
       "items",
       {{"when", "when"},
        {"do", "do"},
        {"why", "why"},
        {"forgotten USD", "costs_if_forgotten", As::number},
        {"which is", "costs_what"}}},
      {"catalog show",
       {"catalog", "show", kAcme},
       "offers",
       {{"platform", "platform"},
        {"gpus", "gpus", As::number},
        {"USD an hour", "price_common", As::number},
        {"per card", "per_card", As::number},
        {"spot", "spot_common", As::number},
        {"GiB", "memory_bytes", As::gib},
        {"region", "region"},
        {"as of", "as_of"}}},
      {"catalog show in groups",
       {"catalog", "show", "--group", "card"},
       "groups",
       {{"card", "key"},
        {"offers", "offers", As::number},
        {"low USD", "per_card/low", As::number},
        {"median", "per_card/median", As::number},
        {"high", "per_card/high", As::number},
        {"spot from", "spot_low", As::number},
        {"without price", "unpriced", As::number}}},
      {"catalog validate",
       {"catalog", "validate", kAcme},
       "files/0/lint",
       {{"code", "code"}, {"where", "where"}, {"message", "message"}}},
      {"catalog diff",
       {"catalog", "diff", "tests/golden/diff-table/market.json", "tests/golden/diff-table/newer.json"},
       "changed",
       {{"offer", "offer"}, {"key", "key"}, {"percent", "percent", As::number}}},
      {"cards",
       {"cards", "class=datacenter"},
       "cards",
       {{"card", "name"},
        {"memory GiB", "memory_bytes", As::gib},
        {"GB/s", "bandwidth_bytes_per_s", As::giga},
        {"watts", "watts", As::number}}},
      {"models",
       {"models", "name~qwen"},
       "models",
       {{"model", "name"},
        {"parameters", "parameters", As::number},
        {"kind", "kind"},
        {"layers", "layers", As::number},
        {"hidden", "hidden", As::number},
        {"vocab", "vocab", As::number}}},
      {"explain",
       {"explain"},
       "topics",
       {{"topic", "topic"}, {"what it tells", "title"}}}};
}

// ---- reading back what was printed ----

Rows read_csv(const std::string& text) {
  Rows rows;
  std::vector<std::string> row(1);
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
      row.back() += '"';
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (quoted || (c != ',' && c != '\n')) {
      row.back() += c;
    } else if (c == ',') {
      row.emplace_back();
    } else {
      rows.push_back(std::move(row));
      row.assign(1, "");
    }
  }
  return rows;
}

// The first table of a Markdown text.
Rows read_markdown(const std::string& text) {
  Rows rows;
  for (const std::string& line : lines_of(text)) {
    if (!line.starts_with("|")) {
      if (rows.empty()) continue;
      break;
    }
    if (line.starts_with("| :--") || line.starts_with("| --:")) continue;
    std::vector<std::string> row(1);
    for (std::size_t i = 2; i + 1 < line.size(); ++i) {
      if (line[i] == '\\' && i + 1 < line.size()) {
        row.back() += line[++i];
      } else if (line.substr(i, 3) == " | " && i + 3 < line.size()) {
        row.emplace_back();
        i += 2;
      } else {
        row.back() += line[i];
      }
    }
    for (std::string& cell : row) cell.erase(cell.find_last_not_of(' ') + 1);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::size_t column_of(const Rows& rows, const std::string& titles) {
  for (std::size_t from = 0; from <= titles.size();) {
    const auto end = std::min(titles.find('|', from), titles.size());
    const auto found = std::ranges::find(rows.at(0), titles.substr(from, end - from));
    if (found != rows.at(0).end()) return static_cast<std::size_t>(found - rows.at(0).begin());
    from = end + 1;
  }
  FAIL("no column " << titles);
  return 0;
}

// "28 h 20 min", "1.5 TB", "12.55": the value and how far off the last digit lets it be.
struct Shown {
  double value = 0, unsure = 0;
};

Shown number_of(const std::string& text) {
  const auto point = text.find('.');
  const auto digits = point == std::string::npos ? 0 : text.size() - point - 1;
  return {std::stod(text), 0.5000001 * std::pow(10.0, -static_cast<double>(digits))};
}

Shown with_units(const std::string& text, const std::map<std::string, double>& units) {
  Shown sum;
  std::size_t from = 0;
  while (from < text.size()) {
    const auto blank = text.find(' ', from);
    REQUIRE(blank != std::string::npos);
    const auto end = std::min(text.find(' ', blank + 1), text.size());
    const Shown part = number_of(text.substr(from, blank - from));
    const double unit = units.at(text.substr(blank + 1, end - blank - 1));
    sum.value += part.value * unit;
    sum.unsure = part.unsure * unit;  // the last unit is the smallest
    from = end + 1;
  }
  return sum;
}

double unit_of(As as) {
  switch (as) {
    case As::gib:
      return 1024.0 * 1024 * 1024;
    case As::tera:
      return 1e12;
    case As::giga:
      return 1e9;
    default:
      return 1;
  }
}

Shown shown_value(std::string cell, As as) {
  if (cell.starts_with('\'')) cell.erase(0, 1);  // a spreadsheet gets no formula
  const bool people = cell.find(' ') != std::string::npos;
  if (as == As::seconds && people)
    return with_units(cell, {{"d", 86400.0}, {"h", 3600.0}, {"min", 60.0}, {"s", 1.0},
                             {"ms", 1e-3}, {"us", 1e-6}});
  if ((as == As::gb || as == As::bytes) && people) {
    const double one = as == As::gb ? 1e-9 : 1;
    return with_units(cell, {{"B", one}, {"kB", 1e3 * one}, {"MB", 1e6 * one}, {"GB", 1e9 * one},
                             {"TB", 1e12 * one}, {"PB", 1e15 * one}});
  }
  while (!cell.empty() && (cell.back() == '~' || cell.back() == '%' || cell.back() == ' '))
    cell.pop_back();
  Shown value = number_of(cell);
  value.value *= unit_of(as);
  value.unsure *= unit_of(as);
  return value;
}

bool says_nothing(const std::string& cell) {
  return cell.empty() || cell == "-" || cell == "?" || cell == "not known";
}

void check_cell(const std::string& cell, const gpuplan::JsonNode& value, As as, bool exact) {
  if (value.is(gpuplan::JsonNode::Kind::null)) {
    CHECK(says_nothing(cell));
    return;
  }
  if (as == As::text) {
    CHECK((cell == value.text || (says_nothing(cell) && value.text.empty())));
    return;
  }
  REQUIRE_FALSE(says_nothing(cell));
  const double real = std::stod(std::string(value.text));
  if (exact && (as == As::number || as == As::seconds || as == As::gb) &&
      cell.find_first_not_of("0123456789.-") == std::string::npos) {
    CHECK(std::stod(cell) == Approx(real).epsilon(1e-9));
    return;
  }
  const Shown shown = shown_value(cell, as);
  CHECK(std::abs(shown.value - real) <= shown.unsure * 1.0000001 + std::abs(real) * 1e-12);
}

const gpuplan::JsonNode& value_at(const gpuplan::JsonNode& row, const std::string& pointer) {
  static const auto kNull = gpuplan::parse_json("null", "nothing");
  const gpuplan::JsonNode* node = &row;
  for (std::size_t from = 0; from <= pointer.size();) {
    const auto end = std::min(pointer.find('/', from), pointer.size());
    if (node->is(gpuplan::JsonNode::Kind::null)) return kNull->root();
    node = &at(*node, pointer.substr(from, end - from));
    from = end + 1;
  }
  return *node;
}

std::vector<const gpuplan::JsonNode*> rows_of(const gpuplan::JsonDocument& json,
                                              const std::string& lists) {
  std::vector<const gpuplan::JsonNode*> rows;
  for (std::size_t from = 0; from <= lists.size();) {
    const auto end = std::min(lists.find('|', from), lists.size());
    const gpuplan::JsonNode& node = at(json.root(), lists.substr(from, end - from));
    if (node.is(gpuplan::JsonNode::Kind::array))
      for (const gpuplan::JsonNode& row : node.children) rows.push_back(&row);
    else
      rows.push_back(&node);
    from = end + 1;
  }
  return rows;
}

std::string printed(const Answer& answer, const std::string& format) {
  Words words = answer.words;
  words.insert(words.end(), {"-q", "--format", format});
  const Ran ran = run(words);
  INFO(ran.err);
  REQUIRE(ran.code == answer.code);
  return ran.out;
}

void check_rows(const Answer& answer, const Rows& rows, const std::string& format, bool exact) {
  const auto json = json_of(printed(answer, "json"));
  const auto wanted = rows_of(json, answer.list);
  // Of a comparison, what is new or gone stands in the same table, in front.
  REQUIRE(rows.size() >= wanted.size() + 1);
  const std::size_t before = rows.size() - wanted.size();
  REQUIRE_FALSE(wanted.empty());
  for (std::size_t r = 0; r < wanted.size(); ++r)
    for (const Field& field : answer.fields) {
      const std::string& cell = rows[before + r][column_of(rows, field.title)];
      const gpuplan::JsonNode& value = value_at(*wanted[r], field.pointer);
      CAPTURE(format, r, field.title, cell, value.text);
      check_cell(cell, value, field.as, exact);
    }
}

std::string squeezed(const std::string& text) {
  std::string out;
  for (const char c : text)
    if (c != ' ' || (!out.empty() && out.back() != ' ')) out += c;
  if (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

}  // namespace

TEST_CASE("CSV has the numbers of the JSON, to the last digit") {
  for (const Answer& answer : answers()) {
    CAPTURE(answer.name);
    check_rows(answer, read_csv(printed(answer, "csv")), "csv", true);
  }
}

TEST_CASE("Markdown has the numbers of the JSON, as far as it shows them") {
  for (const Answer& answer : answers()) {
    CAPTURE(answer.name);
    check_rows(answer, read_markdown(printed(answer, "markdown")), "markdown", false);
  }
}

TEST_CASE("a Markdown answer stands on its own: a title, the answer, and the command that made it") {
  for (const Answer& answer : answers()) {
    if (answer.name == "explain") continue;  // chapters are a text of their own
    CAPTURE(answer.name);
    const std::string text = printed(answer, "markdown");
    CHECK(text.starts_with("### "));
    const auto lines = lines_of(text);
    CHECK_THAT(lines.back(), Catch::StartsWith("<sub>Made with this command by gpuplan "));
    CHECK_THAT(lines.back(), Catch::Contains("`gpuplan " + answer.words.front() + " "));
    CHECK_THAT(text, !Catch::Contains("\n\n\n"));
  }
}

TEST_CASE("a comment on a merge request says job, date, unit, every rejection and every warning") {
  const Words words{"compare", kAcme, "--model", "7b", "--mode", "lora", "--samples", "50k"};
  Words asked = words;
  asked.insert(asked.end(), {"--rejected", "--format", "markdown"});
  const std::string text = run(asked).out;
  CHECK_THAT(text, Catch::Contains("### Which offer to take"));
  CHECK_THAT(text, Catch::Contains("lora · meta-llama/Llama-2-7b-hf · 50000 samples"));
  CHECK_THAT(text, Catch::Contains("of 2026-11-01"));
  CHECK(text.find("**Take** ") < text.find("| # |"));
  CHECK_THAT(text, Catch::Contains("per unit: million tokens"));
  asked = words;
  asked.push_back("--json");
  const Ran other = run(asked);
  const auto json = json_of(other.out);
  for (const gpuplan::JsonNode& offer : at(json.root(), "rejected").children)
    for (const gpuplan::JsonNode& reason : at(offer, "reasons").children) {
      CAPTURE(at(reason, "message").text);
      CHECK_THAT(text, Catch::Contains("| " + std::string(at(reason, "code").text) + " | "));
    }
  for (const gpuplan::JsonNode& warning : at(json.root(), "warnings").children)
    CHECK_THAT(text, Catch::Contains("`" + std::string(at(warning, "code").text) + "`"));
  CHECK_THAT(text, Catch::Contains(std::string(at(json.root(), "catalog/sha256").text)));
  // Without --rejected it says how many there are, and how to see them.
  asked = words;
  asked.insert(asked.end(), {"--format", "markdown"});
  CHECK_THAT(run(asked).out, Catch::Contains("--rejected lists them") && !Catch::Contains("<details><summary>Rejected"));
}

TEST_CASE("a table that has room for all columns shows what Markdown shows") {
  // What is not a table on a terminal, but sentences, is held against the JSON below.
  const std::set<std::string> sentences{"check", "checklist", "catalog validate", "catalog diff"};
  for (const Answer& answer : answers()) {
    if (sentences.contains(answer.name)) continue;
    CAPTURE(answer.name);
    Words words = answer.words;
    words.push_back("-q");
    if (answer.name == "catalog show in groups") words.insert(words.end(), {"--top", "500"});
    const Ran ran = run_on_terminal(600, words, {.environment = {{"TERM", "dumb"}}});
    std::set<std::string> lines;
    for (const std::string& line : lines_of(ran.out)) lines.insert(squeezed(line));
    const bool ledger = answer.name == "simulate";  // its times are seconds in Markdown
    for (std::vector<std::string> row : read_markdown(printed(answer, "markdown"))) {
      if (ledger && row != std::vector<std::string>{}) row.erase(row.begin(), row.begin() + 2);
      std::string line;
      for (const std::string& cell : row) line += (line.empty() ? "" : " ") + cell;
      const std::string wanted = squeezed(line);
      CAPTURE(wanted, ran.out);
      CHECK(std::ranges::any_of(lines, [&](const std::string& shown) {
        return ledger ? shown.ends_with(wanted) : shown == wanted;
      }));
    }
  }
}

TEST_CASE("sentences of a terminal have the numbers of the JSON") {
  for (const Answer& answer : answers()) {
    if (answer.name != "check" && answer.name != "checklist" && answer.name != "catalog validate" &&
        answer.name != "catalog diff")
      continue;
    CAPTURE(answer.name);
    Words words = answer.words;
    words.push_back("-q");
    const std::string text =
        squeezed([&] {
          std::string joined = run_on_terminal(600, words, {.environment = {{"TERM", "dumb"}}}).out;
          std::ranges::replace(joined, '\n', ' ');
          return joined;
        }());
    const auto json = json_of(printed(answer, "json"));
    for (const gpuplan::JsonNode* row : rows_of(json, answer.list))
      for (const Field& field : answer.fields) {
        const gpuplan::JsonNode& value = value_at(*row, field.pointer);
        if (field.title == "when" || value.is(gpuplan::JsonNode::Kind::null)) continue;
        std::string wanted(value.text);
        if (field.as == As::number) {
          char buffer[64];
          std::snprintf(buffer, sizeof buffer, field.title == "percent" ? "%+.1f" : "%.2f",
                        std::stod(wanted));
          wanted = buffer;
        }
        CAPTURE(field.title, text);
        CHECK_THAT(text, Catch::Contains(squeezed(wanted)));
      }
  }
}

TEST_CASE("the parts of a GPU's memory are the same bytes in every form") {
  const Words words{"estimate", "--model", "7b", "--mode", "lora", "--card", "L40S", "-q"};
  const auto with = [&](const std::string& format) {
    Words all = words;
    all.insert(all.end(), {"--format", format});
    return run(all).out;
  };
  const auto json = json_of(with("json"));
  const auto value = [&](const std::string& part) {
    return std::stod(std::string(at(json.root(), part == "required"
                                                     ? "memory/required_bytes"
                                                     : "memory/per_gpu/" + part + "_bytes")
                                     .text));
  };
  const Rows csv = read_csv(with("csv"));
  REQUIRE(csv.size() == at(json.root(), "memory/per_gpu").children.size() + 2);
  for (std::size_t r = 1; r < csv.size(); ++r) {
    CHECK(std::stod(csv[r][1]) == value(csv[r][0]));
    CHECK(std::abs(std::stod(csv[r][2]) * 1073741824 - value(csv[r][0])) <= 0.0050001 * 1073741824);
  }
  CHECK(read_markdown(with("markdown")) == csv);
  // The table leaves out what is 0, and what the allocator holds; every figure of it is one of these.
  const std::string table = run(words).out;
  for (std::size_t r = 1; r < csv.size(); ++r)
    if (csv[r][1] != "0" && csv[r][0] != "reserved") CHECK_THAT(table, Catch::Contains(" " + csv[r][2]));
  CHECK_THAT(table, Catch::Contains("3971 tokens/s"));
  CHECK(std::stod(std::string(at(json.root(), "speed/tokens_per_s").text)) ==
        Approx(3971).margin(0.5));
}

TEST_CASE("break-even: pairs, costs and the file for plots are those of the JSON") {
  const Words words{"breakeven", kAcme, "--offer", "acme/l40s", "--buy-price", "1800"};
  const Answer answer{"breakeven", words, "pairs", {}};
  const auto json = json_of(printed(answer, "json"));
  const Rows csv = read_csv(printed(answer, "csv"));
  std::size_t row = 1;
  for (const gpuplan::JsonNode& line : at(json.root(), "table").children)
    for (const gpuplan::JsonNode& cost : at(line, "costs").children) {
      REQUIRE(row < csv.size());
      CHECK(csv[row][0] == std::string(at(line, "platform").text) + "/" +
                               std::string(at(line, "offer").text));
      CHECK(csv[row][1] == at(line, "hours").text);
      CHECK(csv[row][2] == cost.key);
      CHECK(csv[row][3] == cost.text);
      ++row;
    }
  CHECK(row == csv.size());
  const Rows pairs = read_markdown(printed(answer, "markdown"));
  const auto wanted = at(json.root(), "pairs").children;
  REQUIRE(pairs.size() == wanted.size() + 1);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    CHECK(pairs[i + 1][1] == at(wanted[i], "b").text);
    CHECK(pairs[i + 1][2] == at(wanted[i], "a").text);
    const std::string& from = pairs[i + 1][3];
    if (at(wanted[i], "verdict").text == "from") {
      REQUIRE(from.starts_with("from "));
      CHECK(std::abs(std::stod(from.substr(5)) -
                     std::stod(std::string(at(wanted[i], "hours").text))) < 0.00501);
    } else {
      CHECK(from == at(wanted[i], "verdict").text);
    }
  }
}

TEST_CASE("tables of a page have the exact values of the JSON beside what they show") {
  for (const auto& [name, caption] : std::map<std::string, std::string>{
           {"transfer", "Routes, the best first"},
           {"edge", "Three ways; amounts in USD"},
           {"team", "Each job with the offer that it takes"},
           {"catalog show", "Offers"}}) {
    const auto all = answers();
    const auto answer = std::ranges::find(all, name, &Answer::name);
    CAPTURE(name);
    const HtmlPage page = read_html(printed(*answer, "html"));
    CHECK(page.unbalanced.empty());
    check_rows(*answer, table_of(page, caption), "html", true);
  }
}

TEST_CASE("every command answers in every form, and the page of each says what was asked") {
  for (const Answer& answer : answers()) {
    CAPTURE(answer.name);
    for (const std::string format : {"table", "json", "csv", "markdown", "html"})
      CHECK_FALSE(printed(answer, format).empty());
    const HtmlPage page = read_html(printed(answer, "html"));
    CHECK(page.unbalanced.empty());
    const auto title = std::ranges::find(page.elements, std::string("h1"), &Element::name);
    REQUIRE(title != page.elements.end());
    CHECK_FALSE(title->text.starts_with("gpuplan "));
  }
}

TEST_CASE("a document has one form: another is refused, not ignored") {
  for (const Words& words :
       {Words{"catalog", "merge", kAcme, kPlans}, Words{"schema", "compare"}, Words{"init", "job"},
        Words{"completion", "bash"}, Words{"man", "compare"}}) {
    Words asked = words;
    asked.insert(asked.end(), {"--format", "csv"});
    const Ran ran = run(asked);
    CAPTURE(words);
    CHECK(ran.code == 2);
    CHECK(ran.out.empty());
    CHECK_THAT(ran.err, Catch::Contains("one form only"));
  }
}
