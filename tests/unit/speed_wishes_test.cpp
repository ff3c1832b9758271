#include <cmath>

#include "gpuplan/plan.hpp"
#include "speed_world.hpp"

using namespace gpuplan;
using namespace speed_world;

namespace {

Workload photos() {
  Workload w;
  w.mode = Mode::vision;
  w.task = Task::train;
  w.batch = 256;
  w.precision = Precision::fp16;
  return w;
}

Workload chat() {
  Workload w;
  w.precision = Precision::fp16;
  w.input_tokens = 512;
  w.output_tokens = 256;
  return w;
}

}  // namespace

TEST_CASE("an answer of 3,000 tokens at 50 a second takes a minute and misses a wish of 10 seconds",
          "[speed][wishes]") {
  Workload w = chat();
  w.output_tokens = 3000;
  w.answer = Seconds{10};
  const SpeedEstimate on_4090 = estimate("llama-2-7b", w, "RTX 4090");
  REQUIRE(on_4090.inference);
  CHECK(1 / on_4090.inference->tpot.count() == Approx(55).margin(8));
  CHECK(on_4090.inference->answer.count() == Approx(55).margin(8));
  REQUIRE(on_4090.targets.size() == 1);
  CHECK(on_4090.targets[0].name == "answer_time");
  CHECK_FALSE(on_4090.targets[0].met);
  CHECK(warns(on_4090, "target_missed"));
}

TEST_CASE("100 tokens a second are kept by a card that gives them, and by no wish more",
          "[speed][wishes]") {
  Workload w = chat();
  w.precision = Precision::int4;
  w.throughput = 100;
  CHECK(estimate("llama-2-7b", w, "RTX 4090").targets.at(0).met);
  w.throughput = 5000;
  CHECK_FALSE(estimate("llama-2-7b", w, "RTX 4090").targets.at(0).met);
}

TEST_CASE("the batch that a throughput needs is the least that gives it", "[speed][wishes]") {
  Workload w = chat();
  w.throughput = 500;
  const auto needed = estimate("llama-2-7b", w, "A100 SXM4 80GB").batch_for_throughput;
  REQUIRE(needed);
  w.batch = *needed;
  CHECK(estimate("llama-2-7b", w, "A100 SXM4 80GB").targets.at(0).met);
  REQUIRE(*needed > 1);
  w.batch = *needed - 1;
  CHECK_FALSE(estimate("llama-2-7b", w, "A100 SXM4 80GB").targets.at(0).met);
}

TEST_CASE("as many users as a wish for the time per token allows are served, and not one more",
          "[speed][wishes]") {
  Workload w = chat();
  w.concurrency_max = true;
  const auto free = estimate("llama-2-7b", w, "A100 SXM4 80GB").inference->max_concurrency;
  w.tpot = Seconds{0.020};
  const SpeedEstimate kept = estimate("llama-2-7b", w, "A100 SXM4 80GB");
  CHECK(kept.inference->tpot <= *w.tpot);
  CHECK(kept.inference->max_concurrency < free);

  const auto work = resolve(w, model("llama-2-7b"));
  REQUIRE(work);
  const auto users = users_within_targets(model("llama-2-7b"), *work, card("A100 SXM4 80GB"), 1000);
  REQUIRE(users);
  CHECK(*users == kept.inference->max_concurrency);
  ResolvedWorkload hurried = *work;
  hurried.tpot = Seconds{0.0001};
  CHECK(*users_within_targets(model("llama-2-7b"), hurried, card("A100 SXM4 80GB"), 1000) == 0);
}

TEST_CASE(
    "a slow disk leaves the card idle three quarters of the time, and the job is one of reading",
    "[speed][wishes]") {
  Workload w = photos();
  const double wanted = *estimate("resnet-50", w, "A100 SXM4 80GB").samples_per_s;
  w.feed.sample_bytes = 110e3;  // a photo of ImageNet
  w.feed.disk_bytes_per_s = 0.25 * wanted * 110e3;
  const SpeedEstimate hungry = estimate("resnet-50", w, "A100 SXM4 80GB");
  REQUIRE(hungry.feeding);
  CHECK(hungry.feeding->utilisation == Approx(0.25).margin(0.05));
  CHECK(hungry.bound == Bound::storage);
  CHECK(*hungry.samples_per_s == Approx(0.25 * wanted));
  CHECK(warns(hungry, "io_bound"));
  CHECK(warns(hungry, "single_card_underused"));
}

TEST_CASE("with the loader at its limit two cards do 1.2 times the work of one",
          "[speed][wishes]") {
  Workload w = photos();
  w.feed.loader_samples_per_s = 1e9;
  const double alone = *estimate("resnet-50", w, "A100 SXM4 80GB").samples_per_s;
  w.feed.loader_samples_per_s = 1.2 * alone;
  CHECK(estimate("resnet-50", w, "A100 SXM4 80GB").feeding->utilisation == Approx(1));
  w.gpus = 2;
  const SpeedEstimate two = estimate("resnet-50", w, "A100 SXM4 80GB");
  REQUIRE(two.scaling);
  CHECK(two.scaling->speedup == Approx(1.2).margin(0.001));
  CHECK(two.bound == Bound::host);
  CHECK(warns(two, "single_card_underused"));
}

TEST_CASE("a card that is busy more than 80 of 100 seconds may get another beside it",
          "[speed][wishes]") {
  Workload w = photos();
  w.feed.loader_samples_per_s = 1e9;
  const double alone = *estimate("resnet-50", w, "A100 SXM4 80GB").samples_per_s;
  w.feed.loader_samples_per_s = 0.85 * alone;
  const SpeedEstimate busy = estimate("resnet-50", w, "A100 SXM4 80GB");
  CHECK(warns(busy, "loader_limits"));
  CHECK_FALSE(warns(busy, "single_card_underused"));
}

TEST_CASE("two cards over PCIe do the work of about 1.6 when their gradients are large",
          "[speed][wishes]") {
  Workload w;
  w.mode = Mode::encoder;
  w.task = Task::train;
  w.precision = Precision::fp16;
  w.batch = 32;
  w.sequence = 384;
  w.gpus = 2;
  w.interconnect = Wire::pcie;
  // BERT-large on two RTX 3090: 1.71; on two RTX 4090: 1.50 (lambdal/deeplearning-benchmark).
  for (const char* name : {"RTX 3090", "RTX 4090"}) {
    CAPTURE(name);
    const SpeedEstimate two = estimate("bert-large", w, name);
    REQUIRE(two.scaling);
    CHECK(two.scaling->speedup > 1.35);
    CHECK(two.scaling->speedup < 1.85);
  }
}

TEST_CASE("cards that wait for each other are told to do the work of fewer", "[speed][wishes]") {
  Workload w = chat();
  w.gpus = 8;
  w.tp = 8;
  w.interconnect = Wire::pcie;
  const SpeedEstimate eight = estimate("llama-2-7b", w, "A10");
  REQUIRE(eight.scaling);
  CHECK(eight.scaling->efficiency < 0.5);
  CHECK(warns(eight, "cards_bring_little"));
}

TEST_CASE("two requests a second of one second each need three counters, where 4 of 9 must wait",
          "[speed][wishes]") {
  // Erlang C at load 2 over 3 counters: (2^3/3!) 3 / (1 + 2 + 2 + (2^3/3!) 3) = 4/9.
  const auto queue = replicas_for(2, Seconds{1}, 1, 4, Seconds{2.2});
  REQUIRE(queue);
  CHECK(queue->replicas == 3);
  CHECK(queue->gpus == 12);
  CHECK(queue->wait_probability == Approx(4.0 / 9));
  CHECK(queue->wait_mean.count() == Approx(4.0 / 9));  // 4/9 over one free counter a second
  CHECK(queue->wait_p95.count() == Approx(std::log(4.0 / 9 / 0.05)));
  CHECK(queue->utilisation == Approx(2.0 / 3));
  // Who must not wait needs more of them.
  CHECK(replicas_for(2, Seconds{1}, 1, 4, Seconds{0.1})->replicas > 3);
  CHECK_FALSE(replicas_for(0, Seconds{1}, 1, 1, Seconds{1}));
}

TEST_CASE("double the requests take more replicas, and none is busy all the time",
          "[speed][wishes]") {
  Workload w = chat();
  w.batch = 16;
  w.rate = 20;
  const auto some = estimate("llama-2-7b", w, "L40S").replicas;
  w.rate = 40;
  const auto more = estimate("llama-2-7b", w, "L40S").replicas;
  REQUIRE(some);
  REQUIRE(more);
  CHECK(more->replicas > some->replicas);
  CHECK(more->utilisation < 1);
  CHECK(some->wait_p95 >= Seconds{0});
}

TEST_CASE("five tasks on two machines last as long as three of them", "[speed][wishes]") {
  Job job;
  job.machines = 4;
  CHECK(share_of_machine(job, Seconds{12 * 3600}).count() == Approx(3 * 3600));
  job.machines = 2;
  job.splits = 5;
  CHECK(share_of_machine(job, Seconds{10 * 3600}).count() == Approx(6 * 3600));
}

TEST_CASE("six hours on an RTX 4090 are six hours there, and fewer on a faster card",
          "[speed][wishes]") {
  const auto job = read_job(R"({"schema": "gpuplan.job/1", "mode": "lora", "batch": 4, "seq": 2048,
                                "work": {"measured": "6h on RTX 4090"}})",
                            "job.json", {});
  REQUIRE(job);
  const auto work = resolve(job->workload, model("llama-2-7b"));
  REQUIRE(work);
  const auto hours_on = [&](const char* name) {
    const auto speed = estimate_speed(model("llama-2-7b"), *work, card(name));
    REQUIRE(speed);
    const auto time = work_time(*job, model("llama-2-7b"), *work, card(name), *speed, cards());
    REQUIRE(time);
    REQUIRE(*time);
    return static_cast<double>((*time)->count()) / 3.6e9;
  };
  CHECK(hours_on("RTX 4090") == Approx(6).epsilon(1e-6));
  CHECK(hours_on("H100 SXM5 80GB") < 4);
  CHECK(hours_on("RTX 3090") > 7);
}
