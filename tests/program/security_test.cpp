// What examples/SECURITY.md promises: no network, no program is started, no file is opened that nobody
// named, and names in documents can neither move a cursor nor run as a formula or as a script.
#include <algorithm>
#include <array>
#include <cstdio>
#include <sstream>

#include "catch.hpp"
#include "run_program.hpp"

namespace {

// A market whose every name tries something. `name` must be JSON text.
std::string market(const std::string& name) {
  return R"({"schema": "gpuplan.catalog/1", "name": ")" + name + R"(", "as_of": "2026-11-01", "currency": "USD", "platforms": [
    {"id": "shop", "name": ")" + name + R"(", "url": ")" + name + R"(", "source": ")" + name + R"(", "stop": "released",
     "storage": {"data": {"per_gb_month": 0.1}},
     "offers": [{"id": ")" + name + R"(", "card": "L40S", "region": ")" + name + R"(", "zone": ")" + name + R"(", "tier": ")" + name +
         R"(", "note": ")" + name + R"(", "stock": ")" + name + R"(", "source": ")" + name + R"(", "price": {"on_demand": 0.9, "month": 300}},
       {"id": "plain", "card": ")" + name + R"(", "region": "eu", "price": {"on_demand": 0.2}}]}]})";
}

// Terminal titles, colours, the cursor, bells: no name at all.
const std::array<std::string, 6> kEscapes{"\\u001b]0;owned\\u0007", "\\u001b[2J", "a\\rb", "a\\nb", "\\u0000", "a\\u0008"};
// What is a name by its letters, and would turn the direction of writing or begin a sequence.
const std::string kHidden = "a\\u009b31m\\u202egnp\\u2066x\\u0085";
const std::array<std::string, 5> kFormulas{"=HYPERLINK(0)", "+1+cmd|x", "@SUM(1)", "-2+3+cmd", "=1"};
const std::string kMarkup = "<script>alert(1)</script><img src=x onerror=alert(2)>'|`[x](javascript:1)\\\\|\\\"onload=1";

const std::vector<std::vector<std::string>> kQuestions{
    {"compare", "m.json", "--model", "7b", "--mode", "lora", "--run-hours", "10", "--rejected"},
    {"simulate", "m.json", "--offer", "*", "--model", "7b", "--mode", "lora", "--run-hours", "10"},
    {"breakeven", "m.json", "--offer", "*"},
    {"transfer", "m.json", "--offer", "*", "--size", "100GB"},
    {"checklist", "m.json", "--offer", "*", "--model", "7b", "--mode", "lora", "--run-hours", "10"},
    {"catalog", "show", "m.json"},
    {"catalog", "validate", "m.json"},
    {"catalog", "diff", "m.json", "other.json"}};

bool is_control(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  if (byte(at) == '\n') return false;
  if (byte(at) < 0x20 || byte(at) == 0x7f) return true;
  if (byte(at) == 0xc2 && byte(at + 1) >= 0x80 && byte(at + 1) < 0xa0) return true;  // C1
  const bool general = byte(at) == 0xe2 && (byte(at + 1) == 0x80 || byte(at + 1) == 0x81);
  return general && ((byte(at + 1) == 0x80 && byte(at + 2) >= 0xaa && byte(at + 2) <= 0xae) ||
                     (byte(at + 1) == 0x81 && byte(at + 2) >= 0xa6 && byte(at + 2) <= 0xa9));
}

bool has_control(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at)
    if (is_control(text, at)) return true;
  return false;
}

// Runs each question in a format and looks at the answer. `id` is that of the hostile offer.
template <class Look>
void ask_all(const std::string& name, const std::string& id, const std::string& format, Look look) {
  const Folder folder;
  folder.write("m.json", market(name));
  folder.write("other.json", market("other"));
  int answers = 0;
  for (std::vector<std::string> words : kQuestions) {
    std::ranges::replace(words, "*", id);
    words.insert(words.end(), {"--format", format});
    const Ran ran = run(words, {.folder = folder.path()});
    CAPTURE(words, ran.code, ran.err);
    answers += ran.code == 0 ? 1 : 0;
    look(ran.out);
    CHECK_FALSE(has_control(ran.err));
  }
  CHECK(answers >= 4);  // not every command has every format
}

std::vector<std::string> csv_cells(const std::string& text) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"' && quoted && i + 1 < text.size() && text[i + 1] == '"')
      cells.back() += text[i++];
    else if (text[i] == '"')
      quoted = !quoted;
    else if (!quoted && (text[i] == ',' || text[i] == '\n'))
      cells.emplace_back();
    else
      cells.back() += text[i];
  }
  return cells;
}

bool is_number(const std::string& cell) {
  return !cell.empty() && cell.find_first_not_of("0123456789.-") == std::string::npos;
}

std::string from_tool(const std::string& command) {
  std::string text;
  std::FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return text;
  std::array<char, 4096> part;
  while (const std::size_t got = std::fread(part.data(), 1, part.size(), pipe)) text.append(part.data(), got);
  ::pclose(pipe);
  return text;
}

}  // namespace

TEST_CASE("a name with a control character is refused, and shown without it", "[security]") {
  for (const std::string& name : kEscapes) {
    const Folder folder;
    folder.write("m.json", market(name));
    for (const std::string format : {"table", "json"}) {
      const Ran ran = run({"catalog", "show", "m.json", "--format", format}, {.folder = folder.path()});
      CAPTURE(name, ran.err);
      CHECK(ran.code == 3);
      CHECK(ran.out.empty());
      CHECK(ran.err.find("/platforms/0/name") != std::string::npos);
      CHECK_FALSE(has_control(ran.err));
    }
  }
}

TEST_CASE("names in a catalog cannot move the cursor of a terminal, in any format", "[security]") {
  for (const char* format : {"table", "csv", "markdown", "html"})
    ask_all(kHidden, "shop/plain", format, [](const std::string& text) { CHECK_FALSE(has_control(text)); });
}

TEST_CASE("JSON keeps a hostile name as it was", "[security]") {
  const Folder folder;
  folder.write("m.json", market(kHidden));
  const Ran ran = run({"catalog", "show", "m.json", "--json"}, {.folder = folder.path()});
  REQUIRE(ran.code == 0);
  CHECK(ran.out.find("a\xc2\x9b" "31m\xe2\x80\xaegnp\xe2\x81\xa6x\xc2\x85") != std::string::npos);
}

TEST_CASE("a name that begins like a formula is text in the spreadsheet that opens the CSV", "[security]") {
  for (const std::string& name : kFormulas)
    ask_all(name, "shop/" + name, "csv", [](const std::string& text) {
      for (const std::string& cell : csv_cells(text)) {
        CAPTURE(cell);
        CHECK((cell.empty() || std::string("=+@\t\r").find(cell.front()) == std::string::npos));
        CHECK((cell.empty() || cell.front() != '-' || is_number(cell) || cell.starts_with("- ")));
      }
    });
}

TEST_CASE("markup in a name is shown in a page, never run", "[security]") {
  ask_all(kMarkup, "shop/plain", "html", [](const std::string& text) {
    CHECK(text.find("<script>alert") == std::string::npos);
    CHECK(text.find("<img src=x") == std::string::npos);
    CHECK(text.find("\"onload=") == std::string::npos);
  });
}

TEST_CASE("markup in a name is shown in Markdown, and adds neither columns nor links", "[security]") {
  ask_all(kMarkup, "shop/plain", "markdown", [](const std::string& text) {
    for (const std::string sign : {"<script>", "<img", "[x](javascript:", "`[x"}) {
      for (auto at = text.find(sign); at != std::string::npos; at = text.find(sign, at + 1)) {
        CAPTURE(text.substr(at - std::min<std::size_t>(at, 30), 80));
        CHECK((at > 0 && text[at - 1] == '\\'));
      }
    }
    std::istringstream lines(text);
    std::size_t columns = 0;
    for (std::string line; std::getline(lines, line);) {
      std::size_t bars = 0;
      for (std::size_t i = 0; i < line.size(); ++i)
        if (line[i] == '\\') ++i;
        else if (line[i] == '|') ++bars;
      if (!line.starts_with('|')) columns = 0;
      else if (columns == 0) columns = bars;
      else CHECK(bars == columns);
    }
  });
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(__clang__)
constexpr bool kOwnSymbols = false;  // sanitizers bring symbols of their own
#else
constexpr bool kOwnSymbols = true;
#endif

TEST_CASE("the program can neither reach a network nor start another program", "[security]") {
  const std::string symbols = from_tool("nm -D --undefined-only '" GPUPLAN_PROGRAM "' 2>/dev/null");
  if (!kOwnSymbols || symbols.empty()) {
    WARN("skipped: no nm (Debian: binutils), or a build with sanitizers");
    return;
  }
  CHECK(symbols.find(" open") != std::string::npos);  // it does list what is used
  for (const std::string name : {"socket", "connect", "bind", "listen", "accept", "sendto", "recvfrom", "getaddrinfo",
                                 "gethostbyname", "execve", "execv", "execvp", "execl", "fork", "vfork", "popen", "system",
                                 "posix_spawn", "dlopen"}) {
    CAPTURE(name);
    CHECK(symbols.find(" " + name + "@") == std::string::npos);
    CHECK(symbols.find(" " + name + "\n") == std::string::npos);
  }
}

TEST_CASE("no file is opened but those that were named and what stands beside the catalog", "[security]") {
  const Folder folder;
  folder.write("m.json", R"json({"schema": "gpuplan.catalog/1", "name": "m", "as_of": "2026-11-01", "currency": "USD", "platforms": [
    {"id": "shop", "url": "http://localhost/x", "source": "/etc/passwd", "stop": "released",
     "offers": [{"id": "a", "card": "L40S", "source": "file:///etc/passwd", "note": "$(touch owned)",
                 "price": {"on_demand": 3, "spot": 1}, "spot": {"availability": {"file": "up.json"}}}]}]})json");
  folder.write("up.json", R"({"metadata": {"gap_seconds": 600}, "data": [1, 1, 1, 1, 1, 1, 1, 1]})");
  const std::string command = "cd '" + folder.path() + "' && strace -f -e trace=network,execve,open,openat,unlink,rename " +
                              "-o log.txt '" GPUPLAN_PROGRAM "' simulate m.json --offer a --plan spot --model 7b --mode lora " +
                              "--run-hours 1 -o answer.txt >/dev/null 2>&1; cat log.txt 2>/dev/null";
  const std::string log = from_tool(command);
  if (log.find("execve(") == std::string::npos) {
    WARN("skipped: no strace here, or it may not trace (Debian: apt-get install strace)");
    return;
  }
  std::istringstream lines(log);
  bool catalog = false, trace = false;
  int started = 0;
  for (std::string line; std::getline(lines, line);) {
    CAPTURE(line);
    if (line.find("execve(") != std::string::npos) ++started;
    for (const char* call : {"socket(", "connect(", "sendto(", "bind("})
      CHECK(line.find(call) == std::string::npos);
    const auto open = line.find("open");
    const auto from = line.find('"', open);
    if (open == std::string::npos || from == std::string::npos) continue;
    const std::string path = line.substr(from + 1, line.find('"', from + 1) - from - 1);
    catalog = catalog || path == "m.json";
    trace = trace || path.ends_with("up.json");
    const bool named = path == "m.json" || path.ends_with("up.json") || path.starts_with("answer.txt");
    const bool loader = path.find(".so") != std::string::npos || path.starts_with("/sys/") || path.starts_with("/proc/") ||
                        path.find("/locale") != std::string::npos || path.find("/gconv") != std::string::npos;
    CHECK((named || loader));
  }
  CHECK(catalog);
  CHECK(trace);
  CHECK(started == 1);
  CHECK(std::ranges::count(folder.names(), std::string("owned")) == 0);
}
