#include <algorithm>
#include <array>

#include "gpuplan/workload.hpp"

namespace gpuplan {
namespace {

// A block format: `bytes` hold `weights` numbers with their scales and zeros.
constexpr double bits_of_block(double weights, double bytes) { return 8 * bytes / weights; }

constexpr std::string_view kBlocks = "block size of the GGUF tensor type (ggml constants)";
constexpr std::string_view kFileSize8b =
    "file of Llama-3.1-8B: llama.cpp tools/quantize/README.md, table of bits per weight";
constexpr std::string_view kFileSize7b =
    "file of Llama-2-7B: llama.cpp examples/quantize/README.md, table of bits per weight";
constexpr double kQ6K = bits_of_block(256, 210);

// `head_bits`: the legacy block types of llama.cpp keep the output matrix as Q6_K. The names with
// a letter behind (q4_k_m) and the i-quants are mixtures of several tensor types: their figure is
// what a whole file has, output matrix included.
constexpr std::array kTable{
    PrecisionInfo{Precision::fp32, 32, false, 0, "fp32", "by definition"},
    PrecisionInfo{Precision::tf32, 32, false, 0, "tf32", "stored as 32-bit numbers"},
    PrecisionInfo{Precision::bf16, 16, false, 0, "bf16", "by definition"},
    PrecisionInfo{Precision::fp16, 16, false, 0, "fp16", "by definition"},
    PrecisionInfo{Precision::fp8, 8, false, 0, "fp8",
                  "one byte; vLLM logs: Llama-3.3-70B FP8 33.88 GiB a GPU on two"},
    PrecisionInfo{Precision::int8, 8, false, 0, "int8",
                  "one byte; vLLM issue log: Llama-3.1-70B w8a8 67.72 GiB"},
    PrecisionInfo{Precision::int4, 4 + 20.0 / 128, false, 0, "bf16",
                  "4 bits + 16-bit scale and 4-bit zero for a group of 128 (GPTQ, AWQ)"},
    PrecisionInfo{Precision::nf4, 4 + 32.0 / 64, false, 0, "bf16",
                  "4 bits + 32-bit scale for 64 weights (bitsandbytes)"},
    PrecisionInfo{Precision::nf4dq, 4 + (8 + 32.0 / 256) / 64, false, 0, "bf16",
                  "4 bits + 8-bit scale for 64 weights, itself scaled by blocks of 256 (QLoRA)"},
    PrecisionInfo{Precision::fp4, bits_of_block(16, 9), false, 0, "fp4",
                  "4 bits + 8-bit scale for 16 weights (NVFP4)"},
    PrecisionInfo{Precision::mxfp4, bits_of_block(32, 17), false, 0, "fp4",
                  "4 bits + 8-bit scale for 32 weights (OCP MX)"},
    PrecisionInfo{Precision::q2_k, 3.1593, true, 0, "bf16", kFileSize8b},
    PrecisionInfo{Precision::q3_k_s, 3.6429, true, 0, "bf16", kFileSize8b},
    PrecisionInfo{Precision::q3_k_m, 3.91, true, 0, "bf16", kFileSize7b},
    PrecisionInfo{Precision::q3_k_l, 4.2979, true, 0, "bf16", kFileSize8b},
    PrecisionInfo{Precision::q4_0, bits_of_block(32, 18), true, kQ6K, "bf16", kBlocks},
    PrecisionInfo{Precision::q4_1, bits_of_block(32, 20), true, kQ6K, "bf16", kBlocks},
    PrecisionInfo{Precision::q4_k_s, 4.6672, true, 0, "bf16", kFileSize8b},
    PrecisionInfo{Precision::q4_k_m, 4.8944, true, 0, "bf16", kFileSize8b},
    PrecisionInfo{Precision::q5_0, bits_of_block(32, 22), true, kQ6K, "bf16", kBlocks},
    PrecisionInfo{Precision::q5_1, bits_of_block(32, 24), true, kQ6K, "bf16", kBlocks},
    PrecisionInfo{Precision::q5_k_s, 5.5704, true, 0, "bf16", kFileSize8b},
    PrecisionInfo{Precision::q5_k_m, 5.7036, true, 0, "bf16", kFileSize8b},
    PrecisionInfo{Precision::q6_k, kQ6K, true, 0, "bf16", kBlocks},
    PrecisionInfo{Precision::q8_0, bits_of_block(32, 34), true, 0, "bf16", kBlocks},
    PrecisionInfo{Precision::iq1_s, 2.0042, true, 0, "bf16", kFileSize8b},
    PrecisionInfo{Precision::iq1_m, 2.1460, true, 0, "bf16", kFileSize8b},
    PrecisionInfo{Precision::iq2_xxs, 2.3824, true, 0, "bf16", kFileSize8b},
    PrecisionInfo{Precision::iq2_xs, 2.5882, true, 0, "bf16", kFileSize8b},
    PrecisionInfo{Precision::iq2_s, 2.7403, true, 0, "bf16", kFileSize8b},
    PrecisionInfo{Precision::iq2_m, 2.9294, true, 0, "bf16", kFileSize8b},
    PrecisionInfo{Precision::iq3_xxs, 3.2548, true, 0, "bf16", kFileSize8b},
    PrecisionInfo{Precision::iq3_xs, 3.4977, true, 0, "bf16", kFileSize8b},
    PrecisionInfo{Precision::iq3_s, 3.6606, true, 0, "bf16", kFileSize8b},
    PrecisionInfo{Precision::iq3_m, 3.7628, true, 0, "bf16", kFileSize8b},
    PrecisionInfo{Precision::iq4_nl, 4.6818, true, 0, "bf16", kFileSize8b},
    PrecisionInfo{Precision::iq4_xs, 4.4597, true, 0, "bf16", kFileSize8b},
};

}  // namespace

const PrecisionInfo& precision_info(Precision precision) {
  const auto row = std::ranges::find(kTable, precision, &PrecisionInfo::precision);
  return row == kTable.end() ? kTable[2] : *row;  // the table names every precision
}

}  // namespace gpuplan
