// What a renter asks before the work starts: does this go together, and is this card what I pay for?
#include "gpuplan/check.hpp"

#include <algorithm>
#include <string>

#include "catch.hpp"

using namespace gpuplan;

namespace {

const CompatTable& compat() {
  static const CompatTable kTable = *builtin_compat_table();
  return kTable;
}
const CardTable& cards() {
  static const CardTable kTable = *builtin_card_table();
  return kTable;
}

CheckResult check(const CheckRequest& request) {
  auto result = check_environment(request, compat(), cards());
  REQUIRE(result);
  return std::move(*result);
}

SeenFramework framework(std::string_view text) {
  const auto names = compat().framework_names();
  const auto read = parse_framework(text, names);
  REQUIRE(read);
  return *read;
}

// "Does torch X run on this card with this driver?"
CheckRequest asked(std::string_view driver, std::string_view torch, std::string card) {
  CheckRequest request;
  request.driver = Version::parse(driver);
  request.frameworks = {framework(torch)};
  request.cards = {std::move(card)};
  return request;
}

CheckResult check_paste(std::string_view text, CheckRequest request = {}) {
  const auto names = compat().framework_names();
  auto seen = read_environment(text, "paste", names);
  REQUIRE(seen);
  request.seen = std::move(*seen);
  return check(request);
}

const Finding* finding(const CheckResult& result, std::string_view code) {
  const auto found = std::ranges::find(result.findings, code, &Finding::code);
  return found == result.findings.end() ? nullptr : &*found;
}

bool mentions(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a driver, a build and a card that go together are ok", "[check]") {
  const CheckResult result = check(asked("570.124.06", "torch=2.9+cu128", "RTX 5090"));
  CHECK(result.verdict() == Severity::note);
  CHECK(result.findings.empty());
  CHECK(result.driver_cuda == Version::parse("12.8"));
  CHECK_FALSE(result.driver_cuda_told);
}

TEST_CASE("a driver that is older than its CUDA's major version stops the program", "[check]") {
  const CheckResult result = check(asked("535.104.05", "torch=2.9+cu130", "L40S"));
  CHECK(result.verdict() == Severity::fail);
  const Finding* old = finding(result, "driver_too_old");
  REQUIRE(old);
  CHECK(mentions(old->message, "CUDA 12.2"));
  CHECK(mentions(old->message, "needs driver 580 at least"));
  CHECK(mentions(old->fix, "580.65.06"));
}

TEST_CASE("within one major version an older driver runs it, with a word of warning", "[check]") {
  // Seen in the wild: torch 2.7.1 for CUDA 12.8 on an A10 with driver 550 (CUDA 12.4).
  const CheckResult result = check(asked("550.127.08", "torch=2.7.1+cu128", "A10"));
  CHECK(result.verdict() == Severity::warn);
  CHECK(finding(result, "minor_version_compatibility"));
}

TEST_CASE("a V100 has no code in a build for CUDA 13, and is told which build has", "[check]") {
  const CheckResult result = check(asked("580.95.05", "torch=2.9+cu130", "V100 SXM2 16GB"));
  const Finding* lacks = finding(result, "build_lacks_card");
  REQUIRE(lacks);
  CHECK(lacks->severity == Severity::fail);
  CHECK(mentions(lacks->fix, "whl/cu128"));
  CHECK(mentions(lacks->fix, "torch==2.9.*"));
}

TEST_CASE("an RTX 5090 needs a build for CUDA 12.8 and driver 570", "[check]") {
  const CheckResult build = check(asked("570.124.06", "torch=2.7+cu126", "RTX 5090"));
  const Finding* lacks = finding(build, "build_lacks_card");
  REQUIRE(lacks);
  CHECK(mentions(lacks->fix, "torch==2.7.*"));
  CHECK(mentions(lacks->fix, "whl/cu128"));
  // Torch 2.6 was never built for it: another release is named.
  const CheckResult release = check(asked("580.95.05", "torch=2.6+cu124", "RTX 5090"));
  const Finding* older = finding(release, "cuda_older_than_card");
  REQUIRE(older);
  CHECK_FALSE(mentions(older->fix, "torch==2.6"));
  const CheckResult driver = check(asked("560.35.03", "torch=2.9+cu126", "RTX 5090"));
  REQUIRE(finding(driver, "driver_older_than_card"));
  CHECK(mentions(finding(driver, "driver_older_than_card")->fix, "570.26"));
}

TEST_CASE("a driver newer than the last branch for a card does not drive it", "[check]") {
  const CheckResult result = check(asked("595.71.05", "torch=2.9+cu126", "P40"));
  REQUIRE(finding(result, "driver_newer_than_card"));
  CHECK(finding(result, "driver_newer_than_card")->severity == Severity::fail);
}

TEST_CASE("chips of one major version run each other's older code", "[check]") {
  // No build has 8.9 in its list: an RTX 4090 runs what was compiled for 8.6.
  CHECK(check(asked("570.124.06", "torch=2.9+cu128", "RTX 4090")).verdict() == Severity::note);
  // Code for 10.0 does not run on 12.0, and code for 9.0 not on 10.0.
  CHECK(finding(check(asked("570.124.06", "torch=2.9+cu126", "B200 SXM 180GB")),
                "build_lacks_card"));
}

TEST_CASE("a build without CUDA, and one for another maker's cards, are told", "[check]") {
  CHECK(finding(check(asked("570.124.06", "torch=2.9.1+cpu", "L4")), "cpu_only_build"));
  CHECK(finding(check(asked("570.124.06", "torch=2.9.1+rocm6.4", "L4")), "build_for_other_maker"));
  CheckRequest amd;
  amd.frameworks = {framework("torch=2.9.1+cu128")};
  amd.cards = {"MI300X"};
  CHECK(finding(check(amd), "build_for_other_maker"));
}

TEST_CASE("which build was meant is said when the user did not say", "[check]") {
  const CheckResult result = check(asked("570.124.06", "torch=2.9", "L4"));
  REQUIRE(finding(result, "build_assumed"));
  CHECK(mentions(finding(result, "build_assumed")->message, "CUDA 12.8"));
  CHECK(result.verdict() == Severity::note);
  CheckRequest stated = asked("570.124.06", "torch=2.9", "L4");
  stated.cuda = Version::parse("12.6");
  CHECK_FALSE(finding(check(stated), "build_assumed"));
}

TEST_CASE("versions that the table does not know are said and not guessed", "[check]") {
  const CheckResult driver = check(asked("585.10", "torch=2.9+cu128", "L4"));
  REQUIRE(finding(driver, "driver_unknown"));
  CHECK(mentions(finding(driver, "driver_unknown")->message, "CUDA 13.0 at least"));
  CHECK(finding(check(asked("580.95.05", "torch=3.1+cu130", "L4")), "framework_unknown"));
  CheckRequest cuda;
  cuda.cuda = Version::parse("14.0");
  CHECK(finding(check(cuda), "cuda_unknown"));
}

TEST_CASE("frameworks bring needs of their own", "[check]") {
  CheckRequest request = asked("580.95.05", "torch=2.9+cu128", "RTX 2080 Ti");
  request.frameworks.push_back(framework("flash-attn=2.8.3"));
  request.frameworks.push_back(framework("vllm=0.9.0"));
  const CheckResult result = check(request);
  CHECK(finding(result, "framework_lacks_card"));   // flash-attn 2 begins with compute capability 8.0
  CHECK(finding(result, "framework_needs_torch"));  // vLLM 0.9 brings torch 2.7
}

TEST_CASE("an old branch of the driver is told of when the day is known", "[check]") {
  CheckRequest request = asked("535.104.05", "torch=2.6+cu118", "A10");
  CHECK_FALSE(finding(check(request), "driver_ended"));
  request.as_of = parse_date("2026-11-30");
  CHECK(finding(check(request), "driver_ended"));
}

TEST_CASE("half of the published rate means a shared card", "[check]") {
  // L40S, fp16 on the tensor units, dense: 362 TFLOPS.
  const auto rate = [](std::string_view tflops) {
    CheckRequest request;
    request.cards = {"L40S"};
    request.measured_tflops = Decimal::parse(tflops);
    return check(request);
  };
  CHECK(finding(rate("300"), "rate_as_published"));
  CHECK(rate("300").verdict() == Severity::note);
  CHECK(finding(rate("230"), "rate_low"));
  CHECK(finding(rate("180"), "rate_half"));
  CHECK(rate("180").verdict() == Severity::fail);
  CHECK(finding(rate("700"), "rate_above_published"));
  CheckRequest unknown;
  unknown.cards = {"P40"};
  unknown.measured_tflops = Decimal::of(10);
  CHECK(finding(check(unknown), "rate_unknown"));  // it has no 16-bit units worth the name
  unknown.rate = "fp17";
  const auto wrong = check_environment(unknown, compat(), cards());
  REQUIRE_FALSE(wrong);
  CHECK(wrong.errors().front().source == "--precision");
}

TEST_CASE("a card that shows less memory than its name has is no whole card", "[check]") {
  const auto shows = [](const char* row) {
    return check_paste(std::string("index, name, memory.used [MiB], memory.total [MiB]\n") + row);
  };
  CHECK(shows("0, NVIDIA L40S, 1, 46068\n").findings.empty());
  CHECK(finding(shows("0, NVIDIA L40S, 1, 23000\n"), "card_memory_smaller"));
  CHECK(finding(shows("0, NVIDIA GeForce RTX 4090, 1, 49140\n"), "card_modified"));
  CHECK(finding(shows("0, NVIDIA A40-24Q, 1, 24576\n"), "card_sliced"));
  CHECK(finding(shows("0, NVIDIA L40S, 20000, 46068\n"), "memory_in_use"));
  // The 40 GB and the 80 GB board have one name: what is there tells which.
  CHECK(shows("0, NVIDIA A100-SXM4-80GB, 4, 81920\n").findings.empty());
}

TEST_CASE("a card that is not the one that was rented is told", "[check]") {
  CheckRequest request;
  request.cards = {"RTX 4090"};
  const CheckResult result = check_paste(
      "index, name, memory.used [MiB], memory.total [MiB]\n0, NVIDIA GeForce RTX 4090 D, 1, 24564\n",
      request);
  CHECK(finding(result, "card_not_as_named"));
}

TEST_CASE("the error texts of driver and framework are understood", "[check]") {
  CHECK(finding(check_paste("NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA "
                            "driver. Make sure that the latest NVIDIA driver is installed.\n"),
                "driver_not_running"));
  CHECK(finding(check_paste("bash: nvidia-smi: command not found\n"), "no_driver"));
  CHECK(finding(check_paste("AssertionError: Torch not compiled with CUDA enabled\n"),
                "cpu_only_build"));
  CHECK(finding(check_paste("torch.AcceleratorError: CUDA error: no kernel image is available for "
                            "execution on the device\n"),
                "build_lacks_card"));
}

TEST_CASE("CUDA that does not find the card has another cause than the build", "[check]") {
  const CheckResult result = check_paste("2.9.1+cu128 12.8 False\n");
  CHECK(finding(result, "cuda_not_available"));
  const CheckResult build = check_paste("2.9.1+cpu None False\n");
  CHECK(finding(build, "cpu_only_build"));
  CHECK_FALSE(finding(build, "cuda_not_available"));
}

namespace {

constexpr std::string_view kFleet =
    "host, index, name, memory.used [MiB], memory.total [MiB], utilization.gpu [%]\n"
    "n1, 0, NVIDIA L40S, 30000, 46068, 98\nn1, 1, NVIDIA L40S, 1, 46068, 0\n"
    "n2, 0, NVIDIA L40S, 1, 46068, 0\nn2, 1, NVIDIA L40S, 1, 46068, 0\n"
    "n3, 0, NVIDIA L40S, 40000, 46068, 0\nn3, 1, NVIDIA L40S, 1, 46068, 0\n";

Catalog two_cards() {
  auto catalog = read_catalog(
      R"({"schema": "gpuplan.catalog/1", "currency": "USD", "platforms": [{"id": "acme", "offers": [
          {"id": "pair", "card": "L40S", "gpus": 2, "price": {"on_demand": 1.9}}]}]})",
      "test");
  REQUIRE(catalog);
  return std::move(*catalog);
}

}  // namespace

TEST_CASE("idle cards of several machines are counted, priced, and named for release", "[check]") {
  const Catalog catalog = two_cards();
  CheckRequest request;
  request.catalog = &catalog;
  request.offers = {{.host = "", .offer = &catalog.offers.front()}};
  const CheckResult result = check_paste(kFleet, request);
  REQUIRE(result.machines.size() == 3);
  CHECK(result.machines[0].busy == 1);
  CHECK(result.machines[0].idle == 1);
  // Half of 1.9 an hour for one of two cards; the whole of it where nothing runs.
  CHECK(result.machines[0].idle_cost_per_hour == Money::parse("0.95"));
  CHECK(result.machines[1].idle_cost_per_hour == Money::parse("1.9"));
  CHECK(result.machines[1].release);
  CHECK_FALSE(result.machines[2].release);  // memory is held: somebody has something there
  CHECK(result.machines[2].held == 1);
  CHECK(result.idle_cost_per_hour == Money::parse("3.8"));
  CHECK(result.machines_needed == 1);  // the busy and the held card fit one machine of two
  CHECK(finding(result, "machine_idle"));
  CHECK(finding(result, "cards_idle"));
  CHECK(finding(result, "cards_held"));
  CHECK(finding(result, "machines_half_used"));
}

TEST_CASE("without a price idle cards are named and their cost is not made up", "[check]") {
  const CheckResult result = check_paste(kFleet);
  CHECK(result.machines.size() == 3);
  CHECK_FALSE(result.idle_cost_per_hour);
  CHECK(finding(result, "machine_idle"));
}
