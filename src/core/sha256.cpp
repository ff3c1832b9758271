#include "core/sha256.hpp"

#include <array>
#include <cstdint>

namespace gpuplan {

void Sha256::add(std::string_view bytes) {
  sha256_update(&context_, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
}

std::string Sha256::hex() {
  std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
  sha256_digest(&context_, digest.size(), digest.data());
  std::string text;
  for (const std::uint8_t byte : digest)
    for (const int shift : {4, 0}) text += "0123456789abcdef"[(byte >> shift) & 0xf];
  return text;
}

std::string sha256_hex(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.hex();
}

}  // namespace gpuplan
