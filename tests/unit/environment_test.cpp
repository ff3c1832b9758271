// What people paste: outputs of nvidia-smi and torch, with prompts and noise around them.
#include "gpuplan/environment.hpp"

#include <algorithm>

#include "catch.hpp"

using namespace gpuplan;

namespace {

constexpr std::array<std::string_view, 3> kNames{"torch", "vllm", "flash-attn"};

SeenEnvironment read(std::string_view text) {
  auto seen = read_environment(text, "paste", kNames);
  if (!seen)
    for (const Diagnostic& fault : seen.errors()) UNSCOPED_INFO(fault.pointer + " " + fault.message);
  REQUIRE(seen);
  return std::move(*seen);
}

constexpr std::string_view kList =
    "\n==============NVSMI LOG==============\n\n"
    "Timestamp                                 : Mon Nov  3 10:00:00 2026\n"
    "Driver Version                            : 570.124.04\n"
    "CUDA Version                              : 12.8\n\n"
    "Attached GPUs                             : 1\n"
    "GPU 00000000:01:00.0\n"
    "    Product Name                          : NVIDIA L40S\n"
    "    MIG Mode\n"
    "        Current                           : N/A\n"
    "    Minor Number                          : 3\n"
    "    FB Memory Usage\n"
    "        Total                             : 46068 MiB\n"
    "        Reserved                          : 600 MiB\n"
    "        Used                              : 1200 MiB\n"
    "    BAR1 Memory Usage\n"
    "        Total                             : 65536 MiB\n"
    "        Used                              : 9 MiB\n"
    "    Utilization\n"
    "        GPU                               : 42 %\n"
    "    Processes\n"
    "        GPU instance ID                   : N/A\n"
    "        Process ID                        : 4021\n"
    "            Type                          : C\n"
    "            Name                          : python\n";

}  // namespace

TEST_CASE("the long list of nvidia-smi -q gives driver, CUDA, card, memory and use", "[environment]") {
  const SeenEnvironment seen = read(kList);
  REQUIRE(seen.gpus);
  CHECK(seen.gpus->driver == "570.124.04");
  CHECK(seen.gpus->cuda == "12.8");
  REQUIRE(seen.gpus->gpus.size() == 1);
  const LoggedGpu& gpu = seen.gpus->gpus.front();
  CHECK(gpu.name == "NVIDIA L40S");
  CHECK(gpu.index == "3");
  CHECK(gpu.total == Bytes::mib(46068));
  CHECK(gpu.peak == Bytes::mib(1200));  // of the frame buffer, not of BAR1
  CHECK(gpu.utilisation == 42);
  CHECK(gpu.processes == 1);
  CHECK_FALSE(gpu.sliced);
}

TEST_CASE("table and framework in one paste are told apart, prompts are passed over",
          "[environment]") {
  const SeenEnvironment seen = read(
      "root@c5:~# nvidia-smi\n"
      "Mon Nov  3 10:00:00 2026\n"
      "+-----------------------------------------------------------------------------+\n"
      "| NVIDIA-SMI 550.54.15    Driver Version: 550.54.15    CUDA Version: 12.4     |\n"
      "|-------------------------------+----------------------+----------------------+\n"
      "|   0  NVIDIA L4           Off  | 00000000:00:04.0 Off |                    0 |\n"
      "| N/A   71C    P0    69W /  70W |   9011MiB / 23034MiB |     97%      Default |\n"
      "+-------------------------------+----------------------+----------------------+\n"
      "root@c5:~# python -c \"import torch; print(torch.__version__, torch.version.cuda)\"\n"
      "2.9.1+cu128 12.8\n");
  REQUIRE(seen.gpus);
  CHECK(seen.gpus->driver == "550.54.15");
  CHECK(seen.gpus->gpus.front().utilisation == 97);
  REQUIRE(seen.frameworks.size() == 1);
  CHECK(seen.frameworks.front().release == Version::parse("2.9.1"));
  CHECK(seen.frameworks.front().cuda == Version::parse("12.8"));
}

TEST_CASE("what torch prints of itself is read in one line or in several", "[environment]") {
  const SeenEnvironment one = read(
      "2.9.0+cu126 12.6 True NVIDIA GeForce RTX 3090 ['sm_50', 'sm_86', 'sm_90', 'compute_90']\n");
  REQUIRE(one.frameworks.size() == 1);
  const SeenFramework& torch = one.frameworks.front();
  CHECK(torch.build == "cu126");
  CHECK(torch.available == true);
  CHECK(torch.capabilities.size() == 3);
  CHECK(torch.capabilities.at(1) == Version::parse("8.6"));
  CHECK(torch.ptx == Version::parse("9.0"));
  CHECK(one.cards == std::vector<std::string>{"NVIDIA GeForce RTX 3090"});
  const SeenEnvironment several = read("2.9.1+cpu\nNone\nFalse\n");
  CHECK(several.frameworks.front().without_cuda);
  CHECK(several.frameworks.front().available == false);
}

TEST_CASE("a list of cards with a slice in it names the slice", "[environment]") {
  const SeenEnvironment seen = read("GPU 0: NVIDIA A100-SXM4-80GB (UUID: GPU-aaaa)\n  MIG 3g.40gb     Device  0: (UUID: MIG-xxx)\n"
                                    "  MIG 3g.40gb     Device  1: (UUID: MIG-yyy)\n");
  CHECK(seen.cards == std::vector<std::string>{"NVIDIA A100-SXM4-80GB MIG 3g.40gb"});
}

TEST_CASE("a torch that was built for the CPU says so in its version alone", "[environment]") {
  for (const char* paste : {"2.9.1+cpu False\n", "2.9.1+cpu\n", "PyTorch version: 2.9.1+cpu\n", "torch==2.9.1+cpu\n",
                            "Name: torch\nVersion: 2.9.1+cpu\n"}) {
    const SeenEnvironment seen = read(paste);
    INFO(paste);
    REQUIRE(seen.frameworks.size() == 1);
    CHECK(seen.frameworks.front().without_cuda);
  }
}

TEST_CASE("the warning of torch about a new card names card and list", "[environment]") {
  const SeenEnvironment seen = read(
      "NVIDIA GeForce RTX 5090 with CUDA capability sm_120 is not compatible with the current "
      "PyTorch installation.\nThe current PyTorch install supports CUDA capabilities sm_50 sm_60 "
      "sm_90.\n");
  CHECK(seen.cards.front() == "NVIDIA GeForce RTX 5090");
  CHECK(seen.card_capabilities.front() == Version::parse("12.0"));
  CHECK(seen.frameworks.front().capabilities.back() == Version::parse("9.0"));
}

TEST_CASE("reports of torch and lists of pip are read", "[environment]") {
  const SeenEnvironment report = read(
      "Collecting environment information...\nPyTorch version: 2.8.0+cu128\n"
      "Is debug build: False\nCUDA used to build PyTorch: 12.8\nPython version: 3.11.9\n"
      "Is CUDA available: True\nGPU 0: NVIDIA L4\nNvidia driver version: 550.54.15\n");
  CHECK(report.frameworks.front().release == Version::parse("2.8.0"));
  CHECK(report.gpus->driver == "550.54.15");
  CHECK(report.cards.front() == "NVIDIA L4");
  const SeenEnvironment pip = read("flash_attn==2.8.3\nnumpy==2.1.0\ntorch     2.9.0\n");
  REQUIRE(pip.frameworks.size() == 2);
  CHECK(pip.frameworks[0].name == "flash-attn");
  CHECK(pip.frameworks[1].release == Version::parse("2.9.0"));
}

TEST_CASE("machines are told apart by a column or by the prefix of a parallel shell",
          "[environment]") {
  const SeenEnvironment column = read(
      "n1, index, name, memory.used [MiB], memory.total [MiB], utilization.gpu [%]\n"
      "n1, 0, NVIDIA L4, 1 MiB, 23034 MiB, 0 %\n"
      "n2, index, name, memory.used [MiB], memory.total [MiB], utilization.gpu [%]\n"
      "n2, 0, NVIDIA L4, 9000 MiB, 23034 MiB, 88 %\n");
  REQUIRE(column.gpus->gpus.size() == 2);
  CHECK(column.gpus->gpus[1].host == "n2");
  CHECK(column.gpus->gpus[1].utilisation == 88);
  const SeenEnvironment prefix = read(
      "n1: index, name, memory.used [MiB], utilization.gpu [%]\nn1: 0, NVIDIA L4, 1 MiB, 0 %\n"
      "n2: 0, NVIDIA L4, 7 MiB, 3 %\n");
  REQUIRE(prefix.gpus->gpus.size() == 2);
  CHECK(prefix.gpus->gpus[0].host == "n1");
}

TEST_CASE("a card in slices is taken here, and refused where its peak is asked for",
          "[environment]") {
  constexpr std::string_view kSliced =
      "<nvidia_smi_log>\n<driver_version>570.124.04</driver_version>\n<gpu id=\"0\">\n"
      "<product_name>NVIDIA A100-SXM4-80GB</product_name>\n<minor_number>0</minor_number>\n"
      "<mig_devices><mig_device><fb_memory_usage><total>9856 MiB</total><used>12 MiB</used>"
      "</fb_memory_usage></mig_device></mig_devices>\n"
      "<fb_memory_usage><total>81920 MiB</total><used>87 MiB</used></fb_memory_usage>\n"
      "</gpu>\n</nvidia_smi_log>\n";
  const SeenEnvironment seen = read(kSliced);
  CHECK(seen.gpus->gpus.front().sliced);
  CHECK(seen.gpus->gpus.front().total == Bytes::mib(81920));
  CHECK_FALSE(read_gpu_log(kSliced, "run.log"));
}

TEST_CASE("a paste without anything known is an error that says what to paste", "[environment]") {
  const auto nothing = read_environment("hello\nworld\n", "paste", kNames);
  REQUIRE_FALSE(nothing);
  CHECK(nothing.errors().front().hint.find("nvidia-smi") != std::string::npos);
}

TEST_CASE("a broken part of a paste is named with its line in the whole", "[environment]") {
  const auto broken = read_environment(
      "2.9.1+cu128 12.8 True\n\nindex, memory.used [MiB], memory.total [MiB]\n0, much, 24564 MiB\n",
      "paste", kNames);
  REQUIRE_FALSE(broken);
  CHECK(broken.errors().front().pointer == "4:4");
}

TEST_CASE("any cut of a paste is read or refused, and never falls over", "[environment]") {
  const std::string whole = std::string(kList) +
                            "2.9.0+cu126 12.6 True NVIDIA L4 ['sm_50', 'sm_90', 'compute_90']\n"
                            "torch==2.9.0\nn1: 0, NVIDIA L4, 1 MiB\n";
  std::size_t read_ones = 0;
  for (std::size_t length = 0; length <= whole.size(); ++length)
    if (read_environment(std::string_view(whole).substr(0, length), "paste", kNames)) ++read_ones;
  CHECK(read_ones > whole.size() / 2);
}

TEST_CASE("two like cards in one paste are two cards, also where no column numbers them", "[environment]") {
  const auto two = read(
      "name, memory.used [MiB], memory.total [MiB]\n"
      "NVIDIA L4, 1 MiB, 23034 MiB\n"
      "NVIDIA L4, 500 MiB, 23034 MiB\n");
  REQUIRE(two.gpus->gpus.size() == 2);
  CHECK(two.gpus->gpus[0].index == "0");
  CHECK(two.gpus->gpus[1].index == "1");
  CHECK(two.gpus->gpus[1].peak == Bytes::of(std::int64_t{500} << 20));
  const auto again = read(
      "timestamp, name, memory.used [MiB]\n"
      "2026/11/30 10:00:00.000, NVIDIA L4, 1 MiB\n"
      "2026/11/30 10:00:00.000, NVIDIA L4, 2 MiB\n"
      "2026/11/30 10:00:05.000, NVIDIA L4, 3 MiB\n"
      "2026/11/30 10:00:05.000, NVIDIA L4, 4 MiB\n");
  CHECK(again.gpus->gpus.size() == 2);  // each once more, five seconds later
}

TEST_CASE("files of several machines, one behind the other as tail prints them", "[environment]") {
  const auto seen = read(
      "==> n1 <==\nindex, name, memory.used [MiB]\n0, NVIDIA L4, 1 MiB\n\n"
      "==> n2 <==\nindex, name, memory.used [MiB]\n0, NVIDIA L4, 2 MiB\n1, NVIDIA L4, 3 MiB\n");
  REQUIRE(seen.gpus->gpus.size() == 3);
  CHECK(seen.gpus->gpus[0].host == "n1");
  CHECK(seen.gpus->gpus[2].host == "n2");
  CHECK(seen.gpus->gpus[2].index == "1");
  SECTION("names of machines alone say nothing") {
    const auto none = read_environment("==> n1 <==\n==> n2 <==\n", "paste", kNames);
    REQUIRE_FALSE(none);
    CHECK(none.errors().front().message == "nothing here that nvidia-smi or torch prints");
  }
}
