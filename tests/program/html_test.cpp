// The page of an answer: it stands alone, its numbers are those of the JSON, and its pictures show
// what they say.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "catch.hpp"
#include "html_reader.hpp"
#include "run_program.hpp"

namespace {

using Words = std::vector<std::string>;

const std::string kAcme = "tests/golden/compare-csv/acme.json";
const Words kEstimate{"estimate", "--model", "7b", "--mode", "lora", "--card", "RTX 4090",
                      "--card", "L40S"};
const Words kCompare{"compare", "--model", "7b", "--mode", "lora", "--samples", "50k",
                     "--epochs", "3", "--upload", "12GB", "--disk", "100GB", "--top", "60"};
const Words kSimulate{"simulate", kAcme, "--offer", "acme/l40s", "--run-hours", "10",
                      "--disk", "200GB", "--keep-days", "7"};
const Words kBreakeven{"breakeven", kAcme, "--offer", "acme/l40s", "--buy-price", "1800"};
const std::string kShop = "tests/golden/checklist-table/shop.json";
const Words kTransfer{"transfer", kShop, "--offer", "acme/l40s", "--size", "500GB", "--line", "40Mbps"};
const Words kEdge{"edge", kAcme, "--offer", "acme/l40s", "--per-day", "500GB", "--edge-cost", "150",
                  "--storage-price", "0.02", "--compute-hours", "10", "--edge-compute-cost", "900"};
const Words kChecklist{"checklist", kShop, "--offer", "acme/l40s", "--run-hours", "10",
                       "--upload", "50GB", "--line", "50Mbps", "--disk", "200GB"};
const std::string kJobs = "tests/golden/compare-jobs-table/";
const Words kTeam{"compare", kJobs + "plans.json", "--job", kJobs + "a.json",
                  "--job", kJobs + "b.json", "--job", kJobs + "c.json"};
const Words kShow{"catalog", "show", "--group", "card"};

std::string answer(Words words, const std::string& format) {
  words.insert(words.end(), {"-q", "--format", format});
  const Ran ran = run(words);
  INFO(ran.err);
  REQUIRE(ran.code == 0);
  return ran.out;
}

HtmlPage page_of(const Words& words) { return read_html(answer(words, "html")); }

double number(const std::string& text) { return std::stod(text); }

// Bars are as long as their values: the same pixels for a unit in all of them.
void check_lengths(const std::vector<Element>& bars) {
  double scale = 0;
  for (const Element& bar : bars) {
    const double value = std::abs(number(bar["data-value"]));
    const double pixels = number(bar["width"]);
    if (pixels < 20) continue;  // two decimals of a pixel say little of so short a bar
    if (scale <= 0) scale = pixels / value;
    CAPTURE(bar["data-row"], bar["data-part"], value, pixels);
    CHECK(pixels == Approx(value * scale).epsilon(0.002));
  }
  CHECK(scale > 0);
}

}  // namespace

TEST_CASE("a page stands alone: nothing is loaded, nothing is sent") {
  for (const Words& words : {kEstimate, kCompare, kSimulate, kBreakeven, kTransfer, kEdge, kChecklist,
                             kTeam, kShow, Words{"cards", "L40S"},
                             Words{"catalog", "validate", "data/catalog.json"}}) {
    const std::string text = answer(words, "html");
    const HtmlPage page = read_html(text);
    CAPTURE(words);
    CHECK(page.unbalanced.empty());
    CHECK(text.starts_with("<!doctype html>\n<html lang=\"en\">"));
    CHECK_THAT(text, Catch::Contains("default-src 'none'"));
    for (const Element& element : page.elements) {
      CHECK_FALSE(element.has("src"));
      CHECK_FALSE(element.has("onclick"));
      CHECK((element.name != "link" || element["href"] == "data:,"));
      CHECK((element.name != "a" && element.name != "iframe" && element.name != "img"));
    }
    CHECK(text.find("@import") == std::string::npos);
    CHECK(text.find("url(") == std::string::npos);
  }
}

TEST_CASE("the command line that made a page stands at its end, as one would type it") {
  const Ran ran = run({"cards", "RTX 4090", "--format", "html"});
  CHECK_THAT(ran.out, Catch::Contains("gpuplan cards &#39;RTX 4090&#39; --format html</code>"));
}

TEST_CASE("the same page comes out of the same inputs") {
  CHECK(answer(kCompare, "html") == answer(kCompare, "html"));
}

TEST_CASE("the table of offers has the numbers of the JSON") {
  const auto json = json_of(answer(kCompare, "json"));
  const auto rows = table_of(page_of(kCompare), "in the order of the ranking");
  const auto ranking = at(json.root(), "ranking").children;
  REQUIRE(rows.size() == ranking.size() + 1);
  REQUIRE(ranking.size() > 5);
  const auto column = [&](const std::string& title) {
    for (std::size_t c = 0; c < rows[0].size(); ++c)
      if (rows[0][c] == title) return c;
    FAIL(title);
    return std::size_t{0};
  };
  for (std::size_t i = 0; i < ranking.size(); ++i) {
    const auto& row = rows[i + 1];
    CHECK(row[column("offer")] == at(ranking[i], "offer").text);
    CHECK(row[column("platform")] == at(ranking[i], "platform").text);
    CHECK(row[column("total USD")] == at(ranking[i], "cost/total").text);
    CHECK(row[column("storage")] == at(ranking[i], "cost/storage").text);
    CHECK(row[column("network")] == at(ranking[i], "cost/network").text);
    CHECK(number(row[column("wall")]) == Approx(number(std::string(
                                             at(ranking[i], "time/wall_s").text))));
  }
}

TEST_CASE("the bill by part shows the parts of the cost of the first ten offers") {
  const auto json = json_of(answer(kCompare, "json"));
  const HtmlPage page = page_of(kCompare);
  const auto bars = drawn_in(page, "bill-by-part", "data-value");
  const auto ranking = at(json.root(), "ranking").children;
  std::size_t expected = 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(ranking.size(), 10); ++i)
    for (const gpuplan::JsonNode& part : at(ranking[i], "cost").children) {
      if (part.key == "total" || part.text == "0" || !part.is(gpuplan::JsonNode::Kind::number))
        continue;
      ++expected;
      const auto bar = std::ranges::find_if(bars, [&](const Element& element) {
        return element["data-row"].starts_with(std::to_string(i + 1) + ". ") &&
               element["data-part"] == part.key;
      });
      CAPTURE(i, part.key);
      REQUIRE(bar != bars.end());
      CHECK((*bar)["data-value"] == part.text);
    }
  CHECK(bars.size() == expected);
  check_lengths(bars);
}

TEST_CASE("cost against time: every offer stands where its cost and time are") {
  const auto json = json_of(answer(kCompare, "json"));
  const auto dots = drawn_in(page_of(kCompare), "cost-against-time", "data-x");
  const auto ranking = at(json.root(), "ranking").children;
  REQUIRE(dots.size() == ranking.size());
  for (std::size_t i = 0; i < dots.size(); ++i) {
    CHECK(number(dots[i]["data-x"]) ==
          Approx(number(std::string(at(ranking[i], "time/wall_s").text))));
    CHECK(dots[i]["data-y"] == at(ranking[i], "cost/total").text);
  }
  // Of the frontier nothing is both cheaper and faster; of the rest something is.
  for (const Element& dot : dots) {
    const bool beaten = std::ranges::any_of(dots, [&](const Element& other) {
      const double dx = number(other["data-x"]) - number(dot["data-x"]);
      const double dy = number(other["data-y"]) - number(dot["data-y"]);
      return dx <= 0 && dy <= 0 && (dx < 0 || dy < 0);
    });
    CHECK(dot["data-edge"] == (beaten ? "0" : "1"));
  }
  // Two points far apart tell the scale; a third must agree with it.
  const auto left = std::ranges::min_element(dots, {}, [](auto& d) { return number(d["data-x"]); });
  const auto right = std::ranges::max_element(dots, {}, [](auto& d) { return number(d["data-x"]); });
  const double scale = (number((*right)["cx"]) - number((*left)["cx"])) /
                       (number((*right)["data-x"]) - number((*left)["data-x"]));
  for (const Element& dot : dots)
    CHECK(number(dot["cx"]) ==
          Approx(number((*left)["cx"]) + scale * (number(dot["data-x"]) -
                                                  number((*left)["data-x"]))).margin(0.02));
}

TEST_CASE("memory by part: bars in bytes as the JSON has them, and the memory of the cards") {
  const auto json = json_of(answer(kEstimate, "json"));
  const HtmlPage page = page_of(kEstimate);
  const auto drawn = drawn_in(page, "memory-by-part", "data-value");
  std::set<std::string> bars;
  for (const Element& element : drawn)
    if (element.name == "rect") bars.insert(element["data-value"]);
  const auto& per_gpu = at(json.root(), "memory/per_gpu");
  for (const gpuplan::JsonNode& part : per_gpu.children) {
    if (part.key == "allocated_bytes" || part.key == "reserved_bytes" || part.text == "0") continue;
    CAPTURE(part.key);
    CHECK(bars.contains(std::string(part.text)));
  }
  CHECK(bars.contains(std::string(at(json.root(), "memory/required_bytes").text)));
  std::set<std::string> marks;
  for (const Element& element : drawn)
    if (element.has("data-mark")) marks.insert(element["data-value"]);
  for (const gpuplan::JsonNode& card : at(json.root(), "cards").children)
    CHECK(marks.contains(std::string(at(card, "memory_bytes").text)));
  std::vector<Element> rects;
  for (const Element& element : drawn)
    if (element.name == "rect") rects.push_back(element);
  check_lengths(rects);
}

TEST_CASE("the page of a bill has the sums and the lines of the ledger") {
  const auto json = json_of(answer(kSimulate, "json"));
  const HtmlPage page = page_of(kSimulate);
  const auto sums = table_of(page, "Sums");
  const auto& totals = at(json.root(), "totals");
  REQUIRE(sums.size() == totals.children.size() + 2);
  for (std::size_t i = 0; i < totals.children.size(); ++i) {
    CHECK(sums[i + 1][0] == totals.children[i].key);
    CHECK(sums[i + 1][1] == totals.children[i].text);
  }
  CHECK(sums.back()[1] == at(json.root(), "total").text);
  const auto bars = drawn_in(page, "bill-by-part", "data-value");
  REQUIRE(bars.size() == totals.children.size());
  for (const Element& bar : bars)
    CHECK(bar["data-value"] == at(totals, bar["data-part"]).text);
  check_lengths(bars);
  // The line of what is billed by then ends at the total.
  const auto lines = drawn_in(page, "cost-over-time", "data-values");
  REQUIRE(lines.size() == 1);
  const std::string& values = lines[0]["data-values"];
  CHECK(values.substr(values.rfind(',') + 1) == at(json.root(), "total").text);
}

TEST_CASE("cost by hours: each plan's line goes through the costs of the table") {
  const auto json = json_of(answer(kBreakeven, "json"));
  const auto lines = drawn_in(page_of(kBreakeven), "cost-by-hours", "data-values");
  const auto table = at(json.root(), "table").children;
  REQUIRE_FALSE(table.empty());
  REQUIRE(lines.size() == at(table[0], "costs").children.size());
  for (const Element& line : lines) {
    for (const gpuplan::JsonNode& row : table) {
      const std::string cost(at(row, "costs/" + line["data-row"]).text);
      CAPTURE(line["data-row"]);
      CHECK_THAT(line["data-values"] + " ", Catch::Contains("," + cost + " "));
    }
  }
}

TEST_CASE("the three bills of edge and cloud are drawn by part") {
  const auto json = json_of(answer(kEdge, "json"));
  const auto bars = drawn_in(page_of(kEdge), "bill-of-ways", "data-value");
  const std::map<std::string, std::string> ways{
      {"cloud only (raw)", "cloud_only"}, {"edge first", "edge_first"}, {"two-stage", "two_stage"}};
  REQUIRE(bars.size() > 4);
  for (const Element& bar : bars)
    CHECK(bar["data-value"] ==
          at(json.root(), ways.at(bar["data-row"]) + "/" + bar["data-part"]).text);
  check_lengths(bars);
}

TEST_CASE("routes are drawn with their times and their costs") {
  const auto json = json_of(answer(kTransfer, "json"));
  const HtmlPage page = page_of(kTransfer);
  const auto times = drawn_in(page, "time-of-routes", "data-value");
  const auto costs = drawn_in(page, "cost-of-routes", "data-value");
  const auto routes = at(json.root(), "routes").children;
  REQUIRE(times.size() == routes.size());
  for (std::size_t i = 0; i < routes.size(); ++i) {
    CHECK(times[i]["data-row"] == at(routes[i], "route").text);
    CHECK(number(times[i]["data-value"]) ==
          Approx(number(std::string(at(routes[i], "seconds").text))));
    for (const Element& bar : costs) {
      if (bar["data-row"] != at(routes[i], "route").text) continue;
      CHECK(bar["data-value"] ==
            at(routes[i], bar["data-part"] == "card waits" ? "gpu_idle_cost" : "cost").text);
    }
  }
  check_lengths(times);
  check_lengths(costs);
}

TEST_CASE("what it costs to forget is drawn, the dearest first") {
  const auto json = json_of(answer(kChecklist, "json"));
  const auto bars = drawn_in(page_of(kChecklist), "cost-of-forgetting", "data-value");
  std::map<std::string, std::string> costs;
  for (const gpuplan::JsonNode& item : at(json.root(), "items").children)
    if (at(item, "costs_if_forgotten").is(gpuplan::JsonNode::Kind::number))
      costs[std::string(at(item, "do").text)] = std::string(at(item, "costs_if_forgotten").text);
  REQUIRE(bars.size() == costs.size());
  for (const Element& bar : bars) CHECK(bar["data-value"] == costs.at(bar["data-row"]));
  CHECK(std::ranges::is_sorted(bars, std::greater{}, [](const Element& bar) {
    return number(bar["data-value"]);
  }));
  check_lengths(bars);
}

TEST_CASE("a page of a check says the verdict first, then each finding with its fix") {
  const Words words{"check", "--driver", "550.127", "--framework", "torch=2.9", "--card", "RTX 5090",
                    "-q"};
  Words page_words = words, json_words = words;
  page_words.insert(page_words.end(), {"--format", "html"});
  json_words.push_back("--json");
  const std::string page = run(page_words).out;
  const auto json = json_of(run(json_words).out);
  CHECK_THAT(page, Catch::Contains("<strong>Verdict: " + std::string(at(json.root(), "verdict").text)));
  for (const gpuplan::JsonNode& finding : at(json.root(), "findings").children)
    CHECK_THAT(page, Catch::Contains("<code>" + std::string(at(finding, "code").text) + "</code>"));
  CHECK(read_html(page).unbalanced.empty());
}

TEST_CASE("every picture has a title, a description and its values as a table") {
  for (const Words& words : {kEstimate, kCompare, kSimulate, kBreakeven, kTransfer, kEdge, kChecklist,
                             kTeam, kShow}) {
    const HtmlPage page = page_of(words);
    std::set<std::string> ids;
    for (const Element& element : page.elements)
      if (element.has("id")) CHECK(ids.insert(element["id"]).second);
    int pictures = 0;
    for (std::size_t i = 0; i < page.elements.size(); ++i) {
      const Element& svg = page.elements[i];
      if (svg.name != "svg" || !svg.has("data-picture")) continue;
      ++pictures;
      CHECK(svg["role"] == "img");
      const std::string& names = svg["aria-labelledby"];
      CHECK(ids.contains(names.substr(0, names.find(' '))));
      CHECK(ids.contains(names.substr(names.find(' ') + 1)));
      CHECK_FALSE(page.elements[i + 1].text.empty());
      CHECK_FALSE(page.elements[i + 2].text.empty());
    }
    CHECK(pictures > 0);
    int values = 0;
    for (const Element& element : page.elements)
      if (element.name == "caption" && element.text.ends_with(", values")) ++values;
    CHECK(values == pictures);
  }
}

TEST_CASE("names of a catalog cannot become marks of the page") {
  std::string catalog = small_catalog();
  for (auto i = catalog.find("\"id\": \"acme\""); i != std::string::npos;
       i = catalog.find("\"id\": \"acme\""))
    catalog.replace(i, 12, R"("id": "<script>alert(1)\" onload=\"x&")");
  const Ran ran =
      run({"compare", "-", "-q", "--run-hours", "10", "--format", "html"}, {.input = catalog});
  CAPTURE(ran.err);
  REQUIRE(ran.code == 0);
  CHECK(ran.out.find("<script>alert") == std::string::npos);
  CHECK(ran.out.find("onload=\"x") == std::string::npos);
  CHECK_THAT(ran.out, Catch::Contains("&lt;script&gt;alert(1)&quot; onload"));
  CHECK(read_html(ran.out).unbalanced.empty());
}

TEST_CASE("an answer that nothing fits is a page as well, with the reasons") {
  const Ran ran = run({"compare", kAcme, "--model", "70b", "--mode", "full", "-q", "--format", "html"});
  CHECK(ran.code == 4);
  CHECK_THAT(ran.out, Catch::Contains("Not in the table"));
  CHECK(read_html(ran.out).unbalanced.empty());
}
