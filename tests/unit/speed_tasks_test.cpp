#include <vector>

#include "speed/tasks.hpp"
#include "speed_world.hpp"

using namespace gpuplan;
using namespace speed_world;

namespace {

Workload plain(Mode mode) {
  Workload w;
  w.mode = mode;
  return w;
}

// Published rates by card: lambdal/deeplearning-benchmark and NVIDIA DeepLearningExamples.
struct Measured {
  const char* card;
  double per_s;
};
// ResNet-50, training in 16 bit, images a second.
constexpr Measured kPhotos[] = {{"Quadro RTX 8000", 651}, {"V100 SXM2 16GB", 833},
                                {"RTX 3090", 905},        {"A10", 638},
                                {"A100 PCIe 40GB", 1396}, {"A100 PCIe 80GB", 1527},
                                {"A100 SXM4 80GB", 1582}, {"RTX 6000 Ada", 1146},
                                {"RTX A6000", 916},       {"RTX 4090", 1301},
                                {"H100 PCIe 80GB", 1866}, {"H100 SXM5 80GB", 2787},
                                {"H200 SXM 141GB", 3079}, {"GH200 96GB", 2844},
                                {"B200 SXM 180GB", 3076}};
// BERT-large, questions of 384 tokens, training in 16 bit, texts a second.
constexpr Measured kTexts[] = {{"Quadro RTX 8000", 50}, {"V100 SXM2 16GB", 57},
                               {"RTX 3090", 52},        {"A10", 42},
                               {"A100 PCIe 40GB", 117}, {"A100 PCIe 80GB", 140},
                               {"A100 SXM4 80GB", 152}, {"RTX 6000 Ada", 79},
                               {"RTX A6000", 68},       {"RTX 4090", 93},
                               {"H100 PCIe 80GB", 203}, {"H100 SXM5 80GB", 309},
                               {"H200 SXM 141GB", 350}, {"GH200 96GB", 296},
                               {"B200 SXM 180GB", 523}};

template <std::size_t n>
double share_in_order(const Measured (&rows)[n], std::string_view name, const Workload& w) {
  std::vector<double> guesses;
  for (const Measured& row : rows) guesses.push_back(*estimate(name, w, row.card).samples_per_s);
  int pairs = 0, right = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = i + 1; k < n; ++k) {
      const double a = rows[i].per_s, b = rows[k].per_s;
      if (std::max(a, b) <= 1.1 * std::min(a, b)) continue;
      ++pairs;
      right += (a > b) == (guesses[i] > guesses[k]);
    }
  REQUIRE(pairs > 50);
  return static_cast<double>(right) / pairs;
}

}  // namespace

TEST_CASE("cards are ordered rightly for photos in nine of ten pairs", "[speed][tasks]") {
  Workload w = plain(Mode::vision);
  w.task = Task::train;
  w.precision = Precision::fp16;
  w.batch = 128;
  CHECK(share_in_order(kPhotos, "resnet-50", w) >= 0.9);
}

TEST_CASE("cards are ordered rightly for short texts in nine of ten pairs", "[speed][tasks]") {
  Workload w = plain(Mode::encoder);
  w.task = Task::train;
  w.precision = Precision::fp16;
  w.batch = 32;
  w.sequence = 384;
  CHECK(share_in_order(kTexts, "bert-large", w) >= 0.9);
}

TEST_CASE("more photos at once are read faster, up to what arithmetic and memory allow",
          "[speed][tasks]") {
  // ResNet-50 in 32 bit on a T4: 98, 325, 409 images a second for batches of 1, 4, 16.
  Workload w = plain(Mode::vision);
  w.precision = Precision::fp32;
  const auto rate = [&](std::int64_t batch) {
    w.batch = batch;
    return *estimate("resnet-50", w, "T4").samples_per_s;
  };
  CHECK(rate(1) == Approx(98).epsilon(0.25));
  CHECK(rate(4) == Approx(325).epsilon(0.25));
  CHECK(rate(16) == Approx(409).epsilon(0.25));
}

TEST_CASE("a deeper network takes longer, a larger image takes longer", "[speed][tasks]") {
  Workload w = plain(Mode::vision);
  w.task = Task::train;
  w.batch = 64;
  const double usual = *estimate("resnet-50", w, "A100 SXM4 80GB").samples_per_s;
  CHECK(*estimate("resnet-152", w, "A100 SXM4 80GB").samples_per_s < usual);
  w.image_size = 448;
  CHECK(*estimate("resnet-50", w, "A100 SXM4 80GB").samples_per_s < usual / 2);
}

TEST_CASE("an A100 draws an SDXL picture of 50 steps in four to eight seconds", "[speed][tasks]") {
  // 30 steps take 3.3 s in bf16 (huggingface/diffusers): 50 take 5.5 s.
  Workload w = plain(Mode::diffusion);
  w.task = Task::inference;
  w.image_size = 1024;
  const double seconds = 1 / *estimate("sdxl", w, "A100 SXM4 80GB").samples_per_s;
  CHECK(seconds > 4);
  CHECK(seconds < 8);
  CHECK(1 / *estimate("sdxl", w, "RTX 4090").samples_per_s > seconds);
}

TEST_CASE("double precision is tens of times slower on consumer cards, and that is said",
          "[speed][tasks]") {
  const SpeedEstimate consumer = estimate("7b", plain(Mode::fp64), "RTX 4090");
  const SpeedEstimate made_for_it = estimate("7b", plain(Mode::fp64), "H100 SXM5 80GB");
  REQUIRE(consumer.rate);
  REQUIRE(made_for_it.rate);
  CHECK(made_for_it.rate->per_second > 20 * consumer.rate->per_second);
  CHECK(warns(consumer, "fp64_slow"));
  CHECK_FALSE(warns(made_for_it, "fp64_slow"));
}

TEST_CASE("cards without graphics or encoders are refused for rendering and video, in words",
          "[speed][tasks]") {
  for (const Mode mode : {Mode::render, Mode::video}) {
    const auto refused = try_estimate("7b", plain(mode), "H100 SXM5 80GB");
    REQUIRE_FALSE(refused);
    CHECK(refused.errors().front().message.find("H100") != std::string::npos);
    CHECK_FALSE(refused.errors().front().hint.empty());
  }
  // Three encoders against one.
  CHECK(estimate("7b", plain(Mode::video), "L40S").rate->per_second ==
        Approx(3 * estimate("7b", plain(Mode::video), "A10").rate->per_second));
  CHECK(estimate("7b", plain(Mode::render), "RTX 4090").rate->per_second >
        estimate("7b", plain(Mode::render), "RTX 3090").rate->per_second);
}

TEST_CASE("state-space models write without a cache that grows", "[speed][tasks]") {
  Workload w;
  w.input_tokens = 100;
  w.output_tokens = 100;
  const double early = estimate("mamba-2.8b", w, "A100 SXM4 80GB").inference->tpot.count();
  w.input_tokens = 20000;
  w.sequence = 20100;
  const double late = estimate("mamba-2.8b", w, "A100 SXM4 80GB").inference->tpot.count();
  CHECK(late == Approx(early).epsilon(0.02));
}

TEST_CASE("rates and amounts of tasks are shown with the prefixes of their unit", "[speed]") {
  CHECK(detail::show_task(4.85e12, "double-precision FLOP/s") == "4.85 TFLOP/s (double-precision)");
  CHECK(detail::show_task(170e9, "double-precision FLOP/s") == "170 GFLOP/s (double-precision)");
  CHECK(detail::show_task(1.692e18, "double-precision FLOP") == "1.692 EFLOP (double-precision)");
  CHECK(detail::show_task(82.6e12, "32-bit FLOP/s") == "82.6 TFLOP/s (32-bit)");
  CHECK(detail::show_task(1, "encoder engines") == "1 encoder engine");
  CHECK(detail::show_task(2, "encoder engines") == "2 encoder engines");
}
