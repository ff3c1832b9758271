#include "gpuplan/workload.hpp"

#include <array>

namespace gpuplan {
namespace {

constexpr std::array kModes{
    Named<Mode>{Mode::inference, "inference"}, Named<Mode>{Mode::lora, "lora"},
    Named<Mode>{Mode::qlora, "qlora"},         Named<Mode>{Mode::full, "full"},
    Named<Mode>{Mode::pretrain, "pretrain"},   Named<Mode>{Mode::dpo, "dpo"},
    Named<Mode>{Mode::vision, "vision"},       Named<Mode>{Mode::diffusion, "diffusion"},
    Named<Mode>{Mode::encoder, "encoder"},     Named<Mode>{Mode::render, "render"},
    Named<Mode>{Mode::video, "video"},         Named<Mode>{Mode::fp64, "fp64"}};
constexpr std::array kTasks{Named<Task>{Task::train, "train"},
                            Named<Task>{Task::inference, "inference"}};
constexpr std::array kCheckpointings{Named<Checkpointing>{Checkpointing::none, "none"},
                                     Named<Checkpointing>{Checkpointing::selective, "selective"},
                                     Named<Checkpointing>{Checkpointing::full, "full"}};
constexpr std::array kAttentions{Named<Attention>{Attention::flash, "flash"},
                                 Named<Attention>{Attention::eager, "eager"}};
constexpr std::array kLosses{Named<Loss>{Loss::plain, "plain"}, Named<Loss>{Loss::chunked, "chunked"},
                             Named<Loss>{Loss::cut, "cut"}};
constexpr std::array kOptimizers{Named<Optimizer>{Optimizer::adamw, "adamw"},
                                 Named<Optimizer>{Optimizer::adamw8bit, "adamw8bit"},
                                 Named<Optimizer>{Optimizer::paged_adamw, "paged_adamw"},
                                 Named<Optimizer>{Optimizer::paged_adamw8bit, "paged_adamw8bit"},
                                 Named<Optimizer>{Optimizer::adafactor, "adafactor"},
                                 Named<Optimizer>{Optimizer::lion, "lion"},
                                 Named<Optimizer>{Optimizer::sgd, "sgd"},
                                 Named<Optimizer>{Optimizer::muon, "muon"}};
constexpr std::array kFrameworks{
    Named<Framework>{Framework::automatic, "auto"},
    Named<Framework>{Framework::hf, "hf"},
    Named<Framework>{Framework::axolotl, "axolotl"},
    Named<Framework>{Framework::unsloth, "unsloth"},
    Named<Framework>{Framework::litgpt, "litgpt"},
    Named<Framework>{Framework::torchtune, "torchtune"},
    Named<Framework>{Framework::torchtitan, "torchtitan"},
    Named<Framework>{Framework::foundry, "foundry"},
    Named<Framework>{Framework::megatron, "megatron"},
    Named<Framework>{Framework::vllm, "vllm"},
    Named<Framework>{Framework::sglang, "sglang"},
    Named<Framework>{Framework::trtllm, "trtllm"},
    Named<Framework>{Framework::llamacpp, "llamacpp"},
    Named<Framework>{Framework::exllama, "exllama"},
    Named<Framework>{Framework::autoawq, "autoawq"},
    Named<Framework>{Framework::mlc, "mlc"},
    Named<Framework>{Framework::gptfast, "gptfast"}};
constexpr std::array kKvCaches{Named<KvCache>{KvCache::paged, "paged"},
                               Named<KvCache>{KvCache::static_, "static"},
                               Named<KvCache>{KvCache::dynamic, "dynamic"},
                               Named<KvCache>{KvCache::legacy, "legacy"}};
constexpr std::array kShardings{Named<Sharding>{Sharding::fsdp, "fsdp"},
                                Named<Sharding>{Sharding::deepspeed, "deepspeed"}};
constexpr std::array kWires{Named<Wire>{Wire::nvlink, "nvlink"}, Named<Wire>{Wire::nvswitch, "nvswitch"},
                            Named<Wire>{Wire::pcie, "pcie"}, Named<Wire>{Wire::none, "none"}};
constexpr std::array kKvPrecisions{Named<KvPrecision>{KvPrecision::bf16, "bf16"},
                                   Named<KvPrecision>{KvPrecision::fp16, "fp16"},
                                   Named<KvPrecision>{KvPrecision::fp32, "fp32"},
                                   Named<KvPrecision>{KvPrecision::fp8, "fp8"},
                                   Named<KvPrecision>{KvPrecision::int8, "int8"},
                                   Named<KvPrecision>{KvPrecision::q8_0, "q8_0"},
                                   Named<KvPrecision>{KvPrecision::q4_0, "q4_0"}};
constexpr std::array kOffloads{Named<OffloadKind>{OffloadKind::none, "none"},
                               Named<OffloadKind>{OffloadKind::optimizer, "optimizer"},
                               Named<OffloadKind>{OffloadKind::activations, "activations"},
                               Named<OffloadKind>{OffloadKind::all, "all"},
                               Named<OffloadKind>{OffloadKind::layers, "layers"}};
constexpr std::array kPrecisions{
    Named<Precision>{Precision::fp32, "fp32"},       Named<Precision>{Precision::tf32, "tf32"},
    Named<Precision>{Precision::bf16, "bf16"},       Named<Precision>{Precision::fp16, "fp16"},
    Named<Precision>{Precision::fp8, "fp8"},         Named<Precision>{Precision::int8, "int8"},
    Named<Precision>{Precision::int4, "int4"},       Named<Precision>{Precision::nf4, "nf4"},
    Named<Precision>{Precision::nf4dq, "nf4dq"},     Named<Precision>{Precision::fp4, "fp4"},
    Named<Precision>{Precision::mxfp4, "mxfp4"},     Named<Precision>{Precision::q2_k, "q2_k"},
    Named<Precision>{Precision::q3_k_s, "q3_k_s"},   Named<Precision>{Precision::q3_k_m, "q3_k_m"},
    Named<Precision>{Precision::q3_k_l, "q3_k_l"},   Named<Precision>{Precision::q4_0, "q4_0"},
    Named<Precision>{Precision::q4_1, "q4_1"},       Named<Precision>{Precision::q4_k_s, "q4_k_s"},
    Named<Precision>{Precision::q4_k_m, "q4_k_m"},   Named<Precision>{Precision::q5_0, "q5_0"},
    Named<Precision>{Precision::q5_1, "q5_1"},       Named<Precision>{Precision::q5_k_s, "q5_k_s"},
    Named<Precision>{Precision::q5_k_m, "q5_k_m"},   Named<Precision>{Precision::q6_k, "q6_k"},
    Named<Precision>{Precision::q8_0, "q8_0"},       Named<Precision>{Precision::iq1_s, "iq1_s"},
    Named<Precision>{Precision::iq1_m, "iq1_m"},     Named<Precision>{Precision::iq2_xxs, "iq2_xxs"},
    Named<Precision>{Precision::iq2_xs, "iq2_xs"},   Named<Precision>{Precision::iq2_s, "iq2_s"},
    Named<Precision>{Precision::iq2_m, "iq2_m"},     Named<Precision>{Precision::iq3_xxs, "iq3_xxs"},
    Named<Precision>{Precision::iq3_xs, "iq3_xs"},   Named<Precision>{Precision::iq3_s, "iq3_s"},
    Named<Precision>{Precision::iq3_m, "iq3_m"},     Named<Precision>{Precision::iq4_nl, "iq4_nl"},
    Named<Precision>{Precision::iq4_xs, "iq4_xs"}};

}  // namespace

template <> std::span<const Named<Mode>> names_of<Mode>() { return kModes; }
template <> std::span<const Named<Task>> names_of<Task>() { return kTasks; }
template <> std::span<const Named<Checkpointing>> names_of<Checkpointing>() { return kCheckpointings; }
template <> std::span<const Named<Attention>> names_of<Attention>() { return kAttentions; }
template <> std::span<const Named<Loss>> names_of<Loss>() { return kLosses; }
template <> std::span<const Named<Optimizer>> names_of<Optimizer>() { return kOptimizers; }
template <> std::span<const Named<Framework>> names_of<Framework>() { return kFrameworks; }
template <> std::span<const Named<KvCache>> names_of<KvCache>() { return kKvCaches; }
template <> std::span<const Named<Sharding>> names_of<Sharding>() { return kShardings; }
template <> std::span<const Named<Wire>> names_of<Wire>() { return kWires; }
template <> std::span<const Named<KvPrecision>> names_of<KvPrecision>() { return kKvPrecisions; }
template <> std::span<const Named<OffloadKind>> names_of<OffloadKind>() { return kOffloads; }
template <> std::span<const Named<Precision>> names_of<Precision>() { return kPrecisions; }

bool Workload::training() const {
  switch (mode) {
    case Mode::inference: return false;
    case Mode::lora:
    case Mode::qlora:
    case Mode::full:
    case Mode::pretrain:
    case Mode::dpo: return true;
    default: return task == Task::train;
  }
}

}  // namespace gpuplan
