#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

// Everything that reads what others wrote. Each takes any bytes: it must not crash, must not take
// long, and what it accepts must make sense; else `broken` ends the program.
namespace gpuplan::fuzz {

struct Reader {
  std::string_view name;
  void (*read)(std::string_view bytes);
};

// clang-format off
#define GPUPLAN_FUZZ_READERS(X)                                                              \
  X(json) X(catalog) X(bills) X(job) X(options) X(model) X(config) X(safetensors) X(gguf)    \
  X(weight_index) X(cards) X(models) X(compat) X(gpu_log) X(environment) X(values) X(filter) \
  X(availability) X(against) X(import_skypilot) X(import_gpuhunt) X(import_vast)             \
  X(import_runpod) X(import_lambda) X(import_azure) X(import_aws) X(import_gcp)              \
  X(import_shadeform)
// clang-format on

#define GPUPLAN_FUZZ_DECLARE(name) void feed_##name(std::string_view bytes);
GPUPLAN_FUZZ_READERS(GPUPLAN_FUZZ_DECLARE)
#undef GPUPLAN_FUZZ_DECLARE

// What a reader accepted, or how it refused, is wrong.
[[noreturn]] void broken(std::string_view why);
inline void demand(bool holds, std::string_view why) {
  if (!holds) broken(why);
}

// Changes a text by its tokens: JSON, CSV and lists stay readable more often than by single bytes.
// Returns the new size, at most `most`.
std::size_t change_tokens(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed);

}  // namespace gpuplan::fuzz
