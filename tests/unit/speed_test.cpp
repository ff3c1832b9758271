#include "gpuplan/speed.hpp"

#include <cmath>

#include "catch.hpp"
#include "core/builtin.hpp"

using namespace gpuplan;

namespace {

const ModelTable& models() {
  static const ModelTable table = *read_models(builtin_models(), "models.json");
  return table;
}

const CardTable& cards() {
  static const CardTable table = *builtin_card_table();
  return table;
}

const ModelShape& model(std::string_view name) {
  const ModelShape* found = models().find(name);
  REQUIRE(found != nullptr);
  return *found;
}

const Card& card(std::string_view name) {
  const auto found = cards().find(name);
  REQUIRE(found.has_value());
  return *found->card;
}

SpeedEstimate estimate(std::string_view name, const Workload& workload, const Card& on) {
  const auto work = resolve(workload, model(name));
  REQUIRE(work);
  const auto speed = estimate_speed(model(name), *work, on);
  REQUIRE(speed);
  return *speed;
}

SpeedEstimate estimate(std::string_view name, const Workload& workload, std::string_view on) {
  return estimate(name, workload, card(on));
}

Workload chat(Precision precision = Precision::fp16) {
  Workload w;
  w.precision = precision;
  w.input_tokens = 512;
  w.output_tokens = 128;
  return w;
}

Workload training(Mode mode) {
  Workload w;
  w.mode = mode;
  w.batch = 4;
  w.sequence = 2048;
  return w;
}

double tokens_per_s(const SpeedEstimate& speed) { return speed.training.value().tokens_per_s; }

bool warns(const SpeedEstimate& speed, std::string_view code) {
  for (const Warning& warning : speed.warnings)
    if (warning.code == code) return true;
  return false;
}

}  // namespace

TEST_CASE("one user of a 7B model waits for the memory, and never gets more than its bandwidth",
          "[speed]") {
  // 6.74e9 weights of two bytes less the embedding table: 13.2 GB are read for each token.
  const double weight_bytes = 13.2e9;
  for (const auto* name : {"RTX 4090", "RTX 3090", "A100 SXM4 80GB", "H100 SXM", "L40S"}) {
    INFO(name);
    const SpeedEstimate speed = estimate("7b", chat(), name);
    CHECK(speed.bound == Bound::memory);
    const double ceiling = card(name).bandwidth->per_second() / weight_bytes;
    CHECK(speed.inference->decode_tokens_per_s < ceiling);
    CHECK(speed.inference->decode_tokens_per_s > 0.4 * ceiling);
  }
}

TEST_CASE("2 ms a token is 500 tokens a second, and 3,000 tokens at 50 a second take a minute",
          "[speed]") {
  Workload w = chat();
  w.output_tokens = 3000;
  const SpeedEstimate estimated = estimate("7b", w, "RTX 3090");
  const InferenceSpeed& user = *estimated.inference;
  CHECK(user.decode_tokens_per_s_per_user == Approx(1 / user.tpot.count()));
  // About 50 tokens a second on such a card: the answer takes a minute, the prompt hardly counts.
  CHECK(user.decode_tokens_per_s_per_user == Approx(50).margin(10));
  const double answer = user.ttft.count() + 3000 * user.tpot.count();
  CHECK(answer == Approx(60).margin(12));
  CHECK(user.output_tokens_per_s == Approx(3000 / answer));
}

TEST_CASE("smaller weights are read faster, though not in proportion", "[speed]") {
  const double sixteen = estimate("7b", chat(), "RTX 4090").inference->decode_tokens_per_s;
  const double four = estimate("7b", chat(Precision::int4), "RTX 4090").inference->decode_tokens_per_s;
  CHECK(four > 1.5 * sixteen);
  CHECK(four < 4 * sixteen);
}

TEST_CASE("a prompt is bound by arithmetic, and twice as long takes at least twice the time",
          "[speed]") {
  Workload w = chat();
  w.input_tokens = 2048;
  w.output_tokens = 1;
  const SpeedEstimate once = estimate("7b", w, "A100 SXM4 80GB");
  CHECK(once.bound == Bound::compute);
  w.input_tokens = 4096;
  const SpeedEstimate twice = estimate("7b", w, "A100 SXM4 80GB");
  CHECK(twice.inference->ttft.count() > 1.95 * once.inference->ttft.count());
  // 2 x 6.6e9 x 2048 FLOPs at the full 312 TFLOPS would take 87 ms.
  CHECK(once.inference->ttft.count() > 0.087);
}

TEST_CASE("more users get more tokens together and fewer each", "[speed]") {
  Workload w = chat(Precision::bf16);
  double together = 0, each = 1e9;
  for (const std::int64_t users : {1, 2, 4, 8, 16, 32, 64}) {
    INFO(users);
    w.batch = users;
    const InferenceSpeed speed = *estimate("7b", w, "A100 SXM4 80GB").inference;
    CHECK(speed.decode_tokens_per_s > together);
    CHECK(speed.decode_tokens_per_s_per_user <= each);
    CHECK(speed.output_tokens_per_s <= speed.decode_tokens_per_s);
    together = speed.decode_tokens_per_s;
    each = speed.decode_tokens_per_s_per_user;
  }
}

TEST_CASE("a mixture of experts reads only the experts that one user wakes up", "[speed]") {
  const double mixture = estimate("mixtral-8x7b", chat(Precision::int8), "A100 SXM4 80GB")
                             .inference->decode_tokens_per_s;
  const double dense =
      estimate("llama-2-70b", chat(Precision::int8), "A100 SXM4 80GB").inference->decode_tokens_per_s;
  CHECK(mixture > 3 * dense);
}

TEST_CASE("twice the tokens take twice the time to train", "[speed]") {
  Workload w = training(Mode::full);
  const double once = estimate("7b", w, "A100 SXM4 80GB").training->step.count();
  w.grad_accum = 2;
  const SpeedEstimate twice = estimate("7b", w, "A100 SXM4 80GB");
  w.grad_accum = 4;
  const SpeedEstimate four = estimate("7b", w, "A100 SXM4 80GB");
  CHECK(twice.training->step.count() > 1.8 * once);
  CHECK(twice.training->step.count() < 2 * once);  // the optimizer runs once
  // Past the optimizer each micro-batch takes the same time.
  CHECK(four.training->step.count() - twice.training->step.count() ==
        Approx(2 * (twice.training->step.count() - once)));
}

TEST_CASE("H100 trains faster than A100, and A100 faster than RTX 4090", "[speed]") {
  const double h100 = tokens_per_s(estimate("7b", training(Mode::full), "H100 SXM"));
  const double a100 = tokens_per_s(estimate("7b", training(Mode::full), "A100 SXM4 80GB"));
  const double rtx = tokens_per_s(estimate("7b", training(Mode::full), "RTX 4090"));
  CHECK(h100 > a100);
  CHECK(a100 > rtx);
  // 6 FLOPs a weight and token: 312 TFLOPS cannot give more than 7,700 tokens/s.
  CHECK(a100 < 312e12 / (6 * 6.74e9));
}

TEST_CASE("frozen weights save the third of the arithmetic that would change them", "[speed]") {
  const double full = tokens_per_s(estimate("7b", training(Mode::full), "A100 SXM4 80GB"));
  const double lora = tokens_per_s(estimate("7b", training(Mode::lora), "A100 SXM4 80GB"));
  CHECK(lora > 1.1 * full);
  CHECK(lora < 1.7 * full);
}

TEST_CASE("recomputing activations costs about a quarter of the speed", "[speed]") {
  Workload w = training(Mode::full);
  const double without = tokens_per_s(estimate("7b", w, "A100 SXM4 80GB"));
  w.checkpointing = Checkpointing::full;
  const double with = tokens_per_s(estimate("7b", w, "A100 SXM4 80GB"));
  CHECK(without / with == Approx(1.3).margin(0.07));  // torchtune measured 1.27
}

TEST_CASE("two cards over PCIe train a BERT-like model 1.4 to 1.8 times as fast", "[speed]") {
  Workload w = training(Mode::encoder);
  w.task = Task::train;
  w.precision = Precision::fp16;
  w.batch = 16;
  w.sequence = 384;
  w.zero = 0;  // plain data parallelism
  const double one = tokens_per_s(estimate("bert-large-uncased", w, "RTX 4090"));
  w.gpus = 2;
  const double two = tokens_per_s(estimate("bert-large-uncased", w, "RTX 4090"));
  CHECK(two > 1.4 * one);
  CHECK(two < 1.8 * one);
}

TEST_CASE("several cards never give more than their number, and a faster link never less",
          "[speed]") {
  for (const Mode mode : {Mode::lora, Mode::full}) {
    Workload w = training(mode);
    const double one = tokens_per_s(estimate("7b", w, "A100 SXM4 80GB"));
    for (const std::int64_t count : {2, 4, 8}) {
      INFO(name_of(mode) << " on " << count);
      w.gpus = count;
      w.interconnect = Wire::nvlink;
      const double nvlink = tokens_per_s(estimate("7b", w, "A100 SXM4 80GB"));
      w.interconnect = Wire::pcie;
      const double pcie = tokens_per_s(estimate("7b", w, "A100 SXM4 80GB"));
      CHECK(nvlink >= pcie);
      CHECK(nvlink <= one * static_cast<double>(count) * 1.0001);
    }
  }
}

TEST_CASE("how cards are joined is asked when the table does not know, and the slow way is taken",
          "[speed]") {
  Workload w = training(Mode::full);
  w.gpus = 2;
  const SpeedEstimate unknown = estimate("7b", w, "A100 PCIe 80GB");  // a bridge may be fitted
  CHECK(warns(unknown, "interconnect_unknown"));
  w.interconnect = Wire::pcie;
  const SpeedEstimate pcie = estimate("7b", w, "A100 PCIe 80GB");
  CHECK_FALSE(warns(pcie, "interconnect_unknown"));
  CHECK(tokens_per_s(unknown) == Approx(tokens_per_s(pcie)));
  w.interconnect = Wire::nvlink;
  CHECK(tokens_per_s(estimate("7b", w, "A100 PCIe 80GB")) > tokens_per_s(pcie));
}

TEST_CASE("tensor parallelism over PCIe between consumer cards is warned of", "[speed]") {
  Workload w = chat();
  w.gpus = 2;
  w.tp = 2;
  CHECK(warns(estimate("7b", w, "RTX 4090"), "pcie_tensor_parallel"));
  CHECK_FALSE(warns(estimate("7b", w, "A100 SXM4 80GB"), "pcie_tensor_parallel"));
}

TEST_CASE("a precision that the card lacks is named, with what is done instead", "[speed]") {
  CHECK(warns(estimate("7b", chat(Precision::bf16), "V100 SXM2 16GB"), "precision_not_native"));
  CHECK(warns(estimate("7b", chat(Precision::bf16), "T4"), "precision_not_native"));
  CHECK(warns(estimate("7b", chat(Precision::fp8), "A100 SXM4 80GB"), "precision_not_native"));
  CHECK_FALSE(warns(estimate("7b", chat(Precision::fp8), "H100 SXM"), "precision_not_native"));
  CHECK_FALSE(warns(estimate("7b", chat(Precision::fp16), "V100 SXM2 16GB"), "precision_not_native"));
  // Emulated FP8 trains no faster than bf16.
  Workload w = training(Mode::pretrain);
  w.precision = Precision::fp8;
  const double fp8 = tokens_per_s(estimate("7b", w, "A100 SXM4 80GB"));
  w.precision = Precision::bf16;
  CHECK(fp8 <= tokens_per_s(estimate("7b", w, "A100 SXM4 80GB")) * 1.0001);
}

TEST_CASE("integer operations a second never stand in for bf16", "[speed]") {
  Card altered = card("A100 SXM4 80GB");
  const double before = tokens_per_s(estimate("7b", training(Mode::full), altered));
  altered.rates.int8 = FlopRate::per_second(1e18);
  altered.rates.int4 = FlopRate::per_second(1e18);
  CHECK(tokens_per_s(estimate("7b", training(Mode::full), altered)) == Approx(before));
}

TEST_CASE("a card without a rate or a bandwidth gives an error, not a guess", "[speed]") {
  Card altered = card("RTX 4090");
  altered.rates = {};
  altered.bandwidth.reset();
  const auto work = resolve(chat(), model("7b"));
  REQUIRE(work);
  const auto speed = estimate_speed(model("7b"), *work, altered);
  REQUIRE_FALSE(speed);
  CHECK(speed.errors().size() == 2);  // both are named in one go
}

TEST_CASE("speed of kinds without a model is refused in words", "[speed]") {
  Workload w;
  w.mode = Mode::diffusion;  // of films
  const auto work = resolve(w, model("wan2.1"));
  REQUIRE(work);
  const auto speed = estimate_speed(model("wan2.1"), *work, card("RTX 4090"));
  REQUIRE_FALSE(speed);
  CHECK(speed.errors().front().code == ErrorCode::invalid);
  CHECK(speed.errors().front().message.find("not modelled") != std::string::npos);
}

TEST_CASE("each part of the estimate is explained with formula, numbers and source", "[speed]") {
  const SpeedEstimate speed = estimate("7b", training(Mode::qlora), "RTX 4090");
  REQUIRE(speed.explain.size() >= 5);
  for (const Explained& line : speed.explain) {
    INFO(line.part);
    CHECK_FALSE(line.formula.empty());
    CHECK_FALSE(line.inputs.empty());
    CHECK_FALSE(line.source.empty());
  }
}

TEST_CASE("every card with known figures gives numbers that are numbers", "[speed]") {
  for (const Card& each : cards().all()) {
    INFO(each.name);
    for (const Mode mode : {Mode::inference, Mode::qlora, Mode::full}) {
      Workload w;
      w.mode = mode;
      w.gpus = 4;
      const auto work = resolve(w, model("7b"));
      REQUIRE(work);
      const auto speed = estimate_speed(model("7b"), *work, each);
      if (!speed) {
        CHECK((!each.bandwidth || (!each.rates.fp16 && !each.rates.bf16)));
        continue;
      }
      const double rate = speed->training ? speed->training->tokens_per_s
                                          : speed->inference->output_tokens_per_s;
      CHECK(std::isfinite(rate));
      CHECK(rate > 0);
      CHECK(speed->range.low < 1);
      CHECK(speed->range.high > 1);
    }
  }
}
