#include "gpuplan/gpu_log.hpp"

#include <algorithm>
#include <string>

#include "catch.hpp"

using namespace gpuplan;

namespace {

constexpr std::int64_t kMib = 1 << 20;

GpuLog read(std::string_view text, std::vector<std::string> columns = {}) {
  auto log = read_gpu_log(text, "run.log", columns);
  if (!log)
    for (const Diagnostic& fault : log.errors()) UNSCOPED_INFO(fault.pointer + " " + fault.message);
  REQUIRE(log);
  return *log;
}
Diagnostic refused(std::string_view text, std::vector<std::string> columns = {}) {
  const auto log = read_gpu_log(text, "run.log", columns);
  REQUIRE_FALSE(log);
  return log.errors().front();
}
bool warns(const GpuLog& log, std::string_view code) {
  const Warnings warnings = gpu_log_warnings(log);
  return std::ranges::find(warnings, code, &Warning::code) != warnings.end();
}

constexpr std::string_view kTable =
    "+-----------------------------------------------------------------------------+\n"
    "| NVIDIA-SMI 470.82.01    Driver Version: 470.82.01    CUDA Version: 11.4     |\n"
    "|-------------------------------+----------------------+----------------------+\n"
    "| GPU  Name        Persistence-M| Bus-Id        Disp.A | Volatile Uncorr. ECC |\n"
    "| Fan  Temp  Perf  Pwr:Usage/Cap|         Memory-Usage | GPU-Util  Compute M. |\n"
    "|===============================+======================+======================|\n"
    "|   0  Tesla T4            Off  | 00000000:00:04.0 Off |                    0 |\n"
    "| N/A   71C    P0    69W /  70W |   9011MiB / 15109MiB |     97%      Default |\n"
    "|                               |                      |                  N/A |\n"
    "+-------------------------------+----------------------+----------------------+\n"
    "|   1  Tesla T4            Off  | 00000000:00:05.0 Off |                    0 |\n"
    "| N/A   30C    P8     9W /  70W |      3MiB / 15109MiB |      0%      Default |\n"
    "|                               |                      |                  N/A |\n"
    "+-------------------------------+----------------------+----------------------+\n"
    "| Processes:                                                                  |\n"
    "|  GPU   GI   CI        PID   Type   Process name                  GPU Memory |\n"
    "|=============================================================================|\n"
    "|    0   N/A  N/A       771      C   python3                          4500MiB |\n"
    "|    0   N/A  N/A       912      C   python3                          4500MiB |\n"
    "+-----------------------------------------------------------------------------+\n";

std::string xml_of(std::string_view used) {
  return "<?xml version=\"1.0\" ?>\n<nvidia_smi_log>\n<gpu id=\"00000000:01:00.0\">\n"
         "<product_name>NVIDIA L40S</product_name>\n<bar1_memory_usage>\n<used>1 MiB</used>\n"
         "</bar1_memory_usage>\n<fb_memory_usage>\n<total>46068 MiB</total>\n<reserved>600 MiB"
         "</reserved>\n<used>" +
         std::string(used) + "</used>\n</fb_memory_usage>\n</gpu>\n</nvidia_smi_log>\n";
}

}  // namespace

TEST_CASE("the peak of a log is the largest sample of a card, not the last", "[gpu_log]") {
  const GpuLog log = read(
      "timestamp, memory.used [MiB], index, name, memory.total [MiB]\r\n"
      "2026/11/03 10:00:00.1, 600 MiB, 0, NVIDIA L4, 23034 MiB\r\n"
      "2026/11/03 10:00:05.1, 17000 MiB, 0, NVIDIA L4, 23034 MiB\r\n"
      "2026/11/03 10:00:10.1, 16000 MiB, 0, NVIDIA L4, 23034 MiB\r\n");
  CHECK(log.format == "csv");
  REQUIRE(log.gpus.size() == 1);
  CHECK(log.gpus[0].name == "NVIDIA L4");
  CHECK(log.gpus[0].used.size() == 3);
  CHECK(log.busiest().peak == Bytes::of(17000 * kMib));
  CHECK(log.busiest().total == Bytes::of(23034 * kMib));
  CHECK(gpu_log_warnings(log).empty());
}

TEST_CASE("several cards keep their own peaks, the busiest one counts", "[gpu_log]") {
  const GpuLog log = read(
      "index, name, memory.used [MiB], memory.total [MiB]\n"
      "0, Tesla T4, 7000, 15360\n1, Tesla T4, 9000, 15360\n"
      "0, Tesla T4, 7100, 15360\n1, Tesla T4, 8000, 15360\n");
  REQUIRE(log.gpus.size() == 2);
  CHECK(log.gpus[0].peak == Bytes::of(7100 * kMib));
  CHECK(log.busiest().index == "1");
  CHECK(log.busiest().peak == Bytes::of(9000 * kMib));
}

TEST_CASE("a log without a header is read only when the user names its columns", "[gpu_log]") {
  const Diagnostic why = refused("20195, 32607, 63\n20410, 32607, 71\n");
  CHECK(why.pointer == "1:1");
  CHECK(why.hint.find("--columns") != std::string::npos);
  const GpuLog log = read("20195, 32607, 63\n20410, 32607, 71\n", {"used", "total", "utilization"});
  CHECK(log.busiest().peak == Bytes::of(20410 * kMib));
  CHECK(refused("1, 2\n", {"total", "index"}).source == "--columns");
}

TEST_CASE("[N/A] is no figure and never 0", "[gpu_log]") {
  CHECK(refused("name, memory.used [MiB], memory.total [MiB]\nNVIDIA GB10, [N/A], [N/A]\n")
            .message.find("no figure") != std::string::npos);
  const GpuLog log =
      read("index, memory.used [MiB]\n0, [N/A]\n1, 500 MiB\n1, 700 MiB\n1, 600 MiB\n");
  CHECK_FALSE(log.gpus[0].peak);
  CHECK(log.busiest().index == "1");
}

TEST_CASE("memory that rises in every part of the log is called a leak, loading is not", "[gpu_log]") {
  struct Row {
    const char* what;
    std::vector<int> used;
    bool grows;
  };
  const std::vector<Row> rows{
      {"steady rise", {12010, 12480, 12955, 13427}, true},
      {"rise under noise", {10000, 10500, 10400, 11000, 10900, 11500, 11400, 12000}, true},
      {"loading, then settled", {800, 6000, 15000, 18432, 18431, 18432, 18432}, false},
      {"too few to tell", {12000, 12500, 13000}, false},
      {"cache fills, then settled", {10000, 11000, 12000, 12000, 12000, 12000, 12000, 12000}, false}};
  for (const Row& row : rows) {
    CAPTURE(row.what);
    std::string text = "memory.used [MiB]\n";
    for (const int mib : row.used) text += std::to_string(mib) + " MiB\n";
    const GpuLog log = read(text);
    CHECK(warns(log, "peak_growing") == row.grows);
  }
  const GpuLog log = read("memory.used [MiB]\n12000\n12400\n12800\n13200\n");
  CHECK(steady_growth(log.busiest()) == Bytes::of(400 * kMib));
}

TEST_CASE("the plain table is read, old drivers' too, and shared cards are told", "[gpu_log]") {
  const GpuLog log = read(kTable);
  CHECK(log.format == "table");
  REQUIRE(log.gpus.size() == 2);
  CHECK(log.gpus[0].name == "Tesla T4");
  CHECK(log.gpus[0].peak == Bytes::of(9011 * kMib));
  CHECK(log.gpus[1].peak == Bytes::of(3 * kMib));
  CHECK(log.gpus[0].processes == 2);
  CHECK(warns(log, "peak_shared"));
  CHECK(warns(log, "peak_short_log"));
  const GpuLog twice = read(std::string(kTable) + std::string(kTable));
  CHECK(twice.gpus[0].used.size() == 2);
  CHECK(twice.gpus[0].processes == 2);
}

TEST_CASE("of the XML only the frame buffer's use counts", "[gpu_log]") {
  const GpuLog log = read(xml_of("30210 MiB") + xml_of("31000 MiB") + xml_of("30900 MiB"));
  CHECK(log.format == "xml");
  REQUIRE(log.gpus.size() == 1);
  CHECK(log.gpus[0].name == "NVIDIA L40S");
  CHECK(log.gpus[0].peak == Bytes::of(31000 * kMib));
  CHECK(log.gpus[0].total == Bytes::of(46068 * kMib));
  CHECK(refused(xml_of("N/A")).message.find("no figure") != std::string::npos);
}

TEST_CASE("MIG slices are refused with their place", "[gpu_log]") {
  const std::string table = std::string(kTable) +
                            "| MIG devices:                                          |\n"
                            "|  0    1   0   0  |     19MiB / 19968MiB | 42      0 |\n";
  CHECK(refused(table).pointer == "22:1");
  CHECK(refused("<nvidia_smi_log>\n<gpu id=\"a\">\n<mig_device>\n</mig_device>\n</gpu>\n").pointer ==
        "3:1");
}

TEST_CASE("a log in UTF-16, as PowerShell writes it, is read", "[gpu_log]") {
  std::string wide = "\xff\xfe";
  for (const char c : std::string("memory.used [MiB]\r\n900\r\n950\r\n940\r\n")) {
    wide += c;
    wide += '\0';
  }
  CHECK(read(wide).busiest().peak == Bytes::of(950 * kMib));
}

TEST_CASE("what is no log is refused with line, column and a hint", "[gpu_log]") {
  struct Row {
    const char* text;
    const char* pointer;
  };
  const auto row = GENERATE(values<Row>({
      {"", "1:1"},
      {"hello\n", "1:1"},
      {"memory.used [MiB], index\n100 MiB, 0\nabc, 0\n", "3:1"},
      {"memory.used [MiB], index\n100 MiB\n", "2:1"},
      {"index, memory.used [MiB]\n0, 12 parsecs\n", "2:4"},
      {"index, memory.used [MiB]\n0, -5 MiB\n", "2:4"},
      {"index, memory.used [MiB]\n0, 99999999999999999999 MiB\n", "2:4"},
      {"<nvidia_smi_log>\n<gpu id=\"a\">\n", "2:1"},
      {"<html></html>", "1:1"},
  }));
  CAPTURE(row.text);
  const Diagnostic why = refused(row.text);
  CHECK(why.source == "run.log");
  CHECK(why.pointer == row.pointer);
}

TEST_CASE("a log cut off at any byte is read or refused, and never crashes", "[gpu_log]") {
  const std::string xml = xml_of("30210 MiB");
  for (const std::string_view whole : {std::string_view(kTable), std::string_view(xml)})
    for (std::size_t length = 0; length < whole.size(); ++length) {
      const auto log = read_gpu_log(whole.substr(0, length), "run.log");
      if (log) CHECK(log->busiest().peak.has_value());
      else CHECK_FALSE(log.errors().empty());
    }
}
