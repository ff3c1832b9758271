// Mistakes that people met in tools of this kind, with the right answer where one is known.
#include "speed_world.hpp"

using namespace gpuplan;
using namespace speed_world;

namespace {

Workload chat(Framework framework, Precision precision, std::int64_t input, std::int64_t output) {
  Workload w;
  w.framework = framework;
  w.precision = precision;
  w.input_tokens = input;
  w.output_tokens = output;
  return w;
}

}  // namespace

TEST_CASE("a 27B model in four bits writes about 40 tokens a second on an RTX 4090, not 9",
          "[speed][known_mistakes]") {
  // llmfit, pull request 137: one constant for every card, whatever its bandwidth.
  const Workload w = chat(Framework::llamacpp, Precision::q4_k_m, 512, 256);
  const double rate =
      estimate("Qwen/Qwen3.5-27B", w, "RTX 4090").inference->decode_tokens_per_s_per_user;
  CHECK(rate > 32);
  CHECK(rate < 50);
}

TEST_CASE("layers with a constant state read no cache: 67 tokens a second on an RTX 4080, not 41",
          "[speed][known_mistakes]") {
  // llmfit, pull request 203: all 32 layers of Qwen3.5-9B were charged a cache, 8 keep one.
  const Workload w = chat(Framework::llamacpp, Precision::q8_0, 512, 256);
  const double rate =
      estimate("Qwen/Qwen3.5-9B", w, "RTX 4080").inference->decode_tokens_per_s_per_user;
  CHECK(rate > 55);
  CHECK(rate < 80);
}

TEST_CASE("the cache is read for the key and value heads, not for every query head",
          "[speed][known_mistakes]") {
  // LLM-Viewer, issue 12. Llama-2-70b has 64 query heads and 8 of the others: a token of context is
  // 2 x 80 layers x 8 x 128 x 2 bytes = 327,680 bytes.
  const auto step = [](std::int64_t input) {
    const Workload w = chat(Framework::vllm, Precision::bf16, input, 2);
    return estimate("llama-2-70b", w, "H200 SXM 141GB").inference->decode_tokens_per_s_per_user;
  };
  const double more = 1 / step(3000) - 1 / step(1000);  // seconds for 2,000 further tokens
  const double at_full_speed = 2000 * 327'680.0 / 4.8e12;
  CHECK(more > at_full_speed);
  CHECK(more < 1.3 * at_full_speed);
}

TEST_CASE("all experts must be read by many users, and only the chosen ones by a single user",
          "[speed][known_mistakes]") {
  // llmfit, pull request 497, and selfhostllm: active weights taken for everything, or for nothing.
  const Workload one = chat(Framework::vllm, Precision::bf16, 512, 256);
  Workload many = one;
  many.batch = 64;
  const double alone = estimate("mixtral-8x7b", one, "H200 SXM 141GB").inference->tpot.count();
  const double crowd =
      1 / estimate("mixtral-8x7b", many, "H200 SXM 141GB").inference->decode_tokens_per_s_per_user;
  // 13 of 47 billion weights work for one user; 64 wake up all of them.
  CHECK(crowd > 2.5 * alone);
}
