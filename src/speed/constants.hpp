#pragma once

#include <string_view>

namespace gpuplan::detail {

// A figure with where it comes from: "fit" names the rows that it was chosen on, "prior" says that
// no row tests it.
struct Constant {
  double value;
  std::string_view source;
};

// Products of matrices
inline constexpr Constant kTile{128.0 * 256.0, "outputs of a product that one SM makes at a time"};
inline constexpr Constant kSmClock{1.7e9, "typical clock that turns FP32 TFLOPS into SMs"};
inline constexpr Constant kWaveLoss{0.075, "fit: prompts of 64 to 2,048 tokens, gpt-fast, AutoAWQ"};
inline constexpr Constant kPowerSlope{0.9, "fit: H100 at 350, 500 and 700 W, A100 at 250 to 400 W"};
inline constexpr Constant kPowerSlack{1.05, "boards within 5 % of the reference are taken as equal"};
inline constexpr Constant kFp8Share{0.80, "fit: NeMo and torchtitan FP8 training, share of the FP8 peak"};

// Decoding
inline constexpr Constant kFewUsers{8, "users from which products, not fetching, set the pace of the tensor units"};
inline constexpr Constant kLayerSplitHop{0.30e-3, "fit: llama-bench on 2 to 8 cards, s a boundary"};
inline constexpr Constant kPrefillHop{1.2e-3, "fit: llama-bench prompts on 2 to 8 cards, s a pass and boundary"};
inline constexpr Constant kStageLoss{0.075, "fit: TensorRT-LLM on 2 to 8 stages, a stage beyond the first"};
inline constexpr Constant kRoutingBytes{5.7, "fit: TensorRT-LLM Qwen3, bytes a hidden element and expert"};
inline constexpr Constant kForwardAttention{1.35, "FlashAttention 2 on A100, causal, heads of 128: 200 TFLOPS forward, 165 both ways; fit: Qwen2.5 at 63,000 tokens, TensorRT-LLM at 20,000"};
inline constexpr Constant kDataParallelAttention{0.41, "fit: TensorRT-LLM Qwen3, share of tensor-parallel traffic"};
inline constexpr Constant kGeForceBoost{1.15, "llama-bench prompts: GeForce boards clock above the data sheet"};
inline constexpr Constant kLlamaPassOverhead{60e-6, "fit: llama-bench prompts, s a layer and pass"};

// Training
inline constexpr Constant kAttentionBackward{2.5, "FlashAttention: five products backward, two forward"};
inline constexpr Constant kSelective{0.5, "half of a forward pass is run again"};
inline constexpr Constant kHiddenBytes{61, "fit: bytes a hidden element, token and layer for norms, residuals"};
inline constexpr Constant kFeedForwardBytes{6, "fit: bytes an inner element, token and layer for activations"};
inline constexpr Constant kLogitBytes{10, "bytes a logit: 16-bit, 32-bit copy, gradient"};
inline constexpr Constant kAdapterShare{0.3, "prior: narrow products reach a third of the 16-bit rate"};
inline constexpr Constant kAdapterBytes{14, "fit: LoRA of QwenLM/Qwen and fms-acceleration: bytes for each element that goes into or out of an adapter"};
inline constexpr Constant kDequantBytes{24.5, "fit: litgpt and Qwen QLoRA, 12 to 18 ps a weight and pass"};
inline constexpr Constant kExpertWidth{1600, "fit: Megatron-Bridge Qwen3 and fms-acceleration Mixtral: width at which experts reach half"};
inline constexpr Constant kServedExpertWidth{2600, "fit: TensorRT-LLM Qwen3 and gpustack gpt-oss: the same in serving"};
inline constexpr Constant kShardHooks{2.0, "fit: Qwen full fine-tuning and LoRA at ZeRO-3, 512 tokens: hooks around each module"};
inline constexpr Constant kOptimizerBytes{30, "fused AdamW: weight, gradient and two states read in 32 bit, three written, 16-bit copy"};
inline constexpr Constant kHostOptimizer{4e9, "prior: weights a second that a node's CPUs update"};

// Images
inline constexpr Constant kResNetElements{22.2e6, "feature maps of ResNet-50 at 224 x 224, before and after each norm"};
inline constexpr Constant kResNetWeights{25'557'032, "torchvision: weights of ResNet-50"};
inline constexpr Constant kUnknownClassifier{160, "rough: multiply-adds a weight, as ResNet-50 at 224 x 224"};
inline constexpr Constant kElementMoves{5, "fit: ResNet-50 on V100 to H200 (Lambda, NVIDIA DeepLearningExamples): times that a pass moves each number"};
inline constexpr Constant kOperationsOfLayer{3.4, "convolution, norm, activation and sums of ResNet-50: 170 launches"};
inline constexpr Constant kImageLaunch{58e-6, "fit: ResNet-50 on a T4 at batch 1, 4 and 16 (NVIDIA DeepLearningExamples)"};
inline constexpr Constant kImageLoader{3100, "lambdal/deeplearning-benchmark: H200 and B200 both stop at 3,080 images a second and card"};
inline constexpr Constant kDiffusionShare{0.5, "huggingface/diffusers fast diffusion guide: SDXL, 30 steps, bf16 on A100 in 3.3 s, 2.5 s compiled"};
inline constexpr Constant kDiffusionOperations{2000, "prior: launches of a UNet pass"};

// Other tasks
inline constexpr Constant kDoubleShare{0.85, "prior: share of the double-precision peak that large solvers reach"};
inline constexpr Constant kOldEncoder{0.5, "NVIDIA Video Codec SDK: a Turing engine does what two of Pascal do"};

// Traffic
inline constexpr Constant kNvlinkShare{0.8, "ring bus rate at GiB payloads (stas00/ml-engineering, network)"};
inline constexpr Constant kNvlinkLatency{12.5e-6, "fit: gpt-fast on 2 to 8 A100, s"};
inline constexpr Constant kNvlinkLatencyEach{0.7e-6, "fit: gpt-fast on 2 to 8 A100, s a card"};
inline constexpr Constant kPcieLatency{58e-6, "fit: llm-perf-bench on 2 to 8 A10G, s"};
inline constexpr Constant kPcieLatencyEach{1.0e-6, "fit: llm-perf-bench on 2 to 8 A10G, s a card"};
inline constexpr Constant kPcieShare{0.6, "prior: PCIe between cards that reach each other"};
inline constexpr Constant kPcieShareConsumer{0.3, "prior: GeForce cards copy through the host's memory"};
inline constexpr Constant kHostCopyShare{0.8, "prior: pinned copies between card and host, share of PCIe"};
inline constexpr Constant kShardShare{0.6, "fit: llm-foundry FSDP, share of one-way NVLink"};
inline constexpr Constant kNetworkShare{0.8, "fit: llm-foundry on 16 to 128 cards, share of the network"};
inline constexpr Constant kUnhidden{0.5, "fit: FSDP of llm-foundry; lambdal/deeplearning-benchmark, BERT-large on two RTX 3090 and 4090"};
inline constexpr Constant kExposedTensor{0.7, "fit: NeMo tensor parallel, share not hidden"};
inline constexpr Constant kGradientBytes{4, "bytes a weight that data parallel adds up"};
inline constexpr Constant kNetworkAllToAll{0.7, "fit: Megatron-Bridge experts over several machines"};
inline constexpr Constant kMachineCards{8, "cards of one machine unless the card is built into larger ones"};

}  // namespace gpuplan::detail
