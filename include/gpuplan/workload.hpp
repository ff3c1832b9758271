#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpuplan/units.hpp"

namespace gpuplan {

struct ModelShape;

enum class Mode {
  inference, lora, qlora, full, pretrain, dpo, vision, diffusion, encoder, render, video, fp64
};
enum class Task { train, inference };
enum class Checkpointing { none, selective, full };  // recomputation of activations
enum class Attention { flash, eager };
enum class Loss { plain, chunked, cut };
enum class Optimizer {
  adamw, adamw8bit, paged_adamw, paged_adamw8bit, adafactor, lion, sgd, muon
};
enum class Framework {
  automatic, hf, axolotl, unsloth, litgpt, torchtune, torchtitan, foundry, megatron,
  vllm, sglang, trtllm, llamacpp, exllama, autoawq, mlc, gptfast
};
enum class KvCache { paged, static_, dynamic, legacy };
enum class Sharding { fsdp, deepspeed };
enum class Wire { nvlink, nvswitch, pcie, none };  // between the cards of one machine
enum class Precision {
  fp32, tf32, bf16, fp16, fp8, int8, int4, nf4, nf4dq, fp4, mxfp4,
  q2_k, q3_k_s, q3_k_m, q3_k_l, q4_0, q4_1, q4_k_s, q4_k_m, q5_0, q5_1, q5_k_s, q5_k_m, q6_k, q8_0,
  iq1_s, iq1_m, iq2_xxs, iq2_xs, iq2_s, iq2_m, iq3_xxs, iq3_xs, iq3_s, iq3_m, iq4_nl, iq4_xs
};
enum class KvPrecision { fp32, bf16, fp16, fp8, int8, q8_0, q4_0 };
enum class OffloadKind { none, optimizer, activations, all, layers };

// The names of an enumeration: one table feeds parsing, "did you mean", help and completion.
template <class Enum>
struct Named {
  Enum value;
  std::string_view name;
};
template <class Enum>
std::span<const Named<Enum>> names_of();
template <>
std::span<const Named<Mode>> names_of<Mode>();
template <>
std::span<const Named<Task>> names_of<Task>();
template <>
std::span<const Named<Checkpointing>> names_of<Checkpointing>();
template <>
std::span<const Named<Attention>> names_of<Attention>();
template <>
std::span<const Named<Loss>> names_of<Loss>();
template <>
std::span<const Named<Optimizer>> names_of<Optimizer>();
template <>
std::span<const Named<Framework>> names_of<Framework>();
template <>
std::span<const Named<KvCache>> names_of<KvCache>();
template <>
std::span<const Named<Sharding>> names_of<Sharding>();
template <>
std::span<const Named<Wire>> names_of<Wire>();
template <>
std::span<const Named<Precision>> names_of<Precision>();
template <>
std::span<const Named<KvPrecision>> names_of<KvPrecision>();
template <>
std::span<const Named<OffloadKind>> names_of<OffloadKind>();
template <class Enum>
std::string_view name_of(Enum value) {
  for (const auto& entry : names_of<Enum>())
    if (entry.value == value) return entry.name;
  return {};
}
template <class Enum>
std::optional<Enum> value_of(std::string_view name) {
  for (const auto& entry : names_of<Enum>())
    if (entry.name == name) return entry.value;
  return std::nullopt;
}

// How a stored precision is made up. `bits_per_weight` holds scales and zeros; `whole_file` formats
// (GGUF) quantise embeddings and head too, the others linear layers of the blocks only.
struct PrecisionInfo {
  Precision precision;
  double bits_per_weight;
  bool whole_file;
  double head_bits;  // of the output matrix where it is kept finer; 0 = as the rest
  std::string_view compute;  // field of CardRates that does the arithmetic: "bf16", "fp8", ...
  std::string_view source;
};
const PrecisionInfo& precision_info(Precision precision);

// Which modules get LoRA adapters.
struct LoraTargets {
  bool q = true, k = true, v = true, o = true;
  bool mlp = false, head = false, embeddings = false, experts = false;
};

// What stands between the data and the cards of one machine; absent = not stated, no limit.
struct Feed {
  std::optional<double> sample_bytes;          // read from the disk for each sample
  std::optional<double> disk_bytes_per_s;
  std::optional<double> loader_samples_per_s;  // what the CPUs decode and prepare
};

// What a user states about the job, apart from the model. An absent field takes the default of the
// framework (or of the contract); `resolve` fills it in and the result echoes it.
struct Workload {
  Mode mode = Mode::inference;
  std::optional<Task> task;  // vision, diffusion, encoder
  std::optional<Precision> precision;
  std::optional<KvPrecision> kv_precision;
  std::optional<KvCache> kv_cache;
  std::optional<std::int64_t> group_size;
  std::optional<bool> quantise_experts;
  std::optional<std::int64_t> batch;       // micro-batch a GPU; in inference the users
  std::optional<std::int64_t> sequence;    // tokens of a sample; in inference the context
  std::optional<std::int64_t> grad_accum;
  std::optional<Checkpointing> checkpointing;
  std::optional<Attention> attention;
  std::optional<Loss> loss;
  std::optional<Optimizer> optimizer;
  std::optional<bool> optimizer_in_backward;
  std::optional<bool> master_weights;
  std::optional<bool> compile;
  std::optional<std::int64_t> lora_rank;
  std::optional<LoraTargets> lora_targets;

  Framework framework = Framework::automatic;
  std::optional<std::string> engine_version;
  std::optional<std::int64_t> max_seqs;
  std::optional<std::int64_t> max_batched_tokens;
  std::int64_t gpus = 1;
  std::optional<std::int64_t> dp, tp, pp, cp, ep;
  std::optional<Wire> interconnect;
  std::optional<int> zero;
  std::optional<Sharding> sharding;
  OffloadKind offload = OffloadKind::none;
  std::int64_t offload_layers = 0;

  bool concurrency_max = false;
  std::optional<std::int64_t> input_tokens, output_tokens;
  std::optional<Seconds> ttft, tpot;  // targets
  std::optional<double> rate;         // requests a second
  std::optional<Seconds> answer;      // target: time of a whole answer
  std::optional<double> throughput;   // target: tokens (or samples) a second of all cards
  Feed feed;
  std::optional<std::int64_t> image_size;
  std::optional<std::int64_t> shared_prefix;  // tokens at the start that all users have in common
  std::shared_ptr<const ModelShape> draft;    // proposes tokens (speculative decoding)
  // Of one card, when it is known: engines take larger defaults on large cards. Not an option.
  std::optional<Bytes> card_memory;

  bool training() const;
  bool adapters() const { return mode == Mode::lora || mode == Mode::qlora; }
};

// The same with nothing left open: what was computed, and what `inputs` prints.
struct ResolvedWorkload {
  Mode mode = Mode::inference;
  Task task = Task::inference;
  Precision precision = Precision::bf16;
  KvPrecision kv_precision = KvPrecision::bf16;
  KvCache kv_cache = KvCache::paged;
  std::int64_t group_size = 128;
  bool quantise_experts = false;
  std::int64_t batch = 1;
  std::int64_t sequence = 2048;
  std::int64_t grad_accum = 1;
  Checkpointing checkpointing = Checkpointing::none;
  Attention attention = Attention::flash;
  Loss loss = Loss::plain;
  Optimizer optimizer = Optimizer::adamw;
  bool optimizer_in_backward = false;
  bool master_weights = false;
  bool compile = false;
  std::int64_t lora_rank = 8;
  LoraTargets lora_targets;
  Framework framework = Framework::vllm;
  bool framework_chosen = false;  // by the user, else by default
  std::string engine_version;     // empty: the newest known
  std::optional<std::int64_t> max_seqs, max_batched_tokens;
  std::int64_t gpus = 1, dp = 1, tp = 1, pp = 1, cp = 1, ep = 1;
  std::optional<Wire> interconnect;  // absent: the card's own
  std::optional<double> nodes_gbps;  // Gbit/s of a machine to the others; absent: what its cards usually come with
  int zero = 0;
  Sharding sharding = Sharding::fsdp;
  OffloadKind offload = OffloadKind::none;
  std::int64_t offload_layers = 0;
  bool concurrency_max = false;
  std::int64_t input_tokens = 1024, output_tokens = 256;
  std::optional<Seconds> ttft, tpot;
  std::optional<double> rate;
  std::optional<Seconds> answer;
  std::optional<double> throughput;
  Feed feed;
  std::int64_t image_size = 0;
  std::int64_t shared_prefix = 0;
  std::shared_ptr<const ModelShape> draft;

  bool training() const { return task == Task::train; }
  bool adapters() const { return mode == Mode::lora || mode == Mode::qlora; }
  std::int64_t ranks() const { return gpus / (tp * pp * cp) > 0 ? gpus / (tp * pp * cp) : 1; }
};

}  // namespace gpuplan
