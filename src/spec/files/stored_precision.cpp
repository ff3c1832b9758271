#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "spec/files/stored.hpp"

namespace gpuplan::files {
namespace {

struct TypePrecision {
  std::string_view type;
  Precision precision;
};
constexpr std::array kTypes{
    TypePrecision{"BF16", Precision::bf16},   TypePrecision{"F16", Precision::fp16},
    TypePrecision{"F32", Precision::fp32},    TypePrecision{"F64", Precision::fp32},
    TypePrecision{"F8_E4M3", Precision::fp8}, TypePrecision{"F8_E4M3FNUZ", Precision::fp8},
    TypePrecision{"F8_E5M2", Precision::fp8}, TypePrecision{"F8_E5M2FNUZ", Precision::fp8},
    TypePrecision{"I8", Precision::int8},     TypePrecision{"U8", Precision::int8},
    TypePrecision{"F4", Precision::fp4}};

// `general.file_type`: llama.cpp, `enum llama_ftype`.
struct FileType {
  std::int64_t id;
  Precision precision;
};
constexpr std::array kFileTypes{FileType{0, Precision::fp32},     FileType{1, Precision::fp16},
                                FileType{2, Precision::q4_0},     FileType{3, Precision::q4_1},
                                FileType{7, Precision::q8_0},     FileType{8, Precision::q5_0},
                                FileType{9, Precision::q5_1},     FileType{10, Precision::q2_k},
                                FileType{11, Precision::q3_k_s},  FileType{12, Precision::q3_k_m},
                                FileType{13, Precision::q3_k_l},  FileType{14, Precision::q4_k_s},
                                FileType{15, Precision::q4_k_m},  FileType{16, Precision::q5_k_s},
                                FileType{17, Precision::q5_k_m},  FileType{18, Precision::q6_k},
                                FileType{19, Precision::iq2_xxs}, FileType{20, Precision::iq2_xs},
                                FileType{22, Precision::iq3_xs},  FileType{23, Precision::iq3_xxs},
                                FileType{24, Precision::iq1_s},   FileType{25, Precision::iq4_nl},
                                FileType{26, Precision::iq3_s},   FileType{27, Precision::iq3_m},
                                FileType{28, Precision::iq2_s},   FileType{29, Precision::iq2_m},
                                FileType{30, Precision::iq4_xs},  FileType{31, Precision::iq1_m},
                                FileType{32, Precision::bf16},    FileType{38, Precision::mxfp4}};

// The format of whole files that comes nearest to so many bits a weight.
Precision nearest(double bits) {
  Precision best = Precision::bf16;
  double distance = std::abs(bits - 16);
  for (const auto& [precision, name] : names_of<Precision>()) {
    const PrecisionInfo& info = precision_info(precision);
    if (!info.whole_file || std::abs(info.bits_per_weight - bits) >= distance) continue;
    distance = std::abs(info.bits_per_weight - bits);
    best = precision;
  }
  return best;
}

}  // namespace

void name_precision(const NamedTensors& named, StoredWeights& stored) {
  std::map<Precision, std::int64_t> weights;
  for (std::size_t i = 0; i < named.tensors.size(); ++i) {
    if (named.names[i].buffer || named.names[i].kind == TensorKind::scales) continue;
    const Packing& packing = named.packing[i];
    const Tensor& tensor = named.tensors[i];
    const auto row = std::ranges::find(kTypes, tensor.type, &TypePrecision::type);
    if (packing.known)
      weights[packing.precision] += packing.weights(tensor.elements);
    else if (row != kTypes.end())
      weights[row->precision] += tensor.elements;
  }
  const auto most = std::ranges::max_element(weights, {}, [](const auto& w) { return w.second; });
  if (most == weights.end()) return;
  stored.precision = most->first;
  stored.precision_from = fmt::format("most weights are stored so ({} of {})", most->second,
                                      stored.parameters > 0 ? stored.parameters : stored.elements);
}

void name_gguf_precision(std::optional<std::int64_t> file_type, StoredWeights& stored) {
  const auto row = std::ranges::find(kFileTypes, file_type.value_or(-1), &FileType::id);
  if (row != kFileTypes.end()) {
    stored.precision = row->precision;
    stored.precision_from = fmt::format("general.file_type {}", row->id);
    return;
  }
  const double bits = stored.elements > 0
                          ? 8 * stored.bytes.as_double() / static_cast<double>(stored.elements)
                          : 16;
  stored.precision = bits > 24 ? Precision::fp32 : bits > 12 ? Precision::bf16 : nearest(bits);
  stored.precision_from =
      fmt::format("{:.2f} bits a weight; the file names no type that is known here", bits);
}

}  // namespace gpuplan::files
