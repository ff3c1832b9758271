// The pages in a real browser. Skipped, with a message, where none is installed.
#include "catch.hpp"
#include "run_program.hpp"
#include "webdriver.hpp"

namespace {

void write_page(const Folder& folder, const std::string& name, std::vector<std::string> words) {
  words.insert(words.end(), {"-q", "--format", "html", "-o", folder.path(name)});
  const Ran ran = run(words);
  INFO(ran.err);
  REQUIRE(ran.code == 0);
}

const std::vector<std::string> kPages{"compare.html", "estimate.html", "simulate.html",
                                      "breakeven.html"};

void write_pages(const Folder& folder) {
  const std::string acme = "tests/golden/compare-csv/acme.json";
  write_page(folder, kPages[0], {"compare", "--samples", "50k", "--upload", "12GB"});
  write_page(folder, kPages[1], {"estimate", "--model", "7b", "--mode", "lora", "--card", "L40S"});
  write_page(folder, kPages[2],
             {"simulate", acme, "--offer", "acme/l40s", "--run-hours", "10", "--disk", "200GB"});
  write_page(folder, kPages[3],
             {"breakeven", acme, "--offer", "acme/l40s", "--buy-price", "1800"});
}

// Every text against what lies behind it, and every shape of a picture against the page: what is
// below 4.5 to 1 (3 to 1 for shapes and large text), WCAG 2.1 AA.
const std::string kLowContrast = R"(
  const parse = (text) => text.match(/[\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
    .map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const ratio = (a, b) => {
    const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
    return (x + 0.05) / (y + 0.05);
  };
  const behind = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const color = parse(getComputedStyle(e).backgroundColor);
      if (color.length < 4 || color[3] > 0) return color;
    }
    return [255, 255, 255];
  };
  const low = [];
  for (const element of document.querySelectorAll("body *")) {
    if (element.closest("script, style, title, desc")) continue;
    const style = getComputedStyle(element);
    const own = [...element.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    if (own) {
      const color = parse(element.closest("svg") ? style.fill : style.color);
      const size = parseFloat(style.fontSize);
      const need = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
      const got = ratio(color, behind(element));
      if (got < need) low.push(`${element.tagName} "${element.textContent.trim().slice(0, 30)}" ${got.toFixed(2)}`);
    } else if (["rect", "circle"].includes(element.tagName)) {
      const got = ratio(parse(style.fill), behind(element.closest("svg").parentElement));
      if (got < 3) low.push(`${element.tagName} ${element.getAttribute("class")} ${got.toFixed(2)}`);
    }
  }
  return low.join("\n");
)";

// Pictures and words that stick out of the window to the right, beside what can be scrolled.
const std::string kTooWide = R"(
  const wide = document.documentElement.scrollWidth;
  return wide > innerWidth ? `the page is ${wide} wide, the window ${innerWidth}` : "";
)";

// Texts of a drawing that lie over each other or stick out of it.
const std::string kOverlaps = R"(
  const bad = [];
  for (const svg of document.querySelectorAll("svg[data-picture]")) {
    const frame = svg.getBoundingClientRect();
    const boxes = [...svg.querySelectorAll("text")].map((t) => [t.textContent, t.getBoundingClientRect()]);
    for (const [text, box] of boxes)
      if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.bottom > frame.bottom + 1)
        bad.push(`${svg.dataset.picture}: "${text}" sticks out`);
    for (let i = 0; i < boxes.length; ++i)
      for (let j = i + 1; j < boxes.length; ++j) {
        const [a, b] = [boxes[i][1], boxes[j][1]];
        if (a.left < b.right - 2 && b.left < a.right - 2 && a.top < b.bottom - 3 && b.top < a.bottom - 3)
          bad.push(`${svg.dataset.picture}: "${boxes[i][0]}" over "${boxes[j][0]}"`);
      }
  }
  return bad.join("\n");
)";

void set_scheme(Browser& browser, const std::string& scheme) {
  browser.command("Emulation.setEmulatedMedia",
                  R"({"features":[{"name":"prefers-color-scheme","value":")" + scheme + R"("}]})");
}

void set_width(Browser& browser, int width) {
  browser.command("Emulation.setDeviceMetricsOverride",
                  R"({"width":)" + std::to_string(width) +
                      R"(,"height":800,"deviceScaleFactor":1,"mobile":false})");
}

}  // namespace

TEST_CASE("pages in a browser: light, dark, narrow, printed, sorted, and nothing leaves them") {
  if (const auto why = Browser::missing()) {
    WARN("skipped: " << *why << " (Debian: apt-get install chromium chromium-driver)");
    return;
  }
  const Folder folder;
  write_pages(folder);
  Browser browser;
  for (const std::string& name : kPages) {
    CAPTURE(name);
    browser.log("performance");
    set_width(browser, 1280);
    set_scheme(browser, "light");
    browser.open(folder.path(name));
    const std::string light = browser.run("return getComputedStyle(document.body).backgroundColor");
    CHECK(light == "rgb(255, 255, 255)");
    CHECK(browser.run(kLowContrast) == "");
    CHECK(browser.run(kTooWide) == "");
    CHECK(browser.run(kOverlaps) == "");

    set_scheme(browser, "dark");
    CHECK(browser.run("return getComputedStyle(document.body).backgroundColor") != light);
    CHECK(browser.run(kLowContrast) == "");

    set_width(browser, 360);
    CHECK(browser.run(kTooWide) == "");
    set_width(browser, 1280);

    CHECK(browser.print().starts_with("JVBERi0"));  // "%PDF-"

    // All that was asked for is the page itself.
    const auto requests = json_of(browser.log("performance"));
    int seen = 0;
    for (const gpuplan::JsonNode& entry : requests.root().children) {
      const std::string message(at(entry, "message").text);
      if (message.find("Network.requestWillBeSent\"") == std::string::npos) continue;
      const auto inner = json_of(message);
      const std::string url(at(inner.root(), "message/params/request/url").text);
      CAPTURE(url);
      CHECK((url == "file://" + folder.path(name) || url.starts_with("data:")));
      ++seen;
    }
    CHECK(seen > 0);
    CHECK(browser.log("browser") == "[]");  // no error and no warning of the console
  }
}

TEST_CASE("a press on a heading sorts the offers by it, a second one the other way") {
  if (const auto why = Browser::missing()) {
    WARN("skipped: " << *why);
    return;
  }
  const Folder folder;
  write_pages(folder);
  Browser browser;
  browser.open(folder.path("compare.html"));
  const std::string press = R"(
    const head = [...document.querySelectorAll("table.sort th")].find((h) => h.textContent === "wall");
    head.querySelector("button").click();
    const at = head.cellIndex;
    const values = [...head.closest("table").tBodies[0].rows].map((r) => parseFloat(r.cells[at].dataset.value));
    const up = values.every((v, i) => i === 0 || values[i - 1] <= v);
    const down = values.every((v, i) => i === 0 || values[i - 1] >= v);
    return `${head.getAttribute("aria-sort")} ${values.length > 5} ${up} ${down}`;
  )";
  CHECK(browser.run(press) == "ascending true true false");
  CHECK(browser.run(press) == "descending true false true");
  // A key press does the same: the heading is a button.
  CHECK(browser.run("return document.querySelector('table.sort th').firstChild.tagName") ==
        "BUTTON");
}
