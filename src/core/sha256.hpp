#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gpuplan {

// FIPS 180-4, of bytes that come one portion after the other.
class Sha256 {
 public:
  void add(std::string_view bytes);
  std::string hex();  // nothing is added any more

 private:
  std::array<std::uint32_t, 8> digest_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                       0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> open_{};  // of a block that is not full
  std::size_t open_size_ = 0;
  std::uint64_t size_ = 0;
};

// The same at once, in hexadecimal.
std::string sha256_hex(std::string_view bytes);

}  // namespace gpuplan
