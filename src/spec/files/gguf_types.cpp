#include <algorithm>
#include <array>

#include "core/text.hpp"
#include "spec/files/gguf.hpp"

namespace gpuplan::files {
namespace {

// Sizes of blocks: ggml's `type_traits` as read by gpustack/gguf-parser-go (ggml.go); numbers:
// `enum ggml_type` of ggml.h (NVFP4 since llama.cpp pull request 19769). MXFP4 is 32 numbers of 4
// bits with a scale of 8 bits, NVFP4 four times 16 of them.
constexpr std::array kTypes{GgufType{"F32", 0, 1, 4},         GgufType{"F16", 1, 1, 2},
                            GgufType{"Q4_0", 2, 32, 18},      GgufType{"Q4_1", 3, 32, 20},
                            GgufType{"Q5_0", 6, 32, 22},      GgufType{"Q5_1", 7, 32, 24},
                            GgufType{"Q8_0", 8, 32, 34},      GgufType{"Q8_1", 9, 32, 40},
                            GgufType{"Q2_K", 10, 256, 84},    GgufType{"Q3_K", 11, 256, 110},
                            GgufType{"Q4_K", 12, 256, 144},   GgufType{"Q5_K", 13, 256, 176},
                            GgufType{"Q6_K", 14, 256, 210},   GgufType{"Q8_K", 15, 256, 292},
                            GgufType{"IQ2_XXS", 16, 256, 66}, GgufType{"IQ2_XS", 17, 256, 74},
                            GgufType{"IQ3_XXS", 18, 256, 98}, GgufType{"IQ1_S", 19, 256, 50},
                            GgufType{"IQ4_NL", 20, 32, 18},   GgufType{"IQ3_S", 21, 256, 110},
                            GgufType{"IQ2_S", 22, 256, 82},   GgufType{"IQ4_XS", 23, 256, 136},
                            GgufType{"I8", 24, 1, 1},         GgufType{"I16", 25, 1, 2},
                            GgufType{"I32", 26, 1, 4},        GgufType{"I64", 27, 1, 8},
                            GgufType{"F64", 28, 1, 8},        GgufType{"IQ1_M", 29, 256, 56},
                            GgufType{"BF16", 30, 1, 2},       GgufType{"TQ1_0", 34, 256, 54},
                            GgufType{"TQ2_0", 35, 256, 66},   GgufType{"MXFP4", 39, 32, 17},
                            GgufType{"NVFP4", 40, 64, 36},    GgufType{"Q1_0", 41, 128, 18}};

// Numbers that types had which ggml has given up: Q4_2, Q4_3, and layouts for single processors.
constexpr std::array<std::uint32_t, 8> kRemoved{4, 5, 31, 32, 33, 36, 37, 38};

}  // namespace

const GgufType* gguf_type(std::uint32_t id) {
  const auto row = std::ranges::find(kTypes, id, &GgufType::id);
  return row == kTypes.end() ? nullptr : &*row;
}

std::string gguf_type_names() {
  std::vector<std::string> names;
  for (const GgufType& type : kTypes)
    names.push_back(std::to_string(type.id) + " " + std::string(type.name));
  return join(names, ", ");
}

bool gguf_type_removed(std::uint32_t id) {
  return std::ranges::find(kRemoved, id) != kRemoved.end();
}

}  // namespace gpuplan::files
