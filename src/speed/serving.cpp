#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "speed/constants.hpp"
#include "speed/inference.hpp"
#include "speed/wishes.hpp"

namespace gpuplan::detail {

bool Server::layer_split() const {
  if (stages < 2) return false;
  const Framework f = engine.framework;
  const bool engine_for_many =
      f == Framework::vllm || f == Framework::sglang || f == Framework::trtllm;
  return !engine_for_many || (work.batch <= 1 && !work.concurrency_max);
}

bool Server::data_parallel_attention() const {
  return demand.moe() && tensor > 1 && (work.ep > 1 || engine.framework == Framework::trtllm);
}

double Server::kv_bytes_of(double tokens) const {
  if (data_parallel_attention()) return kv_bytes(model, work.kv_precision, tokens, 1) / tensor;
  return kv_bytes(model, work.kv_precision, tokens, work.tp);
}

double Server::cache_passes() const {
  if (engine.cache_use == CacheUse::shared || model.latent) return 1;
  const double repeats =
      std::max(1.0, static_cast<double>(model.heads) /
                        static_cast<double>(std::max<std::int64_t>(1, model.kv_heads)));
  // Copied: joined with the new token (read, write) and read to be repeated; then written for every
  // query head, and read with a pace that counts twice, one token leaving most of the card idle.
  return engine.cache_use == CacheUse::repeated ? repeats : 2 + 3 * repeats;
}

double Server::product_rate() const {
  double share = figures.gemm_share * engine.prefill_share;
  if (figures.arithmetic == Arithmetic::fp8) share *= engine.fp8_share;
  if (figures.arithmetic == Arithmetic::fp4) share *= figures.kind->fp4_share;
  return share * figures.linear;
}

// Products of narrow experts are many and small.
double Server::expert_rate() const {
  return demand.expert_width / (demand.expert_width + kServedExpertWidth.value) * product_rate();
}

double Server::pass_tokens(double prompt) const {
  const double most =
      work.max_batched_tokens ? static_cast<double>(*work.max_batched_tokens) : engine.pass_tokens;
  return std::max(1.0, std::min(prompt, std::min(most, engine.pass_tokens)));
}

namespace {

double real(std::int64_t n) { return static_cast<double>(n); }

struct Load {
  double users = 1;  // of one replica, at work at the same time
  double prompt = 1, answer = 1;
  double context() const { return prompt + answer / 2; }
};

// All users, one after the other prefilled, then decoding together.
Step fixed_round(const Server& s, const Load& load) {
  Step round = prefill(s, load.prompt).times(load.users);
  round.append(decode_step(s, load.users, load.context()).times(load.answer));
  return round;
}

// Prompts of new users share their passes with the decoding of the others: compute and reading are
// summed up over both.
Step saturated_round(const Server& s, const Load& load) {
  Step round = decode_weights(s, load.users).times(load.answer);
  round.append(decode_products(s, load.users).times(load.answer));
  round.append(decode_rest(s, load.users, load.context()).times(load.answer));
  round.append(prefill_products(s, load.prompt).times(load.users));
  Step rest = prefill_rest(s, load.prompt);
  Step kept;
  for (const Part& part : rest.parts())
    if (part.name == "attention" || part.name == "elementwise") kept.add(part);
  round.append(kept.times(load.users));
  return round;
}

// Seconds of a round of a replica, and the same as a step for `bound`.
Step round_of(const Server& s, const Load& load) {
  const bool saturated = s.work.concurrency_max && s.engine.framework != Framework::llamacpp;
  if (s.stages < 2 || s.layer_split())
    return saturated ? saturated_round(s, load) : fixed_round(s, load);
  // Each stage holds a share of the layers and works on a share of the users at a time, so a stage
  // is done after 1/stages^2 of the work and all users after `stages` such turns.
  Load share = load;
  share.users = std::max(1.0, load.users / s.stages);
  Step turn = (saturated ? saturated_round(s, share) : fixed_round(s, share)).times(1 / s.stages);
  const double turns = load.users / share.users;
  return turn.times(turns * (1 + kStageLoss.value * (s.stages - 1)));
}

// Users of a saturated server. A paged cache grows with the answer, so users at all stages of
// theirs hold half of it on average, and more of them fit than hold their whole answer at once.
double users_at_work(const Server& s, const Load& load, std::int64_t fitting) {
  if (!s.work.concurrency_max) return real(s.work.batch);
  if (s.work.kv_cache != KvCache::paged) return real(fitting);
  const double more = (load.prompt + load.answer) / load.context();
  const double most = s.engine.most_users * s.replicas;
  return std::max(real(fitting), std::min(most, real(fitting) * more));
}

}  // namespace

namespace {

// What users get when so many are served at once.
struct Served {
  InferenceSpeed speed;
  Step prompt, step, round;
};

Served at_load(const Server& s, const Load& load) {
  Served served;
  served.prompt = prefill(s, load.prompt);
  // With a pipeline a token still passes through all layers, beside the tokens of other groups.
  const bool pipeline = s.stages > 1 && !s.layer_split();
  const double together = pipeline ? std::max(1.0, load.users / s.stages) : load.users;
  served.step = decode_step(s, together, load.context());
  served.round = round_of(s, load);
  const double prompt = served.prompt.seconds(), step = served.step.seconds();

  const double all = load.users * s.replicas;
  InferenceSpeed& speed = served.speed;
  speed.prefill_tokens_per_s = load.prompt / prompt * s.replicas;
  speed.output_tokens_per_s = load.answer * all / served.round.seconds();
  // In a saturated server a prompt waits for the pass that runs; users who come all at once wait
  // for the prompts before theirs.
  const double queue = s.work.concurrency_max ? step : (load.users - 1) / 2 * prompt;
  speed.ttft = Seconds{prompt + queue};
  // The rest of the round after the first token is what a user waits for the others.
  speed.tpot = Seconds{std::max(step, (served.round.seconds() - speed.ttft.count()) / load.answer)};
  speed.answer = speed.ttft + load.answer * speed.tpot;
  speed.decode_tokens_per_s_per_user = 1 / step;
  speed.decode_tokens_per_s = all / step;
  return served;
}

Load load_of(const Server& s) {
  Load load;
  load.prompt = real(std::max<std::int64_t>(1, s.work.input_tokens));
  load.answer = real(std::max<std::int64_t>(1, s.work.output_tokens));
  return load;
}

}  // namespace

std::int64_t users_in_time(const Server& s, std::int64_t most) {
  Load load = load_of(s);
  const auto kept = [&](std::int64_t users) {
    load.users = std::max(1.0, real(users) / s.replicas);
    return keeps_targets(s.work, at_load(s, load).speed);
  };
  if (most < 1 || !kept(1)) return 0;
  std::int64_t low = 1, high = most;  // times grow with the load
  while (low < high) {
    const std::int64_t middle = low + (high - low + 1) / 2;
    if (kept(middle))
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

InferenceSpeed serve(const Server& s, std::int64_t fitting, Step& round,
                     std::vector<Explained>& explain) {
  Load load = load_of(s);
  double users = users_at_work(s, load, fitting);
  const bool targets = s.work.ttft || s.work.tpot || s.work.answer;
  if (s.work.concurrency_max && targets) {
    fitting = std::max<std::int64_t>(1, users_in_time(s, static_cast<std::int64_t>(users)));
    users = real(fitting);
  }
  load.users = std::max(1.0, users / s.replicas);
  Served served = at_load(s, load);
  served.speed.max_concurrency = fitting;
  round = served.round;
  explain_step(served.prompt, "prefill.", explain);
  explain_step(served.step, "decode.", explain);
  explain.push_back({"output_tokens_per_s", "users x answer / time of a round",
                     fmt::format("{:.4g} users x {} tokens / {}", load.users * s.replicas,
                                 load.answer, show_time(round.seconds())),
                     s.work.concurrency_max
                         ? "prompts share their passes with the others' decoding"
                         : "prompts one after the other, then all decode together"});
  return served.speed;
}

}  // namespace gpuplan::detail
