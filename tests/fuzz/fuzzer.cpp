// libFuzzer's entry for one reader; GPUPLAN_FUZZ_READER names it.
#include <cstddef>
#include <cstdint>

#include "readers.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gpuplan::fuzz::GPUPLAN_FUZZ_READER({reinterpret_cast<const char*>(data), size});
  return 0;
}

// Half of the changes are libFuzzer's own, of bytes.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  if (seed % 2 == 0 || size == 0) return LLVMFuzzerMutate(data, size, most);
  return gpuplan::fuzz::change_tokens(data, size, most, seed);
}
